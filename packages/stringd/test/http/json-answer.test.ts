import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, vi } from 'vitest'
import { call, exec, queueLength } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const JSON_CALLER = { 'X-Agent-Id': 'default', Accept: 'application/json' }

describe('POST /exec from a caller that accepts JSON', () => {
  it('answers one object: the fields of head, and the body without its re: line', async () => {
    const { port, home } = await startTestDaemon()
    const cmd = '/exec echo out; exit 2'
    const body = { cmd, request_id: 'r1', topic: 'file:docs' }
    const { status, headers, json } = await call(port, 'POST', '/exec', { headers: JSON_CALLER, body })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    const { head } = await exec(port, cmd, { topic: 'docs', requestId: 'r1' })
    expect(json).toEqual({ ...head, content: `exit: 2 | cwd: ${home}\n---\nout` })
    expect(json).toMatchObject({ data: { exit: 2, running: false } })
  })

  it.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/json, */*;q=0.5', true],
    ['text/event-stream;q=0.4, application/json;q=0.5', true],
    ['application/*, text/event-stream;q=0', true],
    ['application/json;q=0', false],
    ['application/json, text/plain, */*', false],
    ['application/json, text/event-stream', false],
    ['text/event-stream', false],
    ['application/problem+json', false],
    ['*/*', false],
    ['', false],
  ])('takes Accept: %s for JSON: %s', async (accept, isJson) => {
    const { port } = await startTestDaemon()
    const headers = { 'X-Agent-Id': 'default', Accept: accept }
    const { headers: answered } = await call(port, 'POST', '/exec', { headers, body: { cmd: '/close' } })
    expect(answered['content-type']).toBe(isJson ? 'application/json' : 'text/event-stream')
  })

  it('answers a full queue as it does to everyone', async () => {
    const daemon = await startTestDaemon()
    const replies = Array.from({ length: 6 }, () => exec(daemon.port, '/hold'))
    await expect.poll(() => queueLength(daemon.port)).toBe(5)
    const full = await call(daemon.port, 'POST', '/exec', { headers: JSON_CALLER, body: { cmd: '/info' } })
    expect(full).toMatchObject({ status: 429, json: { error: 'QUEUE_FULL' } })
    for (let index = 0; index < 6; index += 1) {
      await expect.poll(daemon.held).toBe(1)
      daemon.release()
    }
    await Promise.all(replies)
  })

  it('keeps a silent connection open with blank lines, before which the object is still JSON', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const daemon = await startTestDaemon()
      const reply = call(daemon.port, 'POST', '/exec', { headers: JSON_CALLER, body: { cmd: '/hold x' } })
      await expect.poll(daemon.held).toBe(1)
      vi.advanceTimersByTime(2 * LIMITS.sseCommentMs)
      daemon.release()
      const { text, json } = await reply
      expect(text.startsWith('\n\n{')).toBe(true)
      expect(json).toMatchObject({ ok: true, content: 'Held x' })
    } finally {
      vi.useRealTimers()
    }
  })
})
