import type { WriteStream } from 'node:tty'

/** Not in the declared types: what Node does when the system tells of another size, which it does some time after it is so. */
interface Refreshing {
  _refreshSize?(): void
}

/** Whoever waits for another size hears of it now. */
export function askSize(terminal: WriteStream): void {
  if (!terminal.isTTY || terminal.destroyed) return
  const refreshing = terminal as Refreshing
  refreshing._refreshSize?.()
}
