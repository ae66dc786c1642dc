import type {
  AgentFilter,
  AgentOrder,
  ApprovalState,
  DeliveryState,
  LogLevel,
  Pagers,
  TurnAttachment,
  TurnState,
  UsageGroup,
} from '@string-os/protocol'
import type { ListPart } from './calls.ts'

export interface ClientOptions {
  /** Where the daemon listens on 127.0.0.1; by default `STRING_PORT`, else 3923. Not heeded beside `autoStart`. */
  readonly port?: number | undefined
  /** The agent to speak for; `default` by default. */
  readonly agent?: string | undefined
  /** Whether the first command makes that agent where there is none. By default it makes `default` alone: another may be misspelt. */
  readonly create?: boolean | undefined
  /** What the daemon's record holds beside its port: it tells the daemon at once that this is its own user. */
  readonly key?: string | undefined
  /** Finds the user's own daemon, starts it where none runs, and tells its port. `@string-os/string` and `./start` export one. */
  readonly autoStart?: AutoStart | undefined
}

/** Of a client in a page. */
export interface PageOptions {
  /** The agent to speak for; `default` by default. */
  readonly agent?: string | undefined
  /** Where the daemon is, `http://127.0.0.1:3923`; by default where the page came from. */
  readonly baseUrl?: string | undefined
}

/** Where a daemon is, and what shows it that we are its own user. */
export interface DaemonAddress {
  readonly port: number
  readonly key?: string | undefined
}

/**
 * Whoever answers vouches for the daemon: it is this user's, and holds the port. Where a stream only goes on, `mayStart` is
 * false: whoever stopped the daemon meant it, and an `UnreachableError` says that none runs. Whatever else it throws
 * becomes one.
 */
export type AutoStart = (asked: { readonly mayStart: boolean }) => Promise<number | DaemonAddress>

export interface ExecOptions {
  /** Echoed in the answer. */
  readonly requestId?: string | undefined
  /** The caller's working directory: where `./` starts. */
  readonly cwd?: string | undefined
  /** The command came through MCP: waiting and running take less than a minute, or it is answered `BUSY`. */
  readonly via?: 'mcp' | undefined
  /** Aborting ends the command, with everything that it started, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long what is typed into a bash topic is waited for before it is answered `running`: 1 to 30,000, which it is by default. Elsewhere nothing. */
  readonly waitMs?: number | undefined
  /** Up to where what the shell of a bash topic printed has been read: `data.place` of an answer or of `//info`, at first ''. */
  readonly seen?: string | undefined
  /** In a bash topic: it is a command, and while something runs there it is answered `BUSY`; without it, it is input for that. */
  readonly atPrompt?: boolean | undefined
  /** What a bash topic printed comes with its colours in `data.styled`, too. */
  readonly styles?: boolean | undefined
  /**
   * With `seen`: what a program in a bash topic draws comes as the rows of its terminal in `data.drawn`, too. `over`: only where it goes up
   * and draws over what it printed; `all`: whatever it prints.
   */
  readonly drawn?: 'over' | 'all' | undefined
  /**
   * A person types at a terminal: a line that is run at the prompt of a bash topic has these pagers (`PAGER`, `GIT_PAGER`, `MANPAGER`,
   * `SYSTEMD_PAGER`, `LESS`, `SYSTEMD_LESS`), `{}` those that programs choose. Without it there are none, which would wait for a key.
   */
  readonly pagers?: Pagers | undefined
  /** Whether the command ends when this process goes away; with a signal it does. */
  readonly cancelOnLeave?: boolean | undefined
}

export interface RunOptions {
  /** Where the command of a new shell runs; a shell that is there stays in its own folder. */
  readonly cwd?: string | undefined
  /** Aborting ends the command, with everything that it started, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Aborting ends the waiting alone. */
  readonly goesOn?: boolean | undefined
  /** Told what it prints as it comes, in whole lines where it prints lines. */
  readonly onOutput?: ((text: string) => unknown) | undefined
}

export type CompleteOptions = Pick<ExecOptions, 'cwd' | 'signal'>

export type ChanFlowOptions = Pick<ExecOptions, 'cwd' | 'signal' | 'cancelOnLeave'>

/** What goes along with a message. */
export interface TurnOptions {
  /** Which conversation; `default` by default. Turns of one session run one after another. */
  readonly session?: string | undefined
  /** Who speaks. */
  readonly from?: string | undefined
  readonly attachments?: readonly TurnAttachment[] | undefined
  /** The same one within a day is the same turn, which runs once however often it is asked for. */
  readonly requestId?: string | undefined
  /** Aborting ends the iterator with the signal's reason, and leaves the turn as it is. */
  readonly signal?: AbortSignal | undefined
  /** How long a daemon that went away in the middle is looked for; a minute by default. */
  readonly reopenMs?: number | undefined
  /** Told each time that the connection broke and is opened again, and why. */
  readonly onLost?: ((reason: string) => void) | undefined
}

/** How a turn that exists is followed, as one that is new. */
export interface FollowTurnOptions {
  readonly signal?: AbortSignal | undefined
  readonly reopenMs?: number | undefined
  readonly onLost?: ((reason: string) => void) | undefined
}

export interface UsageFilter {
  /** `agent` by default. */
  readonly by?: UsageGroup | undefined
  readonly since?: Date | string | undefined
}

export interface LogFilter {
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined
  /** Earlier than this: the time of the last line of a list leads to the next. */
  readonly before?: Date | string | undefined
  /** At or after this time. */
  readonly since?: Date | string | undefined
  /** As urgent as this, or more; everything by default. */
  readonly level?: LogLevel | undefined
}

export interface AgentFields {
  readonly home?: string | undefined
  readonly allowedPaths?: readonly string[] | undefined
  readonly profile?: string | undefined
}

/** Which agents are listed; by default all of the daemon's own, in the order in which they were registered. */
export interface AgentListFilter extends ListPart {
  readonly order?: AgentOrder | undefined
  readonly state?: AgentFilter | undefined
  /** A part of the id, in capitals or not. */
  readonly named?: string | undefined
  /** Those of other nodes, too. */
  readonly all?: boolean | undefined
}

export interface OverviewOptions {
  /** Over the agents of other nodes, too. */
  readonly all?: boolean | undefined
}

export interface CancelOptions {
  /** Those that wait, too. */
  readonly all?: boolean | undefined
}

/** Which turns are listed; by default the latest of all agents. */
export interface TurnFilter {
  readonly agent?: string | undefined
  readonly session?: string | undefined
  readonly state?: TurnState | undefined
  /** Ended at or after this time, or not over yet. */
  readonly since?: Date | string | undefined
  /** Those alone that may have run before: of these, `tries` tells what failed. */
  readonly again?: boolean | undefined
  /** At most 200; 50 by default. */
  readonly limit?: number | undefined
  /** Older than this one: the last of a list leads to the next. */
  readonly before?: string | undefined
}

export interface ApprovalFilter extends ListPart {
  readonly agent?: string | undefined
  readonly turn?: string | undefined
  readonly state?: ApprovalState | undefined
  /** Newer than this one, oldest first. */
  readonly after?: string | undefined
}

export interface ApprovalOptions {
  readonly note?: string | undefined
  /** Who decides. */
  readonly by?: string | undefined
}

export interface InboxFilter extends ListPart {
  /** Of one agent; without it, of all. */
  readonly agent?: string | undefined
  readonly state?: 'pending' | 'acked' | undefined
}

export interface OutboxFilter extends ListPart {
  /** Of one agent; without it, of all. */
  readonly agent?: string | undefined
  readonly state?: DeliveryState | undefined
}

export interface MoveOptions {
  /** Where its home is on this node; without it, at the same path. */
  readonly home?: string | undefined
  /** What runs is ended, not waited for. */
  readonly now?: boolean | undefined
}
