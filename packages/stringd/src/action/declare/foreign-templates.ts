/** What other template languages write, where ours shows it as text; in the form of a mistake. */
export interface Foreign {
  readonly problem: string
  readonly next: string
  /** It may be meant so. */
  readonly isDoubt: boolean
}

const OPENS = /\{+[%#\s]*(?:for|each)\s+([^{}%]*?)[\s%]*\}+/
/** As other languages and hands write `end:`. */
const BARE_END = /^(?:endfor:?|end|End:|END:)$/
const CLOSES = /\{+(?:[%\s]*(?:\/\s*(?:for|each)|end(?:for|each))|%\s*end)[\s%]*\}+/
const BEGINS = new RegExp(`^${OPENS.source}`)
const ENDS = new RegExp(`^${CLOSES.source}$`)

/** A loop that begins or ends in a line, or does both. */
export interface ForeignLoop {
  /** Null: it ends, or begins and ends. */
  readonly item: string | null
  readonly isEnd: boolean
  readonly next: string
}

export function foreignLoop(text: string): ForeignLoop | null {
  if (ENDS.test(text) || BARE_END.test(text)) return { item: null, isEnd: true, next: 'Write end:' }
  const [begins = '', inside] = BEGINS.exec(text) ?? []
  if (inside === undefined) return null
  const [, named = 'item', source] = /^([A-Za-z_]\w*)\s+(?:in|of)\s+(\S+)$/.exec(inside) ?? []
  const [list = ''] = inside.split(/\s/, 1)
  const item = lower(named)
  const head = `for: ${item} in ${source ?? (list || 'Response.body.items')}`
  const rest = text.slice(begins.length)
  if (!CLOSES.test(rest)) return { item, isEnd: false, next: `Write ${head}, and end: on a line of its own behind it` }
  const body = rest.slice(0, rest.search(CLOSES)).replace(DOUBLED, (_, path: string) => `{${ofItem(path, item)}}`)
  return { item: null, isEnd: false, next: `Write three lines: ${head}, then ${body.trim()}, then end:` }
}

const DOUBLED = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*)\s*\}\}/g

interface Doubled {
  readonly whole: string
  readonly path: string
  /** What the path begins with. */
  readonly root: string
  readonly index: number
}

export function doubledIn(text: string): Doubled[] {
  return [...text.matchAll(DOUBLED)].map(({ 0: whole, 1: path = '', index }) => {
    return { whole, path, root: /^[\w-]+/.exec(path)?.[0] ?? '', index }
  })
}

/** `{{path}}` of something that is known: one brace is a place, and the other is shown. */
export function doubledBraces(text: string, isKnown: (name: string) => boolean, item = 'item'): Foreign[] {
  return doubledIn(text).flatMap(({ whole, path, root }) => {
    if (root !== 'this' && !isKnown(root)) return []
    const problem = `${whole} has a brace too many: braces are shown around the value`
    return [{ problem, next: `Write {${ofItem(path, item)}}`, isDoubt: false }]
  })
}

/** `${path}` is of JavaScript and of shells. A price may be meant. */
export function dollarBraces(text: string, isKnown: (name: string) => boolean): Foreign[] {
  return [...text.matchAll(/\$\{([A-Za-z_][\w-]*)((?:\.[\w-]+|\[\d+\])*)\}/g)].flatMap(
    ([whole, root = '', rest = '']) =>
      isKnown(root)
        ? [{ problem: `${whole} shows a $ in front of the value`, next: `Write {${root}${rest}}`, isDoubt: true }]
        : [],
  )
}

/** `{if: …}`, `{{#if …}}`, `{% if … %}` and their ends; `if: x.done` of something that is known, and what stands alone in a line. */
export function foreignCondition(text: string, isKnown: (name: string) => boolean): Foreign[] {
  const [, bare, root = ''] = /^\s*((?:if|unless|elif)(?::|\s)\s*([A-Za-z_][\w-]*)(?:[.[]\S*)?:?)\s*$/.exec(text) ?? []
  const [whole] =
    (bare !== undefined && isKnown(root) ? [bare] : null) ??
    /\{+(?:[%#\s]*(?:if|unless|elif|elsif)[:\s][^{}]*|[%\s]*(?:\/\s*(?:if|unless)|endif)[\s%]*)\}+/.exec(text) ??
    /^\s*(?:else:|endif:?)\s*$/.exec(text) ??
    []
  if (whole === undefined) return []
  const next = 'Leave it out: a value that is missing shows nothing, and so does for: over an empty list'
  return [{ problem: `${whole.trim()} is shown as text: a response has no conditions`, next, isDoubt: false }]
}

function ofItem(path: string, item: string): string {
  return path.replace(/^this\b/, item)
}

export function lower(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}
