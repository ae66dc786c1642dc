const FENCE = /^ {0,3}(?:`{3,}|~{3,}).*\n/gm
const TABLE_HEAD = /^.*\|.*\n[ \t]*[|:-][-|: \t]*\n/
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /m

/** So much of the end of a block, with what makes it what it is: the first line of code, the head of a table, a whole item. */
export function endOfBlock(text: string, most: number, isInFence: boolean): string {
  if (text.length <= most) return text
  const from = text.indexOf('\n', text.length - most) + 1
  const end = from === 0 ? text.slice(-most).toWellFormed() : text.slice(from)
  if (isInFence) return `${openingLine(text, from)}${end}`
  const head = TABLE_HEAD.exec(text)?.[0]
  if (head !== undefined) return `${head}${end}`
  const item = ITEM.exec(text) === null ? -1 : end.search(ITEM)
  return item > 0 ? end.slice(item) : end
}

/** Of the code that the text ends in, where it stands before a place. */
function openingLine(text: string, place: number): string {
  const last = [...text.matchAll(FENCE)].at(-1)
  return last === undefined || last.index >= place ? '' : last[0]
}
