import { isDeepYaml, LIMITS, nearest, type PlainYaml, plainYaml, quoted, type YamlComplaint } from '@string-os/protocol'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import type { Finding, KeyPlaces, TextPlace } from './finding.ts'
import {
  isKeyName,
  KEY_NAMES,
  type KeyValues,
  PROFILE_KEYS,
  type ProfileKey,
  type ProfileReader,
} from './profile-keys.ts'
import { readValue, type Unread } from './profile-value.ts'

export interface KeysRead {
  /** Null when there is a problem. */
  readonly values: KeyValues | null
  readonly places: KeyPlaces
  readonly problems: readonly Finding[]
  readonly warnings: readonly Finding[]
}

const START: TextPlace = { line: 1, column: 1 }

/** Reads the keys of a profile as the table of keys says. */
export function readKeys(text: string, reader: ProfileReader): KeysRead {
  const reading = new Reading(reader)
  const refused = tooMuch(text)
  const pairs = refused === null ? reading.parse(text) : reading.refuse(refused)
  if (pairs !== null) reading.read(pairs)
  return reading.result()
}

class Reading {
  readonly #reader: ProfileReader
  readonly #lines = new LineCounter()
  readonly #problems: Finding[] = []
  readonly #warnings: Finding[] = []
  readonly #values = new Map<string, unknown>()
  readonly #places = new Map<string, TextPlace>()
  #document: Document | null = null

  constructor(reader: ProfileReader) {
    this.#reader = reader
  }

  refuse(reason: string): null {
    this.#problem(START, reason, null)
    return null
  }

  /** The entries of the map that a profile is; null when it is none. */
  parse(text: string): readonly Pair[] | null {
    try {
      const document = parseDocument(text, {
        logLevel: 'error',
        lineCounter: this.#lines,
        prettyErrors: false,
        // The parser compares each key with all others, which takes seconds in a file of keys alone.
        uniqueKeys: false,
      })
      this.#document = document
      for (const { code, pos, message } of document.errors) this.#badYaml(text, { code, message, at: pos[0] })
      for (const { pos, message } of document.warnings) this.#warnings.push({ ...this.#at(pos[0]), message, fix: null })
      if (document.errors.length > 0) return null
      // Throws when there are too many.
      document.toJS({ maxAliasCount: LIMITS.yamlAliases })
      return this.#entries(document.contents)
    } catch (error) {
      // Aliases that multiply, or nested too deep for the parser.
      this.#problem(
        START,
        `The profile cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        null,
      )
      return null
    }
  }

  read(pairs: readonly Pair[]): void {
    for (const { key, value } of pairs) this.#entry(key, value)
    const missing = KEY_NAMES.filter((name) => isRequired(name) && !this.#places.has(name))
    const why = this.#places.has('executor') ? ': `executor` names code inside another runner, which is not here' : ''
    for (const name of missing)
      this.#problem(START, `\`${name}\` is missing${why}`, `Add a line, for example: ${name}: ./agent.py`)
  }

  result(): KeysRead {
    const entries = Object.entries<ProfileKey>(PROFILE_KEYS)
    const values = Object.fromEntries(
      entries.map(([name, { fallback }]) => [name, this.#values.has(name) ? this.#values.get(name) : fallback]),
    )
    const places = Object.fromEntries(KEY_NAMES.map((name) => [name, this.#places.get(name) ?? START]))
    return {
      // Each value was read as the table says, from which the type is made.
      values: this.#problems.length === 0 ? (values as KeyValues) : null,
      places: places as KeyPlaces,
      problems: this.#problems,
      warnings: this.#warnings,
    }
  }

  #entries(contents: Node | null): readonly Pair[] | null {
    if (isMap(contents)) return this.#published(contents) ?? contents.items
    if (contents === null) return []
    const fix = 'Begin with a line like: command: ./agent.py'
    this.#problem(this.#placeOf(contents), 'A profile is a list of `key: value` lines', fix)
    return null
  }

  /** Public collections put the keys below `agentproc`, beside words about the agent, and speak the later wire. */
  #published(contents: YAMLMap): readonly Pair[] | null {
    const keys = this.#resolved(contents.get('agentproc', true))
    if (!isMap(keys) || contents.has('command')) return null
    this.#values.set('wire', '0.4')
    return keys.items
  }

  #entry(key: unknown, value: unknown): void {
    const name = isScalar(key) ? String(key.value) : ''
    if (!isKeyName(name)) return this.#unknown(key, name)
    if (this.#places.has(name))
      return this.#problem(this.#placeOf(key), `\`${name}\` stands here twice`, 'Remove one of the two')
    const node = this.#resolved(value)
    const place = this.#placeOf(isEmpty(node) ? key : node)
    this.#places.set(name, place)
    const row: ProfileKey = PROFILE_KEYS[name]
    const read = readValue(name, row, node)
    if (!read.ok) return this.#unread(read, place)
    this.#values.set(name, read.value)
    if (row.isForDaemon === true && this.#reader === 'bridge' && read.value !== row.fallback)
      this.#unheeded(name, place)
  }

  #unread({ node, message, fix }: Unread, place: TextPlace): void {
    this.#problem(node === null ? place : this.#placeOf(node), message, fix)
  }

  #unknown(key: unknown, name: string): void {
    const shown = quoted(name)
    // `timeout` is the beginning of `timeout_secs`.
    const close = nearest(name, KEY_NAMES) ?? KEY_NAMES.find((known) => known.startsWith(`${name}_`)) ?? null
    const fix = close === null ? `Known keys: ${KEY_NAMES.join(', ')}` : `Did you mean \`${close}\`?`
    const meant: ProfileKey | null = close !== null && isKeyName(close) ? PROFILE_KEYS[close] : null
    if (meant?.isGuard === true)
      return this.#problem(this.#placeOf(key), `Unknown key \`${shown}\`: what it says would not hold`, fix)
    this.#warnings.push({ ...this.#placeOf(key), message: `Unknown key \`${shown}\` is ignored`, fix })
  }

  #unheeded(name: string, place: TextPlace): void {
    const message = `\`${name}\` has no effect here: it is for turns in the daemon (string agent add ID --profile FILE, then string chat --agent ID)`
    this.#warnings.push({ ...place, message, fix: null })
  }

  #resolved(value: unknown): unknown {
    return isAlias(value) && this.#document !== null ? value.resolve(this.#document) : value
  }

  #badYaml(text: string, complaint: YamlComplaint): void {
    const { at, problem, fix } = explained(text, complaint)
    const place = this.#at(at)
    // The parser may complain twice of one slip: the first is nearer to what it is.
    const isTold = this.#problems.some(({ line, column }) => line === place.line && column === place.column)
    if (!isTold) this.#problem(place, problem, fix)
  }

  #problem(place: TextPlace, message: string, fix: string | null): void {
    this.#problems.push({ ...place, message, fix })
  }

  #placeOf(node: unknown): TextPlace {
    const range = hasRange(node) ? node.range : null
    return range === null ? START : this.#at(range[0])
  }

  #at(offset: number): TextPlace {
    const { line, col } = this.#lines.linePos(offset)
    return line === 0 ? START : { line, column: col }
  }
}

function tooMuch(text: string): string | null {
  if (text.length > LIMITS.profileBytes) return `The profile is longer than ${LIMITS.profileBytes} characters`
  return isDeepYaml(text) ? 'The profile is nested too deep' : null
}

function isRequired(name: string): boolean {
  return isKeyName(name) && !Object.hasOwn(PROFILE_KEYS[name], 'fallback')
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null && node.source === '')
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
}

/** The complaint in plain words, and what to do; a profile has mistakes of its own. */
function explained(text: string, complaint: YamlComplaint): PlainYaml {
  const { at, code, message } = complaint
  if (code === 'MULTIPLE_DOCS') return { at, problem: 'A profile is one YAML document', fix: 'Remove the line `---`' }
  const plain = plainYaml(text, complaint)
  const isPlaceholder = text.includes('{{') && message.includes('flow')
  const fix = isPlaceholder ? 'Quote a value with placeholders: "{{MESSAGE}}"' : plain.fix
  return { at: plain.at, problem: `Bad YAML: ${plain.problem}`, fix }
}
