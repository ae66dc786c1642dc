import { LIMITS, visibleLine } from '@string-os/protocol'
import { size } from './describe.ts'
import type { Entry } from './files.ts'

/** The lines of a folder listing: folders with a slash, files with their size. */
export function listing(entries: readonly Entry[]): string {
  if (entries.length === 0) return '(empty)'
  const lines = entries.slice(0, LIMITS.listedEntries).map(line)
  const more = entries.length - lines.length
  return more > 0 ? [...lines, `… and ${more} more`].join('\n') : lines.join('\n')
}

function line({ name, kind, bytes }: Entry): string {
  const shown = visibleLine(name)
  if (kind === 'folder') return `${shown}/`
  if (kind === 'file') return `${shown}  ${size(bytes)}`
  return `${shown}  (${kind === 'link' ? 'link' : 'not a file'})`
}
