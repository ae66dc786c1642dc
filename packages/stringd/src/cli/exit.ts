/** Exit statuses of `string`. */
export const EXIT = { ok: 0, commandError: 1, usage: 2, unreachable: 3 } as const

/** Ends the program with a line for a person. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly status: number
  /** Whether help would have told how it is written. */
  readonly isUsage: boolean

  constructor(status: number, message: string, isUsage = false) {
    super(message)
    this.status = status
    this.isUsage = isUsage
  }
}

/** Errors are told by name, because a verb that is a file of its own brings its own copy of the class. */
export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError'
}

/** Wrong usage: whoever prints it says where help is. */
export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, message, true)
}
