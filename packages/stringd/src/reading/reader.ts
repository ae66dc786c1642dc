import { dirname, join, relative } from 'node:path'
import { type Failure, fail } from '@string-os/protocol'
import { menuEntryOf } from '../document/menu-entry.ts'
import type { Menu } from '../document/page.ts'
import { locateBeside } from '../files/beside.ts'
import { absent, notFound } from '../files/files.ts'
import { isInside, type Place, type Workspace } from '../files/workspace.ts'
import { type Address, type Base, isSameDocument, uriOf } from '../library/address.ts'
import type { CommandBudget } from '../library/command-budget.ts'
import type { Library, Loaded } from '../library/library.ts'
import { parseTarget, splitBlock, type Target, type WithBlock } from '../library/target.ts'
import type { Installed } from '../packages/packages.ts'
import type { PackageRecord } from '../packages/state/package-record.ts'
import { goneLink } from '../packages/use/gone-link.ts'
import type { Session } from '../session/session.ts'
import type { WebPage } from '../web/page.ts'
import { notOpenable, pathAddress, webAddress, withMeant } from './find-address.ts'
import { nothingOpen, notInstalled } from './no-document.ts'
import { openText } from './open-document.ts'
import { findShortcut, type MenuEntries, type ReadMenu, unknownShortcut } from './shortcuts.ts'

const NOT_FILES: ReadonlySet<Target['kind']> = new Set(['web', 'foreign'])

export interface ReaderParts {
  readonly library: Library
  readonly workspace: Workspace
  readonly session: Session
  readonly budget: CommandBudget
  /** The page of a hub, as Markdown. */
  readonly hubPage: (hub: (Address & { kind: 'hub' })['hub']) => Promise<string>
  /** The package that the topic belongs to, if it is installed. */
  readonly own: Installed | null
  /** What is installed. */
  readonly installed: () => readonly PackageRecord[]
}

/** Finds what a target means in a session, and loads it. */
export class Reader {
  readonly #parts: ReaderParts
  /** Each menu is opened once in a command. */
  readonly #menus = new Map<string, Promise<MenuEntries | Failure>>()

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** What was typed after `/open`. */
  async resolve(typed: string): Promise<Address | Failure> {
    const target = parseTarget(typed)
    switch (target.kind) {
      case 'shortcut':
        return this.#shortcut(typed, target)
      case 'block':
        return this.#blockOfCurrent(target.block)
      case 'web':
        return webAddress(typed, null)
      case 'foreign':
        return notOpenable(typed)
      case 'path':
        return this.#path(typed, target)
    }
  }

  async #path(typed: string, { path }: WithBlock): Promise<Address | Failure> {
    const { workspace } = this.#parts
    const here = workspace.locate(typed)
    const link = await this.link(typed, here)
    if (link?.ok) return link
    const address = pathAddress(typed, (each) => (each === typed ? here : workspace.locate(each)), workspace)
    if (address.ok) return address
    const isLost = address.code === 'NOT_FOUND' && link !== null && link.code !== 'NOT_FOUND'
    return isLost ? link : withMeant(address, path, workspace)
  }

  /**
   * Where the link leads that the open document shows with this target, or with it before a `#block`; null when it shows
   * none. `here` is where the target leads without the document.
   */
  async link(typed: string, here = this.#parts.workspace.locate(typed)): Promise<Address | Failure | null> {
    const baseOf = await this.#links(here)
    const { path, block: typedBlock } = splitBlock(typed)
    const isWhole = path === typed || baseOf(typed) !== null || (here.ok && here.exists)
    const target = isWhole ? typed : path
    const base = baseOf(target)
    const address = base === null ? null : this.follow(target, base)
    if (base === null || !address?.ok) return address
    const block = target === typed ? address.block : typedBlock
    return { ...address, block, link: { target, base } }
  }

  /** Says where a target starts that the open document shows as a link, or by which it was opened itself. */
  async #links(here: Place | Failure | null = null): Promise<(target: string) => Base | null> {
    const { document } = this.#parts.session
    if (document === null) return () => null
    const { link } = document.address
    const targets = (await this.#shown(document.address, here))?.index.targets
    return (target) => {
      const base = targets?.get(target) ?? (link?.target === target ? link.base : null)
      return base?.kind === 'none' ? null : base
    }
  }

  /** The open document as it was shown. A page from the web that is no longer held is not asked for again. */
  async #shown(address: Address, here: Place | Failure | null): Promise<Loaded | null> {
    if (address.kind !== 'file') return this.#held(address)
    const { path } = address.place
    // What was just located is not looked at twice.
    const place = here?.ok && here.path === path ? here : this.#parts.workspace.locate(path)
    const loaded = place.ok && place.exists ? await this.load({ ...address, place }, path) : null
    return loaded?.ok ? loaded : null
  }

  /** Where a path leads that was typed to be read. */
  async locate(typed: string, wanted?: 'file' | 'folder'): Promise<Place | Failure> {
    const { workspace } = this.#parts
    const base = (await this.#links())(typed)
    const place = base?.kind === 'file' ? locateBeside(typed, base.folder, workspace) : null
    if (place?.ok && place.exists) return place
    const found = workspace.locate(typed, wanted)
    const other = this.#inOwn(typed, found)
    return other === null ? found : workspace.admit(other, typed)
  }

  /** A path of the topic's own package: its name, or what leads out of the workspace from the caller's folder and not from the open document. */
  #inOwn(typed: string, found: Place | Failure): string | null {
    const { own, workspace } = this.#parts
    if (found.ok) return found.exists || !this.#isOwnName(typed) ? null : (own?.folder ?? null)
    return found.code === 'INVALID_PATH' ? workspace.inPackage(typed) : null
  }

  #isOwnName(typed: string): boolean {
    const { own, session } = this.#parts
    return own !== null && [session.topic.canonical, `app:${own.record.local}`].includes(typed)
  }

  /** Where a listing starts that names no folder: while a page of the topic's own package is open in all of that, whatever folder the caller is in. */
  get start(): string {
    const { own, session, workspace } = this.#parts
    const folder = session.document?.folder ?? null
    return own?.folder && folder !== null && isInside(own.folder, folder) ? own.folder : workspace.start
  }

  /** Says that nothing is there, and how to type what stands beside the open document instead. */
  missing(typed: string): Failure {
    const missing = withMeant(notFound(typed), typed, this.#parts.workspace)
    const [, name = ''] = /^app:([\w-]+)$/.exec(typed) ?? []
    if (!this.#parts.installed().some(({ local, type }) => local === name && type === 'app')) return missing
    return { ...missing, hints: [`The files of an app are seen in its own topic: /open ${typed}`] }
  }

  /** The document that the topic's own package begins with. */
  entry(): Address | Failure {
    const { own, session, workspace, installed } = this.#parts
    if (!own) return notInstalled(session.topic, installed())
    if (own.folder === null) return webAddress(own.record.entry, null)
    const path = join(own.folder, own.record.entry)
    const place = workspace.locate(path)
    if (!place.ok) return place
    return place.exists ? { ok: true, kind: 'file', place, block: null } : (goneLink(own) ?? notFound(path))
  }

  async load(address: Address, typed: string): Promise<Loaded | Failure> {
    const { library, hubPage } = this.#parts
    switch (address.kind) {
      case 'file':
        return library.file(address.place, typed, this.#parts)
      case 'folder':
        return library.folder(address.place, typed, this.#parts)
      case 'web':
        return library.web(address, this.#parts)
      case 'hub':
        return library.own(await hubPage(address.hub), uriOf(address), this.#parts)
    }
  }

  /** The document that the session shows. A file is looked at again, a page from the web is not. `asked`: what it is needed for. */
  async current(asked: string): Promise<{ ok: true; address: Address; loaded: Loaded } | Failure> {
    const { session, own, installed } = this.#parts
    const { document } = session
    if (document === null) {
      const entry = own === null ? null : this.entry()
      return entry?.ok === false ? entry : nothingOpen(session.topic, own === null ? installed() : null, asked)
    }
    const loaded = this.#held(document.address) ?? (await this.reload(document.address))
    return loaded.ok ? { ok: true, address: document.address, loaded } : neededFor(asked, loaded)
  }

  /** What is open, where nobody outside is asked for it: a page from the web only while it is held. */
  async atHand(): Promise<Loaded | null> {
    const address = this.#parts.session.document?.address
    if (address === undefined) return null
    const loaded = address.kind === 'web' ? this.#held(address) : await this.reload(address)
    return loaded?.ok ? loaded : null
  }

  /** Another view of what is open: a page from the web is not asked for again while there is room to keep it. */
  async view(address: Address): Promise<Loaded | Failure> {
    const { block } = address
    const loaded = this.#held(address) ?? (await this.reload(address))
    return loaded.ok || block === null ? loaded : neededFor(`#${block}`, loaded)
  }

  #held(address: Address): Loaded | null {
    return address.kind === 'web' ? this.#parts.library.held(address.url, this.#parts) : null
  }

  /** Loads what was open before, as it is now: a file passes the guard again. */
  async reload(address: Address): Promise<Loaded | Failure> {
    const shown = this.show(address)
    if (address.kind !== 'file' && address.kind !== 'folder') return this.load(address, shown)
    const place = this.#parts.workspace.locate(address.place.path)
    if (!place.ok) return place
    if (place.exists) return this.load({ ...address, place }, shown)
    return this.#goneLink(place.path) ?? absent(place, shown, this.#parts.workspace)
  }

  /** Why nothing is at a path of the topic's own package, where all of that is gone. */
  #goneLink(path: string): Failure | null {
    const { own } = this.#parts
    return own?.folder && isInside(own.folder, path) ? goneLink(own) : null
  }

  /** Makes a file that is edited the open document, so that `#block` and `:L5` mean it. */
  enter(address: Address & { kind: 'file' }): void {
    const { session } = this.#parts
    if (session.document !== null && isSameDocument(session.document.address, address)) return
    session.show(openText(address, { source: false }))
  }

  /** A page that an action was answered with, as a document. */
  answer(page: WebPage): Promise<Loaded | Failure> {
    return this.#parts.library.answer(page, this.#parts)
  }

  /** What there is to read in an answer that is no document. */
  answerText(page: WebPage): ReturnType<Library['answerText']> {
    return this.#parts.library.answerText(page, this.#parts)
  }

  /** The package that the topic belongs to, if it is installed. */
  get own(): Installed | null {
    return this.#parts.own
  }

  /** Its guard, to which the topic's own package is open. */
  get workspace(): Workspace {
    return this.#parts.workspace
  }

  /** How a message names a document that was not typed: relative to home, or its URL. */
  show(address: Address): string {
    const name = this.#nameOf(address)
    return address.block === null ? name : `${name}#${address.block}`
  }

  #nameOf(address: Address): string {
    if (address.kind === 'web') return address.url
    return address.kind === 'hub' ? address.hub : this.showPath(address.place.path)
  }

  /** How an answer names what was found: as it was typed, or where it is if that bare name means something else where the caller stands. */
  shownAs(typed: string, address: Address): string {
    if ((address.kind !== 'file' && address.kind !== 'folder') || parseTarget(typed).kind !== 'path') return typed
    const path = address.block === null ? typed : splitBlock(typed).path
    return (
      this.shownPath(path, address.isPage ? dirname(address.place.path) : address.place.path) + typed.slice(path.length)
    )
  }

  shownPath(typed: string, path: string): string {
    return this.nameInPackage(path) === null ? this.#parts.workspace.asRead(typed, path) : typed
  }

  showPath(path: string): string {
    return this.nameInPackage(path) ?? this.#parts.workspace.show(path)
  }

  /** What a document of the topic's own package is called there; null for others. */
  nameInPackage(path: string): string | null {
    const { own, session } = this.#parts
    if (!own?.folder || !isInside(own.folder, path)) return null
    const below = relative(own.folder, path)
    return below === own.record.entry || below === '' ? session.topic.canonical : below
  }

  /** The entries of a menu: the shortcuts that its file declares. */
  async menu({ target, base }: Menu<Base>): Promise<MenuEntries | Failure> {
    if (base.kind === 'file' && NOT_FILES.has(parseTarget(target).kind))
      return fail(
        'INVALID_TARGET',
        `The menu of a file is a file, not ${target}`,
        'Mend the link in the document; /open opens a page by its address',
      )
    const address = this.follow(target, base)
    if (!address.ok) return address
    const uri = uriOf(address)
    const entries = this.#menus.get(uri) ?? this.#entries(address, target)
    this.#menus.set(uri, entries)
    return entries
  }

  async #entries(address: Address, target: string): Promise<MenuEntries | Failure> {
    const loaded = this.#parts.budget.menu() ?? (await this.load(address, target))
    if (!loaded.ok) return loaded
    const entries = [...loaded.index.shortcuts.values()].filter(({ automatic }) => !automatic)
    return { ok: true, entries, file: target, example: () => menuEntryOf(loaded.page.document) }
  }

  /** A target inside a document: relative to it, and with no more reach than it has. */
  follow(target: string, base: Base): Address | Failure {
    if (target === '') return fail('INVALID_TARGET', 'This shortcut has no target', '/nav --resolve shows all targets')
    const parsed = parseTarget(target)
    if (parsed.kind === 'block') return this.#blockOfCurrent(parsed.block)
    if (base.kind === 'web') return webAddress(target, base)
    if (parsed.kind === 'web') return webAddress(target, null)
    if (base.kind === 'none' || parsed.kind === 'foreign') return notOpenable(target)
    const { workspace } = this.#parts
    return pathAddress(target, (path) => locateBeside(path, base.folder, workspace), workspace)
  }

  #blockOfCurrent(block: string): Address | Failure {
    const { document } = this.#parts.session
    if (document === null)
      return fail('NO_DOCUMENT', 'No document is open in this topic', '/open PATH#block opens a block of a file')
    return { ...document.address, block }
  }

  async #shortcut(typed: string, { name, block }: Target & { kind: 'shortcut' }): Promise<Address | Failure> {
    const current = await this.current(typed)
    if (!current.ok) return current
    const menu = (each: Menu<Base>): ReturnType<ReadMenu> => this.menu(each)
    const found = name === null ? null : await findShortcut(name, current.loaded.index, menu)
    if (found === null) return unknownShortcut(typed, current.loaded.index, menu)
    if (!found.ok) return found
    const address = this.follow(found.shortcut.target, found.shortcut.base)
    return address.ok && block !== null ? { ...address, block } : address
  }
}

/** The open document cannot be read: whoever asked for something in it did not name it, and is told what that was. */
function neededFor(asked: string, failure: Failure): Failure {
  return { ...failure, system: `${asked}: ${failure.system}` }
}
