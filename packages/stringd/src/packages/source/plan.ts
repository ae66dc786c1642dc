import { type Failure, visibleLine } from '@string-os/protocol'
import type { readAction } from '../../action/declare/compile.ts'
import { type Effects, effectsOf, type Request, sentFileText } from '../../action/declare/effects.ts'
import type { DefaultHost } from '../../action/http/default-host.ts'
import { hostOf } from '../../action/http/url-host.ts'
import { readResponse } from '../../action/run/response-template.ts'
import type { ActionSource, Document } from '../../document/document.ts'
import { canBeCalled } from '../../document/page.ts'
import { isMarkdownName } from '../../document/parse/file-names.ts'
import type { Need } from '../state/package-record.ts'
import { decode, type PackageSource, shownFile } from './package-files.ts'

export type ParseMarkdown = (text: string) => Promise<{ readonly ok: true; readonly document: Document } | Failure>

/** What a package may do once it is installed: of every action what its call does, whole. */
export interface Plan {
  /** Commands that its actions run, each with the name of the action. What they read, write and reach is not known. */
  readonly runs: readonly { readonly action: string; readonly command: string; readonly unsafe: boolean }[]
  /** Hosts that its actions and documents ask. */
  readonly reaches: readonly string[]
  /** What its actions ask of them. */
  readonly requests: readonly (Request & { readonly action: string; readonly host: string })[]
  /** Where requests go as long as nobody sets what stands in their host: those in which a default does. */
  readonly defaultHosts: readonly (DefaultHost & { readonly request: Plan['requests'][number] })[]
  /** What the fields of its actions are where a call does not say. */
  readonly defaults: readonly { readonly action: string; readonly field: string; readonly value: string }[]
  /** Files that its actions read and write without a command, each with the name of the action. */
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** Actions that cannot be called as they are written. */
  readonly refused: readonly string[]
  /** Documents that could not be read: what they would do is not known. */
  readonly unread: readonly string[]
}

/** What every action and everything that is taken from elsewhere is written with. */
const MAY_DO = /`{3}|~{3}|\[!/

/** Looks at every Markdown document of a package, for any of them can be opened in its topic. */
export async function readPlan(
  source: PackageSource,
  needs: readonly Pick<Need, 'name' | 'fallback'>[],
  parse: ParseMarkdown,
): Promise<Plan> {
  // With it comes a parser for bash, which most runs of the daemon do without.
  const fallbacks = new Map(needs.flatMap(({ name, fallback }) => (fallback === null ? [] : [[name, fallback]])))
  const found = new Found((await import('../../action/declare/compile.ts')).readAction, fallbacks)
  const unread: string[] = []
  for (const [path, text] of documentsOf(source)) {
    const parsed = text === null ? null : await parse(text)
    const shown = shownFile(path, source)
    if (parsed?.ok === true) found.add(shown, parsed.document)
    else unread.push(visibleLine(shown))
    // A package of many documents lets others have their turn.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { ...found.plan(), unread }
}

/** The documents that may be opened; null for the text of one that is none. */
function documentsOf({ files, text, entry }: PackageSource): [path: string, text: string | null][] {
  if (files.size === 0) return [[entry, text]]
  const documents = [...files].filter(([path]) => isMarkdownName(path) || path === entry)
  const texts = documents.map(([path, { bytes }]): [string, string | null] => {
    const decoded = decode(bytes, path)
    return [path, decoded.ok ? decoded.text : null]
  })
  return texts.filter(([, text]) => text === null || MAY_DO.test(text))
}

class Found {
  readonly #read: typeof readAction
  readonly #fallbacks: ReadonlyMap<string, string>
  readonly #runs = new Map<string, Plan['runs'][number]>()
  readonly #reaches = new Set<string>()
  readonly #requests = new Map<string, Plan['requests'][number]>()
  readonly #defaultHosts = new Map<string, Plan['defaultHosts'][number]>()
  readonly #defaults: Plan['defaults'][number][] = []
  readonly #reads = new Set<string>()
  readonly #writes = new Set<string>()
  readonly #refused = new Set<string>()

  constructor(read: typeof readAction, fallbacks: ReadonlyMap<string, string>) {
    this.#read = read
    this.#fallbacks = fallbacks
  }

  add(path: string, document: Document): void {
    const { actions, directives } = document
    for (const source of actions)
      if (source.part === 'action' && canBeCalled(source, document)) this.#action(path, source, actions)
    // A part that it takes from the web, whenever it is opened.
    for (const { target } of directives)
      if (/^https?:/i.test(target)) this.#reaches.add(visibleLine(hostOf([{ kind: 'text', text: target }])))
  }

  plan(): Omit<Plan, 'unread'> {
    return {
      runs: [...this.#runs.values()],
      reaches: [...this.#reaches].sort(),
      requests: [...this.#requests.values()],
      defaultHosts: [...this.#defaultHosts.values()],
      defaults: this.#defaults,
      reads: [...this.#reads],
      writes: [...this.#writes],
      refused: [...this.#refused],
    }
  }

  #action(path: string, source: ActionSource, all: readonly ActionSource[]): void {
    const compiled = this.#read(source)
    if (!compiled.ok) {
      this.#refused.add(visibleLine(`${source.id} in ${path}, line ${compiled.line}: ${compiled.problem}`))
      return
    }
    const responses = all.filter(({ id, part }) => id === source.id && part === 'response')
    for (const response of responses.length === 0 ? [null] : responses) {
      const template = response === null ? null : readResponse(response)
      const usable = template?.ok === true ? template : null
      this.#effects(source.id, effectsOf(compiled.declaration, usable, this.#fallbacks))
    }
  }

  #effects(id: string, effects: Effects): void {
    const { command, host, request, reads, writes, unsafe } = effects
    if (command !== null) this.#runs.set(`${id} ${command}`, { action: id, command, unsafe })
    if (host !== null) this.#reaches.add(host)
    if (host !== null && request !== null) this.#request({ action: id, host, ...request }, effects.defaultHost)
    this.#defaults.push(...effects.defaults.map((each) => ({ action: id, ...each })))
    for (const file of reads) this.#reads.add(`${id}: the file ${sentFileText(file)}`)
    for (const file of writes) this.#writes.add(`${id}: the file ${file}`)
  }

  #request(request: Plan['requests'][number], filled: DefaultHost | null): void {
    const key = [request.action, request.method, request.address, ...request.variables].join(' ')
    this.#requests.set(key, request)
    if (filled !== null) this.#defaultHosts.set(`${key} ${filled.address}`, { ...filled, request })
  }
}
