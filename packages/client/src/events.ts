import { type EventView, parseJson } from '@string-os/protocol'
import { type Answer, asFields } from './call.ts'
import { reopenedStream } from './reopened-stream.ts'

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined
  /** The id of the last event that is known already; without it, only new ones come. */
  readonly after?: string | undefined
  /** Also for a daemon that does not run yet; without it, that is an `UnreachableError`. */
  readonly waits?: boolean | undefined
  /** Told each time that the stream broke and is opened again, and why. */
  readonly onLost?: ((reason: string) => void) | undefined
}

/** Opens the stream; `after` goes into `Last-Event-ID`. */
type Connect = (after: string | null, isAgain: boolean) => Promise<Answer>

/** Every event once and in order. A stream that breaks is opened again where it broke. */
export async function* followEvents(
  connect: Connect,
  { after, ...reopening }: FollowOptions,
): AsyncGenerator<EventView> {
  let last = after ?? null
  for await (const { event, data, id } of reopenedStream((isAgain) => connect(last, isAgain), reopening)) {
    // Every message may move the place at which to go on.
    last = id ?? last
    const value = event === 'event' ? parseJson(data) : null
    if (isEvent(value)) yield value
  }
}

function isEvent(value: unknown): value is EventView {
  const { id, text } = asFields(value)
  return typeof id === 'string' && typeof text === 'string'
}
