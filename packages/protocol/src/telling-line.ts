/** What says most, of what a program printed before it ended. */
const TELLING = /error|exception|fatal|panic|denied|refused|cannot|can't|not found|no such|failed|full\b/i

/** Why a program failed, in one line of its standard error: the last that names a fault, else the last that is not indented, else the last. */
function tellingLine(stderr: string): string | null {
  const lines = linesOf(stderr)
  const said = faultIn(lines) ?? lines.findLast((line) => !/^\s/.test(line)) ?? lines.at(-1)
  return said?.trim() ?? null
}

const LAST = 'The last that it printed:'

/** How a run ended that failed, as far as it is known. */
interface FailedEnd {
  readonly code: string | null
  readonly error: string | null
  readonly stderr: string
  /** What it said otherwise: many programs tell there why they fail, and one that waited has often asked something. */
  readonly said: string
}

/**
 * The same of a run. Of one that ended by itself its program says most; of one that was ended, or said so on its wire, that is the
 * reason, and of the rest only what names a fault.
 */
export function tellingReason({ code, error, stderr, said }: FailedEnd): string | null {
  const [, status] = /^EXIT_(\d+)$/.exec(code ?? '') ?? []
  const words = stderr.trim() === '' ? linesOf(said).at(-1)?.trim() : undefined
  const last = words === undefined ? null : `${LAST} ${words}`
  const isEnded = code === 'TIMEOUT' || Number(status) > LAST_OWN_STATUS
  if (last !== null && isEnded) return `${error ?? ''} ${last}`.trim()
  if (last !== null && status !== undefined && Number(status) <= LAST_OWN_STATUS) return last
  if (error === null || (status !== undefined && Number(status) <= LAST_OWN_STATUS)) return tellingLine(stderr) ?? error
  const [own = ''] = error.split('\n')
  // What crashes by its own fault has said what it was at.
  const lines = linesOf(stderr)
  const fault = (faultIn(lines) ?? (CRASHES.includes(Number(status)) ? lines.at(-1) : undefined))?.trim()
  // And what hangs, what it waits for; what was killed, how far it had come.
  if (fault === undefined && isEnded && lines.length > 0) return `${own} ${LAST} ${lines.at(-1)?.trim()}`
  return fault === undefined || own.includes(fault) ? own : `${own} It said: ${fault}`
}

/** SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV. */
const CRASHES: readonly number[] = [132, 134, 135, 136, 139]
/** Above it, a signal did it. */
const LAST_OWN_STATUS = 128

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function faultIn(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => TELLING.test(line))
}
