import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DoctorView, LogEntry, MoveRequest, Parsed, Result, UsageView } from '@string-os/protocol'
import type { Approvals } from '../approvals/approvals.ts'
import type { RunText } from '../chanflow/run-text.ts'
import type { Inbox } from '../events/inbox.ts'
import type { Subscribers } from '../events/subscribers.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Moved } from '../fleet/move.ts'
import type { Residence } from '../fleet/residence.ts'
import type { Log } from '../log.ts'
import type { LogQuery } from '../read-log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Agent, AgentRegistry } from '../store/agents.ts'
import type { DeliveryPart, DeliveryRow } from '../store/groups/deliveries.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { Store } from '../store/store.ts'
import type { ListedAgent, Standing } from '../turns/agent-standing.ts'
import type { WorkingAgent } from '../turns/agent-work.ts'
import type { CheckProfile } from '../turns/check-profile.ts'
import type { TurnServices } from '../turns/create.ts'
import type { Refusals } from '../turns/refusals.ts'
import type { Turns } from '../turns/turns.ts'
import type { Watch } from '../watch/watch.ts'
import type { Heartbeat } from './handle/heartbeat.ts'
import type { RequestHead, TextReply } from './message.ts'
import type { PageFiles } from './serve/page-files.ts'

/** Messages to other channels. */
export interface DeliveryServices {
  /** Newest first, of one agent or of all. */
  list(agentId: string | null, limit: number, part: DeliveryPart): Promise<readonly DeliveryRow[]>
  get(id: string): Promise<DeliveryRow | null>
  /** Tries one again that waits or failed. False: there is none of that kind. */
  retry(id: string): Promise<boolean>
}

/** What the routes work with. */
export interface Services {
  readonly agents: AgentRegistry
  /** Which agents live here, and where the others do. */
  readonly residence: Residence
  readonly fleet: Fleet
  /** An agent of another node lives here from then on. */
  readonly move: (request: MoveRequest) => Promise<Moved>
  readonly checkProfile: CheckProfile
  readonly runtime: Runtime
  readonly runText: RunText
  readonly deliveries: DeliveryServices
  readonly dropDeliveries: (agentId: string) => Promise<number>
  readonly heartbeat: Heartbeat
  readonly turns: Turns
  /** `listener` hears of turns that other nodes have changed; of null when it is not known which. */
  readonly turnsElsewhere: (listener: (turnId: string | null) => void) => () => void
  readonly approvals: Approvals
  readonly dropTurns: (agentId: string) => Promise<void>
  /** Looks whether events wait for the agent that it is woken for. */
  readonly wakeUp: (agentId: string) => void
  /** Where each of these agents stands, and what each of few does. */
  readonly standings: (agents: readonly ListedAgent[]) => Promise<Standing[]>
  readonly agentWork: (standings: readonly Standing[]) => Promise<WorkingAgent[]>
  /** Gives an event to its agent once more. */
  readonly wakeFor: (agent: Agent, event: EventRow) => Promise<Result>
  /** What is refused again and again, for the log. */
  readonly refusals: Refusals
  /** What its profile says about its work, and what keeps it from working. */
  readonly prospect: TurnServices['prospect']
  /** Why an event waits. */
  readonly eventWait: TurnServices['eventWait']
  readonly usage: (by: 'agent' | 'session' | 'day', since: string | null) => Promise<readonly UsageView[]>
  readonly store: Store
  readonly inbox: Inbox
  readonly subscribers: Subscribers
  readonly watch: Watch
  readonly pageFiles: PageFiles
  readonly port: number
  readonly dataDir: string
  readonly log: Log
  /** The end of what was logged, newest first. */
  readonly readLog: (query: LogQuery) => Promise<readonly LogEntry[]>
  /** What the daemon finds out about itself; many who ask at once share one look. */
  readonly diagnose: () => Promise<DoctorView>
  readonly version: string
  readonly startedAt: string
  /** How long a shell command may take. */
  readonly commandMs: number
  /** Begins to stop the daemon. */
  shutdown(): void
}

/** One request and its answer. */
export interface Exchange {
  readonly request: RequestHead
  readonly response: TextReply
  /** Path segments that the route names with a colon, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: () => URLSearchParams
  /** The body as JSON; without one, an error that says what was expected. */
  readonly json: Parsed<unknown>
  /** The body of a route that takes bytes. */
  readonly bytes: Buffer
}

/** The same where an answer is a stream, or no text. */
export interface OrdinaryExchange extends Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What a route does with bytes of its own kind. */
export interface RawBody {
  readonly limitBytes: number
  /** What is exceeded, for the error. */
  readonly name: string
  /** Refuses a media type, or takes any. */
  readonly refuse: (request: RequestHead) => string | null
}

interface RouteRow {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** A segment with a colon takes any one segment, a star at the end all that are left. */
  readonly path: string
  /** Shape of the JSON body, as an error shows it; null when the route takes none. */
  readonly expects: string | null
  /** Set where the body is not JSON, or where the route reads the JSON by itself. */
  readonly raw?: RawBody
  /** One of the page's own files: a link on a foreign page may lead to it. */
  readonly isPage?: true
}

/** Answers with text: its requests may come the short way. */
export interface PlainRoute extends RouteRow {
  readonly isOrdinary?: never
  handle(exchange: Exchange, services: Services): Promise<void> | void
}

/** Needs all that Node's server has, for a stream or for bytes. */
interface OrdinaryRoute extends RouteRow {
  readonly isOrdinary: true
  handle(exchange: OrdinaryExchange, services: Services): Promise<void> | void
}

export type Route = PlainRoute | OrdinaryRoute
