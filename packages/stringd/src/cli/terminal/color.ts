/** What went wrong. */
export function red(text: string, color: boolean): string {
  return color ? `\x1b[31m${text}\x1b[39m` : text
}

/** What is said beside the answer itself. */
export function dim(text: string, color: boolean): string {
  return color ? `\x1b[2m${text}\x1b[22m` : text
}
