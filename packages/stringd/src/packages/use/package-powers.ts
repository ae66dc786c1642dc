import { type Failure, fail } from '@string-os/protocol'
import { insteadOfGiven, isGiven } from '../../action/bash/given-variables.ts'
import type { ActionFiles, Powers } from '../../action/call/powers.ts'
import { isInside, type Workspace } from '../../files/workspace.ts'
import type { Base } from '../../library/address.ts'
import type { Need } from '../state/package-record.ts'
import type { Level, VariableScope, VariableStore } from '../state/variables.ts'
import { contextOf, variableIn } from './document-powers.ts'

/** A package at work: in its app topic, or called as a tool. */
export interface PackageUse {
  /** `app:weather`, `tool:weather`: how messages name it. */
  readonly shown: string
  readonly folder: string
  readonly needs: readonly Need[]
  /** Where its variables are looked for. */
  readonly scope: VariableScope
}

export interface PackagePowersParts {
  readonly files: ActionFiles
  readonly variables: VariableStore
  readonly home: string
  /** Where the caller is. */
  readonly workspace: Pick<Workspace, 'start'>
  /** The daemon's own, asked for one name at a time. */
  readonly environment: Readonly<Record<string, string>>
}

/** What every call in a package knows by itself. */
export const CONTEXT_NAMES: ReadonlySet<string> = new Set([
  'CWD',
  'CURRENT_FILE',
  'STRING_PACKAGE',
  'STRING_HOME',
  'STRING_CWD',
])

/** Whether a document is one of the package, and not one that it only includes. */
export function isOfPackage({ folder }: PackageUse, base: Base): base is Base & { kind: 'file' } {
  return base.kind === 'file' && isInside(folder, base.folder)
}

/** The powers of a document of an installed package: HTTP and CLI, and of the stored variables those that it lists. */
export function packagePowers(use: PackageUse, base: Base & { kind: 'file' }, parts: PackagePowersParts): Powers {
  const { files, variables, environment, home, workspace } = parts
  const { folder } = use
  const context = contextOf(base, { cwd: workspace.start, home }).set('STRING_PACKAGE', folder)
  const variable = variableIn(context, (name) => {
    const need = use.needs.find((each) => each.name === name)
    if (need === undefined) return notListed(name, use)
    const stored = variables.find(use.scope, name)
    if (stored !== null) return { ok: true, value: stored.value, isPublic: isShown(need, stored.level) }
    const value = ownOf(environment, name)
    if (value !== null) return { ok: true, value }
    return need.fallback === null ? missing(need, use) : { ok: true, value: need.fallback, isPublic: true }
  })
  const listed = use.needs.map(({ name }) => name)
  return { kind: 'package', context, listed, variable, home, folder, beside: base.folder, files, origin: null }
}

/** A package may show what was set for it; whether anything else is a secret is not for its author to say. */
export function isShown({ isSecret }: Need, level: Level): boolean {
  return !isSecret && level !== 'global'
}

/** The variables that a package lists and that nobody has set. */
export function missingNeeds(
  { needs, scope }: Pick<PackageUse, 'needs' | 'scope'>,
  { variables, environment }: Pick<PackagePowersParts, 'variables' | 'environment'>,
): Need[] {
  return needs.filter(
    ({ name, fallback }) =>
      fallback === null && variables.find(scope, name) === null && ownOf(environment, name) === null,
  )
}

/** What a variable that a package lists comes from; null where nobody has set it. */
export interface NeededVariable extends Need {
  readonly from: Level | 'environment' | 'default' | null
}

export function variableOrigins(
  { needs, scope }: Pick<PackageUse, 'needs' | 'scope'>,
  { variables, environment }: Pick<PackagePowersParts, 'variables' | 'environment'>,
): NeededVariable[] {
  const stored = new Map(variables.list(scope).variables.map(({ name, level }) => [name, level]))
  return needs.map((need) => {
    const otherwise = ownOf(environment, need.name) !== null ? 'environment' : need.fallback === null ? null : 'default'
    return { ...need, from: stored.get(need.name) ?? otherwise }
  })
}

function ownOf(environment: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(environment, name) ? (environment[name] ?? null) : null
}

function notListed(name: string, { shown }: PackageUse): Failure {
  if (isGiven(name))
    return fail(
      'ENV_REQUIRED',
      `$${name} is known to commands alone, and this action needs it in a default or a request`,
      `Its author mends it. ${insteadOfGiven(name)}`,
    )
  return fail(
    'ENV_REQUIRED',
    `${shown} does not list $${name} under env, so it does not get it`,
    `Its author adds ${name} to env in the front matter of string.md; then /install it again`,
  )
}

function missing({ name, description }: Need, { scope, shown }: PackageUse): Failure {
  const place = shown.startsWith('app:') ? ` in the topic ${shown}, or in main for all` : ' in main, for all'
  return fail(
    'ENV_REQUIRED',
    `$${name} is not set${description === null ? '' : `: ${description}`}`,
    `/set $${name} = "value"${scope.app === null ? '' : place}`,
  )
}
