import { type Failure, LIMITS, quoted } from '@string-os/protocol'
import { readDeclaration } from '../action/declaration.ts'
import type { Document } from '../document/document.ts'
import { isMarkdownName } from '../document/file-names.ts'
import { decode, type PackageSource } from './package-files.ts'

export type ParseMarkdown = (text: string) => Promise<{ readonly ok: true; readonly document: Document } | Failure>

/** What a package may do once it is installed, as its documents declare it. */
export interface Plan {
  /** Commands that its actions run, each with the name of the action. */
  readonly runs: readonly PlannedRun[]
  /** Hosts that its actions ask. */
  readonly reaches: readonly string[]
  /** Documents that could not be read: what they would do is not known. */
  readonly unread: readonly string[]
}

export interface PlannedRun {
  readonly action: string
  readonly command: string
  /** Values may run as code in it. */
  readonly isUnsafe: boolean
}

/** What every action stands in. */
const FENCE = /`{3}|~{3}/

/** Looks at every Markdown document of a package, for any of them can be opened in its topic. */
export async function readPlan(source: PackageSource, parse: ParseMarkdown): Promise<Plan> {
  const found: Growing = { runs: new Map(), reaches: new Set() }
  const unread: string[] = []
  for (const [path, text] of documentsOf(source)) {
    const parsed = await parse(text)
    if (parsed.ok) addActions(parsed.document, found)
    else unread.push(path)
    // A package of many documents lets others have their turn.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { runs: [...found.runs.values()], reaches: [...found.reaches].sort(), unread }
}

/** The documents that may declare actions. */
function documentsOf({ files, text, entry }: PackageSource): [string, string][] {
  const texts: [string, string | Failure][] =
    files.size === 0
      ? [[entry, text]]
      : [...files].filter(([path]) => isMarkdownName(path)).map(([path, { bytes }]) => [path, decode(bytes, path)])
  return texts.filter((each): each is [string, string] => typeof each[1] === 'string' && FENCE.test(each[1]))
}

interface Growing {
  readonly runs: Map<string, PlannedRun>
  readonly reaches: Set<string>
}

function addActions({ actions }: Document, { runs, reaches }: Growing): void {
  for (const source of actions) {
    const declaration = source.part === 'action' ? readDeclaration(source) : null
    if (declaration === null || 'problem' in declaration) continue
    const { id, template } = declaration
    if (template.kind === 'http') reaches.add(quoted(hostOf(template.url), LIMITS.planCommandChars))
    else {
      const { script, isUnsafe } = template
      const command = quoted(script, LIMITS.planCommandChars)
      runs.set(`${id} ${isUnsafe} ${script}`, { action: id, command, isUnsafe })
    }
  }
}

/** The host as it is written: what a field or a variable decides is shown as that. */
function hostOf(url: string): string {
  const [, host = url] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? []
  return host.replace(/^.*@/, '') || url
}
