/** What keys send that are no characters; of arrows and their like, what follows the introducer. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['enter', '\r'],
  ['tab', '\t'],
  ['esc', '\x1b'],
  ['space', ' '],
  ['backspace', '\x7f'],
  ['delete', '\x1b[3~'],
  ['insert', '\x1b[2~'],
  ['pageup', '\x1b[5~'],
  ['pagedown', '\x1b[6~'],
  ['shift-tab', '\x1b[Z'],
  ['f1', '\x1bOP'],
  ['f2', '\x1bOQ'],
  ['f3', '\x1bOR'],
  ['f4', '\x1bOS'],
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((code, index) => [`f${index + 5}`, `\x1b[${code}~`] as const),
])
/** A program may ask for another introducer. */
const MOVING: ReadonlyMap<string, string> = new Map([
  ['up', 'A'],
  ['down', 'B'],
  ['right', 'C'],
  ['left', 'D'],
  ['home', 'H'],
  ['end', 'F'],
])

/** For people who read what there is. */
export const KEY_NAMES =
  'any character, enter, esc, tab, space, backspace, delete, up, down, left, right, home, end, pageup, pagedown, f1 to f12, ctrl-X, alt-X'

/** What a terminal sends for a key; null where there is none of that name. */
export function keyCode(name: string, hasOwnKeys: boolean): string | null {
  if (/^.$/su.test(name)) return name
  const [, modifier = '', letter = ''] = /^(ctrl|alt)-(.)$/su.exec(name.toLowerCase()) ?? []
  if (modifier === 'alt') return `\x1b${name.slice(4)}`
  if (modifier === 'ctrl') return controlCode(letter)
  const moving = MOVING.get(name.toLowerCase())
  if (moving !== undefined) return `\x1b${hasOwnKeys ? 'O' : '['}${moving}`
  return CODES.get(name.toLowerCase()) ?? null
}

/** Ctrl with a letter, or with one of the few signs that have a code of their own. */
function controlCode(letter: string): string | null {
  const code = letter.toUpperCase().charCodeAt(0)
  return code >= 64 && code < 96 ? String.fromCharCode(code - 64) : null
}
