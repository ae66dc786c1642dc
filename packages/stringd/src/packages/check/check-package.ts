import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Failure, LIMITS } from '@string-os/protocol'
import type { ActionSource, Document } from '../../document/document.ts'
import { FOLDER_DOCUMENTS, isMarkdownName } from '../../document/parse/file-names.ts'
import { pathWord } from '../../files/workspace.ts'
import { judgeAbout } from '../source/about.ts'
import { type Inspected, inspect } from '../source/inspect.ts'
import { decode, folderSource, foldersOf, mainOf, type PackageSource, shownFile } from '../source/package-files.ts'
import type { ParseMarkdown } from '../source/plan.ts'
import { type LeaveOut, noPackage, readLocal, walkFolder } from '../source/read-local.ts'
import { shownActions } from '../source/shown-actions.ts'
import { checkDocument } from './check-document.ts'
import { checkFrontMatter, entryLine } from './check-front-matter.ts'
import { type IncludeStep, includeCycles, includesOf } from './check-included.ts'
import type { HasProgram } from './checked-package.ts'
import { findingOf, inOrder, type PackageProblem } from './package-problem.ts'

export interface CheckedSource {
  readonly ok: true
  readonly findings: readonly PackageProblem[]
  /** What may be meant so. */
  readonly doubts: readonly PackageProblem[]
  /** What is known of it; null where it cannot be installed. */
  readonly known: { readonly source: PackageSource; readonly inspected: Inspected } | null
}

export interface CheckParts {
  readonly parse: ParseMarkdown
  readonly isLeftOut?: LeaveOut
  readonly hasProgram?: HasProgram
}

/** All that is wrong with a package, found by what installs it and by what reads its documents. */
export async function checkPackage(real: string, typed: string, parts: CheckParts): Promise<CheckedSource | Failure> {
  const local = { kind: 'local', real, typed, link: false, guard: () => null } as const
  if (!lstatSync(real, { throwIfNoEntry: false })?.isDirectory()) {
    const source = await readLocal(local)
    return source.ok ? checkSource(source, [], parts) : source
  }
  // What is no package has nothing to look at, however large it is.
  const none = noPackage(local)
  if (none !== null) return { ok: true, findings: [findingOf('', null, none)], doubts: [], known: null }
  const { files, refused, secrets } = walkFolder(local, LIMITS.documentWarnings, parts.isLeftOut)
  const findings = refused.map(({ path, failure }) => findingOf(path, null, failure))
  const source = folderSource(files, { name: basename(real), from: typed, at: typed, origin: real, again: real })
  if (source.ok) return checkSource({ ...source, secrets }, findings, parts)
  // Its document is there, or nothing else had been looked at: why it is not taken has been said.
  const isTold =
    refused.some(({ path }) => FOLDER_DOCUMENTS.some((name) => name === path)) ||
    refused.length >= LIMITS.documentWarnings
  const all = isTold ? findings : [...findings, findingOf('', null, source)]
  return { ok: true, findings: all, doubts: [], known: null }
}

async function checkSource(
  source: PackageSource,
  refused: readonly PackageProblem[],
  { parse, hasProgram }: CheckParts,
): Promise<CheckedSource> {
  const found = [...refused, ...(await findMistakes(source, parse, hasProgram ?? null))]
  const inspected = await inspect(source, { as: undefined, type: undefined }, parse)
  const findings = found.filter(({ isDoubt }) => isDoubt !== true)
  // Whatever else keeps it from being installed.
  const isTold = inspected.ok || findings.some(({ problem }) => problem === inspected.system)
  const all = isTold ? findings : [...findings, findingOf(mainOf(source), null, inspected)]
  const isInstallable = inspected.ok && refused.length === 0
  return {
    ok: true,
    findings: inOrder(all),
    doubts: inOrder(found.filter(({ isDoubt }) => isDoubt === true)),
    known: isInstallable ? { source, inspected } : null,
  }
}

/** All that its documents and its front matter say wrongly. */
export async function findMistakes(
  source: PackageSource,
  parse: ParseMarkdown,
  hasProgram: HasProgram | null = null,
): Promise<PackageProblem[]> {
  const { documents, unread } = await parseAll(source, parse)
  const entry = documents.get(source.entry)
  // What cannot be read says nothing that could be wrong as well: its document tells why.
  const isRead = entry !== undefined && entry.frontMatter.unread === undefined
  const shown = isRead ? await shownActions(source, entry, parse) : new Map<string, ActionSource>()
  const judged = isRead ? judgeAbout(entry, shown) : null
  const about = (judged?.wrong ?? []).map(({ key, entry, failure }) =>
    findingOf(source.entry, entryLine(source.text, key, entry ?? null), failure),
  )
  const whole = {
    documents,
    paths: new Set(source.files.keys()),
    folders: new Set([...source.files.keys()].flatMap(foldersOf)),
    files: source.files,
    listed: judged?.about.needs.map(({ name }) => name) ?? null,
    defaults: new Map(
      judged?.about.needs.flatMap(({ name, fallback }) => (fallback === null ? [] : [[name, fallback] as const])),
    ),
    parts: new Map(),
    hasProgram,
    main: mainOf(source),
    seen: (path: string) => (source.at === undefined || source.at === '.' ? path : pathWord(join(source.at, path))),
  }
  const inDocuments: PackageProblem[] = []
  const includes = new Map<string, readonly IncludeStep[]>()
  for (const [file, document] of documents) {
    inDocuments.push(...checkDocument(file, document, whole))
    includes.set(file, includesOf(file, document, whole))
    // A package of many documents lets others have their turn.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  const frontMatter =
    entry === undefined || judged === null ? [] : checkFrontMatter(source.entry, entry, { ...judged, shown })
  const found = inOrder([...unread, ...about, ...frontMatter, ...inDocuments, ...includeCycles(includes)])
  return found.map((each) => ({ ...each, file: shownFile(each.file, source) }))
}

async function parseAll(
  { files, entry, at }: PackageSource,
  parse: ParseMarkdown,
): Promise<{ documents: Map<string, Document>; unread: PackageProblem[] }> {
  const documents = new Map<string, Document>()
  const unread: PackageProblem[] = []
  for (const [path, { bytes }] of files) {
    if (!isDocument(path) && path !== entry) continue
    const text = decode(bytes, path, at === undefined ? null : join(at, path))
    const parsed = text.ok ? await parse(text.text) : text
    if (parsed.ok) documents.set(path, parsed.document)
    else unread.push(findingOf(path, null, parsed))
  }
  return { documents, unread }
}

/** What has no ending may be a document, but is more often a program. */
function isDocument(path: string): boolean {
  return isMarkdownName(path) && basename(path).includes('.')
}
