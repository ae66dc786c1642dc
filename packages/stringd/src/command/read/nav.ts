import { count, type Data, fail, LIMITS, listNames, ok, type Result, visibleLine } from '@string-os/protocol'
import type { Menu, Shortcut } from '../../document/page.ts'
import type { Base } from '../../library/address.ts'
import type { Loaded } from '../../library/library.ts'
import type { MenuEntries } from '../../reading/shortcuts.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'

const SCAFFOLD = `Put this into a document to give it a menu:

    [!nav:main](./nav/main.md)

and its entries into \`nav/main.md\`, one link each:

    # Main menu

    - [@home Home](../index.md)
    - [@guide Guide](../guide.md#start)
    - [@source Source code](https://example.com/source)

The reader opens an entry with \`/open @home\` or \`/open @main.home\`.`

export const nav = defineCommand({
  name: 'nav',
  summary: 'Show the menus and shortcuts of the open document',
  params: { name: 'optional' },
  flags: { resolve: { type: 'boolean', summary: 'everything with its target' } },
  body: 'none',
  details: ['`/nav NAME` shows one menu, `/nav page` the page’s own shortcuts, `/nav scaffold` a template to copy.'],
  examples: ['/nav', '/nav main', '/nav page', '/nav --resolve', '/nav scaffold'],
  async run({ name, resolve }, context) {
    if (name === 'scaffold') return ok('Nav Scaffold', SCAFFOLD)
    const current = await context.reader.current('/nav')
    if (!current.ok) return current
    const { loaded } = current
    if (name === 'page') return ok('Menu: page', pageEntries(loaded, resolve), { menus: [pageFields(loaded, true)] })
    if (name !== undefined) return oneMenu(name, loaded, resolve, context)
    return allMenus(loaded, resolve, context)
  },
})

async function oneMenu(name: string, { index }: Loaded, resolve: boolean, { reader }: CommandContext): Promise<Result> {
  const menu = index.menus.get(name)
  if (menu === undefined) {
    const names = [...index.menus.keys(), 'page']
    return fail('NOT_FOUND', `Menu not found: ${name}`, `Menus: ${listNames(names)}`)
  }
  const found = await reader.menu(menu)
  if (!found.ok) return found
  const { entries } = found
  return ok(`Menu: ${name}`, rows(entries, resolve, `${name}.`, '') || noEntries(found), {
    menus: [menuFields(name, entries, true)],
  })
}

async function allMenus(loaded: Loaded, resolve: boolean, context: CommandContext): Promise<Result> {
  const sections: string[] = []
  const menus: Data[] = []
  for (const menu of loaded.index.menus.values()) {
    const { text, data } = await menuSection(menu, resolve, context)
    sections.push(text)
    menus.push(data)
  }
  if (resolve)
    sections.push(`- page\n${rows([...loaded.index.shortcuts.values()], true, '', '  ') || '  (no shortcuts)'}`)
  const { size } = loaded.index.shortcuts
  const more = resolve ? [] : [`- page: ${count(size, 'shortcut')}, /nav page lists them`]
  return ok('Menus', [...sections, ...more].join('\n'), { menus: [...menus, pageFields(loaded, resolve)] })
}

/** Small menus are shown with their entries, large ones by their size. */
async function menuSection(
  menu: Menu<Base>,
  resolve: boolean,
  { reader }: CommandContext,
): Promise<{ text: string; data: Data }> {
  const { name } = menu
  const found = await reader.menu(menu)
  if (!found.ok) return { text: `- ${name}: ${found.system}`, data: { name, error: found.system } }
  const { entries } = found
  const isShown = resolve || entries.length <= LIMITS.navExpanded
  const text = isShown
    ? `- ${name}\n${rows(entries, resolve, `${name}.`, '  ') || `  ${noEntries(found)}`}`
    : `- ${name}: ${count(entries.length, 'shortcut')}, /nav ${name} lists them`
  return { text, data: menuFields(name, entries, isShown) }
}

/** A file of links is a list that one reads: entries are those that have a name. */
function noEntries({ file, example }: MenuEntries): string {
  return visibleLine(`(no entries: ${file} declares no shortcuts; write ${example()})`)
}

/** A menu as fields: its entries where the text lists them, else only how many. */
function menuFields(name: string, entries: readonly Shortcut<Base>[], isShown: boolean): Data {
  const listed = isShown ? entries.map(({ id, label, target }) => ({ id, label, target })) : []
  return { name, count: entries.length, entries: listed }
}

function pageFields({ index }: Loaded, isShown: boolean): Data {
  return menuFields('page', [...index.shortcuts.values()], isShown)
}

function pageEntries({ index }: Loaded, resolve: boolean): string {
  return rows([...index.shortcuts.values()], resolve, '', '') || '(no shortcuts)'
}

function rows(entries: readonly Shortcut<Base>[], resolve: boolean, space: string, indent: string): string {
  return entries
    .map(({ id, label, target }) =>
      visibleLine(`${indent}- [${label}][@${space}${id}]${resolve ? ` → ${target}` : ''}`),
    )
    .join('\n')
}
