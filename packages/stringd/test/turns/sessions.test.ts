import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { isSleeping, oddSeconds } from '../../../../test/support/sleeping.ts'
import { startTestDaemon } from '../support/daemon.ts'
import {
  answered,
  askTurn,
  beginTurn,
  cancelTurn,
  giveCommand,
  giveProfile,
  listen,
  refusedTurn,
  textOf,
  turnOf,
  turnsOf,
  untilState,
} from '../support/turns.ts'

/** Writes that it began, waits until the test lets it go on, and writes that it ended. */
const GATED = `echo "$AGENT_MESSAGE begins" >> log
until [ -e "go-$AGENT_MESSAGE" ]; do sleep 0.02; done
echo "$AGENT_MESSAGE ends" >> log
echo "answer to $AGENT_MESSAGE"`

const logOf = (home: string): string[] =>
  existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8').split('\n').slice(0, -1) : []
const letGo = (home: string, ...names: string[]): void => {
  for (const name of names) writeFileSync(join(home, `go-${name}`), '')
}

describe('turns of sessions', () => {
  it('of one run in their order, of several side by side', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const one = beginTurn(port, { message: 'a1', session: 'a' })
    await one.turnId
    const two = beginTurn(port, { message: 'a2', session: 'a' })
    await two.turnId
    const three = beginTurn(port, { message: 'a3', session: 'a' })
    const other = beginTurn(port, { message: 'b1', session: 'b' })
    await expect.poll(() => logOf(home)).toContain('b1 begins')
    await three.turnId
    expect(two.events).toEqual([{ type: 'queued', turn_id: await two.turnId, position: 1 }])
    expect(three.events).toEqual([{ type: 'queued', turn_id: await three.turnId, position: 2 }])
    expect(one.events).toEqual([{ type: 'start', turn_id: await one.turnId }])
    letGo(home, 'a3', 'a2', 'b1')
    await other.ended
    expect(logOf(home).filter((line) => line.startsWith('a'))).toEqual(['a1 begins'])
    letGo(home, 'a1')
    await Promise.all([one.ended, two.ended, three.ended])
    expect(logOf(home).filter((line) => line.startsWith('a'))).toEqual(
      ['a1', 'a2', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    )
    expect((await answered(two)).events.map(({ type }) => type)).toEqual(['queued', 'start', 'result'])
    expect((await answered(three)).result.reply).toBe('answer to a3')
  })

  it('the agent finds its own session id again, each session its own', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(
      home,
      `n=\${AGENT_SESSION_ID#turn-}; echo "AGENT_SESSION:turn-$((\${n:-0} + 1))"; echo "turn $((\${n:-0} + 1)) of $AGENT_SESSION_NAME from $AGENT_FROM_USER"`,
    )
    const say = async (body: object): Promise<string> => (await askTurn(port, { message: 'x', ...body })).result.reply
    expect(await say({ from: 'ada' })).toBe('turn 1 of default from ada')
    expect(await say({ from: 'ada' })).toBe('turn 2 of default from ada')
    expect(await say({ session: 'other', from: 'bob' })).toBe('turn 1 of other from bob')
    expect(await say({ session: 'other', from: 'bob' })).toBe('turn 2 of other from bob')
  })

  it('a client that leaves cancels nothing, and finds the result', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const heard = beginTurn(port, { message: 'a' })
    const id = await heard.turnId
    heard.leave()
    await heard.ended
    expect(await turnOf(port, id)).toMatchObject({ state: 'running', result: null, message: 'a', source: 'person' })
    letGo(home, 'a')
    const turn = await untilState(port, id, 'done')
    expect(turn.result).toMatchObject({ ok: true, reply: 'answer to a' })
    // Whoever comes later gets the same stream.
    const late = listen(port, 'GET', `/turns/${id}/stream`)
    await late.ended
    expect((await answered(late)).events).toEqual([
      { type: 'start', turn_id: id },
      { type: 'result', state: 'done', ...turn.result },
    ])
  })

  it('a stream can be taken up where it was left, while the turn runs and afterwards', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(
      home,
      `echo 'AGENT_PARTIAL:"one "'; echo 'AGENT_PARTIAL:"two "'; until [ -e go-a ]; do sleep 0.02; done; echo 'AGENT_PARTIAL:"three"'`,
    )
    const first = beginTurn(port, { message: 'a' })
    const id = await first.turnId
    await expect.poll(() => textOf(first.events)).toBe('one two ')
    const second = listen(port, 'GET', `/turns/${id}/stream?from=4`)
    await expect.poll(() => textOf(second.events)).toBe('two ')
    expect((await turnOf(port, id)).partial).toBe('one two ')
    letGo(home, 'a')
    await Promise.all([first.ended, second.ended])
    expect([textOf(first.events), textOf(second.events)]).toEqual(['one two three', 'two three'])
    const third = listen(port, 'GET', `/turns/${id}/stream?from=8`)
    await third.ended
    expect(textOf(third.events)).toBe('three')
    expect((await call(port, 'GET', `/turns/${id}/stream?from=x`)).status).toBe(400)
    expect((await call(port, 'GET', '/turns/trn_nothing/stream')).status).toBe(404)
  })
})

describe('the same request_id', () => {
  const RUNS = 'echo run >> runs; until [ -e go-a ]; do sleep 0.02; done; echo done'
  const runs = (home: string): string => readFileSync(join(home, 'runs'), 'utf8')

  it('runs once: asked again, asked at once by many, and after a restart', async () => {
    const { port, home, dir, stop } = await startTestDaemon()
    giveProfile(home, RUNS)
    const body = { message: 'a', request_id: 'r1' }
    const many = Array.from({ length: 8 }, () => beginTurn(port, body))
    const ids = await Promise.all(many.map(({ turnId }) => turnId))
    expect(new Set(ids).size).toBe(1)
    letGo(home, 'a')
    await Promise.all(many.map(({ ended }) => ended))
    const results = await Promise.all(many.map(answered))
    expect(new Set(results.map(({ result }) => result.reply))).toEqual(new Set(['done']))
    expect((await askTurn(port, body)).turnId).toBe(ids[0])
    await stop()
    const again = await startTestDaemon({ dir })
    expect(await askTurn(again.port, body)).toMatchObject({ turnId: ids[0], result: { ok: true, reply: 'done' } })
    expect(runs(home)).toBe('run\n')
  })

  it('with another message is a conflict, also when both come at once', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo run >> runs; echo "$AGENT_MESSAGE"')
    const all = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((message) => refusedTurn(port, { message, session: message, request_id: 'r' })),
    )
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409', '409', '409'])
    expect(await refusedTurn(port, { message: 'f', request_id: 'r' })).toMatchObject({
      status: 409,
      json: { error: 'CONFLICT', message: expect.stringContaining('request_id r') },
    })
    expect(runs(home)).toBe('run\n')
  })

  it('is answered also when the profile is broken by now, and when the turn was interrupted', async () => {
    const { port, home, dir, stop } = await startTestDaemon()
    giveProfile(home, RUNS)
    const body = { message: 'a', request_id: 'r1' }
    const id = await beginTurn(port, body).turnId
    await stop()
    const again = await startTestDaemon({ dir })
    writeFileSync(join(home, '.string/profile.yaml'), 'command: [\n')
    const { turnId, result } = await askTurn(again.port, body)
    expect(turnId).toBe(id)
    expect(result).toMatchObject({ ok: false, code: 'CANCELLED' })
    expect(await turnOf(again.port, id)).toMatchObject({
      state: 'interrupted',
      result: { ok: false, code: 'CANCELLED' },
    })
    expect((await refusedTurn(again.port, { message: 'other' })).status).toBe(409)
    expect(runs(home)).toBe('run\n')
  })
})

describe('DELETE of a turn', () => {
  it('ends the process and all that it started, and the stored turn says cancelled', async () => {
    const { port, home } = await startTestDaemon()
    const [one, two, three] = [oddSeconds(), oddSeconds(), oddSeconds()]
    giveProfile(home, `setsid sleep ${one} & (trap '' TERM; sleep ${two}) & sleep ${three}`)
    const heard = beginTurn(port, { message: 'a' })
    const id = await heard.turnId
    await expect.poll(() => [one, two, three].every(isSleeping)).toBe(true)
    const turn = await cancelTurn(port, id)
    expect([one, two, three].filter(isSleeping)).toEqual([])
    expect(turn).toMatchObject({ state: 'cancelled', code: 'CANCELLED', result: { ok: false, code: 'CANCELLED' } })
    await heard.ended
    expect((await answered(heard)).result).toMatchObject({ ok: false, code: 'CANCELLED' })
    expect(await turnOf(port, id)).toEqual(turn)
    // It is over: nothing changes any more.
    expect(await cancelTurn(port, id)).toEqual(turn)
    expect((await call(port, 'DELETE', '/turns/trn_nothing')).status).toBe(404)
  })

  it('said a second time, does not wait for an agent that takes its time to end', async () => {
    const { port, home } = await startTestDaemon()
    const seconds = oddSeconds()
    const path = giveProfile(home, `trap '' TERM\necho AGENT_PARTIAL:on\nsleep ${seconds}\nsleep ${seconds}`)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/kill_grace_secs.*/, 'kill_grace_secs: 600'))
    const heard = beginTurn(port, { message: 'a' })
    const id = await heard.turnId
    await expect.poll(() => isSleeping(seconds)).toBe(true)
    const first = cancelTurn(port, id)
    await expect.poll(() => isSleeping(seconds)).toBe(true)
    expect((await turnOf(port, id)).state).toBe('running')
    const second = await cancelTurn(port, id)
    expect(second).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    expect(await first).toEqual(second)
    expect(isSleeping(seconds)).toBe(false)
  })

  it('ends a block that runs', async () => {
    const { port, home } = await startTestDaemon()
    const seconds = oddSeconds()
    giveProfile(home, `printf '<𝒞=string:bash:x>\\nsleep ${seconds}\\n</𝒞>\\n'`, 'chanflow: true\n')
    const heard = beginTurn(port, { message: 'a' })
    await expect.poll(() => isSleeping(seconds)).toBe(true)
    expect(await cancelTurn(port, await heard.turnId)).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    expect(isSleeping(seconds)).toBe(false)
  })

  it('takes one away that waits, and the others go on', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const [one, two, three] = ['a', 'b', 'c'].map((message) => beginTurn(port, { message })) as [Heard, Heard, Heard]
    await Promise.all([one.turnId, two.turnId, three.turnId])
    const waiting = await turnsOf(port, '?state=queued')
    expect(waiting).toHaveLength(2)
    const { turn_id: gone = '', message: name } = waiting[1] ?? {}
    const turn = await cancelTurn(port, gone)
    expect(turn).toMatchObject({ state: 'cancelled', started_at: null, code: 'CANCELLED' })
    expect(turn.result?.error).toMatch(/^The turn was cancelled before it began: by hand /)
    letGo(home, 'a', 'b', 'c')
    await Promise.all([one.ended, two.ended, three.ended])
    expect(logOf(home)).not.toContain(`${name} begins`)
    expect(logOf(home)).toHaveLength(4)
  })
})

type Heard = ReturnType<typeof beginTurn>

describe('a turn that takes too long', () => {
  it('timeout_secs is for one run of the process', async () => {
    const { port, home } = await startTestDaemon()
    const seconds = oddSeconds()
    giveProfile(home, `echo 'AGENT_PARTIAL:"so far"'; sleep ${seconds}`, 'timeout_secs: 0.5\n')
    const { result, text, turnId } = await askTurn(port, { message: 'a' })
    expect(result).toMatchObject({ ok: false, code: 'TIMEOUT', exit_code: 124, timed_out: true, reply: '' })
    expect(result.error).toContain('timeout_secs')
    expect(text).toBe('so far')
    expect(isSleeping(seconds)).toBe(false)
    expect(await turnOf(port, turnId)).toMatchObject({ state: 'failed', code: 'TIMEOUT' })
  })

  it.each([
    ['the process', 'sleep SECONDS'],
    ['a block', "printf '<𝒞=string:bash:x>\\nsleep SECONDS\\n</𝒞>\\n'"],
  ])('turn_timeout_secs ends %s', async (_, script) => {
    const { port, home } = await startTestDaemon()
    const seconds = oddSeconds()
    giveProfile(home, script.replace('SECONDS', seconds), 'chanflow: true\nturn_timeout_secs: 1\n')
    const { result } = await askTurn(port, { message: 'a' })
    expect(result).toMatchObject({ ok: false, code: 'TIMEOUT', exit_code: 124, timed_out: true, reply: '' })
    expect(result.error).toContain('turn_timeout_secs')
    expect(isSleeping(seconds)).toBe(false)
  })
})

describe('what is refused', () => {
  it('before anything runs, each with its status', async () => {
    const { port, home } = await startTestDaemon()
    expect(await refusedTurn(port, { message: 'a' })).toMatchObject({ status: 409, json: { error: 'NO_PROFILE' } })
    const path = giveProfile(home, 'touch ran')
    expect(await refusedTurn(port, { message: 'a' }, 'nobody')).toMatchObject({ status: 404 })
    for (const body of [{}, { message: '' }, { message: 3 }, { message: 'a\0' }, { message: 'a', attachments: [{}] }])
      expect(await refusedTurn(port, body)).toMatchObject({ status: 400 })
    expect(await refusedTurn(port, { mesage: 'x' })).toMatchObject({ json: { error: '"message" is missing' } })
    const large = await refusedTurn(port, { message: 'x'.repeat(140_000) })
    expect(large).toMatchObject({ status: 400, json: { message: expect.stringContaining('stdin: message') } })
    expect(existsSync(join(home, 'ran'))).toBe(false)
    expect(await turnsOf(port)).toEqual([])
    writeFileSync(path, 'command: sh\nmax_steps: many\n')
    const broken = await refusedTurn(port, { message: 'a' })
    expect(broken).toMatchObject({ status: 409, json: { message: expect.stringContaining(`${path}:2:`) } })
  })

  it('a program that is not there is a failed turn that names it', async () => {
    const { port, home } = await startTestDaemon()
    giveCommand(home, './nothing-here')
    const { result } = await askTurn(port, { message: 'a' })
    expect(result).toMatchObject({ ok: false, code: 'EXIT_127', error: expect.stringContaining('nothing-here') })
  })
})
