import type { Document } from './document.ts'
import { labelSlug } from './parse/slug.ts'

/** How an entry of a menu is written: the first plain link of the menu's file, else one that is made up. */
export function menuEntryOf({ links }: Pick<Document, 'links'>): string {
  const link = links.find(({ label, target }) => labelSlug(label) !== null && /^[^\s()]+$/.test(target))
  if (link === undefined) return '[@setup Setup](setup.md)'
  const { label, target } = link
  return `[@${labelSlug(label)?.replace(/^[^a-z]+/, '') || 'entry'} ${label}](${target})`
}
