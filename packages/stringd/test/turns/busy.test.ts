import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { isSleeping, oddSeconds } from '../../../../test/support/sleeping.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { answered, beginTurn, giveProfile, postEvent, refusedTurn, turnsOf } from '../support/turns.ts'

/** Each run writes down its message, and waits until the test lets it end. */
const GATED = `printf '%s\\0' "$AGENT_MESSAGE" >> log; until [ -e go ]; do sleep 0.02; done; echo "answer to $AGENT_MESSAGE"`

const messages = (home: string): string[] =>
  existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8').split('\0').slice(0, -1) : []
const letGo = (home: string): void => writeFileSync(join(home, 'go'), '')

describe('a message that comes while a turn runs', () => {
  it('waits; behind five that wait it is refused, other sessions go on', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const running = beginTurn(port, { message: '0' })
    await expect.poll(() => messages(home)).toEqual(['0'])
    const waiting = []
    for (const message of ['1', '2', '3', '4', '5']) {
      const heard = beginTurn(port, { message })
      await heard.turnId
      waiting.push(heard)
    }
    const full = await refusedTurn(port, { message: '6' })
    expect(full).toMatchObject({ status: 429, json: { error: 'QUEUE_FULL' } })
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0)
    const other = beginTurn(port, { message: 'other', session: 'b' })
    await expect.poll(() => messages(home)).toEqual(['0', 'other'])
    letGo(home)
    await Promise.all([running, other, ...waiting].map(({ ended }) => ended))
    expect(messages(home)).toEqual(['0', 'other', '1', '2', '3', '4', '5'])
    expect(await turnsOf(port, '?state=done')).toHaveLength(7)
  })

  it('one that is refused because of the agent is a line of the log; more of the same are counted together', async () => {
    const clock = new TestClock()
    const { port, home, log } = await startTestDaemon({ clock })
    const refusals = (): object[] =>
      log.filter((line) => line.includes('A message was refused')).map((line) => JSON.parse(line) as object)
    expect((await refusedTurn(port, { message: 'hello' })).json).toMatchObject({ error: 'NO_PROFILE' })
    const first = { level: 'warn', agent: 'default', code: 'NO_PROFILE', count: 1 }
    expect(refusals()).toMatchObject([{ ...first, reason: expect.stringContaining('has no profile') as string }])
    clock.advance(1_000)
    const firstAgain = new Date(clock.now()).toISOString()
    for (const message of ['again', `and\nagain ${'x'.repeat(300)}`]) {
      await refusedTurn(port, { message })
      clock.advance(1_000)
    }
    const lastAgain = new Date(clock.now() - 1_000).toISOString()
    await refusedTurn(port, { message: '' })
    expect(refusals()).toHaveLength(1)
    giveProfile(home, GATED, 'when_busy: refuse\n')
    const running = beginTurn(port, { message: '0' })
    await expect.poll(() => messages(home)).toEqual(['0'])
    await refusedTurn(port, { message: 'now' })
    expect(refusals()).toMatchObject([first, { code: 'BUSY', count: 1 }])
    clock.advance(LIMITS.refusalLogMs)
    const [more] = refusals().slice(2)
    expect(more).toMatchObject({ ...first, count: 2, first: firstAgain, last: lastAgain })
    // The log holds no texts.
    expect(log.join('\n')).not.toContain('again x')
    clock.advance(LIMITS.refusalLogMs)
    expect(refusals()).toHaveLength(3)
    letGo(home)
    await running.ended
  })

  it('one may run and five wait also when all come at once', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const all = Array.from({ length: LIMITS.turnsWaiting + 3 }, (_, index) =>
      refusedTurn(port, { message: `${index}` }),
    )
    await expect.poll(async () => (await turnsOf(port)).length).toBe(LIMITS.turnsWaiting + 1)
    letGo(home)
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMITS.turnsWaiting + 1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  it('collect: what waits is one turn, and everybody gets its stream', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED, 'when_busy: collect\n')
    const first = beginTurn(port, { message: 'first' })
    await expect.poll(() => messages(home)).toEqual(['first'])
    const joined = ['a', 'b', 'c', 'd', 'e'].map((message) =>
      beginTurn(port, { message, from: message, request_id: `r-${message}` }),
    )
    const ids = await Promise.all(joined.map(({ turnId }) => turnId))
    expect(new Set(ids).size).toBe(1)
    expect(await refusedTurn(port, { message: 'f' })).toMatchObject({ status: 429, json: { error: 'QUEUE_FULL' } })
    letGo(home)
    await Promise.all([first, ...joined].map(({ ended }) => ended))
    const [, together = ''] = messages(home)
    expect(together.split('\n\n').toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(messages(home)).toHaveLength(2)
    const answers = await Promise.all(joined.map(answered))
    expect(new Set(answers.map(({ result }) => result.reply))).toEqual(new Set([`answer to ${together}`]))
    // Everybody's request_id is that of the turn.
    const again = beginTurn(port, { message: 'd', from: 'd', request_id: 'r-d' })
    expect(await again.turnId).toBe(ids[0])
    await again.ended
    expect(messages(home)).toHaveLength(2)
    const [turn] = (await turnsOf(port)).filter(({ turn_id }) => turn_id === ids[0])
    expect(turn?.from).toBe(together[0])
  })

  it('interrupt: the turn that runs ends first, and all that it started, then the new one begins', async () => {
    const { port, home } = await startTestDaemon()
    const seconds = oddSeconds()
    const script = `[ "$AGENT_MESSAGE" = first ] || { pgrep -f "^sleep ${seconds}$" > still; echo done; exit; }; sleep ${seconds}`
    giveProfile(home, script, 'when_busy: interrupt\n')
    const first = beginTurn(port, { message: 'first' })
    await expect.poll(() => isSleeping(seconds)).toBe(true)
    const second = beginTurn(port, { message: 'second' })
    await Promise.all([first.ended, second.ended])
    const error = 'The turn was cancelled: a newer message took its place (when_busy: interrupt).'
    expect((await answered(first)).result).toMatchObject({ ok: false, code: 'CANCELLED', exit_code: 130, error })
    expect((await answered(second)).result).toMatchObject({ ok: true, reply: 'done' })
    expect(readFileSync(join(home, 'still'), 'utf8')).toBe('')
  })

  it('interrupt: the turn of an event goes on', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED, 'when_busy: interrupt\nwake: events\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await postEvent(port, 'an event')
    await expect.poll(() => messages(home)).toEqual(['an event'])
    const asked = beginTurn(port, { message: 'a person', session: 'events' })
    await asked.turnId
    letGo(home)
    await asked.ended
    expect(messages(home)).toEqual(['an event', 'a person'])
    expect((await turnsOf(port)).map(({ state }) => state)).toEqual(['done', 'done'])
  })

  it('refuse: it is told so at once', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED, 'when_busy: refuse\n')
    const first = beginTurn(port, { message: 'first' })
    await expect.poll(() => messages(home)).toEqual(['first'])
    expect(await refusedTurn(port, { message: 'second' })).toMatchObject({ status: 409, json: { error: 'BUSY' } })
    const other = beginTurn(port, { message: 'other', session: 'b' })
    await other.turnId
    letGo(home)
    await Promise.all([first.ended, other.ended])
    expect(messages(home)).toEqual(['first', 'other'])
  })
})
