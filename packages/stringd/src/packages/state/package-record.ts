import { LIMITS } from '@string-os/protocol'
import { entriesOf, textIn } from './json-object.ts'

export type PackageType = 'app' | 'tool'

/** A stored variable that a package reads. */
export interface Need {
  readonly name: string
  readonly description: string | null
  /** Its value where nobody has set one. */
  readonly fallback: string | null
  /** Its author has not said that it is a plain setting. */
  readonly isSecret: boolean
}

/** What the registry knows about an installed package. */
export interface PackageRecord {
  /** The name under which it is used here. */
  readonly local: string
  /** With its namespace the name that its author gave it: what tells two packages apart. */
  readonly name: string
  readonly namespace: string | null
  readonly type: PackageType
  /** The document that is opened, relative to its folder; of a linked page, its URL. */
  readonly entry: string
  /** Only where it is is registered: nothing of it is in the data folder. */
  readonly linked: boolean
  /** Of a linked folder, where it is; null of a linked page, and of what was copied. */
  readonly folder: string | null
  /** Names this very installation. */
  readonly id: string
  readonly source: string
  /** The same, whole and in one spelling: whose package it is, and whose its variables are. */
  readonly origin: string
  /** What `/install` is given to install it anew. */
  readonly again: string
  readonly installedAt: string
  readonly title: string | null
  readonly description: string | null
  readonly version: string | null
  /** The action that runs when it is opened. */
  readonly default: string | null
  /** The only stored variables that it gets. */
  readonly needs: readonly Need[]
}

/** A linked page has the powers of a page; everything else that is installed has those of a package. */
export function isLinkedPage({ linked, folder }: Pick<PackageRecord, 'linked' | 'folder'>): boolean {
  return linked && folder === null
}

const LOCAL_NAME = /^[A-Za-z0-9_-]{1,64}$/

export function isLocalName(name: string): boolean {
  return LOCAL_NAME.test(name)
}

/** A path inside a package: relative, and every part of it a plain name. */
export function isPackagePath(path: string): boolean {
  const parts = path.split('/')
  return path.length <= LIMITS.packagePathChars && parts.every(isPlainName)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name may not hold
const NOT_IN_NAME = /[\u0000-\u001f\u007f\\]/

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255 && !NOT_IN_NAME.test(name)
}

/** `weather`, or `acme/weather`. */
export function fullName({ namespace, name }: Pick<PackageRecord, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}/${name}`
}

/** Where it comes from, for whoever is in another folder than whoever installed it. */
export function wholeSource({ again, source }: Pick<PackageRecord, 'again' | 'source'>): string {
  const whole = spelledSource(again)
  return isLocalSource(whole) ? whole : source
}

/** What `/install` is given to install it anew, as people write it: of a repository of this machine its path. */
export function spelledSource(again: string): string {
  const path = again.replace(/^git\+file:\/\/(?=\/)/, '')
  return path === again || /\.git\/?(?:#|$)/.test(path) ? path : `git+${path}`
}

function isLocalSource(spelled: string): boolean {
  return /^(?:git\+)?\//.test(spelled)
}

/** What it was installed from. */
export function sourceKind({ linked, again }: Pick<PackageRecord, 'linked' | 'again'>): string {
  if (linked) return 'link'
  if (again.startsWith('git+')) return 'git'
  if (/\.(?:tgz|tar|tar\.gz)$/i.test(again.replace(/[?#].*/, ''))) return 'archive'
  if (/^https?:/i.test(again)) return 'url'
  return /\.(?:md|markdown)$/i.test(again) ? 'file' : 'folder'
}

/** A record as it was read from a file; null when it is none. */
export function parseRecord(local: string, value: unknown): PackageRecord | null {
  const fields = entriesOf(value)
  if (fields === null || !isLocalName(local)) return null
  const text = (name: string): string | null => textIn(fields.get(name))
  const type = fields.get('type')
  const [name, entry, id, source, origin] = ['name', 'entry', 'id', 'source', 'origin'].map(text)
  const installedAt = text('installedAt')
  if ((type !== 'app' && type !== 'tool') || !name || !entry || !id || !source || !origin || !installedAt) return null
  const linked = fields.get('linked') === true
  const folder = linked ? text('folder') : null
  if (!/^[a-f0-9]{1,64}$/.test(id) || !(isLinkedPage({ linked, folder }) || isPackagePath(entry))) return null
  return {
    local,
    name,
    namespace: text('namespace'),
    type,
    entry,
    linked,
    folder,
    id,
    source,
    origin,
    again: text('again') ?? origin,
    installedAt,
    title: text('title'),
    description: text('description'),
    version: text('version'),
    default: text('default'),
    needs: parseNeeds(fields.get('needs')),
  }
}

function parseNeeds(value: unknown): Need[] {
  const needs = Array.isArray(value) ? value.map(entriesOf) : []
  return needs.flatMap((fields) => {
    const name = textIn(fields?.get('name'))
    const [description, fallback] = [textIn(fields?.get('description')), textIn(fields?.get('fallback'))]
    return name === null ? [] : [{ name, description, fallback, isSecret: fields?.get('isSecret') !== false }]
  })
}
