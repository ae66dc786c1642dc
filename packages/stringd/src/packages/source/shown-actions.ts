import { posix } from 'node:path'
import { problem } from '@string-os/protocol'
import type { ActionSource, Document } from '../../document/document.ts'
import { indexPage } from '../../document/page.ts'
import { isMarkdownName } from '../../document/parse/file-names.ts'
import type { Base } from '../../library/address.ts'
import { type FindInclude, withIncludes } from '../../library/includes.ts'
import { decode, type PackageSource } from './package-files.ts'
import type { ParseMarkdown } from './plan.ts'

/** The actions that the entry document offers when it is opened: its own, and those of the files that it includes. */
export type ShownActions = ReadonlyMap<string, ActionSource>

/** As a reader gets it, but that nothing outside of the package is read. */
export async function shownActions(
  { entry, files }: PackageSource,
  document: Document,
  parse: ParseMarkdown,
): Promise<ShownActions> {
  const find: FindInclude = async (target, base, chain, room) => {
    const path = base.kind === 'file' ? pathOf(target, base.folder, files) : null
    if (path === null) return problem(`${target} is no document of the package`)
    if (chain.includes(path)) return problem(`${target} includes itself`)
    const text = decode(files.get(path)?.bytes ?? new Uint8Array(), path)
    if (!text.ok || text.text.length > room) return problem(`${target} is no document`)
    const parsed = await parse(text.text)
    return parsed.ok ? { ok: true, document: parsed.document, base: baseOf(path), key: path } : problem(parsed.system)
  }
  const page = await withIncludes(document, baseOf(entry), [entry], find)
  return new Map([...indexPage(page).actions].map(([id, { source }]) => [id, source]))
}

/** Markdown writes a blank in it as %20. */
function pathOf(target: string, folder: string, files: PackageSource['files']): string | null {
  const paths = [target, target.replaceAll('%20', ' ')].map((each) => posix.join(folder, each))
  return paths.find((path) => isMarkdownName(path) && files.has(path)) ?? null
}

function baseOf(path: string): Base {
  return { kind: 'file', folder: posix.dirname(path), file: path }
}
