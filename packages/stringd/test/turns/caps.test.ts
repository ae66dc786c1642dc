import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentActivity, TurnResultView, UsageView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { answered, askTurn, beginTurn, giveProfile, postEvent, refusedTurn, turnOf, turnsOf } from '../support/turns.ts'

const HOUR = 3_600_000
const USING = `cat > /dev/null; echo run >> log; echo '{"type":"result","text":"ok","usage":{"input_tokens":60,"output_tokens":40,"cost_usd":0.5}}'`

const runs = (home: string): number =>
  existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8').split('\n').length - 1 : 0

async function usage(port: number, query = ''): Promise<readonly UsageView[]> {
  return ((await call(port, 'GET', `/usage${query}`)).json as { usage: UsageView[] }).usage
}

/** Noon on this machine: a clock that is set some hours forth stays on its day. */
function noon(): TestClock {
  const clock = new TestClock()
  clock.advance(new Date(clock.now()).setHours(36, 0, 0, 0) - clock.now())
  return clock
}

describe('limits', () => {
  it('turns_per_hour refuses the next turn before it starts, and says when it opens', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, 'echo run >> log; echo ok', 'limits: { turns_per_hour: 2 }\n')
    await askTurn(port, { message: 'a' })
    clock.advance(HOUR / 2)
    await askTurn(port, { message: 'b', session: 'other' })
    const over = await refusedTurn(port, { message: 'c' })
    expect(over).toMatchObject({
      status: 429,
      json: { error: 'LIMIT_REACHED', message: expect.stringContaining('2 turns') },
    })
    expect(over.headers['retry-after']).toBe(String(HOUR / 2000))
    clock.advance(HOUR / 2 + 1)
    await askTurn(port, { message: 'd' })
    expect((await refusedTurn(port, { message: 'e' })).status).toBe(429)
    expect(runs(home)).toBe(3)
    expect(await turnsOf(port)).toHaveLength(3)
  })

  it('of an agent are told with what is used of them, and when one opens that is used up', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    const limits = 'turns_per_hour: 2, tokens_per_day: 150, cost_per_day: 9, minutes_per_day: 5'
    giveProfile(home, USING, `wire: "0.4"\nlimits: { ${limits} }\n`)
    const told = async (): Promise<unknown> =>
      ((await call(port, 'GET', '/agents/default')).json as AgentActivity).limits.map(
        ({ name, used, most, opens_at }) => [name, name === 'minutes_per_day' ? used < 1 : used, most, opens_at],
      )
    await askTurn(port, { message: 'a' })
    const first = clock.now()
    expect(await told()).toEqual([
      ['turns_per_hour', 1, 2, null],
      ['tokens_per_day', 100, 150, null],
      ['cost_per_day', 0.5, 9, null],
      ['minutes_per_day', true, 5, null],
    ])
    clock.advance(HOUR / 2)
    await askTurn(port, { message: 'b' })
    const midnight = new Date(new Date(first).setHours(24, 0, 0, 0)).toISOString()
    expect(await told()).toEqual([
      ['turns_per_hour', 2, 2, new Date(first + HOUR).toISOString()],
      ['tokens_per_day', 200, 150, midnight],
      ['cost_per_day', 1, 9, null],
      ['minutes_per_day', true, 5, null],
    ])
  })

  it('turns_per_hour holds for those who come at once, in one session and in several', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo run >> log; sleep 0.1; echo ok', 'limits: { turns_per_hour: 3 }\n')
    const all = Array.from({ length: 8 }, (_, index) => refusedTurn(port, { message: 'a', session: `s${index % 4}` }))
    const told = (await Promise.all(all)).map(({ status, text }) =>
      status === 200 ? (JSON.parse(/event: result\ndata: (.*)/.exec(text)?.[1] ?? '') as TurnResultView).code : '429',
    )
    expect(runs(home)).toBe(3)
    expect(told.filter((code) => code === null)).toHaveLength(3)
    for (const code of told.filter((each) => each !== null)) expect(['429', 'LIMIT_REACHED']).toContain(code)
    const failed = await turnsOf(port, '?state=failed')
    for (const turn of failed) expect(turn).toMatchObject({ code: 'LIMIT_REACHED', started_at: null })
  })

  it.each([
    ['tokens_per_day: 150', 2],
    ['cost_per_day: 0.5', 1],
  ])('%s opens with the next day', async (limit, most) => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, USING, `wire: "0.4"\nlimits: { ${limit} }\n`)
    for (let index = 0; index < most; index += 1) await askTurn(port, { message: 'a' })
    const over = await refusedTurn(port, { message: 'b' })
    expect(over).toMatchObject({ status: 429, json: { error: 'LIMIT_REACHED' } })
    expect(over.headers['retry-after']).toBe(String((12 * HOUR) / 1000))
    expect(runs(home)).toBe(most)
    clock.advance(12 * HOUR)
    await askTurn(port, { message: 'c' })
    expect(runs(home)).toBe(most + 1)
  })

  it('minutes_per_day counts the time of turns', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo run >> log; sleep 0.1; echo ok', 'limits: { minutes_per_day: 0.0016 }\n')
    await askTurn(port, { message: 'a' })
    expect(await refusedTurn(port, { message: 'b' })).toMatchObject({ status: 429 })
    expect(runs(home)).toBe(1)
  })

  it('those of the data folder hold where a profile says nothing else', async () => {
    const { port, home, dataDir } = await startTestDaemon()
    writeFileSync(join(dataDir, 'config.yaml'), 'limits: { turns_per_hour: 1 }\n')
    giveProfile(home, 'echo run >> log; echo ok')
    await askTurn(port, { message: 'a' })
    expect((await refusedTurn(port, { message: 'b' })).status).toBe(429)
    giveProfile(home, 'echo run >> log; echo ok', 'limits: { turns_per_hour: 2 }\n')
    await askTurn(port, { message: 'c' })
    expect((await refusedTurn(port, { message: 'd' })).status).toBe(429)
  })

  it.each([
    ['limits: [', ':1:9: '],
    ['limits:\n  turns_per_hour: many\n', ':2:3: `turns_per_hour` must be a number above 0, not many'],
    ['limit:\n  turns_per_hour: 3\n', ':1:1: There is no key limit. Did you mean limits?'],
    ['limits:\n  turn_per_hour: 3\n', ':2:3: There is no limit turn_per_hour. Did you mean turns_per_hour?'],
  ])('a mistake in those of the data folder refuses every turn with its place: %j', async (text, reason) => {
    const { port, home, dataDir } = await startTestDaemon()
    const path = join(dataDir, 'config.yaml')
    giveProfile(home, 'echo run >> log; echo ok', 'limits: { turns_per_hour: 9 }\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    writeFileSync(path, text)
    expect(await refusedTurn(port, { message: 'a' })).toMatchObject({
      status: 409,
      json: { error: 'NO_PROFILE', message: expect.stringContaining(`${path}${reason}`) },
    })
    const agent = (await call(port, 'GET', '/agents/default')).json
    expect(agent).toMatchObject({ problem: expect.stringContaining(`${path}${reason}`) })
    expect(runs(home)).toBe(0)
    writeFileSync(path, 'limits: { turns_per_hour: 3 }\n')
    await askTurn(port, { message: 'b' })
  })

  it('events wait for the limit and are dealt with when it opens', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, 'echo run >> log; echo ok', 'wake: events\nlimits: { turns_per_hour: 1 }\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await postEvent(port, 'one')
    await expect.poll(() => runs(home)).toBe(1)
    const waiting = await postEvent(port, 'two')
    await expect.poll(() => clock.waits.length).toBeGreaterThan(0)
    expect((await exec(port, '/events')).body).toContain(waiting)
    clock.advance(HOUR + 1)
    await expect.poll(() => runs(home)).toBe(2)
    await expect.poll(async () => (await turnsOf(port, '?state=done')).length).toBe(2)
  })
})

describe('a try that waits for a limit', () => {
  it('goes on soon when that is raised, and not only when it would have opened', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, 'echo run >> log; exit 1', 'wake: events\nlimits: { turns_per_hour: 1 }\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await postEvent(port, 'one')
    await expect.poll(async () => (await turnsOf(port, '?state=queued'))[0]?.attempt).toBe(2)
    clock.advance(HOUR / 4)
    await expect.poll(() => clock.waits.length).toBeGreaterThan(0)
    expect(runs(home)).toBe(1)
    giveProfile(home, 'echo run >> log; echo ok', 'wake: events\nlimits: { turns_per_hour: 9 }\n')
    // Long before the hour is over.
    const before = clock.now()
    while (runs(home) === 1 && clock.now() - before < HOUR / 4) {
      clock.advance(20_000)
      await sleep(50)
    }
    await expect.poll(() => runs(home)).toBe(2)
    await expect.poll(async () => (await turnsOf(port, '?state=done')).length).toBe(1)
  })
})

describe('usage', () => {
  it('is stored with the turn, and summed by agent, session and day', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, USING, 'wire: "0.4"\n')
    const { turnId } = await askTurn(port, { message: 'a' })
    await askTurn(port, { message: 'b', session: 'other' })
    clock.advance(24 * HOUR)
    await askTurn(port, { message: 'c', session: 'other' })
    giveProfile(home, 'exit 1')
    await askTurn(port, { message: 'd', session: 'other' })
    const [turn] = (await turnsOf(port)).filter(({ turn_id }) => turn_id === turnId)
    expect(turn?.usage).toMatchObject({ input_tokens: 60, output_tokens: 40, cost_usd: 0.5 })
    const sums = { input_tokens: 180, output_tokens: 120, total_tokens: 300, cost_usd: 1.5 }
    expect(await usage(port)).toMatchObject([{ agent_id: 'default', turns: 4, failed: 1, ...sums }])
    const sessions = await usage(port, '?by=session')
    expect(sessions.map(({ agent_id, session, turns }) => `${agent_id} ${session} ${turns}`).toSorted()).toEqual([
      'default default 1',
      'default other 3',
    ])
    const days = await usage(port, '?by=day')
    expect(days.map(({ turns, total_tokens }) => [turns, total_tokens])).toEqual([
      [2, 100],
      [2, 200],
    ])
    const since = new Date(clock.now()).toISOString()
    expect(await usage(port, `?by=agent&since=${since}`)).toMatchObject([{ turns: 2, failed: 1, total_tokens: 100 }])
    expect((await call(port, 'GET', '/usage?by=month')).status).toBe(400)
    expect((await call(port, 'GET', '/usage?since=yesterday')).status).toBe(400)
  })

  it('counts a turn of an event once, however often it is run', async () => {
    const clock = noon()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(home, 'echo run >> log; [ $(wc -l < log) = 3 ] && echo ok', 'wake: events\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await postEvent(port, 'one')
    for (let run = 1; run < 3; run += 1) {
      await expect.poll(async () => (await turnsOf(port, '?state=queued'))[0]?.attempt).toBe(run + 1)
      clock.advance(HOUR)
    }
    await expect.poll(async () => (await turnsOf(port, '?state=done')).length).toBe(1)
    expect(await usage(port)).toMatchObject([{ turns: 1, failed: 0 }])
  })
})

describe('a retry', () => {
  it('of a message is a new turn; of one that is not over it is that one', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(
      home,
      'echo run >> log; until [ -e go ]; do sleep 0.02; done; [ -e mended ] && echo "$AGENT_MESSAGE" || exit 1',
    )
    const heard = beginTurn(port, { message: 'a', session: 's', from: 'ada' })
    const id = await heard.turnId
    const retry = async (turn: string) => call(port, 'POST', `/turns/${turn}/retry`)
    expect((await retry(id)).json).toMatchObject({ turn_id: id })
    writeFileSync(join(home, 'go'), '')
    await heard.ended
    expect((await answered(heard)).result.ok).toBe(false)
    writeFileSync(join(home, 'mended'), '')
    const { turn_id: again } = (await retry(id)).json as { turn_id: string }
    expect(again).not.toBe(id)
    await expect.poll(async () => (await turnsOf(port, '?state=done')).length).toBe(1)
    const [done] = await turnsOf(port, '?state=done')
    expect(done).toMatchObject({ turn_id: again, message: 'a', session: 's', from: 'ada', result: { reply: 'a' } })
    expect((await retry('trn_nothing')).status).toBe(404)
  })

  it('and the turn that it repeats name each other, and of several the last counts', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, '[ -e mended ] && echo "$AGENT_MESSAGE" || exit 1')
    const heard = beginTurn(port, { message: 'a', session: 's' })
    const id = await heard.turnId
    await heard.ended
    const retry = async (turn: string): Promise<string> => {
      const { json } = await call(port, 'POST', `/turns/${turn}/retry`)
      const { turn_id: again } = json as { turn_id: string }
      await expect.poll(async () => (await turnOf(port, again)).ended_at).not.toBeNull()
      return again
    }
    const failed = await retry(id)
    expect(await turnOf(port, failed)).toMatchObject({ retry_of: id, state: 'failed' })
    expect(await turnOf(port, id)).toMatchObject({ retried_by: { turn_id: failed, state: 'failed', code: 'EXIT_1' } })
    writeFileSync(join(home, 'mended'), '')
    // The message has been answered, whichever of the two was repeated for it.
    const done = await retry(failed)
    const retried_by = { turn_id: done, state: 'done', code: null }
    expect(await turnsOf(port)).toMatchObject([
      { turn_id: done, retry_of: failed },
      { turn_id: failed, retry_of: id, retried_by },
      { turn_id: id, retried_by },
    ])
    expect(await turnOf(port, done)).not.toHaveProperty('retried_by')
    expect(await turnOf(port, id)).not.toHaveProperty('retry_of')
  })
})
