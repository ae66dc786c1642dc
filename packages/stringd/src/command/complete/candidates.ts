import { type CompletionItem, visibleLine } from '@string-os/protocol'
import type { CommandFacts } from '../core/command.ts'
import type { CommandContext } from '../core/context.ts'

/** Something that may stand where the cursor is. */
export interface Candidate extends CompletionItem {
  /** What is typed to get it: its text without quotes. */
  readonly value: string
}

/** What is being typed, and in which call. */
export interface Asked {
  readonly word: string
  /** Words of the call before it, flags left out. */
  readonly before: readonly string[]
  /** Names of the flags before it. */
  readonly flags?: readonly string[]
  readonly command: CommandFacts
  /** Every command of the topic. */
  readonly commands: ReadonlyMap<string, CommandFacts>
  readonly context: CommandContext
}

/** One kind of thing that can be completed. */
export type CandidateSource = (asked: Asked) => readonly Candidate[] | Promise<readonly Candidate[]>

export function candidate(value: string, kind: CompletionItem['kind'], about: string | null = null): Candidate {
  return { value, text: value, kind, about }
}

/** What a document calls something, on one line as its reader sees it; null where it says nothing. */
export function label(text: string): string | null {
  return visibleLine(text.replace(/\s+/g, ' ').trim()) || null
}
