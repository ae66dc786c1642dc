import { type Failure, LIMITS } from '@string-os/protocol'
import { startParseProcess, startParseThread } from './parse-host.ts'
import { ParsePool } from './parse-pool.ts'
import type { ParsedText, ParseTask } from './run-parse.ts'

/** `command` is whose parse it is: its signal is looked at only where a parse takes long. */
export type Parse = (task: ParseTask, command?: { readonly signal: AbortSignal }) => Promise<ParsedText | Failure>

/**
 * Makes documents of text. A little in each turn of the event loop here; what could hold up everyone
 * else, in threads; what could take all memory, in a process.
 */
export function createParser(): Parse {
  let run: ((task: ParseTask) => Promise<ParsedText>) | null = null
  const small = new ParsePool({ start: startParseThread, size: LIMITS.parsesAtOnce })
  const large = new ParsePool({ start: () => startParseProcess(), size: LIMITS.largeParsesAtOnce })
  const takeTurn = createTurns()
  return async (task, command) => {
    const { length } = task.text
    if (length > LIMITS.smallDocumentChars) return large.run(task, command?.signal)
    if (!takeTurn(length)) return small.run(task, command?.signal)
    run ??= await loadRunParse()
    return run(task)
  }
}

/** Says whether there is room for so much text in this turn of the event loop. */
export function createTurns(): (chars: number) => boolean {
  let taken = 0
  return (chars) => {
    if (taken + chars > LIMITS.parseHereChars) return false
    if (taken === 0)
      setImmediate(() => {
        taken = 0
      })
    taken += Math.max(1, chars)
    return true
  }
}

async function loadRunParse(): Promise<(task: ParseTask) => Promise<ParsedText>> {
  const { createRunParse } = await import('./run-parse.ts')
  return createRunParse()
}
