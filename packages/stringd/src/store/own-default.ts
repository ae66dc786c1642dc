import { DEFAULT_AGENT } from '@string-os/protocol'
import { DefaultNames, isDefault } from './default-names.ts'
import type { SharedChange } from './groups/relay.ts'
import type { Groups, News, Sign, Store } from './store.ts'

/** The same store, in which `default` is the agent of this node. Nothing above it knows. */
export function ownDefault(store: Store, nodeId: string): Store {
  const names = new DefaultNames(nodeId, () => store.agents.ownerOfDefault(nodeId))
  return {
    kind: store.kind,
    where: store.where,
    state: () => store.state(),
    close: () => store.close(),
    ...ownGroups(store, names),
    transaction: async (change) => {
      await names.known()
      return store.transaction((groups) => change(ownGroups(groups, names)))
    },
    onNews: (listener) =>
      store.onNews((news) => {
        void told(names, news.agentId, () => listener(newsOf(news, names)))
      }),
    onSign: (listener) =>
      store.onSign((sign) => {
        void told(names, ownerOf(sign), () => listener(signOf(sign, names)))
      }),
  }
}

/** What cannot be told now is found again: the store tells of it once more when it is back. */
async function told(names: DefaultNames, id: string, tell: () => void): Promise<void> {
  if (isDefault(id) && !names.isKnown) await names.known().catch(() => undefined)
  tell()
}

function newsOf(news: News, names: DefaultNames): News {
  const { agentId, events } = news
  if (!isDefault(agentId)) return news
  const shown = names.shown(agentId)
  return { ...news, agentId: shown, events: events.map((event) => ({ ...event, agentId: shown })) }
}

function ownerOf(sign: Sign): string {
  return sign.kind === 'change' ? sign.agentId : sign.id
}

function signOf(sign: Sign, names: DefaultNames): Sign {
  const id = names.shown(sign.id)
  return sign.kind === 'change' ? { ...sign, id, agentId: names.shown(sign.agentId) } : { ...sign, id }
}

interface Owned {
  readonly agentId: string
}

/** Ids on their way in and out. */
class Ways {
  readonly #names: DefaultNames

  constructor(names: DefaultNames) {
    this.#names = names
  }

  async in(id: string): Promise<string> {
    if (id !== DEFAULT_AGENT) return id
    await this.#names.known()
    return this.#names.stored(id)
  }

  inAll(ids: readonly string[]): Promise<string[]> {
    return Promise.all(ids.map((id) => this.in(id)))
  }

  async rowIn<Row extends Owned>(row: Row): Promise<Row> {
    return row.agentId === DEFAULT_AGENT ? { ...row, agentId: await this.in(row.agentId) } : row
  }

  async ids(ids: readonly string[]): Promise<string[]> {
    if (ids.some(isDefault)) await this.#names.known()
    return ids.map((id) => this.#names.shown(id))
  }

  async rows<Row extends Owned>(rows: readonly Row[]): Promise<Row[]> {
    if (!rows.some(({ agentId }) => isDefault(agentId))) return [...rows]
    await this.#names.known()
    return rows.map((row) => (isDefault(row.agentId) ? { ...row, agentId: this.#names.shown(row.agentId) } : row))
  }

  async row<Row extends Owned>(row: Row | null): Promise<Row | null> {
    return row === null ? null : ((await this.rows([row]))[0] ?? null)
  }

  async placed<Row extends { readonly id: string }>(rows: readonly Row[]): Promise<Row[]> {
    const ids = await this.ids(rows.map(({ id }) => id))
    return rows.map((row, index) => ({ ...row, id: ids[index] ?? row.id }))
  }

  /** Where nobody knows whose it is, the others look at everything. */
  async tellChange(relay: Groups['relay'], change: SharedChange): Promise<void> {
    try {
      const [id, agentId] = [await this.in(change.id), await this.in(change.agentId)]
      relay.tellChange({ ...change, id, agentId })
    } catch {
      relay.tellChange({ of: 'all', id: '', agentId: '', isDeleted: false })
    }
  }

  /** Marks of an agent end with its id. */
  async mark(name: string): Promise<string> {
    const at = name.indexOf(':') + 1
    return at > 0 && name.slice(at) === DEFAULT_AGENT ? name.slice(0, at) + (await this.in(DEFAULT_AGENT)) : name
  }

  async shownMark(name: string): Promise<string> {
    const at = name.indexOf(':') + 1
    const [id = ''] = at > 0 && isDefault(name.slice(at)) ? await this.ids([name.slice(at)]) : []
    return id === '' ? name : name.slice(0, at) + id
  }
}

function ownGroups(groups: Groups, names: DefaultNames): Groups {
  const ways = new Ways(names)
  return {
    agents: ownAgents(groups.agents, ways),
    events: ownEvents(groups.events, ways),
    deliveries: ownDeliveries(groups.deliveries, ways),
    marks: ownMarks(groups.marks, ways),
    turns: ownTurns(groups.turns, ways),
    sessions: ownSessions(groups.sessions, ways),
    usage: ownUsage(groups.usage, ways),
    nodes: {
      ...groups.nodes,
      list: async (limit) => {
        const nodes = await groups.nodes.list(limit)
        names.learn(nodes)
        return nodes
      },
    },
    relay: ownRelay(groups.relay, ways),
    approvals: ownApprovals(groups.approvals, ways),
  }
}

function ownApprovals(approvals: Groups['approvals'], ways: Ways): Groups['approvals'] {
  return {
    ...approvals,
    add: async (approval) => approvals.add(await ways.rowIn(approval)),
    byId: async (id) => ways.row(await approvals.byId(id)),
    list: async (query) => {
      const { agentId } = query
      return ways.rows(await approvals.list(agentId === null ? query : { ...query, agentId: await ways.in(agentId) }))
    },
    settle: async (id, end) => {
      const settled = await approvals.settle(id, end)
      const approval = await ways.row(settled?.approval ?? null)
      return settled === null || approval === null ? null : { ...settled, approval }
    },
    askAgain: async (turnId, digest, run) => ways.row(await approvals.askAgain(turnId, digest, run)),
    waiting: async (limit) => ways.ids(await approvals.waiting(limit)),
    remove: async (agentId, limit) => approvals.remove(await ways.in(agentId), limit),
  }
}

function ownAgents(agents: Groups['agents'], ways: Ways): Groups['agents'] {
  const placed = async <Row extends { readonly id: string }>(row: Row | null): Promise<Row | null> =>
    row === null ? null : ((await ways.placed([row]))[0] ?? null)
  return {
    ...agents,
    lastEventId: async (id) => agents.lastEventId(await ways.in(id)),
    place: async (given, nodeId) => {
      const stored = await Promise.all(given.map(async (agent) => ({ ...agent, id: await ways.in(agent.id) })))
      return ways.placed(await agents.place(stored, nodeId))
    },
    find: async (id) => placed(await agents.find(await ways.in(id))),
    byToken: async (token) => placed(await agents.byToken(token)),
    list: async (nodeId, after, limit) => ways.placed(await agents.list(nodeId, after, limit)),
    withdraw: async (id, nodeId) => agents.withdraw(await ways.in(id), nodeId),
    putToken: async (id, token) => agents.putToken(await ways.in(id), token),
    hold: async (id) => agents.hold(await ways.in(id)),
  }
}

function ownEvents(events: Groups['events'], ways: Ways): Groups['events'] {
  return {
    append: async (event) => {
      const appended = await events.append(await ways.rowIn(event))
      return { ...appended, event: await ways.row(appended.event) }
    },
    byId: async (agentId, id) => ways.row(await events.byId(await ways.in(agentId), id)),
    newest: async (agentId, all, limit) => ways.rows(await events.newest(await ways.in(agentId), all, limit)),
    list: async (query) => ways.rows(await events.list({ ...query, agentIds: await ways.inAll(query.agentIds) })),
    find: async (agentIds, id) => ways.row(await events.find(await ways.inAll(agentIds), id)),
    countPending: async (agentIds, limit) => events.countPending(await ways.inAll(agentIds), limit),
    after: async (agentId, id, limit) => ways.rows(await events.after(await ways.in(agentId), id, limit)),
    counts: async (agentId) => events.counts(await ways.in(agentId)),
    ack: async (agentId, ids, at) => events.ack(await ways.in(agentId), ids, at),
    remove: async (agentId, all, limit) => events.remove(await ways.in(agentId), all, limit),
    removeKeys: async (agentId, limit) => events.removeKeys(await ways.in(agentId), limit),
    prune: (before, limit) => events.prune(before, limit),
    pruneKeys: (before, limit) => events.pruneKeys(before, limit),
  }
}

function ownDeliveries(deliveries: Groups['deliveries'], ways: Ways): Groups['deliveries'] {
  return {
    ...deliveries,
    add: async (delivery, holder) => {
      const added = await deliveries.add(await ways.rowIn(delivery), holder)
      return (await ways.row(added)) ?? added
    },
    claim: async (holder, at, limit) => ways.rows(await deliveries.claim(holder, at, limit)),
    newest: async (agentId, limit, before) =>
      ways.rows(await deliveries.newest(agentId === null ? null : await ways.in(agentId), limit, before)),
    byId: async (id) => ways.row(await deliveries.byId(id)),
    countOpen: async (agentId, limit) => deliveries.countOpen(await ways.in(agentId), limit),
    remove: async (agentId, limit) => deliveries.remove(await ways.in(agentId), limit),
  }
}

function ownMarks(marks: Groups['marks'], ways: Ways): Groups['marks'] {
  return {
    list: async (prefix, limit) => {
      const found = [...(await marks.list(prefix, limit))]
      return new Map(
        await Promise.all(found.map(async ([name, value]) => [await ways.shownMark(name), value] as const)),
      )
    },
    get: async (name) => marks.get(await ways.mark(name)),
    put: async (name, value) => marks.put(await ways.mark(name), value),
    remove: async (name) => marks.remove(await ways.mark(name)),
  }
}

function ownTurns(turns: Groups['turns'], ways: Ways): Groups['turns'] {
  return {
    ...turns,
    add: async (turn) => turns.add(await ways.rowIn(turn)),
    byId: async (id) => ways.row(await turns.byId(id)),
    ofEvent: async (agentId, eventId) => ways.row(await turns.ofEvent(await ways.in(agentId), eventId)),
    request: async (agentId, requestId, since) =>
      ways.row(await turns.request(await ways.in(agentId), requestId, since)),
    putRequest: async (request) => turns.putRequest(await ways.rowIn(request)),
    list: async (query) => {
      const { agentId } = query
      return ways.rows(await turns.list(agentId === null ? query : { ...query, agentId: await ways.in(agentId) }))
    },
    latest: async (agentIds) => ways.rows(await turns.latest(await ways.inAll(agentIds))),
    open: async (after, limit) => ways.rows(await turns.open(after, limit)),
    claim: async (id, holder, at) => ways.row(await turns.claim(id, holder, at)),
    settle: async (turn, detail) => turns.settle(await ways.rowIn(turn), detail),
    change: async (turn) => turns.change(await ways.rowIn(turn)),
    reopen: async (turn, detail) => turns.reopen(await ways.rowIn(turn), detail),
    startedSince: async (agentId, since, limit) => turns.startedSince(await ways.in(agentId), since, limit),
    remove: async (agentId, limit) => turns.remove(await ways.in(agentId), limit),
    trim: async (agentId, keep, limit) => turns.trim(await ways.in(agentId), keep, limit),
  }
}

function ownSessions(sessions: Groups['sessions'], ways: Ways): Groups['sessions'] {
  return {
    get: async (agentId, session) => ways.row(await sessions.get(await ways.in(agentId), session)),
    put: async (session) => sessions.put(await ways.rowIn(session)),
    list: async (agentId, limit) => ways.rows(await sessions.list(await ways.in(agentId), limit)),
    remove: async (agentId, limit) => sessions.remove(await ways.in(agentId), limit),
  }
}

function ownUsage(usage: Groups['usage'], ways: Ways): Groups['usage'] {
  return {
    ...usage,
    add: async (row) => usage.add(await ways.rowIn(row)),
    list: async (by, since, limit) => ways.rows(await usage.list(by, since, limit)),
    ofDay: async (agentId, day) => usage.ofDay(await ways.in(agentId), day),
    remove: async (agentId, limit) => usage.remove(await ways.in(agentId), limit),
  }
}

function ownRelay(relay: Groups['relay'], ways: Ways): Groups['relay'] {
  return {
    ...relay,
    openOf: async (agentId, after, limit) => {
      const found = await relay.openOf(await ways.in(agentId), after, limit)
      const turns = await ways.rows(found.map(({ turn }) => turn))
      return found.map((open, index) => ({ ...open, turn: turns[index] ?? open.turn }))
    },
    forAnyone: async (agentIds, at, limit) => ways.rows(await relay.forAnyone(await ways.inAll(agentIds), at, limit)),
    sweep: async (at, limit) => ways.rows(await relay.sweep(at, limit)),
    sweepAgent: async (agentId, at) => ways.rows(await relay.sweepAgent(await ways.in(agentId), at)),
    tellChange: (change) => void ways.tellChange(relay, change),
  }
}
