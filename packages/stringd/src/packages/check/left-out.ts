import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ignoredAround, rulesIn } from '../../search/git-rules.ts'
import type { Ignored } from '../../search/ignore.ts'
import { isCache } from '../source/package-files.ts'
import type { LeaveOut } from '../source/read-local.ts'
import { isSecretName } from '../source/secret-names.ts'

/** What a package that is given away goes without, and why. */
export interface LeftOut {
  readonly isLeftOut: LeaveOut
  readonly rows: readonly { readonly path: string; readonly why: string }[]
}

/** Looks at a folder as git would, and at names that secrets have. */
export function leaveOut(real: string): LeftOut {
  const rules = new Map([['', rulesOf(real, ignoredAround(real, above(real)))]])
  const rows: { path: string; why: string }[] = []
  const isLeftOut = (path: string, isFolder: boolean): boolean => {
    const name = basename(path)
    const here = rules.get(path.slice(0, Math.max(0, path.length - name.length - 1))) ?? null
    const isIgnored = here?.has(join(real, path), name, isFolder) === true
    const why = whyLeftOut(path, name, isFolder) ?? (isIgnored ? 'git ignores it' : null)
    if (why !== null) rows.push({ path: isFolder ? `${path}/` : path, why })
    else if (isFolder) rules.set(path, rulesOf(join(real, path), here))
    return why !== null
  }
  return { isLeftOut, rows }
}

function rulesOf(folder: string, above: Ignored | null): Ignored | null {
  return rulesIn(folder, readdirSync(folder, { withFileTypes: true }), above)
}

/** The nearest first. */
function above(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...above(parent)]
}

/** One that was packed before, in the folder itself, would be in every later one. */
function whyLeftOut(path: string, name: string, isFolder: boolean): string | null {
  if (isSecretName(name, isFolder)) return 'it may hold a secret'
  if (isCache(path, isFolder)) return 'it is a cache'
  return !isFolder && path === name && name.endsWith('.tgz') ? 'it is an archive' : null
}
