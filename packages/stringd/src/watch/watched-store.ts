import type { Log } from '../log.ts'
import type { ApprovalRow } from '../store/groups/approvals.ts'
import type { DeliveryRow } from '../store/groups/deliveries.ts'
import type { SweptTurn } from '../store/groups/relay.ts'
import type { TurnDetail, TurnNamed, TurnRow, WaitingClaim } from '../store/groups/turns.ts'
import type { Groups, News, Store } from '../store/store.ts'
import type { Change } from './change-log.ts'

type Tell = (change: Change) => void

/**
 * The same store, which tells of every change of what people look at, once it is stored. Whoever writes through it need
 * not think of it. Of new events every daemon that shares the store hears by itself: `tellHere`.
 */
export function watchedStore(store: Store, tell: Tell, log: Log, tellHere: Tell = tell): Store {
  store.onNews((news) => void tellEvents(store, news, tellHere, log))
  return {
    kind: store.kind,
    where: store.where,
    state: () => store.state(),
    onNews: (listener) => store.onNews(listener),
    onSign: (listener) => store.onSign(listener),
    close: () => store.close(),
    ...watchedGroups(store, tell),
    transaction: async (change) => {
      let heard: Change[] = []
      const value = await store.transaction((groups) => {
        // It may run again.
        heard = []
        return change(watchedGroups(groups, (one) => void heard.push(one)))
      })
      for (const one of heard) tell(one)
      return value
    },
  }
}

function watchedGroups(groups: Groups, tell: Tell): Groups {
  const { agents, marks, sessions, usage, nodes } = groups
  return {
    approvals: watchedApprovals(groups.approvals, tell),
    agents,
    marks,
    sessions,
    usage,
    nodes,
    relay: watchedRelay(groups.relay, tell),
    events: watchedEvents(groups.events, tell),
    deliveries: watchedDeliveries(groups.deliveries, tell),
    turns: watchedTurns(groups.turns, tell),
  }
}

/** Of those that another daemon stored only the agent is known. */
async function tellEvents(store: Store, { agentId, events }: News, tell: Tell, log: Log): Promise<void> {
  for (const { id } of events) tell({ kind: 'event', id, agentId })
  if (events.length > 0) return
  try {
    tell({ kind: 'event', id: await store.agents.lastEventId(agentId), agentId })
  } catch (error) {
    log.warn('What came could not be told to those who watch', { agent: agentId, cause: String(error) })
  }
}

function watchedEvents(events: Groups['events'], tell: Tell): Groups['events'] {
  return {
    ...events,
    ack: async (agentId, ids, at) => {
      const acked = await events.ack(agentId, ids, at)
      for (const id of acked) tell({ kind: 'event', id, agentId })
      return acked
    },
    // Which they were nobody knows any more: those who look at the agent look again.
    remove: async (agentId, all, limit) => {
      const removed = await events.remove(agentId, all, limit)
      if (removed > 0) tell({ kind: 'agent', id: agentId, agentId })
      return removed
    },
  }
}

function watchedDeliveries(deliveries: Groups['deliveries'], tell: Tell): Groups['deliveries'] {
  const told = ({ id, agentId }: DeliveryRow): void => tell({ kind: 'delivery', id, agentId })
  return {
    ...deliveries,
    add: async (delivery, holder) => {
      const added = await deliveries.add(delivery, holder)
      told(added)
      return added
    },
    claim: async (holder, at, limit) => {
      const claimed = await deliveries.claim(holder, at, limit)
      claimed.forEach(told)
      return claimed
    },
    retry: async (id, at) => {
      const isRetried = await deliveries.retry(id, at)
      const row = isRetried ? await deliveries.byId(id) : null
      if (row !== null) told(row)
      return isRetried
    },
    settle: async (delivery) => {
      const isSettled = await deliveries.settle(delivery)
      if (isSettled) told(delivery)
      return isSettled
    },
  }
}

function watchedApprovals(approvals: Groups['approvals'], tell: Tell): Groups['approvals'] {
  const told = ({ id, agentId }: ApprovalRow): void => tell({ kind: 'approval', id, agentId })
  return {
    ...approvals,
    add: async (approval) => {
      await approvals.add(approval)
      told(approval)
    },
    settle: async (id, end) => {
      const settled = await approvals.settle(id, end)
      if (settled?.isFirst === true) told(settled.approval)
      return settled
    },
  }
}

/** Turns of nodes that are lost are another's to tell of. */
function watchedRelay(relay: Groups['relay'], tell: Tell): Groups['relay'] {
  const told = async (sweeping: Promise<SweptTurn[]>): Promise<SweptTurn[]> => {
    const swept = await sweeping
    for (const { id, agentId } of swept) tell({ kind: 'turn', id, agentId })
    return swept
  }
  return {
    ...relay,
    sweep: (at, limit) => told(relay.sweep(at, limit)),
    sweepAgent: (agentId, at) => told(relay.sweepAgent(agentId, at)),
  }
}

function watchedTurns(turns: Groups['turns'], tell: Tell): Groups['turns'] {
  const told = ({ id, agentId }: TurnNamed): void => tell({ kind: 'turn', id, agentId })
  const toldIf =
    <Turn extends TurnNamed, More extends readonly unknown[]>(
      change: (turn: Turn, ...more: More) => Promise<boolean>,
    ) =>
    async (turn: Turn, ...more: More): Promise<boolean> => {
      const isChanged = await change(turn, ...more)
      if (isChanged) told(turn)
      return isChanged
    }
  return {
    ...turns,
    add: async (turn) => {
      await turns.add(turn)
      told(turn)
    },
    claim: async (id, holder, at) => {
      const claimed = await turns.claim(id, holder, at)
      if (claimed !== null) told(claimed)
      return claimed
    },
    wait: toldIf((turn: WaitingClaim, isWaiting: boolean) => turns.wait(turn, isWaiting)),
    settle: toldIf((turn: TurnRow, detail: TurnDetail) => turns.settle(turn, detail)),
    change: toldIf((turn: TurnRow) => turns.change(turn)),
    retried: async (turn, by) => {
      await turns.retried(turn, by)
      told(turn)
    },
    reopen: toldIf((turn: TurnRow, detail: TurnDetail) => turns.reopen(turn, detail)),
  }
}
