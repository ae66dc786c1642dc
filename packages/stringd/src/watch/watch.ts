import { setImmediate as nextRound } from 'node:timers/promises'
import { encodeSse, LIMITS, type WatchChange } from '@string-os/protocol'
import type { Log } from '../log.ts'
import { type Change, ChangeLog, thingOf } from './change-log.ts'
import { newText, PendingText, type Said, type TextPiece, type TextPlace, textFrame } from './pending-text.ts'

/** Where the news of a watcher go. */
export interface WatchOutlet {
  /** False when the reader is behind; `drained` is called once it has caught up. */
  readonly write: (bytes: Buffer) => boolean
  readonly end: () => void
  /** Ends it at once, whatever was not read. */
  readonly cut: () => void
}

/** What somebody wants to hear. */
export interface Watched {
  /** The last place that is known; null: only what is new. */
  readonly since: number | null
  /** Turns whose text is told, with the bytes that are known of it; null: only what is new. */
  readonly follow: ReadonlyMap<string, number | null>
}

/** The text of a turn that runs, as far as it is kept; null of any other. */
export type TextOf = (turnId: string) => (TextPlace & { readonly text: string }) | null

export interface WatchParts {
  readonly textOf: TextOf
  /** Raises the place above those that were used before. */
  readonly begin: (watch: Watch) => Promise<void>
  readonly log: Log
}

interface Watcher {
  readonly outlet: WatchOutlet
  /** The last place that was told. */
  cursor: number
  /** Of each turn that it follows, how much it has. */
  readonly follows: Map<string, TextPlace>
  /** Since when it does not keep up; then nothing is kept for it. */
  behindSince: number | null
}

/**
 * Tells whoever watches what has changed, in the order of its places. Nothing is recorded while nobody watches, and nobody
 * waits for a reader: one that is behind gets the last change of each thing when it has caught up, or is cut off.
 */
export class Watch {
  readonly #changes = new ChangeLog(Date.now() * 1_000)
  readonly #pending = new Map<string, WatchChange>()
  readonly #texts = new PendingText()
  readonly #watchers = new Set<Watcher>()
  readonly #followed = new Map<string, number>()
  readonly #parts: WatchParts
  #begun: Promise<void> | null = null
  readonly #pings: NodeJS.Timeout
  #isRecording = false
  #onRecording: () => void = () => undefined
  #forgetting: NodeJS.Timeout | undefined
  #flushing: NodeJS.Timeout | NodeJS.Immediate | null = null
  /** On the clock of `performance`: before it nothing more is told. */
  #quietUntil = 0

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#pings = setInterval(() => this.#ping(), LIMITS.eventPingMs).unref()
  }

  /** Resolves when the places of an earlier daemon are known; they are asked for when somebody watches first. */
  begun(): Promise<void> {
    this.#begun ??= this.#parts.begin(this)
    return this.#begun
  }

  get seq(): number {
    return this.#changes.seq
  }

  /** Somebody watches, or did a moment ago. */
  get isRecording(): boolean {
    return this.#isRecording
  }

  /** `listener` hears when somebody watches of whom nobody knew. */
  onRecording(listener: () => void): void {
    this.#onRecording = listener
  }

  /** What has changed is not known: everybody looks at everything. */
  reset(): void {
    if (!this.#isRecording) return
    this.#changes.restart()
    for (const watcher of this.#watchers) if (watcher.behindSince === null) this.#catchUp(watcher)
  }

  get isFull(): boolean {
    return this.#watchers.size >= LIMITS.watchStreams
  }

  /** An earlier daemon has used places up to here. */
  raise(seq: number): void {
    if (seq <= this.#changes.seq) return
    this.#changes.restart(seq)
    for (const watcher of this.#watchers) this.#catchUp(watcher)
  }

  readonly changed = (change: Change): void => {
    if (!this.#isRecording) return
    const told = this.#changes.add(change)
    const key = thingOf(told)
    this.#pending.delete(key)
    this.#pending.set(key, told)
    this.#schedule()
  }

  readonly said = (said: Said): void => {
    if (!this.#followed.has(said.turnId)) return
    this.#texts.add(said)
    this.#schedule()
  }

  /** Begins a stream. */
  add(outlet: WatchOutlet, { since, follow }: Watched): { drained: () => void; remove: () => void } {
    this.#record()
    const isKnown = since !== null && this.#changes.knows(since)
    const cursor = isKnown ? since : this.#changes.seq
    const watcher: Watcher = { outlet, cursor, follows: this.#placesOf(follow), behindSince: null }
    this.#watchers.add(watcher)
    for (const turnId of follow.keys()) this.#followed.set(turnId, (this.#followed.get(turnId) ?? 0) + 1)
    this.#write(watcher, frame('ready', { seq: cursor }, cursor))
    if (since !== null && !isKnown) this.#write(watcher, frame('reset', { seq: cursor }, cursor))
    if (watcher.behindSince === null) this.#catchUp(watcher)
    return { drained: () => this.#drained(watcher), remove: () => this.#remove(watcher) }
  }

  /** Ends all streams. */
  end(): void {
    clearInterval(this.#pings)
    for (const watcher of this.#watchers) {
      this.#remove(watcher)
      watcher.outlet.end()
    }
    clearTimeout(this.#forgetting)
  }

  #record(): void {
    clearTimeout(this.#forgetting)
    if (this.#isRecording) return
    this.#changes.restart()
    this.#isRecording = true
    this.#onRecording()
  }

  #placesOf(follow: Watched['follow']): Map<string, TextPlace> {
    const placeOf = (turnId: string, known: number | null): TextPlace => {
      const { run, bytes } = this.#parts.textOf(turnId) ?? NO_TEXT
      // Who has more than there is has it from an earlier run.
      return { run, bytes: known === null ? bytes : known > bytes ? 0 : known }
    }
    return new Map([...follow].map(([turnId, known]) => [turnId, placeOf(turnId, known)]))
  }

  #remove(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return
    for (const turnId of watcher.follows.keys()) {
      const others = (this.#followed.get(turnId) ?? 1) - 1
      if (others === 0) this.#followed.delete(turnId)
      else this.#followed.set(turnId, others)
    }
    if (this.#watchers.size > 0) return
    // Whoever comes back soon, as after a reload, has missed nothing.
    this.#forgetting = setTimeout(() => this.#forget(), LIMITS.watchKeepMs).unref()
  }

  #forget(): void {
    this.#isRecording = false
    this.#pending.clear()
    this.#changes.restart()
  }

  #schedule(): void {
    if (this.#flushing !== null) return
    const wait = this.#quietUntil - performance.now()
    const flush = (): void => void this.#flush()
    this.#flushing = wait <= 0 ? setImmediate(flush) : setTimeout(flush, wait).unref()
  }

  /** Tells everybody who keeps up. The more it costs the longer it is until the next: commands come first. */
  async #flush(): Promise<void> {
    const changes = [...this.#pending.values()]
    this.#pending.clear()
    const texts = this.#texts.take()
    const batch = { changes, bytes: framesOf(changes), texts }
    let busyMs = 0
    let began = performance.now()
    let told = 0
    for (const watcher of this.#watchers) {
      this.#tell(watcher, batch)
      told += 1
      if (told % TOLD_AT_ONCE !== 0) continue
      busyMs += performance.now() - began
      await nextRound()
      began = performance.now()
    }
    busyMs += performance.now() - began
    this.#quietUntil = performance.now() + Math.max(LIMITS.watchPauseMs, busyMs * 9)
    this.#flushing = null
    if (this.#pending.size > 0 || !this.#texts.isEmpty) this.#schedule()
  }

  #tell(watcher: Watcher, { changes, bytes, texts }: Batch): void {
    if (watcher.behindSince !== null) return
    const last = changes.at(-1)?.seq ?? 0
    if (last > watcher.cursor) {
      const isAllNew = (changes[0]?.seq ?? 0) > watcher.cursor
      const own = isAllNew ? bytes : framesOf(changes.filter(({ seq }) => seq > watcher.cursor))
      watcher.cursor = last
      this.#write(watcher, own)
    }
    if (texts.size === 0) return
    for (const turnId of watcher.follows.keys()) {
      for (const piece of texts.get(turnId) ?? []) this.#tellText(watcher, turnId, piece)
    }
  }

  #tellText(watcher: Watcher, turnId: string, piece: TextPiece): void {
    const told = watcher.behindSince === null ? newText(piece, watcher.follows.get(turnId) ?? NO_TEXT) : null
    if (told === null) return
    watcher.follows.set(turnId, { run: piece.run, bytes: piece.end })
    this.#write(watcher, textFrame(turnId, told.offset, told.text))
  }

  #write(watcher: Watcher, bytes: Buffer): void {
    if (!watcher.outlet.write(bytes)) watcher.behindSince ??= performance.now()
  }

  #drained(watcher: Watcher): void {
    if (watcher.behindSince === null) return
    watcher.behindSince = null
    this.#catchUp(watcher)
  }

  /** What it has missed, from the log; where that does not know, it has to look at everything. */
  #catchUp(watcher: Watcher): void {
    for (;;) {
      const missed = this.#changes.since(watcher.cursor, TOLD_AT_ONCE)
      if (missed === null) {
        watcher.cursor = this.#changes.seq
        this.#write(watcher, frame('reset', { seq: watcher.cursor }, watcher.cursor))
      } else if (missed.length === 0) break
      else {
        watcher.cursor = missed.at(-1)?.seq ?? watcher.cursor
        this.#write(watcher, framesOf(missed))
      }
      if (watcher.behindSince !== null) return
    }
    for (const [turnId, known] of watcher.follows) this.#catchUpText(watcher, turnId, known)
  }

  #catchUpText(watcher: Watcher, turnId: string, known: TextPlace): void {
    const found = this.#parts.textOf(turnId)
    if (found === null || watcher.behindSince !== null) return
    const { run, bytes } = found
    const told = newText({ run, offset: 0, end: bytes, text: found.text }, known)
    watcher.follows.set(turnId, { run, bytes })
    if (told !== null && told.text !== '') this.#write(watcher, textFrame(turnId, told.offset, told.text))
  }

  #ping(): void {
    const bytes = frame('ping', { t: new Date().toISOString() })
    const stalled = performance.now() - LIMITS.subscriberStallMs
    for (const watcher of this.#watchers) {
      if (watcher.behindSince === null) this.#write(watcher, bytes)
      else if (watcher.behindSince < stalled) this.#cut(watcher)
    }
  }

  #cut(watcher: Watcher): void {
    this.#remove(watcher)
    watcher.outlet.cut()
    this.#parts.log.info('A watcher that does not read was cut off')
  }
}

interface Batch {
  readonly changes: readonly WatchChange[]
  /** All of them, for those who have none of them yet. */
  readonly bytes: Buffer
  readonly texts: ReadonlyMap<string, readonly TextPiece[]>
}

const NO_TEXT: TextPlace = { run: 0, bytes: 0 }

/** Between them others have their turn. */
const TOLD_AT_ONCE = 100

function framesOf(changes: readonly WatchChange[]): Buffer {
  return Buffer.from(changes.map((change) => encodeSse('change', change, String(change.seq))).join(''))
}

function frame(name: string, data: object, seq?: number): Buffer {
  return Buffer.from(encodeSse(name, data, seq === undefined ? undefined : String(seq)))
}
