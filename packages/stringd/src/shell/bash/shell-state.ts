import type { DrawnPart } from '../output/drawn-rows.ts'
import type { Output } from '../output/output.ts'
import type { Missed, OpenLine } from '../output/printed.ts'
import type { ScreenView } from '../screen/screen-view.ts'

/** How it stands after some input: a prompt again, still running, or the shell itself has ended. */
export interface ShellState {
  readonly ok: true
  readonly kind: 'done' | 'running' | 'ended'
  readonly status: number
  /** What ran was told to end, and had no end of its own. */
  readonly isStopped: boolean
  readonly cwd: string
  readonly output: Output
  /** Up to where its reader has read then. */
  readonly place: string
  /** There is more behind that already. */
  readonly isMore: boolean
  /** What is missing before the output. */
  readonly missed: Missed | null
  /** The file that holds all that what was typed by a reader with a place has printed, where that is large. */
  readonly whole: string | null
  /** Of what runs, the line that has not ended. */
  readonly line: OpenLine | null
  /** Something the reader should know about the shell. */
  readonly note: string | null
  /** What a program shows that has the whole screen. */
  readonly screen: ScreenView | null
  /** After an interrupt: what was typed before it, and no program has read. */
  readonly unread?: string
  /** The command that ran already, and got the text as its input. */
  readonly inputTo?: string
  /** For whoever shows it on a terminal of their own. */
  readonly drawn?: Drawn
}

/** How a program uses its terminal. */
export interface Drawn {
  /** What it has drawn; null where it prints line by line, and only else is wanted. */
  readonly part: DrawnPart | null
  /** It reads keys, and edits lines by itself where it wants any. */
  readonly isRaw: boolean
  /** Which of both it reads then; null where that cannot be told. */
  readonly reads: 'keys' | 'lines' | null
  /** It has turned off that its person sees what they type. */
  readonly isSecret: boolean
  readonly isCursorHidden: boolean
  /** The command that began where the reader is, and that they do not know of. */
  readonly began: string | null
}

/** A command that has ended, and how. */
export interface CommandEnd {
  readonly command: string
  readonly status: number
}
