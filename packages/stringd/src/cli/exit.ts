/** Exit statuses of `string`. */
export const EXIT = { ok: 0, commandError: 1, usage: 2, unreachable: 3 } as const

/** Ends the program with a line for a person. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Errors are told by name, because a verb that is a file of its own brings its own copy of the class. */
export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && error.name === 'CliError'
}

export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, `${message}\nstring --help shows how it is used`)
}
