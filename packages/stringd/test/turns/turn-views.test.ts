import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { LiveTurn } from '../../src/turns/live-turn.ts'
import { newTurn } from '../../src/turns/new-turn.ts'
import { NO_DETAIL } from '../../src/turns/turn-view.ts'
import { TurnViews } from '../../src/turns/turn-views.ts'

const AT = '2026-03-19T05:30:00.000Z'

describe('a turn that is shown', () => {
  it('agrees with what is stored, also while whoever runs it has not heard that it is', async () => {
    const store = openSqlite(join(tempDir(), 'state.db'), { log: createLog(() => undefined) })
    onTestFinished(() => store.close())
    await store.turns.add(newTurn('trn_1', 'a', 'x', AT))
    const live = new LiveTurn(newTurn('trn_1', 'a', 'x', AT))
    const parts = { store, approvals: { list: async () => [] } } as unknown as ConstructorParameters<
      typeof TurnViews
    >[0]
    const runner = { lanes: { byId: () => live } } as unknown as ConstructorParameters<typeof TurnViews>[1]
    const afar = { detail: async () => NO_DETAIL } as unknown as ConstructorParameters<typeof TurnViews>[2]
    const views = new TurnViews(parts, runner, afar)
    const shown = async (): Promise<unknown> => {
      const view = await views.get('trn_1')
      return [view?.state, view?.attempt, view?.partial, view?.tries?.length ?? 0]
    }
    expect(await shown()).toEqual(['queued', 1, '', 0])

    const claimed = await store.turns.claim('trn_1', 'h', AT)
    if (claimed === null) throw new Error('It waits')
    expect(await shown()).toEqual(['running', 1, '', 0])
    live.turn = claimed
    live.partial('so far')
    expect(await shown()).toEqual(['running', 1, 'so far', 0])

    const tries = [{ ended_at: AT, code: 'EXIT_1', reason: 'because' }]
    await store.turns.settle({ ...claimed, state: 'queued', attempt: 2 }, { ...live.detail, tries })
    expect(await shown()).toEqual(['queued', 2, 'so far', 1])
  })
})
