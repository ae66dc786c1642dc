import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import type { TurnDetail, TurnRow } from '../../src/store/groups/turns.ts'
import { dayOfTime } from '../../src/store/iso-time.ts'
import type { Store } from '../../src/store/store.ts'
import { ENGINES, type Opened } from './engines.ts'

const AT = '2026-03-19T05:30:00.000Z'
const LATER = '2026-03-20T05:30:00.000Z'
const DETAIL: TurnDetail = {
  steps: [
    {
      index: 1,
      text: 'a\0b 𝒞',
      blocks: [{ channel: 'string', topic: 'main', ok: true, code: null, cmd: '/info' }],
      duration_ms: 3,
    },
  ],
  partial: 'so far \0',
  stderr: 'why',
}
const RESULT = {
  ok: true,
  reply: 'Done \0 𝒞',
  error: null,
  code: null,
  session_id: 's1',
  exit_code: 0,
  timed_out: false,
  truncated: false,
  duration_ms: 5,
}

const turn = (id: string, more: Partial<TurnRow> = {}): TurnRow => ({
  id,
  agentId: 'a',
  session: 'default',
  from: 'kim',
  source: 'person',
  eventId: null,
  requestId: null,
  message: `Do ${id} \0 𝒞`,
  attachments: [{ type: 'file', url: 'file:///x', name: null }],
  hops: 1,
  state: 'queued',
  code: null,
  attempt: 1,
  createdAt: AT,
  startedAt: null,
  endedAt: null,
  nextAt: AT,
  result: null,
  usage: null,
  retryOf: null,
  retriedBy: null,
  claim: 0,
  ...more,
})

const all = { agentId: null, session: null, state: null, since: null, again: false, before: null, limit: 100 }

for (const engine of ENGINES) {
  describe.skipIf(!engine.isHere)(`turns in ${engine.name}`, () => {
    const open: () => Promise<Opened> = engine.isHere ? engine.prepare() : () => Promise.reject(new Error('Not here'))

    it('wait for a person and go on under their claim alone', async () => {
      const { store } = await open()
      await store.turns.add(turn('trn_1'))
      expect(await store.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 0 }, true)).toBe(false)
      const claimed = await store.turns.claim('trn_1', 'h', LATER)
      expect(await store.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 7 }, true)).toBe(false)
      expect(await store.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 1 }, true)).toBe(true)
      expect(await store.turns.byId('trn_1')).toMatchObject({ ...claimed, state: 'waiting' })
      expect(await store.turns.renew([{ id: 'trn_1', claim: 1 }])).toEqual(['trn_1'])
      expect(await store.turns.wait({ id: 'trn_1', agentId: 'ann', claim: 1 }, false)).toBe(true)
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'running' })
    })

    it('tell of several agents what their last one came to', async () => {
      const { store } = await open()
      await store.turns.add(turn('trn_1'))
      await store.turns.add(turn('trn_2', { state: 'failed', code: 'EXIT_1', endedAt: LATER, attempt: 3 }))
      await store.turns.add(turn('trn_3', { agentId: 'b' }))
      const found = (await store.turns.latest(['b', 'nobody', 'a'])).toSorted((x, y) => (x.id < y.id ? -1 : 1))
      expect(found).toEqual([
        { id: 'trn_2', agentId: 'a', state: 'failed', code: 'EXIT_1', attempt: 3, endedAt: LATER, claim: 0 },
        { id: 'trn_3', agentId: 'b', state: 'queued', code: null, attempt: 1, endedAt: null, claim: 0 },
      ])
    })

    it('are given back as they were stored, and settled with all that belongs to them', async () => {
      const { store } = await open()
      await store.turns.add(turn('trn_1', { requestId: 'r', eventId: 'evt_1' }))
      expect(await store.turns.byId('trn_1')).toEqual(turn('trn_1', { requestId: 'r', eventId: 'evt_1' }))
      expect(await store.turns.ofEvent('a', 'evt_1')).toMatchObject({ id: 'trn_1' })
      expect(await store.turns.detail('trn_1')).toBeNull()
      const claimed = await store.turns.claim('trn_1', 'h', LATER)
      expect(claimed).toMatchObject({ state: 'running', startedAt: LATER, claim: 1 })
      const done: TurnRow = {
        ...turn('trn_1'),
        ...claimed,
        state: 'done',
        endedAt: LATER,
        result: RESULT,
        usage: { duration_ms: 5, cost_usd: 0.25 },
      }
      expect(await store.turns.settle(done, DETAIL)).toBe(true)
      expect(await store.turns.byId('trn_1')).toEqual(done)
      expect(await store.turns.detail('trn_1')).toEqual(DETAIL)
      expect(await store.turns.byId('trn_0')).toBeNull()
    })

    it('P3: are claimed once, and an old claim changes nothing', async () => {
      const { store, second } = await open()
      const other: Store = second === null ? store : await second()
      await store.turns.add(turn('trn_1', { eventId: 'evt_1' }))
      const claims = await Promise.all(
        [store, other, store, other].map((each, index) => each.turns.claim('trn_1', `h${index}`, AT)),
      )
      const won = claims.filter((claim) => claim !== null)
      expect(won).toHaveLength(1)
      const first = won[0] ?? turn('none')
      expect(await store.turns.renew([first, { id: 'trn_1', claim: 7 }, { id: 'gone', claim: 1 }])).toEqual(['trn_1'])
      // The daemon that had it was killed and came back.
      const holder = `h${claims.findIndex((claim) => claim !== null)}`
      expect(await store.turns.recover(holder, LATER)).toBe(1)
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'queued', attempt: 1, nextAt: LATER })
      expect(await other.turns.claim('trn_1', 'x', LATER)).toMatchObject({ claim: 2 })
      expect(await store.turns.settle({ ...first, state: 'done', result: RESULT }, DETAIL)).toBe(false)
      expect(await store.turns.renew([first])).toEqual([])
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'running', result: null })
    })

    it('of people that were cut off are interrupted, and those of other daemons are left alone', async () => {
      const { store } = await open()
      for (const id of ['trn_1', 'trn_2', 'trn_3']) await store.turns.add(turn(id, { session: id }))
      await store.turns.claim('trn_1', 'h', AT)
      await store.turns.claim('trn_2', 'other', AT)
      expect(await store.turns.recover('h', LATER)).toBe(1)
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'interrupted', code: 'CANCELLED', endedAt: LATER })
      expect((await store.turns.open('', 10)).map(({ id, state }) => [id, state])).toEqual([
        ['trn_2', 'running'],
        ['trn_3', 'queued'],
      ])
      expect(await store.turns.open('trn_2', 10)).toHaveLength(1)
      // Nobody saw when: not later than the next renewal, which never came.
      const before = Date.now()
      expect(await store.turns.recover('other', '2126-01-01T00:00:00.000Z')).toBe(1)
      const { endedAt } = (await store.turns.byId('trn_2')) ?? turn('none')
      expect(endedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(endedAt ?? '') - before).toBeLessThanOrEqual(LIMITS.leaseRenewMs)
    })

    it('that were cut off are counted as they are recovered, those of events only with the time of the run', async () => {
      const { store } = await open()
      const started = new Date(Date.now() - 60_000).toISOString()
      const at = new Date().toISOString()
      for (const id of ['trn_1', 'trn_2']) await store.turns.add(turn(id, { session: id }))
      await store.turns.add(turn('trn_3', { session: 'trn_1', eventId: 'evt_1' }))
      await store.turns.claim('trn_1', 'h', started)
      await store.turns.claim('trn_2', 'h', started)
      await store.turns.recover('h', at)
      await store.turns.claim('trn_3', 'h', started)
      await store.turns.recover('h', at)
      // What is over is counted once.
      await store.turns.recover('h', at)
      const sums = await store.usage.list('session', dayOfTime(at), 10)
      expect(sums.map(({ session, turns, failed }) => [session, turns, failed])).toEqual([
        ['trn_1', 1, 1],
        ['trn_2', 1, 1],
      ])
      const ran = Date.parse(at) - Date.parse(started)
      expect(sums.map(({ durationMs }) => durationMs)).toEqual([2 * ran, ran])
      expect(await store.usage.ofDay('a', dayOfTime(at))).toMatchObject({ turns: 2, failed: 2, durationMs: 3 * ran })
    })

    it('keep what they say while they run, under their claim alone, and it is there when they were cut off', async () => {
      const { store } = await open()
      const said = { ...DETAIL, partial: 'so far' }
      await store.turns.add(turn('trn_1'))
      await store.turns.keep({ id: 'trn_1', claim: 0 }, said)
      expect(await store.turns.detail('trn_1')).toBeNull()
      const run = (await store.turns.claim('trn_1', 'h', AT)) ?? turn('none')
      await store.turns.keep(run, { ...said, partial: 'so' })
      await store.turns.keep(run, said)
      await store.turns.keep({ ...run, claim: run.claim + 1 }, { ...said, partial: 'of another' })
      expect(await store.turns.detail('trn_1')).toEqual(said)
      await store.turns.recover('h', LATER)
      await store.turns.keep(run, { ...said, partial: 'too late' })
      expect(await store.turns.detail('trn_1')).toEqual(said)
    })

    it('change only while they wait, and wait again only when they are over', async () => {
      const { store } = await open()
      await store.turns.add(turn('trn_1'))
      expect(await store.turns.reopen(turn('trn_1'), DETAIL)).toBe(false)
      expect(await store.turns.change(turn('trn_1', { message: 'more' }))).toBe(true)
      expect(await store.turns.claim('trn_1', 'h', AT)).toMatchObject({ message: 'more' })
      expect(await store.turns.change(turn('trn_1', { message: 'late' }))).toBe(false)
      const failed = turn('trn_1', { state: 'failed', code: 'EXIT_1', claim: 1, endedAt: AT })
      expect(await store.turns.settle(failed, DETAIL)).toBe(true)
      const tries = [{ ended_at: AT, code: 'EXIT_1', reason: 'because' }]
      const again = { ...failed, state: 'queued', endedAt: null, code: null } as const
      expect(await store.turns.reopen(again, { ...DETAIL, tries })).toBe(true)
      expect(await store.turns.detail('trn_1')).toEqual({ ...DETAIL, tries })
      expect(await store.turns.claim('trn_1', 'h', AT)).toMatchObject({ claim: 2 })
    })

    it('that repeat others are known by both, also when the one that repeats is over', async () => {
      const { store, reopen } = await open()
      await store.turns.add(turn('trn_1', { state: 'failed', endedAt: AT }))
      await store.transaction(async ({ turns }) => {
        await turns.add(turn('trn_2', { retryOf: 'trn_1' }))
        await turns.retried({ id: 'trn_1', agentId: 'a' }, 'trn_2')
      })
      const claimed = await store.turns.claim('trn_2', 'h', AT)
      if (claimed === null) throw new Error('It was not claimed')
      await store.turns.settle({ ...claimed, state: 'done', endedAt: AT }, DETAIL)
      const again = await reopen()
      expect(await again.turns.list(all)).toMatchObject([
        { id: 'trn_2', state: 'done', retryOf: 'trn_1', retriedBy: null },
        { id: 'trn_1', state: 'failed', retryOf: null, retriedBy: 'trn_2' },
      ])
    })

    it('are listed newest first, by agent, session, state, time and place', async () => {
      const { store } = await open()
      const rows = [
        turn('trn_1'),
        turn('trn_2', { session: 'x' }),
        turn('trn_3', { agentId: 'b', createdAt: LATER }),
        turn('trn_4', { state: 'failed', createdAt: LATER, endedAt: LATER }),
      ]
      for (const row of rows) await store.turns.add(row)
      const ids = async (more: object): Promise<string[]> =>
        (await store.turns.list({ ...all, ...more })).map(({ id }) => id)
      expect(await ids({})).toEqual(['trn_4', 'trn_3', 'trn_2', 'trn_1'])
      expect(await ids({ limit: 2 })).toEqual(['trn_4', 'trn_3'])
      expect(await ids({ agentId: 'a', before: 'trn_4' })).toEqual(['trn_2', 'trn_1'])
      expect(await ids({ agentId: 'a', session: 'x' })).toEqual(['trn_2'])
      expect(await ids({ state: 'failed' })).toEqual(['trn_4'])
      expect(await ids({ agentId: 'a', since: LATER, state: 'failed' })).toEqual(['trn_4'])
    })

    it('are listed since a time by when they ended, and those that may have run before alone', async () => {
      const { store } = await open()
      const rows = [
        turn('trn_1', { state: 'done', claim: 2, endedAt: LATER }),
        turn('trn_2', { state: 'done', claim: 1, endedAt: AT }),
        turn('trn_3', { state: 'queued', claim: 1 }),
        turn('trn_4', { state: 'queued' }),
        turn('trn_5', { agentId: 'b', state: 'cancelled', claim: 1, endedAt: AT }),
      ]
      for (const row of rows) await store.turns.add(row)
      const ids = async (more: object): Promise<string[]> =>
        (await store.turns.list({ ...all, ...more })).map(({ id }) => id)
      expect(await ids({ since: LATER })).toEqual(['trn_4', 'trn_3', 'trn_1'])
      expect(await ids({ again: true })).toEqual(['trn_5', 'trn_3', 'trn_1'])
      expect(await ids({ again: true, agentId: 'a', since: LATER, before: 'trn_3' })).toEqual(['trn_1'])
      expect(await ids({ again: true, state: 'queued' })).toEqual(['trn_3'])
    })

    it('have requests that stand for them for a while', async () => {
      const { store } = await open()
      const request = { agentId: 'a', requestId: 'r', turnId: 'trn_1', digest: 'd', usedAt: AT }
      await store.turns.putRequest(request)
      expect(await store.turns.request('a', 'r', AT)).toEqual(request)
      expect(await store.turns.request('a', 'r', LATER)).toBeNull()
      expect(await store.turns.request('b', 'r', AT)).toBeNull()
      await store.turns.putRequest({ ...request, turnId: 'trn_2', usedAt: LATER })
      expect(await store.turns.request('a', 'r', LATER)).toMatchObject({ turnId: 'trn_2' })
    })

    it('are removed with all requests of their agent, however many those are', async () => {
      const { store } = await open()
      for (let index = 0; index < 5; index += 1)
        await store.turns.putRequest({ agentId: 'a', requestId: `r${index}`, turnId: 't', digest: 'd', usedAt: AT })
      expect(await store.turns.remove('a', 3)).toBe(3)
      expect(await store.turns.remove('a', 3)).toBe(2)
      expect(await store.turns.request('a', 'r4', AT)).toBeNull()
    })

    it('are counted by when they began, pruned, trimmed and removed in pieces', async () => {
      const { store } = await open()
      for (let index = 1; index <= 6; index += 1) {
        const ended = { state: 'done', startedAt: AT, endedAt: index < 3 ? AT : LATER } as const
        await store.turns.add(turn(`trn_${index}`, ended))
      }
      expect(await store.turns.startedSince('a', AT, 4)).toEqual([AT, AT, AT, AT])
      expect(await store.turns.startedSince('a', LATER, 4)).toEqual([])
      expect(await store.turns.prune(LATER, LATER, 1)).toBe(1)
      expect(await store.turns.prune(LATER, LATER, 10)).toBe(1)
      expect(await store.turns.trim('a', 3, 10)).toBe(1)
      expect((await store.turns.list(all)).map(({ id }) => id)).toEqual(['trn_6', 'trn_5', 'trn_4'])
      expect(await store.turns.trim('a', 3, 10)).toBe(0)
      expect(await store.turns.remove('a', 2)).toBe(2)
      expect(await store.turns.remove('a', 2)).toBe(1)
      expect(await store.turns.list(all)).toEqual([])
    })

    it('end together with their event, or not at all', async () => {
      const { store } = await open()
      const { id } = await store.events.append({
        agentId: 'a',
        receivedAt: AT,
        source: 's',
        text: 'x',
        hops: 0,
        key: null,
      })
      await store.turns.add(turn('trn_1', { eventId: id }))
      const claimed = (await store.turns.claim('trn_1', 'h', AT)) ?? turn('none')
      const finish = (isWrong: boolean): Promise<void> =>
        store.transaction(async (groups) => {
          await groups.turns.settle({ ...claimed, state: 'done', result: RESULT }, DETAIL)
          await groups.events.ack('a', [id], LATER)
          if (isWrong) throw new Error('wrong')
        })
      await expect(finish(true)).rejects.toThrow('wrong')
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'running' })
      expect(await store.turns.detail('trn_1')).toBeNull()
      expect(await store.events.byId('a', id)).toMatchObject({ status: 'pending' })
      await finish(false)
      expect(await store.turns.byId('trn_1')).toMatchObject({ state: 'done' })
      expect(await store.events.byId('a', id)).toMatchObject({ status: 'acked' })
    })

    it('have sessions of which the last word counts', async () => {
      const { store } = await open()
      const session = { agentId: 'a', session: 'x', sessionId: null, hasSucceeded: false, usedAt: AT }
      expect(await store.sessions.get('a', 'x')).toBeNull()
      await store.sessions.put(session)
      await store.sessions.put({ ...session, sessionId: 's', hasSucceeded: true })
      await store.sessions.put({ ...session, session: 'y', usedAt: LATER })
      expect(await store.sessions.get('a', 'x')).toEqual({ ...session, sessionId: 's', hasSucceeded: true })
      expect((await store.sessions.list('a', 10)).map((each) => each.session)).toEqual(['y', 'x'])
      expect(await store.sessions.remove('a', 1)).toBe(1)
      expect(await store.sessions.remove('a', 10)).toBe(1)
    })

    it('have costs that add up by day, agent and session', async () => {
      const { store } = await open()
      const used = {
        turns: 1,
        failed: 0,
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        costUsd: 0.5,
        durationMs: 100,
      }
      await store.usage.add({ ...used, day: '2026-03-18', agentId: 'a', session: 'x' })
      await store.usage.add({ ...used, day: '2026-03-19', agentId: 'a', session: 'x' })
      await store.usage.add({ ...used, day: '2026-03-19', agentId: 'a', session: 'x', failed: 1, costUsd: 0.25 })
      await store.usage.add({ ...used, day: '2026-03-19', agentId: 'b', session: 'y' })
      expect(await store.usage.ofDay('a', '2026-03-19')).toMatchObject({
        turns: 2,
        failed: 1,
        totalTokens: 30,
        costUsd: 0.75,
      })
      expect(await store.usage.ofDay('c', '2026-03-19')).toMatchObject({ turns: 0, totalTokens: 0, costUsd: 0 })
      const rows = async (by: 'day' | 'agent' | 'session', since = ''): Promise<unknown[]> =>
        (await store.usage.list(by, since, 10)).map(({ day, agentId, session, turns }) => [
          day,
          agentId,
          session,
          turns,
        ])
      expect(await rows('day')).toEqual([
        ['2026-03-19', '', '', 3],
        ['2026-03-18', '', '', 1],
      ])
      expect(await rows('agent', '2026-03-19')).toEqual([
        ['', 'a', '', 2],
        ['', 'b', '', 1],
      ])
      expect(await rows('session')).toEqual([
        ['', 'a', 'x', 3],
        ['', 'b', 'y', 1],
      ])
      expect(await store.usage.prune('2026-03-19', 10)).toBe(1)
      expect(await store.usage.remove('a', 10)).toBe(1)
    })

    it('keep marks by the beginning of their names', async () => {
      const { store } = await open()
      for (const name of ['paused:b', 'paused:a', 'pausing', 'wake:a']) await store.marks.put(name, name)
      expect([...(await store.marks.list('paused:', 10)).keys()]).toEqual(['paused:a', 'paused:b'])
      await store.marks.remove('paused:a')
      expect([...(await store.marks.list('paused:', 10)).keys()]).toEqual(['paused:b'])
    })
  })
}
