import { opendirSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import { editDistance, LIMITS, nearest } from '@string-os/protocol'
import { isTemporary } from '../store/atomic-file.ts'
import { OpenFolder } from '../store/open-folder.ts'
import { isFolder } from './files.ts'
import type { Place, Workspace } from './workspace.ts'

/** What may be meant by a path where nothing is: a name beside it that is nearly the same, spelled as it was typed. */
export function nearName(typed: string, workspace: Workspace): string | null {
  const place = workspace.locate(typed)
  if (!place.ok || place.exists) return null
  const name = basename(place.path)
  const folder = workspace.admit(dirname(place.path), typed)
  if (!typed.endsWith(name) || !folder.ok || !isFolder(folder)) return null
  const names = new Map(
    namesIn(folder)
      .filter((each) => each !== name)
      .map((each) => [comparable(each, name), each]),
  )
  const close = nearest(
    name,
    [...names.keys()].filter((each) => isNear(name, each)),
  )
  return close === null ? null : `${typed.slice(0, typed.length - name.length)}${names.get(close)}`
}

/** Whoever writes no ending has left it out, which is no slip in the name. */
function comparable(name: string, written: string): string {
  return extname(written) === '' ? basename(name, extname(name)) : name
}

/** Most names of a folder end alike, so what counts is how much of the rest is the same. */
function isNear(written: string, name: string): boolean {
  if (name.startsWith('.') !== written.startsWith('.')) return false
  const most = basename(written, extname(written)).length < SHORT ? 1 : 2
  return editDistance(written.toLowerCase(), name.toLowerCase()) <= most
}

/** In a name of fewer letters, two others make another name. */
const SHORT = 6

/** The names in a folder that passed the guard; of very many, some. */
function namesIn({ real }: Place): string[] {
  const names: string[] = []
  try {
    const folder = OpenFolder.open(real)
    try {
      const entries = opendirSync(folder.at('.'))
      for (let entry = entries.readSync(); entry !== null && names.length < LIMITS.listedEntries; ) {
        if (!isTemporary(entry.name)) names.push(entry.name)
        entry = entries.readSync()
      }
      entries.closeSync()
    } finally {
      folder.close()
    }
  } catch {
    // A suggestion is not worth an error.
  }
  return names
}
