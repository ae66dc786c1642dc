const BLOCK_BYTES = 16 * 1024

/** The end of a stream, in blocks: what is asked for is found without touching the rest, and pieces of a byte cost a byte. */
export class KeptBytes {
  readonly #blocks: Buffer[] = []
  /** Where the first block begins, and where the stream ends. */
  #start = 0
  #end = 0

  get start(): number {
    return this.#start
  }

  get end(): number {
    return this.#end
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const inBlock = this.#end % BLOCK_BYTES
      if (inBlock === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      const taken = Math.min(bytes.length - at, BLOCK_BYTES - inBlock)
      this.#blocks.at(-1)?.set(bytes.subarray(at, at + taken), inBlock)
      at += taken
      this.#end += taken
    }
  }

  /** At least the last `limitBytes` stay; whole blocks before them go. */
  trim(limitBytes: number): void {
    while (this.#end - this.#start - BLOCK_BYTES >= limitBytes) {
      this.#blocks.shift()
      this.#start += BLOCK_BYTES
    }
  }

  /** A copy; both ends must be kept. */
  slice(from: number, to: number): Buffer {
    const first = Math.floor((from - this.#start) / BLOCK_BYTES)
    const last = Math.ceil((to - this.#start) / BLOCK_BYTES)
    const base = this.#start + first * BLOCK_BYTES
    return Buffer.concat(this.#blocks.slice(first, last)).subarray(from - base, to - base)
  }
}
