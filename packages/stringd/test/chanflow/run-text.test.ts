import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChanFlowReply, LIMITS } from '@string-os/protocol'
import { describe, expect, it, vi } from 'vitest'
import { beginPost, call, exec, queueLength } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

const AGENT = { 'X-Agent-Id': 'default' }
const block = (topic: string, payload: string): string => `<𝒞=string:${topic}>\n${payload}\n</𝒞>\n`

async function chanflow({ port }: Pick<TestDaemon, 'port'>, text: string): Promise<ChanFlowReply> {
  const { status, json } = await call(port, 'POST', '/chanflow', { headers: AGENT, body: { text } })
  expect(status).toBe(200)
  return json as ChanFlowReply
}

const codes = ({ blocks }: ChanFlowReply): (string | null)[] => blocks.map(({ code }) => code)

describe('POST /chanflow', () => {
  it('answers 400 for a body that is not as described, and for a missing or malformed agent; 401 for an unknown one', async () => {
    const { port } = await startTestDaemon()
    const post = (body: object, headers: Record<string, string> = AGENT) =>
      call(port, 'POST', '/chanflow', { headers, body })
    expect((await post({})).json).toEqual({
      error: 'Invalid JSON body — expected { "text": "..." }',
      next: 'Send one JSON object of that form; docs/reference/http.md has every field',
    })
    expect((await post({ text: 1 })).json).toEqual({ error: '"text" must be a string' })
    expect((await post({ text: '', cwd: 'x' })).json).toEqual({ error: '"cwd" must be an absolute path' })
    expect((await post({ text: '' }, {})).json).toEqual({
      error: 'X-Agent-Id header required',
      next: 'Name one of the agents that GET /agents lists',
    })
    expect((await post({ text: '' }, { 'X-Agent-Id': '../x' })).status).toBe(400)
    expect((await post({ text: '' }, { 'X-Agent-Id': 'nobody' })).status).toBe(401)
  })

  it('answers a text without blocks with that text', async () => {
    const daemon = await startTestDaemon()
    expect(await chanflow(daemon, '')).toEqual({ text: '', rest: '', blocks: [] })
    expect(await chanflow(daemon, 'Hello\n')).toEqual({ text: '', rest: 'Hello\n', blocks: [] })
  })

  it('takes cwd like /exec', async () => {
    const { port, dir } = await startTestDaemon()
    writeFileSync(join(dir, 'here.md'), 'Here')
    const text = block('main', '/open ./here.md')
    const { json } = await call(port, 'POST', '/chanflow', { headers: AGENT, body: { text, cwd: dir } })
    expect((json as ChanFlowReply).text).toContain('\nHere\n')
  })

  it('answers under the topic in which a command ran, and what is written for that topic waits for it', async () => {
    const daemon = await startTestDaemon()
    const reply = await chanflow(daemon, block('main', '/open system') + block('system', '/info'))
    expect(reply.text).toMatch(/^<𝒞=string:system time="[^"]+">\n# System/u)
    expect(reply.text.split('</𝒞>')[1]).toContain('\nuri: string://system\n')
    expect(reply.blocks.map(({ topic }) => topic)).toEqual(['main', 'system'])
  })
})

describe('order', () => {
  it('runs different topics side by side and one topic in order, and answers as written', async () => {
    const daemon = await startTestDaemon()
    const text = block('a', '/hold a1') + block('b', '/hold b1') + block('file:a', '/hold a2') + block('c', '/hold c1')
    const reply = chanflow(daemon, text)
    await expect.poll(daemon.held).toBe(3)
    for (let ended = 0; ended < 4; ended += 1) {
      await expect.poll(daemon.held).toBeGreaterThan(0)
      daemon.release()
    }
    const shown = [...(await reply).text.matchAll(/^✓ Held (.*)$/gm)].map(([, name]) => name)
    expect(shown).toEqual(['a1', 'b1', 'a2', 'c1'])
  })

  it('never fills its own queue, however many blocks one topic has', async () => {
    const daemon = await startTestDaemon()
    const text = Array.from({ length: 50 }, (_, index) => block('a', `/set {v${index}} = "x"`)).join('')
    expect(codes(await chanflow(daemon, text))).toEqual(Array.from({ length: 50 }, () => null))
  })

  it('runs at most so many blocks at once', async () => {
    const daemon = await startTestDaemon()
    const blocks = LIMITS.chanFlowAtOnce + 3
    const reply = chanflow(daemon, Array.from({ length: blocks }, (_, index) => block(`t${index}`, '/hold')).join(''))
    await expect.poll(daemon.held).toBe(LIMITS.chanFlowAtOnce)
    await exec(daemon.port, '/info', { topic: 'elsewhere' })
    expect(daemon.held()).toBe(LIMITS.chanFlowAtOnce)
    for (let ended = 0; ended < blocks; ended += 1) {
      await expect.poll(daemon.held).toBeGreaterThan(0)
      daemon.release()
    }
    expect((await reply).blocks.every(({ ok }) => ok)).toBe(true)
  })
})

describe('the queue', () => {
  it('answers QUEUE_FULL in the block whose topic has no place, and in that alone', async () => {
    const daemon = await startTestDaemon()
    const others = Array.from({ length: 1 + LIMITS.queueWaiting }, () => exec(daemon.port, '/hold', { topic: 'a' }))
    await expect.poll(() => queueLength(daemon.port, 'a')).toBe(LIMITS.queueWaiting)
    const reply = await chanflow(daemon, block('a', '/info') + block('b', '/close'))
    expect(codes(reply)).toEqual(['QUEUE_FULL', null])
    expect(reply.text).toContain('✗ QUEUE_FULL: Topic default:a has 5 commands queued. Try again later.\n')
    for (const _ of others) {
      await expect.poll(daemon.held).toBe(1)
      daemon.release()
    }
    await Promise.all(others)
  })

  it('answers QUEUE_TIMEOUT in the block that waited too long, and in that alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const daemon = await startTestDaemon()
      const other = exec(daemon.port, '/hold', { topic: 'a' })
      await vi.waitUntil(() => daemon.held() === 1, { interval: 5, timeout: 20_000 })
      const reply = chanflow(daemon, block('a', '/info') + block('b', '/close'))
      await vi.waitUntil(async () => (await queueLength(daemon.port, 'a')) === 1, { interval: 5, timeout: 20_000 })
      vi.advanceTimersByTime(LIMITS.queueWaitMs)
      expect(codes(await reply)).toEqual(['QUEUE_TIMEOUT', null])
      expect((await reply).text).toContain('✗ QUEUE_TIMEOUT: Timed out waiting in queue.\n')
      daemon.release()
      await other
    } finally {
      vi.useRealTimers()
    }
  })

  it('drops what has not begun when the caller leaves; what runs goes on to its end', async () => {
    const daemon = await startTestDaemon()
    const other = exec(daemon.port, '/hold other', { topic: 'b' })
    await expect.poll(daemon.held).toBe(1)
    const late = '/write ~/late.md\nnever'
    const text = block('a', '/hold mine') + block('a', late) + block('b', late)
    const outgoing = beginPost(daemon.port, '/chanflow', { text })
    await expect.poll(() => queueLength(daemon.port, 'b')).toBe(1)
    outgoing.destroy()
    await expect.poll(() => queueLength(daemon.port, 'b')).toBe(0)
    expect(daemon.held()).toBe(2)
    daemon.release()
    daemon.release()
    await other
    await exec(daemon.port, '/info', { topic: 'a' })
    expect(() => readFileSync(join(daemon.home, 'late.md'))).toThrow('ENOENT')
  })

  it('answers CANCELLED in the block whose topic is closed from outside', async () => {
    const daemon = await startTestDaemon()
    const reply = chanflow(daemon, block('a', '/hold') + block('a', '/close') + block('b', '/close'))
    await expect.poll(daemon.held).toBe(1)
    await call(daemon.port, 'DELETE', '/sessions/default/a')
    expect(codes(await reply)).toEqual(['CANCELLED', null, null])
  })

  it('a fault of ours is INTERNAL_ERROR in its block alone', async () => {
    const daemon = await startTestDaemon()
    const reply = await chanflow(daemon, block('a', '/broken') + block('b', '/close'))
    expect(codes(reply)).toEqual(['INTERNAL_ERROR', null])
    expect(reply.text).not.toContain('/some/path')
  })
})

describe('limits', () => {
  it('runs none of a text with more blocks than there may be, and says so once', async () => {
    const daemon = await startTestDaemon()
    const text = block('a', '/write ~/never.md\nx').repeat(LIMITS.chanFlowBlocks + 1)
    const reply = await chanflow(daemon, text)
    expect(codes(reply)).toEqual(['LIMIT_REACHED'])
    expect(reply.text).toContain(`✗ LIMIT_REACHED: The text has ${LIMITS.chanFlowBlocks + 1} blocks`)
    expect(() => readFileSync(join(daemon.home, 'never.md'))).toThrow('ENOENT')
  })

  it('runs no further block once the replies are too large', async () => {
    const daemon = await startTestDaemon()
    const chars = LIMITS.answerBytes - 8 * 1024
    writeFileSync(join(daemon.home, 'large.txt'), 'x'.repeat(chars))
    const blocks = Math.ceil(LIMITS.chanFlowReplyChars / chars)
    const text = block('a', '/open --full large.txt').repeat(blocks) + block('a', '/write w.md\nx')
    expect(codes(await chanflow(daemon, text))).toEqual([...Array<null>(blocks).fill(null), 'TOO_LARGE'])
    expect(() => readFileSync(join(daemon.home, 'w.md'))).toThrow('ENOENT')
  })

  it('S20: ten MiB of tags, half tags and blocks hold up nobody for long', async () => {
    const daemon = await startTestDaemon()
    for (const unit of ['<𝒞=a>x</𝒞>', '<𝒞=a>', '<𝒞=', '</𝒞>', '\n<', '<\\𝒞', '```\n<𝒞=a>\n']) {
      const text = unit.repeat(Math.floor(9_000_000 / Buffer.byteLength(JSON.stringify(unit))))
      const { blocks, rest } = await chanflow(daemon, text)
      expect(blocks.length, unit).toBeLessThan(2)
      expect(rest.length, unit).toBeLessThanOrEqual(text.length)
    }
  })
})
