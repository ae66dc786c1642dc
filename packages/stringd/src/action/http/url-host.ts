import type { TemplatePart } from '../declare/template.ts'

/** The host of an address as the URL parser sees it; what a field or a variable decides is shown as that. */
export function hostOf(parts: readonly TemplatePart[]): string {
  const { url, filled, shown, restored } = filledIn(parts)
  const host = restored(url?.host ?? authority(filled))
  return host === '' ? shown : host
}

/** The whole address likewise, as far as it is sent; one that the parser refuses, as it is written. */
export function sentAddress(parts: readonly TemplatePart[]): string {
  const { url, shown, restored } = filledIn(parts)
  return url === null ? shown.replace(/\s+/g, ' ') : restored(url.href.replace(/#.*/s, ''))
}

interface FilledIn {
  readonly url: URL | null
  readonly filled: string
  /** As it is written. */
  readonly shown: string
  readonly restored: (text: string) => string
}

/** Each place is filled by letters that an address keeps as they are, and looked for in what the parser made of it. */
function filledIn(parts: readonly TemplatePart[]): FilledIn {
  const spellings = parts.map(spelling)
  const shown = spellings.join('')
  const mark = markFor(shown)
  const filled = parts.map((part, index) => (part.kind === 'text' ? part.text : `${mark}${index}z`)).join('')
  return {
    url: URL.canParse(filled) ? new URL(filled) : null,
    filled,
    shown,
    restored: (text) =>
      text.replace(new RegExp(`${mark}(\\d+)z`, 'g'), (_, index: string) => spellings[Number(index)] ?? ''),
  }
}

function spelling(part: TemplatePart): string {
  if (part.kind === 'text') return part.text
  return part.kind === 'field' ? `{${part.name}}` : `$${part.name}`
}

function markFor(text: string): string {
  let mark = 'zplace'
  while (text.toLowerCase().includes(mark)) mark += 'z'
  return mark
}

/** Where the parser refuses the letters, as in a port: what stands between the slashes, which a backslash is too. */
function authority(url: string): string {
  const [, found = ''] = /^[a-z]+:[/\\]{2}([^/\\?#]*)/i.exec(url) ?? []
  return found.slice(found.lastIndexOf('@') + 1)
}
