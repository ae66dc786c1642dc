import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { Notices } from '../../src/events/notices.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** Notices about an inbox of which the test says how much is in it. */
function notices(): {
  line: (isFirst?: boolean) => Promise<string | null>
  told: Notices
  put: (count: number) => void
  asked: () => number
} {
  let pending = 0
  let asked = 0
  const told = new Notices(() => {
    asked += 1
    return Promise.resolve(pending)
  })
  return {
    told,
    line: (isFirst = false) => told.line('a', isFirst),
    put: (count) => {
      pending = count
      told.heard('a')
    },
    asked: () => asked,
  }
}

/** Time that a test passes by itself. */
function stopClock(): () => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => void vi.advanceTimersByTime(LIMITS.eventNoticeMs)
}

describe('an agent that hears of events through answers', () => {
  it('is told in the first answer of a session, and when there are more', async () => {
    const minute = stopClock()
    const { line, put } = notices()
    expect(await line(true)).toBeNull()
    put(1)
    expect(await line()).toBe('(1 event waits: /events)')
    minute()
    expect(await line()).toBeNull()
    expect(await line(true)).toBe('(1 event waits: /events)')
    minute()
    put(3)
    expect(await line()).toBe('(3 events wait: /events)')
  })

  it('is told once a minute at most, and again of as many as were dealt with', async () => {
    const minute = stopClock()
    const { line, put } = notices()
    put(2)
    expect(await line(true)).not.toBeNull()
    put(5)
    expect(await line(true)).toBeNull()
    minute()
    expect(await line()).toBe('(5 events wait: /events)')
    minute()
    put(1)
    expect(await line()).toBeNull()
    put(2)
    expect(await line()).toBe('(2 events wait: /events)')
  })

  it('costs a look at the store only where something has come, or after a while', async () => {
    const minute = stopClock()
    const { line, put, asked } = notices()
    for (let call = 0; call < 5; call += 1) expect(await line()).toBeNull()
    expect(asked()).toBe(1)
    put(1)
    expect(await line()).not.toBeNull()
    minute()
    for (let call = 0; call < 5; call += 1) expect(await line()).toBeNull()
    expect(asked()).toBe(3)
    minute()
    expect(await line()).toBeNull()
    expect(asked()).toBe(4)
  })

  it('is not told of what it has just looked at', async () => {
    const minute = stopClock()
    const { line, put, told } = notices()
    put(2)
    await told.seen('a')
    minute()
    expect(await line()).toBeNull()
    put(3)
    expect(await line()).not.toBeNull()
  })
})

async function post(port: number, text: string): Promise<void> {
  const { webhook_url } = (await call(port, 'GET', '/agents/default/webhook')).json as { webhook_url: string }
  await call(port, 'POST', new URL(webhook_url).pathname, { body: text })
}

async function overMcp(port: number, cmd: string, topic = 'main'): Promise<string> {
  const params = { name: 'string', arguments: { cmd, topic } }
  const { json } = await call(port, 'POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  return (json as { result: { content: { text: string }[] } }).result.content[0]?.text ?? ''
}

describe('answers over MCP', () => {
  it('end with a word on events that wait, inside the envelope, and answers over /exec do not', async () => {
    const { port } = await startTestDaemon()
    await post(port, 'one')
    await post(port, 'two')
    expect((await exec(port, '/topics')).body).not.toContain('wait')
    expect(await overMcp(port, '/topics')).toMatch(/\n\n\(2 events wait: \/events\)\n<\/𝒞>$/)
    expect(await overMcp(port, '/topics')).not.toContain('wait')
  })

  it('to /events themselves do not', async () => {
    const { port } = await startTestDaemon()
    await post(port, 'one')
    expect(await overMcp(port, '/events')).not.toContain('waits')
    expect(await overMcp(port, '/info', 'other')).not.toContain('waits')
  })
})

describe('/events.wait', () => {
  it('answers as soon as something arrives, and at once when something is there', async () => {
    const { port } = await startTestDaemon()
    const waiting = exec(port, '/events.wait 600')
    await expect.poll(async () => (await call(port, 'GET', '/sessions')).text).toContain('"executing":true')
    await post(port, 'arrived')
    expect((await waiting).body).toContain(': arrived')
    expect((await exec(port, '/events.wait 600')).body).toContain('1 pending, 0 acked')
  })

  it('answers an empty list when the time is over, hears nothing of other agents, and can be stopped', async () => {
    const { port } = await startTestDaemon()
    await call(port, 'POST', '/agents', { body: { agent_id: 'other' } })
    expect((await exec(port, '/events.wait 0')).body).toContain('0 pending, 0 acked')
    const waiting = exec(port, '/events.wait 600', { agent: 'other' })
    await expect
      .poll(async () => (await call(port, 'GET', '/sessions?agent_id=other')).text)
      .toContain('"executing":true')
    await post(port, 'for default')
    expect((await call(port, 'POST', '/sessions/other/main/cancel')).json).toMatchObject({ cancelled: 1 })
    expect((await waiting).head.code).toBe('CANCELLED')
    expect((await exec(port, '/events.wait soon')).head.code).toBe('INVALID_PARAMS')
  })
})
