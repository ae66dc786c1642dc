import { type ReadonlySignal, signal } from '@preact/signals'
import type { Change, Connection, Frame, Text } from './frame.ts'
import { Tabs } from './tabs.ts'

/** Null: whatever is shown may be stale. */
type OnChange = (change: Change | null) => void
type OnText = (text: Text) => void

/** How long a stream may take to open before everything else is asked for without it. */
const SETTLE_MS = 1_500

/** What the daemon says by itself, for whoever in this tab listens. */
export class Live {
  readonly #connection = signal<Connection>({ kind: 'connecting' })
  readonly #changes = new Set<OnChange>()
  readonly #texts = new Map<string, Set<OnText>>()
  readonly #tabs = new Tabs({
    onFrame: (frame) => this.#take(frame),
    onConnection: (connection) => this.#isConnected(connection),
  })

  /**
   * Heard from the daemon, or known that there is none: only then something is asked for, so that no change falls between an
   * answer and the stream.
   */
  readonly settled: Promise<void>
  #settle: () => void = () => undefined
  /** Something was asked for while no stream was open. */
  #isStale = false

  constructor() {
    this.settled = new Promise((resolve) => {
      this.#settle = resolve
    })
    setTimeout(() => {
      this.#isStale = this.#connection.peek().kind === 'connecting'
      this.#settle()
    }, SETTLE_MS)
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection
  }

  onChange(listener: OnChange): () => void {
    this.#changes.add(listener)
    return () => this.#changes.delete(listener)
  }

  /** Hears the text of a turn as it comes, until the returned function is called. */
  follow(turn: string, listener: OnText): () => void {
    const listeners = this.#texts.get(turn) ?? new Set()
    listeners.add(listener)
    this.#texts.set(turn, listeners)
    this.#tabs.follow([...this.#texts.keys()])
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#texts.get(turn) !== listeners) return
      this.#texts.delete(turn)
      this.#tabs.follow([...this.#texts.keys()])
    }
  }

  retry(): void {
    this.#tabs.retry()
  }

  #isConnected(connection: Connection): void {
    this.#connection.value = connection
    if (connection.kind !== 'connecting') this.#settle()
    if (connection.kind === 'lost') this.#isStale = true
    if (connection.kind !== 'live' || !this.#isStale) return
    this.#isStale = false
    this.#tell(null)
  }

  #take(frame: Frame): void {
    if (frame.kind === 'reset') this.#tell(null)
    else if (frame.kind === 'change') this.#tell(frame.change)
    else for (const listener of this.#texts.get(frame.text.turn_id) ?? []) listener(frame.text)
  }

  #tell(change: Change | null): void {
    for (const listener of this.#changes) listener(change)
  }
}
