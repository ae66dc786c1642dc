import type { Directive, Document, Link, Span, Warning } from './document.ts'
import { labelSlug } from './slug.ts'

/** A document with everything it includes. `Base` says where its targets start; it means nothing here. */
export interface Page<Base> {
  readonly document: Document
  readonly base: Base
  /** What stands in place of each include directive: another page or a part of it, or why there is none. */
  readonly includes: ReadonlyMap<Directive, Included<Base>>
}

export type Included<Base> = { readonly page: Page<Base>; readonly part: Span } | { readonly problem: string }

/** A name for a target, which `/open @id` takes. */
export interface Shortcut<Base> {
  readonly id: string
  readonly label: string
  readonly target: string
  readonly base: Base
  readonly automatic: boolean
}

export interface Menu<Base> {
  readonly name: string
  readonly target: string
  readonly base: Base
}

/** What a whole page offers, its includes counted in. */
export interface PageIndex<Base> {
  readonly shortcuts: ReadonlyMap<string, Shortcut<Base>>
  /** The id under which the reader sees each link. */
  readonly ids: ReadonlyMap<Link, string>
  readonly menus: ReadonlyMap<string, Menu<Base>>
  readonly actions: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Targets that are worth a name although the author gave them none. */
const LONG_TARGET = 40

/** The same page always gets the same names: those of the author first, then automatic ones in reading order. */
export function indexPage<Base>(root: Page<Base>): PageIndex<Base> {
  const index = {
    shortcuts: new Map<string, Shortcut<Base>>(),
    ids: new Map<Link, string>(),
    menus: new Map<string, Menu<Base>>(),
    actions: new Set<string>(),
    warnings: [] as Warning[],
  }
  const pages = new Set(pagesOf(root))
  for (const page of pages) {
    for (const warning of [...page.document.warnings, ...problems(page)]) index.warnings.push(warning)
    for (const action of page.document.actions) if (action.part === 'action') index.actions.add(action.id)
    for (const directive of page.document.directives) addMenu(page, directive, index)
    for (const link of page.document.links) declare(page, link, index)
  }
  nameTheRest(root, index)
  return { ...index, actions: [...index.actions] }
}

interface Growing<Base> {
  readonly shortcuts: Map<string, Shortcut<Base>>
  readonly ids: Map<Link, string>
  readonly menus: Map<string, Menu<Base>>
  readonly warnings: Warning[]
}

function* pagesOf<Base>(page: Page<Base>): Generator<Page<Base>> {
  yield page
  for (const included of page.includes.values()) if ('page' in included) yield* pagesOf(included.page)
}

/** Links as the reader meets them: those of an include where the include stands. */
function* linksOf<Base>(page: Page<Base>, part: Span): Generator<{ link: Link; base: Base }> {
  const pending = [...page.includes].sort(([a], [b]) => a.start - b.start)
  for (const link of page.document.links) {
    if (link.start < part.start || link.end > part.end) continue
    while (pending[0] !== undefined && pending[0][0].start < link.start) yield* linksOfInclude(pending.shift()?.[1])
    yield { link, base: page.base }
  }
  for (const [, included] of pending) yield* linksOfInclude(included)
}

function* linksOfInclude<Base>(included: Included<Base> | undefined): Generator<{ link: Link; base: Base }> {
  if (included !== undefined && 'page' in included) yield* linksOf(included.page, included.part)
}

function declare<Base>({ base }: Page<Base>, link: Link, { shortcuts, ids, warnings }: Growing<Base>): void {
  const { id, label, target, line } = link
  if (id === null) return
  if (id.startsWith('link-'))
    return void warnings.push({ line, message: `@${id}: names that begin with link- are reserved` })
  const known = shortcuts.get(id)
  if (known === undefined) shortcuts.set(id, { id, label: oneLine(label), target, base, automatic: false })
  else if (known.target !== target)
    return void warnings.push({ line, message: `Shortcut @${id} stands twice; the first is used` })
  ids.set(link, id)
}

function nameTheRest<Base>(root: Page<Base>, { shortcuts, ids }: Growing<Base>): void {
  const next = new Map<string, number>()
  let numbered = 0
  for (const { link, base } of linksOf(root, { start: 0, end: root.document.text.length })) {
    if (ids.has(link) || !isWorthAName(link.target)) continue
    const label = oneLine(link.label)
    const slug = labelSlug(label)
    if (slug === null) numbered += 1
    const id = slug === null ? `link-${numbered}` : free(slug, shortcuts, next)
    shortcuts.set(id, { id, label, target: link.target, base, automatic: true })
    ids.set(link, id)
  }
}

/** The counter per slug keeps a page of a thousand equal labels linear. */
function free(slug: string, taken: ReadonlyMap<string, unknown>, next: Map<string, number>): string {
  if (!taken.has(slug)) return slug
  let count = next.get(slug) ?? 2
  while (taken.has(`${slug}-${count}`)) count += 1
  next.set(slug, count + 1)
  return `${slug}-${count}`
}

function isWorthAName(target: string): boolean {
  return /^https?:\/\//i.test(target) || target.length > LONG_TARGET
}

function addMenu<Base>({ base }: Page<Base>, directive: Directive, { menus, warnings }: Growing<Base>): void {
  const { type, name, target, line } = directive
  if (type !== 'nav') return
  if (name === 'page') warnings.push({ line, message: 'The menu name page is reserved' })
  else if (menus.has(name)) warnings.push({ line, message: `Menu ${name} stands twice; the first is used` })
  else menus.set(name, { name, target, base })
}

function problems<Base>({ includes }: Page<Base>): Warning[] {
  return [...includes].flatMap(([{ line }, included]) =>
    'problem' in included ? [{ line, message: included.problem }] : [],
  )
}

function oneLine(label: string): string {
  if (!label.includes('\n')) return label
  return label
    .split('\n')
    .map((line) => line.replace(/^[>\s]+/, '').trimEnd())
    .join(' ')
}
