import { resolve } from 'node:path'
import type { Failure } from '@string-os/protocol'
import { isFolder, listFolder } from '../../files/files.ts'
import { isBare, type Place, type Workspace } from '../../files/workspace.ts'
import type { CommandContext } from '../core/context.ts'
import { type Asked, type Candidate, candidate } from './candidates.ts'

/** Files and folders where the word leads. Hidden ones only where a dot was typed. */
export function paths({ word, context }: Pick<Asked, 'word' | 'context'>): readonly Candidate[] {
  if (word === '~') return [candidate('~/', 'folder')]
  return pathsIn(word, (folder) => foldersOf(folder, context), context)
}

/** The same for the value of an action's field: what is offered is what the call would take. */
export function givenPaths({ word, context }: Pick<Asked, 'word' | 'context'>): readonly Candidate[] {
  const { workspace } = context.reader
  if (word === '~') return [candidate('~/', 'folder')]
  const foldersFor = (folder: string): readonly (Place | Failure)[] => {
    const starts = workspace.givenStarts(word === '' ? 'x' : word)
    return starts.length === 0
      ? [workspace.locate(folder)]
      : starts.map((start) => workspace.admit(resolve(start, folder), folder))
  }
  return pathsIn(word, foldersFor, context)
}

/** Whether it is the workspace in which such a path has no place. */
export function leadsOutside(word: string, { reader }: CommandContext): boolean {
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  if (folder === '' || isBare(folder)) return false
  const place = reader.workspace.locate(folder)
  return !place.ok && place.data?.outside !== undefined
}

/** The same for a shell: every path starts where it is. */
export function shellPaths({ word, context }: Pick<Asked, 'word' | 'context'>): readonly Candidate[] {
  const { workspace } = context.reader
  const start = context.shell.info()?.cwd ?? workspace.start
  // What `~` means there, the shell knows.
  if (word.startsWith('~')) return []
  return pathsIn(word, (folder) => [workspace.admit(resolve(start, folder), folder)], context)
}

function pathsIn(
  word: string,
  foldersFor: (folder: string) => readonly (Place | Failure)[],
  { reader }: CommandContext,
): readonly Candidate[] {
  const slash = word.lastIndexOf('/') + 1
  const folder = word.slice(0, slash)
  const begun = word.slice(slash)
  const places = foldersFor(folder).filter((place): place is Place => place.ok && place.exists && isFolder(place))
  const found = places.flatMap((place) => entriesIn(place, folder, begun, reader.workspace))
  return [...new Map(found.map((each) => [each.value, each])).values()]
}

/** A bare name is looked for beside the document and where the caller is; any other path says where it starts. */
function foldersOf(folder: string, { reader, session }: CommandContext): readonly (Place | Failure)[] {
  const { workspace, start } = reader
  if (folder !== '' && !isBare(folder)) return [workspace.locate(folder)]
  const beside = session.document?.folder ?? null
  const starts = beside === null ? [start] : [start, beside]
  return starts.map((each) => workspace.admit(resolve(each, folder), folder))
}

function entriesIn(place: Place, folder: string, begun: string, workspace: Workspace): readonly Candidate[] {
  const listed = listFolder(place, folder, begun.startsWith('.'), (link) => workspace.locate(link).ok)
  if (!listed.ok) return []
  return listed.items.map(({ name, kind }) =>
    kind === 'folder' ? candidate(`${folder}${name}/`, 'folder') : candidate(`${folder}${name}`, 'file'),
  )
}
