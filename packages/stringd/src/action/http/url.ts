import { type Failure, fail, LIMITS, quoted } from '@string-os/protocol'
import type { Filler } from '../call/fill.ts'
import { type Fault, fault } from '../declare/field.ts'
import type { TemplatePart } from '../declare/template.ts'

/** `authority`: the host and its port, where nothing else of them is written. */
type Region = 'scheme' | 'authority' | 'host' | 'path' | 'query'

/** Fills an address: a value is one encoded value where it stands, and never changes what the address is. */
export function fillUrl(
  parts: readonly TemplatePart[],
  query: readonly (readonly [name: string, value: string])[],
  { fill }: Pick<Filler, 'fill'>,
): { readonly ok: true; readonly url: string } | Failure {
  let url = ''
  const inPath: { start: number; end: number }[] = []
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') {
      url += part.text
      continue
    }
    const region = isWhole(url, part, parts[index + 1]) ? 'authority' : regionOf(url)
    const filled = fill(part)
    if (!filled.ok) return filled
    const refused = refusal(region, part, filled.real ?? filled.text)
    if (refused !== null) return refused
    const start = url.length
    url += region === 'host' || region === 'authority' ? filled.text : encodeURIComponent(filled.text)
    if (url.length > LIMITS.headerBytes)
      return fail('TOO_LARGE', 'The address would be too long for any server', 'Give shorter values')
    if (region === 'path') inPath.push({ start, end: url.length })
  }
  const dots = inPath
    .map(({ start, end }) => segmentAt(url, start, end))
    .find((each) => /^(?:\.|%2e){1,2}$/i.test(each))
  if (dots !== undefined)
    return fail('INVALID_PARAMS', `${dots} would lead to another path of the server`, 'Give a value that is a name')
  return { ok: true, url: withQuery(url, query) }
}

/** Why every call would refuse a variable or a field that has this value, whatever else it is given. */
export function refusedInUrl(
  parts: readonly TemplatePart[],
  { kind, name, value }: { readonly kind: 'variable' | 'field'; readonly name: string; readonly value: string },
): Failure | null {
  const filled = fillUrl(parts, [], {
    fill: (part) => {
      const isIt = part.kind === kind && part.name === name && (part.kind === 'variable' || part.pipes.length === 0)
      const text = isIt ? value : 'x'
      return { ok: true, text, json: JSON.stringify(text) }
    },
  })
  return filled.ok || filled.code === 'ACTION_FAILED' ? null : filled
}

/** Nothing but a machine is spelled so; anything else may be an address beside the document. */
const MACHINE = /^(?:localhost(?=[:/?]|$)|\d+\.\d+\.\d+\.\d+(?=[:/?]|$)|[\w-]+(?:\.[\w-]+)*(?=:\d+(?:[/?]|$)))/i

/** An address that was written without its scheme, wherever it is called. */
export function beginsWithMachine(url: string): boolean {
  return MACHINE.test(url)
}

/** The whole address that may be meant by one without a scheme and a host; null where it has them, or begins with a value. */
export function wholeAddress(url: string): string | null {
  if (url === '' || /^[${]|^https?:|^[A-Za-z][A-Za-z0-9+.-]*:\/\//i.test(url)) return null
  if (url.startsWith('//')) return `https:${url}`
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}(?=[:/?#]|$)/.test(url)
  return `https://${isHost ? url : `HOST/${url.replace(/^[./]+/, '')}`}`
}

/** What no call could mend, whatever its values are. */
export function addressProblem(parts: readonly TemplatePart[]): Fault | null {
  if (probeOf(parts) !== null) return null
  return fault(
    'the address is none that can be asked: look at its host and port',
    'An address looks like https://api.example.com/items or http://127.0.0.1:8080/items',
  )
}

/** A user name or password in an address, which no request may have. */
export function carriesUser(parts: readonly TemplatePart[]): boolean {
  const probe = probeOf(parts)
  return probe !== null && (probe.username !== '' || probe.password !== '')
}

/** The address with values that stand for any other, `1` where only a number can be; a page may name one beside itself. */
function probeOf(parts: readonly TemplatePart[]): URL | null {
  const filled = ['x', '1'].map((value) => parts.map((part) => (part.kind === 'text' ? part.text : value)).join(''))
  const found = filled.find((each) => URL.canParse(each, 'https://page.invalid/'))
  return found === undefined ? null : new URL(found, 'https://page.invalid/')
}

function withQuery(url: string, query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return url
  const [address = '', ...fragment] = url.split('#')
  const mark = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return [`${address}${mark}${pairs.join('&')}`, ...fragment].join('#')
}

/** Where in an address the next character would stand. */
function regionOf(url: string): Region {
  if (/[?#]/.test(url)) return 'query'
  if (/^[./]/.test(url) && !url.startsWith('//')) return 'path'
  const [, rest] = /^https?:\/\/(.*)$/is.exec(url) ?? []
  if (rest === undefined) return 'scheme'
  return /[/\\]/.test(rest) ? 'path' : 'host'
}

/** Who installs a package sets its variables; a caller, who gives fields, chooses no port. */
function isWhole(url: string, { kind }: TemplatePart, next: TemplatePart | undefined): boolean {
  const isEnd = next === undefined || (next.kind === 'text' && /^[/?#]/.test(next.text))
  return kind === 'variable' && /^https?:\/\/$/i.test(url) && isEnd
}

const HOST = /^[A-Za-z0-9.-]+$/

function isAuthority(value: string): boolean {
  const [, host = '', port] = /^([^:]*)(?::([0-9]{1,5}))?$/.exec(value) ?? []
  return HOST.test(host) && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535))
}

function refusal(
  region: Region,
  { kind, name }: Exclude<TemplatePart, { kind: 'text' }>,
  value: string,
): Failure | null {
  if (region === 'scheme')
    return fail(
      'ACTION_FAILED',
      `The address of this action does not begin with http:// or https:// but with ${name}`,
      'Mend its address in the document: the scheme and the two slashes are not a field; the host can be one, and the port behind a colon',
    )
  if (region === 'authority' && !isAuthority(value))
    return fail(
      'INVALID_PARAMS',
      `${name} is the host of the address: letters, digits, dots and dashes, and perhaps a colon and a port up to 65535`,
      'Give a host like api.example.com or 127.0.0.1:8080, without scheme and path',
    )
  if (region === 'host' && !HOST.test(value))
    return fail(
      'INVALID_PARAMS',
      `${name} stands in the host of the address: letters, digits, dots and dashes only`,
      `Give a host name, without scheme, port and path; a port stands behind it: http://${kind === 'field' ? `{${name}}:{port}` : '$HOST:$PORT'}/`,
    )
  if (region === 'path' && value === '')
    return fail(
      'INVALID_PARAMS',
      `${name} stands in the path of the address and cannot be empty`,
      `Give --${name} a value`,
    )
  return null
}

/** The whole segment of the path in which a value stands. */
function segmentAt(url: string, start: number, end: number): string {
  const from = url.lastIndexOf('/', start - 1) + 1
  const length = url.slice(end).search(/[/\\?#]|$/)
  return quoted(url.slice(from, end + length))
}
