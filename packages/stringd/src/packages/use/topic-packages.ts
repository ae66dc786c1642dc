import { dirname, join } from 'node:path'
import type { Failure, Topic } from '@string-os/protocol'
import type { ActionFiles, Powers } from '../../action/call/powers.ts'
import type { Workspace } from '../../files/workspace.ts'
import type { Base } from '../../library/address.ts'
import type { PackageServices } from '../create.ts'
import type { Installed, Packages, PreparedPackage } from '../packages.ts'
import type { Changes } from '../source/changes.ts'
import type { InstallOptions } from '../source/inspect.ts'
import { isLinkedPage, isLocalName, type Need } from '../state/package-record.ts'
import { scopeOf, type VariableScope } from '../state/variables.ts'
import { powersOf } from './document-powers.ts'
import { goneLink } from './gone-link.ts'
import {
  isOfPackage,
  missingNeeds,
  type NeededVariable,
  type PackageUse,
  packagePowers,
  variableOrigins,
} from './package-powers.ts'
import { type StoredVariables, storedVariables } from './stored-variables.ts'
import { findTool, findTools, namesIn, type Tool } from './tools.ts'

/** A tool that is about to run: its document is read and its actions act with its own powers, not with the topic's. */
export interface ToolUse {
  readonly ok: true
  readonly name: string
  /** Path or URL of its document. */
  readonly entry: string
  /** Undefined: what its document says. */
  readonly default: string | null | undefined
  /** A folder that is closed to the topic and open to it; null where there is none. */
  readonly folder: string | null
  /** What its documents may do. */
  readonly powers: (base: Base) => Powers
}

/** Installed apps and tools, as a topic sees them. */
export interface TopicPackages {
  /** The package that this app topic belongs to; null in other topics, and where it is not installed. */
  readonly own: Installed | null
  readonly list: () => readonly Installed[]
  /** Names of packages that lie in the home, where nobody installs any. */
  readonly foreign: () => readonly string[]
  readonly prepare: (
    from: Parameters<Packages['prepare']>[0],
    options: InstallOptions,
  ) => Promise<PreparedPackage | Failure>
  /** What is different from the installed version. */
  readonly changes: (prepared: PreparedPackage) => Promise<Changes | null>
  readonly conflict: (prepared: PreparedPackage) => Failure | null
  readonly install: (prepared: PreparedPackage) => Promise<Failure | null>
  readonly uninstall: (local: string) => Promise<Failure | null>
  /** Names of variables that are stored for a package; without an origin, for all that had that name. */
  readonly stored: (local: string, origin: string | null) => readonly string[]
  /** Removes those. */
  readonly forget: (local: string, origin: string | null) => Promise<Failure | null>
  /** What a package needs and nobody has set, looked for from a topic of its own. */
  readonly missing: (installed: Pick<Installed, 'record'>) => readonly Need[]
  /** What a package lists, and where each value comes from in its topic. */
  readonly variables: (installed: Pick<Installed, 'record'>) => readonly NeededVariable[]
  readonly look: (installed: Installed) => ReturnType<Packages['look']>
  readonly tools: () => readonly Tool[]
  readonly tool: (name: string) => ToolUse | Failure
}

export interface TopicPackagesParts extends PackageServices {
  readonly home: string
  readonly topic: Topic
  readonly workspace: Workspace
  readonly files: ActionFiles
  readonly environment: Readonly<Record<string, string>>
}

/** All that a topic has of packages, for itself and for the documents in it. */
export interface TopicUse {
  readonly packages: TopicPackages
  /** What a document may do, by where it came from; an included one has its own. */
  readonly powers: (base: Base) => Powers
  readonly stored: StoredVariables
}

export function topicUse(own: Installed | null, parts: TopicPackagesParts): TopicUse {
  const { packages, variables, home, topic, files, workspace } = parts
  const withPowers = { ...parts, powers: (base: Base) => powersOf(base, files, { cwd: workspace.start, home }) }
  const known = topicPackages(own, withPowers)
  return {
    packages: known,
    // Most commands ask for neither.
    get powers() {
      return topicPowers(own, withPowers)
    },
    get stored() {
      const scope = topicScope(packages, home, topic)
      const installed = scope.app === null ? null : packages.find(home, scope.app)
      return storedVariables(variables, scope, installed?.record.needs ?? [])
    },
  }
}

interface PartsWithPowers extends TopicPackagesParts {
  /** The powers of what belongs to no package. */
  readonly powers: (base: Base) => Powers
}

export function ownPackage(packages: Packages, home: string, topic: Topic): Installed | null {
  const { app } = scopeOf(home, topic, () => null)
  const found = app === null ? null : packages.find(home, app)
  return found?.record.type === 'app' ? found : null
}

/** The variables of a topic: in one of a package, those of this very package. */
function topicScope(packages: Packages, home: string, topic: Topic): VariableScope {
  return scopeOf(home, topic, (app) => packages.find(home, app)?.record.origin ?? null)
}

function topicPackages(own: Installed | null, parts: PartsWithPowers): TopicPackages {
  const { packages, home, topic, workspace } = parts
  const list = (): readonly Installed[] => packages.list(home)
  const places = { home, workspace, installed: list }
  return {
    own,
    list,
    foreign: () => namesIn(join(home, '.string/packages')).filter(isLocalName),
    prepare: (from, options) => packages.prepare(from, options),
    changes: (prepared) => packages.changes(home, prepared),
    conflict: (prepared) => packages.conflict(home, prepared),
    install: (prepared) => packages.install(home, prepared),
    uninstall: (local) => packages.uninstall(home, local),
    stored: (app, origin) => parts.variables.ofPackage({ home, app, origin }),
    forget: (app, origin) => parts.variables.forget({ home, app, origin }),
    missing: ({ record }) => {
      // Another one of that name, which is to replace it, has variables of its own.
      const isOwn = record.local === own?.record.local && record.origin === own.record.origin
      const scope = isOwn ? topicScope(packages, home, topic) : packageScope(home, record)
      return isLinkedPage(record) ? [] : missingNeeds({ needs: record.needs, scope }, parts)
    },
    variables: ({ record }) =>
      isLinkedPage(record) ? [] : variableOrigins({ needs: record.needs, scope: packageScope(home, record) }, parts),
    look: (installed) => packages.look(installed),
    tools: () => findTools(places),
    tool: (name) => {
      const found = findTool(name, places)
      if (!found.ok) return found
      const { tool } = found
      return (tool.kind === 'installed' ? goneLink(tool.installed) : null) ?? toolUse(tool, parts)
    },
  }
}

/** What a document in this topic may do: those of the topic's own package have its powers. */
function topicPowers(own: Installed | null, parts: PartsWithPowers): (base: Base) => Powers {
  if (own === null || own.folder === null) return parts.powers
  const { packages, home, topic } = parts
  const use = {
    shown: `app:${own.record.local}`,
    folder: own.folder,
    needs: own.record.needs,
    scope: topicScope(packages, home, topic),
  }
  return powersIn(use, parts)
}

function toolUse(tool: Tool, parts: PartsWithPowers): ToolUse {
  const { home } = parts
  const { name } = tool
  const shared = { ok: true, name } as const
  if (tool.kind === 'installed') {
    const { record, folder } = tool.installed
    const { entry, needs } = record
    const scope = packageScope(home, record)
    const shown = `tool:${name}`
    // A linked page has the powers of a page.
    const powers = folder === null ? parts.powers : powersIn({ shown, folder, needs, scope }, parts)
    const path = folder === null ? entry : `${folder}/${entry}`
    return { ...shared, entry: path, default: record.default, folder, powers }
  }
  // Nobody installed it: it is a file of the workspace, wherever it lies.
  const folder = tool.kind === 'own' ? dirname(tool.file) : null
  return { ...shared, entry: tool.file, default: undefined, folder, powers: parts.powers }
}

function packageScope(home: string, { local, origin }: Installed['record']): VariableScope {
  return { home, app: local, config: null, origin }
}

function powersIn(use: PackageUse, parts: PartsWithPowers): (base: Base) => Powers {
  return (base) => (isOfPackage(use, base) ? packagePowers(use, base, parts) : parts.powers(base))
}
