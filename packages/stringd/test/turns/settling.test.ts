import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { endedResult } from '../../src/turns/after-run.ts'
import { TestClock } from '../support/clock.ts'
import { ownTurns } from '../support/own-turns.ts'
import { giveProfile } from '../support/turns.ts'

/** The turn of an event whose first run has failed; that is in the store, and whoever runs it does not know yet. */
async function justStored() {
  const dir = tempDir()
  const log = createLog(() => undefined)
  const clock = new TestClock()
  const opened = openSqlite(`${dir}/state.db`, { log, now: clock.now })
  onTestFinished(() => opened.close())
  giveProfile(dir, 'exit 1')
  let hear = (): void => undefined
  const heard = new Promise<void>((resolve) => {
    hear = resolve
  })
  const store: Store = {
    ...opened,
    async transaction(change) {
      const value = await opened.transaction(change)
      if (runs === 1 && (await opened.turns.byId(turnId))?.state === 'queued') await heard
      return value
    },
  }
  let runs = 0
  const turns = ownTurns(store, clock, {
    agent: { id: 'a', home: dir, allowedPaths: [], createdAt: '' },
    run: () => {
      runs += 1
      return Promise.resolve({ result: endedResult('EXIT_1', 'it failed'), stderr: '', usage: { duration_ms: 0 } })
    },
  })
  await turns.start()
  onTestFinished(() => turns.stop())
  const event = {
    id: 'evt_1',
    agentId: 'a',
    source: 's',
    text: 'x',
    receivedAt: '',
    status: 'pending',
    ackedAt: null,
    hops: 0,
  } as const
  let turnId = ''
  turns.watch(({ turn_id }) => {
    turnId = turn_id
  })
  await turns.addEvent(event, null)
  await expect.poll(async () => (await turns.get(turnId))?.attempt).toBe(2)
  return { turns, event, turnId, clock, hear, runs: () => runs }
}

describe('a turn whose end is stored a moment before its runner hears of that', () => {
  it('is cancelled by who cancels it then, and not tried again', async () => {
    const { turns, turnId, clock, hear, runs } = await justStored()
    const cancelled = turns.cancel(turnId)
    hear()
    expect(await cancelled).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    clock.advance(24 * 60 * 60 * 1000)
    expect(await turns.get(turnId)).toMatchObject({ state: 'cancelled' })
    expect(runs()).toBe(1)
  })

  it('is tried at once when that is asked for then', async () => {
    const { turns, event, turnId, hear, runs } = await justStored()
    const asked = turns.retryEvent(event)
    hear()
    await asked
    await expect.poll(async () => (await turns.get(turnId))?.attempt).toBe(3)
    expect(runs()).toBe(2)
  })
})
