import { writeSync } from 'node:fs'
import type { IPty } from '@lydell/node-pty'

/**
 * Types a short line into a terminal whose shell waits for it. There is room for it then, so that it is written at once:
 * the terminal's own way leads through another thread, which takes as long as the rest of a command.
 */
export function typeLine(pty: IPty, line: string): void {
  const written = writeNow(pty, line)
  if (written < line.length) pty.write(line.slice(written))
}

/** How much of it could be written; all characters are ASCII. */
function writeNow(pty: IPty, line: string): number {
  if (!('fd' in pty) || typeof pty.fd !== 'number') return 0
  try {
    return writeSync(pty.fd, line)
  } catch (error) {
    // No room: it waits with all that is typed.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}
