import { beginsAtEnd } from './marks.ts'

/** The line that was typed, where the terminal shows it: for a person it does, and a program may have told it to (`stty echo`). */
export class Echo {
  readonly #line: string
  readonly #isFirst: boolean
  #held: Buffer = NOTHING
  #isOver = false

  /** `isFirst`: the shell was still, so that nothing comes before it. */
  constructor(line: string, isFirst: boolean) {
    this.#line = line
    this.#isFirst = isFirst
  }

  /** What was printed, without that; what may be the beginning of it is held. */
  without(bytes: Buffer): Buffer {
    if (this.#isOver) return bytes
    const due = Buffer.from(this.#line.replace('\n', '\r\n'))
    const all = Buffer.concat([this.#held, bytes])
    const at = this.#isFirst && !all.subarray(0, due.length).equals(due) ? -1 : all.indexOf(due)
    const held = at === -1 ? beginsAtEnd(due, all) : 0
    this.#isOver = at !== -1 || (this.#isFirst && held < all.length)
    if (at !== -1) this.#held = NOTHING
    if (at !== -1) return Buffer.concat([all.subarray(0, at), all.subarray(at + due.length)])
    const free = this.#isOver ? all.length : all.length - held
    this.#held = all.subarray(free)
    return all.subarray(0, free)
  }

  /** What is held, where it is too little to tell it from what a program prints; the rest of more than that will come. */
  rest(): Buffer {
    if (this.#held.length >= SURE_BYTES) return NOTHING
    const held = this.#held
    this.#held = NOTHING
    return held
  }
}

const SURE_BYTES = 12
const NOTHING: Buffer = Buffer.alloc(0)
