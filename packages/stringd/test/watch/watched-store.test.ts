import { describe, expect, it } from 'vitest'
import { newTurn } from '../../src/turns/new-turn.ts'
import type { Change } from '../../src/watch/change-log.ts'
import { watchedStore } from '../../src/watch/watched-store.ts'
import { ENGINES, silent } from '../store/engines.ts'

const AT = '2026-03-19T05:30:00.000Z'
const event = { agentId: 'ann', receivedAt: AT, source: 's', text: 'x', hops: 0, key: null }

describe.each(ENGINES)('changes in the store $name', ({ isHere, prepare }) => {
  describe.skipIf(!isHere)('are told', () => {
    const open = prepare()

    it('once they are stored, of a whole change at its end, and never of what was not stored', async () => {
      const { store } = await open()
      const told: Change[] = []
      const watched = watchedStore(store, (change) => void told.push(change), silent)
      const names = (): string[] => told.splice(0).map(({ kind, id }) => `${kind} ${id}`)
      await watched.turns.add(newTurn('trn_1', 'ann', 'default', AT))
      expect(names()).toEqual(['turn trn_1'])
      await watched.transaction(async ({ turns }) => {
        await turns.claim('trn_1', 'me', AT)
        expect(told).toEqual([])
      })
      expect(names()).toEqual(['turn trn_1'])
      // That it waits for a person is in the list by the time it is told.
      await watched.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 1 }, true)
      expect(names()).toEqual(['turn trn_1'])
      await watched.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 7 }, false)
      expect(names()).toEqual([])
      const failed = watched.transaction(async ({ turns }) => {
        await turns.add(newTurn('trn_2', 'ann', 'default', AT))
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(names()).toEqual([])
      const { id } = await watched.events.append(event)
      await watched.events.ack('ann', [id, 'evt_none'], AT)
      expect(names()).toEqual([`event ${id}`, `event ${id}`])
      await watched.events.remove('ann', true, 10)
      expect(names()).toEqual(['agent ann'])
    })

    it('of events that another daemon stored, by the last of them', async () => {
      const { store, second } = await open()
      if (second === null) return
      const told: Change[] = []
      watchedStore(store, (change) => void told.push(change), silent)
      const { id } = await (await second()).events.append(event)
      await expect.poll(() => told).toEqual([{ kind: 'event', id, agentId: 'ann' }])
    })
  })
})
