import { type Failure, fail, LIMITS, listNames } from '@string-os/protocol'
import type { Menu, PageIndex, Shortcut } from '../document/page.ts'
import type { Base } from '../library/address.ts'

export interface MenuEntries {
  readonly ok: true
  readonly entries: readonly Shortcut<Base>[]
  /** The file as the document names it, and how an entry is written in it. */
  readonly file: string
  readonly example: () => string
}

export type ReadMenu = (menu: Menu<Base>) => Promise<MenuEntries | Failure>

export interface FoundShortcut {
  readonly ok: true
  readonly shortcut: Shortcut<Base>
}

/** `id`, `page.id` or `menu.id`: the page's own first, then automatic ones, then those of its menus. */
export async function findShortcut(
  name: string,
  { shortcuts, menus }: PageIndex<Base>,
  read: ReadMenu,
): Promise<FoundShortcut | Failure | null> {
  const dot = name.indexOf('.')
  const id = name.slice(dot + 1)
  const space = dot === -1 ? null : name.slice(0, dot)
  if (space === null || space === 'page') {
    const own = shortcuts.get(id)
    if (own !== undefined) return { ok: true, shortcut: own }
  }
  for (const menu of menus.values()) {
    if (space !== null && menu.name !== space) continue
    const found = await read(menu)
    if (!found.ok && space !== null) return found
    const shortcut = found.ok ? found.entries.find((candidate) => candidate.id === id) : undefined
    if (shortcut !== undefined) return { ok: true, shortcut }
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
    const found = await read(menu)
    if (found.ok) names.push(...found.entries.slice(0, LIMITS.hintedNames).map(({ id }) => `@${menu.name}.${id}`))
  }
  return fail(
    'NOT_FOUND',
    `Shortcut not found: ${typed}`,
    names.length === 0 ? 'This document has no shortcuts' : `Shortcuts: ${listNames(names)}`,
  )
}
