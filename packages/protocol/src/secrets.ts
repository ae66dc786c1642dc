/** A letter or two of a secret are chance. */
const TELLING_CHARS = 4
/** Keys are often written over several lines; shorter ones say nothing by themselves. */
const LINE_CHARS = 8
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Where a text was cut before it came here, perhaps through a secret. */
export interface Cuts {
  readonly atStart?: boolean
  readonly atEnd?: boolean
  /** Only what follows this place is wanted; what stands before it helps to know a secret that reaches across. */
  readonly from?: number
}

/** Hides secrets in texts, however they are spelled. Everything that shows what others said goes through one. */
export class Masker {
  readonly #mark: string
  readonly #shortest: number
  readonly #spelled = new Set<string>()
  readonly #bytes = new Set<string>()

  /** Of a value shorter than `shortest` nothing is hidden: it stands everywhere, and the text would become a riddle. */
  constructor(mark: string, shortest: number) {
    this.#mark = mark
    this.#shortest = shortest
  }

  add(secret: string): void {
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= LINE_CHARS)
    for (const part of [secret, ...lines].flatMap((each) => [each, each.trim()])) {
      if (part.length < this.#shortest) continue
      for (const spelled of spellings(part).filter(({ length }) => length >= this.#shortest)) {
        this.#spelled.add(spelled)
        this.#bytes.add(utf8(spelled))
      }
    }
  }

  /** 0: there is nothing to hide. */
  get size(): number {
    return this.#spelled.size
  }

  /** How many bytes the longest spelling has. */
  get longestBytes(): number {
    return [...this.#bytes].reduce((longest, { length }) => Math.max(longest, length), 0)
  }

  mask(text: string, cuts: Cuts = {}): string {
    return hide(text, this.#spelled, this.#mark, cuts)
  }

  /** Where a text can be cut so that no secret is cut, however it goes on. */
  safeCut(text: string): number {
    let cut = text.length
    for (const secret of this.#spelled) {
      const first = Math.max(0, text.length - secret.length + 1)
      for (let at = first; at < cut; at += 1) if (secret.startsWith(text.slice(at))) cut = at
    }
    const reaching = [...this.#spelled].flatMap((secret) => spansOf(secret, text)).filter(([, end]) => end > cut)
    return reaching.reduce((least, [start]) => Math.min(least, start), cut)
  }

  /** The same for bytes that may be no text, each a character from U+0000 to U+00FF. */
  maskBytes(bytes: string, cuts: Cuts = {}): string {
    return hide(bytes, this.#bytes, utf8(this.#mark), cuts)
  }
}

/** Hides secrets in a text that comes in pieces: what may be the beginning of one waits for the rest. */
export class MaskedStream {
  readonly #masker: Masker
  #held = ''

  constructor(masker: Masker) {
    this.#masker = masker
  }

  push(text: string): string {
    if (this.#masker.size === 0) return text
    const all = this.#held + text
    const cut = this.#masker.safeCut(all)
    this.#held = all.slice(cut)
    return this.#masker.mask(all.slice(0, cut))
  }

  /** Nothing more comes. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return this.#masker.mask(rest)
  }
}

/** Every way in which programs write a text down that they got: as it is, percent-encoded, in JSON, HTML and base64. */
export function spellings(text: string): string[] {
  const percent = text.isWellFormed() ? encodeURIComponent(text) : text
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const base64 = inBase64(text)
  return [
    text,
    percent,
    percent.replaceAll('%20', '+'),
    text.isWellFormed() ? encodeURI(text) : text,
    percentDecoded(text),
    json,
    ascii,
    json.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\/'),
    inHtml(text, '&quot;', '&#39;'),
    inHtml(text, '&#34;', '&#x27;'),
    base64,
    base64.replace(/=+$/, ''),
    base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
  ]
}

type Span = readonly [start: number, end: number]

/** What lies between the secrets, joined by the mark. Spans that overlap or touch are one. */
function hide(text: string, secrets: ReadonlySet<string>, mark: string, { from = 0, ...cuts }: Cuts): string {
  const found = [...secrets].flatMap((secret) => [...spansOf(secret, text), ...partsOf(secret, text, cuts)])
  let shown = ''
  let end = from
  let isHidden = false
  for (const [start, over] of found.toSorted(([one], [other]) => one - other)) {
    if (over <= end) continue
    if (start > end) shown += text.slice(end, start)
    if (start > end || !isHidden) shown += mark
    isHidden = true
    end = over
  }
  return shown + text.slice(end)
}

function spansOf(secret: string, text: string): Span[] {
  const spans: Span[] = []
  let last: Span | undefined
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    const start = last !== undefined && at <= last[1] ? last[0] : at
    if (start !== at) spans.pop()
    last = [start, at + secret.length]
    spans.push(last)
  }
  return spans
}

/** What a cut has left of a secret. */
function partsOf(secret: string, text: string, { atStart = false, atEnd = false }: Cuts): Span[] {
  if (!(atStart || atEnd)) return []
  const lengths = Array.from(
    { length: Math.max(0, secret.length - TELLING_CHARS) },
    (_, less) => secret.length - 1 - less,
  )
  const first = atStart ? lengths.find((length) => text.startsWith(secret.slice(-length))) : undefined
  const last = atEnd ? lengths.find((length) => text.endsWith(secret.slice(0, length))) : undefined
  return [
    ...(first === undefined ? [] : [[0, first] as const]),
    ...(last === undefined ? [] : [[text.length - last, text.length] as const]),
  ]
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that encodes nothing.
    return text
  }
}

function inHtml(text: string, double: string, single: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll('"', double).replaceAll("'", single)
}

/** The bytes of a text, a character each. */
function utf8(text: string): string {
  const percent = encodeURIComponent(text.toWellFormed())
  return percent.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function inBase64(text: string): string {
  return utf8(text).replace(/[\s\S]{1,3}/g, (bytes) => {
    const [one = 0, two = 0, three = 0] = Array.from(bytes, (byte) => byte.charCodeAt(0))
    const bits = (one << 16) | (two << 8) | three
    const signs = [18, 12, 6, 0].map((shift) => BASE64[(bits >> shift) & 63]).join('')
    return signs.slice(0, bytes.length + 1).padEnd(4, '=')
  })
}
