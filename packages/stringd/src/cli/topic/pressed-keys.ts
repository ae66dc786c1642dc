import type { Key } from 'node:readline'
import { nameOf, typedBy } from '../terminal/editor/keys.ts'

/** How `//key` calls keys that are called otherwise here. */
const NAMES: Readonly<Record<string, string>> = {
  return: 'enter',
  escape: 'esc',
  newline: 'ctrl-j',
  'ctrl-backspace': 'ctrl-w',
  'alt-return': 'enter',
}
const NAMED =
  /^(?:enter|esc|tab|space|backspace|delete|insert|up|down|left|right|home|end|pageup|pagedown|f\d{1,2}|shift-tab|ctrl-[a-z_]|alt-.)$/su

/** What a person pressed, as `//key` takes it; nothing for a key that no program is told of. */
export function pressedKeys(text: string | undefined, key: Key): readonly string[] {
  const typed = typedBy(text, key)
  if (typed !== null) return Array.from(typed, (character) => (character === ' ' ? 'space' : character))
  const { sequence = '' } = key
  // Ctrl with signs, which are not told apart by name.
  const code = sequence.length === 1 ? sequence.charCodeAt(0) : 0
  if (code >= 28 && code < 32) return [`ctrl-${String.fromCharCode(code + 64)}`]
  const name = nameOf(key)
  const known = NAMES[name] ?? name
  if (NAMED.test(known)) return [known]
  const bare = known.replace(/^(?:ctrl-|alt-|shift-)+/, '')
  return bare.length > 1 && NAMED.test(bare) ? [bare] : []
}
