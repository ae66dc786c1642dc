import { invalid, LIMITS, type Parsed, valid } from '@string-os/protocol'
import type { Watched } from '../../watch/watch.ts'
import type { OrdinaryExchange, Services } from '../route.ts'
import { beginStream, retryAfter, sendError } from '../serve/respond.ts'

/** What changes, over all agents, and the text of the turns that are followed. */
export async function watchAll(exchange: OrdinaryExchange, { watch }: Services): Promise<void> {
  const { request, response, query } = exchange
  const given = query()
  const last = request.headers['last-event-id']
  const since = sinceOf(typeof last === 'string' ? last : given.get('since'))
  if (!since.ok) return sendError(response, 400, since.error)
  const follow = followOf(given.get('follow') ?? '')
  if (!follow.ok) return sendError(response, 400, follow.error)
  await watch.begun()
  if (response.destroyed) return
  if (watch.isFull) return sendError(response, 503, `There are ${LIMITS.watchStreams} streams already`, retryAfter(5))
  beginStream(response)
  const outlet = {
    write: (bytes: Buffer) => response.write(bytes),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  }
  const { drained, remove } = watch.add(outlet, { since: since.value, follow: follow.value })
  response.on('drain', drained)
  response.once('close', remove)
}

function sinceOf(text: string | null): Parsed<number | null> {
  if (text === null || text === '') return valid(null)
  const seq = Number(text)
  // What no daemon has ever said is a place that is not known.
  return /^\d+$/.test(text) ? valid(Number.isSafeInteger(seq) ? seq : 0) : invalid('"since" must be a place, a number')
}

/** `trn_a,trn_b:120`: the second one from its 120th byte on. */
function followOf(text: string): Parsed<Watched['follow']> {
  const follow = new Map<string, number | null>()
  for (const each of text.split(',').filter((part) => part !== '')) {
    const [, id, bytes] = /^(trn_[\w-]{1,64})(?::(\d{1,15}))?$/.exec(each) ?? []
    if (id === undefined) return invalid('"follow" must name turns: trn_a,trn_b:120 (from its 120th byte on)')
    follow.set(id, bytes === undefined ? null : Number(bytes))
  }
  if (follow.size > LIMITS.watchedTurns) return invalid(`"follow" names more than ${LIMITS.watchedTurns} turns`)
  return valid(follow)
}
