import type { Answer, Call } from './call.ts'

/** What a group of calls needs of the client. */
export interface Caller {
  /** Asks for one JSON value. */
  readonly json: <T>(call: Call) => Promise<T>
  /** A path of this program as one that means the same to the daemon. */
  readonly absolute: (path: string) => string
  /** Opens a stream of events; whatever the status is. One that is opened again starts no daemon. */
  readonly stream: (path: string, signal: AbortSignal | undefined, isAgain: boolean) => Promise<Answer>
}

/** Which part of a list. */
export interface ListPart {
  readonly limit?: number | undefined
  /** Older than this one: the last of a part leads to the next. */
  readonly before?: string | undefined
}

/** `/agents/a%2Bb/turns` of `['agents', 'a+b', 'turns']`. */
export function pathOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** `?a=1&b=2`, of those that have a value. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}
