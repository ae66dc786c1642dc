import { LIMITS } from '@string-os/protocol'
import type { Log } from '../../log.ts'
import type { NewEvent } from '../groups/events.ts'
import { LAST_ID } from '../own-marks.ts'
import type { StoreRefused } from '../refused.ts'
import { RisingIds } from '../rising-ids.ts'
import { type Groups, type News, type Sign, type Store, StoreAway, type StoreState } from '../store.ts'
import { columnText } from '../stored-rows.ts'
import { parseAddress, type ServerAddress } from './address.ts'
import { agentSessionStore } from './agent-sessions.ts'
import { agentStore } from './agents.ts'
import { appendEvents, appendLocked, newsOf, type Placed } from './append.ts'
import { AppendLane } from './append-lane.ts'
import { approvalStore } from './approvals.ts'
import { deliveryStore } from './deliveries.ts'
import { eventStore } from './events.ts'
import { failureOf } from './failure.ts'
import { Keeper } from './keeper.ts'
import { LinkBroken, ServerLink } from './link.ts'
import { MARK_QUERIES, markStore } from './marks.ts'
import { NewsDesk } from './news.ts'
import { nodeStore } from './nodes.ts'
import { Pool } from './pool.ts'
import { isConflict } from './reason.ts'
import { relayStore } from './relay.ts'
import type { Run } from './run.ts'
import { TRIES, transaction } from './transaction.ts'
import { turnStore } from './turns.ts'
import { usageStore } from './usage.ts'

export interface PostgresOptions {
  readonly log: Log
  /** The clock of this daemon: ids of events begin with it. */
  readonly now?: () => number
  /** The database could not be reached at first, and now that it can, it turns out that it can never be used. */
  readonly onFatal: (error: StoreRefused) => void
}

/**
 * Opens the store at an address. Rejects with `StoreRefused` when it can never be used; one that cannot be reached now
 * is away, and comes by itself.
 */
export async function openPostgres(text: string, { log, now = Date.now, onFatal }: PostgresOptions): Promise<Store> {
  const address = parseAddress(text)
  let tell: (error: StoreRefused) => void = onFatal
  const refused = new Promise<StoreRefused>((resolve) => {
    tell = resolve
  })
  const store = new PostgresStore(address, log, now, (error) => tell(error))
  const refusal = await Promise.race([refused, store.begin().then(() => null), later(LIMITS.storeAnswerMs)])
  if (refusal !== null) {
    await store.close()
    throw refusal
  }
  void refused.then(onFatal)
  return store
}

class PostgresStore implements Store {
  readonly kind = 'postgres'
  readonly where: string
  readonly agents: Groups['agents']
  readonly events: Groups['events']
  readonly deliveries: Groups['deliveries']
  readonly marks: Groups['marks']
  readonly turns: Groups['turns']
  readonly sessions: Groups['sessions']
  readonly usage: Groups['usage']
  readonly nodes: Groups['nodes']
  readonly relay: Groups['relay']
  readonly approvals: Groups['approvals']
  readonly #now: () => number
  readonly #ids: RisingIds
  readonly #pool: Pool
  readonly #keeper: Keeper
  readonly #news: NewsDesk
  readonly #lane: AppendLane

  constructor(address: ServerAddress, log: Log, now: () => number, onRefused: (error: StoreRefused) => void) {
    this.where = address.where
    this.#now = now
    this.#ids = new RisingIds(now)
    const onTrouble = (error: unknown): void => this.#keeper.trouble(error)
    this.#news = new NewsDesk(onTrouble)
    this.#pool = new Pool({ open: () => ServerLink.open(address), onTrouble })
    this.#pool.shut('it has not answered yet')
    this.#keeper = new Keeper({
      address,
      log,
      onHere: async (link) => {
        this.#ids.above(await lastCopiedId(link))
        await this.#news.listen(link)
        this.#pool.admit()
      },
      onAway: (reason) => this.#pool.shut(reason),
      onRefused,
    })
    this.#lane = new AppendLane({
      append: (events) => appendEvents(this.#run, this.#ids, events),
      appendLocked: (events) => transaction(this.#pool, (run) => appendLocked(run, this.#ids, events)),
      onPlaced: (placed) => this.#news.stored(newsOf(placed)),
    })
    const groups = this.#groups(
      this.#run,
      (event) => this.#lane.append(event),
      (sign) => this.#news.signed(sign),
    )
    this.agents = groups.agents
    this.events = groups.events
    this.deliveries = groups.deliveries
    this.marks = groups.marks
    this.turns = turnsInOne(groups.turns, (change) => this.transaction(change))
    this.sessions = groups.sessions
    this.usage = groups.usage
    this.nodes = groups.nodes
    this.relay = groups.relay
    this.approvals = approvalsInOne(groups.approvals, (change) => this.transaction(change))
  }

  /** The first try to reach the server. */
  begin(): Promise<void> {
    return this.#keeper.start()
  }

  readonly state = (): StoreState => this.#pool.state

  onNews(listener: (news: News) => void): () => void {
    return this.#news.onNews(listener)
  }

  onSign(listener: (sign: Sign) => void): () => void {
    return this.#news.onSign(listener)
  }

  async transaction<T>(change: (groups: Groups) => Promise<T>): Promise<T> {
    let placed: Placed[] = []
    let signs: Sign[] = []
    const value = await transaction(this.#pool, (run) => {
      placed = []
      signs = []
      return change(
        this.#groups(
          run,
          (event) => this.#appendIn(run, event, placed),
          (sign) => void signs.push(sign),
        ),
      )
    })
    for (const sign of signs) this.#news.signed(sign)
    // Events of an agent that were stored one by one are news one by one.
    for (const each of placed) this.#news.stored(newsOf([each]))
    return value
  }

  async close(): Promise<void> {
    await this.#lane.idle()
    await this.#pool.close()
    this.#news.close()
    await this.#keeper.stop()
  }

  /** One statement on a connection of its own. */
  readonly #run: Run = async (query, values = []) => {
    const until = performance.now() + LIMITS.storeAnswerMs
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await this.#pool.use(until, async (link) => {
          try {
            return await link.run(query, values, until)
          } catch (error) {
            throw isConflict(error) || error instanceof LinkBroken ? error : failureOf(error, link, false)
          }
        })
      } catch (error) {
        const mayGoAgain = isConflict(error) || (error instanceof LinkBroken && query.reads === true)
        if (mayGoAgain && left > 0 && performance.now() < until) continue
        if (error instanceof LinkBroken) throw new StoreAway(error.message, query.reads !== true)
        throw isConflict(error) ? new StoreAway('others were faster too often') : error
      }
    }
  }

  async #appendIn(run: Run, event: NewEvent, placed: Placed[]): Promise<Placed['appended']> {
    const [first = null] = await appendEvents(run, this.#ids, [event])
    const [one = first] = first === null ? await appendLocked(run, this.#ids, [event]) : []
    if (one === null) throw new Error('An event was appended and has no id')
    placed.push(one)
    return one.appended
  }

  #groups(run: Run, appendOne: Groups['events']['append'], signed: (sign: Sign) => void): Groups {
    return {
      agents: agentStore(run, (id) => signed({ kind: 'agent', id })),
      events: eventStore(run, appendOne),
      deliveries: deliveryStore(run, this.#now),
      marks: markStore(run),
      turns: turnStore(run, signed),
      sessions: agentSessionStore(run),
      usage: usageStore(run),
      nodes: nodeStore(
        run,
        (change) => transaction(this.#pool, change),
        () => signed({ kind: 'node', id: '' }),
      ),
      relay: relayStore(run, signed),
      approvals: approvalStore(run, signed),
    }
  }
}

/** Above this one all ids begin: it comes from a store of which everything was copied to this one. */
async function lastCopiedId(link: ServerLink): Promise<string> {
  const { rows } = await link.run(MARK_QUERIES.get, [LAST_ID], performance.now() + LIMITS.storeAnswerMs)
  return columnText(rows[0]?.value) ?? ''
}

/** What takes two statements is one change all the same. */
function turnsInOne(turns: Groups['turns'], inOne: Store['transaction']): Groups['turns'] {
  return {
    ...turns,
    settle: (turn, detail) => inOne((groups) => groups.turns.settle(turn, detail)),
    reopen: (turn, detail) => inOne((groups) => groups.turns.reopen(turn, detail)),
  }
}

function approvalsInOne(approvals: Groups['approvals'], inOne: Store['transaction']): Groups['approvals'] {
  return {
    ...approvals,
    settle: (id, end) => inOne((groups) => groups.approvals.settle(id, end)),
    askAgain: (turnId, digest, run) => inOne((groups) => groups.approvals.askAgain(turnId, digest, run)),
    take: (id) => inOne((groups) => groups.approvals.take(id)),
  }
}

function later(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref()
  })
}
