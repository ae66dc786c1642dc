import { existsSync, readFileSync } from 'node:fs'
import { CAP_NAMES, type Caps, isDeepYaml, isFields, LIMITS, nearest, plainYaml, quoted } from '@string-os/protocol'
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { Log } from '../log.ts'

/** What the file says; or all that is wrong with it, each with its place and what to write: then nothing of it is known. */
export type DataCaps =
  | { readonly ok: true; readonly caps: Caps }
  | { readonly ok: false; readonly problems: readonly string[] }

const KEYS = ['limits']

/** `limits:` in the `config.yaml` of the data folder: what holds for agents whose profiles say nothing else. */
export function dataCapsReader(path: string, log: Log): () => DataCaps {
  let told = ''
  return () => {
    const read = lookAtDataCaps(path)
    const reason = read.ok ? '' : read.problems.join('; ')
    // It is read for every turn, and told once.
    if (reason !== told && reason !== '') log.error('Turns are refused until config.yaml is mended', { path, reason })
    told = reason
    return read
  }
}

export function lookAtDataCaps(path: string): DataCaps {
  if (!existsSync(path)) return { ok: true, caps: {} }
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > LIMITS.profileBytes || isDeepYaml(text)) return none(`${path}: it is too large`)
    return dataCapsIn(text, path)
  } catch (error) {
    return none(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function dataCapsIn(text: string, path: string): DataCaps {
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: false, lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) {
    const plain = plainYaml(text, { code: error.code, message: error.message, at: error.pos[0] })
    return none(`${at(plain.at)}: ${plain.problem}. ${plain.fix}`)
  }
  const value: unknown = document.toJS({ maxAliasCount: LIMITS.yamlAliases })
  const found = problemsIn(value ?? {}).map(({ keys, problem }) => `${at(offsetOf(document, keys))}: ${problem}`)
  if (found.length > 0) return { ok: false, problems: found }
  // All of it was looked at.
  return { ok: true, caps: (value as { limits?: Caps } | null)?.limits ?? {} }
}

interface Problem {
  /** The way to the key that is wrong. */
  readonly keys: readonly string[]
  readonly problem: string
}

function problemsIn(value: unknown): readonly Problem[] {
  if (!isFields(value)) return [{ keys: [], problem: `It must be a map. Write \`limits:\`, and ${LINES}` }]
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  const others = unknown.map((key) => ({
    keys: [key],
    problem: `There is no key ${quoted(key, 40)}. ${meant(key, KEYS)}`,
  }))
  const { limits } = value
  // A key with nothing below it limits nothing, whatever was meant.
  if (!isFields(limits ?? (Object.hasOwn(value, 'limits') ? null : {})))
    return [...others, { keys: ['limits'], problem: `\`limits\` must be a map. Write ${LINES}` }]
  return [...others, ...Object.entries(limits ?? {}).flatMap(([name, number]) => limitProblem(name, number))]
}

const LINES = 'lines of `turns_per_hour: 20` below it'

function limitProblem(name: string, value: unknown): readonly Problem[] {
  const keys = ['limits', name]
  if (!CAP_NAMES.some((cap) => cap === name))
    return [{ keys, problem: `There is no limit ${quoted(name, 40)}. ${meant(name, CAP_NAMES)}` }]
  if (typeof value === 'number' && value > 0) return []
  const problem = `\`${name}\` must be a number above 0, not ${quoted(String(value), 40)}. Write ${name}: 20`
  return [{ keys, problem }]
}

function meant(name: string, names: readonly string[]): string {
  const close = nearest(name, names)
  return close === null ? `Write ${names.join(', ')}` : `Did you mean ${close}?`
}

/** Where the key at the end of a way stands. */
function offsetOf(document: Document, keys: readonly string[]): number {
  let node: unknown = document.contents
  let offset = 0
  for (const name of keys) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined
    if (!isScalar(pair?.key)) return offset
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}

function none(problem: string): DataCaps {
  return { ok: false, problems: [problem] }
}
