import { wrap } from './markdown/wrap.ts'
import { type Line, lineWidth } from './styled-text.ts'

const INDENT = 4
/** Narrower than this, an indent would take what there is. */
const LEAST_COLUMNS = 20

/** A line broken between its words; what follows the first row is indented. Blanks at its beginning stay. */
export function hangingLines(line: Line, width: number): readonly Line[] {
  if (lineWidth(line) <= width) return [line]
  const columns = width - INDENT < LEAST_COLUMNS ? 0 : INDENT
  const [lead = ''] = /^ */.exec(line[0]?.text ?? '') ?? []
  const indent = { text: ' '.repeat(columns) }
  return wrap(line, width - columns).map((row, index) => [index === 0 ? { text: lead } : indent, ...row])
}
