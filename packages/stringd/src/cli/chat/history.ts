import { appendFileSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { ensurePrivateDir } from '../../store/private-dir.ts'

/** The lines a person typed in chats, over restarts. Two chats at once append to the same file, each whole lines. */
export interface ChatHistory {
  /** Newest first. */
  readonly lines: readonly string[]
  readonly add: (line: string) => void
}

/** A history that cannot be read or written is none, and no reason not to chat: `warn` hears of it. */
export async function openHistory(dataDir: string, warn: (text: string) => void): Promise<ChatHistory> {
  const path = join(dataDir, 'chat-history')
  let lines: readonly string[] = []
  try {
    ensurePrivateDir(dataDir)
    lines = await readLast(path)
  } catch (error) {
    warn(`No history: ${(error as Error).message}`)
  }
  return {
    lines: [...lines].reverse(),
    add: (line) => {
      if (line.trim() === '' || line.length > LIMITS.chatHistoryLineChars) return
      try {
        appendFileSync(path, `${line}\n`, { mode: 0o600 })
      } catch {
        // Said once, when it could not be opened; a full disk is no reason to stop talking.
      }
    },
  }
}

/** The last lines; a file that has grown past twice their number is shortened. */
async function readLast(path: string): Promise<readonly string[]> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isFile()) throw new Error(`${path} is no file`)
  const all = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const last = all.slice(-LIMITS.chatHistoryLines)
  if (all.length > 2 * LIMITS.chatHistoryLines) await writeFileAtomic(path, `${last.join('\n')}\n`)
  return last
}
