import { safeText } from '../terminal/cells.ts'
import { lastWord } from '../terminal/editor/last-word.ts'
import { fitsTopic } from './line-kind.ts'

/** What is quoted stays; `!!` and `!$` stand where a word begins, so that `wow!!` and `[ ! $x ]` are what they are. */
const PARTS = /'[^']*'?|"(?:[^"\\]|\\.)*"?|\\.|(?<=^|[\s;|&(])!(?:!|\$(?![\w{(]))|./gs

/** A line with `!!` and `!$` written out, by lines of a shell that were typed before; null where it holds none. */
export function expandedLine(line: string, typedBefore: readonly string[]): string | null {
  const before = shellLines(typedBefore)[0]
  if (before === undefined || line.includes('\n')) return null
  const parts = line.match(PARTS) ?? []
  const expanded = parts.map((part) => (part === '!!' ? before : part === '!$' ? lastWord(before) : part)).join('')
  return expanded === line ? null : expanded
}

const SHOWN = 50

/** How many lines `history` is to show; null for any other line. */
export function historyCount(line: string): number | null {
  const [all, count = String(SHOWN)] = /^\s*history(?:\s+(\d{1,6}))?\s*$/.exec(line) ?? []
  return all === undefined ? null : Number(count)
}

/** The last lines that were typed to a shell, numbered, the newest last. */
export function historyText(typedBefore: readonly string[], count: number): string {
  const lines = shellLines(typedBefore)
  const width = String(lines.length).length
  const numbered = lines.slice(0, count).map((line, index) => {
    const shown = line
      .split('\n')
      .map(safeText)
      .join(`\n${' '.repeat(width + 4)}`)
    return `  ${String(lines.length - index).padStart(width)}  ${shown}`
  })
  return numbered.reverse().join('\n')
}

function shellLines(typedBefore: readonly string[]): readonly string[] {
  return typedBefore.filter((line) => !line.startsWith('//') && fitsTopic(line, { type: 'bash', commands: [] }))
}
