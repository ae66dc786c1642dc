import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentClient } from './agent-client.ts'
import type { WireEntry } from './tap.ts'
import type { World } from './world.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/mcp-wire')

/** What a client sent and was sent during a check. */
export interface Recording {
  readonly check: string
  readonly wire: readonly WireEntry[]
}

/** Writes the messages of a client for the tests that run without it: what differs from run to run is made plain. */
export function writeRecordings({ id, version }: AgentClient, world: World, recordings: readonly Recording[]): void {
  const plain = recordings.map(({ check, wire }) => ({ check, wire: wire.map((entry) => JSON.stringify(entry)) }))
  const checks = plain.map(({ check, wire }) => {
    const lines = wire.map((text) => `   ${plainly(text, world)}`).join(',\n')
    return ` ${JSON.stringify(check)}: [\n${lines}\n ]`
  })
  mkdirSync(FIXTURES, { recursive: true })
  const head = ` "client": ${JSON.stringify(id)},\n "version": ${JSON.stringify(version)}`
  writeFileSync(join(FIXTURES, `${id}.json`), `{\n${[head, ...checks].join(',\n')}\n}\n`)
}

function plainly(text: string, world: World): string {
  return text
    .replaceAll(world.project, '/project')
    .replaceAll(world.home, '/home/ada')
    .replace(/\/tmp\/string-run-\w+\/string-client-\w+/g, '/machine')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
    .replace(/evt_[0-9a-z]{26}/g, 'evt_00000000000000000000000000')
    .replace(/sleep \d{6}/g, 'sleep 777777')
    .replace(/(unix_ms"?:)\d+/g, '$10')
}
