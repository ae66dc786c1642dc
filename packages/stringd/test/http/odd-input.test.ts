import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { call, exec, raw, readExec } from '../../../../test/support/http.ts'
import { COMMANDS } from '../../src/command/table.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

const RUNS = 150

/** Pieces that have meant something to some program. */
const WORDS = `
  .. / // ~ ~root # #a @ @a @page. :L1 :L0-L9 :L99999999999 -- --page --full --force --sep --page=-1 {a} { } {{ " ' \\ \`
  $HOME * %00 %2e%2e%2f __proto__ constructor a.md b.md#x loop dir .string file:///etc/passwd app:x --- --> 1e999 0x10 ٣
  </𝒞> <𝒞=string:a> \`\`\` ="x"`
const UNSEEN = '\0|\n|\r\n|\t| |\x1b[31m|\x7f|\u0085|\u2028|\u202e|\ufeff|\ud800|\udc00|😀|<!-- #a -->'

const piece = fc.oneof(
  fc.constantFrom(...WORDS.trim().split(/\s+/), ...UNSEEN.split('|')),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('x', 'é', '\ud800', '(').chain((unit) => fc.nat(300).map((times) => unit.repeat(times))),
)
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

// A shell does what it is told, and a wait takes its time: no subjects of this test.
const names = COMMANDS.map(({ name }) => name).filter((name) => name !== 'exec' && name !== 'events.wait')
const command = fc.oneof(
  fc
    .tuple(fc.constantFrom(...names), fc.array(text, { maxLength: 3 }), fc.option(text))
    .map(([name, args, body]) => `/${[name, ...args].join(' ')}${body === null ? '' : `\n${body}`}`),
  text.map((rest) => `/${rest}`).filter((cmd) => !/^\/\s*(?:exec|events\.wait)/.test(cmd)),
  text,
)

async function withFiles(): Promise<TestDaemon> {
  const daemon = await startTestDaemon()
  const { home } = daemon
  writeFileSync(join(home, 'a.md'), '---\ntitle: A\n__proto__: x\n---\n# A\n<!-- #a -->\n[@a A](b.md)\n<!-- /a -->\n')
  writeFileSync(join(home, 'b.md'), Buffer.from([0xff, 0xfe, 0x00, 0x41]))
  mkdirSync(join(home, 'dir'))
  symlinkSync('loop', join(home, 'loop'))
  return daemon
}

/** A 4xx, or a whole result that is no fault of ours. */
function expectAnswered(status: number, body: string): void {
  if (status !== 200) return expect(status, body).toSatisfy((value: number) => value >= 400 && value < 500)
  const { head, content } = readExec(body)
  expect(head.code).not.toBe('INTERNAL_ERROR')
  expect(content.startsWith('re: ')).toBe(true)
}

describe('whatever is sent', () => {
  it('S11, S22: as a command is answered with a 4xx or a whole head, content and done', async () => {
    const { port, log } = await withFiles()
    await fc.assert(
      fc.asyncProperty(command, fc.option(text), async (cmd, requestId) => {
        const headers = { 'X-Agent-Id': 'default' }
        const reply = await call(port, 'POST', '/exec', { headers, body: { cmd, request_id: requestId } })
        expectAnswered(reply.status, reply.text)
        if (reply.status === 200) expect(readExec(reply.text).head.request_id).toBe(requestId)
      }),
      { numRuns: 2 * RUNS },
    )
    expect((await exec(port, '/info', { topic: 'after' })).head.ok).toBe(true)
    for (const line of log)
      expect(line.trimEnd()).toSatisfy((record: string) => !record.includes('\n') && !record.includes('\x1b'))
  })

  it('S11: as a topic is that topic or a 400, and a topic never holds what could break a line or tag', async () => {
    const { port } = await startTestDaemon()
    await fc.assert(
      fc.asyncProperty(text, async (topic) => {
        fc.pre(!topic.startsWith('bash:'))
        const reply = await call(port, 'POST', '/exec', {
          headers: { 'X-Agent-Id': 'default' },
          body: { cmd: '/info', topic },
        })
        expectAnswered(reply.status, reply.text)
        const { json } = await call(port, 'GET', '/sessions')
        for (const session of (json as { sessions: { topic: string }[] }).sessions)
          expect(session.topic).toMatch(/^[A-Za-z0-9_:-]+$/)
      }),
      { numRuns: RUNS },
    )
  })

  it('S11: as a path, query or header is answered with a 2xx or 4xx', async () => {
    const { port } = await startTestDaemon()
    const segment = fc.oneof(
      text.map((value) => encodeURIComponent(value.toWellFormed())),
      fc.constantFrom(
        'agents',
        'sessions',
        'exec',
        'health',
        'default',
        '%',
        '%zz',
        '%ff',
        '%00',
        '..',
        '.',
        '',
        '*',
        ';',
        '%E0%A4',
      ),
      fc.string({ maxLength: 8 }).map((value) => value.replace(/[\s#?]/g, '')),
    )
    const path = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`)
    const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'PATCH')
    const header = fc.string({ maxLength: 40 }).map((value) => value.replace(/[^\x20-\x7e]/g, ''))
    await fc.assert(
      fc.asyncProperty(method, path, fc.option(segment), header, async (verb, where, query, agent) => {
        fc.pre(!/^\/+shutdown/.test(where))
        const target = `${where}${query === null ? '' : `?agent_id=${query}`}`.slice(0, 4000)
        const answer = await raw(
          port,
          `${verb} ${target} HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: ${agent}\r\nConnection: close\r\n\r\n`,
        )
        expect(answer, JSON.stringify([verb, target])).toMatch(/^HTTP\/1\.1 [24]\d\d /)
      }),
      { numRuns: RUNS },
    )
    expect((await call(port, 'GET', '/health')).status).toBe(200)
  })

  it('S10, S11: as JSON is checked field by field: a wrong type is a 400', async () => {
    const { port } = await startTestDaemon()
    const field = fc.oneof(fc.jsonValue(), text)
    const body = fc.record(
      {
        agent_id: field,
        topic: field,
        cmd: field,
        cwd: field,
        request_id: field,
        home: field,
        allowed_paths: field,
        profile: field,
      },
      { requiredKeys: [] },
    )
    const wrong = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'string'
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/exec', '/agents', '/sessions'), body, async (path, fields) => {
        const safe = {
          ...fields,
          ...(typeof fields.cmd === 'string' ? { cmd: '/info' } : {}),
          home: wrong(fields.home) ? fields.home : null,
        }
        const reply = await call(port, 'POST', path, { headers: { 'X-Agent-Id': 'default' }, body: safe })
        if (reply.status === 200 && path !== '/exec') return
        expectAnswered(reply.status, reply.text)
        const read = {
          '/exec': ['cmd', 'topic', 'cwd', 'request_id'],
          '/agents': ['agent_id', 'home', 'profile'],
          '/sessions': ['agent_id', 'topic'],
        }
        if (read[path].some((name) => wrong((safe as Record<string, unknown>)[name]))) expect(reply.status).toBe(400)
      }),
      { numRuns: RUNS },
    )
  })

  it('S11: as bytes that are no UTF-8 or no JSON is a 400', async () => {
    const { port } = await startTestDaemon()
    const headers = { 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const reply = await call(port, 'POST', '/exec', { headers, body: bytes })
        expect(reply.status).toBe(400)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('names of the language', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length']

  it('S10: are ordinary unknown names as command, flag, block, shortcut, menu, page and file', async () => {
    const { port } = await withFiles()
    await exec(port, '/open a.md')
    for (const name of NAMES) {
      const codes = []
      for (const cmd of [
        `/${name}`,
        `/help ${name}`,
        `/open #${name}`,
        `/open @${name}`,
        `/nav ${name}`,
        `/open ${name}`,
        `/topics ${name}`,
      ])
        codes.push((await exec(port, cmd)).head.code)
      expect(codes.slice(0, 6), name).toEqual([
        'COMMAND_UNKNOWN',
        'COMMAND_UNKNOWN',
        'BLOCK_NOT_FOUND',
        'NOT_FOUND',
        'NOT_FOUND',
        'NOT_FOUND',
      ])
      expect((await exec(port, `/open a.md --${name} x`)).head.code).toBe('INVALID_PARAMS')
    }
  })

  it('S10: are ordinary names of variables, topics, agents and keys of front matter, each for itself', async () => {
    const { port, home } = await startTestDaemon()
    expect((await exec(port, '/open a{constructor}')).head.code).toBe('UNDEFINED_VARIABLE')
    expect((await exec(port, '/set {constructor} = "mine"')).head.ok).toBe(true)
    expect((await exec(port, '/set')).body).toContain('{constructor} = "mine"')
    expect((await exec(port, '/set', { topic: 'other' })).body).not.toContain('mine')
    writeFileSync(join(home, 'f.md'), '---\n__proto__:\n  title: stolen\nconstructor: x\n---\ntext\n')
    expect((await exec(port, '/open f.md')).head.meta?.title).toBeNull()
    for (const topic of ['__proto__', 'constructor'])
      expect((await exec(port, '/info', { topic })).head).toMatchObject({ ok: true, topic })
    const polluting = '{"cmd":"/info","__proto__":{"topic":"stolen"},"constructor":{"prototype":{"topic":"stolen"}}}'
    const headers = { 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }
    expect(readExec((await call(port, 'POST', '/exec', { headers, body: polluting })).text).head.topic).toBe('main')
    expect((await exec(port, '/info')).head.topic).toBe('main')
  })
})
