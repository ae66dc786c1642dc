import { constants } from 'node:os'
import { UNREAD } from '../lost-reader.ts'

/** A program that a signal ended exits with the number of that signal above this. */
const SIGNALLED = 128

/** Exit statuses of `string`. */
export const EXIT = {
  ok: 0,
  commandError: 1,
  usage: 2,
  unreachable: 3,
  interrupted: SIGNALLED + constants.signals.SIGINT,
} as const

/** The one table of what they mean: help, the man page and the pages of verbs tell it. */
export const EXIT_TEXTS: readonly (readonly [number, string])[] = [
  [EXIT.ok, 'ok'],
  [EXIT.commandError, 'it failed'],
  [EXIT.usage, 'wrong usage'],
  [EXIT.unreachable, 'no daemon'],
  [EXIT.interrupted, 'ended with Ctrl-C'],
  [UNREAD, 'output unread'],
]

/** Those that a verb decides on; the others come from outside, whatever runs. */
export const OWN_EXITS = EXIT_TEXTS.filter(([status]) => status < SIGNALLED)

interface CliErrorKind {
  readonly isUsage?: boolean
  readonly code?: string | null
  readonly hint?: string | null
}

/** Ends the program with a line for a person. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly status: number
  /** Whether help would have told how it is written. */
  readonly isUsage: boolean

  /** What programs tell it by; null: its status says enough. */
  readonly code: string | null
  /** What to do, where the message holds it and programs want it alone. */
  readonly hint: string | null

  constructor(status: number, message: string, { isUsage = false, code = null, hint = null }: CliErrorKind = {}) {
    super(message)
    this.status = status
    this.isUsage = isUsage
    this.code = code
    this.hint = hint
  }
}

/** Errors are told by name, because a verb that is a file of its own brings its own copy of the class. */
export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError'
}

/** Wrong usage: whoever prints it says where help is. */
export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, message, { isUsage: true })
}

/** Nothing has the name that was given: it was written as it should be, and what was asked for failed. */
export function noSuchThing(message: string): CliError {
  return new CliError(EXIT.commandError, message, { code: 'NOT_FOUND' })
}
