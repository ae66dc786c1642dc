import type { Config } from '../config.ts'
import type { Invocation } from './arguments.ts'

/** What a verb is told beside what was typed: by which name the program was called, and all that there is to call. */
export interface Program {
  readonly name: string
  readonly verbs: readonly VerbRow[]
}

/** Does what was asked for, and answers the exit status. */
export type Verb = (invocation: Invocation, config: Config, program: Program) => Promise<number>

/** What a word may be, for completion: one of these words, or a name that is looked up when it is asked for. */
export type Takes =
  | readonly string[]
  | 'agent'
  | 'talker'
  | 'topic'
  | 'turn'
  | 'open turn'
  | 'ended turn'
  | 'event'
  | 'pending event'
  | 'approval'
  | 'session'
  | 'node'
  | 'client'
  | 'package'
  | 'verb'
  | 'file'
  | 'folder'
  | 'text'

export interface FlagText {
  /** Without its dashes. */
  readonly name: string
  readonly short?: string
  /** What stands behind it, as help names it: `FILE`; a flag without one stands alone. */
  readonly value?: string
  readonly takes?: Takes
  /** One line, without a full stop. */
  readonly summary: string
}

/** A command line without the program's name, and what it does. */
export interface Example {
  readonly line: string
  readonly does: string
}

export interface ExitText {
  readonly status: number
  readonly when: string
}

interface HelpText {
  readonly name: string
  /** What it does, in one line without a full stop. */
  readonly summary: string
  /** How it is written, without the program's name. */
  readonly usage: readonly string[]
  /** What else there is to know, in lines of at most 78 columns. */
  readonly about?: readonly string[]
  readonly flags?: readonly FlagText[]
  /** What its next word may be, and the one behind that; behind those nothing is known, or nothing may stand. */
  readonly takes?: Takes
  readonly takesNext?: Takes
  /** The last of them may stand again and again. */
  readonly many?: true
}

export interface SubverbRow extends HelpText {
  /** What people of other programs type. */
  readonly aliases?: readonly string[]
  /** Those of its verb that begin like it, when nothing is said. */
  readonly examples?: readonly Example[]
}

export const VERB_GROUPS = ['Agents', 'Programs', 'The daemon', 'This machine'] as const
export type VerbGroup = (typeof VERB_GROUPS)[number]

/** All that help, completion, the man page and dispatch know of a verb. */
export interface VerbRow extends HelpText {
  readonly group: VerbGroup
  readonly subverbs?: readonly SubverbRow[]
  /** It does something without a subverb; others show their help. */
  readonly actsAlone?: true
  /** A word that is none of them, and like none, is handed on: it is what the verb is about. */
  readonly takesOther?: true
  readonly examples: readonly [Example, Example]
  /** Beyond those that all verbs have, or in their place. */
  readonly exits?: readonly ExitText[]
  /** It reads every flag behind it on its own, those of `string` too: a message may look like any flag. */
  readonly ownFlags?: true
  /**
   * What it has to do with the daemon. Without a word it is started where none runs: only it can do or tell what is asked.
   * `looks`: it tells how the daemon is and what happened, so none is started for it; with `--follow` no verb starts one.
   * `none`: it cannot fail for want of one.
   */
  readonly daemon?: 'looks' | 'none'
  /** In the list of all, the row of this verb tells of it. */
  readonly toldBy?: string
  /** What it prints is a text with a form of its own, also for programs. */
  readonly isText?: true
  /** Not listed among the others. */
  readonly hidden?: true
  /** Loaded when it is asked for. */
  readonly load: () => Promise<Verb>
}
