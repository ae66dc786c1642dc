import type { AgentProcessView } from '@string-os/bridge'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { endedResult } from '../../src/turns/after-run.ts'
import { SYSTEM_CLOCK } from '../../src/turns/clock.ts'
import { ownTurns } from '../support/own-turns.ts'
import { giveProfile } from '../support/turns.ts'

/** A turn whose process prints nothing on standard output, and what is kept of it while it runs. */
async function quietTurn(process: AgentProcessView) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const dir = tempDir()
  const store = openSqlite(`${dir}/state.db`, { log: createLog(() => undefined), now: SYSTEM_CLOCK.now })
  onTestFinished(() => store.close())
  giveProfile(dir, 'exit 0')
  let writes = 0
  const keep: typeof store.turns.keep = (...kept) => {
    writes += 1
    return store.turns.keep(...kept)
  }
  const agent = { id: 'a', home: dir, allowedPaths: [], createdAt: '' }
  const turns = ownTurns({ ...store, turns: { ...store.turns, keep } }, SYSTEM_CLOCK, {
    agent,
    run: ({ onProcess, signal }) =>
      new Promise((resolve) => {
        onProcess(process)
        const end = { result: endedResult('CANCELLED', ''), stderr: process.stderr, usage: { duration_ms: 0 } }
        signal.addEventListener('abort', () => resolve(end))
      }),
  })
  await turns.start()
  onTestFinished(() => turns.stop())
  const taken = await turns.ask(agent, { message: 'x', session: 's', from: '', requestId: null, attachments: [] })
  if (!taken.ok) throw new Error(taken.message)
  const id = taken.turnId
  await expect.poll(async () => (await turns.get(id))?.stderr).toBe(process.stderr)
  const kept = async (): Promise<string | undefined> => (await store.turns.detail(id))?.stderr
  return { kept, pass: () => vi.advanceTimersByTime(LIMITS.turnSaidMs), writes: () => writes }
}

describe('what is kept of a turn while it runs', () => {
  it('is the end of standard error too, of one that says nothing else, also where that stays as long as it is', async () => {
    const process = { silentMs: 0, leftMs: 1_000, stdout: '', stderr: 'connecting to model...\n' }
    const { kept, pass, writes } = await quietTurn(process)
    pass()
    await expect.poll(kept).toBe('connecting to model...\n')
    pass()
    expect(writes()).toBe(1)
    process.stderr = 'connected to a model...\n'.slice(0, process.stderr.length)
    const nextKept = () => {
      pass()
      return kept()
    }
    await expect.poll(nextKept).toBe(process.stderr)
    expect(writes()).toBe(2)
  })
})
