import type { TemplatePart } from '../declare/template.ts'

/** The host of an address as the URL parser sees it; what a field or a variable decides is shown as that. */
export function hostOf(parts: readonly TemplatePart[]): string {
  const shown = parts.map(spelling)
  // Each place is filled by letters that a host keeps as they are, and looked for in what the parser made of it.
  const mark = markFor(shown.join(''))
  const filled = parts.map((part, index) => (part.kind === 'text' ? part.text : `${mark}${index}z`)).join('')
  const text = URL.canParse(filled) ? new URL(filled).host : authority(filled)
  const host = text.replace(new RegExp(`${mark}(\\d+)z`, 'g'), (_, index: string) => shown[Number(index)] ?? '')
  return host === '' ? shown.join('') : host
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
