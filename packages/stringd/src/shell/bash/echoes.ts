import { Echo } from './echo.ts'
import { echoLine } from './init-script.ts'
import type { TypedEcho } from './typed-echo.ts'

/** Whether the terminal of a shell shows what is typed, and what of its output is nothing but that. */
export class Echoes {
  #due: Echo | TypedEcho | null = null
  #isOn = false
  /** Nobody else has set that since: of a program that a signal ended, bash puts the terminal back as it knew it. */
  #isSure = true

  /** It shows what is typed, for the programs of a person. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** What makes it as those who run something now want it: line editors show what is typed only where the terminal does when they start. */
  fit(isPerson: boolean): string {
    if (this.#isOn === isPerson && (this.#isSure || !isPerson)) return ''
    this.#isOn = isPerson
    this.#isSure = true
    return echoLine(isPerson)
  }

  /** Another shell has the terminal, and shows nothing. */
  reset(): void {
    this.#isOn = false
  }

  /** Somebody else may have set the terminal. */
  doubt(): void {
    this.#isSure = false
  }

  expect(echo: Echo | TypedEcho | null): void {
    this.#due = echo
  }

  /** Something is typed while something runs, which may print before that is shown. Answers what was held until now. */
  expectTyped(typed: string): Buffer {
    if (!this.#isOn) return NOTHING
    const held = this.release()
    this.#due = new Echo(typed, false)
    return held
  }

  without(bytes: Buffer): Buffer {
    return this.#due?.without(bytes) ?? bytes
  }

  /** What came to no end is no echo. */
  release(): Buffer {
    return this.#due?.rest() ?? NOTHING
  }

  /** The same, and none is expected any more. */
  end(): Buffer {
    const held = this.release()
    this.#due = null
    return held
  }
}

const NOTHING: Buffer = Buffer.alloc(0)
