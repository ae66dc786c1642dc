import type { ChanFlowItem } from './chanflow-decoder.ts'
import { FenceTracker } from './chanflow-fence.ts'
import { CLOSING_TAG, matchOpeningTag } from './chanflow-tag.ts'

/** Something that was meant as a block and stayed text: whoever wrote it waits for a reply. */
export interface IgnoredBlock {
  readonly type: 'ignored'
  /** `malformed`: its tag is none. `fenced`: it stands behind a code fence without an end. `letter`: another C than 𝒞. */
  readonly why: 'malformed' | 'fenced' | 'letter'
  /** The tag as it was written; the first one, of several behind a fence. */
  readonly tag: string
  readonly count: number
}

const MAYBE = /(?:^|\n) {0,3}<(?:𝒞|\p{L}=)/u
const BEGINS = /^ {0,3}(<(𝒞|\p{L})[^\n>]*>?)/u
const WHOLE_TAG = /^<\p{L}=[a-z][a-z0-9_-]*(?::[^\s<>"]*)?>$/u

/** Puts the blocks that were ignored between the items of a text. Examples in closed fences and quoted replies are text. */
export function withIgnored(items: readonly ChanFlowItem[]): (ChanFlowItem | IgnoredBlock)[] {
  if (!items.some((item) => item.type === 'text' && MAYBE.test(item.text))) return [...items]
  const scan = new Scan()
  const all = items.flatMap((item): (ChanFlowItem | IgnoredBlock)[] => {
    if (item.type === 'text') return [...scan.text(item.text), item]
    scan.block()
    return [item]
  })
  return [...all, ...scan.end()]
}

class Scan {
  readonly #fences = new FenceTracker()
  /** Tags that stand in the fence that is open. */
  #fenced: string[] = []
  #afterBlock = false

  /** What follows on its line may begin with a tag again. */
  block(): void {
    this.#fences.leaveLineHead()
    this.#afterBlock = true
  }

  text(text: string): IgnoredBlock[] {
    const ends = new Ends(text)
    const found: IgnoredBlock[] = []
    let free = 0
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf('\n', at) + 1 || text.length
      if (at >= free && (this.#fences.indent === 0 || this.#afterBlock)) {
        const [, tag = '', letter = ''] = BEGINS.exec(text.slice(at, next)) ?? []
        const why = letter === '' ? null : this.#look(tag, letter, ends, at)
        if (why === 'fenced') this.#fenced.push(tag)
        else if (why === 'malformed' || why === 'letter') found.push({ type: 'ignored', why, tag, count: 1 })
        // What stands inside of it is not looked at: it is part of it.
        if (why !== null && why !== 'fenced') free = ends.after(letter, at)
      }
      this.#afterBlock = false
      this.#fences.advance(text.slice(at, next))
      if (!this.#fences.inFence) this.#fenced = []
      at = next
    }
    return found
  }

  end(): IgnoredBlock[] {
    const [tag] = this.#fenced
    return tag === undefined ? [] : [{ type: 'ignored', why: 'fenced', tag, count: this.#fenced.length }]
  }

  /** What a line is that begins like a tag; `quoted` for a reply that somebody repeats. */
  #look(tag: string, letter: string, ends: Ends, at: number): IgnoredBlock['why'] | 'quoted' | null {
    if (letter === '𝒞') {
      const read = matchOpeningTag(tag, 0)
      const isTag = read !== null && read !== 'partial'
      if (this.#fences.inFence) return isTag && !read.quoted ? 'fenced' : null
      if (isTag) return 'quoted'
      return tag.startsWith('<𝒞=') || ends.after(letter, at) > 0 ? 'malformed' : null
    }
    if (this.#fences.inFence || letter.normalize('NFKC') !== 'C' || !WHOLE_TAG.test(tag)) return null
    return ends.after(letter, at) > 0 ? 'letter' : null
  }
}

/** Where closing tags are, each looked for once, however often it is asked for. */
class Ends {
  readonly #text: string
  readonly #next = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** Behind the next closing tag, written with this letter or as it should be; 0 when there is none. */
  after(letter: string, from: number): number {
    const found = [CLOSING_TAG, `</${letter}>`].map((tag) => this.#find(tag, from)).filter((at) => at > 0)
    return found.length === 0 ? 0 : Math.min(...found)
  }

  #find(tag: string, from: number): number {
    const known = this.#next.get(tag)
    if (known !== undefined && (known === 0 || known > from)) return known
    const at = this.#text.indexOf(tag, from)
    const end = at === -1 ? 0 : at + tag.length
    this.#next.set(tag, end)
    return end
  }
}
