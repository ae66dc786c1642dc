import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { Ignored } from './ignore.ts'

const OWN_RULES = '.gitignore'
const EXCLUDED = '.git/info/exclude'
// Not blocking and not following: what a folder listed as a file may be a pipe or a link by now.
export const AS_LISTED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Names of entries need no more: joining of paths in general takes longer than opening a file. */
export function inFolder(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/** What the folders around one say, up to the one that git begins at; nothing where no such is among them. */
export function ignoredAround(real: string, above: readonly string[]): Ignored | null {
  if (existsSync(inFolder(real, '.git'))) return null
  const top = above.findIndex((folder) => existsSync(inFolder(folder, '.git')))
  return above
    .slice(0, top + 1)
    .toReversed()
    .reduce<Ignored | null>((ignored, folder, at) => {
      const base = at === 0 ? withRules(null, folder, EXCLUDED) : ignored
      return withRules(base, folder, OWN_RULES)
    }, null)
}

/** What git ignores in this folder: what its own files say, then what was said above, unless git begins anew here. */
export function rulesIn(
  folder: string,
  entries: readonly { readonly name: string }[],
  above: Ignored | null,
): Ignored | null {
  const isTop = entries.some(({ name }) => name === '.git')
  const base = isTop ? withRules(null, folder, EXCLUDED) : above
  return entries.some(({ name }) => name === OWN_RULES) ? withRules(base, folder, OWN_RULES) : base
}

function withRules(above: Ignored | null, folder: string, name: string): Ignored | null {
  try {
    const descriptor = openSync(inFolder(folder, name), AS_LISTED)
    try {
      const bytes = Buffer.allocUnsafe(LIMITS.ignoreFileBytes)
      return new Ignored(above, folder, bytes.toString('utf8', 0, readSync(descriptor, bytes)))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    // It is not there, or not ours to read: git would not heed it either.
    return above
  }
}
