import type { StringClient } from '@string-os/client'
import type { Pagers } from '@string-os/protocol'
import type { PromptReader } from '../terminal/editor/prompt-reader.ts'
import type { Paint } from '../terminal/styled-text.ts'
import type { TopicView, Whereabouts } from './prompt.ts'
import type { PromptLine } from './shell-answer.ts'
import type { TopicCompleter } from './topic-completer.ts'

/** A person at the prompt of a topic. */
export interface Talk extends Whereabouts {
  readonly client: StringClient
  readonly reader: PromptReader
  readonly completer: TopicCompleter
  readonly paint: Paint
  /** What is taller than the window is shown from its top on. */
  readonly pages: boolean
  /** Of the person, for what they type at the prompt of a shell. */
  readonly pagers: Pagers
  readonly verbs: readonly string[]
  /** What only helps who is new here is said, too. */
  readonly hints: boolean
  /** Of the daemon. */
  readonly dataDir: string
  view: TopicView
  /** The first one starts where its person is, and one that takes the place of another where that was. */
  shellStart: string
  /** Up to where what its shell printed has been shown here. */
  seen: string
  /** The same of topics that were left. */
  readonly seenIn: Map<string, string>
  /** Of that the line that is the prompt. */
  line: PromptLine | null
  /** What was drawn below that, and may still change: its rows, the place before it, that behind it, and which it is. */
  drawn: {
    readonly rows: readonly string[]
    readonly place: string
    readonly end: string
    readonly key: string
  } | null
  /** The last rows above what was typed last, which stay. */
  left: readonly string[]
  /** What runs was given a line. */
  isGivenLines: boolean
  /** Its person has taken the keys back: they are given again when they are asked for. */
  isKeptFrom: boolean
  /** It has taken the whole screen while a line was being typed, and gets it as soon as it is not. */
  isScreenDue: boolean
  /** What runs edits lines by itself. */
  isRaw: boolean
  /** How it gets the keys themselves has been said: of a line editor once, of what may wait for one key to each. */
  readonly toldOfKeys: Set<'editor' | 'unsure'>
  /** Which one answered last; null: none did. */
  daemon: string | null
  /** Another daemon is there than before, and that has not been said. */
  isReplaced: boolean
  /** Whether a daemon that has gone is started again: for what is typed, and not for what only looks. */
  readonly starting: { isAllowed: boolean }
  /** How often Ctrl-C was pressed in a row for what runs. */
  interrupts: number
  /** What was pressed before there was a prompt again, for what runs then: Ctrl-C, Ctrl-Z or Ctrl-]. */
  due: string | null
  /** Something was typed to what runs, which has printed nothing since. */
  isUnanswered: boolean
  /** What runs has asked for what nobody should see. */
  isSecretAsked: boolean
  /** Its input was ended with Ctrl-D, and it goes on. */
  isInputEnded: boolean
  /** It goes on after that, and the next one ends it, as was said; null: neither. */
  stubborn: 'perhaps' | 'surely' | null
  /** What typing means while something runs has been said: once is enough. */
  isToldOfInput: boolean
  /** The status with which the shell has ended that was typed into: whoever sat before it has left with it. */
  ended: number | null
  /** What `~` is in commands has been said. */
  isToldOfHome: boolean
}
