/** What somebody typed, or a document links to, before anybody looks whether it is there. */
export type Target =
  /** `@name`, `@menu.name`, perhaps with a block. A name that cannot be one is null. */
  | { readonly kind: 'shortcut'; readonly name: string | null; readonly block: string | null }
  /** `#block` of the open document. */
  | { readonly kind: 'block'; readonly block: string }
  | { readonly kind: 'web' }
  /** An address of a kind that nobody opens here. */
  | { readonly kind: 'foreign' }
  | ({ readonly kind: 'path' } & WithBlock)

/** `path#block`: a block's name holds no `#`, a path may. */
export interface WithBlock {
  readonly path: string
  readonly block: string | null
}

/** Lines are counted from 1, both ends belong to it. */
export interface WithLines {
  readonly path: string
  readonly from: number
  readonly to: number
}

const WEB = /^https?:\/\//i
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:file|data|javascript|mailto|ftp|blob|about|view-source):)/i
const SHORTCUT = /^@[a-z0-9_-][a-z0-9_.-]*$/
const LINES = /^(.*):L(\d{1,9})(?:-L?(\d{1,9}))?$/s

/** The one parser of targets. */
export function parseTarget(typed: string): Target {
  if (typed.startsWith('#')) return { kind: 'block', block: typed.slice(1) }
  if (WEB.test(typed)) return { kind: 'web' }
  if (SCHEME.test(typed)) return { kind: 'foreign' }
  const { path, block } = splitBlock(typed)
  if (!typed.startsWith('@')) return { kind: 'path', path, block }
  return { kind: 'shortcut', name: SHORTCUT.test(path) && block !== '' ? path.slice(1) : null, block }
}

/** What stands after the last `#` is a block, if there is one. */
export function splitBlock(typed: string): WithBlock {
  const hash = typed.lastIndexOf('#')
  return hash === -1 ? { path: typed, block: null } : { path: typed.slice(0, hash), block: typed.slice(hash + 1) }
}

/** `path:L5` or `path:L5-L10`; null for what names no lines. */
export function splitLineRange(typed: string): WithLines | null {
  const [, path = '', from, to = from] = LINES.exec(typed) ?? []
  return from === undefined ? null : { path, from: Number(from), to: Number(to) }
}
