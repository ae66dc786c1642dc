import { BLOCKS, CELLS, TABLE_PARTS } from './elements.ts'

/** What an opening tag closes, unless one that `until` names is open inside it. */
export interface Closing {
  readonly names: readonly string[]
  readonly until: (name: string) => boolean
}

const LOOSE: ReadonlySet<string> = new Set(['address', 'div', 'p'])

const isTable = (name: string) => name === 'table'
const isBlock = (name: string) => BLOCKS.has(name)
const isFirmBlock = (name: string) => BLOCKS.has(name) && !LOOSE.has(name)

/** Nothing inside a cell closes what is outside. */
export const isCell = (name: string) => CELLS.has(name) || name === 'table'

const PARTS: Closing = { names: ['caption', 'thead', 'tbody', 'tfoot'], until: isTable }
const CELL: Closing = { names: ['td', 'th', 'caption'], until: isTable }
const TERM: Closing = { names: ['dt', 'dd'], until: isFirmBlock }

const IMPLIED: ReadonlyMap<string, Closing> = new Map<string, Closing>([
  ['li', { names: ['li'], until: isFirmBlock }],
  ['dt', TERM],
  ['dd', TERM],
  ['td', CELL],
  ['th', CELL],
  ['tr', { names: ['tr', 'caption'], until: isTable }],
  ['thead', PARTS],
  ['tbody', PARTS],
  ['tfoot', PARTS],
  ['a', { names: ['a'], until: isBlock }],
])

export function impliedClosings(name: string): Closing | null {
  return IMPLIED.get(name) ?? null
}

/** What a closing tag does not reach across. */
export function closedOutBy(name: string): (open: string) => boolean {
  if (name === 'table') return () => false
  if (TABLE_PARTS.has(name)) return isTable
  return BLOCKS.has(name) ? isCell : isBlock
}
