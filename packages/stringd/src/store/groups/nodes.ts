/** A daemon among those that share a store. */
export interface NodeRow {
  /** Of its data folder. */
  readonly id: string
  /** Of its process. */
  readonly boot: string
  readonly name: string
  readonly state: NodeState
  readonly version: string
  /** By the clock of the store. */
  readonly heartbeatAgeMs: number
  readonly agents: number
  readonly running: number
  readonly waiting: number
  readonly oldestWaitingMs: number | null
}

/** `lost`: it said nothing for too long; `stopped`: it said that it ends. */
export type NodeState = 'up' | 'draining' | 'stopped' | 'lost'

export interface JoiningNode {
  readonly id: string
  /** Of this process: another one under the same id is another daemon. */
  readonly boot: string
  /** Of the data folder: whoever has the same has its lock, so that the daemon before is gone. */
  readonly place: string
  /** As it wants to be called. */
  readonly name: string
  readonly version: string
}

export type Joined = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly error: string }

export interface NodeStore {
  /** Answers under which name. Refused while another daemon lives under this id, as with a copied data folder. */
  join(node: JoiningNode): Promise<Joined>
  /** It lives. False: another daemon has its id. */
  beat(id: string, boot: string, state: 'up' | 'draining' | 'stopped'): Promise<boolean>
  /** All, by name. */
  list(limit: number): Promise<NodeRow[]>
}
