import { count, type Failure, fail, LIMITS, strip } from '@string-os/protocol'
import type { Value } from '../call/value.ts'
import type { Answered } from './perform.ts'
import type { Expression, LinePart, Path, ResponseNode, ResponseTemplate, Save } from './response-template.ts'

/** What a template made of an answer. Nothing of it has happened yet. */
export interface Outcome {
  readonly ok: true
  readonly output: string
  readonly variables: ReadonlyMap<string, string>
  readonly shortcuts: ReadonlyMap<string, Value>
  readonly saves: readonly { readonly to: string; readonly bytes: Uint8Array }[]
}

/** What a name means that the template did not set itself: a field of the call or a variable of the session. */
export type LookUp = (name: string) => Value | null

/** Runs a template over an answer, in bounded work: what is too much is cut, and said. */
export function runResponse(
  { nodes }: ResponseTemplate,
  answered: Answered,
  lookUp: LookUp,
  fields: ReadonlySet<string> = new Set(),
): Outcome | Failure {
  const run = new Run(answered, lookUp, fields)
  const ended = endOf(() => run.all(nodes, new Map()))
  if (!ended.ok) return ended
  if (ended.isCut) run.lines.push('… the response is larger than what a template goes through …')
  const { lines, warnings, variables, shortcuts, saves } = run
  return { ok: true, output: strip([...lines, ...warnings].join('\n'), '\n'), variables, shortcuts, saves }
}

const NO_ANSWER = { status: 0, text: '', bytes: new Uint8Array(), body: null }

/** Where saves go whose paths nothing of an answer decides, as a run of the template would have them. */
export function pathsOf(
  saves: readonly Save[],
  lookUp: LookUp,
  fields: ReadonlySet<string>,
): { readonly ok: true; readonly paths: ReadonlyMap<Save, string> } | Failure {
  const run = new Run(NO_ANSWER, lookUp, fields)
  const paths = new Map<Save, string>()
  const ended = endOf(() => {
    for (const save of saves) paths.set(save, run.pathOf(save, new Map()))
  })
  return ended.ok ? { ok: true, paths } : ended
}

/** How a run ended: at its end, or where it was enough. */
function endOf(run: () => void): { readonly ok: true; readonly isCut: boolean } | Failure {
  try {
    run()
    return { ok: true, isCut: false }
  } catch (error) {
    if (error instanceof Failed) return error.failure
    if (error instanceof Enough) return { ok: true, isCut: true }
    throw error
  }
}

class Enough extends Error {}

class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.system)
    this.failure = failure
  }
}

type Scope = ReadonlyMap<string, unknown>

/** What a template reads of an answer. */
type Read = Pick<Answered, keyof typeof NO_ANSWER>

class Run {
  readonly lines: string[] = []
  /** What the template asks of an answer that is of another kind, each once. */
  readonly warnings = new Set<string>()
  readonly variables = new Map<string, string>()
  readonly shortcuts = new Map<string, Value>()
  readonly saves: { to: string; bytes: Uint8Array }[] = []
  readonly #answered: Read
  readonly #lookUp: LookUp
  readonly #fields: ReadonlySet<string>
  readonly #set = new Map<string, unknown>()
  /** How many `@name-1`, `@name-2` there are, and the one that a line names. */
  readonly #counts = new Map<string, number>()
  readonly #named = new Map<string, string>()
  #steps: number = LIMITS.actionSteps
  #chars: number = 4 * LIMITS.actionOutputChars
  #bytes = LIMITS.actionFilesMib * 1024 * 1024

  constructor(answered: Read, lookUp: LookUp, fields: ReadonlySet<string>) {
    this.#answered = answered
    this.#lookUp = lookUp
    this.#fields = fields
  }

  all(nodes: readonly ResponseNode[], scope: Scope): void {
    for (const node of nodes) this.#node(node, scope)
  }

  #node(node: ResponseNode, scope: Scope): void {
    this.#spend(1)
    switch (node.kind) {
      case 'line':
        this.lines.push(this.#text(node.parts, scope))
        return
      case 'set':
        return this.#assign(node.name, node.isShortcut, node.value, scope)
      case 'save':
        return this.#save(node.save, scope)
      case 'loop':
        for (const item of this.#list(node.path, scope)) {
          this.#spend(1)
          this.all(node.body, new Map([...scope, [node.name, item]]))
        }
    }
  }

  #list(path: Path, scope: Scope): readonly unknown[] {
    const value = this.#find(path, scope)
    if (Array.isArray(value)) return value
    if (value !== undefined && value !== null && value !== '')
      this.warnings.add(`… for: goes through lists, and ${written(path)} is ${kindOf(value)} …`)
    return []
  }

  #assign(name: string, isShortcut: boolean, expression: Expression, scope: Scope): void {
    const value = this.#evaluate(expression, scope)
    const kept = isTuple(value) ? value : this.#shown(value)
    if (!isShortcut) {
      this.#set.set(name, value)
      const text = typeof kept === 'string' ? kept : kept.join(', ')
      if (text.length > LIMITS.variableChars)
        throw new Failed(
          fail(
            'TOO_LARGE',
            `{${name}} would be longer than ${LIMITS.variableChars} characters`,
            'In the template, save: writes what is long into a file',
          ),
        )
      if (this.variables.size >= LIMITS.variables) throw new Enough()
      this.variables.set(name, text)
      return
    }
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    const id = scope.size === 0 ? name : `${name}-${count}`
    if (this.shortcuts.size >= LIMITS.valueShortcuts) throw new Enough()
    this.shortcuts.set(id, kept)
    this.#named.set(name, id)
    this.#set.set(name, value)
  }

  #evaluate(expression: Expression, scope: Scope): unknown {
    if (expression.kind === 'path') return this.#find(expression.path, scope)
    if (expression.kind === 'text') return this.#text(expression.parts, scope)
    return expression.items.map((item) => this.#text(item, scope))
  }

  /** The file that a save goes to. */
  pathOf({ to }: Save, scope: Scope): string {
    for (const each of to) this.#mustBe(each, scope)
    return this.#text(to, scope).trim()
  }

  #save(save: Save, scope: Scope): void {
    const { part, decode } = save
    const value = part === null ? null : this.#part(part, scope)
    const isWhole = part === null || (part.length === 2 && part[0] === 'Response' && part[1] === 'body')
    const text = isWhole ? this.#answered.text : asText(value)
    if (!isWhole && value === undefined)
      throw new Failed(
        fail(
          'ACTION_FAILED',
          `The response has no ${String(part?.join('.'))} to save`,
          'Its template has to name a part of what the service answered; without the template /act shows all of that',
        ),
      )
    const bytes = decode === 'base64' ? Buffer.from(text, 'base64') : isWhole ? this.#answered.bytes : Buffer.from(text)
    this.#bytes -= bytes.length
    if (this.saves.length >= LIMITS.actionFiles || this.#bytes < 0)
      throw new Failed(
        fail(
          'TOO_LARGE',
          `One answer fills at most ${LIMITS.actionFiles} files and ${LIMITS.actionFilesMib} MiB`,
          'Ask the service for less',
        ),
      )
    this.saves.push({ to: this.pathOf(save, scope), bytes })
  }

  /** What is missing would make the path that of another file; only a field that was not given is meant to be empty. */
  #mustBe(part: LinePart, scope: Scope): void {
    if (typeof part === 'string') return
    const isThere =
      part.kind === 'shortcut'
        ? this.#named.has(part.shortcut)
        : (this.#find(part.path, scope) ?? null) !== null || this.#fields.has(String(part.path[0]))
    if (isThere) return
    const name = part.kind === 'shortcut' ? `@${part.shortcut}` : written(part.path)
    throw new Failed(
      fail(
        'ACTION_FAILED',
        `There is no ${name} for the name of the file that the response writes`,
        'Its template has to name a part of what the service answered, or a field; without the template /act shows all of that',
      ),
    )
  }

  #part(path: Path, scope: Scope): unknown {
    const name = String(path[0])
    if (scope.has(name) || this.#set.has(name) || name === 'Response') return this.#find(path, scope)
    this.#spend(path.length)
    const found = path.reduce<unknown>(childOf, this.#answered.body)
    return found === undefined ? this.#find(path, scope) : found
  }

  #text(parts: readonly LinePart[], scope: Scope): string {
    let text = ''
    for (const part of parts) {
      if (typeof part === 'string') text += part
      else if (part.kind === 'path') text += this.#shown(this.#find(part.path, scope))
      else text += this.#named.has(part.shortcut) ? `@${this.#named.get(part.shortcut)}` : ''
    }
    this.#chars -= text.length
    if (this.#chars < 0) throw new Enough()
    return text
  }

  #find(path: Path, scope: Scope): unknown {
    this.#spend(path.length)
    const [root, ...keys] = path
    const name = String(root)
    this.#lookForFields(path)
    const start = scope.has(name) ? scope.get(name) : name === 'Response' ? this.#response() : this.#other(name)
    return keys.reduce<unknown>(childOf, start)
  }

  /** A single value of JSON has no fields. */
  #lookForFields(path: Path): void {
    const { body } = this.#answered
    if (path.length <= 2 || path[0] !== 'Response' || path[1] !== 'body') return
    if (typeof body !== 'string' || body === '') return
    this.warnings.add(`… the response is ${kindOf(body)}, which has no ${written(path)} …`)
  }

  #response(): unknown {
    const { status, body } = this.#answered
    return { status, body }
  }

  #other(name: string): unknown {
    return this.#set.has(name) ? this.#set.get(name) : (this.#lookUp(name) ?? undefined)
  }

  #shown(value: unknown): string {
    const text = asText(value)
    this.#chars -= text.length
    if (this.#chars < 0) throw new Enough()
    return text
  }

  #spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new Enough()
  }
}

/** Only what a value holds itself: nothing that all objects have. */
function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key) as unknown
}

/** A missing value is empty. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isTuple(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= LIMITS.tupleItems && value.every((item) => typeof item === 'string')
}

function written(path: Path): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

const KEYS_TOLD = 5

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `plain text (${count(value.length, 'character')})`
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  const keys = Object.keys(value)
  const more = keys.length > KEYS_TOLD ? ', …' : ''
  return `an object${keys.length === 0 ? '' : ` with ${keys.slice(0, KEYS_TOLD).join(', ')}${more}`}`
}
