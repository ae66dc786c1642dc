import type { Problem } from '@string-os/protocol'
import { LIMITS } from '@string-os/protocol'
import type { ActionSource, Directive, Document, Link, Span, Warning } from './document.ts'
import { labelSlug } from './parse/slug.ts'

/** A document with everything it includes. `Base` says where its targets start; it means nothing here. */
export interface Page<Base> {
  readonly document: Document
  readonly base: Base
  /** What stands in place of each include directive: another page or a part of it, or why there is none. */
  readonly includes: ReadonlyMap<Directive, Included<Base>>
}

export type Included<Base> = { readonly ok: true; readonly page: Page<Base>; readonly part: Span } | Problem

const RENAME = 'Give it another name'

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

/** An action as it stands in a document, and the template of its answer where that document has one. */
export interface PageAction<Base> {
  readonly id: string
  readonly source: ActionSource
  readonly response: ActionSource | null
  /** Of the document in which it stands: that decides what it may do. */
  readonly base: Base
  /** What that is called, where it is only included. */
  readonly file?: string
}

/** What a whole page offers, its includes counted in. */
export interface PageIndex<Base> {
  readonly shortcuts: ReadonlyMap<string, Shortcut<Base>>
  /** The id under which the reader sees each link. */
  readonly ids: ReadonlyMap<Link, string>
  /** The targets that the reader sees, with where they start: those of links without an id. Of two, the first. */
  readonly targets: ReadonlyMap<string, Base>
  readonly menus: ReadonlyMap<string, Menu<Base>>
  readonly actions: ReadonlyMap<string, PageAction<Base>>
  readonly warnings: readonly Warning[]
}

/** What an included document is called, seen from the one that is open; null for that itself. */
export type NameIncluded<Base> = (base: Base, root: Base) => string | null

/** The same page always gets the same names: those of the author first, then automatic ones in reading order. */
export function indexPage<Base>(root: Page<Base>, nameIncluded: NameIncluded<Base> = () => null): PageIndex<Base> {
  const index = {
    shortcuts: new Map<string, Shortcut<Base>>(),
    ids: new Map<Link, string>(),
    targets: new Map<string, Base>(),
    menus: new Map<string, Menu<Base>>(),
    actions: new Map<string, PageAction<Base>>(),
    warnings: [] as Warning[],
  }
  for (const { page, part } of partsOf(root, wholeOf(root))) {
    const { document, base } = page
    const inPart = within(part)
    const name = nameIncluded(base, root.base)
    const file = name === null ? {} : { file: name }
    for (const warning of [...document.warnings, ...problems(page)]) index.warnings.push({ ...warning, ...file })
    for (const action of actionsOf(document, base))
      if (inPart(action.source)) addAction({ ...action, ...file }, index.actions)
    for (const directive of document.directives) if (inPart(directive)) addMenu(base, directive, index)
    for (const link of document.links) if (inPart(link)) declare(base, link, index)
  }
  nameTheRest(root, index)
  return { ...index, warnings: index.warnings.slice(0, LIMITS.documentWarnings) }
}

function actionsOf<Base>({ actions }: Document, base: Base): PageAction<Base>[] {
  const responses = new Map(
    actions
      .filter(({ part }) => part === 'response')
      .toReversed()
      .map((source) => [source.id, source] as const),
  )
  return actions
    .filter(({ part }) => part === 'action')
    .map((source) => ({ id: source.id, source, response: responses.get(source.id) ?? null, base }))
}

/** Whether a call can mean this one: it is the first of its name in the document, or in a part that may be shown or included alone. */
export function canBeCalled(action: ActionSource, { actions, blocks, sections }: Document): boolean {
  const isBefore = ({ id, part, start }: ActionSource): boolean =>
    id === action.id && part === action.part && start < action.start
  const before = actions.filter(isBefore)
  if (before.length === 0) return true
  return [...blocks, ...sections].map(within).some((inPart) => inPart(action) && !before.some(inPart))
}

function addAction<Base>(action: PageAction<Base>, actions: Map<string, PageAction<Base>>): void {
  if (!actions.has(action.id)) actions.set(action.id, action)
}

interface Growing<Base> {
  readonly shortcuts: Map<string, Shortcut<Base>>
  readonly ids: Map<Link, string>
  readonly targets: Map<string, Base>
  readonly menus: Map<string, Menu<Base>>
  readonly warnings: Warning[]
}

/** What the reader sees of a page and of all that it includes there. */
function* partsOf<Base>(page: Page<Base>, part: Span): Generator<{ page: Page<Base>; part: Span }> {
  yield { page, part }
  const inPart = within(part)
  for (const [directive, included] of page.includes) {
    if (included.ok && inPart(directive)) yield* partsOf(included.page, included.part)
  }
}

function within(part: Span): (span: Span) => boolean {
  return ({ start, end }) => start >= part.start && end <= part.end
}

export function wholeOf({ document }: Page<unknown>): Span {
  return { start: 0, end: document.text.length }
}

/** Links as the reader meets them: those of an include where the include stands. */
function* linksOf<Base>(page: Page<Base>, part: Span): Generator<{ link: Link; base: Base }> {
  const inPart = within(part)
  const pending = [...page.includes].filter(([directive]) => inPart(directive)).sort(([a], [b]) => a.start - b.start)
  for (const link of page.document.links) {
    if (!inPart(link)) continue
    while (pending[0] !== undefined && pending[0][0].start < link.start) yield* linksOfInclude(pending.shift()?.[1])
    yield { link, base: page.base }
  }
  for (const [, included] of pending) yield* linksOfInclude(included)
}

function* linksOfInclude<Base>(included: Included<Base> | undefined): Generator<{ link: Link; base: Base }> {
  if (included?.ok === true) yield* linksOf(included.page, included.part)
}

function declare<Base>(base: Base, link: Link, { shortcuts, ids, warnings }: Growing<Base>): void {
  const { id, label, target, line } = link
  if (id === null) return
  if (id.startsWith('link-'))
    return void warnings.push({ line, message: `@${id}: names that begin with link- are reserved`, next: RENAME })
  const known = shortcuts.get(id)
  if (known === undefined) shortcuts.set(id, { id, label: oneLine(label), target, base, automatic: false })
  else if (known.target !== target)
    return void warnings.push({ line, message: `Shortcut @${id} stands twice; the first is used`, next: RENAME })
  ids.set(link, id)
}

function nameTheRest<Base>(root: Page<Base>, { shortcuts, ids, targets }: Growing<Base>): void {
  const next = new Map<string, number>()
  let numbered = 0
  for (const { link, base } of linksOf(root, wholeOf(root))) {
    if (ids.has(link)) continue
    if (!isWorthAName(link.target)) {
      if (!targets.has(link.target)) targets.set(link.target, base)
      continue
    }
    const label = oneLine(link.label)
    const slug = labelSlug(label)
    if (slug === null) numbered += 1
    const id = slug === null ? `link-${numbered}` : free(slug, shortcuts, next)
    shortcuts.set(id, { id, label, target: link.target, base, automatic: true })
    ids.set(link, id)
  }
}

/** Of text that is longer than anyone asks, only that it is. */
function characters(text: string): number {
  return text.length > 2 * LIMITS.longTargetChars ? text.length : Array.from(text).length
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
  return /^https?:\/\//i.test(target) || characters(target) > LIMITS.longTargetChars
}

function addMenu<Base>(base: Base, directive: Directive, { menus, warnings }: Growing<Base>): void {
  const { type, name, target, line } = directive
  if (type !== 'nav') return
  if (name === 'page') warnings.push({ line, message: 'The menu name page is reserved', next: RENAME })
  else if (menus.has(name))
    warnings.push({ line, message: `Menu ${name} stands twice; the first is used`, next: RENAME })
  else menus.set(name, { name, target, base })
}

function problems<Base>({ includes }: Page<Base>): Warning[] {
  const next = 'Mend what stands between its parentheses, or remove the include'
  return [...includes].flatMap(([{ line }, included]) =>
    included.ok ? [] : [{ line, message: included.problem, next }],
  )
}

function oneLine(label: string): string {
  if (!label.includes('\n')) return label
  return label
    .split('\n')
    .map((line) => line.replace(/^[>\s]+/, '').trimEnd())
    .join(' ')
}
