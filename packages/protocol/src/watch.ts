/** What a change can be of. */
export const WATCH_KINDS = ['agent', 'topic', 'turn', 'event', 'delivery', 'approval', 'webhook', 'node'] as const

export type WatchKind = (typeof WATCH_KINDS)[number]

/** Something is another than it was: it says where to look, never what is there. */
export interface WatchChange {
  readonly seq: number
  readonly kind: WatchKind
  readonly id: string
  readonly agent_id: string
  readonly deleted?: true
}

/** What `GET /watch` says. */
export type WatchNews =
  /** The place at which the stream begins. */
  | { readonly type: 'ready'; readonly seq: number }
  /** What changed before this place is not known: everything is to be looked at anew. */
  | { readonly type: 'reset'; readonly seq: number }
  | ({ readonly type: 'change' } & WatchChange)
  /** New text of a turn; `offset` is the bytes of UTF-8 before it. */
  | { readonly type: 'text'; readonly turn_id: string; readonly offset: number; readonly text: string }
  | { readonly type: 'ping'; readonly t: string }
