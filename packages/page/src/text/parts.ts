/** How much of a long text is shown at once. */
const PART_CHARS = 64 * 1024

/** The first parts of a text, cut at a line end where one is near; `left` counts what is not shown. */
export function textPart(text: string, parts: number): { readonly shown: string; readonly left: number } {
  const end = parts * PART_CHARS
  if (text.length <= end) return { shown: text, left: 0 }
  const line = text.lastIndexOf('\n', end)
  const near = line > end - 4_096 ? line + 1 : end
  const isHalf = (text.charCodeAt(near - 1) & 0xfc00) === 0xd800
  const cut = isHalf ? near - 1 : near
  return { shown: text.slice(0, cut), left: text.length - cut }
}
