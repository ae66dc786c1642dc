/** What is switched on, and what switches it off. Blinking and hidden text are not among them: nobody needs to see that. */
const SWITCHES: Readonly<Record<number, readonly number[]>> = { 22: [1, 2], 23: [3], 24: [4], 27: [7], 29: [9] }
const SWITCHED = new Set(Object.values(SWITCHES).flat())
const DOUBLE_UNDERLINE = 21
/** Followed by a colour of its own: of letters, of what is behind them, of what underlines them. */
const EXTENDED = new Set([38, 48, 58])

/** How a program prints at the moment. Of whatever it asks for, only known styles are kept, in one way of writing them. */
export class Pen {
  readonly #on = new Set<number>()
  #letters = ''
  #behind = ''

  /** The parameters of the one sequence that says all of it; empty for plain text. */
  get style(): string {
    const on = [...this.#on].sort((first, second) => first - second).map(String)
    return [...on, this.#letters, this.#behind].filter((part) => part !== '').join(';')
  }

  /** The same of a place where nothing stands: what is erased gets the colour behind it. */
  get background(): string {
    return this.#behind
  }

  /** Takes the parameters of a sequence that ends with `m`. */
  take(parameters: string): void {
    const parts = parameters.split(';')
    let at = 0
    while (at < parts.length) at += this.#takeOne(parts, at)
  }

  /** Tells how many of the parts it was. */
  #takeOne(parts: readonly string[], at: number): number {
    const part = parts[at] ?? ''
    const [first = '', ...own] = part.split(':')
    const code = Number(first)
    if (!EXTENDED.has(code)) {
      this.#switch(part.endsWith(':0') && code === 4 ? 24 : code)
      return 1
    }
    // With colons it is one part; there a color space may stand before the three numbers.
    const isOne = own.length > 0
    const rest = isOne ? own : parts.slice(at + 1, at + 5)
    const size = rest[0] === '5' ? 2 : rest[0] === '2' ? 4 : 1
    const numbers = isOne && size === 4 && rest.length > 4 ? [rest[0] ?? '', ...rest.slice(2, 5)] : rest.slice(0, size)
    if (size > 1 && numbers.length === size && numbers.every(isByte)) this.#colour(code, numbers.map(Number).join(';'))
    return isOne ? 1 : 1 + size
  }

  #switch(code: number): void {
    if (code === 0) {
      this.#on.clear()
      this.#letters = ''
      this.#behind = ''
    } else if (SWITCHED.has(code)) this.#on.add(code)
    else if (code === DOUBLE_UNDERLINE) this.#on.add(4)
    else if (SWITCHES[code] !== undefined) for (const each of SWITCHES[code]) this.#on.delete(each)
    else if (isColour(code, 30)) this.#letters = String(code)
    else if (isColour(code, 40)) this.#behind = String(code)
    else if (code === 39) this.#letters = ''
    else if (code === 49) this.#behind = ''
  }

  #colour(code: number, numbers: string): void {
    if (code === 38) this.#letters = `38;${numbers}`
    else if (code === 48) this.#behind = `48;${numbers}`
  }
}

/** One of eight, or of their bright eight, which are sixty further on. */
function isColour(code: number, from: number): boolean {
  return (code >= from && code < from + 8) || (code >= from + 60 && code < from + 68)
}

function isByte(text: string): boolean {
  return /^\d{0,3}$/.test(text) && Number(text) < 256
}
