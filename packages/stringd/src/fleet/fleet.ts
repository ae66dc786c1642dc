import { randomBytes } from 'node:crypto'
import { LIMITS, type NodeView } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { JoiningNode, NodeRow } from '../store/groups/nodes.ts'
import { isoTime } from '../store/iso-time.ts'
import { StoreRefused } from '../store/refused.ts'
import type { Store } from '../store/store.ts'
import type { Residence } from './residence.ts'

export interface FleetParts {
  readonly store: Store
  readonly node: Omit<JoiningNode, 'boot'>
  readonly residence: Residence
  /** What this node has to do, as far as it knows itself. */
  readonly counts: () => { readonly agents: number; readonly running: number; readonly waiting: number }
  /** Whether it takes turns has changed. */
  readonly onDrain: (isDraining: boolean) => void
  /** Each time it was heard of, and when another node says that there is something to do. */
  readonly onBeat: () => void
  /** Turns of a node that is lost were given up. */
  readonly onSwept: () => void
  /** Something about an agent that lives here may be another than it was. */
  readonly onAgent: (agentId: string) => void
  readonly changed: (node: string) => void
  /** A node came or was lost: what it changed at last nobody may have heard. */
  readonly onCrowd: () => void
  /** Another daemon has this node's id. */
  readonly onRefused: (error: StoreRefused) => void
  readonly log: Log
}

/** Nodes that are listed for each beat. */
const NODES_A_BEAT = 20

/**
 * This daemon among those that share a store. It says that it lives, by the clock of the store, ends what others left, and
 * knows the others. Where the store is its own file there is nobody to tell, and nothing is written.
 */
export class Fleet {
  readonly #parts: FleetParts
  readonly #boot = randomBytes(8).toString('hex')
  #name: string
  #isJoined = false
  #isDraining = false
  #isStopped = false
  #isBeating = false
  #lastBeat = 0
  #beatsToLook = 0
  /** What was told of each node last. */
  #shown = new Map<string, string>()
  /** Which daemons there are, and which are lost. */
  #crowd = ''
  #timer: NodeJS.Timeout | undefined
  #said: Promise<void> = Promise.resolve()

  constructor(parts: FleetParts) {
    this.#parts = parts
    this.#name = parts.node.name
  }

  get id(): string {
    return this.#parts.node.id
  }

  get name(): string {
    return this.#name
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  get isAlone(): boolean {
    return this.#parts.store.kind === 'sqlite'
  }

  /** Takes its place, and agrees with the others about who lives where. Refused: another daemon has its id. */
  async join(): Promise<void> {
    if (this.#isJoined) return
    const { store, node, residence } = this.#parts
    const joined = await store.nodes.join({ ...node, boot: this.#boot })
    if (!joined.ok) throw new StoreRefused(joined.error)
    this.#name = joined.name
    await residence.agree()
    await this.#lookAtNodes()
    this.#isJoined = true
    this.#lastBeat = performance.now()
  }

  /** Says that it lives, from now on. */
  start(): void {
    if (this.isAlone) return
    const { store, residence, onAgent, log } = this.#parts
    const failed = (error: unknown): void =>
      log.debug('What another node told could not be read', { cause: String(error) })
    store.onSign(({ kind, id }) => {
      if (!this.#isJoined) return
      if (kind === 'node') this.#lookAtNodes().catch(failed)
      if (kind === 'agent') residence.look(id).then(() => onAgent(id), failed)
    })
    this.#timer = setInterval(() => void this.#beat(), LIMITS.nodeBeatMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    if (this.#isJoined) await this.#say('stopped').catch(() => undefined)
  }

  async drain(isDraining: boolean): Promise<void> {
    this.#isDraining = isDraining
    this.#parts.onDrain(isDraining)
    if (this.#isJoined) await this.#say(isDraining ? 'draining' : 'up')
    this.#parts.changed(this.#name)
  }

  /** All nodes; where there is but one, this one. */
  async nodes(): Promise<NodeView[]> {
    const nodes = this.isAlone ? [] : await this.#parts.store.nodes.list(LIMITS.listedNodes)
    return (nodes.length === 0 ? [this.#self()] : nodes).map((node) => viewNode(node, node.id === this.id))
  }

  /** The name of a node, as far as it was heard of. */
  nameOf(id: string): string {
    if (id === this.id) return this.#name
    return this.#names.get(id) ?? id
  }

  readonly #names = new Map<string, string>()

  #self(): NodeRow {
    const { node, counts } = this.#parts
    const { agents, running, waiting } = counts()
    const state = this.#isDraining ? 'draining' : 'up'
    const { id, version } = node
    return {
      id,
      boot: this.#boot,
      name: this.#name,
      state,
      version,
      heartbeatAgeMs: 0,
      agents,
      running,
      waiting,
      oldestWaitingMs: null,
    }
  }

  /** One after the other: a beat that is on its way must not undo what is said after it. */
  #say(state: 'up' | 'draining' | 'stopped'): Promise<void> {
    const said = this.#said.then(() => this.#tellState(state))
    this.#said = said.catch(() => undefined)
    return said
  }

  async #tellState(state: 'up' | 'draining' | 'stopped'): Promise<void> {
    const { store, node, onRefused } = this.#parts
    if (await store.nodes.beat(node.id, this.#boot, state)) return
    onRefused(new StoreRefused(`Another daemon uses the id of this data folder (node ${this.#name})`))
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isStopped || !this.#isJoined) return
    this.#isBeating = true
    const { store, residence, onBeat, onSwept, log } = this.#parts
    try {
      await this.#say(this.#isDraining ? 'draining' : 'up')
      const now = performance.now()
      // Who was not heard of for so long may have lost agents to others.
      const wasLost = now - this.#lastBeat > LIMITS.nodeLostMs
      this.#lastBeat = now
      if (wasLost) await residence.agree()
      const swept = await store.relay.sweep(isoTime(Date.now()), LIMITS.removedAtOnce)
      if (swept.length > 0) onSwept()
      // Of very many nodes the list is long: were it read by all of them every time, nothing else would be.
      this.#beatsToLook -= 1
      if (this.#beatsToLook < 0) await this.#lookAtNodes()
      onBeat()
    } catch (error) {
      log.debug('The heartbeat of this node could not be stored', { cause: String(error) })
    } finally {
      this.#isBeating = false
    }
  }

  async #lookAtNodes(): Promise<void> {
    const { store, changed, onCrowd } = this.#parts
    const nodes = await store.nodes.list(LIMITS.listedNodes)
    const shown = new Map<string, string>()
    for (const { id, name, state, agents, running, waiting } of nodes) {
      this.#names.set(id, name)
      shown.set(name, [state, agents, running, waiting].join(' '))
    }
    this.#beatsToLook = Math.floor(nodes.length / NODES_A_BEAT)
    const before = this.#shown
    this.#shown = shown
    for (const [name, text] of shown) if (before.get(name) !== text) changed(name)
    const crowd = nodes.map(({ id, boot, state }) => `${id} ${boot} ${state === 'lost'}`).join()
    if (this.#crowd !== '' && crowd !== this.#crowd) onCrowd()
    this.#crowd = crowd
  }
}

function viewNode(node: NodeRow, isHere: boolean): NodeView {
  return {
    name: node.name,
    id: node.id,
    state: node.state,
    heartbeat_age_s: Math.round(node.heartbeatAgeMs / 100) / 10,
    agents: node.agents,
    running: node.running,
    waiting: node.waiting,
    oldest_waiting_s: node.oldestWaitingMs === null ? null : Math.round(node.oldestWaitingMs / 100) / 10,
    version: node.version,
    here: isHere,
  }
}
