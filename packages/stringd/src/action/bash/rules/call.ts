import { isDevice } from '../know/files.ts'
import { REFUSED, type Refusal } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import type { Input, Walk } from '../write/walk.ts'

/** A simple command: a program and what it is given. */
export interface Call {
  /** The last part of its path. */
  readonly name: string
  readonly path: string
  readonly words: readonly Text[]
  readonly input: Input
  /** A here-document or here-string of its own. */
  readonly document: Text | null
  readonly at: number
  /** How many programs run it, each by the one before. */
  readonly within?: number
}

/** A command that has been looked at. */
export interface Judged {
  /** Its words, code among them written anew. */
  readonly words: readonly Text[]
  /** Files that it runs. */
  readonly runs: readonly string[]
  /** It reads what a pipe brings as data. */
  readonly isFilter: boolean
  /** The code that it is given to read, written anew. */
  readonly document?: Text
}

/** Looks at a command of one kind; what it must not do is refused on the way. */
export type Rule = (call: Call, walk: Walk) => Judged

export function judged({ words }: Call, isFilter = false, runs: readonly string[] = []): Judged {
  return { words, runs, isFilter }
}

export function refused(call: Call, walk: Walk, refusal: Refusal): Judged {
  walk.refuse(refusal, call.at)
  // One reason is enough.
  return judged(call, true)
}

/** Whether a value reaches a command, as an argument or by its input. */
export function takesValue({ words, input, document }: Call): boolean {
  return words.some(({ holds }) => holds) || holdsInput(input) || document?.holds === true
}

export function holdsInput(input: Input): boolean {
  return input === 'piped' || input === 'loop'
}

/** A file with code, which nobody but the author has named. */
export function codeFile(word: Text, call: Call, walk: Walk): readonly string[] {
  const { path } = word
  if (path === null || path === '') {
    walk.refuse(REFUSED.code, call.at)
    return []
  }
  // `cd /dev/fd` makes a number of a device.
  if (isDevice(path) || /(?:^|\/)(?:\d+|-)$/.test(path)) walk.refuse(REFUSED.device, call.at)
  return [path]
}
