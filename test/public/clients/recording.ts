import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFields } from '@string-os/protocol'
import type { Step } from '../../support/mcp-recording.ts'
import type { AgentClient } from './agent-client.ts'
import type { WireEntry } from './tap.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/mcp-wire')

/** What a client and `string --mcp` sent each other during a check. */
export interface Recording {
  readonly check: string
  readonly wire: readonly WireEntry[]
}

/** Writes what a client sent, for the tests that run without it. What differs from run to run is made plain. */
export function writeRecordings({ id, version }: AgentClient, recordings: readonly Recording[]): void {
  const checks = recordings.map(({ check, wire }) => {
    const lines = wire.flatMap(stepOf).map((step) => `   ${plainly(JSON.stringify(step))}`)
    return `  ${JSON.stringify(check)}: [\n${lines.join(',\n')}\n  ]`
  })
  const head = `{\n "client": ${JSON.stringify(id)},\n "version": ${JSON.stringify(version)},\n "checks": {\n`
  mkdirSync(FIXTURES, { recursive: true })
  writeFileSync(join(FIXTURES, `${id}.json`), `${head}${checks.join(',\n')}\n }\n}\n`)
}

/** Of the server only when it answered what: the rest is not the client's doing. */
function stepOf(entry: WireEntry): Step[] {
  if (entry.from === 'system') return [{ ended: entry.ended }]
  if (entry.from === 'client') return [{ sends: entry.message }]
  const { message } = entry
  return isFields(message) && typeof message.id === 'number' ? [{ awaits: message.id }] : []
}

function plainly(text: string): string {
  return text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/sleep \d{6}/g, 'sleep SECONDS')
    .replace(/(unix_ms"?:)\d+/g, '$10')
}
