import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'

/** How the terminal of a shell is set by the program that reads what is typed there. */
export interface TerminalMode {
  /** It takes key by key, and shows what it wants to. */
  readonly isRaw: boolean
  /** The terminal itself shows what is typed. */
  readonly echoes: boolean
  /** How a line ends that a line editor prints. */
  readonly editedEnd: string
  /** Raw, and else as it was: Enter is still made a line end, by the terminal. Who edits lines wants to see the key itself. */
  readonly isOneKey: boolean
  /** Raw as readline wants it, which takes the next key as it is by itself. */
  readonly isReadline: boolean
}

/** Where the system does not tell, it takes lines and nothing is shown. */
export async function terminalMode(pid: number): Promise<TerminalMode> {
  const said = await terminalFlags(pid)
  const flags = said.split(/[\s;]+/)
  const isRaw = flags.includes('-icanon')
  return {
    isRaw,
    echoes: flags.includes('echo'),
    // A terminal that changes what is printed makes two of the end that the editor writes.
    editedEnd: flags.includes('-opost') ? '\r\n' : '\r\r\n',
    isOneKey: isRaw && flags.includes('icrnl') && flags.includes('iexten'),
    isReadline: isRaw && /lnext = <undef>/.test(said),
  }
}

/** `>>> `, `... `, `sqlite> `, `(gdb) `, `In [1]: `, `root@host:~# ` */
export const NEXT_LINE = /(?:[>)$#%]|\.\.\.|\]:) $/

/**
 * What a program in raw mode reads; null where that cannot be told. `asked` is the line before the cursor: who has printed nothing to type
 * a line behind, and is still, waits for a key.
 */
export function readIn(mode: TerminalMode, asked: string, isStill: boolean): 'keys' | 'lines' | null {
  if (!mode.isRaw) return null
  if (mode.isOneKey) return 'keys'
  if (mode.isReadline || NEXT_LINE.test(asked)) return 'lines'
  return asked === '' && isStill ? 'keys' : null
}

/** Empty where the system does not tell. */
function terminalFlags(pid: number): Promise<string> {
  const path = terminalOf(pid)
  if (path === null) return Promise.resolve('')
  return new Promise((resolve) => {
    execFile('stty', ['-F', path, '-a'], { timeout: LIMITS.terminalFlagsMs }, (error, said) =>
      resolve(error === null ? said : ''),
    )
  })
}

function terminalOf(pid: number): string | null {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/0`)
    return /^\/dev\/pts\/\d+$/.test(path) ? path : null
  } catch {
    // The shell has just ended, or there is no /proc.
    return null
  }
}
