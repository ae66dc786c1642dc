import { DEFAULT_AGENT } from '@string-os/protocol'
import type { NodeRow } from './groups/nodes.ts'

/**
 * The agent `default` is each node's own. In the store it has that id for the node which asked first, and `default/NODE` for
 * every other; above, each node calls its own `default`, and those of others `default@NAME`. No agent's id holds a slash.
 */
export class DefaultNames {
  readonly #nodeId: string
  readonly #ask: () => Promise<string>
  readonly #names = new Map<string, string>()
  #owner: string | null = null

  /** `ask` tells whose `default` is in the store. */
  constructor(nodeId: string, ask: () => Promise<string>) {
    this.#nodeId = nodeId
    this.#ask = ask
  }

  /** Resolves when ids can be told apart; that is asked once. */
  async known(): Promise<void> {
    this.#owner ??= await this.#ask()
  }

  get isKnown(): boolean {
    return this.#owner !== null
  }

  learn(nodes: readonly NodeRow[]): void {
    for (const { id, name } of nodes) this.#names.set(id, name)
  }

  /** As the store has it. */
  stored(id: string): string {
    return id === DEFAULT_AGENT && this.#owner !== this.#nodeId ? `${DEFAULT_AGENT}/${this.#nodeId}` : id
  }

  /** As this node calls it. */
  shown(id: string): string {
    if (!isDefault(id)) return id
    const node = id === DEFAULT_AGENT ? (this.#owner ?? this.#nodeId) : id.slice(DEFAULT_AGENT.length + 1)
    return node === this.#nodeId ? DEFAULT_AGENT : `${DEFAULT_AGENT}@${this.#names.get(node) ?? node}`
  }
}

export function isDefault(id: string): boolean {
  return id === DEFAULT_AGENT || id.startsWith(`${DEFAULT_AGENT}/`)
}
