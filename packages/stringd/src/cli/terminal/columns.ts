const PLAIN = /^[\x20-\x7e]*$/
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u
/** In less than this, words would stand one below the other. */
const LEAST_ROOM = 20
const MARK = /^\p{M}/u

/** How many columns of a terminal a line takes. */
export function columnsOf(line: string): number {
  if (PLAIN.test(line)) return line.length
  let columns = 0
  for (const character of line) columns += columnsOfCharacter(character)
  return columns
}

function columnsOfCharacter(character: string): number {
  if (PLAIN.test(character)) return 1
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** A text broken between its words; one that is wider than the room stands alone. Null: nobody is in want of room. */
export function wrapColumns(text: string, room: number | null): string[] {
  const most = room === null ? Number.POSITIVE_INFINITY : Math.max(LEAST_ROOM, room)
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && columnsOf(`${last} ${word}`) <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** As much of a line as there is room for, with `…` where something was left out. */
export function fitColumns(line: string, most: number): string {
  if (columnsOf(line) <= most) return line
  let room = most - 1
  let fit = ''
  for (const character of line) {
    room -= columnsOfCharacter(character)
    if (room < 0) break
    fit += character
  }
  return most > 0 ? `${fit}…` : ''
}
