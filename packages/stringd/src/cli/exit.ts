/** Exit statuses of `string`. */
export const EXIT = { ok: 0, commandError: 1, usage: 2, unreachable: 3 } as const

/** Ends the program with a line for a person. */
export class CliError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, `${message}\nstring --help shows how it is used`)
}
