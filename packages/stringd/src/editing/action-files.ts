import { type Failure, fail } from '@string-os/protocol'
import type { ActionFiles } from '../action/call/powers.ts'
import { absent, isFolder, readFile } from '../files/files.ts'
import { fingerprint } from '../files/fingerprint.ts'
import type { Place, Workspace } from '../files/workspace.ts'
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
    read: (path) => {
      const place = workspace.locate(path)
      if (!place.ok) return place
      return place.exists ? readFile(place, path) : absent(place, path, workspace)
    },
    write: async (path, bytes) => {
      const place = workspace.locateToWrite(path)
      if (!place.ok) return place
      if (isFolder(place)) return fail('INVALID_PATH', `${path} is a folder`, 'Name a file')
      const failed = await locks.with(place.real, () => put(place, bytes, path))
      if (failed !== null) return failed
      session.hasWritten(place, fingerprint(Buffer.from(bytes)))
      return { ok: true, shown: path }
    },
  }
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
