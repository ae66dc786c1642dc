import { type Data, type Failure, type Json, LIMITS, Masker, type Result } from '@string-os/protocol'

const MASK = '***'

/** Where the middle of a long output was. */
const LEFT_OUT = /\n… \d+ bytes left out[^\n]*…\n/

/**
 * The values of variables that one call uses. Its answer leaves through `sealed`; what it leaves behind, and what is cut
 * before it is an answer, passes `mask`.
 */
export class Secrets {
  readonly #masker = new Masker(MASK, LIMITS.actionSecretChars)

  add(value: string): void {
    this.#masker.add(value)
  }

  get size(): number {
    return this.#masker.size
  }

  /** An answer as it may leave. */
  sealed(answer: Failure): Failure
  sealed(answer: Result): Result
  sealed(answer: Result): Result {
    const content = answer.content === null ? null : this.mask(answer.content)
    const data = answer.data === undefined ? {} : { data: this.#maskData(answer.data) }
    if (answer.ok)
      return { ...answer, system: answer.system === null ? null : this.mask(answer.system), content, ...data }
    const hints = answer.hints.map((hint) => this.mask(hint))
    return { ...answer, system: this.mask(answer.system), hints, content, ...data, isPrivate: this.size > 0 }
  }

  /** The names of the fields are ours. */
  #maskData(data: Data): Data {
    return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, this.maskJson(each)]))
  }

  /** The text with every secret in it hidden; one that was cut in two leaves a part on either side. */
  mask(text: string): string {
    if (this.size === 0) return text
    const { 0: note = '', index = text.length } = LEFT_OUT.exec(text) ?? {}
    if (note === '') return this.#masker.mask(text)
    const head = this.#masker.mask(text.slice(0, index), { atEnd: true })
    return `${head}${note}${this.#masker.mask(text.slice(index + note.length), { atStart: true })}`
  }

  /** The same for what goes into a file, text or not. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    if (this.size === 0) return bytes
    return Buffer.from(this.#masker.maskBytes(Buffer.from(bytes).toString('latin1')), 'latin1')
  }

  /** The same for what JSON says, name by name and value by value. */
  maskJson(value: Json): Json {
    if (this.size === 0 || value === null) return value
    if (Array.isArray(value)) return value.map((item: Json) => this.maskJson(item))
    if (typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [this.mask(name), this.maskJson(each)]))
    const text = String(value)
    const safe = this.mask(text)
    return safe === text ? value : safe
  }

  /** What stands for a secret in a request that is only shown. */
  static readonly shown = MASK
}
