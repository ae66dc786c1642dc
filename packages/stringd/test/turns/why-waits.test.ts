import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentActivity, DoctorView, InboxItem, TurnState } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { type WakeSituation, waitsByReason, whyWaits } from '../../src/turns/why-waits.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { giveProfile, postEvent, turnsOf } from '../support/turns.ts'

const NEXT = '2026-01-01T00:00:10.000Z'
const WOKEN: WakeSituation = { wake: 'events', problem: null, paused: false, limit: null, mark: 'evt_1' }
const turn = (state: TurnState, attempt = 1) => ({ id: 'trn_1', state, attempt, nextAt: NEXT })
const limit = { what: '3 turns per hour', opensAt: Date.parse(NEXT) }

describe('why an event waits', () => {
  it.each([
    ['its turn runs', turn('running'), {}, 'running', null],
    ['its turn asks a person', turn('waiting'), { paused: true }, 'running', null],
    ['its turn failed for good', turn('failed', 3), { limit }, 'given_up', null],
    ['its turn was cancelled', turn('cancelled'), { paused: true }, 'cancelled', null],
    ['its turn is tried again', turn('queued', 2), {}, 'queued', NEXT],
    ['its turn waits for a limit', turn('queued', 2), { limit }, 'limit', NEXT],
    ['its turn is next', turn('queued'), { wake: null }, 'queued', null],
    ['nothing wakes its agent', null, { wake: null }, 'reader', null],
    ['it came before events woke its agent', null, { mark: 'evt_5' }, 'passed', null],
    ['its agent is paused', null, { paused: true, limit }, 'paused', null],
    ['its profile cannot be used', null, { wake: null, problem: 'bad', paused: true }, 'broken', null],
    ['a limit is used up', null, { limit }, 'limit', NEXT],
    ['it is next', null, { mark: null }, 'queued', null],
  ] as const)('%s', (_, ofTurn, now, reason, until) => {
    const tries = ofTurn?.attempt ?? 0
    expect(whyWaits({ id: 'evt_5', turn: ofTurn }, { ...WOKEN, ...now })).toEqual({
      reason,
      until,
      turn_id: ofTurn === null ? null : 'trn_1',
      tries,
    })
  })

  it('of another node is known as far as its turn tells', () => {
    expect(whyWaits({ id: 'evt_5', turn: turn('failed', 3) }, null)).toMatchObject({ reason: 'given_up', tries: 3 })
    expect(whyWaits({ id: 'evt_5', turn: null }, null)).toBeNull()
    const pending = ['evt_9', 'evt_8', 'evt_7'].map((id) => ({ id, turn: id === 'evt_8' ? null : turn('failed', 3) }))
    expect(waitsByReason(pending, null)).toMatchObject([{ reason: 'given_up', events: 2, event_id: 'evt_9' }])
  })
})

describe('an agent whose events wait', () => {
  it('tells which were given up, which limit is used up until when, and so does every event', async () => {
    const clock = new TestClock()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, 'exit 1', 'wake: events\nlimits: { turns_per_hour: 4 }\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const failing = await postEvent(port, 'one')
    await expect.poll(async () => (await turnsOf(port, '?state=queued')).length).toBe(1)
    for (const attempt of [2, 3]) {
      await expect.poll(async () => (await turnsOf(port))[0]?.attempt).toBe(attempt)
      await expect.poll(() => clock.waits.length).toBeGreaterThan(0)
      clock.advance(60_000)
    }
    await expect.poll(async () => (await turnsOf(port, '?state=failed')).length).toBe(1)
    const agent = async (): Promise<AgentActivity> => (await call(port, 'GET', '/agents/default')).json as AgentActivity
    const given = { reason: 'given_up', events: 1, event_id: failing, tries: 3, until: null }
    expect(await agent()).toMatchObject({ problem: null, limit: null, event_waits: [given] })
    const item = (await call(port, 'GET', `/events/${failing}`)).json as InboxItem
    expect(item).toMatchObject({ state: 'pending', waits: { reason: 'given_up', tries: 3 } })
    giveProfile(home, 'echo ok', 'wake: events\nlimits: { turns_per_hour: 1 }\n')
    await postEvent(port, 'two')
    await expect.poll(async () => (await agent()).event_waits[0]?.reason).toBe('limit')
    const now = await agent()
    expect(now.limit).toMatchObject({ what: '1 turns per hour' })
    expect(now.event_waits).toMatchObject([{ reason: 'limit', until: now.limit?.until }, given])
    const { checks } = (await call(port, 'GET', '/doctor')).json as DoctorView
    expect(checks.find(({ name }) => name === 'events')).toMatchObject({
      state: 'warn',
      seen: 'default: 1 event given up after 3 tries, which nobody takes',
      mend: 'string agent status default',
    })
    writeFileSync(join(home, '.string/profile.yaml'), 'command: [\n')
    await postEvent(port, 'three')
    const broken = ((await call(port, 'GET', '/doctor')).json as DoctorView).checks
    expect(broken.filter(({ name }) => name === 'events').map(({ seen }) => seen)).toContain(
      'default: 2 events wait until its profile can be used',
    )
    await call(port, 'POST', `/events/${failing}/ack`)
    expect((await call(port, 'GET', `/events/${failing}`)).json).toMatchObject({ waits: null })
  })
})
