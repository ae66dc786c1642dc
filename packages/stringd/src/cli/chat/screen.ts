import { Writable } from 'node:stream'

/** The terminal as the line editor sees it: while it is muted, what is typed shows nowhere. */
export class Screen extends Writable {
  isMuted = false

  constructor() {
    super()
    process.stdout.on('resize', () => this.emit('resize'))
  }

  get columns(): number {
    return process.stdout.columns
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isMuted) process.stdout.write(chunk)
    done()
  }
}
