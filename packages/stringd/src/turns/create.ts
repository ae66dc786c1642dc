import { join } from 'node:path'
import { killFamily } from '@string-os/bridge/reap'
import {
  type EventWait,
  fail,
  LIMITS,
  ok,
  type Result,
  type UsageView,
  type WaitReason,
  waitsFor,
} from '@string-os/protocol'
import type { RunText } from '../chanflow/run-text.ts'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { AgentTraits } from '../store/groups/agents.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { TurnRow } from '../store/groups/turns.ts'
import { dayOf } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'
import { AgentFacts } from './agent-facts.ts'
import { type ListedAgent, type Standing, standingsOf } from './agent-standing.ts'
import { type WorkingAgent, workOfAgents } from './agent-work.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import { dataCapsReader } from './data-caps.ts'
import { type AgentProspect, eventWait, prospectOf } from './event-waits.ts'
import { profilePath } from './profile-of.ts'
import { Profiles } from './profiles.ts'
import { runAgent } from './run-agent.ts'
import { Turns } from './turns.ts'
import type { TurnsParts } from './turns-parts.ts'
import { Wake } from './wake.ts'

export interface TurnServiceParts {
  readonly store: Store
  /** Names the data folder in the marks of its processes, and this daemon among those that share a store. */
  readonly dataId: string
  readonly dataDir: string
  readonly port: number
  /** Where `string` is, for the end of PATH. */
  readonly binDir: string
  readonly agent: (id: string) => Agent | undefined
  /** Whether the home of an agent was gone and made anew since its last turn. */
  readonly isHomeAnew: (id: string) => boolean
  readonly agents: () => readonly Agent[]
  readonly environment: () => Readonly<Record<string, string>>
  /** What to do about a variable that a profile refers to and that is not in it. */
  readonly howToSet: (variable: string) => string
  readonly runText: RunText
  readonly approvals: TurnsParts['approvals']
  readonly changed: TurnsParts['changed']
  readonly said: TurnsParts['said']
  readonly fleet: TurnsParts['fleet']
  readonly log: Log
  readonly clock?: Clock | undefined
}

export interface TurnServices {
  readonly turns: Turns
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly drop: (agentId: string) => Promise<void>
  readonly wakeUp: (agentId: string) => void
  /** An agent lives here now, or elsewhere. */
  readonly come: (agentId: string) => void
  readonly gone: (agentId: string) => void
  /** What others must know of the profile of an agent. */
  readonly traits: (agent: Agent) => Promise<AgentTraits>
  readonly wakeFor: (agent: Agent, event: EventRow) => Promise<Result>
  /** What an agent may do next, of which so many events wait; of one of another node, its id alone. */
  readonly prospect: (agentId: string, agent: Agent | null, pending: number) => Promise<AgentProspect>
  readonly eventWait: (event: EventRow, turn: TurnRow | null, agent: Agent | null) => Promise<EventWait | null>
  /** Something about an agent is another than it was. */
  readonly changed: (agentId: string) => void
  /** Where each of these agents stands, and what each of few does. */
  readonly standings: (agents: readonly ListedAgent[]) => Promise<Standing[]>
  readonly work: (standings: readonly Standing[]) => Promise<WorkingAgent[]>
  readonly usage: (by: 'agent' | 'session' | 'day', since: string | null) => Promise<UsageView[]>
}

/** Everything that runs agents: turns that people ask for, and those that events wake. */
export function createTurnServices(parts: TurnServiceParts): TurnServices {
  const {
    store,
    dataId,
    dataDir,
    port,
    binDir,
    agent,
    agents,
    environment,
    howToSet,
    runText,
    log,
    clock = SYSTEM_CLOCK,
  } = parts
  const { changed, said, fleet, approvals } = parts
  const profiles = new Profiles(dataCapsReader(join(dataDir, 'config.yaml'), log))
  const facts = new AgentFacts(store, () => clock.now())
  const ownerOf = (turnId: string): string => `${dataId}:/turn/${turnId}/`
  const turns = new Turns({
    approvals,
    store,
    holder: dataId,
    agent,
    profiles,
    run: ({ turnId, ...work }) => {
      const own = environment()
      const extraEnv = {
        STRING_PORT: String(port),
        STRING_AGENT: work.agent.id,
        STRING_DATA_DIR: dataDir,
        PATH: own.PATH === undefined ? binDir : `${own.PATH}:${binDir}`,
      }
      const isHomeAnew = parts.isHomeAnew(work.agent.id)
      return runAgent({ ...work, isHomeAnew, environment: own, howToSet, extraEnv, owner: ownerOf(turnId) }, runText)
    },
    kill: (turnId) => killFamily({ owner: ownerOf(turnId) }),
    changed,
    said,
    fleet,
    log,
    clock,
  })
  // Who may run its turns need not wake it: that is done where it lives.
  const resident = (id: string): Agent | undefined => (fleet.isHere(id) ? agent(id) : undefined)
  const wake = new Wake({ store, turns, profiles, agent: resident, agents, log, clock })
  const waitParts = { store, turns, profiles, clock }
  return {
    turns,
    start: async () => {
      await turns.start()
      // When it is known which of them go on.
      await approvals.start()
      await wake.start()
    },
    stop: () => {
      wake.stop()
      return turns.stop().finally(() => approvals.stop())
    },
    drop: async (agentId) => {
      await turns.drop(agentId)
      await wake.drop(agentId)
    },
    wakeUp: (agentId) => wake.look(agentId),
    come: (agentId) => {
      void turns.lookAt(agentId)
      wake.look(agentId)
    },
    gone: (agentId) => {
      turns.gone(agentId)
      wake.forget(agentId)
    },
    traits: async (who) => {
      const found = profilePath(who) === null ? null : await profiles.of(who)
      if (found === null || !found.ok) return { placement: 'home', whenBusy: 'queue' }
      const { placement, whenBusy } = found.profile
      return { placement, whenBusy }
    },
    wakeFor: async (who, event) => {
      const found = await profiles.of(who)
      if (!found.ok) return fail('NOT_FOUND', found.error, 'Then send /events.retry again')
      await turns.retryEvent(event)
      const wait = await eventWait(event, await store.turns.ofEvent(event.agentId, event.id), who, waitParts)
      return ok(`Woken for ${event.id}${heldBack(wait)}`, null, { event_id: event.id })
    },
    prospect: (agentId, who, pending) => prospectOf(agentId, who, pending, waitParts),
    eventWait: (event, turn, who) => eventWait(event, turn, who, waitParts),
    changed: (agentId) => facts.changed(agentId),
    standings: (listed) =>
      standingsOf(listed, {
        store,
        facts,
        isPaused: (id) => turns.isPaused(id),
        pausedAnywhere: () => turns.pausedAnywhere(),
        live: () => turns.live(),
      }),
    work: (standings) => workOfAgents(standings, store),
    usage: async (by, since) => {
      const first = since === null ? '' : dayOf(Date.parse(since))
      const rows = await store.usage.list(by, first, LIMITS.listedUsage)
      return rows.map(({ day, agentId, session, turns: amount, failed, ...sums }) => ({
        ...(day === '' ? {} : { day }),
        ...(agentId === '' ? {} : { agent_id: agentId }),
        ...(session === '' ? {} : { session }),
        turns: amount,
        failed,
        input_tokens: sums.inputTokens,
        output_tokens: sums.outputTokens,
        total_tokens: sums.totalTokens,
        cost_usd: sums.costUsd,
        duration_ms: sums.durationMs,
      }))
    },
  }
}

/** Whoever wakes an agent hears at once that it does not run yet, and why. */
function heldBack(wait: EventWait | null): string {
  if (wait === null || !HELD_BACK.includes(wait.reason)) return ''
  return `; it waits ${waitsFor(wait)}${wait.until === null ? '' : ` (${wait.until})`}`
}

const HELD_BACK: readonly WaitReason[] = ['limit', 'paused', 'broken']
