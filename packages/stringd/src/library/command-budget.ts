import { type Failure, fail, LIMITS } from '@string-os/protocol'

export type ParseBudget = Pick<CommandBudget, 'parse' | 'command'>

/** Of a budget no more than `room`, which is what is left for all that a page includes. */
export function within(room: number, budget: ParseBudget): ParseBudget {
  const tooLong = fail(
    'TOO_LARGE',
    `includes are larger than ${LIMITS.includedChars} characters together`,
    'Open what it includes by itself',
  )
  return { command: budget.command, parse: (chars) => (chars > room ? tooLong : budget.parse(chars)) }
}

/** What one command may still do, all documents that it loads together. It is counted before the work is done. */
export class CommandBudget {
  /** Its signal ends when the command is stopped. */
  readonly command: { readonly signal: AbortSignal }
  #chars: number = LIMITS.commandChars
  #pages: number = LIMITS.commandPages
  #menus: number = LIMITS.commandMenus

  constructor(command: { readonly signal: AbortSignal }) {
    this.command = command
  }

  /** Text is about to be parsed. */
  parse(chars: number): Failure | null {
    if (chars > this.#chars)
      return fail(
        'TOO_LARGE',
        `One command parses at most ${LIMITS.commandChars / 1024 / 1024} MiB, with all that a document includes`,
        'Open what it includes by itself; /open PATH --source shows a file as it is',
      )
    this.#chars -= chars
    return null
  }

  /** A page is about to be fetched. */
  page(): Failure | null {
    if (this.#pages === 0)
      return fail(
        'LIMIT_REACHED',
        `One command fetches at most ${LIMITS.commandPages} pages`,
        'Open the others by themselves',
      )
    this.#pages -= 1
    return null
  }

  /** A menu is about to be opened. */
  menu(): Failure | null {
    if (this.#menus === 0)
      return fail(
        'LIMIT_REACHED',
        `One command opens at most ${LIMITS.commandMenus} menus`,
        '/nav NAME shows one, /open @MENU.ID opens an entry of one',
      )
    this.#menus -= 1
    return null
  }
}
