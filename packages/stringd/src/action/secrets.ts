import { isUtf8 } from 'node:buffer'

const MASK = '***'

/** Shorter ones are words that stand everywhere: hiding them would hide the answer. */
const SHORTEST = 4

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
    return forms.reduce((masked, form) => masked.replaceAll(form, MASK), text)
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

function formsOf(text: string): string[] {
  if (text.length < SHORTEST) return []
  const encoded = text.isWellFormed() ? encodeURIComponent(text) : text
  return [
    text,
    encoded,
    encoded.replaceAll('%20', '+'),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('base64url'),
  ]
}
