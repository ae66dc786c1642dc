import { parseJson, type SseEvent, type WatchNews } from '@string-os/protocol'
import { asFields } from './call.ts'
import { type Caller, queryOf } from './calls.ts'
import { LOST, OPEN, reopenedStream } from './reopened-stream.ts'

export interface WatchAllOptions {
  /** The last place that is known; without it only what is new comes. */
  readonly since?: number | undefined
  /** Turns whose text is wanted: their ids, or how many bytes of each are known already. */
  readonly follow?: Iterable<string | readonly [id: string, bytes: number]> | undefined
  readonly signal?: AbortSignal | undefined
  /** Also for a daemon that does not run yet; without it, that is an `UnreachableError`. */
  readonly waits?: boolean | undefined
}

/** What is heard: news, and how the connection stands. */
export type WatchMessage =
  | WatchNews
  | { readonly type: 'open' }
  /** It is being opened again. */
  | { readonly type: 'lost'; readonly reason: string }

export async function* watchAll(
  stream: Caller['stream'],
  { since, follow = [], signal, waits }: WatchAllOptions,
): AsyncGenerator<WatchMessage> {
  const place = new Place(since, follow)
  const open = (isAgain: boolean): ReturnType<Caller['stream']> =>
    stream(`/watch${queryOf(place.query())}`, signal, isAgain)
  for await (const message of reopenedStream(open, { signal, waits })) {
    const news = readNews(message)
    if (news === null) continue
    place.take(news)
    yield news
  }
}

/** How far the news were heard, which is where the next connection begins. */
class Place {
  #seq: number | undefined
  readonly #known: Map<string, number | null>

  constructor(seq: number | undefined, follow: NonNullable<WatchAllOptions['follow']>) {
    this.#seq = seq
    this.#known = new Map([...follow].map((each) => (typeof each === 'string' ? [each, null] : each)))
  }

  query(): { since: number | undefined; follow: string | undefined } {
    const turns = [...this.#known].map(([id, bytes]) => (bytes === null ? id : `${id}:${bytes}`))
    return { since: this.#seq, follow: turns.length === 0 ? undefined : turns.join(',') }
  }

  take(news: WatchMessage): void {
    if (news.type === 'ready' || news.type === 'reset' || news.type === 'change') this.#seq = news.seq
    if (news.type === 'text') this.#known.set(news.turn_id, news.offset + new TextEncoder().encode(news.text).length)
  }
}

/** Null: nothing that we know, which a newer daemon may say. */
function readNews({ event, data }: SseEvent): WatchMessage | null {
  if (event === OPEN) return { type: 'open' }
  if (event === LOST) return { type: 'lost', reason: data }
  const fields = asFields(parseJson(data))
  // The fields that are relied on here are looked at; the others are the daemon's word, as in every answer.
  return hasFields(event, fields) ? ({ type: event, ...fields } as WatchNews) : null
}

function hasFields(event: string, { seq, turn_id, offset, text, t }: Record<string, unknown>): boolean {
  if (event === 'ready' || event === 'reset' || event === 'change') return typeof seq === 'number'
  if (event === 'text') return typeof turn_id === 'string' && typeof offset === 'number' && typeof text === 'string'
  return event === 'ping' && typeof t === 'string'
}
