import { type Failure, fail, LIMITS, listNames } from '@string-os/protocol'
import type { Menu, PageIndex, Shortcut } from '../document/page.ts'
import type { Base } from '../library/address.ts'

/** The entries of a menu. */
export type ReadMenu = (menu: Menu<Base>) => Promise<readonly Shortcut<Base>[] | Failure>

/** `id`, `page.id` or `menu.id`: the page's own first, then automatic ones, then those of its menus. */
export async function findShortcut(
  name: string,
  { shortcuts, menus }: PageIndex<Base>,
  read: ReadMenu,
): Promise<Shortcut<Base> | Failure | null> {
  const dot = name.indexOf('.')
  const id = name.slice(dot + 1)
  const space = dot === -1 ? null : name.slice(0, dot)
  if (space === null || space === 'page') {
    const own = shortcuts.get(id)
    if (own !== undefined) return own
  }
  for (const menu of menus.values()) {
    if (space !== null && menu.name !== space) continue
    const entries = await read(menu)
    if ('code' in entries && space !== null) return entries
    if ('code' in entries) continue
    const entry = entries.find((candidate) => candidate.id === id)
    if (entry !== undefined) return entry
  }
  return null
}

export async function unknownShortcut(
  typed: string,
  { shortcuts, menus }: PageIndex<Base>,
  read: ReadMenu,
): Promise<Failure> {
  const names = [...shortcuts.keys()].map((id) => `@${id}`)
  for (const menu of menus.values()) {
    const entries = await read(menu)
    if (!('code' in entries)) names.push(...entries.slice(0, LIMITS.hintedNames).map(({ id }) => `@${menu.name}.${id}`))
  }
  return fail(
    'NOT_FOUND',
    `Shortcut not found: ${typed}`,
    names.length === 0 ? 'This document has no shortcuts' : `Shortcuts: ${listNames(names)}`,
  )
}
