import { quoted } from './text.ts'

/** So much of the end of an id is shown, and is enough to name what it is the id of. */
export const ID_CHARS = 8

/** Less than this of an id says nothing of what somebody means. */
const ID_PART_CHARS = 4

export function shortId(id: string): string {
  return id.slice(-ID_CHARS)
}

/** What is wrong with a part of an id that would fit nearly any; null where it may name something. */
export function tooShortAnId(written: string): string | null {
  const part = written.slice(written.indexOf('_') + 1)
  return part.length < ID_PART_CHARS
    ? `${quoted(written)} is too short: write at least ${ID_PART_CHARS} characters of the ID`
    : null
}

/** Whether a person may mean an id by what they wrote of it: its end, its beginning, or the beginning of what is shown of it. */
export function isMeantBy(id: string, written: string): boolean {
  if (tooShortAnId(written) !== null) return false
  const part = written.toLowerCase()
  const bare = id.slice(id.indexOf('_') + 1)
  return id.endsWith(part) || [id, bare, shortId(id)].some((text) => text.startsWith(part))
}
