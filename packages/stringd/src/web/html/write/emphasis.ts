import { leadingRun, trailingRun } from './edges.ts'
import { BREAK } from './escape.ts'
import type { Part } from './run.ts'

const EMPHASES: ReadonlySet<string> = new Set(['b', 'strong', 'i', 'em', 'cite', 'dfn', 'var', 's', 'del', 'strike'])
const BREAKS = new RegExp(`${BREAK}[ ${BREAK}]*`, 'g')

/** What stands right before and right after an element. */
export interface Neighbours {
  readonly before: Part | undefined
  readonly after: Part | undefined
}

/** Emphasis around the words: breaks at the edges go outside, and only one break stays where many are. */
export function emphasis(content: string, mark: string, tag: string, neighbours: Neighbours): string {
  const start = leadingRun(content, ` ${BREAK}`)
  if (start === content.length) return content
  const end = content.length - trailingRun(content, ` ${BREAK}`)
  const words = content.slice(start, end).replace(BREAKS, BREAK)
  const marked = isMarkable(words, neighbours) ? mark + words + mark : `<${tag}>${words}</${tag}>`
  return content.slice(0, start) + marked + content.slice(end)
}

/** `**a:**b` is no emphasis to Markdown: a mark between a punctuation sign and a letter is taken for the wrong one. */
function isMarkable(words: string, { before, after }: Neighbours): boolean {
  // The marks of two emphases side by side would run into one.
  if (EMPHASES.has(before?.element?.name ?? '')) return false
  const first = words.charAt(leadingRun(words, '*~'))
  const last = words.charAt(words.length - trailingRun(words, '*~') - 1)
  const isOpen = isWord(first) || !isWord(before?.text.slice(-1) ?? '')
  return isOpen && (isWord(last) || !isWord(after?.text.slice(0, 1) ?? ''))
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}
