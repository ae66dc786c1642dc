import { type Failure, fail, LIMITS, listNames, nearest, quoted } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { isVariableName } from '../state/config-file.ts'
import { fullName, isLocalName, type Need, type PackageRecord, type PackageType } from '../state/package-record.ts'
import type { ShownActions } from './shown-actions.ts'

/** Keys that decide how a package is used: each is one text. */
const TEXT_KEYS = ['name', 'namespace', 'type', 'default'] as const

/** What a package's entry document says about it. */
export type About = Pick<PackageRecord, 'namespace' | 'title' | 'description' | 'version' | 'default' | 'needs'> & {
  readonly ok: true
  /** Null where the document does not say. */
  readonly name: string | null
  readonly type: PackageType | null
}

/** All that the front matter says about a package. */
export const ABOUT_KEYS: readonly string[] = [...TEXT_KEYS, 'title', 'description', 'version', 'env', 'requires']
/** All that it says about a variable. */
export const NEED_KEYS: readonly string[] = ['name', 'description', 'default', 'required', 'secret']

/** Something in the front matter that cannot be used. */
export interface WrongKey {
  readonly key: string
  /** Of a list, the name of the entry that is wrong, as it is written. */
  readonly entry?: string | null
  readonly failure: Failure
}

/** Reads the front matter of the entry document. What it says must be usable, or nothing is installed. */
export function readAbout(document: Document, actions: ShownActions): About | Failure {
  const { unread } = document.frontMatter
  if (unread !== undefined) return fail('INVALID_PARAMS', unread.message, unread.next)
  const { about, wrong } = judgeAbout(document, actions)
  return wrong[0]?.failure ?? about
}

export interface JudgedAbout {
  readonly about: About
  readonly wrong: readonly WrongKey[]
}

/** The same with everything that is wrong in it. */
export function judgeAbout({ frontMatter: { values, title } }: Document, actions: ShownActions): JudgedAbout {
  const text = (key: string): string | null => oneLine(values.get(key))
  const wrong: WrongKey[] = []
  const refuse = (key: string, value: string, hint: string): void => void wrong.push(wrongKey(key, value, hint))
  for (const key of TEXT_KEYS)
    if (typeof values.get(key) === 'object' && values.get(key) !== null)
      refuse(key, 'a list', 'It is one text: write it without brackets')
  const type = text('type')
  if (type !== null && !isType(type)) refuse('type', type, 'It is app or tool')
  const needs = judgeNeeds([values.get('env'), values.get('requires')].flatMap(entriesIn))
  const key = values.has('env') ? 'env' : 'requires'
  wrong.push(...needs.wrong.map((each) => ({ key, ...each })))
  const [name, namespace] = [text('name'), text('namespace')]
  if (!isWholeName(name)) refuse('name', name ?? '', nameRule(name ?? ''))
  if (!isWholeName(namespace)) refuse('namespace', namespace ?? '', 'It is letters, digits, blanks and @ . _ / -')
  const initial = text('default')
  if (initial !== null && !actions.has(initial)) refuse('default', initial, defaultHint(initial, [...actions.keys()]))
  const about: About = {
    ok: true,
    name,
    namespace,
    type: type !== null && isType(type) ? type : null,
    title,
    description: text('description'),
    version: text('version'),
    default: initial,
    needs: needs.items,
  }
  return { about, wrong }
}

/** What tells packages apart may be more than what they can be called by. */
function isWholeName(text: string | null): boolean {
  return text === null || /^[\p{L}\p{N}@._/ -]{1,100}$/u.test(text)
}

/** The one rule for what a package is called by. */
function nameRule(name: string): string {
  const close = slug(name)
  return `A name is letters, digits, _ and -, at most 64${isLocalName(close) ? `, as ${close}` : ''}`
}

function defaultHint(initial: string, ids: readonly string[]): string {
  const close = nearest(initial, ids)
  if (close !== null) return `Did you mean ${close}?`
  const what = 'It names an action of this document, or of a file of the package that it includes'
  return ids.length === 0 ? `${what}: here is none` : `${what}: ${listNames(ids)}`
}

function isType(text: string): text is PackageType {
  return text === 'app' || text === 'tool'
}

/** The name under which a package is used: what was asked for, else its own, else made of where it comes from. */
export function localName(
  as: string | undefined,
  about: About,
  sourceName: string,
): { readonly ok: true; readonly name: string } | Failure {
  const name = as ?? about.name ?? slug(sourceName)
  if (isLocalName(name)) return { ok: true, name }
  const whose = as === undefined ? fullName({ namespace: null, name: about.name ?? sourceName }) : as
  const close = slug(whose)
  return fail(
    'INVALID_PARAMS',
    `Not a name for a package: ${quoted(whose)}`,
    nameRule(whose),
    `/install --as ${isLocalName(close) ? close : 'NAME'} SOURCE gives it another`,
  )
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
}

interface JudgedNeeds {
  readonly items: readonly Need[]
  readonly wrong: readonly Pick<WrongKey, 'entry' | 'failure'>[]
}

/** Of each entry by itself: one that is wrong hides no other. */
function judgeNeeds(entries: readonly unknown[]): JudgedNeeds {
  const needs = new Map<string, Need>()
  const wrong: Pick<WrongKey, 'entry' | 'failure'>[] = []
  for (const entry of entries) {
    const need = readNeed(entry)
    if (need === null || !isVariableName(need.name)) {
      const written = need?.name ?? textOrNumber(entry)
      wrong.push({ entry: written, failure: noVariable(written) })
      continue
    }
    if (need.isSecret === null)
      wrong.push({
        entry: need.name,
        failure: fail(
          'INVALID_PARAMS',
          `The front matter does not say whether $${need.name} is secret`,
          'secret: is true or false; what is false is shown as it is',
        ),
      })
    if (!needs.has(need.name)) needs.set(need.name, { ...need, isSecret: need.isSecret ?? true })
  }
  if (needs.size > LIMITS.packageNeeds)
    wrong.push({
      failure: fail(
        'INVALID_PARAMS',
        `A package has at most ${LIMITS.packageNeeds} entries in env`,
        'Shorten the list env in its front matter',
      ),
    })
  return { items: [...needs.values()], wrong }
}

function noVariable(name: string | null): Failure {
  const close =
    name === null
      ? ''
      : name
          .normalize('NFKD')
          .replace(/[^A-Za-z0-9]+/g, '_')
          .replace(/^[_\d]+|_+$/g, '')
  const meant = isVariableName(close) ? [`A name is letters, digits and _, a letter first: write ${close}`] : []
  return fail(
    'INVALID_PARAMS',
    `An entry of env in the front matter names no variable${name === null ? '' : `: ${quoted(name)}`}`,
    ...meant,
    'Entries are NAME, NAME: "what it is" with or without default: "x" under it, or {name, description, default}',
  )
}

/** The names that its entries have, as often as they are there. */
export function namesOfNeeds({ frontMatter: { values } }: Document): string[] {
  const entries = [values.get('env'), values.get('requires')].flatMap(entriesIn)
  return entries.flatMap((entry) => readNeed(entry)?.name ?? [])
}

/** A list, or a map of names with what they are. */
function entriesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (value instanceof Map) return [...value].map((entry) => new Map([entry]))
  return value === undefined || value === null ? [] : [value]
}

/** An entry as it is written; null where it does not say clearly whether it is a secret. */
type ReadNeed = Omit<Need, 'isSecret'> & { readonly isSecret: boolean | null }

function readNeed(value: unknown): ReadNeed | null {
  if (typeof value === 'string')
    return { name: withoutDollar(value), description: null, fallback: null, isSecret: true }
  if (!(value instanceof Map)) return null
  const entry: ReadonlyMap<unknown, unknown> = value
  const name = entry.get('name')
  if (typeof name === 'string')
    return { name: withoutDollar(name), description: oneLine(entry.get('description')), ...settingsIn(entry) }
  const [[key, about] = [], ...others] = [...entry].filter(([each]) => !isAttribute(each))
  if (typeof key !== 'string' || others.length > 0) return null
  // What stands under the name belongs to it, whether it is indented once more or not.
  const attributes: ReadonlyMap<unknown, unknown> = about instanceof Map ? about : entry
  const description = oneLine(about) ?? oneLine(attributes.get('description'))
  return { name: withoutDollar(key), description, ...settingsIn(attributes) }
}

function withoutDollar(name: string): string {
  return name.replace(/^\$/, '')
}

function settingsIn(attributes: ReadonlyMap<unknown, unknown>): Pick<ReadNeed, 'fallback' | 'isSecret'> {
  const secret = attributes.has('secret') ? textOrNumber(attributes.get('secret')) : 'true'
  const isSecret = secret === 'true' ? true : secret === 'false' ? false : null
  return { fallback: textOrNumber(attributes.get('default')), isSecret }
}

/** What may be said about a variable; every other key is its name. */
function isAttribute(key: unknown): boolean {
  return key === 'description' || key === 'default' || key === 'required' || key === 'secret'
}

function oneLine(value: unknown): string | null {
  const text = textOrNumber(value)?.replace(/\s+/g, ' ').trim() ?? ''
  return text === '' ? null : text.slice(0, LIMITS.shownValueChars)
}

function textOrNumber(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function wrongKey(key: string, value: string, hint: string): WrongKey {
  return { key, failure: fail('INVALID_PARAMS', `The front matter has a wrong ${key}: ${quoted(value)}`, hint) }
}
