import { CAP_NAMES, LIMITS, nearest, quoted } from '@string-os/protocol'
import { isMap, isScalar, isSeq, type Scalar } from 'yaml'
import type { ProfileKey } from './profile-keys.ts'

export interface Unread {
  readonly ok: false
  /** Where exactly the fault stands; null: the value as a whole. */
  readonly node: unknown
  readonly message: string
  readonly fix: string | null
}

export type ValueRead = { readonly ok: true; readonly value: unknown } | Unread

const is = (value: unknown): ValueRead => ({ ok: true, value })
const not = (message: string, fix: string | null = null, node: unknown = null): Unread => ({
  ok: false,
  node,
  message,
  fix,
})

/** Reads the value of one key, or says what is wrong with it and what to write instead. */
export function readValue(name: string, { kind, fallback }: ProfileKey, node: unknown): ValueRead {
  if (isNothing(node))
    return mayBeEmpty(fallback) ? is(fallback) : not(`\`${name}\` has no value`, 'Give it one, or remove the line')
  if (isMap(node) && kind !== 'variables' && kind !== 'caps')
    return not(`\`${name}\` is a map`, mapFix(node.flow === true))
  if (typeof kind !== 'string') return readChoice(name, kind, node)
  return READERS[kind](name, node)
}

/** `env:` with all its lines commented out is an empty map. */
function mayBeEmpty(fallback: unknown): boolean {
  return typeof fallback === 'object'
}

const READERS = {
  text: (name: string, node: unknown): ValueRead => {
    const text = textOf(node)
    if (text === null) return not(`\`${name}\` must be text`, 'Put it in quotes')
    return refusedText(name, text) ?? is(text)
  },
  line: (name: string, node: unknown): ValueRead => {
    const text = textOf(node)
    if (text !== null && /^[^\r\n]+$/.test(text)) return refusedText(name, text) ?? is(text)
    return not(`\`${name}\` must be text of one line`, `Write ${name}: "AGENT_SESSION:"`)
  },
  words: (name: string, node: unknown): ValueRead => (isSeq(node) ? readTexts(name, node) : READERS.text(name, node)),
  texts: (name: string, node: unknown): ValueRead =>
    isSeq(node) ? readTexts(name, node) : not(`\`${name}\` must be a list`, `Write it as: ${name}: ["one", "two"]`),
  variables: (name: string, node: unknown): ValueRead =>
    isMap(node) ? readVariables(node) : not(`\`${name}\` must be a map`, 'Write lines of `NAME: value` below it'),
  caps: (name: string, node: unknown): ValueRead =>
    isMap(node) ? readCaps(node) : not(`\`${name}\` must be a map`, `Write lines of \`${CAP_NAMES[0]}: 20\` below it`),
  flag: (name: string, node: unknown): ValueRead => {
    const value = isScalar(node) ? node.value : null
    return typeof value === 'boolean' ? is(value) : not(`\`${name}\` must be true or false`, `Write ${name}: true`)
  },
  seconds: (name: string, node: unknown): ValueRead => {
    const value = numberOf(node)
    if (value === null) return not(`\`${name}\` must be a number of seconds`, `Write ${name}: 60`)
    return value < 0 ? not(`\`${name}\` must not be negative`) : is(value)
  },
  timeout: (name: string, node: unknown): ValueRead => {
    const read = READERS.seconds(name, node)
    return read.ok && read.value === 0 ? not(`\`${name}\` must be more than 0`, `Write ${name}: 60`) : read
  },
  approval: (name: string, node: unknown): ValueRead => {
    const read = READERS.timeout(name, node)
    const most = LIMITS.approvalMaxMs / 1000
    return read.ok && Number(read.value) > most ? not(`\`${name}\` is too large`, `Write at most ${most}`) : read
  },
  count: (name: string, node: unknown): ValueRead => {
    const value = numberOf(node)
    if (value === null || !Number.isInteger(value))
      return not(`\`${name}\` must be a whole number`, `Write ${name}: 100`)
    if (value < 0) return not(`\`${name}\` must not be negative`)
    const most = LIMITS.agentReplyChars
    return value > most ? not(`\`${name}\` is too large`, `Write at most ${most}`) : is(value)
  },
} as const

/** A bare 0.4 is a number to YAML; what counts is how it is written. */
function readChoice(name: string, choices: readonly string[], node: unknown): ValueRead {
  const text = isScalar(node) ? writtenText(node) : null
  if (text !== null && choices.includes(text)) return is(text)
  const close = text === null ? null : nearest(text, choices)
  const fix =
    close === null ? `Write ${choices.map((choice) => `${name}: ${choice}`).join(' or ')}` : `Write ${name}: ${close}`
  const given = text === null ? '' : `, not ${quoted(text)}`
  return not(`\`${name}\` must be ${choices.join(' or ')}${given}`, fix)
}

function readTexts(name: string, node: { readonly items: readonly unknown[] }): ValueRead {
  const texts: string[] = []
  for (const item of node.items) {
    if (isMap(item)) return not(`An entry of \`${name}\` is a map`, mapFix(item.flow === true), item)
    const text = isScalar(item) ? writtenText(item) : null
    if (text === null) return not(`Every entry of \`${name}\` must be text`, 'Put it in quotes', item)
    const refused = refusedText(`an entry of ${name}`, text)
    if (refused !== null) return { ...refused, node: item }
    texts.push(text)
  }
  return is(texts)
}

function readVariables(node: { readonly items: readonly { key: unknown; value: unknown }[] }): ValueRead {
  const variables = new Map<string, string>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? writtenText(key) : null
    if (name === null || !/^[^=\0]+$/.test(name)) return not('This cannot be the name of a variable', null, key)
    if (variables.has(name)) return not(`\`${name}\` stands here twice`, 'Remove one of the two', key)
    if (isMap(value)) return not(`\`${name}\` in \`env\` is a map`, mapFix(value.flow === true), value)
    const text = isScalar(value) ? writtenText(value) : null
    if (text === null) return not(`\`${name}\` in \`env\` must be text`, `Write ${name}: ""  for an empty one`, key)
    const refused = refusedText(name, text)
    if (refused !== null) return { ...refused, node: value }
    variables.set(name, text)
  }
  return is(Object.fromEntries(variables))
}

function readCaps(node: { readonly items: readonly { key: unknown; value: unknown }[] }): ValueRead {
  const caps = new Map<string, number>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (!CAP_NAMES.some((known) => known === name)) {
      const close = nearest(name, CAP_NAMES)
      return not(
        `There is no limit \`${quoted(name)}\``,
        close === null ? `One of ${CAP_NAMES.join(', ')}` : `Write ${close}`,
        key,
      )
    }
    if (caps.has(name)) return not(`\`${name}\` stands here twice`, 'Remove one of the two', key)
    const number = numberOf(value)
    if (number === null || number <= 0) return not(`\`${name}\` must be a number above 0`, `Write ${name}: 20`, value)
    caps.set(name, number)
  }
  return is(Object.fromEntries(caps))
}

function refusedText(name: string, text: string): Unread | null {
  return text.includes('\0') ? not(`\`${name}\` holds a NUL character, which no program can be given`) : null
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

/** Text alone: a number or a flag in its place is a slip. */
function textOf(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null
}

/** Text as it is; numbers and flags as they were written. */
function writtenText(node: Scalar): string | null {
  const { value, source } = node
  if (typeof value === 'string') return value
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return isPlain ? (source ?? String(value)) : null
}

function numberOf(node: unknown): number | null {
  const value = isScalar(node) ? node.value : null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** `{{MESSAGE}}` without quotes is a map in a map to YAML. */
function mapFix(isFlow: boolean): string | null {
  return isFlow ? 'Quote a value with placeholders: "{{MESSAGE}}"' : null
}
