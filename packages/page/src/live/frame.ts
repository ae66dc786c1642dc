import type { WatchChange } from '@string-os/protocol'

/** Something that the store holds has changed: what to look at, never what is there. */
export type Change = WatchChange

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

/** How the page is connected, as it is shown; the time in ms. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly since: number }
