import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { screenText } from './screen-text.ts'

/**
 * What a program with a line editor of its own prints for the line that it is given: the line, or nothing where the terminal shows
 * none, and the end of it. Whoever typed it has both before them already.
 */
export class TypedEcho {
  readonly #text: string
  readonly #end: string
  #held: Buffer = NOTHING
  #isOver = false

  /** `end` is how that editor ends a line, which is not how programs do: what is printed for `2` may be another `2`. */
  constructor(text: string, end: string) {
    this.#text = text.trim()
    this.#end = end
  }

  /** What was printed, without that; what may be the beginning of it is held. */
  without(bytes: Buffer): Buffer {
    if (this.#isOver) return bytes
    this.#held = Buffer.concat([this.#held, bytes])
    const end = this.#held.indexOf(10)
    const first = end === -1 ? this.#held : this.#held.subarray(0, end + 1)
    const shown = screenText(first.toString()).trim()
    const isOpen = end === -1 && this.#text.startsWith(shown) && first.length <= LIMITS.openLineBytes
    if (isOpen) return NOTHING
    const isEcho = (shown === '' || shown === this.#text) && first.toString('latin1').endsWith(this.#end)
    if (isEcho) this.#held = this.#held.subarray(first.length)
    this.#isOver = true
    return this.rest()
  }

  /** What is held: nothing more is waited for then. */
  rest(): Buffer {
    const held = this.#held
    this.#isOver ||= held.length > 0
    this.#held = NOTHING
    return held
  }
}

/** Of the program that reads what is typed into the terminal of a shell; null where it leaves lines to the terminal. */
export async function typedEcho(pid: number, text: string): Promise<TypedEcho | null> {
  const flags = await terminalFlags(pid)
  if (!flags.includes('-icanon')) return null
  // A terminal that changes what is printed makes two of the end that the editor writes.
  return new TypedEcho(text, flags.includes('-opost') ? '\r\n' : '\r\r\n')
}

/** Whether the program that reads what is typed into the terminal of a shell takes key by key. */
export async function isRaw(pid: number): Promise<boolean> {
  return (await terminalFlags(pid)).includes('-icanon')
}

/** None where the system does not tell. */
function terminalFlags(pid: number): Promise<readonly string[]> {
  const path = terminalOf(pid)
  if (path === null) return Promise.resolve([])
  return new Promise((resolve) => {
    execFile('stty', ['-F', path, '-a'], { timeout: LIMITS.terminalFlagsMs }, (error, said) =>
      resolve(error === null ? said.split(/[\s;]+/) : []),
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

const NOTHING: Buffer = Buffer.alloc(0)
