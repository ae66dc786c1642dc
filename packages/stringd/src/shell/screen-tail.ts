import { LIMITS } from '@string-os/protocol'
import { lastBytes } from './both-ends.ts'
import { screenText } from './screen-text.ts'

/** The end of all that a shell printed, for whoever looks on. */
export class ScreenTail {
  #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= LIMITS.screenBytes)
      this.#bytes -= this.#chunks.shift()?.length ?? 0
  }

  text(): string {
    const end = Buffer.concat(this.#chunks).subarray(-LIMITS.screenBytes)
    return lastBytes(screenText(end.toString('utf8')), LIMITS.screenBytes)
  }
}
