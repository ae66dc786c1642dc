import { LIMITS } from '@string-os/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { isEventId } from '../../src/store/event-id.ts'
import type { NewDelivery } from '../../src/store/groups/deliveries.ts'
import type { EventRow, NewEvent } from '../../src/store/groups/events.ts'
import type { News, Store } from '../../src/store/store.ts'
import { ENGINES, type Opened } from './engines.ts'
import { missedByReader } from './order.ts'

const T0 = '2026-01-02T03:04:05.000Z'
const T1 = '2026-01-02T03:04:06.000Z'
const T2 = '2026-01-03T03:04:05.000Z'

function event(agentId: string, text: string, more: Partial<NewEvent> = {}): NewEvent {
  return { agentId, receivedAt: T0, source: 'webhook', text, hops: 0, key: null, ...more }
}

function delivery(id: string, more: Partial<NewDelivery> = {}): NewDelivery {
  return { id, agentId: 'ann', channel: 'mail', target: 'a@example.com', text: 'hello', createdAt: T0, ...more }
}

const texts = (events: readonly EventRow[]): string[] => events.map(({ text }) => text)
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

async function appendAll(store: Store, agentId: string, given: readonly string[]): Promise<string[]> {
  return ids(await Promise.all(given.map((text) => store.events.append(event(agentId, text)))))
}

describe.each(ENGINES)('the store $name', ({ name, isHere, prepare }) => {
  describe.skipIf(!isHere)('keeps what it promises', () => {
    const open = prepare()
    let opened: Opened
    let store: Store

    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })

    it('says which it is, where, and how it is', () => {
      expect(store.kind).toBe(name)
      expect(store.where).not.toBe('')
      expect(store.state()).toEqual({ ok: true })
    })

    describe('events', () => {
      it('are answered with the row that was stored, whatever characters they hold', async () => {
        const text = 'nul \0, emoji 🎈, quote \' " \\ , newline\n and null NULL {}'
        const { id, event: row } = await store.events.append(event('ann', text, { source: 'agent:böb', hops: 3 }))
        expect(isEventId(id)).toBe(true)
        const stored = {
          id,
          agentId: 'ann',
          receivedAt: T0,
          source: 'agent:böb',
          text,
          status: 'pending',
          ackedAt: null,
          hops: 3,
        }
        expect(row).toEqual(stored)
        expect(await store.events.byId('ann', id)).toEqual(stored)
        expect(await store.events.byId('bob', id)).toBeNull()
        expect(await store.events.byId('ann', 'evt_x')).toBeNull()
      })

      it('may be as large as an event can be, and empty', async () => {
        const large = 'ö'.repeat(LIMITS.webhookBodyBytes / 2)
        await appendAll(store, 'ann', ['', large])
        expect(texts(await store.events.after('ann', '', 9))).toEqual(['', large])
      })

      it('are listed newest first, and pending ones alone', async () => {
        const [, two = ''] = await appendAll(store, 'ann', ['1', '2', '3'])
        await appendAll(store, 'bob', ['x'])
        await store.events.ack('ann', [two], T1)
        expect(texts(await store.events.newest('ann', true, 9))).toEqual(['3', '2', '1'])
        expect(texts(await store.events.newest('ann', false, 9))).toEqual(['3', '1'])
        expect(texts(await store.events.newest('ann', true, 2))).toEqual(['3', '2'])
        expect(texts(await store.events.newest('ann', false, 1))).toEqual(['3'])
      })

      it('are read from a place on, oldest first', async () => {
        const [one = '', , three = ''] = await appendAll(store, 'ann', ['1', '2', '3'])
        expect(texts(await store.events.after('ann', one, 9))).toEqual(['2', '3'])
        expect(texts(await store.events.after('ann', '', 2))).toEqual(['1', '2'])
        expect(await store.events.after('ann', three, 9)).toEqual([])
      })

      it('are listed over several agents newest first, by state and from a place on', async () => {
        const all: string[] = []
        for (const agentId of ['ann', 'bob', 'ann', 'eve', 'bob'])
          all.push((await store.events.append(event(agentId, `of ${agentId}`))).id)
        const [first = '', second = '', third = ''] = all
        await store.events.ack('bob', [second], T1)
        const list = async (more: object): Promise<string[]> =>
          ids(await store.events.list({ agentIds: ['ann', 'bob'], status: null, before: null, limit: 10, ...more }))
        expect(await list({})).toEqual([all[4], third, second, first])
        expect(await list({ limit: 2 })).toEqual([all[4], third])
        expect(await list({ before: third })).toEqual([second, first])
        expect(await list({ status: 'acked' })).toEqual([second])
        expect(await list({ status: 'pending', limit: 1, before: all[4] })).toEqual([third])
        expect(await list({ agentIds: [] })).toEqual([])
        expect(await store.events.countPending(['bob', 'nobody', 'ann'], 10)).toEqual([1, 0, 2])
        expect(await store.events.countPending(['ann'], 1)).toEqual([1])
        expect(await store.events.find(['ann', 'bob'], second)).toMatchObject({ agentId: 'bob', ackedAt: T1 })
        expect(await store.events.find(['ann'], second)).toBeNull()
      })

      it('are acknowledged once, and those of others never', async () => {
        const [one = '', two = ''] = await appendAll(store, 'ann', ['1', '2'])
        const [theirs = ''] = await appendAll(store, 'bob', ['x'])
        expect(await store.events.ack('ann', [two, theirs, 'evt_none', one], T1)).toEqual([two, one])
        expect(await store.events.ack('ann', [one], T2)).toEqual([one])
        expect((await store.events.byId('ann', one))?.ackedAt).toBe(T1)
        expect(await store.events.counts('ann')).toEqual({ pending: 0, acked: 2 })
        expect(await store.events.counts('bob')).toEqual({ pending: 1, acked: 0 })
        expect(await store.events.ack('ann', [], T1)).toEqual([])
      })

      it('are removed in pieces, and their agent gets no id twice', async () => {
        const all = await appendAll(store, 'ann', ['1', '2', '3'])
        await appendAll(store, 'bob', ['x'])
        await store.events.ack('ann', all.slice(0, 1), T1)
        expect(await store.events.remove('ann', false, 9)).toBe(1)
        expect(await store.events.remove('ann', true, 1)).toBe(1)
        expect(await store.events.remove('ann', true, 9)).toBe(1)
        expect(await store.events.newest('ann', true, 9)).toEqual([])
        expect((await store.agents.lastEventId('ann')) >= (all[2] ?? '')).toBe(true)
        const [next = ''] = await appendAll(store, 'ann', ['4'])
        expect(next > (all[2] ?? '')).toBe(true)
        expect(texts(await store.events.newest('bob', true, 9))).toEqual(['x'])
      })

      it('are forgotten when they were dealt with long ago', async () => {
        const [one = '', two = ''] = await appendAll(store, 'ann', ['1', '2', '3'])
        await store.events.ack('ann', [one], T0)
        await store.events.ack('ann', [two], T2)
        expect(await store.events.prune(T1, 0)).toBe(0)
        expect(await store.events.prune(T1, 9)).toBe(1)
        expect(texts(await store.events.after('ann', '', 9))).toEqual(['2', '3'])
      })

      it('have ids above the last one of their agent, whatever clock gave that', async () => {
        expect(await store.agents.lastEventId('ann')).toBe('')
        const [one = ''] = await appendAll(store, 'ann', ['1'])
        expect((await store.agents.lastEventId('ann')) >= one).toBe(true)
      })
    })

    describe('keys of senders', () => {
      const key = { name: 'k1', since: T0 }

      it('stand for the first event, also when it is gone', async () => {
        const first = await store.events.append(event('ann', '1', { key }))
        expect(await store.events.append(event('ann', '2', { key }))).toEqual({ id: first.id, event: null })
        await store.events.remove('ann', true, 9)
        expect(await store.events.append(event('ann', '3', { key }))).toEqual({ id: first.id, event: null })
        const other = await store.events.append(event('bob', '4', { key }))
        expect(other.event?.text).toBe('4')
      })

      it('are one event when they come at the same time, with others between', async () => {
        const given = Array.from({ length: 30 }, (_, index) => event('ann', `${index}`, index % 2 === 0 ? { key } : {}))
        const done = await Promise.all(given.map((each) => store.events.append(each)))
        expect(new Set(ids(done.filter((_, index) => index % 2 === 0))).size).toBe(1)
        expect(done.filter(({ event: row }) => row !== null)).toHaveLength(16)
        expect(await store.events.newest('ann', true, 99)).toHaveLength(16)
      })

      it('are free again when they were used too long ago', async () => {
        const first = await store.events.append(event('ann', '1', { key }))
        const late = await store.events.append(event('ann', '2', { receivedAt: T2, key: { name: 'k1', since: T1 } }))
        expect(late.id > first.id).toBe(true)
        expect(late.event?.text).toBe('2')
        const again = await store.events.append(event('ann', '3', { receivedAt: T2, key: { name: 'k1', since: T1 } }))
        expect(again).toEqual({ id: late.id, event: null })
      })

      it('are forgotten with their agent, or when their time is over', async () => {
        const first = await store.events.append(event('ann', '1', { key }))
        await store.events.append(event('ann', '2', { key: { name: 'k2', since: T0 }, receivedAt: T2 }))
        expect(await store.events.pruneKeys(T1, 9)).toBe(1)
        const second = await store.events.append(event('ann', '3', { key }))
        expect(second.id > first.id).toBe(true)
        expect(await store.events.removeKeys('ann', 1)).toBe(1)
        expect(await store.events.removeKeys('ann', 9)).toBe(1)
        expect(await store.events.removeKeys('ann', 9)).toBe(0)
      })
    })

    it('keeps marks, and the last of each', async () => {
      expect(await store.marks.get('place')).toBeNull()
      await store.marks.put('place', 'here')
      await store.marks.put('place', 'there')
      expect(await store.marks.get('place')).toBe('there')
    })

    it('lists marks by how their names begin, and forgets them', async () => {
      for (const name of ['held:ann', 'held:bob', 'held', 'hold:ann']) await store.marks.put(name, `of ${name}`)
      expect([...(await store.marks.list('held:', 9))]).toEqual([
        ['held:ann', 'of held:ann'],
        ['held:bob', 'of held:bob'],
      ])
      expect((await store.marks.list('held:', 1)).size).toBe(1)
      await store.marks.remove('held:ann')
      await store.marks.remove('held:nobody')
      expect([...(await store.marks.list('held:', 9)).keys()]).toEqual(['held:bob'])
    })

    describe('deliveries', () => {
      it('begin with a try by whoever brought them', async () => {
        const added = await store.deliveries.add(delivery('d1', { text: 'a\0b' }), 'me')
        expect(added).toMatchObject({ id: 'd1', text: 'a\0b', state: 'trying', tries: 0, nextAt: null, reason: null })
        expect(await store.deliveries.claim('other', T2, 9)).toEqual([])
        expect(await store.deliveries.settle({ ...added, state: 'sent', tries: 1 })).toBe(true)
        expect(await store.deliveries.newest('ann', 9)).toEqual([{ ...added, state: 'sent', tries: 1 }])
      })

      it('are claimed when their time has come, the longest waiting first', async () => {
        for (const [id, nextAt] of [
          ['d1', T1],
          ['d2', T0],
          ['d3', T2],
        ] as const) {
          const added = await store.deliveries.add(delivery(id), 'me')
          await store.deliveries.settle({ ...added, state: 'waiting', tries: 1, nextAt, reason: 'busy' })
        }
        expect(await store.deliveries.nextAt('h')).toBe(T0)
        expect(ids(await store.deliveries.claim('me', T0, 9))).toEqual(['d2'])
        expect(ids(await store.deliveries.claim('me', T2, 1))).toEqual(['d1'])
        expect(ids(await store.deliveries.claim('me', T2, 9))).toEqual(['d3'])
        expect(await store.deliveries.claim('me', T2, 9)).toEqual([])
      })

      it('of an earlier daemon of this name are given back, and were no try', async () => {
        await store.deliveries.add(delivery('d1'), 'me')
        await store.deliveries.add(delivery('d2'), 'other')
        expect(await store.deliveries.release('me', T1)).toBe(1)
        const [claimed, ...rest] = await store.deliveries.claim('me', T1, 9)
        expect(claimed).toMatchObject({ id: 'd1', state: 'trying', tries: 0 })
        expect(rest).toEqual([])
      })

      it('are listed newest first and counted while they are open', async () => {
        const one = await store.deliveries.add(delivery('d1'), 'me')
        await store.deliveries.add(delivery('d2', { createdAt: T1 }), 'me')
        await store.deliveries.add(delivery('d3', { agentId: 'bob', createdAt: T2 }), 'me')
        await store.deliveries.settle({ ...one, state: 'failed', tries: 1, reason: 'refused' })
        expect(ids(await store.deliveries.newest(null, 9))).toEqual(['d3', 'd2', 'd1'])
        expect(ids(await store.deliveries.newest('ann', 1))).toEqual(['d2'])
        expect(ids(await store.deliveries.newest(null, 9, { state: 'trying' }))).toEqual(['d3', 'd2'])
        expect(ids(await store.deliveries.newest(null, 9, { state: 'trying', before: 'd3' }))).toEqual(['d2'])
        expect(ids(await store.deliveries.newest('ann', 9, { state: 'failed' }))).toEqual(['d1'])
        expect(ids(await store.deliveries.newest('bob', 9, { state: 'failed' }))).toEqual([])
        expect(ids(await store.deliveries.newest(null, 9, { state: 'sent' }))).toEqual([])
        expect(await store.deliveries.countOpen('ann', 9)).toBe(1)
        expect(await store.deliveries.countOpen('bob', 0)).toBe(0)
      })

      it('are listed from a place on, found by id, and tried again when somebody wants that', async () => {
        for (const [id, createdAt] of [
          ['d1', T0],
          ['d2', T1],
          ['d3', T2],
        ] as const)
          await store.deliveries.add(delivery(id, { createdAt, agentId: id === 'd2' ? 'bob' : 'ann' }), 'me')
        expect(ids(await store.deliveries.newest(null, 10, { before: 'd3' }))).toEqual(['d2', 'd1'])
        expect(ids(await store.deliveries.newest('ann', 10, { before: 'd3' }))).toEqual(['d1'])
        expect(ids(await store.deliveries.newest('ann', 1))).toEqual(['d3'])
        const first = await store.deliveries.byId('d1')
        expect(first).toMatchObject({ state: 'trying', text: 'hello' })
        expect(await store.deliveries.byId('none')).toBeNull()
        expect(await store.deliveries.retry('d1', T2)).toBe(false)
        if (first !== null) await store.deliveries.settle({ ...first, state: 'failed', tries: 3, reason: 'no' })
        expect(await store.deliveries.retry('d1', T2)).toBe(true)
        expect(await store.deliveries.byId('d1')).toMatchObject({
          state: 'waiting',
          nextAt: T2,
          createdAt: T2,
          tries: 3,
        })
        expect(ids(await store.deliveries.claim('me', T2, 10))).toEqual(['d1'])
      })

      it('are removed with their agent, and forgotten when they are over', async () => {
        for (const id of ['d1', 'd2', 'd3']) await store.deliveries.add(delivery(id), 'me')
        const [one] = await store.deliveries.newest('ann', 1)
        if (one !== undefined) await store.deliveries.settle({ ...one, state: 'sent', tries: 1 })
        expect(await store.deliveries.prune(T0, 9)).toBe(0)
        expect(await store.deliveries.prune(T1, 9)).toBe(1)
        expect(await store.deliveries.remove('bob', 9)).toBe(0)
        expect(await store.deliveries.remove('ann', 1)).toBe(1)
        expect(await store.deliveries.remove('ann', 9)).toBe(1)
        expect(await store.deliveries.nextAt('h')).toBeNull()
      })

      it('P3: are handed out once, however many ask at the same time', async () => {
        const stores = [store, ...(opened.second === null ? [] : [await opened.second()])]
        for (let index = 0; index < 40; index += 1) await store.deliveries.add(delivery(`d${index}`), 'earlier')
        await store.deliveries.release('earlier', T0)
        const asked = stores.flatMap((each) => Array.from({ length: 8 }, () => each.deliveries.claim('me', T1, 7)))
        const rounds = (await Promise.all(asked)).flat()
        const rest = await store.deliveries.claim('me', T1, 99)
        expect(ids([...rounds, ...rest]).toSorted()).toEqual(
          Array.from({ length: 40 }, (_, index) => `d${index}`).toSorted(),
        )
      })

      it('P3: go to somebody else when their lease has run out, and the first is refused then', async () => {
        const first = await store.deliveries.add(delivery('d1'), 'frozen')
        const lease = Date.parse((await store.deliveries.nextAt('h')) ?? '')
        expect(lease).toBeGreaterThan(0)
        await opened.passLeases()
        const [second] = await store.deliveries.claim('other', T0, 9)
        expect(second).toMatchObject({ id: 'd1', state: 'trying', tries: 0 })
        expect(second?.claim).not.toBe(first.claim)
        expect(await store.deliveries.settle({ ...first, state: 'sent', tries: 1 })).toBe(false)
        expect(await store.deliveries.claim('third', T2, 9)).toEqual([])
        if (second !== undefined)
          expect(await store.deliveries.settle({ ...second, state: 'sent', tries: 1 })).toBe(true)
        expect(await store.deliveries.newest(null, 9)).toMatchObject([{ state: 'sent', tries: 1 }])
      })

      it('P3: that are gone cannot be settled', async () => {
        const added = await store.deliveries.add(delivery('d1'), 'me')
        await store.deliveries.remove('ann', 9)
        expect(await store.deliveries.settle({ ...added, state: 'sent', tries: 1 })).toBe(false)
        expect(await store.deliveries.newest(null, 9)).toEqual([])
      })
    })

    describe('transactions', () => {
      it('store all or nothing over all groups', async () => {
        const failed = store.transaction(async (groups) => {
          await groups.events.append(event('ann', 'never'))
          await groups.marks.put('place', 'nowhere')
          await groups.deliveries.add(delivery('d1'), 'me')
          throw new Error('changed my mind')
        })
        await expect(failed).rejects.toThrow('changed my mind')
        expect(await store.events.newest('ann', true, 9)).toEqual([])
        expect(await store.marks.get('place')).toBeNull()
        expect(await store.deliveries.newest(null, 9)).toEqual([])
        const id = await store.transaction(async (groups) => {
          const appended = await groups.events.append(event('ann', 'kept'))
          await groups.marks.put('place', appended.id)
          expect(await groups.marks.get('place')).toBe(appended.id)
          return appended.id
        })
        expect(await store.marks.get('place')).toBe(id)
        expect((await store.events.byId('ann', id))?.text).toBe('kept')
      })

      it('acknowledge an event and end a delivery in one', async () => {
        const [id = ''] = await appendAll(store, 'ann', ['1'])
        const added = await store.deliveries.add(delivery('d1'), 'me')
        await store.transaction(async ({ events, deliveries }) => {
          await events.ack('ann', [id], T1)
          await deliveries.settle({ ...added, state: 'sent', tries: 1 })
        })
        expect(await store.events.counts('ann')).toEqual({ pending: 0, acked: 1 })
        expect(await store.deliveries.countOpen('ann', 9)).toBe(0)
      })

      it('cannot be used after their end', async () => {
        const groups = await store.transaction((each) => Promise.resolve(each))
        await expect(groups.marks.put('place', 'late')).rejects.toThrow('The transaction is over')
        expect(await store.marks.get('place')).toBeNull()
      })

      it('run side by side with appends to the same agents, and lose none', async () => {
        const work = Array.from({ length: 40 }, (_, index) => {
          const one = (store_: Pick<Store, 'events'>): Promise<unknown> =>
            store_.events.append(event(`a${index % 3}`, `${index}`))
          return index % 2 === 0 ? one(store) : store.transaction((groups) => one(groups))
        })
        await Promise.all(work)
        const all = await Promise.all(['a0', 'a1', 'a2'].map((agent) => store.events.after(agent, '', 99)))
        expect(
          texts(all.flat())
            .map(Number)
            .toSorted((a, b) => a - b),
        ).toEqual(Array.from({ length: 40 }, (_, index) => index))
      })
    })

    it('P1: what was answered is there when the store is opened again', async () => {
      const [id = ''] = await appendAll(store, 'ann', ['kept'])
      await store.marks.put('place', 'here')
      const added = await store.deliveries.add(delivery('d1'), 'me')
      await store.close()
      const again = await opened.reopen()
      expect(texts(await again.events.after('ann', '', 9))).toEqual(['kept'])
      expect(await again.marks.get('place')).toBe('here')
      expect(await again.deliveries.newest(null, 9)).toEqual([added])
      const [next = ''] = await appendAll(again, 'ann', ['more'])
      expect(next > id).toBe(true)
    })

    it('P1: what waits to be written when the store is closed is written', async () => {
      const appended = appendAll(store, 'ann', ['1', '2', '3'])
      await store.close()
      await appended
      const again = await opened.reopen()
      expect(texts(await again.events.after('ann', '', 9))).toEqual(['1', '2', '3'])
      await expect(store.events.counts('ann')).rejects.toThrow()
    })

    it('P2: who has seen an event never later finds an earlier one', async () => {
      const stores = [store, ...(opened.second === null ? [] : [await opened.second()])]
      const writing = stores.flatMap((each, place) =>
        Array.from({ length: 150 }, async (_, index) => {
          const given = event('ann', `${place}:${index}`)
          await (index % 5 === 0 ? each.transaction(({ events }) => events.append(given)) : each.events.append(given))
        }),
      )
      const missed = missedByReader(
        async (after) => ids(await store.events.after('ann', after, 7)),
        Promise.all(writing),
      )
      expect(await missed).toEqual([])
      expect(await store.events.after('ann', '', 999)).toHaveLength(150 * stores.length)
    })

    describe('news', () => {
      const heardBy = (each: Store): News[] => {
        const heard: News[] = []
        each.onNews((news) => heard.push(news))
        return heard
      }

      it('P4: tell of what was stored here before it is answered, in order and without a gap', async () => {
        const heard = heardBy(store)
        const appended = await Promise.all(['1', '2', '3'].map((text) => store.events.append(event('ann', text))))
        await store.transaction(async ({ events }) => {
          await events.append(event('ann', '4'))
          expect(texts(heard.flatMap(({ events: told }) => told))).toEqual(['1', '2', '3'])
          await events.append(event('ann', '5'))
        })
        expect(ids(heard.flatMap(({ events }) => events)).slice(0, 3)).toEqual(ids(appended))
        expect(texts(heard.flatMap(({ events }) => events))).toEqual(['1', '2', '3', '4', '5'])
        let known = ''
        for (const { agentId, after, events } of heard) {
          expect(agentId).toBe('ann')
          expect(after !== null && after <= (events[0]?.id ?? '')).toBe(true)
          expect(after).toBe(known)
          known = events.at(-1)?.id ?? ''
        }
      })

      it('P4: are not told of what was not stored, nor to who does not listen any more', async () => {
        const heard = heardBy(store)
        const forget = store.onNews(() => heard.push({ agentId: 'nobody', after: null, events: [] }))
        forget()
        await store
          .transaction(async ({ events }) => {
            await events.append(event('ann', 'never'))
            throw new Error('no')
          })
          .catch(() => undefined)
        const key = { name: 'k', since: T0 }
        await store.events.append(event('ann', '1', { key }))
        await store.events.append(event('ann', 'again', { key }))
        expect(texts(heard.flatMap(({ events }) => events))).toEqual(['1'])
        expect(heard.some(({ agentId }) => agentId === 'nobody')).toBe(false)
      })

      it('P4: tell other daemons to look', async () => {
        if (opened.second === null) return
        const other = await opened.second()
        const heard = heardBy(other)
        await appendAll(store, 'ann', ['1'])
        await expect.poll(() => heard).toContainEqual({ agentId: 'ann', after: null, events: [] })
        expect(texts(await other.events.after('ann', '', 9))).toEqual(['1'])
      })
    })

    it('P6: refuses what a newer String has written', async () => {
      await store.close()
      await opened.makeNewer()
      await expect(Promise.resolve().then(opened.reopen)).rejects.toThrow('newer String')
    })

    it('P8: counts no further than it says', async () => {
      const batch = Array.from({ length: LIMITS.countedEvents + 5 }, (_, index) => event('ann', `${index}`))
      await Promise.all(batch.map((each) => store.events.append(each)))
      expect(await store.events.counts('ann')).toEqual({ pending: LIMITS.countedEvents, acked: 0 })
    })
  })
})
