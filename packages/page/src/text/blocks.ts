import MarkdownParser, { type Token } from 'markdown-it'

/** One block of a page: its own source, and the tokens that it was parsed to. */
export interface MarkdownBlock {
  readonly source: string
  readonly tokens: readonly Token[]
}

/** Raw HTML stays text, and so do images and addresses until the renderer has looked at them. */
const parser = new MarkdownParser({ html: false, linkify: false, typographer: false })
// Every address is judged where it is rendered; here a refusal would only hide what was written.
parser.validateLink = () => true

/** A text as its outermost blocks. */
export function parseBlocks(text: string): MarkdownBlock[] {
  const tokens = parser.parse(text, {})
  const lines = text.split('\n')
  const blocks: MarkdownBlock[] = []
  let start = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || token.level !== 0 || token.nesting === 1) continue
    const [from = 0, to = 0] = tokens[start]?.map ?? []
    blocks.push({ source: lines.slice(from, to).join('\n'), tokens: tokens.slice(start, at + 1) })
    start = at + 1
  }
  return blocks
}

/** A text that grows: what was settled before is not parsed again. */
export class GrowingMarkdown {
  #settled: MarkdownBlock[] = []
  #settledText = ''

  blocks(text: string): readonly MarkdownBlock[] {
    if (!text.startsWith(this.#settledText)) {
      this.#settled = []
      this.#settledText = ''
    }
    const fresh = parseBlocks(text.slice(this.#settledText.length))
    this.#settle(text, fresh)
    return [...this.#settled, ...fresh]
  }

  /** All but the last two blocks stay as they are: what comes can only continue the last. */
  #settle(text: string, fresh: MarkdownBlock[]): void {
    const settling = fresh.splice(0, Math.max(0, fresh.length - 2))
    const next = fresh[0]?.tokens[0]?.map?.[0]
    if (settling.length === 0 || next === undefined) {
      fresh.unshift(...settling)
      return
    }
    const rest = text.slice(this.#settledText.length)
    this.#settledText += lineStart(rest, next)
    this.#settled = [...this.#settled, ...settling]
  }
}

/** The text before a line. */
function lineStart(text: string, line: number): string {
  let at = 0
  for (let count = 0; count < line; count += 1) at = text.indexOf('\n', at) + 1
  return text.slice(0, at)
}
