import type { Script } from 'unbash'
import type { Facts } from '../know/facts.ts'
import type { Refusal } from '../know/refusal.ts'
import type { Written } from '../know/text.ts'
import type { Marked } from '../mark.ts'

/**
 * What the standard input of a command may hold: nothing from outside (`own`); what a pipe brings that had no value
 * (`foreign`); a value that a pipe brings (`piped`); or what a loop that reads it leaves over (`loop`).
 */
export type Input = 'own' | 'foreign' | 'piped' | 'loop'

/** A text that is code for a shell. */
export interface Code {
  readonly text: string
  /** Other shells know less. */
  readonly isBash: boolean
  readonly input: Input
  readonly at: number
}

/** What everyone who writes a part of a script needs. */
export interface Walk {
  readonly facts: Facts
  readonly marked: Marked
  /** Other shells make several words of `export x=$y`. */
  readonly isBash: boolean
  /** What the standard input around may hold: `$( … )` reads it too. */
  readonly input: Input
  /** Remembers why the script is refused. The walk goes on, so that everything is known of it at the end. */
  readonly refuse: (refusal: Refusal, at: number) => void
  /** Writes the commands of `$( … )`. */
  readonly commands: (script: Script, input: Input, at: number) => Written
  /** Reads a text that a shell will run, and writes it anew; null where it is refused. */
  readonly code: (code: Code) => string | null
}
