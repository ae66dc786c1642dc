import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentClient } from './clients/agent-client.ts'
import { CHECKS, type Check } from './clients/checks.ts'
import { EXPECTED_FAILURES, type ExpectedFailure } from './clients/expected.ts'
import { installed } from './clients/install.ts'
import { modelView } from './clients/model-view.ts'
import { clientsPage } from './clients/page.ts'
import { AGENT_CLIENTS } from './clients/programs.ts'
import { type Recording, writeRecordings } from './clients/recording.ts'
import { createWorld, type World } from './clients/world.ts'

/** Writes the page and the recordings instead of comparing. */
const isUpdate = process.env.STRING_UPDATE === '1'
const PAGE = join(import.meta.dirname, '../../docs/mcp/README.md')

const CANDIDATES: { client: AgentClient; bin: string | null }[] = []
for (const client of AGENT_CLIENTS) CANDIDATES.push({ client, bin: await installed(client) })
const ranAsExpected = new Set<string>()

function expectedFailure(client: AgentClient, check: Check): ExpectedFailure | undefined {
  return EXPECTED_FAILURES[`${client.id}: ${check.name}`]
}

/** All that an assertion says, not only its beginning. */
function said(failure: Error): string {
  return `${failure.message}\n${'actual' in failure ? String(failure.actual) : ''}`
}

describe.each(CANDIDATES)('$client.name', ({ client, bin }) => {
  let world: World
  const recordings: Recording[] = []
  beforeAll(async () => {
    if (bin !== null) world = await createWorld(client, bin)
  })
  afterAll(async () => {
    if (isUpdate && bin !== null) writeRecordings(client, recordings)
    await world?.close()
  })

  for (const check of CHECKS) {
    it.skipIf(bin === null)(check.title, async () => {
      const before = world.wire().length
      const failure = await check.run(world).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      if (check.isRecorded === true) recordings.push({ check: check.name, wire: world.wire().slice(before) })
      if (check.name === 'list') console.log(modelView(client, world.model.requests(), world.wire(), countTokens))
      const expected = expectedFailure(client, check)
      if (failure !== null && !expected?.shows.test(said(failure))) throw failure
      if (failure === null && expected !== undefined)
        throw new Error(`It passes now: "${client.id}: ${check.name}" is no expected failure any more`)
      ranAsExpected.add(`${client.id}: ${check.name}`)
    })
  }
})

describe('docs/mcp/README.md', () => {
  it('shows what the programs did', ({ skip }) => {
    if (ranAsExpected.size < AGENT_CLIENTS.length * CHECKS.length)
      skip('not all of them ran, so the table is not complete')
    const page = clientsPage(AGENT_CLIENTS, CHECKS, (client, check) => expectedFailure(client, check)?.reason)
    console.log(page)
    if (isUpdate) writeFileSync(PAGE, page)
    expect(readFileSync(PAGE, 'utf8')).toBe(page)
  })
})
