import { TextDecoder } from 'node:util'
import { WEB_LIMITS } from './limits.ts'

/** Text in the charset of its byte order mark, the header, the page's own `<meta>`, or else UTF-8. No mark is left. */
export function decodePageText(bytes: Uint8Array, charset: string | null, isHtml: boolean): string {
  const decoder = decoderFor(markOf(bytes) ?? charset ?? (isHtml ? metaCharset(bytes) : null) ?? 'utf-8')
  const text = decoder.decode(bytes)
  return decoder.encoding === 'windows-1252' ? text.replace(C1, asWindows) : text
}

const C1 = /[\u0080-\u009f]/g
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node 20 reads windows-1252 as if it were ISO 8859-1. */
function asWindows(character: string): string {
  return WINDOWS[character.charCodeAt(0) - 0x80] ?? character
}

function markOf(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/** A page that says UTF-16 in ASCII letters is not in UTF-16. */
function metaCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, WEB_LIMITS.charsetBytes))
  const label = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? null
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('utf-8')
    throw error
  }
}
