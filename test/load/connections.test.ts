import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Stringd, startStringd } from '../faults/support/stringd.ts'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { randomBelow } from '../support/random.ts'

const residentMiB = ({ child }: Stringd): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
const descriptors = ({ child }: Stringd): number => readdirSync(`/proc/${child.pid}/fd`).length

const command = (cmd: string, topic: string): string => {
  const body = JSON.stringify({ cmd, topic })
  return `POST /exec HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Anything that a client may have said when it goes away. */
function saidBefore(index: number): string {
  const whole = command(index % 3 === 0 ? '/exec sleep 0.1' : '/info', `t${index % 50}`)
  return index % 2 === 0 ? whole : whole.slice(0, randomBelow(whole.length))
}

function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(socket))
    socket.on('connect', () => resolve(socket))
    socket.write(text)
  })
}

describe('R12: many connections', () => {
  it('20,000 that reset anywhere cost no descriptor and no memory', async () => {
    const stringd = await startStringd()
    const { port } = stringd
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const wave = async (count: number): Promise<void> => {
      const sockets = await Promise.all(Array.from({ length: count }, (_, index) => open(port, saidBefore(index))))
      await aMoment(0, 50)
      for (const socket of sockets) socket.resetAndDestroy()
    }
    // The heap takes its working size first (some 6,000): V8 keeps what it once needed, and that is not what is asked here.
    for (let round = 0; round < 40; round += 1) await wave(200)
    const before = { memory: residentMiB(stringd), descriptors: descriptors(stringd) }
    for (let round = 0; round < 100; round += 1) await wave(200)
    expect((await exec(port, '/info', { topic: 'after' })).head.ok).toBe(true)
    await expect.poll(() => descriptors(stringd), { timeout: 60_000 }).toBeLessThanOrEqual(before.descriptors + 5)
    expect(residentMiB(stringd) - before.memory).toBeLessThan(64)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled|A request failed|A command threw/)
  })

  it('used-up descriptors, ten times over, do not end it', async () => {
    const stringd = await startStringd({ ulimit: '-n 128' })
    const { port } = stringd
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    for (let round = 0; round < 10; round += 1) {
      const sockets = await Promise.all(Array.from({ length: 500 }, (_, index) => open(port, saidBefore(index))))
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => descriptors(stringd), { timeout: 60_000 }).toBeLessThan(100)
      // Of those that nobody had taken yet, the last are still being turned away.
      const said = (): Promise<string> =>
        exec(port, '/exec echo alive', { topic: `r${round}` }).then(({ body }) => body, String)
      await expect.poll(said, { timeout: 60_000 }).toContain('alive')
    }
    expect(await stringd.end()).toBe(0)
  })
})
