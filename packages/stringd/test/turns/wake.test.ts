import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, type TurnSummary } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { WAKE_MARK } from '../../src/turns/wake.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'
import { answered, beginTurn, cancelTurn, giveProfile, listen, postEvent, turnOf, turnsOf } from '../support/turns.ts'

const WAKE = 'wake: events\nstdin: message\n'
/** Fails where its message says so, as long as there is no file `mended`. */
const SOMETIMES = `message=$(cat); echo "$message" >> log; [ -e mended ] && { echo ok; exit; }; case "$message" in bad*) echo because >&2; exit 1;; esac; echo ok`

const log = (home: string): string[] =>
  existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8').split('\n').slice(0, -1) : []

async function startWoken(script = SOMETIMES, keys = WAKE, options: Parameters<typeof startTestDaemon>[0] = {}) {
  const clock = new TestClock()
  const daemon = await startTestDaemon({ clock, ...options })
  giveProfile(daemon.home, script, keys)
  await register(daemon.port)
  return { ...daemon, clock }
}

/** As every command line does: the profile is heeded from then on. */
async function register(port: number): Promise<void> {
  expect((await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })).status).toBe(200)
}

/** An event of an agent without a profile is looked at before the next request is. */
async function looked(port: number): Promise<void> {
  await call(port, 'GET', '/agents/default')
}

/** Where an agent is not to be woken any more, and the daemon has seen that, the place up to which it was is not kept. */
async function untilUnset(dataDir: string): Promise<void> {
  const store = new Connection(join(dataDir, 'state.db'), 'look')
  onTestFinished(() => store.close())
  await expect.poll(() => store.select(['value'], 'FROM marks WHERE name = ?', `${WAKE_MARK}default`)).toEqual([])
}

async function pending({ port }: Pick<TestDaemon, 'port'>): Promise<string> {
  return (await exec(port, '/events')).body
}

async function turnOfEvent(port: number, event: string): Promise<TurnSummary | undefined> {
  return (await turnsOf(port, '?limit=200')).find(({ event_id }) => event_id === event)
}

async function untilEvent(port: number, event: string, state: string, attempt = 1): Promise<TurnSummary> {
  await expect
    .poll(async () => {
      const turn = await turnOfEvent(port, event)
      return [turn?.state, turn?.attempt]
    })
    .toEqual([state, attempt])
  return (await turnOfEvent(port, event)) as TurnSummary
}

describe('wake: events', () => {
  it('makes a turn of an event, which is acknowledged when that succeeded', async () => {
    const { port, home } = await startWoken()
    const id = await postEvent(port, 'the disk is full')
    const turn = await untilEvent(port, id, 'done')
    expect(turn).toMatchObject({
      session: 'events',
      from: 'local-webhook',
      source: 'local-webhook',
      message: 'the disk is full',
    })
    expect(turn.result).toMatchObject({ ok: true, reply: 'ok' })
    expect(log(home)).toEqual(['the disk is full'])
    expect((await exec(port, `/events.read ${id}`)).body).toContain('acked')
  })

  it('heeds the first event that comes after the profile was there, however soon', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { port, home } = await startTestDaemon()
      giveProfile(home, SOMETIMES, WAKE)
      const webhook = await call(port, 'GET', '/agents/default/webhook')
      const path = new URL((webhook.json as { webhook_url: string }).webhook_url).pathname
      const [, posted] = await Promise.all([register(port), call(port, 'POST', path, { body: 'at once' })])
      const { event_id } = posted.json as { event_id: string }
      await untilEvent(port, event_id, 'done')
      expect(log(home)).toEqual(['at once'])
    }
  })

  it('events run one at a time and in order', async () => {
    const { port, home } = await startWoken(`cat >> log; echo >> log; sleep 0.05; echo ended >> log; echo ok`)
    const ids = []
    for (const text of ['one', 'two', 'three']) ids.push(await postEvent(port, text))
    await untilEvent(port, ids.at(-1) ?? '', 'done')
    expect(log(home)).toEqual(['one', 'ended', 'two', 'ended', 'three', 'ended'])
  })

  it('does not touch what was pending before; /events.retry does', async () => {
    const { port, home } = await startTestDaemon()
    const before = await postEvent(port, 'before')
    await looked(port)
    giveProfile(home, SOMETIMES, WAKE)
    await register(port)
    await untilEvent(port, await postEvent(port, 'after'), 'done')
    expect(log(home)).toEqual(['after'])
    expect(await pending({ port })).toContain(before)
    expect((await exec(port, `/events.retry ${before}`)).head).toMatchObject({ ok: true, data: { event_id: before } })
    await untilEvent(port, before, 'done')
    expect(log(home)).toEqual(['after', 'before'])
    expect((await exec(port, `/events.retry ${before}`)).head).toMatchObject({ ok: false, code: 'CONFLICT' })
  })

  it('whoever wakes it hears why it does not run yet', async () => {
    const { port, home } = await startWoken()
    giveProfile(home, SOMETIMES, `${WAKE}limits: { turns_per_hour: 1 }\n`)
    await untilEvent(port, await postEvent(port, 'one'), 'done')
    const id = await postEvent(port, 'two')
    const { head, body } = await exec(port, `/events.retry ${id}`)
    expect(head).toMatchObject({ ok: true, data: { event_id: id } })
    expect(body).toMatch(new RegExp(`^Woken for ${id}; it waits for when the limit opens \\(\\d{4}-.*Z\\)$`))
    expect(log(home)).toEqual(['one'])
  })

  it('events that come while wake is not set stay events', async () => {
    const slow = 'cat >> log; echo >> log; until [ -e go ]; do sleep 0.02; done; echo ok'
    const { port, home, dataDir } = await startWoken(slow)
    const one = await postEvent(port, 'one')
    // While it runs nothing but the next event is a reason to look.
    await untilEvent(port, one, 'running')
    giveProfile(home, slow, 'stdin: message\n')
    const id = await postEvent(port, 'two')
    await untilUnset(dataDir)
    giveProfile(home, slow, WAKE)
    writeFileSync(join(home, 'go'), '')
    await untilEvent(port, one, 'done')
    await untilEvent(port, await postEvent(port, 'three'), 'done')
    expect(log(home)).toEqual(['one', 'three'])
    expect(await pending({ port })).toContain(id)
  })
})

describe('an event whose turn fails', () => {
  it('stays pending and is run three times, with pauses, then waits for /events.retry', async () => {
    const daemon = await startWoken()
    const { port, home, clock } = daemon
    const id = await postEvent(port, 'bad news')
    const second = await untilEvent(port, id, 'queued', 2)
    expect(second).toMatchObject({ code: 'EXIT_1', result: null })
    expect(Date.parse(second.next_at ?? '') - clock.now()).toBe(LIMITS.wakeFirstPauseMs)
    expect(await pending(daemon)).toContain(id)
    expect((await turnOf(port, second.turn_id)).stderr).toBe('because\n')
    // Nothing happens before its time.
    clock.advance(LIMITS.wakeFirstPauseMs - 1)
    expect((await turnOfEvent(port, id))?.state).toBe('queued')
    clock.advance(1)
    const third = await untilEvent(port, id, 'queued', 3)
    expect(Date.parse(third.next_at ?? '') - clock.now()).toBe(LIMITS.wakePauseMs)
    clock.advance(LIMITS.wakePauseMs)
    const failed = await untilEvent(port, id, 'failed', 3)
    expect(failed).toMatchObject({ code: 'EXIT_1', next_at: null, result: { ok: false, exit_code: 1 } })
    expect((await turnOf(port, failed.turn_id)).stderr).toBe('because\n')
    clock.advance(24 * 60 * 60 * 1000)
    expect(log(home)).toHaveLength(3)
    expect(await pending(daemon)).toContain(id)
    writeFileSync(join(home, 'mended'), '')
    await exec(port, `/events.retry ${id}`)
    expect(await untilEvent(port, id, 'done')).toMatchObject({ turn_id: failed.turn_id, code: null })
    const tries = (await turnOf(port, failed.turn_id)).tries ?? []
    expect(tries.map(({ code, reason }) => `${code} ${reason}`)).toEqual(Array(3).fill('EXIT_1 because'))
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect((await turnsOf(port, '?again=1')).map((turn) => turn.tries)).toEqual([tries])
    expect(await pending(daemon)).not.toContain(id)
  })

  it('does not hold up those behind it', async () => {
    const { port, home, clock } = await startWoken()
    const bad = await postEvent(port, 'bad')
    const good = await postEvent(port, 'good')
    await untilEvent(port, good, 'done')
    await untilEvent(port, bad, 'queued', 2)
    writeFileSync(join(home, 'mended'), '')
    clock.advance(LIMITS.wakeFirstPauseMs)
    await untilEvent(port, bad, 'done', 2)
    expect(log(home)).toEqual(['bad', 'good', 'bad'])
  })

  it('is run at once when a person asks for it', async () => {
    const { port, home } = await startWoken()
    const id = await postEvent(port, 'bad')
    await untilEvent(port, id, 'queued', 2)
    writeFileSync(join(home, 'mended'), '')
    await exec(port, `/events.retry ${id}`)
    await untilEvent(port, id, 'done', 2)
  })

  it('is run at once when a person retries its turn, however it is asked for', async () => {
    const { port, home } = await startWoken()
    const id = await postEvent(port, 'bad')
    const { turn_id } = await untilEvent(port, id, 'queued', 2)
    expect((await call(port, 'POST', `/turns/${turn_id}/retry`)).json).toMatchObject({ turn_id })
    await untilEvent(port, id, 'queued', 3)
    writeFileSync(join(home, 'mended'), '')
    await call(port, 'POST', `/turns/${turn_id}/retry`)
    await untilEvent(port, id, 'done', 3)
    expect(log(home)).toHaveLength(3)
  })

  it('keeps its place over a restart, with its attempts', async () => {
    const { port, home, dir, stop, clock } = await startWoken()
    const id = await postEvent(port, 'bad')
    const { turn_id } = await untilEvent(port, id, 'queued', 2)
    await stop()
    const again = await startTestDaemon({ dir, clock })
    expect(await turnOf(again.port, turn_id)).toMatchObject({
      state: 'queued',
      attempt: 2,
      stderr: 'because\n',
      tries: [{ code: 'EXIT_1', reason: 'because' }],
    })
    clock.advance(LIMITS.wakeFirstPauseMs)
    await untilEvent(again.port, id, 'queued', 3)
    expect((await turnOf(again.port, turn_id)).tries).toHaveLength(2)
    clock.advance(LIMITS.wakePauseMs)
    await untilEvent(again.port, id, 'failed', 3)
    expect(log(home)).toHaveLength(3)
  })

  it('a run that the daemon cut off does not count', async () => {
    const { port, home, dir, stop, clock } = await startWoken(
      'echo run >> log; until [ -e mended ]; do sleep 0.02; done; echo ok',
    )
    const id = await postEvent(port, 'x')
    await expect.poll(() => log(home)).toEqual(['run'])
    await stop()
    writeFileSync(join(home, 'mended'), '')
    const again = await startTestDaemon({ dir, clock })
    const done = await untilEvent(again.port, id, 'done', 1)
    expect(done).toMatchObject({ result: { ok: true } })
    expect(log(home)).toEqual(['run', 'run'])
    const reason = 'It was cut off: the daemon ended, or lost its store, while it ran.'
    const tries = [{ code: 'CANCELLED', reason, attempt: 1, ended_at: expect.any(String) as string }]
    expect((await turnOf(again.port, done.turn_id)).tries).toEqual(tries)
    expect((await turnsOf(again.port, '?again=1')).map((turn) => turn.tries)).toEqual([tries])
  })

  it('whoever follows its turn hears of every run, and of one result', async () => {
    const { port, home, clock } = await startWoken(
      'echo run >> log; until [ -e go ]; do sleep 0.02; done; [ -e mended ] && echo ok || exit 1',
    )
    const id = await postEvent(port, 'x')
    const { turn_id } = await untilEvent(port, id, 'running')
    const heard = listen(port, 'GET', `/turns/${turn_id}/stream`)
    await heard.turnId
    writeFileSync(join(home, 'go'), '')
    await untilEvent(port, id, 'queued', 2)
    writeFileSync(join(home, 'mended'), '')
    clock.advance(LIMITS.wakeFirstPauseMs)
    await heard.ended
    const { events, result } = await answered(heard)
    expect(events.map(({ type }) => type)).toEqual(['start', 'queued', 'start', 'result'])
    expect(result).toMatchObject({ ok: true, reply: 'ok' })
  })

  it('cancelled it stays pending until /events.retry, while it waits and while it runs', async () => {
    const daemon = await startWoken('cat >> log; until [ -e go ]; do sleep 0.02; done; [ -e mended ]')
    const { port, home, clock } = daemon
    const id = await postEvent(port, 'x')
    const { turn_id } = await untilEvent(port, id, 'running')
    expect(await cancelTurn(port, turn_id)).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    expect(await pending(daemon)).toContain(id)
    writeFileSync(join(home, 'go'), '')
    await exec(port, `/events.retry ${id}`)
    await untilEvent(port, id, 'queued', 2)
    expect(await cancelTurn(port, turn_id)).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    clock.advance(24 * 60 * 60 * 1000)
    expect(await turnOf(port, turn_id)).toMatchObject({ state: 'cancelled' })
    expect(await pending(daemon)).toContain(id)
    // Run by hand once more it succeeds: one try of it has failed, and none is what somebody cancelled.
    writeFileSync(join(home, 'mended'), '')
    await exec(port, `/events.retry ${id}`)
    await untilEvent(port, id, 'done')
    expect((await turnsOf(port))[0]?.tries).toMatchObject([
      { code: 'CANCELLED' },
      { code: 'EXIT_1' },
      { code: 'CANCELLED' },
    ])
    expect((await call(port, 'GET', '/agents/default')).json).toMatchObject({ last_turn: { failed_tries: 1 } })
  })
})

describe('an event that somebody deals with before its turn begins', () => {
  it('is not run any more, acknowledged or cleared, also before its next try; what runs goes on', async () => {
    const slow = 'cat >> log; until [ -e go ]; do sleep 0.02; done; [ -e mended ] || exit 1; echo ok'
    const { port, home, clock } = await startWoken(slow)
    const runs = await postEvent(port, 'runs\n')
    await untilEvent(port, runs, 'running')
    const waiting = [await postEvent(port, 'acked\n'), await postEvent(port, 'cleared\n')]
    await exec(port, `/events.ack ${waiting[0]}`)
    await exec(port, '/events.clear --all')
    writeFileSync(join(home, 'mended'), '')
    writeFileSync(join(home, 'go'), '')
    await untilEvent(port, runs, 'done')
    rmSync(join(home, 'mended'))
    const over = { code: 'CANCELLED', error: 'The event was dealt with before the turn began.' }
    for (const command of ['/events.ack', '/events.clear --all']) {
      const bad = await postEvent(port, 'bad\n')
      await untilEvent(port, bad, 'queued', 2)
      await exec(port, command === '/events.ack' ? `${command} ${bad}` : command)
      expect(await untilEvent(port, bad, 'cancelled', 2), command).toMatchObject({ result: over })
    }
    clock.advance(24 * 60 * 60 * 1000)
    writeFileSync(join(home, 'mended'), '')
    await untilEvent(port, await postEvent(port, 'last\n'), 'done')
    expect(log(home)).toEqual(['runs', 'bad', 'bad', 'last'])
    for (const id of waiting) expect(await turnOfEvent(port, id)).toBeUndefined()
  })
})

describe('pause, resume and stop', () => {
  const post = (port: number, what: string) => call(port, 'POST', `/agents/default/${what}`)

  it('paused, no event wakes it, also after a restart; people may ask; resumed, all are dealt with', async () => {
    const { port, home, dir, stop, clock } = await startWoken()
    expect(await post(port, 'pause')).toMatchObject({ status: 200, json: { agent_id: 'default', paused: true } })
    const id = await postEvent(port, 'one')
    const heard = beginTurn(port, { message: 'a person' })
    await heard.ended
    expect((await answered(heard)).result.ok).toBe(true)
    await stop()
    const again = await startTestDaemon({ dir, clock })
    const shown = await call(again.port, 'GET', '/agents/default')
    expect(shown.json).toMatchObject({ paused: true, wake: 'events', running: 0, problem: null })
    const other = await postEvent(again.port, 'two')
    expect(await turnsOf(again.port, '?session=events')).toEqual([])
    await post(again.port, 'resume')
    await untilEvent(again.port, other, 'done')
    expect((await turnOfEvent(again.port, id))?.state).toBe('done')
    expect(log(home)).toEqual(['a person', 'one', 'two'])
  })

  it('an event that was retried while the agent is paused does not stop the ones behind it later', async () => {
    const { port, home, clock } = await startWoken()
    await post(port, 'pause')
    const one = await postEvent(port, 'bad')
    const two = await postEvent(port, 'two')
    await exec(port, `/events.retry ${one}`)
    await post(port, 'resume')
    await untilEvent(port, two, 'done')
    writeFileSync(join(home, 'mended'), '')
    clock.advance(LIMITS.wakeFirstPauseMs)
    await untilEvent(port, one, 'done', 2)
    expect(log(home)).toEqual(['bad', 'two', 'bad'])
  })

  it('stop ends what runs and drops what waits; start lets events wake it again', async () => {
    const { port, home } = await startWoken('cat >> log; echo >> log; until [ -e go ]; do sleep 0.02; done; echo ok')
    const event = await postEvent(port, 'an event')
    const running = beginTurn(port, { message: 'running' })
    await expect.poll(() => log(home).length).toBe(2)
    const waiting = beginTurn(port, { message: 'waiting' })
    await waiting.turnId
    expect((await post(port, 'stop')).json).toMatchObject({ paused: true, cancelled: 3 })
    await Promise.all([running.ended, waiting.ended])
    for (const heard of [running, waiting]) expect((await answered(heard)).result.code).toBe('CANCELLED')
    expect((await turnsOf(port)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect((await call(port, 'GET', '/agents/default')).json).toMatchObject({ running: 0, waiting: 0, paused: true })
    const later = await postEvent(port, 'later')
    writeFileSync(join(home, 'go'), '')
    expect((await post(port, 'start')).json).toMatchObject({ paused: false })
    await untilEvent(port, later, 'done')
    expect((await turnOfEvent(port, event))?.state).toBe('cancelled')
    expect(log(home)).not.toContain('waiting')
  })

  it('a profile that is broken for a while is looked at again', async () => {
    const { port, home, clock, log: lines } = await startWoken()
    const path = join(home, '.string/profile.yaml')
    const text = readFileSync(path, 'utf8')
    const told = (): object[] =>
      lines.filter((line) => line.includes('An event waits')).map((line) => JSON.parse(line) as object)
    writeFileSync(path, 'command: [\n')
    const id = await postEvent(port, 'one')
    await expect.poll(() => clock.waits.length).toBeGreaterThan(0)
    // Once, however often it is looked at again: who looks in the morning finds it.
    await postEvent(port, 'two')
    clock.advance(LIMITS.storeRetryMaxMs)
    await expect
      .poll(told)
      .toMatchObject([
        { level: 'warn', agent: 'default', code: 'NO_PROFILE', reason: expect.stringContaining(path) as string },
      ])
    expect((await call(port, 'GET', '/agents/default')).json).toMatchObject({ problem: expect.stringContaining(path) })
    writeFileSync(path, text)
    clock.advance(LIMITS.storeRetryMaxMs)
    await untilEvent(port, id, 'done')
  })

  it('an event that came while the profile was broken is dealt with when it is mended, also by the next daemon', async () => {
    const clock = new TestClock()
    const { port, home, dir, stop, log: lines } = await startTestDaemon({ clock })
    const path = giveProfile(home, SOMETIMES, WAKE)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, 'command: [\n')
    await register(port)
    const before = await postEvent(port, 'one')
    await expect.poll(() => lines.filter((line) => line.includes('An event waits'))).toHaveLength(1)
    await stop()
    const again = await startTestDaemon({ dir, clock })
    // Who looks for what waits finds it in the log of this one, too.
    await expect.poll(() => again.log.filter((line) => line.includes('An event waits'))).toHaveLength(1)
    writeFileSync(path, text)
    clock.advance(LIMITS.storeRetryMaxMs)
    await untilEvent(again.port, before, 'done')
    expect(log(home)).toEqual(['one'])
  })

  it('the turns of a deleted agent are gone, and what runs has ended', async () => {
    const { port, home } = await startWoken('echo $$ > pid; cat >> log; until [ -e go ]; do sleep 0.02; done')
    await postEvent(port, 'x')
    const heard = beginTurn(port, { message: 'y', request_id: 'r' })
    await expect.poll(() => existsSync(join(home, 'log')) && readFileSync(join(home, 'log'), 'utf8').length).toBe(2)
    const id = await heard.turnId
    expect((await call(port, 'DELETE', '/agents/default')).json).toMatchObject({ deleted: true })
    expect(existsSync(`/proc/${readFileSync(join(home, 'pid'), 'utf8').trim()}`)).toBe(false)
    await heard.ended
    expect((await call(port, 'GET', `/turns/${id}`)).status).toBe(404)
    expect((await call(port, 'GET', '/turns')).json).toEqual({ turns: [] })
    rmSync(join(home, 'log'))
    await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
    const other = beginTurn(port, { message: 'another', request_id: 'r' })
    expect(await other.turnId).not.toBe(id)
    writeFileSync(join(home, 'go'), '')
    await other.ended
  })
})
