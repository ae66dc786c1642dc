import type { Problem } from './field.ts'
import { balancedEnd } from './shell-balance.ts'
import { ShellCommands } from './shell-commands.ts'
import { type Heredoc, heredocAt, heredocEnd } from './shell-heredoc.ts'
import { endsForSure } from './shell-region.ts'
import { readsCode, type ShellCommand } from './shell-rules.ts'
import type { Place, ScriptPart, ShellTemplate } from './shell-template.ts'
import { fieldAt } from './template.ts'

class Malformed extends Error {}

const HEREDOCS = 8

/** Reads a command template as bash would, as far as needed to know how each field is quoted. */
export function scanShell(text: string, fields: ReadonlySet<string>): ShellTemplate | Problem {
  const scanner = new Scanner(text, fields)
  try {
    return scanner.scan()
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message, row: scanner.row }
    throw error
  }
}

class Scanner {
  readonly #text: string
  readonly #fields: ReadonlySet<string>
  readonly #parts: ScriptPart[] = []
  readonly #variables = new Map<string, boolean>()
  readonly #commands: ShellCommands
  #heredocs: Heredoc[] = []
  #at = 0
  /** Where the text begins that is not yet a part. */
  #from = 0
  /** An expansion was passed whose end bash may see elsewhere: from here on nobody knows what is quoted. */
  #isLost = false

  constructor(text: string, fields: ReadonlySet<string>) {
    this.#text = text
    this.#fields = fields
    this.#commands = new ShellCommands(text)
  }

  /** The line that has been reached. */
  get row(): number {
    return this.#text.slice(0, this.#at).split('\n').length - 1
  }

  scan(): ShellTemplate | Problem {
    while (this.#at < this.#text.length) {
      this.#step()
      if (this.#commands.isTooDeep) throw new Malformed('too many parentheses and quotes inside each other')
    }
    this.#commands.endCommand(this.#at)
    if (this.#commands.isNested) throw new Malformed('a quote or parenthesis is not closed')
    if (this.#heredocs.length > 0) throw new Malformed('a here-document has no end')
    this.#flush(this.#text.length)
    return this.#commands.taint.problem() ?? { parts: this.#parts, variables: this.#variables }
  }

  #step(): void {
    const { inDouble } = this.#commands
    const character = this.#text.charAt(this.#at)
    if (character === '\\') return this.#escape(this.#text.charAt(this.#at + 1))
    if (character === '`')
      return this.#region(this.#end(/[^`\\]*(?:\\.[^`\\]*)*`/sy, 1), 'between backticks; write $( … )')
    if (character === '$') return this.#dollar(inDouble)
    if (character === '{' && this.#field(inDouble ? 'double' : 'bare')) return
    if (inDouble) {
      if (character !== '"') return this.#word(character, 1)
      this.#commands.close()
      this.#at += 1
      return
    }
    this.#bare(character, this.#commands.current)
  }

  /** A line that goes on in the next neither begins a word nor ends one. */
  #escape(next: string): void {
    if (next === '\n') this.#at += 2
    else this.#word(next, 2)
  }

  #bare(character: string, command: ShellCommand): void {
    if (character === "'") return this.#single()
    if (character === '"') {
      this.#word('', 1)
      this.#commands.openDouble()
    } else if (character === '#' && command.word === null) this.#at = this.#end(/[^\n]*/y, 0)
    else if (this.#text.startsWith('<<', this.#at)) this.#heredocStart(command)
    else if (character === '(') this.#open(command)
    else if (character === ')') this.#close()
    else if (character === '\n') this.#newline()
    else if (/[;|&]/.test(character)) this.#separator()
    else if (/[ \t<>]/.test(character)) this.#blank(character, command)
    else this.#word(character, 1)
  }

  /** Adds to the word that is being read. */
  #word(text: string, length: number): void {
    const command = this.#commands.current
    if (command.word === null && command.words.length === 0) command.start = this.#at
    if (command.word === null) command.before = this.#text.slice(Math.max(0, this.#at - 200), this.#at).trimEnd()
    command.word = (command.word ?? '') + text
    this.#at += length
  }

  /** The end of a word. Digits before `<` or `>` belong to it, and are none. */
  #blank(character: string, command: ShellCommand): void {
    if (/[<>]/.test(character) && /^\d+$/.test(command.word ?? '')) command.word = null
    this.#commands.endWord()
    this.#refuse(this.#commands.caseProblem(false))
    this.#at += 1
  }

  #separator(): void {
    const isRedirect = /[<>]/.test(this.#text.charAt(this.#at - 1)) || this.#text.startsWith('&>', this.#at)
    if (isRedirect) this.#commands.endWord()
    else this.#commands.endCommand(this.#at)
    this.#at += 1
  }

  #newline(): void {
    this.#commands.endWord()
    this.#refuse(this.#commands.caseProblem(true))
    this.#commands.endCommand(this.#at)
    this.#at += 1
    const pending = this.#heredocs
    this.#heredocs = []
    for (const heredoc of pending) this.#heredoc(heredoc)
  }

  #open(command: ShellCommand): void {
    if (command.word === null && this.#text.startsWith('((', this.#at)) return this.#parentheses(this.#at)
    const isList = /^[A-Za-z_][A-Za-z0-9_]*\+?=$/.test(command.word ?? '')
    const isProcess = /[<>]/.test(this.#text.charAt(this.#at - 1))
    if (!isList && !isProcess) this.#commands.endCommand(this.#at)
    if (isProcess) this.#word('', 1)
    else this.#at += 1
    this.#commands.open(isList, command.inTest && !isProcess)
  }

  /** The end of `( … )` or `$( … )`; without a beginning it belongs to `case`. */
  #close(): void {
    this.#commands.endCommand(this.#at)
    if (this.#heredocs.length > 0 && this.#commands.isNested)
      throw new Malformed('a here-document that begins in ( … ) ends there too')
    this.#commands.close()
    this.#at += 1
  }

  #dollar(inDouble: boolean): void {
    const rest = this.#text.slice(this.#at, this.#at + 3)
    if (rest === '$((') return this.#parentheses(this.#at + 1)
    if (rest.startsWith('$[')) return this.#region(this.#end(/[^\]]*\]/y, 2), 'in $[ … ], which is evaluated')
    if (rest.startsWith('$(')) {
      this.#word('', 2)
      this.#commands.open()
    } else if (rest.startsWith('${')) this.#braces(inDouble)
    else if (rest.startsWith("$'") && !inDouble)
      this.#region(this.#end(/[^'\\]*(?:\\.[^'\\]*)*'/sy, 2), "in $'…'; use '…' or \"…\"")
    else this.#named(inDouble ? 'double' : 'bare')
  }

  /** `$NAME`, or a dollar sign that means something else. */
  #named(place: Place): void {
    const found = /^\$(?:([A-Za-z_][A-Za-z0-9_]*)|[0-9@*#?$!-])/.exec(this.#text.slice(this.#at, this.#at + 300))
    const [whole = '$', name] = found ?? []
    if (name === 'ARGS') return this.#args(place, whole.length)
    if (name !== undefined) this.#reads(name, false)
    this.#commands.passes(whole)
    this.#word(found === null ? whole : '', whole.length)
  }

  #args(place: Place, length: number): void {
    const alone = place === 'bare' && this.#commands.current.word === null
    const start = this.#at
    this.#word('', 0)
    this.#refuse(this.#commands.take())
    this.#refuse(this.#commands.pipeProblem(start))
    this.#at += length
    this.#add({ kind: 'args', place, alone }, start)
  }

  #braces(inDouble: boolean): void {
    const end = this.#balanced(this.#at + 1, '{', '}')
    const inside = this.#text.slice(this.#at + 2, end - 1)
    if (inside === 'ARGS') return this.#args(inDouble ? 'double' : 'bare', end - this.#at)
    const [, name, then = ''] = /^[#!]?([A-Za-z][A-Za-z0-9_]*)(.?.?)/s.exec(inside) ?? []
    const hasDefault = /^:?[-+=]/.test(then)
    this.#region(end, 'in a parameter expansion')
    if (name !== undefined) this.#reads(name, hasDefault)
  }

  /** `(( … ))`, from its first parenthesis. */
  #parentheses(from: number): void {
    this.#region(this.#balanced(from, '(', ')'), 'in (( … )), which is evaluated')
  }

  /** A part of the script in which no field may stand. */
  #region(end: number, where: string): void {
    const inside = this.#text.slice(this.#at, end)
    this.#commands.taint.region(inside)
    this.#commands.passes(inside)
    this.#isLost ||= !endsForSure(inside, this.#commands.inDouble)
    for (const { index } of inside.matchAll(/\{/g))
      if (fieldAt(inside, index, this.#fields) !== null) throw new Malformed(`a field cannot stand ${where}`)
    for (const [, name = ''] of inside.slice(1).matchAll(/\$\{?([A-Za-z][A-Za-z0-9_]*)/g)) this.#reads(name, false)
    this.#word(inside.startsWith("$'") ? inside.slice(2, -1) : '', end - this.#at)
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end === -1) throw new Malformed('a quote is not closed')
    this.#word('', 1)
    while (this.#at < end) if (!this.#field('single')) this.#word(this.#text.charAt(this.#at), 1)
    this.#at = end + 1
  }

  /** A field that stands here, if there is one. */
  #field(place: Place): boolean {
    const found = fieldAt(this.#text, this.#at, this.#fields)
    if (found === null) return false
    if ('problem' in found) throw new Malformed(found.problem)
    const start = this.#at
    if (place !== 'heredoc') {
      this.#word('', 0)
      this.#refuse(this.#commands.take())
    }
    this.#refuse(this.#commands.pipeProblem(start))
    this.#at = found.end
    this.#add({ kind: 'field', field: found.part, place }, start)
    return true
  }

  #refuse(problem: string | null): void {
    if (problem !== null) throw new Malformed(problem)
  }

  #heredocStart(command: ShellCommand): void {
    this.#commands.endWord()
    if (this.#heredocs.length === HEREDOCS) throw new Malformed(`more than ${HEREDOCS} here-documents on a line`)
    const line = this.#text.slice(this.#at, this.#end(/[^\n]*/y, 0))
    const found = heredocAt(this.#text, this.#at, readsCode(command, line))
    if (found !== null && 'problem' in found) throw new Malformed(found.problem)
    if (found !== null) this.#heredocs.push(found.heredoc)
    this.#at += found?.length ?? 2
  }

  #heredoc(heredoc: Heredoc): void {
    const end = heredocEnd(this.#text, this.#at, heredoc)
    if (end === null)
      throw new Malformed(`the here-document has no line ${heredoc.delimiter}, or a line before it ends with \\`)
    const { isQuoted, isCode } = heredoc
    const body = this.#text.slice(this.#at, end.body)
    const isClosed = isQuoted || isCode || /`|\$[({[]/.test(body)
    const before = this.#parts.length
    if (isClosed && !isQuoted) this.#commands.taint.evaluate(body)
    while (this.#at < end.body) {
      const character = this.#text.charAt(this.#at)
      if (character === '\\' && !isQuoted) this.#at += 2
      else if (character === '$' && !isQuoted) this.#heredocVariable()
      else if (character !== '{' || !this.#field('heredoc')) this.#at += 1
    }
    if (isClosed && this.#parts.length > before)
      throw new Malformed('a field cannot stand in a here-document that is quoted, holds $( … ) or is code')
    this.#at = end.whole
  }

  #heredocVariable(): void {
    const [whole = '$', name] = /^\$\{?([A-Za-z][A-Za-z0-9_]*)/.exec(this.#text.slice(this.#at, this.#at + 300)) ?? []
    const start = this.#at
    this.#at += whole.length
    if (name === 'ARGS') this.#add({ kind: 'args', place: 'heredoc', alone: false }, start)
    else if (name !== undefined) this.#reads(name, false)
  }

  #reads(name: string, hasDefault: boolean): void {
    if (!name.startsWith('_')) this.#variables.set(name, (this.#variables.get(name) ?? true) && hasDefault)
  }

  /** Where a match from `skip` characters further on ends. */
  #end(pattern: RegExp, skip: number): number {
    pattern.lastIndex = this.#at + skip
    const match = pattern.exec(this.#text)
    if (match === null) throw new Malformed('a quote is not closed')
    return pattern.lastIndex
  }

  #balanced(from: number, open: string, close: string): number {
    const end = balancedEnd(this.#text, from, open, close)
    if (end === null) throw new Malformed('a brace or parenthesis is not closed')
    return end
  }

  #add(part: ScriptPart, start: number): void {
    if (this.#isLost) throw new Malformed('a field cannot stand behind an expansion that holds quotes or commands')
    this.#commands.taint.hold([])
    this.#flush(start)
    this.#parts.push(part)
    this.#from = this.#at
  }

  #flush(end: number): void {
    if (end > this.#from) this.#parts.push({ kind: 'text', text: this.#text.slice(this.#from, end) })
  }
}
