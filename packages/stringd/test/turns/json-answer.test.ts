import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { LIMITS, type TurnView } from '@string-os/protocol'
import { describe, expect, it, vi } from 'vitest'
import { call, type Reply } from '../../../../test/support/http.ts'
import { keyHeader } from '../../../../test/support/keys.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, giveProfile, turnOf, turnsOf, untilState } from '../support/turns.ts'

const GATED = `until [ -e go ]; do sleep 0.02; done; echo "answer to $AGENT_MESSAGE"`
const letGo = (home: string): void => writeFileSync(join(home, 'go'), '')
const ask = (port: number, body: object, accept = 'application/json', agent = 'default'): Promise<Reply> =>
  call(port, 'POST', `/agents/${agent}/turns`, { headers: { Accept: accept }, body })
const states = async (port: number): Promise<string[]> => (await turnsOf(port)).map(({ state }) => state)

describe('POST /agents/:id/turns from a caller that accepts JSON', () => {
  it('answers one object when the turn has ended: what GET /turns/:id says of it', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo "answer to $AGENT_MESSAGE"')
    const { status, headers, json } = await ask(port, { message: 'hi', request_id: 'r1' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    const turn = json as TurnView
    expect(turn).toMatchObject({ state: 'done', message: 'hi', result: { ok: true, reply: 'answer to hi' } })
    expect(turn).toEqual(await turnOf(port, turn.turn_id))
    expect((await ask(port, { message: 'hi', request_id: 'r1' })).json).toEqual(turn)
  })

  it('a turn that failed is 200, too: state and code say so', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'exit 7')
    expect(await ask(port, { message: 'hi' })).toMatchObject({
      status: 200,
      json: { state: 'failed', code: 'EXIT_7', result: { ok: false, exit_code: 7 } },
    })
  })

  it('is refused as everyone is', async () => {
    const { port, home } = await startTestDaemon()
    expect(await ask(port, { message: 'hi' })).toMatchObject({ status: 409, json: { error: 'NO_PROFILE' } })
    expect(await ask(port, { message: 'hi' }, undefined, 'nobody')).toMatchObject({ status: 404 })
    giveProfile(home, 'echo x', 'limits: { turns_per_hour: 1 }\n')
    await askTurn(port, { message: 'hi' })
    const refused = await ask(port, { message: 'hi' })
    expect(refused).toMatchObject({ status: 429, json: { error: 'LIMIT_REACHED' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each(['text/event-stream, application/json', '*/*', ''])('streams for Accept: %s', async (accept) => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo x')
    expect((await ask(port, { message: 'hi' }, accept)).headers['content-type']).toBe('text/event-stream')
  })

  it('keeps a silent connection open with blank lines, before which the object is still JSON', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { port, home } = await startTestDaemon()
      giveProfile(home, GATED)
      const reply = ask(port, { message: 'hi' })
      await expect.poll(() => states(port)).toEqual(['running'])
      vi.advanceTimersByTime(2 * LIMITS.sseCommentMs)
      letGo(home)
      const { text, json } = await reply
      expect(text.startsWith('\n\n{')).toBe(true)
      expect(json).toMatchObject({ state: 'done', result: { reply: 'answer to hi' } })
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on when the caller leaves', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, GATED)
    const headers = { ...keyHeader(port), 'Content-Type': 'application/json', Accept: 'application/json' }
    const path = '/agents/default/turns'
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, agent: false, headers })
    const left = new Promise((resolve) => outgoing.once('error', resolve))
    outgoing.end('{"message":"hi"}')
    await expect.poll(() => states(port)).toEqual(['running'])
    outgoing.destroy()
    await left
    letGo(home)
    const [turn] = await turnsOf(port)
    expect(await untilState(port, turn?.turn_id ?? '', 'done')).toMatchObject({ result: { reply: 'answer to hi' } })
  })

  it('tells how it stands when the daemon stops: what ran is interrupted, what waited goes on with the next', async () => {
    const daemon = await startTestDaemon()
    giveProfile(daemon.home, GATED)
    const running = ask(daemon.port, { message: 'runs' })
    await expect.poll(() => states(daemon.port)).toEqual(['running'])
    const waiting = ask(daemon.port, { message: 'waits' })
    await expect.poll(() => states(daemon.port)).toEqual(['queued', 'running'])
    await daemon.stop()
    expect((await running).json).toMatchObject({ state: 'interrupted', code: 'CANCELLED' })
    expect((await waiting).json).toMatchObject({ state: 'queued', ended_at: null, result: null })
  })
})
