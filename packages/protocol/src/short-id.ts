import { quoted } from './text.ts'

/** So much of the end of an id is shown, and is enough to name what it is the id of. */
export const ID_CHARS = 8

/** Less than this of an id fits nearly anything: it says nothing of what somebody means. */
const ID_PART_CHARS = 4

/** What a person means by a part of an id, among all that it may be. */
export type Meant<T> =
  | { readonly kind: 'one'; readonly found: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly found: readonly T[] }
  | { readonly kind: 'too-short'; readonly reason: string }

export function shortId(id: string): string {
  return id.slice(-ID_CHARS)
}

/** Of `all`, what is meant by its end, its beginning, or the beginning of what is shown of it. */
export function meantBy<T>(written: string, all: readonly T[], idOf: (each: T) => string): Meant<T> {
  const part = written.toLowerCase()
  const found = all.filter((each) => fits(idOf(each), part))
  const [first, ...others] = found
  if (first === undefined) return { kind: 'none' }
  if (others.length > 0) return { kind: 'several', found }
  if (part.slice(part.indexOf('_') + 1).length >= ID_PART_CHARS) return { kind: 'one', found: first }
  const reason = `${quoted(written)} is too short: write at least ${ID_PART_CHARS} characters of the ID`
  return { kind: 'too-short', reason }
}

function fits(id: string, part: string): boolean {
  const bare = id.slice(id.indexOf('_') + 1)
  return id.endsWith(part) || [id, bare, shortId(id)].some((text) => text.startsWith(part))
}
