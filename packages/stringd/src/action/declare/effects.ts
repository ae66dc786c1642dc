import { visibleLine } from '@string-os/protocol'
import { type DefaultHost, defaultHost } from '../http/default-host.ts'
import { hostOf, sentAddress } from '../http/url-host.ts'
import { savesIn } from '../run/file-names.ts'
import type { LinePart, ResponseTemplate, Save } from '../run/response-template.ts'
import type { Declaration, HttpTemplate } from './declaration.ts'
import type { Field } from './field.ts'
import { judgeTemplate, type TemplatePart } from './template.ts'

/** What calling an action does, as far as its declaration decides it. */
export interface Effects {
  /** The command that it runs; what that reads, writes and reaches is not known. */
  readonly command: string | null
  /** The host that it asks, as the request will see it. */
  readonly host: string | null
  /** What it asks there. */
  readonly request: Request | null
  /** The same with defaults put in; null where none stands in the host. */
  readonly defaultHost: DefaultHost | null
  /** What fields are where a call does not say. */
  readonly defaults: readonly { readonly field: string; readonly value: string }[]
  /** Files whose content goes into the request. */
  readonly reads: readonly SentFile[]
  /** Files that the answer goes into. */
  readonly writes: readonly string[]
  /** Its author says that values may be code. */
  readonly unsafe: boolean
}

/** A file that a field names, and the one that is taken where nothing is given. */
export interface SentFile {
  readonly field: string
  readonly fallback: string | null
}

export type Request = {
  readonly method: string
  /** With the places of its fields. */
  readonly address: string
  /** Stored variables that go along, wherever they stand. */
  readonly variables: readonly string[]
}

/** The effects of an action, all read from the templates that are filled when it runs. */
export function effectsOf(
  declaration: Declaration,
  response: ResponseTemplate | null,
  /** Those of stored variables. */
  fallbacks: ReadonlyMap<string, string> = new Map(),
): Effects {
  const { template, fields } = declaration
  const defaults = fields.flatMap(({ name, fallback }) => (fallback === null ? [] : [{ field: name, value: fallback }]))
  const writes = response === null ? [] : writtenFiles(response, fields)
  if (template.kind === 'cli') {
    const { script, isUnsafe: unsafe } = template
    return {
      command: shownScript(script),
      host: null,
      request: null,
      defaultHost: null,
      defaults,
      reads: [],
      writes,
      unsafe,
    }
  }
  const names = new Set(fields.map(({ name }) => name))
  const url = partsOf(template.url, names)
  return {
    command: null,
    host: visibleLine(hostOf(url)),
    request: {
      method: template.method,
      address: visibleLine(sentAddress(url)),
      variables: variablesIn(template, fields),
    },
    defaultHost: defaultHost(url, fields, fallbacks),
    defaults,
    reads: filesIn(template, names, fields),
    writes,
    unsafe: false,
  }
}

/** One line, all of it: blanks could push the rest out of sight, so that a row of them is one. */
function shownScript(script: string): string {
  const collapsed = script.trim().replace(/[ \t\n]+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '))
  return visibleLine(collapsed).replace(
    /[^\S ]/gu,
    (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function filesIn(
  { url, headers, body }: HttpTemplate,
  names: ReadonlySet<string>,
  fields: readonly Field[],
): SentFile[] {
  const texts = [url, ...headers.map(([, value]) => value), ...(body === null ? [] : [body])]
  const found = texts.flatMap((text) => partsOf(text, names)).flatMap((part) => (isFile(part) ? [part.name] : []))
  return [...new Set(found)].map((field) => {
    return { field, fallback: fields.find(({ name }) => name === field)?.fallback ?? null }
  })
}

/** Also those that the default of a field names, which is sent where nothing else is given. */
function variablesIn({ url, headers, body }: HttpTemplate, fields: readonly Field[]): string[] {
  const texts = [url, ...headers.map(([, value]) => value), body ?? '', ...fields.map(({ fallback }) => fallback ?? '')]
  const parts = texts.flatMap((text) => partsOf(text, new Set()))
  return [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))].sort()
}

function isFile(part: TemplatePart): part is TemplatePart & { kind: 'field' } {
  return part.kind === 'field' && part.pipes.some((pipe) => pipe !== 'base64')
}

/** `{note}, else notes.txt`, with what is to be said of what a caller gives. */
export function sentFileText({ field, fallback }: SentFile, given = ''): string {
  return visibleLine(fallback === null ? `{${field}}${given}` : `{${field}}${given}, else ${fallback}`)
}

/** The files that a response writes: of a call the paths that are known, else as the template has them. */
export function writtenFiles(
  { nodes }: ResponseTemplate,
  fields: readonly Field[],
  known: ReadonlyMap<Save, string> = new Map(),
): string[] {
  const found = savesIn(nodes).map((save) => {
    const path = known.get(save)
    return path === undefined ? pathText(save.to, fields) : visibleLine(path)
  })
  return [...new Set(found)]
}

/** A path as the template has it; a field that has a default is shown with it, for that is where it goes unless someone says otherwise. */
function pathText(parts: readonly LinePart[], fields: readonly Field[]): string {
  const path = parts.map((part) => (typeof part === 'string' ? part : `{${nameOf(part)}}`)).join('')
  const defaults = parts.flatMap((part) => {
    const field = typeof part === 'string' ? undefined : fields.find(({ name }) => name === nameOf(part))
    return field?.fallback == null ? [] : [`{${field.name}} is ${field.fallback} if not given`]
  })
  return visibleLine([path.trim(), ...defaults].join(', '))
}

function nameOf(part: Exclude<LinePart, string>): string {
  return part.kind === 'path' ? part.path.join('.') : `@${part.shortcut}`
}

function partsOf(text: string, names: ReadonlySet<string>): readonly TemplatePart[] {
  return judgeTemplate(text, names).parts
}
