import { parseInvocation } from './arguments.ts'
import { EXIT, isCliError } from './exit.ts'
import { findVerb } from './find-verb.ts'
import { VERBS } from './verbs.ts'

/** What went wrong, for a program that asked for data. */
interface FailureData {
  readonly ok: false
  readonly code: string
  readonly error: string
  readonly hint: string | null
}

const CODES: Readonly<Record<number, string>> = { [EXIT.usage]: 'USAGE', [EXIT.unreachable]: 'UNREACHABLE' }

export function failureData(failure: Error, status: number, hint: string | null): FailureData {
  const { message } = failure
  const known = isCliError(failure) ? failure.code : null
  const [, code, error = message] = /^ERROR\(([A-Z0-9_]+)\): (.*)$/s.exec(message) ?? []
  const own = isCliError(failure) ? failure.hint : null
  return { ok: false, code: code ?? known ?? CODES[status] ?? 'FAILED', error, hint: hint ?? own ?? nextIn(error) }
}

/** In a message of one line the next step stands behind the reason. */
function nextIn(message: string): string | null {
  return /^.*(?:; |[.?!] (?=string ))(.+)$/.exec(message)?.[1] ?? null
}

/** Whoever writes flags that cannot be read may still have asked for data. */
export function wantsJson(args: readonly string[]): boolean {
  try {
    const { format, words } = parseInvocation(args, VERBS)
    // A verb that reads its flags on its own has them among its words.
    return (
      format === 'json' ||
      (format === null && findVerb(VERBS, words)?.row.ownFlags === true && words.includes('--json'))
    )
  } catch {
    return args.includes('--json')
  }
}
