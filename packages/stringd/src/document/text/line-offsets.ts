import type { Span } from '../document.ts'

/** Where the lines of a text begin and end, with line ends as CommonMark has them: LF, CRLF or CR. */
export class Lines {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code !== 10 && code !== 13) continue
      if (code === 13 && text.charCodeAt(at + 1) === 10) at += 1
      this.#starts.push(at + 1)
    }
  }

  start(line: number): number {
    return this.#starts[line] ?? this.#text.length
  }

  /** The line without its end. */
  content(line: number): string {
    let end = this.start(line + 1)
    while (end > this.start(line) && isLineEnd(this.#text.charCodeAt(end - 1))) end -= 1
    return this.#text.slice(this.start(line), end)
  }

  /** Whole lines, line ends included. */
  span(from: number, to: number): Span {
    return { start: this.start(from), end: this.start(to) }
  }

  /** The line that holds an offset, counted from 0. */
  at(offset: number): number {
    return lastAtMost(this.#starts, offset)
  }
}

/** The index of the last of the ascending `values` that is at most `value`. */
export function lastAtMost(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((values[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13
}
