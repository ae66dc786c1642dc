import type { Change, Connection, Frame, Text } from './frame.ts'

/** The daemon says something every 15 s, so a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

export interface WatchEvents {
  readonly onFrame: (frame: Frame) => void
  readonly onConnection: (connection: Connection) => void
  readonly onSeq: (seq: number) => void
}

/** One `GET /watch` that is kept open: after a break it goes on where it was. */
export class WatchStream {
  readonly #events: WatchEvents
  #source: EventSource | null = null
  #follow: readonly string[] = []
  /** How much of the text of each turn came, in bytes. */
  readonly #offsets = new Map<string, number>()
  #seq: number | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #lostAt: number | null = null
  #pauseMs = FIRST_PAUSE_MS

  constructor(seq: number | null, events: WatchEvents) {
    this.#seq = seq
    this.#events = events
  }

  /** Follows the text of these turns from now on. */
  follow(turns: readonly string[]): void {
    if (this.#source !== null && turns.join() === this.#follow.join()) return
    this.#follow = turns
    for (const turn of this.#offsets.keys()) if (!turns.includes(turn)) this.#offsets.delete(turn)
    this.open()
  }

  open(): void {
    this.#close()
    const since = this.#seq === null ? [] : [`since=${this.#seq}`]
    const turns = this.#follow.map((turn) => `${encodeURIComponent(turn)}:${this.#offsets.get(turn) ?? 0}`)
    const given = [...since, ...(turns.length === 0 ? [] : [`follow=${turns.join(',')}`])].join('&')
    const source = new EventSource(given === '' ? '/watch' : `/watch?${given}`)
    this.#source = source
    const heard = <T>(name: string, take: (data: T) => void): void =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        this.#stillThere()
        take(JSON.parse(event.data) as T)
      })
    heard<{ seq: number }>('ready', ({ seq }) => this.#isReady(seq))
    heard<Change>('change', (change) => {
      this.#advance(change.seq)
      this.#events.onFrame({ kind: 'change', change })
    })
    heard<Text>('text', (text) => {
      this.#offsets.set(text.turn_id, text.offset + byteLength(text.text))
      this.#events.onFrame({ kind: 'text', text })
    })
    heard<{ seq: number }>('reset', ({ seq }) => {
      this.#advance(seq)
      this.#events.onFrame({ kind: 'reset' })
    })
    heard('ping', () => undefined)
    source.addEventListener('error', () => this.#lost())
    this.#stillThere()
  }

  close(): void {
    this.#close()
  }

  #isReady(seq: number): void {
    this.#advance(seq)
    this.#pauseMs = FIRST_PAUSE_MS
    this.#lostAt = null
    this.#events.onConnection({ kind: 'live' })
  }

  #advance(seq: number): void {
    this.#seq = seq
    this.#events.onSeq(seq)
  }

  #stillThere(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#lost(), SILENCE_MS)
  }

  #lost(): void {
    this.#close()
    this.#lostAt ??= Date.now()
    this.#events.onConnection({ kind: 'lost', since: this.#lostAt, nextTry: Date.now() + this.#pauseMs })
    this.#timer = setTimeout(() => this.open(), this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#source?.close()
    this.#source = null
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
