import { dirname, join, relative } from 'node:path'
import { type Failure, fail, LIMITS, listNames } from '@string-os/protocol'
import { FOLDER_DOCUMENTS } from '../document/file-names.ts'
import type { Menu, Shortcut } from '../document/page.ts'
import { locateBeside } from '../files/beside.ts'
import { isFolder, notFound } from '../files/files.ts'
import { isInside, type Place, type Workspace } from '../files/workspace.ts'
import { type Address, type Base, isSameDocument, uriOf } from '../library/address.ts'
import { splitBlock } from '../library/includes.ts'
import type { Library, Loaded } from '../library/library.ts'
import type { Installed } from '../packages/packages.ts'
import type { Page as WebPage } from '../web/page.ts'
import type { Session } from './session.ts'

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:file|data|javascript|mailto|ftp|blob|about|view-source):)/i
const SHORTCUT = /^@([a-z0-9_-][a-z0-9_.-]*)(?:#(.+))?$/

export interface ReaderParts {
  readonly library: Library
  readonly workspace: Workspace
  readonly session: Session
  readonly signal: AbortSignal
  /** The page of a hub, as Markdown. */
  readonly hubPage: (hub: (Address & { kind: 'hub' })['hub']) => string
  /** The package that the topic belongs to, if it is installed. */
  readonly own: Installed | null
}

/** Finds what a target means in a session, and loads it. */
export class Reader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** What was typed after `/open`. */
  async resolve(target: string): Promise<Address | Failure> {
    if (target.startsWith('@')) return this.#shortcut(target)
    if (target.startsWith('#')) return this.#blockOfCurrent(target.slice(1))
    if (/^https?:\/\//i.test(target)) return webAddress(target, null)
    if (SCHEME.test(target)) return notOpenable(target)
    return this.#path(target, (path) => this.#parts.workspace.locate(path))
  }

  /** The document that the topic's own package begins with. */
  entry(): Address | Failure {
    const { own, session, workspace } = this.#parts
    if (!own) return notInstalled(session.topic.canonical)
    if (own.folder === null) return webAddress(own.record.entry, null)
    const path = join(own.folder, own.record.entry)
    const place = workspace.locate(path)
    if (!place.ok) return place
    return place.exists ? { kind: 'file', place, block: null } : notFound(path)
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
        return library.own(hubPage(address.hub), uriOf(address), this.#parts)
    }
  }

  /** The document that the session shows. A file is looked at again, a page from the web is not. */
  async current(): Promise<{ ok: true; address: Address; loaded: Loaded } | Failure> {
    const { document } = this.#parts.session
    if (document === null) return this.#nothingOpen()
    const loaded = this.#held(document.address) ?? (await this.reload(document.address))
    return loaded.ok ? { ok: true, address: document.address, loaded } : loaded
  }

  #nothingOpen(): Failure {
    const { canonical, type } = this.#parts.session.topic
    if (type === 'app' && !this.#parts.own) return notInstalled(canonical)
    const hint = type === 'app' ? `/open ${canonical} opens it` : '/open TARGET opens one'
    return fail('NO_DOCUMENT', 'No document is open in this topic', hint)
  }

  /** Another view of what is open: a page from the web is not asked for again while there is room to keep it. */
  async view(address: Address): Promise<Loaded | Failure> {
    return this.#held(address) ?? (await this.reload(address))
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
    return place.exists ? this.load({ ...address, place }, shown) : notFound(shown)
  }

  /** Makes a file that is edited the open document, so that `#block` and `:L5` mean it. */
  enter(place: Place): void {
    const { session } = this.#parts
    const address: Address = { kind: 'file', place, block: null }
    if (session.document !== null && isSameDocument(session.document.address, address)) return
    const facts = { actions: [], menus: [], blocks: [], warnings: [], page: 1, pages: 1 }
    session.show({
      address,
      uri: uriOf(address),
      title: null,
      folder: dirname(place.path),
      source: false,
      facts,
    })
  }

  /** A page that an action was answered with, as a document. */
  answer(page: WebPage): Promise<Loaded | Failure> {
    return this.#parts.library.answer(page, this.#parts)
  }

  /** What there is to read in an answer that is no document. */
  answerText(page: WebPage): Promise<string | Failure> {
    return this.#parts.library.answerText(page)
  }

  /** How a message names a document that was not typed: relative to home, or its URL. */
  show(address: Address): string {
    const name = 'place' in address ? this.#showPath(address.place.path) : 'url' in address ? address.url : address.hub
    return address.block === null ? name : `${name}#${address.block}`
  }

  /** A document of the topic's own package is named as one finds it there. */
  #showPath(path: string): string {
    const { own, session, workspace } = this.#parts
    if (!own?.folder || !isInside(own.folder, path)) return workspace.show(path)
    const below = relative(own.folder, path)
    return below === own.record.entry ? session.topic.canonical : below
  }

  /** The entries of a menu: the shortcuts that its file declares. */
  async menu({ target, base }: Menu<Base>): Promise<readonly Shortcut<Base>[] | Failure> {
    if (base.kind === 'file' && SCHEME.test(target))
      return fail(
        'INVALID_TARGET',
        `The menu of a file is a file, not ${target}`,
        'Mend the link in the document; /open opens a page by its address',
      )
    const address = this.follow(target, base)
    if (!('kind' in address)) return address
    const loaded = await this.load(address, target)
    return loaded.ok ? [...loaded.index.shortcuts.values()].filter(({ automatic }) => !automatic) : loaded
  }

  /** A target inside a document: relative to it, and with no more reach than it has. */
  follow(target: string, base: Base): Address | Failure {
    if (target === '') return fail('INVALID_TARGET', 'This shortcut has no target', '/nav --resolve shows all targets')
    if (target.startsWith('#')) return this.#blockOfCurrent(target.slice(1))
    if (base.kind === 'web') return webAddress(target, base)
    if (/^https?:\/\//i.test(target)) return webAddress(target, null)
    if (base.kind === 'none' || SCHEME.test(target)) return notOpenable(target)
    const locate = (path: string): Place | Failure => locateBeside(path, base.folder, this.#parts.workspace)
    return this.#path(target, locate)
  }

  /** A file whose name holds a `#` wins over the block that the `#` would mean. */
  #path(typed: string, locate: (path: string) => Place | Failure): Address | Failure {
    const whole = locate(typed)
    const hash = typed.lastIndexOf('#')
    if (whole.ok ? whole.exists : hash <= 0) return whole.ok ? this.#fileOrFolder(whole, null) : whole
    if (hash <= 0) return notFound(typed)
    const place = locate(typed.slice(0, hash))
    if (!place.ok) return place
    return place.exists ? this.#fileOrFolder(place, typed.slice(hash + 1)) : notFound(typed.slice(0, hash))
  }

  /** A folder stands for its page, where it has one. */
  #fileOrFolder(place: Place, block: string | null): Address {
    if (!isFolder(place)) return { kind: 'file', place, block }
    for (const name of FOLDER_DOCUMENTS) {
      const page = this.#parts.workspace.locate(join(place.path, name))
      if (page.ok && page.exists && !isFolder(page)) return { kind: 'file', place: page, block }
    }
    return { kind: 'folder', place, block }
  }

  #blockOfCurrent(block: string): Address | Failure {
    const { document } = this.#parts.session
    if (document === null)
      return fail('NO_DOCUMENT', 'No document is open in this topic', '/open PATH#block opens a block of a file')
    return { ...document.address, block }
  }

  async #shortcut(typed: string): Promise<Address | Failure> {
    const [, name, block] = SHORTCUT.exec(typed) ?? []
    const current = await this.current()
    if (!current.ok) return current
    const found = name === undefined ? null : await this.#find(name, current.loaded)
    if (found === null) return this.#unknownShortcut(typed, current.loaded)
    if ('code' in found) return found
    const address = this.follow(found.target, found.base)
    return 'kind' in address && block !== undefined ? { ...address, block } : address
  }

  /** The page's own first, then automatic ones, then those of its menus. */
  async #find(name: string, { index }: Loaded): Promise<Shortcut<Base> | Failure | null> {
    const dot = name.indexOf('.')
    const id = name.slice(dot + 1)
    const space = dot === -1 ? null : name.slice(0, dot)
    if (space === null || space === 'page') {
      const own = index.shortcuts.get(id)
      if (own !== undefined) return own
    }
    for (const menu of index.menus.values()) {
      if (space !== null && menu.name !== space) continue
      const entries = await this.menu(menu)
      if ('code' in entries && space !== null) return entries
      if ('code' in entries) continue
      const entry = entries.find((candidate) => candidate.id === id)
      if (entry !== undefined) return entry
    }
    return null
  }

  async #unknownShortcut(typed: string, { index }: Loaded): Promise<Failure> {
    const names = [...index.shortcuts.keys()].map((id) => `@${id}`)
    for (const menu of index.menus.values()) {
      const entries = await this.menu(menu)
      if (!('code' in entries))
        names.push(...entries.slice(0, LIMITS.hintedNames).map(({ id }) => `@${menu.name}.${id}`))
    }
    return fail(
      'NOT_FOUND',
      `Shortcut not found: ${typed}`,
      names.length === 0 ? 'This document has no shortcuts' : `Shortcuts: ${listNames(names)}`,
    )
  }
}

/** Says what to do about an app topic without its app. */
function notInstalled(topic: string): Failure {
  const [, name = ''] = topic.split(':')
  return fail(
    'NOT_FOUND',
    `No app is installed as ${name}`,
    '/open app lists what is installed, /install SOURCE installs',
  )
}

function webAddress(target: string, base: (Base & { kind: 'web' }) | null): Address | Failure {
  if (!URL.canParse(target, base?.url))
    return fail('INVALID_TARGET', `Not a web address: ${target}`, 'An address looks like https://example.com/page')
  const url = new URL(target, base?.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return notOpenable(target)
  const { block } = splitBlock(decodeFragment(url.hash))
  url.hash = ''
  return { kind: 'web', url: url.href, from: base?.origin ?? null, block: block === '' ? null : block }
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return hash
  }
}

function notOpenable(target: string): Failure {
  return fail(
    'INVALID_TARGET',
    `Cannot open this kind of address: ${target}`,
    '/open takes files, folders, http(s) pages, @shortcuts and #blocks',
  )
}
