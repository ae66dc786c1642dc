/** What says most, of what a program printed before it ended. */
const TELLING = /error|exception|fatal|panic|denied|refused|cannot|can't|not found|no such|failed|full\b/i

/** Why a program failed, in one line of its standard error: the last that names a fault, else the last that is not indented, else the last. */
export function tellingLine(stderr: string): string | null {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const said =
    lines.findLast((line) => TELLING.test(line)) ?? lines.findLast((line) => !/^\s/.test(line)) ?? lines.at(-1)
  return said?.trim() ?? null
}
