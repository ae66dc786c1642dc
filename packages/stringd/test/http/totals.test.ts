import { type AddressInfo, connect, type Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import type { Route, Services } from '../../src/http/route.ts'
import { BodyRoom } from '../../src/http/serve/body-room.ts'
import { createHttpServer } from '../../src/http/serve/server.ts'

const MIB = 1024 * 1024

const size: Route = {
  method: 'POST',
  path: '/size',
  expects: '{}',
  handle: ({ response, bytes }) => void response.end(String(bytes.length)),
}

const large: Route = {
  method: 'GET',
  path: '/large',
  expects: null,
  handle: ({ response }) => void response.end('x'.repeat(8 * MIB)),
}

const ordinary: Route = {
  method: 'GET',
  path: '/ordinary',
  expects: null,
  isOrdinary: true,
  handle: ({ response }) => void response.end(Buffer.alloc(8 * MIB, 'x')),
}

async function listen(): Promise<number> {
  // No route here asks for a service.
  const { server } = createHttpServer([size, large, ordinary], Promise.resolve({} as Services))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function open(port: number): { socket: Socket; answer: () => string; closed: Promise<void> } {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  return { socket, answer: () => answer, closed }
}

describe('S31: bodies of all requests together', () => {
  it('have a total, of which a part is for small ones alone', () => {
    const room = new BodyRoom()
    let taken = 0
    while (room.take({ taken }, MIB)) taken += 1
    expect(taken * MIB).toBe((LIMITS.bodiesBytes * 3) / 4)
    expect(room.take({}, 1_000)).toBe(true)
  })

  it('give their room back when they are answered, refused or left', () => {
    const room = new BodyRoom()
    for (let round = 0; round < 100; round += 1) {
      const request = {}
      expect(room.take(request, 10 * MIB)).toBe(true)
      room.forget(request)
      room.forget(request)
    }
  })

  it('are refused with 503 and Retry-After where there is no room, while a command still gets through', async () => {
    const port = await listen()
    const head = `POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${10 * MIB}\r\n\r\n`
    const piece = Buffer.alloc(10 * MIB - 1, ' ')
    const senders = Array.from({ length: 8 }, () => open(port))
    for (const { socket } of senders) {
      socket.write(head)
      socket.write(piece)
    }
    await Promise.race(senders.map(({ closed }) => closed))
    const refused = senders.map(({ answer }) => answer()).filter((answer) => answer !== '')
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expect(answer).toMatch(/^HTTP\/1\.1 503 .*^Retry-After: 1\r$/ms)
    const small = await call(port, 'POST', '/size', { body: { a: 1 } })
    expect(small).toMatchObject({ status: 200, text: '7' })
    for (const { socket } of senders) socket.destroy()
    await Promise.all(senders.map(({ closed }) => closed))
    const whole = await call(port, 'POST', '/size', { body: { a: 'x'.repeat(9 * MIB) } })
    expect(whole.status).toBe(200)
  })
})

describe('S31: answers that nobody reads', () => {
  it.each(['/large', '/ordinary'])(
    'have a total: the oldest is cut off, and a reader gets all of its own (%s)',
    async (path) => {
      const port = await listen()
      const idle = Array.from({ length: 12 }, () => {
        const client = open(port)
        client.socket.pause()
        return client
      })
      for (const { socket } of idle) {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
        await call(port, 'GET', '/nothing')
      }
      const reader = await call(port, 'GET', path)
      expect(reader.text.length).toBe(8 * MIB)
      idle[0]?.socket.resume()
      await idle[0]?.closed
      expect(idle[0]?.answer().length).toBeLessThan(8 * MIB)
    },
  )
})
