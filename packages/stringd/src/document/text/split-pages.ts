/** The pages of a long text: at most `limitBytes` of UTF-8 each, and together exactly the text. */
export function splitPages(text: string, limitBytes: number): string[] {
  // A UTF-16 unit takes at most three bytes, so short text needs no counting.
  if (text.length * 3 <= limitBytes) return [text]
  const pages: string[] = []
  let at = 0
  while (at < text.length) {
    const end = pageEnd(text, at, limitBytes)
    pages.push(text.slice(at, end))
    at = end
  }
  return pages.length === 0 ? [''] : pages
}

/** Cuts between paragraphs; a longer paragraph at a line, a longer line at a character. */
function pageEnd(text: string, start: number, limitBytes: number): number {
  const most = fitting(text, start, limitBytes)
  if (most === text.length) return most
  const window = text.slice(start, most)
  const paragraph = lastParagraph(window)
  if (paragraph > 0) return start + paragraph
  const line = window.lastIndexOf('\n') + 1
  return line > 0 ? start + line : most
}

/** The offset behind the last character that still fits. */
function fitting(text: string, start: number, limitBytes: number): number {
  const most = text.slice(start, start + limitBytes)
  if (Buffer.byteLength(most) === most.length) return start + most.length
  let bytes = 0
  let at = start
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > limitBytes) return at
    at += code < 0x10000 ? 1 : 2
  }
  return at
}

/** Where the last blank line ends; 0 where there is none. */
function lastParagraph(text: string): number {
  for (let end = text.lastIndexOf('\n'); end > 0; end = text.lastIndexOf('\n', end - 1)) {
    let at = text.charAt(end - 1) === '\r' ? end - 2 : end - 1
    while (text.charAt(at) === ' ' || text.charAt(at) === '\t') at -= 1
    if (text.charAt(at) === '\n') return end + 1
  }
  return 0
}
