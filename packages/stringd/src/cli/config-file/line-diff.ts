const CONTEXT_LINES = 3

/** What changes between two texts, as lines behind `-` and `+` with a few others around them. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const start = commonStart(old, now)
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse())
  return [
    ...old.slice(Math.max(start - CONTEXT_LINES, 0), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...old.slice(old.length - end, old.length - end + CONTEXT_LINES).map((line) => `  ${line}`),
  ]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index])
  return different === -1 ? a.length : different
}
