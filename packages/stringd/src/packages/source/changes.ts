import { count, type Data, LIMITS, visibleLine } from '@string-os/protocol'
import type { PackageRecord } from '../state/package-record.ts'
import { changedDefaults, lostDefaults } from './changed-defaults.ts'
import type { PackageFile } from './package-files.ts'
import { defaultPowers, listedPowers, type MayDo } from './plan-text.ts'

/** A version of a package: one that is installed, or that could be. */
export interface Version extends MayDo {
  readonly record: PackageRecord
  readonly files: ReadonlyMap<string, PackageFile>
}

/** What another version of a package has and does that the one before did not. */
export interface Changes {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  readonly version: readonly [before: string | null, after: string | null]
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** The same folder is linked again: what its files do was done already, so that they are not compared. */
  readonly isSameLink: boolean
}

export function changesBetween(before: Version, after: Version): Omit<Changes, 'isSameLink'> {
  const paths = [...after.files.keys()].sort()
  return {
    gained: [...changedDefaults(before, after), ...more(after, before)],
    lost: [...lostDefaults(before, after), ...more(before, after)],
    version: [before.record.version, after.record.version],
    added: paths.filter((path) => !before.files.has(path)),
    changed: paths.filter((path) => isChanged(before.files.get(path), after.files.get(path))),
    removed: [...before.files.keys()].filter((path) => !after.files.has(path)).sort(),
  }
}

/** What one may do that the other does not: as it is written, else with defaults put in. */
function more(one: MayDo, other: MayDo): string[] {
  const written = without(listedPowers(one), listedPowers(other))
  const known = [...listedPowers(other), ...defaultPowers(other).map(({ filled }) => filled)]
  const filled = defaultPowers(one).filter((each) => !written.includes(each.written))
  const rows = new Set(filled.map((each) => each.filled))
  return [...written, ...without([...rows], known)]
}

/** What it may do more comes first, and whole; of files, the first ones. */
export function changesText(changes: Changes): string {
  const { gained, lost, version, added, changed, removed, isSameLink } = changes
  const rows = [
    ...(gained.length === 0
      ? []
      : ['It may do more than the installed version:', ...gained.map((each) => `+ ${each}`)]),
    ...(lost.length === 0 ? [] : ['It may no longer do:', ...lost.map((each) => `- ${each}`)]),
    ...(gained.length + lost.length === 0 && !isSameLink ? ['It may do what the installed version may'] : []),
    ...(isSameLink && version[0] === version[1] ? [] : [versionText(version)]),
    ...(isSameLink ? [] : fileRows({ added, changed, removed })),
  ]
  return rows.join('\n')
}

function versionText(version: Changes['version']): string {
  const [was, is] = version.map((each) => (each === null ? 'no version' : visibleLine(each)))
  if (was === is) return `Version: ${is}, as before`
  return `Version: ${was} → ${is}${isOlder(version) ? ', which is older' : ''}`
}

/** Only of plain numbers with dots it is known. */
function isOlder(version: Changes['version']): boolean {
  const [was, is] = version.map((each) => (/^v?\d+(?:\.\d+)*$/.test(each ?? '') ? numbersOf(each ?? '') : null))
  if (was == null || is == null) return false
  const at = was.findIndex((each, index) => each !== (is[index] ?? 0))
  return at !== -1 && (is[at] ?? 0) < (was[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return version.replace(/^v/, '').split('.').map(Number)
}

export function changesData({ version, ...changes }: Changes): Data {
  return {
    powers_gained: changes.gained,
    powers_lost: changes.lost,
    version_before: version[0],
    version: version[1],
    added: changes.added,
    changed: changes.changed,
    removed: changes.removed,
  }
}

function fileRows(files: Pick<Changes, 'added' | 'changed' | 'removed'>): string[] {
  const all = Object.entries(files).flatMap(([how, paths]) => paths.map((path) => `${how} ${visibleLine(path)}`))
  if (all.length === 0) return ['Files: none changed']
  const shown = all.slice(0, LIMITS.packageChangedFiles)
  const more = all.length - shown.length
  return [
    `${count(all.length, 'file')} changed:`,
    ...shown.map((row) => `- ${row}`),
    ...(more === 0 ? [] : [`- and ${more} more`]),
  ]
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return all.filter((each) => !known.has(each))
}

/** Of a mode only whether it can be run: archives and git know no more. */
function isChanged(a: PackageFile | undefined, b: PackageFile | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return (a.mode & 0o100) !== (b.mode & 0o100) || !Buffer.from(a.bytes).equals(b.bytes)
}
