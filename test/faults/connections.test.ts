import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { type Stringd, startStringd } from './support/stringd.ts'

const descriptors = ({ child }: Stringd): number => readdirSync(`/proc/${child.pid}/fd`).length

/** Connections that say something and then nothing; errors are their fate. */
function open(port: number, count: number, text = ''): Promise<Socket[]> {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(port, '127.0.0.1')
          socket.on('error', () => resolve(socket))
          socket.on('connect', () => resolve(socket))
          if (text !== '') socket.write(text)
        }),
    ),
  )
}

async function serves({ port, dir }: Stringd): Promise<void> {
  const body = { agent_id: 'default', home: join(dir, 'home') }
  expect((await call(port, 'POST', '/agents', { body })).status).toBe(200)
  expect((await exec(port, '/exec echo alive')).body).toContain('alive')
  expect((await exec(port, '/write a.md\ntext')).head.ok).toBe(true)
  expect((await exec(port, '/open a.md')).body).toContain('text')
}

const request = (cmd: string, topic = 'main'): string => {
  const body = JSON.stringify({ cmd, topic })
  return `POST /exec HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

describe('R12: descriptors', () => {
  it('that are used up by connections do not end the daemon, which serves again at once', async () => {
    const stringd = await startStringd({ ulimit: '-n 64' })
    await serves(stringd)
    const before = descriptors(stringd)
    for (const text of ['', 'POST /exec HTTP/1.1\r\nHost: loc']) {
      const sockets = await open(stringd.port, 200, text)
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => descriptors(stringd)).toBeLessThanOrEqual(before + 2)
      await serves(stringd)
    }
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled/)
  })

  it('that are used up while commands run give errors with a code, never a crash or a hang', async () => {
    const stringd = await startStringd({ ulimit: '-n 48' })
    await serves(stringd)
    const work = ['/exec echo x', '/open a.md', '/write --force a.md\ntext', '/ls', '/append b.md\nx', 'echo x']
    const topicOf = (index: number): string => (index % work.length === 5 ? `bash:t${index}` : `t${index}`)
    const everyone = Array.from({ length: 42 }, (_, index) => index)
    for (let round = 0; round < 3; round += 1) {
      const replies = everyone.map((index) =>
        exec(stringd.port, work[index % work.length] ?? '', { topic: topicOf(index) }),
      )
      const results = await Promise.allSettled(replies)
      const codes = results.map((result) => (result.status === 'fulfilled' ? result.value.head.code : 'refused'))
      expect(codes.filter((code) => code === 'INTERNAL_ERROR')).toEqual([])
      for (const index of everyone)
        await call(stringd.port, 'DELETE', `/sessions/default/${encodeURIComponent(topicOf(index))}`)
    }
    await expect.poll(() => descriptors(stringd)).toBeLessThan(40)
    await serves(stringd)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled/)
  })
})

describe('R12: clients', () => {
  const phases: Readonly<Record<string, string>> = {
    'before the first byte': '',
    'in the request line': 'POST /ex',
    'in the headers': 'POST /exec HTTP/1.1\r\nHost: localho',
    'before the body': request('/info').slice(0, -16),
    'in the body': request('/info').slice(0, -5),
    'in a chunked body':
      'POST /exec HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{"c',
    'after the request': request('/info'),
    'while a command runs': request('/exec sleep 0.2', 'slow'),
    'with more requests on the way': `${request('/info').repeat(20)}POST`,
    'with an upload that is too large': `POST /exec HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n${'x'.repeat(1000)}`,
    'after garbage': '\u0000\u0001\r\n\r\n',
  }

  it('that reset in any phase leave nothing behind', async () => {
    const stringd = await startStringd()
    await serves(stringd)
    const before = descriptors(stringd)
    for (const [, text] of Object.entries(phases)) {
      const sockets = await open(stringd.port, 20, text)
      await aMoment(0, 20)
      for (const socket of sockets) socket.resetAndDestroy()
    }
    await expect.poll(() => descriptors(stringd)).toBeLessThanOrEqual(before)
    await serves(stringd)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled|A request failed/)
  })

  it('that flood it do not end it, and those that wait their turn are served', async () => {
    const stringd = await startStringd()
    await serves(stringd)
    const idle = await open(stringd.port, 1000)
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(stringd.port, 'GET', '/health')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    for (const socket of idle) socket.resetAndDestroy()
    await serves(stringd)
    expect(await stringd.end()).toBe(0)
  })

  it('that do not read what they asked for hold up nobody', async () => {
    const stringd = await startStringd()
    await serves(stringd)
    const large = request(`/write big.md\n${'x'.repeat(1_000_000)}`, 'unread')
    const sockets = await open(stringd.port, 1, large)
    await expect.poll(async () => (await exec(stringd.port, '/ls')).body).toContain('big.md')
    for (const socket of [
      ...sockets,
      ...(await open(stringd.port, 10, request('/open big.md --full', 'unread').repeat(5))),
    ])
      socket.pause()
    await serves(stringd)
    expect(await stringd.end()).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
})
