import {
  agentCondition,
  count,
  type DoctorView,
  type EventWaits,
  FAILED_STATES,
  isCutOff,
  LIMITS,
  type LogEntry,
  STUCK_REASONS,
  shortId,
  shownStore,
  type TurnSummary,
  type WaitReason,
  waitsText,
} from '@string-os/protocol'
import { DAEMON_DIED, type LogQuery } from '../read-log.ts'
import type { Agent } from '../store/agents.ts'
import type { DeliveryRow } from '../store/groups/deliveries.ts'
import type { EventCounts } from '../store/groups/events.ts'
import type { TurnQuery } from '../store/groups/turns.ts'
import { dayOfTime } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'
import { viewStore } from '../store/view-store.ts'
import type { ListedAgent, Standing } from '../turns/agent-standing.ts'
import { createProfileCheck } from '../turns/check-profile.ts'
import type { AgentProspect } from '../turns/event-waits.ts'
import { profilePath } from '../turns/profile-of.ts'
import { type Check, runChecks, type Seen, seenFail, seenOk, seenWarn } from './check.ts'
import { dayAgo } from './day-ago.ts'
import { howToSet } from './env.ts'
import { commonChecks, type Examined } from './inspect.ts'
import { storeCheck } from './store.ts'

export interface DoctorParts extends Examined {
  readonly version: string
  readonly agents: () => readonly Agent[]
  readonly storeNow: Pick<Store, 'kind' | 'where' | 'state'>
  readonly turns: { readonly list: (query: TurnQuery) => Promise<readonly TurnSummary[]> }
  readonly inbox: { readonly counts: (agentId: string) => Promise<EventCounts> }
  readonly prospect: (
    agentId: string,
    agent: Agent,
    pending: number,
  ) => Promise<Pick<AgentProspect, 'event_waits' | 'problem' | 'limit'>>
  readonly standings: (agents: readonly ListedAgent[]) => Promise<readonly Standing[]>
  readonly deliveries: (agentId: string | null) => Promise<readonly DeliveryRow[]>
  readonly readLog: (query: LogQuery) => Promise<readonly LogEntry[]>
  /** Users and pages that are served beside our own. */
  readonly allowUids: readonly number[]
  readonly allowOrigins: readonly string[]
  /** Whether the system tells whose a connection is. */
  readonly tellsUsers: boolean
}

/** Looks at a daemon from inside. Whoever asks while it looks gets the same answer. */
export function createDoctor(parts: DoctorParts): () => Promise<DoctorView> {
  let running: Promise<DoctorView> | null = null
  return () => {
    running ??= look(parts).finally(() => {
      running = null
    })
    return running
  }
}

async function look(parts: DoctorParts): Promise<DoctorView> {
  const checks = await runChecks([...liveChecks(parts), ...commonChecks(parts)])
  return { ok: checks.every(({ state }) => state !== 'fail'), version: parts.version, checks }
}

function liveChecks(parts: DoctorParts): readonly Check[] {
  return [
    { name: 'store', look: () => store(parts) },
    { name: 'turns', look: () => turns(parts) },
    { name: 'deliveries', look: () => deliveries(parts) },
    { name: 'webhooks', look: () => webhooks(parts) },
    { name: 'events', look: () => events(parts) },
    { name: 'log', look: () => log(parts) },
    { name: 'served', look: async () => served(parts) },
  ]
}

async function store({ storeNow, store: name }: DoctorParts): Promise<Seen | readonly Seen[]> {
  const view = viewStore(storeNow)
  if (!view.ok) return seenFail(shownStore(view), 'string store check tells why; the daemon goes on when it is back')
  // A server is asked all the time; a file has rights and room beside that.
  if (name.kind !== 'sqlite') return seenOk(`${view.where} answers`)
  const found = [await storeCheck(name, process.pid).look()].flat()
  return found.every(({ state }) => state === 'ok') ? seenOk(`${view.where} answers`) : found
}

/** Of more agents the first. */
const NAMED = 5

/** What agents came to last, however long ago that was, and what went wrong since yesterday. */
async function turns(parts: DoctorParts): Promise<readonly Seen[]> {
  const [{ failing, cutOff }, lately] = await Promise.all([troubledAgents(parts), failedLately(parts)])
  const found = [
    ...(failing.length === 0 ? [] : [seenFailing(failing)]),
    ...(cutOff.length === 0 ? [] : [seenCutOff(cutOff)]),
    ...(lately === null ? [] : [lately]),
  ]
  return found.length > 0 ? found : [seenOk('none failed in the last day')]
}

/** Those that `agent list` and `status` count. */
interface Troubled {
  readonly failing: readonly Standing[]
  /** Their last turn came to no end. */
  readonly cutOff: readonly Standing[]
}

async function troubledAgents(parts: DoctorParts): Promise<Troubled> {
  const { agents, standings, prospect, environment, dataDir } = parts
  const all = await standings(agents().map((agent) => ({ agent, node: null })))
  const checkProfile = createProfileCheck(environment, howToSet(dataDir))
  const failing: Standing[] = []
  const cutOff: Standing[] = []
  const mayBe = all.filter(({ state, latest }) => state === 'failing' || latest?.state === 'interrupted')
  for (const one of mayBe.slice(0, LIMITS.doctorAgents)) {
    const { agent, latest } = one
    const { problem, limit } = await prospect(agent.id, agent, 0)
    const path = problem === null ? profilePath(agent) : null
    const check = path === null ? null : await checkProfile(path, agent.home)
    const unusable = problem ?? (check?.ok === true ? check.problem : null)
    const last_turn =
      latest === null ? null : { turn_id: latest.id, state: latest.state, code: latest.code, ended_at: latest.endedAt }
    const told = { ...one, last_turn, limit, problem: unusable }
    if (agentCondition(told) === 'failing') failing.push(one)
    if (isCutOff(told)) cutOff.push(one)
  }
  return { failing, cutOff }
}

function seenFailing(failing: readonly Standing[]): Seen {
  const ids = failing.map(({ agent }) => agent.id)
  const [oldest] = failing.flatMap(({ latest }) => latest?.endedAt ?? []).toSorted()
  const since = oldest === undefined || oldest >= dayAgo() ? '1d' : dayOfTime(oldest)
  const whole = ids.length === 1 ? `string agent status ${ids[0]}` : 'string agent list'
  return seenWarn(
    `${count(ids.length, 'agent')} failing, whose last turn failed: ${named(ids)}`,
    `string logs --failed --since ${since}; ${whole}`,
  )
}

function seenCutOff(cutOff: readonly Standing[]): Seen {
  const retries = cutOff.flatMap(({ latest }) => (latest === null ? [] : [`string turn retry ${shortId(latest.id)}`]))
  const said = `${count(cutOff.length, 'agent')} whose last turn was cut off: ${named(cutOff.map(({ agent }) => agent.id))}`
  return seenWarn(said, retries.slice(0, NAMED).join('; '))
}

function named(ids: readonly string[]): string {
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
  return `${ids.slice(0, NAMED).join(', ')}${more}`
}

async function failedLately(parts: DoctorParts): Promise<Seen | null> {
  const since = dayAgo()
  const ask = {
    agentId: null,
    session: null,
    state: null,
    since,
    again: false,
    before: null,
    limit: LIMITS.listedTurnsMax,
  }
  const again = await parts.turns.list({ ...ask, again: true })
  const ended = (await Promise.all(FAILED_STATES.map((state) => parts.turns.list({ ...ask, state })))).flat()
  // Of one that was run again, what it came to by that is told.
  const failed = ended.filter(({ retried_by }) => retried_by === undefined)
  const tried = again.filter(
    ({ state, tries = [] }) => !FAILED_STATES.includes(state) && tries.some(({ ended_at }) => ended_at >= since),
  )
  if (failed.length + tried.length === 0) return null
  const names = [...new Set([...failed, ...tried].map(({ agent_id }) => agent_id))]
  const mended = tried.length === 0 ? '' : `${failed.length === 0 ? '' : ', '}${tried.length} had a failed try`
  const said = `${failed.length === 0 ? '' : `${failed.length} failed`}${mended} in the last day`
  return seenWarn(`${said}, of ${named(names)}`, 'string logs --failed --since 1d')
}

async function deliveries(parts: DoctorParts): Promise<Seen> {
  const since = dayAgo()
  const failed = (await parts.deliveries(null)).filter(
    ({ state, createdAt }) => state === 'failed' && createdAt >= since,
  )
  if (failed.length === 0) return seenOk('no message to another channel failed in the last day')
  return seenWarn(`${failed.length} failed in the last day: ${failed[0]?.reason ?? ''}`, 'string deliveries')
}

/** So many that wait are more than somebody overlooks for a moment. */
const MANY_EVENTS = 100

async function webhooks({ agents, inbox }: DoctorParts): Promise<readonly Seen[]> {
  const hooked = agents().filter(({ webhookToken }) => webhookToken !== undefined)
  const found: Seen[] = []
  for (const { id } of hooked.slice(0, LIMITS.doctorAgents)) {
    const { pending } = await inbox.counts(id)
    if (pending >= MANY_EVENTS)
      found.push(
        seenWarn(
          `${id}: ${pending} events wait for somebody to take them`,
          `string agent status ${id}; string events --agent ${id}`,
        ),
      )
  }
  if (found.length > 0) return found.slice(0, LIMITS.doctorFindings)
  return [seenOk(hooked.length === 0 ? 'none yet' : `${hooked.length} in use, nothing piles up`)]
}

const NEEDS_SOMEBODY: readonly WaitReason[] = [...STUCK_REASONS, 'broken']

/** What goes on by itself, or when somebody who has said so wants it: no fault, and worth a word. */
const HELD: readonly WaitReason[] = ['paused', 'limit']

/** Those that were taken from the way of events, and those that wait until a profile is mended: nobody takes them by itself. */
async function events({ agents, inbox, prospect }: DoctorParts): Promise<readonly Seen[]> {
  const found: Seen[] = []
  const held: string[] = []
  for (const agent of agents().slice(0, LIMITS.doctorAgents)) {
    const { pending } = await inbox.counts(agent.id)
    const { event_waits } = pending === 0 ? { event_waits: [] } : await prospect(agent.id, agent, pending)
    for (const waits of event_waits) {
      if (NEEDS_SOMEBODY.includes(waits.reason))
        found.push(seenWarn(`${agent.id}: ${whyNotTaken(waits)}`, `string agent status ${agent.id}`))
      if (HELD.includes(waits.reason)) held.push(`${agent.id} (${waitsText(waits)})`)
    }
  }
  if (held.length > 0)
    return [...found.slice(0, LIMITS.doctorFindings), seenOk(`they wait for their time: ${named(held)}`)]
  return found.length > 0
    ? found.slice(0, LIMITS.doctorFindings)
    : [seenOk('all that wait are taken, or are for a reader')]
}

function whyNotTaken(waits: EventWaits): string {
  const { reason, events: number } = waits
  return reason === 'broken'
    ? `${count(number, 'event')} ${number === 1 ? 'waits' : 'wait'} until its profile can be used`
    : `${waitsText(waits)}, which nobody takes`
}

async function log({ readLog }: DoctorParts): Promise<Seen> {
  const lately = { limit: LIMITS.listedLogMax, since: dayAgo(), before: null }
  const [errors, warnings] = await Promise.all([
    readLog({ ...lately, level: 'error' }),
    readLog({ ...lately, level: 'warn' }),
  ])
  const deaths = warnings.filter(({ message }) => message === DAEMON_DIED).length
  const [last] = errors
  // What that cut off is told where it needs somebody.
  const died = deaths === 0 ? '' : `; stringd was killed ${howOften(deaths)}, or the machine went down`
  if (last === undefined) return seenOk(`no errors in the last day${died}`)
  return seenWarn(
    `${count(errors.length, 'error')} in the last day, at last: ${last.message}${died}`,
    'string logs --failed --since 1d',
  )
}

function howOften(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

function served({ allowUids, allowOrigins, tellsUsers }: DoctorParts): readonly Seen[] {
  const others = [
    ...(allowUids.length === 0 ? [] : [`users ${allowUids.join(', ')} (STRING_ALLOW_UIDS)`]),
    ...(allowOrigins.length === 0 ? [] : [`pages of ${allowOrigins.join(', ')} (STRING_ALLOW_ORIGINS)`]),
  ]
  const alone = tellsUsers
    ? seenOk(`programs of this user${others.length === 0 ? ' alone' : `, and ${others.join(', and ')}`}`)
    : seenWarn(
        'this system does not tell whose a connection is: other users of it are served',
        'run it on a machine of your own',
      )
  return [alone]
}
