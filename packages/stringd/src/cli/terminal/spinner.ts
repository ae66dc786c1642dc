import { isDumbTerminal } from '../../config.ts'

/** Shows a person that something takes its time. */
export interface Spinner {
  readonly stop: () => void
}

/** A line of a terminal that changes. */
export interface SpinnerPlace {
  readonly show: (text: string) => void
  readonly clear: () => void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** What is quick needs no sign. */
const QUIET_FRAMES = 3
const CLEAR_LINE = '\r\x1b[K'

/** Turns until it is stopped; on standard error, where that is a terminal, unless another place is given. */
export function startSpinner(label: string | (() => string), place = standardError()): Spinner {
  if (place === null) return { stop: () => undefined }
  const started = performance.now()
  let frame = 0
  const timer = setInterval(() => {
    frame += 1
    if (frame < QUIET_FRAMES) return
    const seconds = Math.floor((performance.now() - started) / 1000)
    const said = typeof label === 'string' ? label : label()
    const time = seconds > 0 ? `${seconds} s` : ''
    place.show([FRAMES[frame % FRAMES.length], said, time].filter((part) => part !== '').join(' '))
  }, FRAME_MS)
  const stop = (): void => {
    clearInterval(timer)
    process.off('SIGINT', onInterrupt)
    if (frame >= QUIET_FRAMES) place.clear()
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

function standardError(): SpinnerPlace | null {
  const { stderr } = process
  if (!stderr.isTTY || isDumbTerminal()) return null
  return {
    show: (text) => void stderr.write(`${CLEAR_LINE}${text.slice(0, (stderr.columns || 80) - 1)}`),
    clear: () => void stderr.write(CLEAR_LINE),
  }
}
