import { didYouMean, isDeepYaml, type Problem, plainYaml, problem } from '@string-os/protocol'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import type { Channel } from './channel.ts'
import { isAddress } from './mail.ts'

/** What is wrong, and where. */
export interface MisreadChannel extends Problem {
  readonly line: number
  readonly column: number
}

/** A channel, or why it cannot be used. */
export type ReadChannel = { readonly ok: true; readonly channel: Channel } | MisreadChannel

export type ReadChannels = { readonly ok: true; readonly channels: ReadonlyMap<string, ReadChannel> } | MisreadChannel

export type Environment = Readonly<Record<string, string>>

class Mistake extends Error {
  readonly node: Node

  constructor(node: Node, message: string) {
    super(message)
    this.node = node
  }
}

const TYPES = ['smtp', 'webhook', 'agent']
const DEFAULT_TEMPLATE = { text: '{text}' }

/** Reads `channels.yaml`. A mistake in one channel leaves the others usable. */
export function readChannels(text: string, environment: Environment): ReadChannels {
  if (isDeepYaml(text)) return { ...problem('It is nested too deep'), line: 1, column: 1 }
  const lineCounter = new LineCounter()
  // The parser compares each key with all others, which takes long in a file of keys alone: `fieldsOf` looks for those.
  const options = { logLevel: 'error', lineCounter, prettyErrors: false, schema: 'core', uniqueKeys: false } as const
  const parsed = parseDocument(text, options)
  const at = (offset: number, reason: string): MisreadChannel => {
    const { line, col } = lineCounter.linePos(offset)
    return { ...problem(reason), line, column: col }
  }
  const placed = ({ node, message }: Mistake): MisreadChannel => at(node.range?.[0] ?? 0, message)
  const [error] = parsed.errors
  if (error !== undefined) {
    const plain = plainYaml(text, { code: error.code, message: error.message, at: error.pos[0] })
    return at(plain.at, `${plain.problem}. ${plain.fix}`)
  }
  if (parsed.contents === null) return { ok: true, channels: new Map() }
  if (!isMap(parsed.contents)) return at(0, 'Channels are named: `NAME:`, and its fields below it')
  const { contents } = parsed
  const named = noticed(() => fieldsOf(contents))
  if (!named.ok) return placed(named.mistake)
  const channels = named.made.map(([name, node]): [string, ReadChannel] => {
    const channel = noticed(() => readChannel(name, node, environment))
    return [name, channel.ok ? { ok: true, channel: channel.made } : placed(channel.mistake)]
  })
  return { ok: true, channels: new Map(channels) }
}

/** What was made, or the mistake that kept it from being made. */
function noticed<T>(make: () => T): { ok: true; made: T } | { ok: false; mistake: Mistake } {
  try {
    return { ok: true, made: make() }
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake
    return { ok: false, mistake }
  }
}

function readChannel(name: string, node: Node, environment: Environment): Channel {
  if (!/^[a-z][a-z0-9_-]*$/.test(name) || name === 'string') throw new Mistake(node, `No channel can be called ${name}`)
  if (!isMap(node)) throw new Mistake(node, `${name} needs fields: type, and what that type takes`)
  const fields = new Fields(node, environment)
  const type = name === 'agent' ? (fields.optionalText('type') ?? 'agent') : fields.text('type')
  const channel = ofType(type, fields, node)
  fields.refuseOthers()
  return { ...channel, secrets: fields.secrets }
}

function ofType(type: string, fields: Fields, node: Node): Channel {
  switch (type) {
    case 'smtp':
      return {
        type,
        url: fields.url('url', ['smtp:', 'smtps:']),
        from: fields.address('from'),
        allow: fields.list('allow') ?? [],
        secrets: [],
      }
    case 'webhook':
      return {
        type,
        targets: fields.urls('targets', ['http:', 'https:']),
        template: fields.any('template') ?? DEFAULT_TEMPLATE,
        secrets: [],
      }
    case 'agent':
      return { type, allow: fields.list('allow'), secrets: [] }
    default:
      throw new Mistake(node, `There is no type ${type}: smtp, webhook or agent. ${didYouMean(type, TYPES)}`.trimEnd())
  }
}

/** The fields of one channel, each taken once, with what the environment puts into them. */
class Fields {
  readonly secrets: string[] = []
  readonly #map: YAMLMap
  readonly #fields: Map<string, Node>
  /** What was asked for: all that there can be. */
  readonly #taken = new Set<string>()
  readonly #environment: Environment

  constructor(map: YAMLMap, environment: Environment) {
    this.#map = map
    this.#fields = new Map(fieldsOf(map))
    this.#environment = environment
  }

  text(name: string): string {
    return this.#textOf(name, this.#need(name))
  }

  optionalText(name: string): string | null {
    const node = this.#take(name)
    return node === undefined ? null : this.#textOf(name, node)
  }

  address(name: string): string {
    const node = this.#need(name)
    const text = this.#textOf(name, node)
    if (!isAddress(text)) throw new Mistake(node, `${name} must be one mail address`)
    return text
  }

  list(name: string): string[] | null {
    const node = this.#take(name)
    if (node === undefined) return null
    if (!isSeq<Node>(node)) throw new Mistake(node, `${name} must be a list`)
    return node.items.map((item) => this.#textOf(name, item))
  }

  url(name: string, protocols: readonly string[]): URL {
    return this.#urlOf(name, this.#need(name), protocols)
  }

  urls(name: string, protocols: readonly string[]): Map<string, URL> {
    const node = this.#need(name)
    if (!isMap(node)) throw new Mistake(node, `${name} must name each target and its address`)
    return new Map(fieldsOf(node).map(([target, value]) => [target, this.#urlOf(target, value, protocols)]))
  }

  /** Any value, its texts filled in from the environment. */
  any(name: string): unknown {
    const node = this.#take(name)
    return node === undefined ? undefined : this.#fill(node)
  }

  refuseOthers(): void {
    const [first] = this.#fields
    if (first === undefined) return
    const names = [...this.#taken]
    const meant = didYouMean(first[0], names) || `It takes ${names.join(', ')}`
    throw new Mistake(first[1], `Unknown field: ${first[0]}. ${meant}`)
  }

  #take(name: string): Node | undefined {
    const node = this.#fields.get(name)
    this.#taken.add(name)
    this.#fields.delete(name)
    return node
  }

  #need(name: string): Node {
    const node = this.#take(name)
    if (node === undefined) throw new Mistake(this.#map, `The field ${name} is missing`)
    return node
  }

  #textOf(name: string, node: Node): string {
    if (!isScalar(node) || typeof node.value !== 'string') throw new Mistake(node, `${name} must be text`)
    return this.#expand(node, node.value)
  }

  #urlOf(name: string, node: Node, protocols: readonly string[]): URL {
    const text = this.#textOf(name, node)
    const url = URL.canParse(text) ? new URL(text) : null
    // The text itself may be a secret.
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '') {
      throw new Mistake(
        node,
        `${name} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`,
      )
    }
    if (!isDecodable(url.username) || !isDecodable(url.password)) {
      throw new Mistake(node, `${name} has a % in its login that encodes nothing; write it as %25`)
    }
    return url
  }

  #fill(node: Node): unknown {
    if (isSeq<Node>(node)) return node.items.map((item) => this.#fill(item))
    if (isMap(node)) return Object.fromEntries(fieldsOf(node).map(([key, value]) => [key, this.#fill(value)]))
    if (!isScalar(node)) throw new Mistake(node, 'Aliases are not taken here')
    return typeof node.value === 'string' ? this.#expand(node, node.value) : node.value
  }

  /** `${NAME}` becomes what the environment has for it, and a secret. */
  #expand(node: Node, text: string): string {
    return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const value = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined
      if (value === undefined)
        throw new Mistake(node, `${name} is not set, in the environment or in the file env of the data folder`)
      this.secrets.push(value)
      return value
    })
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    // A percent sign that encodes nothing.
    return false
  }
}

/** Keys and values of a map; a value that is not there stands where its key does. */
function fieldsOf(map: YAMLMap): [string, Node][] {
  const names = new Set<string>()
  return map.items.map(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : ''
    if (names.has(name)) throw new Mistake(key as Node, 'Map keys must be unique')
    names.add(name)
    return [name, (value ?? key) as Node]
  })
}
