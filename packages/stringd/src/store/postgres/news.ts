import { LIMITS } from '@string-os/protocol'
import type { News, Sign } from '../store.ts'
import type { Query, ServerLink, ServerRow } from './link.ts'

const CHANNEL = 'string_news'
/** A payload must have less than 8,000 bytes. */
const PAYLOAD_BYTES = 7_900
/** Under load others hear of many agents at once, not of each event. */
const NOTIFY_MS = 20
const LOOKED_AT_ONCE = 1_000

/** Everything that was committed by a transaction below this number can be seen. */
export const HORIZON = {
  name: 'horizon',
  text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
} as const

export const CHANGED_AGENTS = {
  name: 'changed_agents',
  text: `SELECT id, last_event_id, changed_in::text AS place FROM string.agents WHERE (changed_in, id) > ($1::xid8, $2)
    ORDER BY changed_in, id LIMIT $3`,
} as const

/** The same for all else about an agent of which other nodes are told. */
export const SIGNED_AGENTS = {
  name: 'signed_agents',
  text: `SELECT id, signed_in::text AS place FROM string.agents WHERE (signed_in, id) > ($1::xid8, $2)
    ORDER BY signed_in, id LIMIT $3`,
} as const

const NOTIFY = { name: 'notify', text: `SELECT pg_notify('${CHANNEL}', unnest($1::text[]))` } as const

/**
 * Who has new events. Listeners here hear of what this daemon stored right away; other daemons are told to look (P4).
 * What was told while nobody could hear it is found by looking for what has changed since.
 */
export class NewsDesk {
  readonly #listeners = new Set<(news: News) => void>()
  readonly #signListeners = new Set<(sign: Sign) => void>()
  readonly #onTrouble: (error: unknown) => void
  /** The last event of each agent that listeners know of, since the last look. */
  #told = new Map<string, string>()
  #toTell = new Set<string>()
  #horizon: string | null = null
  #link: ServerLink | null = null
  #isTelling = false
  #timer: NodeJS.Timeout | undefined

  constructor(onTrouble: (error: unknown) => void) {
    this.#onTrouble = onTrouble
  }

  onNews(listener: (news: News) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onSign(listener: (sign: Sign) => void): () => void {
    this.#signListeners.add(listener)
    return () => this.#signListeners.delete(listener)
  }

  /** Other nodes shall look. */
  signed(sign: Sign): void {
    this.#toTell.add(wordOf(sign))
    void this.#tell()
  }

  /** Events that this daemon has stored. */
  stored(all: readonly News[]): void {
    for (const news of all) {
      const last = news.events.at(-1)?.id ?? ''
      this.#toTell.add(news.agentId)
      // Who was told of a later one has looked for this one too.
      if (last <= (this.#told.get(news.agentId) ?? '')) continue
      this.#told.set(news.agentId, last)
      this.#emit(news)
    }
    if (all.length > 0) void this.#tell()
  }

  /** From now on news come over this connection; those that were missed are told now. */
  async listen(link: ServerLink): Promise<void> {
    link.onNotification((payload, isOwn) => {
      if (!isOwn) for (const word of payload.split(' ')) this.#hear(word)
    })
    const until = performance.now() + LIMITS.storeAnswerMs
    await link.run(`LISTEN ${CHANNEL}`, [], until)
    // Nothing is lost with a notification: who did not get it finds what it was about.
    await link.run('SET synchronous_commit = off', [], until)
    const wasThere = this.#horizon !== null
    await this.#look(link)
    this.#link = link
    // What was under way when it went may have been stored or not.
    if (wasThere) for (const listener of this.#signListeners) listener({ kind: 'store', id: '' })
    this.#lookLater(link)
    void this.#tell()
  }

  close(): void {
    this.#link = null
    clearTimeout(this.#timer)
    this.#listeners.clear()
    this.#signListeners.clear()
  }

  #hear(word: string): void {
    const sign = signOf(word)
    if (sign === null) this.#emit({ agentId: word, after: null, events: [] })
    else for (const listener of this.#signListeners) listener(sign)
  }

  #emit(news: News): void {
    for (const listener of this.#listeners) listener(news)
  }

  async #tell(): Promise<void> {
    const link = this.#link
    if (link === null || this.#isTelling || this.#toTell.size === 0) return
    this.#isTelling = true
    const words = this.#toTell
    const payloads = payloadsOf(words)
    this.#toTell = new Set()
    try {
      await link.run(NOTIFY, [payloads], performance.now() + LIMITS.storeAnswerMs)
      await new Promise((resolve) => {
        setTimeout(resolve, NOTIFY_MS)
      })
    } catch (error) {
      this.#toTell = new Set([...words, ...this.#toTell])
      this.#isTelling = false
      // It is told when there is a connection again; much of it others find before, when they look.
      if (link === this.#link) this.#onTrouble(error)
      else void this.#tell()
      return
    }
    this.#isTelling = false
    void this.#tell()
  }

  #lookLater(link: ServerLink): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (link !== this.#link || link.isBroken) return
      this.#look(link).then(
        () => this.#lookLater(link),
        (error: unknown) => this.#onTrouble(error),
      )
    }, LIMITS.storeLookMs).unref()
  }

  async #look(link: ServerLink): Promise<void> {
    const until = performance.now() + LIMITS.storeAnswerMs
    const { rows } = await link.run(HORIZON, [], until)
    const horizon = String(rows[0]?.horizon)
    const told = this.#told
    this.#told = new Map()
    // Of what was stored before this daemon came, nobody waits for news. Numbers that go back are of another server.
    const from = this.#horizon === null || BigInt(this.#horizon) <= BigInt(horizon) ? (this.#horizon ?? horizon) : '0'
    await this.#each(link, CHANGED_AGENTS, from, (row) => this.#found(String(row.id), String(row.last_event_id), told))
    if (this.#horizon !== null)
      await this.#each(link, SIGNED_AGENTS, from, (row) => this.#hear(wordOf({ kind: 'agent', id: String(row.id) })))
    this.#horizon = horizon
  }

  async #each(link: ServerLink, query: Query, from: string, found: (row: ServerRow) => void): Promise<void> {
    const until = performance.now() + LIMITS.storeAnswerMs
    for (let place: Place | null = { changedIn: from, id: '' }; place !== null; ) {
      const { rows }: { rows: readonly ServerRow[] } = await link.run(
        query,
        [place.changedIn, place.id, LOOKED_AT_ONCE],
        until,
      )
      for (const row of rows) found(row)
      const last = rows.length < LOOKED_AT_ONCE ? undefined : rows.at(-1)
      place = last === undefined ? null : { changedIn: String(last.place), id: String(last.id) }
    }
  }

  #found(agentId: string, last: string, before: ReadonlyMap<string, string>): void {
    const known = this.#told.get(agentId) ?? before.get(agentId) ?? ''
    this.#told.set(agentId, known > last ? known : last)
    if (last > known && this.#horizon !== null) this.#emit({ agentId, after: null, events: [] })
  }
}

const LETTERS = { agent: 'a', turn: 't', approval: 'q', node: 'n', store: 's', watcher: 'w', change: 'c' } as const
const THINGS = { agent: 'a', turn: 't', event: 'e', delivery: 'd', approval: 'q', webhook: 'h', all: '*' } as const

/** A word that is no agent's id says of what kind it is. Ids hold no colon. */
function wordOf(sign: Sign): string {
  const { kind, id } = sign
  if (kind !== 'change') return `${LETTERS[kind]}!${id}`
  return `${LETTERS[kind]}!${THINGS[sign.of]}${sign.isDeleted ? '-' : '+'}${id}:${sign.agentId}`
}

function signOf(word: string): Sign | null {
  const kind = word.charAt(1) === '!' ? keyOf(LETTERS, word.charAt(0)) : undefined
  if (kind !== 'change') return kind === undefined ? null : { kind, id: word.slice(2) }
  const of = keyOf(THINGS, word.charAt(2))
  const [id = '', agentId = ''] = word.slice(4).split(':')
  // A newer String may know things that this one does not.
  return of === undefined
    ? { kind, of: 'all', id: '', agentId: '', isDeleted: false }
    : { kind, of, id, agentId, isDeleted: word.charAt(3) === '-' }
}

function keyOf<Key extends string>(letters: Readonly<Record<Key, string>>, letter: string): Key | undefined {
  return (Object.keys(letters) as Key[]).find((key) => letters[key] === letter)
}

interface Place {
  readonly changedIn: string
  readonly id: string
}

/** Ids hold no space. */
function payloadsOf(agents: ReadonlySet<string>): string[] {
  const payloads: string[] = []
  let payload = ''
  for (const id of agents) {
    if (payload !== '' && payload.length + 1 + id.length > PAYLOAD_BYTES) {
      payloads.push(payload)
      payload = ''
    }
    payload = payload === '' ? id : `${payload} ${id}`
  }
  return [...payloads, payload]
}
