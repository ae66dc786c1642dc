import { appendFileSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFields, LIMITS, parseJson } from '@string-os/protocol'
import { writeFileAtomic } from '../../../store/atomic-file.ts'
import { ensurePrivateDir } from '../../../store/private-dir.ts'

/** What a person typed, over restarts. Two programs at once append to the same file, each whole lines. */
export interface History {
  /** Newest first. */
  readonly entries: readonly string[]
  /** Those of them that were a mistake when they were typed last. */
  readonly refused: ReadonlySet<string>
  readonly add: (entry: string) => void
  readonly refuse: (entry: string) => void
}

/** A history that cannot be read or written is none, and no reason not to go on: `warn` hears of it. */
export async function openHistory(
  dataDir: string,
  file: 'chat-history' | 'topic-history',
  warn: (text: string) => void,
): Promise<History> {
  const path = join(dataDir, file)
  let lines: readonly string[] = []
  try {
    ensurePrivateDir(dataDir)
    lines = await readLast(path)
  } catch (error) {
    warn(`No history: ${(error as Error).message}`)
  }
  const append = (entry: string, line: string): void => {
    if (entry.trim() === '' || entry.length > LIMITS.inputHistoryChars || setsVariable(entry)) return
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 })
    } catch {
      // Said once, when it could not be opened; a full disk is no reason to stop talking.
    }
  }
  return {
    ...readBack(lines),
    add: (entry) => append(entry, lineOf(entry)),
    refuse: (entry) => append(entry, refusalOf(entry)),
  }
}

/** Line by line: what was refused, and typed again later to some use, is not refused any more. */
function readBack(lines: readonly string[]): Pick<History, 'entries' | 'refused'> {
  const entries: string[] = []
  const refused = new Set<string>()
  for (const line of lines) {
    const mistake = mistakeIn(line)
    if (mistake !== null) {
      refused.add(mistake)
      continue
    }
    const entry = entryOf(line)
    refused.delete(entry)
    entries.push(entry)
  }
  return { entries: entries.reverse(), refused }
}

/** A stored variable is where keys are put: what sets one is not written down a second time, nor shown again. */
export function setsVariable(entry: string): boolean {
  return /^\s*\/{1,2}set\b/.test(entry) && entry.includes('$')
}

/** Several lines are one line of JSON; so is one line that would be read as such. */
function lineOf(entry: string): string {
  const isRead = !entry.includes('\n') && entryOf(entry) === entry && mistakeIn(entry) === null
  return isRead ? entry : JSON.stringify(entry)
}

function refusalOf(entry: string): string {
  return JSON.stringify({ refused: entry })
}

function mistakeIn(line: string): string | null {
  const value = line.startsWith('{"refused":') ? parseJson(line) : undefined
  return isFields(value) && typeof value.refused === 'string' ? value.refused : null
}

function entryOf(line: string): string {
  const value = line.startsWith('"') ? parseJson(line) : undefined
  return typeof value === 'string' ? value : line
}

/** The last lines; a file that has grown past twice their number is shortened. */
async function readLast(path: string): Promise<readonly string[]> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isFile()) throw new Error(`${path} is no file`)
  const all = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const last = all.slice(-LIMITS.inputHistoryEntries)
  if (all.length > 2 * LIMITS.inputHistoryEntries) await writeFileAtomic(path, `${last.join('\n')}\n`)
  return last
}
