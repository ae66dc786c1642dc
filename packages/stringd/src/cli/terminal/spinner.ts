/** Shows a person that something takes its time. */
export interface Spinner {
  readonly stop: () => void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** What is quick needs no sign. */
const QUIET_FRAMES = 3
const CLEAR_LINE = '\r\x1b[K'

/** Turns on standard error until it is stopped; only where that is a terminal. */
export function startSpinner(label: string | (() => string)): Spinner {
  if (!process.stderr.isTTY) return { stop: () => undefined }
  const started = performance.now()
  let frame = 0
  const timer = setInterval(() => {
    frame += 1
    if (frame < QUIET_FRAMES) return
    const seconds = Math.floor((performance.now() - started) / 1000)
    const said = typeof label === 'string' ? label : label()
    const time = seconds > 0 ? `${seconds} s` : ''
    const text = [FRAMES[frame % FRAMES.length], said, time].filter((part) => part !== '').join(' ')
    process.stderr.write(`${CLEAR_LINE}${text.slice(0, (process.stderr.columns || 80) - 1)}`)
  }, FRAME_MS)
  const stop = (): void => {
    clearInterval(timer)
    process.off('SIGINT', onInterrupt)
    if (frame >= QUIET_FRAMES) process.stderr.write(CLEAR_LINE)
    frame = 0
  }
  // Whoever ends the program is not left with what turned; where nobody else listens, it ends as it would have.
  const onInterrupt = (): void => {
    stop()
    if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, 'SIGINT')
  }
  process.once('SIGINT', onInterrupt)
  return { stop }
}
