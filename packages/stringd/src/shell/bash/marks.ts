import { LIMITS } from '@string-os/protocol'
/**
 * What a shell's terminal printed, taken apart at the marks. Between `prompt` and `read` bash asks for a line that was typed while
 * something ran; `shown` is behind a prompt that somebody has set.
 */
export type TerminalPiece =
  | { readonly kind: 'output'; readonly bytes: Buffer }
  | { readonly kind: 'begin' | 'prompt' | 'read' | 'shown' }
  | EndMark

interface EndMark {
  readonly kind: 'end'
  readonly status: number
  /** Until the next command nothing is printed: no prompt, and nothing about jobs. */
  readonly isStill: boolean
  /** The shell prints nothing of its own there but of jobs: what comes is the output of programs. */
  readonly isBare: boolean
  /** Before that it shows a prompt that somebody has set. */
  readonly asks: boolean
  readonly cwd: string
}

const BELL = 7
const BARE_MARKS = ['prompt', 'read', 'shown'] as const

/** Finds the marks of one shell in a stream that may be cut anywhere. */
export class MarkReader {
  readonly #prefix: Buffer
  #held: Buffer = Buffer.alloc(0)

  constructor(nonce: string) {
    this.#prefix = Buffer.from(`\x1b]7771;${nonce};`)
  }

  read(chunk: Buffer): TerminalPiece[] {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const pieces: TerminalPiece[] = []
    for (;;) {
      const at = rest.indexOf(this.#prefix)
      const end = at === -1 ? -1 : rest.indexOf(BELL, at)
      if (end === -1) {
        const keep =
          at === -1 ? beginsAtEnd(this.#prefix, rest) : rest.length - at > LIMITS.shellMarkBytes ? 0 : rest.length - at
        pushOutput(pieces, rest.subarray(0, rest.length - keep))
        this.#held = rest.subarray(rest.length - keep)
        return pieces
      }
      pushOutput(pieces, rest.subarray(0, at))
      pieces.push(readMark(rest.subarray(at + this.#prefix.length, end).toString('utf8')))
      rest = rest.subarray(end + 1)
    }
  }
}

/** How many bytes at the end of a stream may be the beginning of something. */
export function beginsAtEnd(sought: Buffer, bytes: Buffer): number {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(sought.subarray(0, length))) return length
  }
  return 0
}

function pushOutput(pieces: TerminalPiece[], bytes: Buffer): void {
  if (bytes.length > 0) pieces.push({ kind: 'output', bytes })
}

function readMark(text: string): TerminalPiece {
  const [, status, bare, job, cwd = ''] = /^end;(\d{1,3});(|bare|asks);(\d*);([\s\S]*)$/.exec(text) ?? []
  if (status === undefined) return { kind: BARE_MARKS.find((kind) => kind === text) ?? 'begin' }
  const isStill = bare === 'bare' && job === ''
  return { kind: 'end', status: Number(status), isStill, isBare: bare !== '', asks: bare === 'asks', cwd }
}
