import type { ErrorCode } from './codes.ts'
import type { Json } from './json.ts'

/** What a result says as fields, for programs. The names are those of the wire: snake_case. */
export type Data = { readonly [field: string]: Json }

/** What an edit did to a file. */
export interface Change {
  /** The target as it was typed, with its block or lines. */
  readonly path: string
  readonly added: number
  readonly removed: number
  /** Numbered lines; empty when nothing changed. */
  readonly diff: string
}

export interface Success {
  readonly ok: true
  readonly code: null
  /** One line that says what happened; null where the content speaks for itself. */
  readonly system: string | null
  readonly content: string | null
  /** In ChanFlow the system line leads, although there is content: a shell command that still runs. */
  readonly announce?: true
  readonly change?: Change
  readonly data?: Data
  /** The content is a page to be read, and no listing, output or source. */
  readonly isMarkdown?: true
  /** Everything was asked for, by a caller who may have it: nothing is cut. */
  readonly isWhole?: true
  /** It may hold secrets: no copy is kept of what an answer has no room for. */
  readonly isPrivate?: boolean
}

export interface Failure {
  readonly ok: false
  readonly code: ErrorCode
  readonly system: string
  /** What the reader can do now, a line each. */
  readonly hints: readonly string[]
  /** The output of a shell command that failed; null for every other error. */
  readonly content: string | null
  readonly data?: Data
  /** As for a success. */
  readonly isPrivate?: boolean
}

/** What is wrong with something, for a caller who knows what it was for and makes an answer of it. */
export interface Problem {
  readonly ok: false
  readonly problem: string
}

/** What a command returns. Renderers make text of it; commands never do. */
export type Result = Success | Failure

export function ok(system: string | null, content: string | null = null, data?: Data): Success {
  if (data === undefined) return { ok: true, code: null, system, content }
  return { ok: true, code: null, system, content, data }
}

/** A page: whoever shows it to a person may lay it out. */
export function page(system: string, content: string): Success {
  return { ok: true, code: null, system, content, isMarkdown: true }
}

/** What the reader can do now: an error that says nothing about that does not compile. */
type NextSteps = readonly [string, ...string[]] | readonly [...string[], string]

export function fail(code: ErrorCode, system: string, ...hints: NextSteps): Failure {
  return { ok: false, code, system, hints, content: null }
}

export function problem(reason: string): Problem {
  return { ok: false, problem: reason }
}

/** Text where a command was due. The sentence is fixed, and names the next step itself. */
export function notACommand(): Failure {
  const system = 'Commands must start with /. Use /help for details.'
  return { ok: false, code: 'COMMAND_UNSUPPORTED', system, hints: [], content: null }
}

/** A confirmation with more to say: what was done is shown before the content, in ChanFlow too. */
export function announced(system: string, content: string, data: Data): Success {
  return { ok: true, code: null, system, content, announce: true, data }
}

/** What a shell command printed, without a word of ours. */
export interface Printed {
  readonly text: string
  /** The middle is left out. */
  readonly isCut: boolean
  /** Where the whole is; null where it is nowhere. */
  readonly path: string | null
}

/** Written out: adding to an object takes V8 longer than making it. */
export function shellData(exit: number | null, cwd: string, isRunning: boolean, { text, isCut, path }: Printed): Data {
  return isCut
    ? { exit, cwd, running: isRunning, output: text, truncated: true, whole: path }
    : { exit, cwd, running: isRunning, output: text }
}

/** A shell command that came to an end: its output is the content, whatever the status. */
export function exited(status: number, cwd: string, output: string, printed: Printed): Result {
  const system = `exit: ${status} | cwd: ${cwd}`
  const content = output === '' ? null : output
  const data = shellData(status, cwd, false, printed)
  if (status === 0) return { ok: true, code: null, system, content, data }
  return { ok: false, code: `EXIT_${status}`, system, hints: [], content, data }
}

/** Why a command has no end of its own: somebody stopped it. */
export const COMMAND_STOPPED = fail(
  'CANCELLED',
  'The command was stopped before it ended',
  'The topic goes on with the next command',
)

/** A shell command that was stopped, with everything it started: whatever its status is, it has none of its own. What it had printed is not lost. */
export function stopped(cwd: string, output: string, printed: Printed): Failure {
  return { ...COMMAND_STOPPED, content: output === '' ? null : output, data: shellData(null, cwd, false, printed) }
}

/** What a shell topic takes while something runs in it. */
export const TYPED_WHILE_RUNNING = 'text is its input; also //wait SECONDS, //interrupt, //key NAME, //send TEXT'

/** In a shell topic, behind a command that was typed as other topics take it; how it is typed there follows. */
export const MEANT_IN_SHELL = 'commands have two slashes here'

/** What may be done about a program that goes on in spite of Ctrl-C. */
export const NOT_INTERRUPTED = 'it goes on: //interrupt again, or //close to end the shell and all that it started'

/** The last line of the answer of a shell that has ended with its command. */
export const SHELL_ENDED = '(the shell has ended; the next input starts a fresh one)'

/** The same where a program has the whole screen. */
export const TYPED_IN_SCREEN =
  'it has the whole screen, as shown; //key NAME… presses keys in it, //send TEXT types, //wait SECONDS looks again, //close ends the shell'

/** Of an answer that ends with a screen, before the note: how many lines that has, and where the cursor is. */
export interface ScreenPlace {
  readonly lines: number
  readonly row: number
  readonly column: number
}

/** A shell command that has not ended when the wait is over. */
export function running(cwd: string, output: string, screen: ScreenPlace | null, printed: Printed): Success {
  const data = shellData(null, cwd, true, printed)
  return {
    ok: true,
    code: null,
    system: `running | cwd: ${cwd}`,
    content: output === '' ? null : output,
    announce: true,
    data: screen === null ? data : { ...data, screen: { ...screen } },
  }
}

/** A shell command that was ended on purpose: whatever its status, that is what was asked for. */
export function interrupted(status: number, cwd: string, output: string, printed: Printed): Success {
  const data = shellData(status, cwd, false, printed)
  return { ...running(cwd, output, null, printed), system: `exit: ${status} | cwd: ${cwd}`, data }
}

/** An edit: `/exec` shows `content`, ChanFlow shows the change. */
export function changed(system: string, change: Change, content: string | null = null): Success {
  const { path, added, removed } = change
  return { ok: true, code: null, system, content, change, data: { path, added, removed } }
}
