import {
  codeProblem,
  declaresIntegers,
  endCommand,
  endWord,
  evaluatedIn,
  fieldProblem,
  filledBy,
  isCase,
  lastCodePipe,
  newCommand,
  receivers,
  type ShellCommand,
} from './shell-rules.ts'
import { namesIn, Taint } from './shell-taint.ts'

type Context = { readonly kind: 'command'; readonly command: ShellCommand } | { readonly kind: 'double' }

/** Nobody writes more parentheses and quotes inside each other, and nobody could read them. */
const DEPTH = 64

/** No character of a name can begin another: a script of 30,000 braces is looked through once. */
const FUNCTION = /(?:^|[\s;&|({])(?:function\s|[^\s;&|()$"'`{]+[ \t]*\([ \t]*\))|\{[ \t]*\([ \t]*\)/

/** The commands and double quotes inside each other at one place of a script, and where values have gone so far. */
export class ShellCommands {
  readonly taint = new Taint()
  readonly #stack: Context[] = [{ kind: 'command', command: newCommand(false) }]
  readonly #text: string
  readonly #hasFunctions: boolean
  readonly #lastCodePipe: number

  constructor(text: string) {
    this.#text = text
    this.#hasFunctions = FUNCTION.test(text)
    this.#lastCodePipe = lastCodePipe(text)
  }

  get inDouble(): boolean {
    return this.#stack.at(-1)?.kind === 'double'
  }

  get isTooDeep(): boolean {
    return this.#stack.length > DEPTH
  }

  /** Inside parentheses or quotes. */
  get isNested(): boolean {
    return this.#stack.length > 1
  }

  get current(): ShellCommand {
    const context = this.#stack.findLast((each) => each.kind === 'command')
    if (context?.kind !== 'command') throw new Error('There is always a command')
    return context.command
  }

  openDouble(): void {
    this.#stack.push({ kind: 'double' })
  }

  open(isList = false, inTest = false): void {
    this.#stack.push({ kind: 'command', command: newCommand(isList, inTest) })
  }

  close(): void {
    if (this.isNested) this.#stack.pop()
  }

  endWord(): void {
    const command = this.current
    this.taint.flow(receivers(command), command.reads)
    endWord(command)
  }

  endCommand(at: number): void {
    this.endWord()
    const command = this.current
    this.taint.reads(filledBy(command))
    this.taint.evaluate(evaluatedIn(command, this.#text.slice(command.start, at)))
    if (declaresIntegers(command)) this.taint.declareIntegers()
    endCommand(command)
  }

  /** What the words around are made of: the values of these variables. */
  passes(text: string): void {
    for (const command of this.#around()) command.reads.push(...namesIn(text))
  }

  /** Why a value may not stand here; where it may, it is followed from here on. */
  take(): string | null {
    const around = this.#around()
    const problem = fieldProblem(this.current) ?? around.map(codeProblem).find((each) => each !== null)
    this.taint.hold([...around.flatMap(receivers), this.#hasFunctions ? '$' : ''])
    return problem ?? null
  }

  /** Why no value may stand before a pipe through which code is run. */
  pipeProblem(at: number): string | null {
    return at < this.#lastCodePipe ? 'a field cannot stand before a pipe into a program that runs what it reads' : null
  }

  caseProblem(isLineEnd: boolean): string | null {
    return this.isNested && isCase(this.current, isLineEnd) ? 'case cannot stand in ( … ); use if' : null
  }

  #around(): ShellCommand[] {
    return this.#stack.flatMap((each) => (each.kind === 'command' ? [each.command] : []))
  }
}
