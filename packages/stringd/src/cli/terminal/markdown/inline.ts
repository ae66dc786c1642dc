import type { Token } from 'markdown-it'
import type { Style, StyledText } from '../styled-text.ts'
import { htmlText } from './html.ts'

/** How links and marks are shown. */
export interface Manner {
  readonly color: boolean
  /** The terminal can follow links. */
  readonly links: boolean
}

const OPENS: Readonly<Record<string, Style>> = { strong_open: 'bold', em_open: 'italic', s_open: 'strike' }
const CLOSES: Readonly<Record<string, Style>> = { strong_close: 'bold', em_close: 'italic', s_close: 'strike' }
/** Without colours the marks stay: they are all that tells. */
const MARKS: Readonly<Record<string, string>> = { bold: '**', italic: '*', strike: '~~' }

/** The lines of a paragraph as its author broke them. */
export function inlineLines(tokens: readonly Token[], manner: Manner, base: readonly Style[] = []): StyledText[][] {
  const lines: StyledText[][] = [[]]
  const open: Style[] = [...base]
  let link: { readonly target: string; text: string } | null = null
  const put = (text: string, ...styles: Style[]): void => {
    if (text === '') return
    if (link !== null) link.text += text
    const all = [...open, ...(link === null ? [] : LINK), ...styles]
    lines.at(-1)?.push(link === null ? { text, styles: all } : { text, styles: all, link: link.target })
  }
  const mark = (style: Style): void => {
    if (!manner.color) put(MARKS[style] ?? '')
  }
  for (const token of tokens) {
    const { type, content } = token
    const opened = OPENS[type]
    const closed = CLOSES[type]
    if (opened !== undefined) {
      mark(opened)
      open.push(opened)
    } else if (closed !== undefined) {
      const at = open.lastIndexOf(closed)
      if (at !== -1) open.splice(at, 1)
      mark(closed)
    } else if (type === 'link_open') link = { target: String(token.attrGet('href') ?? ''), text: '' }
    else if (type === 'link_close') {
      const { target, text } = link ?? { target: '', text: '' }
      link = null
      const beside = besideLink(text, target, manner)
      if (beside !== '') lines.at(-1)?.push({ text: beside, styles: ['dim'] })
    } else if (type === 'softbreak' || type === 'hardbreak') lines.push([])
    else if (type === 'code_inline') put(manner.color ? content : `\`${content}\``, 'cyan')
    else if (type === 'image') put(`[image: ${content || token.attrGet('src') || ''}]`, 'dim')
    else if (type === 'html_inline') {
      for (const { text, styles = [] } of htmlText(content)) {
        if (text === '\n') lines.push([])
        else put(text, ...styles)
      }
    } else put(content)
  }
  return lines
}

const LINK: readonly Style[] = ['blue', 'underline']

/** Where a link leads is always told: its text could say anything. Where it can be followed, the host is enough. */
function besideLink(text: string, target: string, { links, color }: Manner): string {
  if (target === '' || text === target) return ''
  const isWeb = /^https?:\/\//i.test(target) && URL.canParse(target)
  const isFollowed = links && color && isWeb
  return ` (${isFollowed ? new URL(target).host : target})`
}
