/** So much of the end of an id is shown, and is enough to name a turn. */
export const ID_CHARS = 8

export function shortId(turnId: string): string {
  return turnId.slice(-ID_CHARS)
}
