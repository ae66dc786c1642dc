import { nearest } from './nearest.ts'
import { quoted } from './text.ts'

/** More than these would be no help. */
const MOST = 3

/** What may be meant by a name that nobody has: a slip of the fingers, or a name that begins alike. */
function likely(written: string, names: readonly string[]): readonly string[] {
  const close = nearest(written, names)
  if (close !== null) return [close]
  const begin = written.slice(0, Math.max(2, Math.ceil(written.length / 2))).toLowerCase()
  const alike = begin.length < 2 ? [] : names.filter((name) => name.toLowerCase().startsWith(begin))
  return alike.length > MOST ? [] : alike
}

/** `Did you mean a, b or c?`; empty where nothing is near. */
export function didYouMean(written: string, names: readonly string[]): string {
  const [last, ...before] = likely(written, names)
    .map((name) => quoted(name))
    .reverse()
  if (last === undefined) return ''
  const list = before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`
  return `Did you mean ${list}?`
}
