import { LIMITS } from '@string-os/protocol'
import type { SharedChange } from '../store/groups/relay.ts'
import type { Sign, Store } from '../store/store.ts'
import type { Change } from './change-log.ts'
import type { Watch } from './watch.ts'

export interface SharedChangesParts {
  readonly store: Pick<Store, 'kind' | 'relay' | 'onSign'>
  readonly watch: Pick<Watch, 'changed' | 'reset' | 'isRecording' | 'onRecording'>
  readonly nodeId: string
}

/** Of which turn; null: nobody knows of which. */
type TurnListener = (turnId: string | null) => void

/**
 * What changes on one node is told on those where somebody watches. Who watches says so again and again; where nobody does,
 * nothing is told. What changed in the moments before a node heard of it is told then, so that nothing falls between.
 */
export class SharedChanges {
  readonly #parts: SharedChangesParts
  /** The latest changes, while nobody elsewhere wants them. */
  #latest: { readonly change: SharedChange; readonly at: number }[] = []
  /** On the clock of `performance`. */
  #wantedUntil = 0
  readonly #turnListeners = new Set<TurnListener>()
  readonly #wanting: NodeJS.Timeout | null

  constructor(parts: SharedChangesParts) {
    this.#parts = parts
    const { store, watch } = parts
    store.onSign((sign) => this.#hear(sign))
    watch.onRecording(() => this.#want())
    this.#wanting = store.kind === 'sqlite' ? null : setInterval(() => this.#want(), LIMITS.nodeBeatMs).unref()
  }

  /** `listener` hears of turns of other nodes, until the function that is answered is called. */
  readonly onTurn = (listener: TurnListener): (() => void) => {
    this.#turnListeners.add(listener)
    this.#want()
    return () => void this.#turnListeners.delete(listener)
  }

  /** Something was changed by this node. */
  changed({ kind, id, agentId, isDeleted = false }: Change): void {
    const { store } = this.#parts
    // Nodes are looked at by all of them; a topic is seen on its own alone.
    if (store.kind === 'sqlite' || kind === 'topic' || kind === 'node') return
    const change: SharedChange = { of: kind, id, agentId, isDeleted }
    const now = performance.now()
    if (now < this.#wantedUntil) return store.relay.tellChange(change)
    if (this.#latest.length > LIMITS.watchSharedChanges) this.#forget(now)
    if (this.#latest.length <= LIMITS.watchSharedChanges) this.#latest.push({ change, at: now })
  }

  /** Nobody knows what has changed on other nodes. */
  readonly reset = (): void => {
    this.#parts.watch.reset()
    for (const listener of this.#turnListeners) listener(null)
    // Whoever came has not heard of it.
    this.#want()
  }

  stop(): void {
    if (this.#wanting !== null) clearInterval(this.#wanting)
  }

  #hear(sign: Sign): void {
    const { watch, nodeId } = this.#parts
    if (sign.kind === 'store') this.reset()
    else if (sign.kind === 'watcher' && sign.id !== nodeId) this.#wanted()
    else if (sign.kind === 'change') {
      const { of, id, agentId, isDeleted } = sign
      if (of === 'all') return this.reset()
      watch.changed({ kind: of, id, agentId, isDeleted })
      if (of === 'turn') for (const listener of this.#turnListeners) listener(id)
    }
  }

  #want(): void {
    const { store, watch, nodeId } = this.#parts
    if (watch.isRecording || this.#turnListeners.size > 0) store.relay.wantChanges(nodeId)
  }

  #wanted(): void {
    const now = performance.now()
    const { relay } = this.#parts.store
    if (now >= this.#wantedUntil) {
      this.#forget(now)
      const latest = this.#latest.map(({ change }) => change)
      this.#latest = []
      for (const change of latest.length > LIMITS.watchSharedChanges ? [ALL] : latest) relay.tellChange(change)
    }
    this.#wantedUntil = now + LIMITS.watchWantedMs
  }

  #forget(now: number): void {
    const first = this.#latest.findIndex(({ at }) => at > now - LIMITS.watchHeardMs)
    this.#latest = first === -1 ? [] : this.#latest.slice(first)
  }
}

const ALL: SharedChange = { of: 'all', id: '', agentId: '', isDeleted: false }
