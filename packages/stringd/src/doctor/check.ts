import { type CheckView, LIMITS } from '@string-os/protocol'

/** What was seen of a thing, and what to do about it. */
export type Seen = Omit<CheckView, 'name'>

/** Something to look at; it may find several things. */
export interface Check {
  readonly name: string
  readonly look: () => Promise<Seen | readonly Seen[]>
  /** What to do where it never ends. */
  readonly whenLate?: string
}

export function seenOk(seen: string): Seen {
  return { state: 'ok', seen, mend: null }
}

/** It works, and should be changed. */
export function seenWarn(seen: string, mend: string): Seen {
  return { state: 'warn', seen, mend }
}

/** It does not work, or is not safe. */
export function seenFail(seen: string, mend: string): Seen {
  return { state: 'fail', seen, mend }
}

export function seenUntried(seen: string): Seen {
  return { state: 'untried', seen, mend: null }
}

/** Every check alone: one that throws or takes too long is a finding, and keeps no other from being made. */
export async function runChecks(
  checks: readonly Check[],
  limitMs: number = LIMITS.doctorCheckMs,
): Promise<readonly CheckView[]> {
  const lists = await Promise.all(checks.map((check) => runCheck(check, limitMs)))
  return lists.flat()
}

async function runCheck({ name, look, whenLate = HANGS }: Check, limitMs: number): Promise<readonly CheckView[]> {
  const over = new AbortController()
  try {
    const found = await Promise.race([attempt(look), tooLong(whenLate, limitMs, over.signal)])
    return [found].flat().map((seen) => ({ name, ...seen }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      { name, ...seenWarn(`It could not be looked at: ${reason}`, 'string logs tells more, where a daemon runs') },
    ]
  } finally {
    over.abort()
  }
}

/** What throws at once fails as what throws later does. */
async function attempt(look: Check['look']): Promise<Seen | readonly Seen[]> {
  return look()
}

const HANGS = 'something there hangs: a network disk, or a machine under load'

function tooLong(mend: string, limitMs: number, signal: AbortSignal): Promise<Seen> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(seenFail(`No answer within ${limitMs / 1000} s`, mend)), limitMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
}
