import { type CheckState, type CheckView, visibleLine } from '@string-os/protocol'
import { wrapColumns } from '../terminal/columns.ts'
import type { StreamLook } from '../terminal/look.ts'
import { type Line, paint, type Style } from '../terminal/styled-text.ts'

export interface CheckGroup {
  readonly title: string
  readonly checks: readonly CheckView[]
  /** What could not be looked at at all, so that nobody can say that all is well. */
  readonly leftOut?: string
}

const WORDS: Readonly<Record<CheckState, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', untried: '-' }
const STYLES: Readonly<Record<CheckState, readonly Style[]>> = {
  ok: ['green'],
  warn: ['yellow'],
  fail: ['red', 'bold'],
  untried: ['dim'],
}
const WORD_COLUMNS = 6
const NAME_COLUMNS = 17
/** With less room beside the names, what was seen stands below them. */
const LEAST_ROOM = 24
const NARROW_INDENT = 2

/** One line per check, and under what is not well what to type; that comes once more at the end, where a person looks. */
export function report(groups: readonly CheckGroup[], look: StreamLook): string {
  const blocks = groups.map(({ title, checks }) =>
    [paint([{ text: title, styles: ['bold'] }], { color: look.color, links: false }), ...texts(checks, look)].join(
      '\n',
    ),
  )
  return [...blocks, [summary(groups, look), ...texts(notWell(groups, look), look)].join('\n')].join('\n\n')
}

/** In a pipe nothing scrolls away, and each check is one line. */
function notWell(groups: readonly CheckGroup[], { width }: StreamLook): readonly CheckView[] {
  if (width === null) return []
  return groups.flatMap(({ checks }) => checks).filter(({ state }) => state === 'fail' || state === 'warn')
}

function texts(checks: readonly CheckView[], look: StreamLook): readonly string[] {
  return checks
    .flatMap((check) => checkLines(check, look))
    .map((line) => paint(line, { color: look.color, links: false }).trimEnd())
}

function checkLines({ name, state, seen, mend }: CheckView, { width }: StreamLook): Line[] {
  const beside = WORD_COLUMNS + NAME_COLUMNS
  const isNarrow = width !== null && width - beside < LEAST_ROOM
  const indent = isNarrow ? NARROW_INDENT : beside
  const lines = wrapped(visibleLine(seen), width, indent)
  const [first = '', ...rest] = isNarrow ? ['', ...lines] : lines
  const styles: readonly Style[] = state === 'untried' ? ['dim'] : []
  const head: Line = [
    { text: WORDS[state].padEnd(WORD_COLUMNS), styles: STYLES[state] },
    { text: name.padEnd(NAME_COLUMNS) },
    { text: first, styles },
  ]
  const more = rest.map((text): Line => [{ text: ' '.repeat(indent) }, { text, styles: isNarrow ? styles : [] }])
  const next = mend === null ? [] : wrapped(visibleLine(mend), width, indent + 2)
  const steps = next.map(
    (text, at): Line => [{ text: `${' '.repeat(indent)}${at === 0 ? '→ ' : '  '}` }, { text, styles: ['cyan'] }],
  )
  return [head, ...more, ...steps]
}

/** In a pipe a line stays whole: programs read it. */
function wrapped(text: string, width: number | null, indent: number): string[] {
  return wrapColumns(text, width === null ? null : width - indent)
}

function summary(groups: readonly CheckGroup[], { color, width }: StreamLook): string {
  const { text, styles } = summaryOf(groups)
  return wrapped(text, width, 0)
    .map((line) => paint([{ text: line, styles }], { color, links: false }))
    .join('\n')
}

function summaryOf(groups: readonly CheckGroup[]): { readonly text: string; readonly styles: readonly Style[] } {
  const checks = groups.flatMap((group) => group.checks)
  const amount = (state: CheckState): number => checks.filter((check) => check.state === state).length
  const [failed, doubtful, untried] = [amount('fail'), amount('warn'), amount('untried')]
  const skipped = untried === 0 ? '' : `, ${untried} not tried`
  const leftOut = groups.flatMap((group) => group.leftOut ?? [])[0]
  const unseen = leftOut === undefined ? '' : `. Not looked at: ${leftOut}; string start, then string doctor`
  if (failed > 0) {
    const also = doubtful === 0 ? '' : `, ${doubtful} to look at`
    const text = `${failed} of ${checks.length} checks failed${also}${skipped}; what to type stands below each${unseen}`
    return { text, styles: ['red'] }
  }
  if (doubtful > 0)
    return { text: `Nothing is broken; ${doubtful} of ${checks.length} to look at${skipped}${unseen}`, styles: [] }
  const well = leftOut === undefined ? 'All is well' : 'Nothing amiss in what was looked at'
  return { text: `${well}: ${checks.length - untried} checks${skipped}${unseen}`, styles: [] }
}
