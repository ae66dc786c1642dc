import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { LIMITS, withoutStyles } from '@string-os/protocol'
import { describe, expect, it, vi } from 'vitest'
import { beginPost, call, exec, queueLength, readExec, sessions } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const AGENT = { 'X-Agent-Id': 'default' }

describe('POST /exec', () => {
  it('answers 200 with the headers of an event stream', async () => {
    const { port } = await startTestDaemon()
    const { status, headers } = await call(port, 'POST', '/exec', {
      headers: { ...AGENT, Connection: 'keep-alive' },
      body: { cmd: '/info' },
    })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    })
  })

  it('sends head, content and done, in order, with every field of head', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'README.md'), '# Hello\n')
    const { head, content } = await exec(port, '/open ./README.md', { requestId: 'r1' })
    expect(head).toEqual({
      ok: true,
      code: null,
      cmd: '/open ./README.md',
      request_id: 'r1',
      agent_id: 'default',
      topic: 'main',
      topic_type: 'tab',
      meta: { uri: `file://${home}/README.md`, title: 'Hello', current_block: null },
      data: null,
      format: 'markdown',
    })
    expect(content).toBe('re: [r1] /open ./README.md\nOpened ./README.md\n---\n# Hello\n')
  })

  it('says whether the content is a page to be read', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '# A\n')
    writeFileSync(join(home, 'a.txt'), '# A\n')
    const formats = new Map<string, string>()
    for (const cmd of ['/open a.md', '/open #a', '/open a.md --source', '/open a.txt', '/ls', '/help', '/open nope.md'])
      formats.set(cmd, (await exec(port, cmd)).head.format)
    expect([...formats].filter(([, format]) => format === 'markdown').map(([cmd]) => cmd)).toEqual([
      '/open a.md',
      '/open #a',
      '/help',
    ])
  })

  it('wait_ms says how long input of a bash topic is waited for; anything but a sensible number is refused', async () => {
    const { port } = await startTestDaemon()
    const post = (cmd: string, wait_ms: unknown) =>
      call(port, 'POST', '/exec', { headers: AGENT, body: { cmd, topic: 'bash:w', wait_ms } })
    const { text } = await post('echo begun; sleep 1000', 300)
    expect(readExec(text).head).toMatchObject({ ok: true, data: { running: true } })
    for (const wait of [0, -1, 1.5, '300', 30_001, {}]) expect((await post('true', wait)).status).toBe(400)
    await call(port, 'POST', '/sessions/default/bash:w/cancel')
  })

  it('styles adds what a bash topic printed with its colours; the content is plain as ever', async () => {
    const { port } = await startTestDaemon()
    const post = async (cmd: string, styles: unknown, topic = 'bash:s') => {
      const body = { cmd, topic, styles, wait_ms: 1_000 }
      return readExec((await call(port, 'POST', '/exec', { headers: AGENT, body })).text)
    }
    const print = `printf '\\033[1;31mred\\033[0m \\033]0;t\\007plain\\n'`
    const { head, body } = await post(`${print}; (exit 3)`, true)
    expect(head).toMatchObject({ code: 'EXIT_3', data: { exit: 3, styled: '\x1b[1;31mred\x1b[0m plain' } })
    expect(body).toMatch(/\n---\nred plain$/)
    for (const styles of [false, undefined]) expect((await post(print, styles)).head).not.toHaveProperty('data.styled')
    expect((await post('echo plain', true)).head).not.toHaveProperty('data.styled')
    expect((await post(`/exec ${print}`, true, 'main')).head).not.toHaveProperty('data.styled')
    const running = await post(`${print}; sleep 1000`, true)
    expect(running.head).toMatchObject({ data: { running: true, styled: expect.stringMatching(/^.\[1;31mred/) } })
    const { styled } = running.head.data as { styled: string }
    expect(withoutStyles(styled)).toBe(running.body.slice(running.body.indexOf('red')))
    await call(port, 'POST', '/sessions/default/bash:s/cancel')
  })

  it('answers /close without the document that is gone', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'README.md'), '# Hello\n')
    await exec(port, '/open README.md')
    const { head, body } = await exec(port, '/close')
    expect(body).toBe('Closed: README.md')
    expect(head).toMatchObject({ ok: true, meta: null })
  })

  it('sets code to a short error code on failure, and content to ERROR(CODE): message', async () => {
    const { port } = await startTestDaemon()
    const { head, content } = await exec(port, '/open nonexistent.md')
    expect(head).toMatchObject({ ok: false, code: 'NOT_FOUND', request_id: null, meta: null })
    expect(content).toMatch(/^re: \/open nonexistent\.md\nERROR\(NOT_FOUND\): File not found: nonexistent\.md\n/)
  })

  it('takes a topic of any form, canonicalised in head; absent or null means main', async () => {
    const { port } = await startTestDaemon()
    expect((await exec(port, '/info', { topic: 'file:docs' })).head).toMatchObject({ topic: 'docs', topic_type: 'tab' })
    expect((await exec(port, '/info', { topic: 'app:x:y' })).head).toMatchObject({
      topic: 'app:x:y',
      topic_type: 'app',
    })
    expect((await exec(port, '/info', { topic: 'system' })).head).toMatchObject({ topic: 'system', topic_type: 'hub' })
    expect((await exec(port, '/info')).head.topic).toBe('main')
    const { text } = await call(port, 'POST', '/exec', { headers: AGENT, body: { cmd: '/info', topic: null } })
    expect(readExec(text).head.topic).toBe('main')
  })

  it('shows at most 200 characters of the first line as head.cmd', async () => {
    const { port } = await startTestDaemon()
    const { head } = await exec(port, `/open ${'x'.repeat(500)}\nbody`)
    expect(head.cmd).toBe(`${`/open ${'x'.repeat(500)}`.slice(0, 200)}…`)
  })

  it('refuses plain text with the exact sentence, as a result', async () => {
    const { port } = await startTestDaemon()
    const { head, body } = await exec(port, '# Meeting Notes\nContent goes here.')
    expect(head.code).toBe('COMMAND_UNSUPPORTED')
    expect(body).toBe('ERROR(COMMAND_UNSUPPORTED): Commands must start with /. Use /help for details.')
    expect((await exec(port, 'open README.md')).body).toBe(`${body}\n  Did you mean /open README.md?`)
    expect((await exec(port, 'set $KEY = hush')).body).not.toContain('hush')
    expect((await exec(port, 'ls', { topic: 'bash' })).body).toBe(
      `${body}\n  A shell has a name: use the topic bash:NAME, such as bash:dev`,
    )
  })

  it.each([
    ['a missing header', {}, { cmd: '/info' }, 400, 'X-Agent-Id header required'],
    ['an empty header', { 'X-Agent-Id': '' }, { cmd: '/info' }, 400, 'X-Agent-Id header required'],
    ['an unknown agent', { 'X-Agent-Id': 'nobody' }, { cmd: '/info' }, 401, 'Unknown agent: nobody'],
    [
      'malformed JSON',
      { ...AGENT, 'Content-Type': 'application/json' },
      '{"cmd":',
      400,
      'Invalid JSON body — expected { "cmd": "..." }',
    ],
    [
      'bytes that are not UTF-8',
      { ...AGENT, 'Content-Type': 'application/json' },
      Buffer.from('{"cmd":"caf\xe9"}', 'latin1'),
      400,
      'Invalid JSON body: it is not UTF-8 — expected { "cmd": "..." }',
    ],
    ['no body', AGENT, undefined, 400, 'Invalid JSON body — expected { "cmd": "..." }'],
    ['JSON that is no object', AGENT, ['/info'], 400, 'Invalid JSON body — expected { "cmd": "..." }'],
    ['a missing cmd', AGENT, {}, 400, 'Empty command — provide non-empty "cmd" field'],
    ['an empty cmd', AGENT, { cmd: '' }, 400, 'Empty command — provide non-empty "cmd" field'],
    ['a malformed topic', AGENT, { cmd: '/info', topic: 'no topic' }, 400, 'Invalid topic: no topic'],
    ['a cmd of another type', AGENT, { cmd: { a: 1 } }, 400, '"cmd" must be a string'],
    ['a relative cwd', AGENT, { cmd: '/info', cwd: '.' }, 400, '"cwd" must be an absolute path'],
  ])('answers %s with an error', async (_name, headers, body, status, error) => {
    const { port } = await startTestDaemon()
    const reply = await call(port, 'POST', '/exec', {
      headers,
      ...(body === undefined ? {} : { body }),
    })
    expect(reply).toMatchObject({ status, json: { error } })
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ sessions: 0 })
  })

  it.each([
    ['', 'The body is empty'],
    ['{"cmd":', 'The body breaks off at byte 7'],
    ['{"cmd":"é', 'The body breaks off at byte 10'],
    ['{"cmd":"a"', 'The body breaks off at byte 10'],
    ['{"cmd":"é",,}', 'The body is no JSON from byte 12 on'],
    ['cmd', 'The body is no JSON'],
    ['["/info"]', 'The body is a list instead of an object'],
    ['null', 'The body is null instead of an object'],
    ['5', 'The body is a number instead of an object'],
    ['\uFEFF{"cmd":"/info"}', 'The body begins with a byte-order mark, which JSON does not have'],
  ])('says of the body %j what it is', async (body, came) => {
    const { port } = await startTestDaemon()
    const headers = { ...AGENT, 'Content-Type': 'application/json' }
    const { json } = await call(port, 'POST', '/exec', { headers, body })
    expect(json).toEqual({
      error: 'Invalid JSON body — expected { "cmd": "..." }',
      next: `${came}. Send one JSON object of that form; docs/reference/http.md has every field`,
    })
  })

  it('S9: answers an id that cannot be one with 400, however it is spelled', async () => {
    const { port } = await startTestDaemon()
    for (const id of ['../x', 'a b', '.', 'a,b', 'default, default']) {
      expect(
        (await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': id }, body: { cmd: '/info' } })).status,
      ).toBe(400)
    }
  })

  it('S22: keeps re: one line and every data: one line of JSON, whatever the command and request id hold', async () => {
    const { port } = await startTestDaemon()
    const requestId = 'a\nevent: done\ndata: {}\n\n\u2028'
    const { head, content } = await exec(port, '/open x\r\nevent: fake\ndata: 1', { requestId })
    expect(head.request_id).toBe(requestId)
    expect(content.split('\n')[0]).toBe('re: [a\\nevent: done\\ndata: {}\\n\\n\\u2028] /open x')
  })

  it('S11: answers NUL, lone surrogates, invalid UTF-8, enormous and empty strings with 4xx or a whole result', async () => {
    const { port } = await startTestDaemon()
    const commands = [
      '/open a\u0000b',
      '/open \ud800',
      '\ud800',
      '/',
      '//',
      '/\u0000',
      `/open ${'x'.repeat(100_000)}`,
      `/${'x'.repeat(1_000_000)}`,
      'x'.repeat(5_000_000),
      '/open "unclosed',
      "/open 'unclosed",
      '/open \\',
      '/help __proto__',
      '/constructor',
      '/topics \u202e',
      ' /info',
      '\n/info',
      '/open --page=1',
      `/open ${'"'.repeat(60_001)}`,
    ]
    for (const cmd of commands) {
      const reply = await exec(port, cmd)
      expect(reply.head.ok, cmd.slice(0, 40)).toBe(false)
      expect(reply.head.code).not.toBe('INTERNAL_ERROR')
      expect(reply.body.isWellFormed()).toBe(true)
    }
    const bytes = Buffer.concat([Buffer.from('{"cmd":"/open '), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const headers = { ...AGENT, 'Content-Type': 'application/json' }
    expect((await call(port, 'POST', '/exec', { headers, body: bytes })).status).toBe(400)
    expect((await call(port, 'POST', '/exec', { headers, body: '['.repeat(5_000_000) })).status).toBe(400)
    expect(
      (
        await call(port, 'POST', '/exec', {
          headers,
          body: `{"cmd":"/info","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        })
      ).status,
    ).toBe(400)
    expect((await exec(port, '/info')).head.ok).toBe(true)
  })

  it('answers INTERNAL_ERROR with an id that is in the log, and no trace, when a command throws (S25)', async () => {
    const { port, log } = await startTestDaemon()
    const { head, body } = await exec(port, '/broken')
    expect(head.code).toBe('INTERNAL_ERROR')
    const id = /the log has it as ([0-9a-f]{12})/.exec(body)?.[1]
    expect(body).not.toContain('/some/path')
    expect(log.filter((line) => line.includes(`"id":"${id}"`) && line.includes('a fault in the program'))).toHaveLength(
      1,
    )
    expect((await exec(port, '/info')).head.ok).toBe(true)
  })

  it('keeps a silent connection open with comment lines while a command runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const daemon = await startTestDaemon()
      const reply = call(daemon.port, 'POST', '/exec', { headers: AGENT, body: { cmd: '/hold' } })
      await expect.poll(daemon.held).toBe(1)
      vi.advanceTimersByTime(2 * LIMITS.sseCommentMs)
      daemon.release()
      const { text } = await reply
      expect(text.startsWith(':\n\n:\n\nevent: head\n')).toBe(true)
      expect(readExec(text).head.ok).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('queueing and contention', () => {
  it('processes one command at a time and queues the rest in order', async () => {
    const daemon = await startTestDaemon()
    const order: string[] = []
    const replies = []
    for (const name of ['a', 'b', 'c']) {
      replies.push(exec(daemon.port, `/hold ${name}`).then(({ body }) => order.push(body)))
      await expect
        .poll(async () => (await sessions(daemon.port))[0])
        .toMatchObject({ executing: true, queue_length: replies.length - 1 })
    }
    expect(daemon.held()).toBe(1)
    for (let index = 0; index < 3; index += 1) {
      await expect.poll(daemon.held).toBe(1)
      daemon.release()
      await expect.poll(() => order.length).toBe(index + 1)
    }
    expect(order).toEqual(['Held a', 'Held b', 'Held c'])
  })

  it('answers 429 QUEUE_FULL at once when 5 commands wait (S19)', async () => {
    const daemon = await startTestDaemon()
    const replies = Array.from({ length: 6 }, () => exec(daemon.port, '/hold'))
    await expect.poll(() => queueLength(daemon.port)).toBe(5)
    const full = await call(daemon.port, 'POST', '/exec', { headers: AGENT, body: { cmd: '/info' } })
    expect(full).toMatchObject({
      status: 429,
      json: {
        error: 'QUEUE_FULL',
        message: 'Topic default:main has 5 commands queued. Try again later.',
        next: expect.stringMatching(/^main is running \/hold \(for \d+ seconds?\); .*string stop main/),
      },
    })
    expect(full.headers['retry-after']).toBe('5')
    for (let index = 0; index < 6; index += 1) {
      await expect.poll(daemon.held).toBe(1)
      daemon.release()
    }
    for (const reply of await Promise.all(replies)) expect(reply.head.ok).toBe(true)
  })

  it('S19: answers 504 QUEUE_TIMEOUT after 120 seconds in the queue', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const daemon = await startTestDaemon()
      const running = exec(daemon.port, '/hold')
      // Vitest's own polls would move the clock that they wait with.
      while (daemon.held() !== 1) await new Promise((resolve) => setImmediate(resolve))
      const waiting = call(daemon.port, 'POST', '/exec', { headers: AGENT, body: { cmd: '/info' } })
      while ((await queueLength(daemon.port)) !== 1) await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(119_999)
      expect(await queueLength(daemon.port)).toBe(1)
      vi.advanceTimersByTime(1)
      expect(await waiting).toMatchObject({
        status: 504,
        json: { error: 'QUEUE_TIMEOUT', message: 'Timed out waiting in queue.' },
      })
      daemon.release()
      await running
    } finally {
      vi.useRealTimers()
    }
  })

  it('aborts a queued request silently when its client disconnects, which frees its place (S19)', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold first')
    await expect.poll(daemon.held).toBe(1)
    const leaving = beginPost(daemon.port, '/exec', { cmd: '/hold second' })
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    leaving.destroy()
    await expect.poll(() => queueLength(daemon.port)).toBe(0)
    daemon.release()
    expect((await running).body).toBe('Held first')
    expect(daemon.held()).toBe(0)
  })

  it('runs a started command to its end when its client leaves, and then the next', async () => {
    const daemon = await startTestDaemon()
    const leaving = beginPost(daemon.port, '/exec', { cmd: '/hold' })
    await expect.poll(daemon.held).toBe(1)
    leaving.destroy()
    const next = exec(daemon.port, '/info')
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    daemon.release()
    expect((await next).head.ok).toBe(true)
  })

  it('runs topics in parallel', async () => {
    const daemon = await startTestDaemon()
    const held = ['a', 'b', 'c'].map((topic) => exec(daemon.port, '/hold', { topic }))
    await expect.poll(daemon.held).toBe(3)
    expect((await exec(daemon.port, '/info', { topic: 'd' })).head.ok).toBe(true)
    for (let index = 0; index < 3; index += 1) daemon.release()
    await Promise.all(held)
  })

  it('runs commands queued behind a /close in a fresh session', async () => {
    const daemon = await startTestDaemon()
    writeFileSync(join(daemon.home, 'a.md'), 'A')
    await exec(daemon.port, '/open a.md')
    const hold = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    const close = exec(daemon.port, '/close')
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    const info = exec(daemon.port, '/info')
    await expect.poll(() => queueLength(daemon.port)).toBe(2)
    daemon.release()
    await hold
    expect((await close).body).toBe('Closed: a.md')
    expect((await info).head).toMatchObject({ ok: true, meta: null })
  })
})

describe('a connection on which several requests wait', () => {
  it('S19: frees all of their places when it goes', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    const body = JSON.stringify({ cmd: '/info' })
    const one = `POST /exec HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = connect(daemon.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(one.repeat(3))
    const waiting = () => queueLength(daemon.port)
    await expect.poll(waiting).toBe(3)
    socket.destroy()
    await expect.poll(waiting).toBe(0)
    daemon.release()
    await running
  })
})
