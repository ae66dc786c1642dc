import { dirname, join } from 'node:path'
import { type Failure, fail, LIMITS, problem } from '@string-os/protocol'
import type { Document, Span } from '../document/document.ts'
import { findPart } from '../document/find-part.ts'
import { indexPage, type Page, type PageIndex } from '../document/page.ts'
import { isMarkdownName } from '../document/parse/file-names.ts'
import { plainDocument } from '../document/parse/plain-document.ts'
import { placeText } from '../document/place-text.ts'
import { renderPage } from '../document/render.ts'
import { locateBeside } from '../files/beside.ts'
import { describeBinary, describeFile, describeImage } from '../files/describe.ts'
import { listFolder, readFile } from '../files/files.ts'
import { fingerprint } from '../files/fingerprint.ts'
import { listing } from '../files/listing.ts'
import { decodeText } from '../files/text.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import type { FetchPage } from '../web/fetch-page.ts'
import type { WebPage } from '../web/page.ts'
import { type Address, type Base, fileUri, folderUri, nameIncluded } from './address.ts'
import { blockNotFound } from './block-not-found.ts'
import { FileCache, PageCache } from './caches.ts'
import { type CommandBudget, type ParseBudget, within } from './command-budget.ts'
import { type FindInclude, withIncludes } from './includes.ts'
import { ParseSlots } from './parse-slots.ts'
import type { Parse } from './parser.ts'

/** A document that is ready to be read. */
export interface Loaded {
  readonly ok: true
  readonly title: string | null
  readonly page: Page<Base>
  readonly index: PageIndex<Base>
  /** The whole page as the reader sees it. */
  readonly text: string
  readonly uri: string
  readonly facts: PageFacts
  /** Of the file it came from, so that an edit knows what was seen. */
  readonly print?: string
}

/** What there is to know about a page without loading it again. */
export interface PageFacts {
  readonly actions: readonly string[]
  readonly menus: readonly string[]
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
}

/** What is loaded for whom, and through which workspace its files must pass. */
export interface LoadScope {
  /** Whose page it is: what one session was answered, with its own headers, no other one may see. */
  readonly session: object
  readonly workspace: Workspace
  readonly budget: CommandBudget
}

interface Parsed {
  readonly ok: true
  readonly title: string | null
  readonly document: Document
  readonly base: Base
  /** Of the file it came from, so that an edit knows what was seen. */
  readonly print?: string
}

/** Loads documents and all that they include. Reading never executes: nothing but files and pages is touched. */
export class Library {
  readonly #parse: Parse
  readonly #fetch: FetchPage
  readonly #parsed = new FileCache<Parsed>()
  readonly #loaded = new FileCache<Loaded>()
  readonly #pages = new PageCache<Loaded>(LIMITS.webCacheBytes)
  readonly #sessions = new WeakMap<object, number>()
  #sessionCount = 0
  readonly #slots = new ParseSlots(LIMITS.largeParsesAtOnce, LIMITS.parsesWaiting)

  constructor(parse: Parse, fetch: FetchPage) {
    this.#parse = parse
    this.#fetch = fetch
  }

  /** A file; opening one that has not changed costs a look at it. */
  async file(place: Place, typed: string, scope: LoadScope): Promise<Loaded | Failure> {
    const { stat } = place
    const known = stat === null ? undefined : this.#loaded.get(place.path, stat)
    if (known !== undefined) return known
    const parsed = await this.#parseFileInSlot(place, typed, scope)
    if (!parsed.ok) return parsed
    const loaded = await this.#assemble(parsed, [place.real], fileUri(place.path), scope)
    if (stat !== null && loaded.page.includes.size === 0)
      this.#loaded.set(place.path, stat, loaded, costOf(loaded.page.document))
    return loaded
  }

  /** A folder that has no page of its own: its listing. */
  folder(place: Place, typed: string, { workspace }: LoadScope): Loaded | Failure {
    const entries = listFolder(place, typed, false, (link) => workspace.locate(link).ok)
    if (!entries.ok) return entries
    const text = listing(entries.items)
    const page = {
      document: plainDocument(text),
      base: { kind: 'file', folder: place.path, file: null } as const,
      includes: new Map(),
    }
    const index = indexPage<Base>(page)
    return { ok: true, title: null, page, index, text, uri: folderUri(place.path), facts: factsOf(page, index) }
  }

  /** A page from the web. */
  async web(address: Address & { kind: 'web' }, scope: LoadScope): Promise<Loaded | Failure> {
    const parsed = await this.#parseWeb(address.url, address.from, scope)
    if (!parsed.ok) return parsed
    const loaded = await this.#assemble(parsed, [address.url], address.url, scope)
    this.#pages.set(this.#pageKey(loaded.uri, scope), loaded, costOf(loaded.page.document))
    return loaded
  }

  /** A page from the web as the session loaded it last, while there is room to keep it. */
  held(url: string, scope: Pick<LoadScope, 'session'>): Loaded | null {
    return this.#pages.get(this.#pageKey(url, scope)) ?? null
  }

  #pageKey(url: string, { session }: Pick<LoadScope, 'session'>): string {
    if (!this.#sessions.has(session)) {
      this.#sessionCount += 1
      this.#sessions.set(session, this.#sessionCount)
    }
    return `${this.#sessions.get(session)} ${url}`
  }

  /** A page that an action was answered with: from now on a document like any other of that address. */
  async answer(page: WebPage, scope: LoadScope): Promise<Loaded | Failure> {
    const parsed = await this.#parsePage(page, scope.budget)
    if (!parsed.ok) return parsed
    const loaded = await this.#assemble(parsed, [page.url], page.url, scope)
    this.#pages.set(this.#pageKey(loaded.uri, scope), loaded, costOf(loaded.page.document))
    return loaded
  }

  /** What there is to read in an answer that is no document. */
  async answerText(page: WebPage, { budget }: LoadScope): Promise<{ ok: true; text: string } | Failure> {
    if (page.kind !== 'html') return { ok: true, text: showWebText(page) }
    const parsed = await this.#parsePage(page, budget)
    return parsed.ok ? { ok: true, text: parsed.document.text } : parsed
  }

  /** A page that the daemon writes itself. */
  async own(text: string, uri: string, scope: LoadScope): Promise<Loaded | Failure> {
    const parsed = await this.#parse({ kind: 'markdown', text })
    if (!parsed.ok) return parsed
    return this.#assemble({ ...parsed, base: { kind: 'none' } }, [], uri, scope)
  }

  /** A block or section of a file's own text, for an edit. */
  async block(
    text: string,
    path: string,
    id: string,
    budget: ParseBudget,
    shown?: string,
  ): Promise<{ ok: true; span: Span; marked: boolean } | Failure> {
    const parsed = await this.#parseText(path, text, budget)
    if (!parsed.ok) return parsed
    const page = { document: parsed.document, base: parsed.base, includes: new Map() }
    const part = findPart<Base>(page, id)
    if (part === null) return blockNotFound(id, page, shown)
    return { ok: true, span: part.span, marked: parsed.document.blocks.some((block) => block.id === id) }
  }

  /** Large files one after the other, so that many at once cost no more memory than few; and each only once. */
  async #parseFileInSlot(place: Place, typed: string, { budget }: LoadScope): Promise<Parsed | Failure> {
    if ((place.stat?.size ?? 0) <= LIMITS.smallDocumentChars) return this.#parseFile(place, typed, budget)
    const giveBack = await this.#slots.take(budget.command.signal)
    if (giveBack === null) return fail('BUSY', 'Too many large documents are being read', 'Try again in a moment')
    try {
      return await this.#parseFile(place, typed, budget)
    } finally {
      giveBack()
    }
  }

  async #parseFile(place: Place, typed: string, budget: ParseBudget): Promise<Parsed | Failure> {
    // Whoever waited may find it done.
    const done = place.stat === null ? undefined : this.#parsed.get(place.path, place.stat)
    if (done !== undefined) return done
    const file = readFile(place, typed)
    if (!file.ok) return file
    const known = this.#parsed.get(place.path, file.stat)
    if (known !== undefined) return known
    const parsed = await this.#parseBytes(place.path, file.bytes, budget)
    if (!parsed.ok) return parsed
    const stamped = { ...parsed, print: fingerprint(file.bytes) }
    this.#parsed.set(place.path, file.stat, stamped, costOf(parsed.document))
    return stamped
  }

  async #parseBytes(path: string, bytes: Buffer, budget: ParseBudget): Promise<Parsed | Failure> {
    const text = decodeText(bytes)
    if (text !== null) return this.#parseText(path, text, budget)
    return {
      ok: true,
      title: null,
      document: { ...plainDocument(describeFile(bytes, path)), isDescription: true },
      base: { kind: 'file', folder: dirname(path), file: path },
    }
  }

  async #parseText(path: string, text: string, budget: ParseBudget): Promise<Parsed | Failure> {
    const base: Base = { kind: 'file', folder: dirname(path), file: path }
    if (!isMarkdownName(path)) return { ok: true, title: null, document: plainDocument(text), base }
    const parsed = budget.parse(text.length) ?? (await this.#parse({ kind: 'markdown', text }, budget.command))
    return parsed.ok ? { ...parsed, base } : parsed
  }

  async #parseWeb(
    url: string,
    from: (Address & { kind: 'web' })['from'],
    { budget }: LoadScope,
    parse: ParseBudget = budget,
  ): Promise<Parsed | Failure> {
    const page = budget.page() ?? (await this.#fetch(url, { from, signal: budget.command.signal }))
    return page.ok ? this.#parsePage(page, parse) : page
  }

  async #parsePage(page: WebPage, budget: ParseBudget): Promise<Parsed | Failure> {
    const base: Base = { kind: 'web', url: page.url, origin: page.origin }
    const task = parseTaskOf(page)
    if (task === null) return { ok: true, title: null, document: webDocument(page), base }
    const parsed = budget.parse(task.text.length) ?? (await this.#parse(task, budget.command))
    return parsed.ok ? { ...parsed, base } : parsed
  }

  async #assemble(
    { title, document, base, print }: Parsed,
    chain: readonly string[],
    uri: string,
    scope: LoadScope,
  ): Promise<Loaded> {
    const find: FindInclude = (target, from, inside, room) =>
      this.#parseIncluded(target, from, inside, scope, within(room, scope.budget))
    const page = await withIncludes(document, base, chain, find)
    const index = indexPage(page, nameIncluded)
    return {
      ok: true,
      title,
      page,
      index,
      text: renderPage(page, index),
      uri,
      facts: factsOf(page, index),
      ...(print === undefined ? {} : { print }),
    }
  }

  async #parseIncluded(
    target: string,
    base: Base,
    chain: readonly string[],
    scope: LoadScope,
    budget: ParseBudget,
  ): ReturnType<FindInclude> {
    if (base.kind === 'web') {
      const url = URL.canParse(target, base.url) ? new URL(target, base.url).href : target
      if (chain.includes(url)) return problem(`${target} includes itself`)
      const parsed = await this.#parseWeb(url, base.origin, scope, budget)
      return parsed.ok ? { ...parsed, key: url } : problem(parsed.system)
    }
    if (base.kind === 'none' || /^https?:\/\//i.test(target)) return problem(`${target} is not a file`)
    const place = locateBeside(target, base.folder, scope.workspace)
    if (!place.ok) return problem(place.system.replace(join(base.folder, target), target))
    if (chain.includes(place.real)) return problem(`${target} includes itself`)
    const parsed = await this.#parseFile(place, target, budget)
    return parsed.ok ? { ...parsed, key: place.real } : problem(parsed.system)
  }
}

function parseTaskOf({ kind, text, url }: WebPage): Parameters<Parse>[0] | null {
  if (kind === 'markdown') return { kind, text }
  return kind === 'html' ? { kind, text, url } : null
}

function showWebText(page: WebPage): string {
  if (page.kind === 'image') return describeImage(page.mediaType, page.bytes)
  if (page.kind === 'binary') return describeBinary(page.bytes, page.mediaType)
  return page.text
}

function webDocument(page: WebPage): Document {
  const document = plainDocument(showWebText(page))
  return page.kind === 'image' || page.kind === 'binary' ? { ...document, isDescription: true } : document
}

function factsOf({ document }: Page<Base>, { actions, menus, warnings }: PageIndex<Base>): PageFacts {
  return {
    actions: [...actions.keys()],
    menus: [...menus.keys()],
    blocks: document.blocks.map(({ id }) => id),
    warnings: warnings.map((warning) => `${placeText(warning)}: ${warning.message}. ${warning.next}`),
  }
}

function costOf({ text, links, blocks, sections }: Document): number {
  return 2 * text.length + 200 * (links.length + blocks.length + sections.length) + 1_000
}
