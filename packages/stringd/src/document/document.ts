import type { Problem } from '@string-os/protocol'

/** Offsets into a document's text; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A line, counted from 1, of the document that is open or of one that it includes. */
export interface DocumentLine {
  /** What the included one is called; missing in the open one. */
  readonly file?: string
  readonly line: number
}

export interface Warning extends DocumentLine {
  readonly message: string
  /** What to write, or to do, about it. */
  readonly next: string
}

/** `<!-- #id -->` … `<!-- /id -->`: the span is what lies between the markers' lines. */
export interface Block extends Span {
  readonly id: string
}

/** A heading and all under it, up to the next of its level or a higher one. */
export interface Section extends Span {
  readonly slug: string
  /** Without the marks of its Markdown. */
  readonly title: string
  readonly level: number
}

/** A link in the text; the span is all of it. */
export interface Link extends Span {
  readonly line: number
  /** What the reader sees, as it is written. */
  readonly label: string
  readonly target: string
  /** The id that the author gave it, `[@id Label](target)`; null for a plain link. */
  readonly id: string | null
}

/** `[!type:name](target)` alone on its line; the span is the line. */
export interface Directive extends Span {
  readonly line: number
  readonly type: string
  readonly name: string
  readonly target: string
}

/** What is wrong in a line of an action. */
export type RefusedLine = Problem & {
  readonly line: number
  /** What to write, or to do, about it. */
  readonly instead: string
}

/** A fenced block `act.ID` or `act.ID.response`; the span is its lines. */
export interface ActionSource extends Span {
  readonly id: string
  readonly part: 'action' | 'response'
  readonly content: string
  /** Where nothing closes it: in which line another action begins inside it, null for in none. */
  readonly unclosed?: { readonly before: number | null }
  /** Of the first line of the content, counted from 1. */
  readonly line: number
  /** Why it cannot be called, found by whoever knows what an action is. */
  readonly refused?: RefusedLine & { readonly others: readonly RefusedLine[] }
}

export interface FrontMatter {
  readonly title: string | null
  /** Every key as it stands, known or not; a map, so that no key is special. */
  readonly values: ReadonlyMap<string, unknown>
  /** Why it says nothing, though something stands there. */
  readonly unread?: Warning
}

/** What a text holds, found without any I/O and without running anything. */
export interface Document {
  readonly text: string
  /** It is no Markdown: nothing in it means more than it says. */
  readonly isPlain?: true
  /** It stands for bytes that are no text, and says what they are. */
  readonly isDescription?: true
  readonly frontMatter: FrontMatter
  readonly blocks: readonly Block[]
  readonly sections: readonly Section[]
  readonly links: readonly Link[]
  readonly directives: readonly Directive[]
  readonly actions: readonly ActionSource[]
  /** Lines that the reader never sees: front matter, markers, actions, definitions of shortcuts. In order. */
  readonly hidden: readonly Span[]
  readonly warnings: readonly Warning[]
}
