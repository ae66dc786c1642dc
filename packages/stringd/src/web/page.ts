import type { PageOrigin } from './admission.ts'
import { decodePageText } from './decode-text.ts'
import { WEB_LIMITS } from './limits.ts'

export type PageKind = 'markdown' | 'html' | 'text' | 'json' | 'image' | 'binary'

export interface WebPage {
  readonly ok: true
  /** After all redirects. */
  readonly url: string
  readonly kind: PageKind
  /** Lower case, without parameters; a likely one where the server sent none. */
  readonly mediaType: string
  /** Empty for images and binary content. */
  readonly text: string
  readonly bytes: Uint8Array
  /** What to pass as `from` for everything this page links to or includes. */
  readonly origin: PageOrigin
}

const MARKDOWN_PATH = /\.(md|markdown)$/i

const NAMED_KINDS: ReadonlyMap<string, PageKind> = new Map<string, PageKind>([
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['application/xml', 'text'],
  ['application/javascript', 'text'],
  ['application/ecmascript', 'text'],
  ['application/yaml', 'text'],
  ['application/x-yaml', 'text'],
  ['application/toml', 'text'],
  ['application/x-sh', 'text'],
])

/** Makes a page of what a server sent. The media type decides, unless the bytes say otherwise. */
export function pageOf(url: URL, origin: PageOrigin, contentType: string | null, bytes: Uint8Array): WebPage {
  const [declared = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(declared) ? declared.toLowerCase() : null
  const claim = mediaType === null ? null : claimedKind(mediaType, url)
  const shared = { ok: true, url: url.href, bytes, origin } as const
  if (claim === 'image' || claim === 'binary') return { ...shared, kind: claim, mediaType: mediaType ?? '', text: '' }
  const text = decodePageText(bytes, charsetOf(parameters), claim === 'html' || claim === null)
  if (text.slice(0, WEB_LIMITS.sniffChars).includes('\0')) {
    return { ...shared, kind: 'binary', mediaType: mediaType ?? 'application/octet-stream', text: '' }
  }
  const kind = claim ?? sniffedKind(text, url)
  return { ...shared, kind, mediaType: mediaType ?? (kind === 'html' ? 'text/html' : 'text/plain'), text }
}

function claimedKind(mediaType: string, url: URL): PageKind {
  const isMarkdown = MARKDOWN_PATH.test(url.pathname)
  if (isMarkdown && (mediaType === 'text/plain' || mediaType === 'application/octet-stream')) return 'markdown'
  const named = NAMED_KINDS.get(mediaType)
  if (named !== undefined) return named
  if (mediaType.endsWith('+json')) return 'json'
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType.startsWith('text/') || mediaType.endsWith('+xml') ? 'text' : 'binary'
}

function sniffedKind(text: string, url: URL): PageKind {
  if (MARKDOWN_PATH.test(url.pathname)) return 'markdown'
  return /^\s*<(!doctype\s+html|html)\b/i.test(text) ? 'html' : 'text'
}

function charsetOf(parameters: readonly string[]): string | null {
  const parameter = parameters.find((each) => /^charset\s*=/i.test(each))
  return parameter?.replace(/^charset\s*=\s*/i, '').replace(/^"(.*)"$/, '$1') ?? null
}
