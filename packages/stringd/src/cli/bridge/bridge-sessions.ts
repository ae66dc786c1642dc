import { lstatSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isFields, LIMITS, parseJson } from '@string-os/protocol'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { type KernelLock, lockFile } from '../../store/kernel-lock.ts'
import { asideName } from '../../store/odd-file.ts'
import { ensurePrivateDir } from '../../store/private-dir.ts'

/** Whose sessions: many agents keep theirs in the folder where they run, and do not find them from another. */
export interface SessionOwner {
  /** The real path of the profile. */
  readonly profile: string
  /** Where the agent runs; empty where its profile says it, once for all. */
  readonly folder: string
}

/** The session ids that agents declared, by their owner and the session's name. */
export interface BridgeSessions {
  readonly find: (owner: SessionOwner, name: string) => string | null
  /** Names under which there is a session, the one used last first. */
  readonly names: (owner: SessionOwner) => string[]
  /** Profiles of which there is a session, the one used last first. */
  readonly profiles: () => string[]
  /** Stores an id, or forgets the session when it is null. Of many processes that store at once, none loses anything. */
  readonly keep: (owner: SessionOwner, name: string, id: string | null) => Promise<void>
}

interface Entry extends SessionOwner {
  readonly name: string
  readonly id: string
}

/** Nothing here ends a turn: a file that cannot be read or written is a warning. */
export function bridgeSessions(dataDir: string, warn: (text: string) => void): BridgeSessions {
  const path = join(dataDir, 'bridge-sessions.json')
  const entries = (): readonly Entry[] => {
    try {
      return readEntries(path) ?? []
    } catch (error) {
      warn(`${path} cannot be read: ${(error as Error).message}`)
      return []
    }
  }
  const store = async (owner: SessionOwner, name: string, id: string | null): Promise<void> => {
    ensurePrivateDir(dataDir)
    const lock = await waitForLock(join(dataDir, 'bridge-sessions.lock'))
    try {
      const before = readEntries(path) ?? setAside(path, warn)
      const others = before.filter((entry) => !isOf(owner, entry) || entry.name !== name)
      const { profile, folder } = owner
      const after = id === null ? others : [...others, { profile, folder, name, id }]
      await writeFileAtomic(path, `${JSON.stringify({ sessions: after.slice(-LIMITS.bridgeSessions) }, null, 1)}\n`)
    } finally {
      lock.release()
    }
  }
  return {
    find: (owner, name) => entries().find((entry) => isOf(owner, entry) && entry.name === name)?.id ?? null,
    names: (owner) =>
      entries()
        .filter((entry) => isOf(owner, entry))
        .map((entry) => entry.name)
        .reverse(),
    profiles: () => [
      ...new Set(
        entries()
          .map(({ profile }) => profile)
          .reverse(),
      ),
    ],
    keep: async (owner, name, id) => {
      try {
        await store(owner, name, id)
      } catch (error) {
        warn(`The session could not be stored in ${path}: ${(error as Error).message}`)
      }
    },
  }
}

function isOf(owner: SessionOwner, entry: Entry): boolean {
  return entry.profile === owner.profile && entry.folder === owner.folder
}

async function waitForLock(path: string): Promise<KernelLock> {
  const lock = await lockFile(path, LIMITS.bridgeLockMs)
  if (lock === null) throw new Error('another process holds its lock')
  return lock
}

/** What the file holds; null when it is damaged. */
function readEntries(path: string): readonly Entry[] | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  // A pipe in its place would be waited on for ever.
  if (!stat.isFile()) return null
  return parseEntries(readFileSync(path, 'utf8'))
}

function parseEntries(text: string): readonly Entry[] | null {
  const value = parseJson(text)
  const sessions = isFields(value) ? value.sessions : null
  if (!Array.isArray(sessions)) return null
  const entries = sessions.map(entryOf)
  return entries.every((entry) => entry !== null) ? entries : null
}

/** One that was stored without its folder was anybody's; from now on it is of those whose profile says where they run. */
function entryOf(value: unknown): Entry | null {
  if (!isFields(value)) return null
  const { profile, folder = '', name, id } = value
  if (typeof profile !== 'string' || typeof folder !== 'string') return null
  return typeof name === 'string' && typeof id === 'string' ? { profile, folder, name, id } : null
}

function setAside(path: string, warn: (text: string) => void): readonly Entry[] {
  const aside = asideName(path)
  renameSync(path, aside)
  warn(`${path} was damaged; it is kept as ${aside}, and sessions begin anew`)
  return []
}
