import type { ConfigValue } from './render.ts'

/** An entry to put into a file, at its place. */
export interface PlacedEntry {
  readonly at: readonly string[]
  readonly entry: ConfigValue
}

/** A file with the entry in it, everything else as it was; or why it is left alone. */
export type Spliced = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }

export function unreadable(text: string, offset: number, problem: string): Spliced {
  const before = text.slice(0, offset).split('\n')
  return { ok: false, reason: `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${problem}` }
}

/** How lines end in a file; the first one tells. */
export function lineEnd(text: string): '\n' | '\r\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n'
}

export function replaceRange(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
