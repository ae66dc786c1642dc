/** Arrows and their like: what the program's own terminal sends for them depends on what that program has asked of it. */
const MOVING: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
}
const NAMES: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\r': 'enter',
  '\t': 'tab',
  '\x1b': 'esc',
  '\x7f': 'backspace',
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys send them
const PIECE = /\x1b\[20[01]~|\x1b[[O]([ABCDHF])|[\s\S]/gu

/**
 * What a terminal sent, as `//key` takes it: character by character, so that the program gets what its person typed, however fast.
 * The marks around a paste are for whoever asked for them, which was not the program.
 */
export function pressedKeys(sent: string): readonly string[] {
  return [...sent.matchAll(PIECE)].flatMap(([piece, moving]) => {
    if (moving !== undefined) return MOVING[moving] ?? []
    return piece.length > 2 ? [] : nameOf(piece)
  })
}

function nameOf(character: string): string {
  const code = character.charCodeAt(0)
  return NAMES[character] ?? (code < 32 ? `ctrl-${String.fromCharCode(code + 64).toLowerCase()}` : character)
}
