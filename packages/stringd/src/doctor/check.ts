import { constants, type Stats, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CheckView, LIMITS } from '@string-os/protocol'
import { shellWord } from './shell-word.ts'

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
    return [{ name, ...unseen(error) }]
  } finally {
    over.abort()
  }
}

/** What nobody may read nobody can use either. */
function unseen(error: unknown): Seen {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' && path !== undefined) return shutFile(path)
  const reason = error instanceof Error ? error.message : String(error)
  return seenWarn(`It could not be looked at: ${reason}`, 'string logs tells more, where a daemon runs')
}

/** What is closed to us, and how it is opened: what is ours by its mode. */
export function shutFile(path: string): Seen {
  return seenFail(`${path} may not be used by this user`, howToOpen(path))
}

function howToOpen(path: string): string {
  const there = statOrNull(path)
  // What cannot even be seen lies in a folder that is closed.
  if (there === null) return dirname(path) === path ? 'string config says where it looks' : howToOpen(dirname(path))
  const own = process.getuid?.()
  return there.uid === own ? `chmod u+rwX ${shellWord(path)}` : `sudo chown ${own ?? '"$USER"'} ${shellWord(path)}`
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    // It is missing, or out of sight.
    return null
  }
}

/** Whether this user may read, write and enter it, or what else is asked. */
export async function mayUse(path: string, how = constants.R_OK | constants.W_OK | constants.X_OK): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  )
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
