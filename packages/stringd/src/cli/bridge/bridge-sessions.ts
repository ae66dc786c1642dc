import { lstatSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isFields, LIMITS, parseJson } from '@string-os/protocol'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { type KernelLock, lockFile } from '../../store/kernel-lock.ts'
import { asideName } from '../../store/odd-file.ts'
import { ensurePrivateDir } from '../../store/private-dir.ts'

/** The session ids that agents declared, per profile (its real path) and session name. */
export interface BridgeSessions {
  readonly find: (profile: string, name: string) => string | null
  /** Names under which a profile has a session, the one used last first. */
  readonly names: (profile: string) => string[]
  /** Stores an id, or forgets the session when it is null. Of many processes that store at once, none loses anything. */
  readonly keep: (profile: string, name: string, id: string | null) => Promise<void>
}

interface Entry {
  readonly profile: string
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
  const store = async (profile: string, name: string, id: string | null): Promise<void> => {
    ensurePrivateDir(dataDir)
    const lock = await waitForLock(join(dataDir, 'bridge-sessions.lock'))
    try {
      const before = readEntries(path) ?? setAside(path, warn)
      const others = before.filter((entry) => entry.profile !== profile || entry.name !== name)
      const after = id === null ? others : [...others, { profile, name, id }]
      await writeFileAtomic(path, `${JSON.stringify({ sessions: after.slice(-LIMITS.bridgeSessions) }, null, 1)}\n`)
    } finally {
      lock.release()
    }
  }
  return {
    find: (profile, name) => entries().find((entry) => entry.profile === profile && entry.name === name)?.id ?? null,
    names: (profile) =>
      entries()
        .filter((entry) => entry.profile === profile)
        .map((entry) => entry.name)
        .reverse(),
    keep: async (profile, name, id) => {
      try {
        await store(profile, name, id)
      } catch (error) {
        warn(`The session could not be stored in ${path}: ${(error as Error).message}`)
      }
    },
  }
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
  return Array.isArray(sessions) && sessions.every(isEntry) ? sessions : null
}

function isEntry(value: unknown): value is Entry {
  return isFields(value) && [value.profile, value.name, value.id].every((field) => typeof field === 'string')
}

function setAside(path: string, warn: (text: string) => void): readonly Entry[] {
  const aside = asideName(path)
  renameSync(path, aside)
  warn(`${path} was damaged; it is kept as ${aside}, and sessions begin anew`)
  return []
}
