import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../src/log.ts'
import type { Looked, Looker } from '../../src/peers/looker.ts'
import { createPeers, type Peers } from '../../src/peers/peers.ts'
import type { Owner, Peer } from '../../src/peers/socket-table.ts'

const OWN = 1000
const KEY = 'the-key-of-the-daemon'

/** A looker that answers when it is told to. */
class SlowLooker implements Looker {
  readonly looks: (readonly Peer[])[] = []
  readonly #answers: ((looked: Looked) => void)[] = []
  isEnded = false

  look(peers: readonly Peer[]): Promise<Looked> {
    this.looks.push(peers)
    return new Promise((resolve) => {
      this.#answers.push(resolve)
    })
  }

  /** Answers the oldest look: all of its peers are this one's. */
  async answer(owner: Owner, spentMs = 0): Promise<void> {
    await expect.poll(() => this.#answers.length).toBeGreaterThan(0)
    const owners = Array.from({ length: 1000 }, () => owner)
    this.#answers.shift()?.({ owners, spentMs })
  }

  end(): void {
    this.isEnded = true
  }
}

function peersWith(looker: Looker): { peers: Peers; lines: string[] } {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  return { peers: createPeers({ key: KEY, uids: new Set([OWN]), looker, log }), lines }
}

/** Sockets of a server to which somebody has connected. */
async function sockets(count: number): Promise<Socket[]> {
  const accepted: Socket[] = []
  const server = createServer((socket) => accepted.push(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of [...clients, ...accepted]) socket.destroy()
    server.close()
  })
  await expect.poll(() => accepted.length).toBe(count)
  return accepted
}

const one = async (): Promise<Socket> => {
  const [socket] = await sockets(1)
  if (socket === undefined) throw new Error('Nobody came')
  return socket
}

describe('a connection', () => {
  it.each<[Owner, boolean]>([
    [OWN, true],
    [0, false],
    [65_534, false],
    ['nobody', false],
  ])('S29: of %s is welcome: %s', async (owner, isWelcome) => {
    const looker = new SlowLooker()
    const verdict = peersWith(looker).peers.isWelcome(await one(), undefined)
    await looker.answer(owner)
    expect(await verdict).toBe(isWelcome)
    expect(looker.looks).toHaveLength(1)
  })

  it('S29: is looked up once, whatever comes over it', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const socket = await one()
    const pipelined = [undefined, KEY, 'x'].map(async (key) => peers.isWelcome(socket, key))
    await looker.answer(OWN)
    expect(await Promise.all(pipelined.map((each) => Promise.resolve(each)))).toEqual([true, true, true])
    // At once now, so that a request on a connection that is known waits for nothing.
    expect(peers.isWelcome(socket, undefined)).toBe(true)
    expect(looker.looks).toHaveLength(1)
  })

  it('S29: that shows the key is welcome without a look, and stays so', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const socket = await one()
    expect(peers.isWelcome(socket, KEY)).toBe(true)
    expect(peers.isWelcome(socket, undefined)).toBe(true)
    expect(looker.looks).toEqual([])
  })

  it.each(['', 'x', `${KEY}x`, KEY.toUpperCase(), `${KEY}, ${KEY}`])(
    'S29: that shows the wrong key %j is looked up',
    async (key) => {
      const looker = new SlowLooker()
      const { peers } = peersWith(looker)
      const [good, bad] = await sockets(2)
      if (good === undefined || bad === undefined) throw new Error('Nobody came')
      const first = peers.isWelcome(good, key)
      await looker.answer(OWN)
      expect(await first).toBe(true)
      const second = peers.isWelcome(bad, key)
      await looker.answer(65_534)
      expect(await second).toBe(false)
    },
  )

  it('S29: that is not in the table is looked for once more, and then refused', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const lost = peers.isWelcome(await one(), undefined)
    await looker.answer('unknown')
    await looker.answer('unknown')
    expect(await lost).toBe(false)
    const late = peers.isWelcome(await one(), undefined)
    await looker.answer('unknown')
    await looker.answer(OWN)
    expect(await late).toBe(true)
    expect(looker.looks).toHaveLength(4)
  })

  it('S29: that was closed before anybody looked is refused, and not looked for again', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const gone = await one()
    gone.destroy()
    expect(await peers.isWelcome(gone, undefined)).toBe(false)
    const leaving = await one()
    const verdict = peers.isWelcome(leaving, undefined)
    leaving.destroy()
    await looker.answer('unknown')
    expect(await verdict).toBe(false)
    expect(looker.looks).toHaveLength(1)
  })

  it('S29: is refused when the table cannot be read, and the log says so', async () => {
    const looker: Looker = { look: () => Promise.reject(new Error('EIO')), end: () => undefined }
    const { peers, lines } = peersWith(looker)
    expect(await peers.isWelcome(await one(), undefined)).toBe(false)
    expect(lines.join('')).toContain('The table of sockets cannot be read')
    expect(lines.join('')).not.toContain(KEY)
    expect(peers.isWelcome(await one(), KEY)).toBe(true)
  })
})

describe('a look', () => {
  it('S29: serves all connections that were there when it began, and no other', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const all = await sockets(30)
    const ask = (some: readonly Socket[]) => some.map(async (socket) => peers.isWelcome(socket, undefined))
    const early = ask(all.slice(0, 1))
    const late = ask(all.slice(1))
    await looker.answer(OWN)
    expect(await Promise.all(early.map((each) => Promise.resolve(each)))).toEqual([true])
    await looker.answer(65_534)
    expect(new Set(await Promise.all(late.map((each) => Promise.resolve(each))))).toEqual(new Set([false]))
    expect(looker.looks.map(({ length }) => length)).toEqual([1, 29])
  })

  it('S29: that cost much is followed by a rest', async () => {
    const looker = new SlowLooker()
    const { peers } = peersWith(looker)
    const [first, second] = await sockets(2)
    if (first === undefined || second === undefined) throw new Error('Nobody came')
    const verdict = peers.isWelcome(first, undefined)
    const began = performance.now()
    await looker.answer(OWN, LIMITS.peerLookSavedMs + 100)
    expect(await verdict).toBe(true)
    const next = peers.isWelcome(second, undefined)
    await looker.answer(OWN)
    expect(await next).toBe(true)
    // 100 ms more than was saved, in a time of which a fifth may be used. Load only makes it longer.
    expect(performance.now() - began).toBeGreaterThan(450)
  })
})
