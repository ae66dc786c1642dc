import type { Connection, Frame } from './frame.ts'
import { WatchStream } from './watch-stream.ts'

/** What the tabs of a browser tell each other. */
type Said =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'state'; readonly connection: Connection; readonly seq: number | null }
  | { readonly kind: 'wants'; readonly tab: string; readonly turns: readonly string[] }
  | { readonly kind: 'gone'; readonly tab: string }
  | { readonly kind: 'leads' }
  | { readonly kind: 'retry' }

export interface TabEvents {
  readonly onFrame: (frame: Frame) => void
  readonly onConnection: (connection: Connection) => void
}

/** A tab that says nothing for so long is gone; those in the background speak once a minute. */
const TAB_MS = 150_000
const SAY_AGAIN_MS = 45_000

/**
 * The one stream of a browser: the tab that has the lock keeps it open and passes on what it hears; when that tab closes the
 * browser gives the lock to another, which goes on where it was. A browser opens six connections to one origin, so a stream for
 * each tab would hang the seventh.
 */
export class Tabs {
  readonly #tab = crypto.randomUUID()
  readonly #channel = new BroadcastChannel('string')
  readonly #events: TabEvents
  readonly #wants = new Map<string, { readonly turns: readonly string[]; readonly at: number }>()
  #own: readonly string[] = []
  #stream: WatchStream | null = null
  #connection: Connection = { kind: 'connecting' }
  #seq: number | null = null

  constructor(events: TabEvents) {
    this.#events = events
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Said>) => this.#hear(data))
    addEventListener('pagehide', () => this.#say({ kind: 'gone', tab: this.#tab }))
    // A page that comes back from the browser's cache wants again what it wanted.
    addEventListener('pageshow', () => this.#sayWants())
    setInterval(() => this.#sayWants(), SAY_AGAIN_MS)
    void navigator.locks.request('string-watch', () => this.#lead())
    this.#sayWants()
  }

  /** The text of these turns is wanted here. */
  follow(turns: readonly string[]): void {
    this.#own = turns
    this.#sayWants()
  }

  /** Tries at once instead of when its time comes. */
  retry(): void {
    if (this.#stream === null) this.#say({ kind: 'retry' })
    else this.#stream.open()
  }

  /** The lock is held until the page is gone. */
  #lead(): Promise<never> {
    this.#stream = new WatchStream(this.#seq, {
      onFrame: (frame) => {
        this.#say({ kind: 'frame', frame })
        this.#events.onFrame(frame)
      },
      onConnection: (connection) => this.#isConnected(connection),
      onSeq: (seq) => {
        this.#seq = seq
      },
    })
    this.#say({ kind: 'leads' })
    this.#stream.follow(this.#wanted())
    return new Promise(() => undefined)
  }

  #isConnected(connection: Connection): void {
    this.#connection = connection
    this.#say({ kind: 'state', connection, seq: this.#seq })
    this.#events.onConnection(connection)
    // What was wanted while there was no connection.
    if (connection.kind === 'live') this.#stream?.follow(this.#wanted())
  }

  #hear(said: Said): void {
    if (this.#stream === null) this.#hearLeader(said)
    else this.#hearTab(said, this.#stream)
  }

  #hearLeader(said: Said): void {
    if (said.kind === 'leads') this.#sayWants()
    if (said.kind === 'frame') {
      if (said.frame.kind === 'change') this.#seq = said.frame.change.seq
      this.#events.onFrame(said.frame)
    }
    if (said.kind === 'state') {
      this.#connection = said.connection
      this.#seq = said.seq
      this.#events.onConnection(said.connection)
    }
  }

  #hearTab(said: Said, stream: WatchStream): void {
    if (said.kind === 'wants') this.#wants.set(said.tab, { turns: said.turns, at: Date.now() })
    else if (said.kind === 'gone') this.#wants.delete(said.tab)
    else if (said.kind === 'retry') return stream.open()
    else return
    if (said.kind === 'wants') this.#say({ kind: 'state', connection: this.#connection, seq: this.#seq })
    if (this.#connection.kind !== 'lost') stream.follow(this.#wanted())
  }

  #wanted(): string[] {
    const now = Date.now()
    for (const [tab, { at }] of this.#wants) if (now - at > TAB_MS) this.#wants.delete(tab)
    const all = [...this.#own, ...[...this.#wants.values()].flatMap(({ turns }) => turns)]
    return [...new Set(all)].sort()
  }

  #sayWants(): void {
    if (this.#stream === null) this.#say({ kind: 'wants', tab: this.#tab, turns: this.#own })
    else this.#stream.follow(this.#wanted())
  }

  #say(said: Said): void {
    this.#channel.postMessage(said)
  }
}
