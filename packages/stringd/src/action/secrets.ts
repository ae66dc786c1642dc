import { isUtf8 } from 'node:buffer'

const MASK = '***'

/** Shorter ones are words that stand everywhere: hiding them would hide the answer. */
const SHORTEST = 4

/** Where the middle of a long output was. */
const LEFT_OUT = /\n… \d+ bytes left out[^\n]*…\n/

/** The values of variables that one call uses. Nothing leaves the call without passing `mask`. */
export class Secrets {
  readonly #forms = new Set<string>()

  add(value: string): void {
    const lines = value.split(/\r?\n/).filter((line) => line.length >= 2 * SHORTEST)
    for (const text of [value, value.trim(), ...lines]) for (const form of formsOf(text)) this.#forms.add(form)
  }

  get size(): number {
    return this.#forms.size
  }

  /** The text with every secret in it hidden, also where it is encoded as a template would. */
  mask(text: string): string {
    const forms = [...this.#forms].toSorted((a, b) => b.length - a.length)
    const masked = forms.reduce((rest, form) => rest.replaceAll(form, MASK), text)
    const [note] = this.size === 0 ? [] : (LEFT_OUT.exec(masked) ?? [])
    if (note === undefined) return masked
    const [head = '', ...tail] = masked.split(note)
    return `${maskEnd(head, forms)}${note}${maskStart(tail.join(note), forms)}`
  }

  /** The same for what goes into a file, text or not. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    if (this.size === 0) return bytes
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
    return Buffer.from(this.mask(Buffer.from(bytes).toString(encoding)), encoding)
  }

  /** What stands for a secret in a request that is only shown. */
  static readonly shown = MASK
}

/** A secret that was cut in two leaves a part on either side. */
function maskEnd(text: string, forms: readonly string[]): string {
  const longest = Math.max(...forms.map((form) => partLength(form, (part) => text.endsWith(part), 'start')))
  return longest === 0 ? text : `${text.slice(0, -longest)}${MASK}`
}

function maskStart(text: string, forms: readonly string[]): string {
  const longest = Math.max(...forms.map((form) => partLength(form, (part) => text.startsWith(part), 'end')))
  return `${longest === 0 ? '' : MASK}${text.slice(longest)}`
}

/** How much of a secret, from its start or its end, stands there; a letter or two are chance. */
function partLength(form: string, isThere: (part: string) => boolean, from: 'start' | 'end'): number {
  for (let length = form.length - 1; length >= SHORTEST; length -= 1)
    if (isThere(from === 'start' ? form.slice(0, length) : form.slice(-length))) return length
  return 0
}

function formsOf(text: string): string[] {
  if (text.length < SHORTEST) return []
  const encoded = text.isWellFormed() ? encodeURIComponent(text) : text
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [
    text,
    encoded,
    encoded.replaceAll('%20', '+'),
    json,
    ascii,
    json.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\/'),
    inHtml(text, '&quot;', '&#39;'),
    inHtml(text, '&#34;', '&#x27;'),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('base64url'),
  ]
}

function inHtml(text: string, double: string, single: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll('"', double).replaceAll("'", single)
}
