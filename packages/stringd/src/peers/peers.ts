import { hash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Looker } from './looker.ts'
import { Pace } from './pace.ts'
import { type Owner, type Peer, peerOf } from './socket-table.ts'

/** Who is on the other side of a connection, and whether that is somebody to be served. */
export interface Peers {
  /** Asked with every request; `key` is what the request carries. Once it is known, it stays so for the connection. */
  isWelcome(socket: Socket, key: string | undefined): boolean | Promise<boolean>
  end(): void
}

export interface PeersOptions {
  /** Who sends it has read the daemon's record, which only this user can. */
  readonly key: string
  /** The users whose processes are served. */
  readonly uids: ReadonlySet<number>
  readonly looker: Looker
  readonly log: Log
}

/** Where nobody can be told from anybody else. */
export const EVERYONE: Peers = { isWelcome: () => true, end: () => undefined }

/**
 * Only this user (S29): who shows the key is welcome at once; of everybody else the owner of the other socket is looked up in
 * the system's table, once per connection. One look serves all connections that were there when it began, and looks
 * together take no more than their share of a processor.
 */
export function createPeers({ key, uids, looker, log }: PeersOptions): Peers {
  const digest = digestOf(key)
  const known = new WeakMap<Socket, boolean | Promise<boolean>>()
  const queue = new LookQueue(looker, log)
  const judge = async (socket: Socket): Promise<boolean> => {
    const owner = await queue.ownerOf(socket)
    const isWelcome = typeof owner === 'number' && uids.has(owner)
    known.set(socket, isWelcome)
    return isWelcome
  }
  return {
    isWelcome(socket, given) {
      const verdict = known.get(socket)
      if (verdict !== undefined) return verdict
      const isKey = given !== undefined && timingSafeEqual(digestOf(given), digest)
      const first = isKey ? true : judge(socket)
      known.set(socket, first)
      return first
    },
    end: () => looker.end(),
  }
}

/** Of equal length, whatever was sent: comparing tells nothing by its time. */
function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

interface Asked {
  readonly peer: Peer
  readonly tell: (owner: Owner) => void
}

class LookQueue {
  readonly #looker: Looker
  readonly #log: Log
  readonly #pace = new Pace({ percent: LIMITS.peerLookPercent, savedMs: LIMITS.peerLookSavedMs })
  #waiting: Asked[] = []
  #isBusy = false

  constructor(looker: Looker, log: Log) {
    this.#looker = looker
    this.#log = log
  }

  /** A socket that was not there is looked for once more: rows move while the table is read. One that is gone is not. */
  async ownerOf(socket: Socket): Promise<Owner> {
    const peer = peerOf(socket)
    if (peer === null) return 'unknown'
    const owner = await this.#ask(peer)
    return owner === 'unknown' && !socket.destroyed ? this.#ask(peer) : owner
  }

  #ask(peer: Peer): Promise<Owner> {
    return new Promise((tell) => {
      this.#waiting.push({ peer, tell })
      if (!this.#isBusy) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const restMs = this.#pace.restMs()
      if (restMs > 0) await sleep(restMs)
      const asked = this.#waiting
      this.#waiting = []
      const owners = await this.#look(asked.map(({ peer }) => peer))
      for (const [index, { tell }] of asked.entries()) tell(owners[index] ?? 'unknown')
    }
    this.#isBusy = false
  }

  /** A table that cannot be read tells nobody's name, and who has none is not served. */
  async #look(peers: readonly Peer[]): Promise<readonly Owner[]> {
    try {
      const { owners, spentMs } = await this.#looker.look(peers)
      this.#pace.spend(spentMs)
      return owners
    } catch (error) {
      this.#log.warn('The table of sockets cannot be read: who has no key is refused', { cause: String(error) })
      return []
    }
  }
}
