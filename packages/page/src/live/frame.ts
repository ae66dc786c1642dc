/** Something that the store holds has changed: what to look at, never what is there. */
export interface Change {
  readonly seq: number
  readonly kind: string
  readonly id: string
  readonly agent_id: string | null
  readonly deleted?: boolean
}

/** A piece of the text of a turn that is followed; `offset` counts bytes of UTF-8. */
export interface Text {
  readonly turn_id: string
  readonly offset: number
  readonly text: string
}

export type Frame =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'text'; readonly text: Text }
  /** Whatever is shown may be stale. */
  | { readonly kind: 'reset' }

/** How the page is connected, as it is shown; times in ms. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly since: number; readonly nextTry: number }
