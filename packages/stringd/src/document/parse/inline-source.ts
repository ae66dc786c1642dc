import { type Lines, lastAtMost } from '../text/line-offsets.ts'

/** Turns an offset into the content of a piece of inline text into an offset into the document; null where it cannot. */
export type ToSource = (offset: number) => number | null

/**
 * A paragraph's or heading's content is its source lines, each without what the containers and the indentation put in
 * front of it. Each content line is therefore found at the end of its source line.
 */
export function paragraphSource(content: string, firstLine: number, lines: Lines): ToSource {
  const starts: number[] = []
  const sources: (number | null)[] = []
  let start = 0
  for (const [index, line] of content.split('\n').entries()) {
    const trimmed = line.trim()
    const column = trimmed === '' ? -1 : lines.content(firstLine + index).lastIndexOf(trimmed)
    const lead = line.length - line.trimStart().length
    starts.push(start)
    sources.push(column === -1 ? null : lines.start(firstLine + index) + column - lead)
    start += line.length + 1
  }
  return (offset) => {
    const part = lastAtMost(starts, offset)
    const source = sources[part] ?? null
    return source === null ? null : source + offset - (starts[part] ?? 0)
  }
}

/** The cells of a table's row, each found on the row's line behind the one before it. */
export function rowSources(cells: readonly string[], line: number, lines: Lines): ToSource[] {
  const text = lines.content(line)
  let from = 0
  return cells.map((content) => {
    // Pipes that the row escapes are not escaped in the cell's content.
    const written = content.replaceAll('|', '\\|')
    const column = text.indexOf(written, from)
    if (column === -1) return () => null
    from = column + written.length
    const base = lines.start(line) + column
    const pipes = pipePositions(content)
    return (offset) => base + offset + countBelow(pipes, offset)
  })
}

function pipePositions(content: string): number[] {
  const positions: number[] = []
  for (let at = content.indexOf('|'); at !== -1; at = content.indexOf('|', at + 1)) positions.push(at)
  return positions
}

function countBelow(ascending: readonly number[], value: number): number {
  if ((ascending[0] ?? value) >= value) return 0
  return lastAtMost(ascending, value - 1) + 1
}
