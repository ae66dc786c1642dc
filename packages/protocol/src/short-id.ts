/** So much of the end of an id is shown, and is enough to name what it is the id of. */
export const ID_CHARS = 8

export function shortId(id: string): string {
  return id.slice(-ID_CHARS)
}

/** Whether a person may mean an id by what they wrote of it: its end, its beginning, or the beginning of what is shown of it. */
export function isMeantBy(id: string, written: string): boolean {
  const part = written.toLowerCase()
  const bare = id.slice(id.indexOf('_') + 1)
  return id.endsWith(part) || [id, bare, shortId(id)].some((text) => text.startsWith(part))
}
