import { constants } from 'node:os'
import type { Masker } from '@string-os/protocol'
import type { OutputTail } from './output-tail.ts'
import type { Profile } from './profile.ts'
import { maskedEnd } from './secrets.ts'
import type { TurnRequest, TurnResult } from './turn.ts'
import type { WireOutcome } from './wire.ts'

/** How the process of a turn came to its end. */
export interface Ending {
  readonly cause: 'exit' | 'timeout' | 'cancel'
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Finished {
  readonly profile: Profile
  readonly request: TurnRequest
  readonly outcome: WireOutcome
  readonly ending: Ending
  readonly stderr: OutputTail
  readonly secrets: Masker
  readonly started: number
}

/** The result of a turn that never started. */
export function refusedResult(
  { exitCode, message, isCancelled = false }: { exitCode: number; message: string; isCancelled?: boolean },
  sessionId: string | null = null,
  started = performance.now(),
): TurnResult {
  return {
    ok: false,
    reply: '',
    error: message,
    session_id: sessionId,
    exit_code: exitCode,
    timed_out: false,
    truncated: false,
    duration_ms: since(started),
    cancelled: isCancelled,
    agent_error: false,
    stderr: '',
    said: '',
    usage: null,
    body: '',
  }
}

/** An error of the agent counts whatever its exit code says, and nothing of a failed turn is a reply. */
export function turnResult({ profile, request, outcome, ending, secrets, ...rest }: Finished): TurnResult {
  const exitCode = exitCodeOf(ending)
  const stderr = rest.stderr.text()
  const hasFailed = exitCode !== 0 || outcome.error !== null
  return {
    ok: !hasFailed,
    reply: hasFailed ? '' : outcome.reply,
    error: outcome.error ?? (hasFailed ? generalError(profile, ending, stderr) : null),
    session_id: outcome.sessionId ?? request.sessionId,
    exit_code: hasFailed && exitCode === 0 ? 1 : exitCode,
    timed_out: ending.cause === 'timeout',
    truncated: outcome.arePartialsCut || (!hasFailed && outcome.isReplyCut),
    duration_ms: since(rest.started),
    cancelled: ending.cause === 'cancel',
    agent_error: outcome.error !== null,
    stderr,
    said: hasFailed ? '' : outcome.said,
    usage: outcome.usage,
    body: hasFailed ? maskedEnd(Buffer.from(outcome.body), secrets, Number.POSITIVE_INFINITY) : '',
  }
}

function exitCodeOf({ cause, code, signal }: Ending): number {
  if (cause === 'timeout') return 124
  if (cause === 'cancel') return 130
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL']
}

function generalError(profile: Profile, ending: Ending, stderr: string): string | null {
  if (!profile.sendErrorReply) return null
  const tail = stderr.trim()
  const sentence = errorSentence(profile, ending, tail === '')
  return profile.includeStderrInReply && tail !== '' ? `${sentence}\n\n${tail}` : sentence
}

/** What shells mean by it. */
const MEANINGS: ReadonlyMap<number | null, string> = new Map([
  [126, 'That is what a shell says of a program that may not be run: its standard error names it'],
  [127, 'That is what a shell says of a program that is not there: its standard error names it'],
])

function errorSentence({ timeoutMs, path }: Profile, { cause, code, signal }: Ending, isSilent: boolean): string {
  if (cause === 'cancel') return 'The turn was cancelled.'
  if (cause === 'timeout')
    return `The agent took longer than ${timeoutMs / 1000} s and was stopped. Ask for less, or raise timeout_secs in its profile.`
  const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `failed with exit code ${code}`
  const says = code === null ? 'may tell' : 'tells'
  const why = isSilent ? 'It printed nothing to its standard error' : `Its standard error ${says} why`
  return `The agent ${how}. ${MEANINGS.get(code) ?? why}; string bridge check ${path} tells how it is run.`
}

function since(started: number): number {
  return Math.round(performance.now() - started)
}
