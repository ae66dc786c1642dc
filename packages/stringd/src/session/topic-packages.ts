import type { Failure, Topic } from '@string-os/protocol'
import type { ActionFiles, Powers } from '../action/powers.ts'
import type { Document } from '../document/document.ts'
import type { Workspace } from '../files/workspace.ts'
import type { Base } from '../library/address.ts'
import { readAbout } from '../packages/about.ts'
import type { PackageServices } from '../packages/create.ts'
import type { Need } from '../packages/package-record.ts'
import type { Installed, InstallOptions, Packages, Prepared } from '../packages/packages.ts'
import { scopeOf } from '../packages/variables.ts'
import { isOfPackage, missingNeeds, type PackageUse, packagePowers } from './package-powers.ts'
import type { Reader } from './reader.ts'
import { findTool, findTools, ownToolsFolder, type Tool } from './tools.ts'

/** A tool that is about to run: its document is read and its actions act with its own powers, not with the topic's. */
export interface ToolUse {
  readonly ok: true
  readonly name: string
  /** Path or URL of its document. */
  readonly entry: string
  readonly default: string | null
  readonly reader: Reader
  /** What its documents may do, when this is the one it begins with. */
  readonly powers: (entry: Document) => (base: Base) => Powers
}

/** Installed apps and tools, as a topic sees them. */
export interface TopicPackages {
  /** The package that this app topic belongs to; null in other topics, and where it is not installed. */
  readonly own: Installed | null
  readonly list: () => readonly Installed[]
  readonly prepare: (from: Parameters<Packages['prepare']>[0], options: InstallOptions) => Promise<Prepared | Failure>
  readonly conflict: (prepared: Prepared) => Failure | null
  readonly install: (prepared: Prepared) => Promise<Failure | null>
  readonly uninstall: (local: string) => Promise<Failure | null>
  /** What a package needs and nobody has set, looked for from a topic of its own. */
  readonly missing: (installed: Pick<Installed, 'record'>) => readonly Need[]
  readonly tools: () => readonly Tool[]
  readonly tool: (name: string) => ToolUse | Failure
}

export interface TopicPackagesParts extends PackageServices {
  readonly home: string
  readonly topic: Topic
  readonly workspace: Workspace
  readonly files: ActionFiles
  readonly environment: Readonly<Record<string, string>>
  /** A reader to which a closed folder is open. */
  readonly readerIn: (folder: string) => Reader
  /** The powers of what belongs to no package. */
  readonly powers: (base: Base) => Powers
}

export function ownPackage(packages: Packages, home: string, topic: Topic): Installed | null {
  const { app } = scopeOf(home, topic)
  const found = app === null ? null : packages.find(home, app)
  return found?.record.type === 'app' ? found : null
}

export function topicPackages(own: Installed | null, parts: TopicPackagesParts): TopicPackages {
  const { packages, home, topic, workspace } = parts
  const list = (): readonly Installed[] => packages.list(home)
  const places = { home, workspace, installed: list }
  return {
    own,
    list,
    prepare: (from, options) => packages.prepare(from, options),
    conflict: ({ record }) => packages.conflict(home, record),
    install: (prepared) => packages.install(home, prepared),
    uninstall: (local) => packages.uninstall(home, local),
    missing: ({ record }) => {
      const isOwn = record.local === own?.record.local
      const scope = isOwn ? scopeOf(home, topic) : { home, app: record.local, config: null }
      return record.linked ? [] : missingNeeds({ needs: record.needs, scope }, parts)
    },
    tools: () => findTools(places),
    tool: (name) => {
      const tool = findTool(name, places)
      return 'code' in tool ? tool : toolUse(tool, parts)
    },
  }
}

/** What a document in this topic may do: those of the topic's own package have its powers. */
export function topicPowers(own: Installed | null, parts: TopicPackagesParts): (base: Base) => Powers {
  if (own === null || own.folder === null) return parts.powers
  const { home, topic } = parts
  const use = {
    shown: `app:${own.record.local}`,
    folder: own.folder,
    needs: own.record.needs,
    scope: scopeOf(home, topic),
  }
  return powersIn(use, parts)
}

function toolUse(tool: Tool, parts: TopicPackagesParts): ToolUse {
  const { home } = parts
  const { name } = tool
  const shared = { ok: true, name } as const
  const scope = { home, app: name, config: null }
  const shown = `tool:${name}`
  if (tool.kind === 'installed') {
    const { record, folder } = tool.installed
    const { entry, needs } = record
    const reader = parts.readerIn(folder ?? ownToolsFolder(home))
    // A linked one is a page from the web, and has the powers of a page.
    const powers = folder === null ? parts.powers : powersIn({ shown, folder, needs, scope }, parts)
    const path = folder === null ? entry : `${folder}/${entry}`
    return { ...shared, entry: path, default: record.default, reader, powers: () => powers }
  }
  const folder = ownToolsFolder(home)
  const reader = parts.readerIn(folder)
  const powers = (entry: Document): ((base: Base) => Powers) =>
    tool.kind === 'own' ? powersIn({ shown, folder, needs: needsOf(entry), scope }, parts) : parts.powers
  return { ...shared, entry: tool.file, default: null, reader, powers }
}

/** A file that a person put among the tools says itself what it needs. */
function needsOf(entry: Document): readonly Need[] {
  const about = readAbout(entry)
  return 'code' in about ? [] : about.needs
}

function powersIn(use: PackageUse, parts: TopicPackagesParts): (base: Base) => Powers {
  return (base) => (isOfPackage(use, base) ? packagePowers(use, base, parts) : parts.powers(base))
}
