const CELL = { width: 8.4, height: 19 }
const MARGIN = { x: 18, top: 46, bottom: 16 }
const INK = '#d6deeb'
const PAPER = '#0f1720'
const COLORS = {
  30: '#5c6773',
  31: '#f07178',
  32: '#9ccc65',
  33: '#ffcb6b',
  34: '#82aaff',
  35: '#c792ea',
  36: '#7fdbca',
  37: INK,
  90: '#7d8794',
}

/** A screen as a small SVG: text, so that it stays sharp, can be searched, and is read aloud. */
export function picture(screen, { title, rows = screen.rows, cursor = null }) {
  const width = Math.ceil(MARGIN.x * 2 + screen.columns * CELL.width)
  const height = Math.ceil(MARGIN.top + rows.length * CELL.height + MARGIN.bottom)
  const texts = rows.flatMap((row, index) => rowText(row, MARGIN.top + (index + 0.75) * CELL.height))
  const mark =
    cursor === null
      ? []
      : [
          rect(
            MARGIN.x + cursor.column * CELL.width,
            MARGIN.top + cursor.row * CELL.height + 2,
            CELL.width,
            CELL.height - 3,
            '#d6deeb99',
          ),
        ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;fill:${INK};white-space:pre}.t{font:13px system-ui,sans-serif;fill:#7d8794}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${PAPER}" stroke="#2b3744"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${20 + index * 20}" cy="20" r="6" fill="${fill}"/>`,
    ),
    `<text class="t" x="${width / 2}" y="25" text-anchor="middle">${escaped(title)}</text>`,
    ...mark,
    ...texts,
    '</svg>',
    '',
  ].join('\n')
}

/** Runs of one style, each at its own place and stretched to its cells: whatever font there is, columns stay columns. */
function rowText(row, y) {
  const out = []
  for (let at = 0; at < row.length; ) {
    const { style } = row[at] ?? { style: {} }
    let end = at + 1
    while (end < row.length && sameStyle(row[end]?.style ?? {}, style)) end += 1
    const text = Array.from(row.slice(at, end), (cell) => cell?.text ?? ' ').join('')
    if (text.trim() !== '' || style.inverse) out.push(run(text, at, end - at, y, style))
    at = end
  }
  return out
}

function run(text, column, cells, y, style) {
  // Blanks at the ends are not stretched by every viewer, so the run is what is between them.
  const left = text.length - text.trimStart().length
  const shown = text.trim()
  const x = MARGIN.x + (column + left) * CELL.width
  const width = (cells - (text.length - shown.length)) * CELL.width
  const color = COLORS[style.color] ?? INK
  const marks = [
    ['fill', style.inverse ? PAPER : style.dim ? '#7d8794' : color === INK ? null : color],
    ['font-weight', style.bold ? '700' : null],
    ['font-style', style.italic ? 'italic' : null],
    ['text-decoration', style.underline ? 'underline' : style.strike ? 'line-through' : null],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`]))
  const css = marks.length === 0 ? '' : ` style="${marks.join(';')}"`
  const back = style.inverse
    ? rect(MARGIN.x + column * CELL.width, y - CELL.height * 0.75, cells * CELL.width, CELL.height, color)
    : ''
  if (shown === '') return back
  return `${back}<text x="${round(x)}" y="${round(y)}" textLength="${round(width)}"${css}>${escaped(shown)}</text>`
}

function rect(x, y, width, height, fill) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`
}

function sameStyle(one, other) {
  const names = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike', 'color']
  return names.every((name) => (one[name] || undefined) === (other[name] || undefined))
}

const round = (value) => String(Math.round(value * 10) / 10)
const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])
