import type { StyledText } from '../styled-text.ts'

/** Tags of HTML, which say how a text looks. Any other word in angle brackets is a text of its own: `<NAME>`. */
const TAGS = new Set(
  (
    'a abbr acronym address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col ' +
    'colgroup dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu meta nav noscript ' +
    'object ol optgroup option output p param picture pre progress q rp rt ruby s samp section select small source span strike ' +
    'strong sub summary sup svg table tbody td textarea tfoot th thead time title tr track tt u ul var video wbr'
  ).split(' '),
)
const MARK = /<!--|<\/?([a-z][a-z0-9-]*)(?=[\s/>])/gi
/** Whoever writes a longer tag sees it: the time to look for ends stays that of reading the text. */
const TAG_CHARS = 1_000
const BREAKS = new Set(['br', 'p', 'div', 'li', 'tr', 'hr'])

/** What a person reads of HTML: comments and tags are not shown, of a picture what it says of itself. */
export function htmlText(html: string): readonly StyledText[] {
  const spans: StyledText[] = []
  let at = 0
  // Looked for once: of many comments that are not closed, each would be.
  const lastEnd = html.lastIndexOf('-->')
  const put = (text: string, isPicture = false): void => {
    if (text !== '') spans.push(isPicture ? { text, styles: ['dim'] } : { text })
  }
  for (const { 1: tag, index } of html.matchAll(MARK)) {
    const name = tag?.toLowerCase()
    const end = index < at || (name !== undefined && !TAGS.has(name)) ? -1 : endOf(html, index, name, lastEnd)
    if (end === -1) continue
    put(html.slice(at, index))
    at = end
    if (name === 'img') put(picture(html.slice(index, end)), true)
    else if (name !== undefined && BREAKS.has(name)) put('\n')
  }
  put(html.slice(at))
  return spans
}

/** Where a comment or a tag ends; -1 for one that is not closed, which is text. */
function endOf(html: string, start: number, name: string | undefined, lastEnd: number): number {
  if (name === undefined) {
    const end = start + 4 <= lastEnd ? html.indexOf('-->', start + 4) : -1
    return end === -1 ? -1 : end + 3
  }
  let quote = ''
  for (let at = start + name.length; at < Math.min(html.length, start + TAG_CHARS); at += 1) {
    const character = html.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at + 1
  }
  return -1
}

function picture(tag: string): string {
  return `[image: ${attribute(tag, 'alt') || attribute(tag, 'src')}]`
}

function attribute(tag: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`, 'i').exec(tag.slice(0, -1)) ?? []
  return (double ?? single ?? bare ?? '').replace(/\s+/g, ' ').trim()
}

/** The same, line by line, without those that are empty now. */
export function htmlLines(html: string): readonly (readonly StyledText[])[] {
  const lines: StyledText[][] = [[]]
  for (const span of htmlText(html)) {
    for (const [index, text] of span.text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (text !== '') lines.at(-1)?.push({ ...span, text })
    }
  }
  return lines.filter((line) => line.some(({ text }) => text.trim() !== '')).map(trimmed)
}

function trimmed(line: readonly StyledText[]): readonly StyledText[] {
  const [first, ...rest] = line.filter(({ text }, index) => index > 0 || text.trim() !== '')
  return first === undefined ? [] : [{ ...first, text: first.text.trimStart() }, ...rest]
}
