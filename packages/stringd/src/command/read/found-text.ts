import { count, type Failure, fail, LIMITS } from '@string-os/protocol'
import { pathWord } from '../../files/workspace.ts'
import type { FoundFile, Searched, SearchSummary, SearchTask } from '../../search/search-task.ts'
import type { FoundLine } from '../../search/search-text.ts'

/** What was looked for, and the name of where. */
export interface AskedToFind extends Pick<SearchTask, 'pattern' | 'filesOnly' | 'context'> {
  readonly shown: string
}

/** Room for what is said below the lines. */
const NOTES_BYTES = 2_048

export function foundSystem({ filesOnly, shown }: AskedToFind, { files, summary }: Searched): string {
  const searched = summary === null ? '' : ` (${count(summary.files, 'file')} searched)`
  if (files.length === 0) return `Found nothing in ${shown}${searched}`
  const rest = summary === null || summary.stopped === 'time' ? '; not all was searched' : '; there may be more'
  const isWhole = summary?.stopped === null
  if (filesOnly)
    return isWhole
      ? `Found ${count(files.length, 'file')} in ${shown}${searched}`
      : `Found the first ${count(files.length, 'file')} in ${shown}${rest}${searched}`
  // Of the last file, only what was found until then is counted: a sum would be no sum.
  const first = files.reduce((sum, { lines }) => sum + lines.filter(({ isMatch }) => isMatch).length, 0)
  if (!isWhole) return `Found the first ${count(first, 'line')} in ${count(files.length, 'file')}${rest}${searched}`
  const lines = files.reduce((sum, { total }) => sum + total, 0)
  return `Found ${count(lines, 'line')} in ${count(files.length, 'file')}${searched}`
}

/** Nothing was looked at but what is too large: that is no search that found nothing. */
export function isUnsearched(summary: SearchSummary | null): boolean {
  return summary !== null && summary.files === 0 && summary.tooLarge > 0 && summary.stopped === null
}

export function notSearched({ pattern, filesOnly, shown }: AskedToFind): Failure {
  const { text, isRegex, ignoreCase } = pattern
  const flags = `-${filesOnly ? 'l' : 'n'}${isRegex ? 'P' : 'F'}${ignoreCase ? 'i' : ''}`
  return fail(
    'TOO_LARGE',
    `${shown} was not searched: it is larger than ${LIMITS.documentBytes / 1024 / 1024} MiB`,
    `/exec grep ${flags} -- ${word(text)} ${pathWord(shown)} searches it`,
  )
}

/** A line for each that was found, beginning with its target, and below them what was left out. */
export function foundText(asked: AskedToFind, { files, summary }: Searched): string | null {
  const rows = files.flatMap((file) => rowsOf(file, asked))
  const shown = rowsThatFit(rows)
  const notes = [
    ...(shown.length < rows.length
      ? [`${count(rows.length - shown.length, 'more line')} did not fit: ${narrower(asked)}`]
      : []),
    ...(summary === null ? [hung(asked)] : left(summary, asked)),
    ...(files.length === 0 && !isUnsearched(summary)
      ? ['What git ignores is not searched; --ignore-case, another word or another PATH may find it']
      : []),
  ]
  const all = [...shown, ...notes.map((note) => `[${note}]`)]
  return all.length === 0 ? null : all.join('\n')
}

function rowsOf(file: FoundFile, { pattern, filesOnly, context }: AskedToFind): string[] {
  const { path, lines, total } = file
  if (filesOnly) return [`${word(path)}: ${total === 0 ? 'by its name' : count(total, 'line')}`]
  const rows =
    context === 0
      ? lines.map((line) => `${word(`${path}:L${line.number}`)}: ${line.text}`)
      : runs(lines).flatMap((run) => runRows(path, run))
  const more = total - lines.filter(({ isMatch }) => isMatch).length
  return more === 0
    ? rows
    : [...rows, `[${word(path)} has ${count(more, 'more line')}: /find ${word(pattern.text)} ${word(path)}]`]
}

/** Lines that follow each other, as `/edit` shows them, under the target that means them all. */
function runRows(path: string, run: readonly FoundLine[]): string[] {
  const first = run[0]?.number ?? 0
  const last = run.at(-1)?.number ?? first
  const width = String(last).length
  return [
    word(`${path}:L${first}${last === first ? '' : `-L${last}`}`),
    ...run.map(({ number, text, isMatch }) => ` ${String(number).padStart(width)} ${isMatch ? '*' : ' '}│ ${text}`),
  ]
}

function runs(lines: readonly FoundLine[]): FoundLine[][] {
  const result: FoundLine[][] = []
  for (const line of lines) {
    const run = result.at(-1)
    if (run?.at(-1)?.number === line.number - 1) run.push(line)
    else result.push([line])
  }
  return result
}

function rowsThatFit(rows: readonly string[]): readonly string[] {
  let room = LIMITS.pageBytes - NOTES_BYTES
  const end = rows.findIndex((row) => {
    room -= Buffer.byteLength(row) + 1
    return room < 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

function left({ stopped, binary, tooLarge, unreadable }: SearchSummary, asked: AskedToFind): string[] {
  const most = asked.filesOnly ? count(LIMITS.foundFiles, 'file') : count(LIMITS.foundLines, 'line')
  return [
    ...(stopped === 'enough' ? [`There may be more than these ${most}: ${narrower(asked)}`] : []),
    ...(stopped === 'time'
      ? [`Not all of ${asked.shown} was searched, for the time was over: ${narrower(asked)}`]
      : []),
    ...(binary > 0
      ? [`${count(binary, 'file')} that ${binary === 1 ? 'is' : 'are'} no text ${binary === 1 ? 'has' : 'have'} it too`]
      : []),
    ...(tooLarge > 0
      ? [
          `Not searched, for being over ${LIMITS.documentBytes / 1024 / 1024} MiB: ${count(tooLarge, 'file')}; /exec grep searches ${tooLarge === 1 ? 'it' : 'them'}`,
        ]
      : []),
    ...(unreadable > 0 ? [`Not searched, for they cannot be read: ${unreadable}`] : []),
  ]
}

/** Nothing came from the thread any more: it is in a single line, or on a disk that does not answer. */
function hung({ pattern, shown }: AskedToFind): string {
  const what = pattern.isRegex ? 'a simpler expression or a smaller PATH may end' : 'a smaller PATH may end'
  return `The search of ${shown} was ended, for it came to no end in ${LIMITS.searchMs / 1000} s: ${what}`
}

function narrower({ filesOnly }: AskedToFind): string {
  return filesOnly
    ? 'a longer TEXT or a smaller PATH narrows it'
    : 'a longer TEXT or a smaller PATH narrows it, --files lists only files'
}

/** As it is typed in a command. */
function word(text: string): string {
  return /^[\w./~@%+=:,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
