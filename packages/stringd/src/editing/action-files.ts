import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Failure, fail, listNames } from '@string-os/protocol'
import type { ActionFiles } from '../action/call/powers.ts'
import { absent, isFolder, notFound, readFile } from '../files/files.ts'
import { fingerprint } from '../files/fingerprint.ts'
import { isRelative, type Place, pathWord, type Workspace } from '../files/workspace.ts'
import type { Session } from '../session/session.ts'
import { writeInFolder } from '../store/atomic-file.ts'
import type { FileLocks } from '../store/file-locks.ts'
import { inFolderOf } from './in-folder.ts'
import { writeFailure } from './write-failure.ts'

export interface ActionFilesParts {
  readonly workspace: Workspace
  readonly session: Session
  readonly locks: FileLocks
}

/** Files for actions, through the guard of the workspace. */
export function createActionFiles({ workspace, session, locks }: ActionFilesParts): ActionFiles {
  return {
    read: (path, by) => {
      const place = by === 'caller' ? workspace.locateGiven(path) : workspace.locateBeside(path, by)
      if (!place.ok) return place
      if (place.exists) return readFile(place, path)
      const why = absent(place, path, workspace)
      // Behind a folder that may not be entered nobody knows what is there.
      if (why.code !== 'NOT_FOUND') return why
      return by === 'caller' ? notGiven(path, workspace) : missingDefault(path, by.beside)
    },
    refused: (path) => {
      const place = fileToWrite(path, workspace)
      return place.ok ? unwritable(place, path) : place
    },
    write: async (path, bytes) => {
      const place = fileToWrite(path, workspace)
      if (!place.ok) return place
      const failed = await locks.with(place.real, () => put(place, bytes, path))
      if (failed !== null) return failed
      session.hasWritten(place, fingerprint(Buffer.from(bytes)))
      return { ok: true, shown: path }
    },
  }
}

function fileToWrite(path: string, workspace: Workspace): Place | Failure {
  const place = workspace.locateToWrite(path)
  return place.ok && isFolder(place) ? fail('INVALID_PATH', `${path} is a folder`, 'Name a file') : place
}

/** What the system would say to it, as far as it says so before anything is made. */
function unwritable({ real }: Place, shown: string): Failure | null {
  try {
    // A name that is too long is told here.
    lstatSync(real, { throwIfNoEntry: false })
    accessSync(`${lastFolder(real)}/.`, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return writeFailure(error, shown)
  }
}

/** Of the folders on the way to a file the last that is there: in it the file, or the folders that are missing, are made. */
function lastFolder(real: string): string {
  let folder = dirname(real)
  while (folder !== dirname(folder) && lstatSync(folder, { throwIfNoEntry: false }) === undefined)
    folder = dirname(folder)
  return folder
}

/** A file that is elsewhere is named and not sent: the caller may not mean it. */
function notGiven(path: string, workspace: Workspace): Failure {
  const starts = workspace.givenStarts(path)
  const [start] = starts
  if (start === undefined) return notFound(path)
  const other = workspace.elsewhere(path)
  const next =
    other === null
      ? `/ls ${pathWord(start)} shows what exists`
      : `Did you mean ${pathWord(workspace.spell(other.path))}?`
  return fail('NOT_FOUND', `File not found: ${path}`, `It is looked for in ${listNames(starts)}`, next)
}

function missingDefault(path: string, folder: string): Failure {
  const looked = isRelative(path) ? `, looked for beside the document in ${folder}` : ''
  return fail(
    'NOT_FOUND',
    `File not found: ${path}, the default of the action${looked}`,
    'Give the path of another file',
  )
}

async function put({ real, stat }: Place, bytes: Uint8Array, shown: string): Promise<Failure | null> {
  try {
    const mode = stat === null ? 0o666 & ~process.umask() : stat.mode & 0o7777
    await inFolderOf(real, (folder, name) => writeInFolder(folder, name, bytes, { mode }))
    return null
  } catch (error) {
    return writeFailure(error, shown)
  }
}
