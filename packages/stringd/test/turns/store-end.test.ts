import { join } from 'node:path'
import type { TurnResultView } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { newTurn } from '../../src/turns/new-turn.ts'
import { storeEnd } from '../../src/turns/store-end.ts'
import { NO_DETAIL } from '../../src/turns/turn-view.ts'

const AT = '2026-03-19T05:30:00.000Z'

describe('the end of a turn', () => {
  it.each([
    ['says nothing of its session', { ok: true, session_id: null }, { sessionId: 's1', hasSucceeded: true }],
    ['failed', { ok: false, session_id: null }, { sessionId: 's1', hasSucceeded: false }],
    ['names its session anew', { ok: true, session_id: 's2' }, { sessionId: 's2', hasSucceeded: true }],
  ])('of an agent that %s leaves what is stored of it', async (_what, said, kept) => {
    const store = openSqlite(join(tempDir(), 'state.db'), { log: createLog(() => undefined) })
    onTestFinished(() => store.close())
    await store.sessions.put({ agentId: 'a', session: 'x', sessionId: 's1', hasSucceeded: false, usedAt: AT })
    await store.turns.add(newTurn('trn_1', 'a', 'x', AT))
    const claimed = await store.turns.claim('trn_1', 'h', AT)
    if (claimed === null) throw new Error('It waits')
    const rest = {
      reply: '',
      error: null,
      code: null,
      exit_code: 0,
      timed_out: false,
      truncated: false,
      duration_ms: 1,
    }
    const result: TurnResultView = { ...rest, ...said }
    const end = { result, stderr: '', usage: { duration_ms: 1 } }
    const after = { ...claimed, state: 'done' as const, result }
    expect(await storeEnd(store, { after, detail: NO_DETAIL, end, now: Date.parse(AT) })).toBe(true)
    expect(await store.sessions.get('a', 'x')).toMatchObject(kept)
  })
})
