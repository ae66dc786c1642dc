import { isFolder, listFolder } from '../../files/files.ts'
import { isBare, type Place, type Workspace } from '../../files/workspace.ts'
import type { CommandContext } from '../core/context.ts'
import { type Asked, type Candidate, candidate } from './candidates.ts'

/** Files and folders that begin as the word does. Hidden ones only where a dot was typed. */
export function paths({ word, context }: Pick<Asked, 'word' | 'context'>): readonly Candidate[] {
  if (word === '~') return [candidate('~/', 'folder')]
  const slash = word.lastIndexOf('/') + 1
  const folder = word.slice(0, slash)
  const begun = word.slice(slash)
  const found = foldersOf(folder, context).flatMap((place) => entriesIn(place, folder, begun, context.reader.workspace))
  return [...new Map(found.map((each) => [each.value, each])).values()]
}

/** A bare name is looked for beside the document and where the caller is; any other path says where it starts. */
function foldersOf(folder: string, { reader, session }: CommandContext): readonly Place[] {
  const { workspace } = reader
  const beside = session.document?.folder ?? null
  const starts =
    folder !== '' && !isBare(folder)
      ? [workspace.locate(folder)]
      : [workspace.admit(reader.start, '.'), ...(beside === null ? [] : [workspace.admit(beside, '.')])].map((start) =>
          start.ok && folder !== '' ? workspace.admit(`${start.path}/${folder}`.replace(/\/$/, ''), folder) : start,
        )
  return starts.filter((place): place is Place => place.ok && place.exists && isFolder(place))
}

function entriesIn(place: Place, folder: string, begun: string, workspace: Workspace): readonly Candidate[] {
  const listed = listFolder(place, folder, begun.startsWith('.'), (link) => workspace.locate(link).ok)
  if (!listed.ok) return []
  return listed.items
    .filter(({ name }) => name.startsWith(begun))
    .map(({ name, kind }) =>
      kind === 'folder' ? candidate(`${folder}${name}/`, 'folder') : candidate(`${folder}${name}`, 'file'),
    )
}
