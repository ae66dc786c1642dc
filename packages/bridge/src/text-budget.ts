/** Lets text through until `limit` characters (code points) have gone by; the suffix follows the cut once. */
export class TextBudget {
  readonly #limit: number
  readonly #suffix: string
  #used = 0
  #isCut = false

  constructor(limit: number, suffix: string) {
    this.#limit = limit
    this.#suffix = suffix
  }

  get isCut(): boolean {
    return this.#isCut
  }

  hasRoomFor(points: number): boolean {
    return !this.#isCut && points <= this.#limit - this.#used
  }

  /** Counts what is known to fit, and goes through whole. */
  spend(points: number): void {
    this.#used += points
  }

  /** What of the text goes through; null once the limit was reached. */
  take(text: string): string | null {
    if (this.#isCut) return null
    const points = codePoints(text)
    const left = this.#limit - this.#used
    this.spend(points)
    if (points <= left) return text
    this.#isCut = true
    return text.slice(0, unitsOf(text, left)) + this.#suffix
  }
}

function codePoints(text: string): number {
  let points = text.length
  for (let index = 0; index < text.length - 1; index += 1) if (isPair(text, index)) points -= 1
  return points
}

/** How many UTF-16 units the first characters take. */
function unitsOf(text: string, points: number): number {
  let index = 0
  for (let passed = 0; passed < points; passed += 1) index += isPair(text, index) ? 2 : 1
  return index
}

function isPair(text: string, index: number): boolean {
  const first = text.charCodeAt(index)
  if (first < 0xd800 || first > 0xdbff) return false
  const second = text.charCodeAt(index + 1)
  return second >= 0xdc00 && second <= 0xdfff
}
