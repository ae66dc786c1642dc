import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import { quoted } from '@string-os/protocol'
import { StoreRefused } from '../refused.ts'

/** Where a PostgreSQL is, and how one connects. */
export interface ServerAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Undefined: from PGPASSWORD or ~/.pgpass, where it is needed. */
  readonly password: string | undefined
  readonly ssl: false | ConnectionOptions
  readonly bindsChannel: boolean
  /** What a person may see. */
  readonly where: string
}

const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'channel_binding']
const VERIFIED = ['require', 'verify-ca', 'verify-full']
const UNVERIFIED = ['disable', 'allow', 'prefer', 'no-verify']

/** Reads `postgres://…`. Whatever is wrong with it, the message shows nothing that could be a part of the password. */
export function parseAddress(text: string): ServerAddress {
  const { url, hasHost } = urlOf(text)
  const parameters = parametersOf(url)
  const host = parameters.get('host') ?? (hasHost ? hostOf(url) : 'localhost')
  if (host.includes(',')) throw refused('names more than one host', 'name one')
  const user = decoded(url.username) || userInfo().username
  const database = decoded(url.pathname.slice(1)) || user
  const port = portOf(parameters.get('port') ?? url.port)
  return {
    host,
    port,
    user,
    database,
    password: decoded(url.password) || undefined,
    ssl: tlsOf(host, parameters),
    bindsChannel: (parameters.get('channel_binding') ?? 'disable') !== 'disable',
    where: shown(host, port, user, database),
  }
}

/** Of these nobody can listen in: the connection does not leave the machine. */
export function isThisMachine(host: string): boolean {
  if (host.startsWith('/') || host.toLowerCase() === 'localhost') return true
  const family = isIP(host)
  if (family === 0) return false
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

function urlOf(text: string): { url: URL; hasHost: boolean } {
  if (!/^postgres(ql)?:\/\//.test(text)) throw refused('does not begin with postgres://', `write ${FORM}`)
  if (/[\s\0]/.test(text)) throw refused('holds a space', 'percent-encode it (%20)')
  const rest = text.slice(text.indexOf('://') + 3)
  const authority = rest.split(/[/?#]/, 1)[0] ?? ''
  // A password with one of these ends the host too early, and the rest of it would be shown as something else.
  if (rest.slice(authority.length).includes('@') || rest.includes('#')) {
    throw refused('has an @ after its host', 'percent-encode the / ? # @ of the password: %2F %3F %23 %40')
  }
  const hasHost = authority !== '' && !authority.endsWith('@')
  // Without a host there is no user for the URL parser.
  const whole = hasHost ? text : text.replace(`://${authority}`, `://${authority}localhost`)
  if (!URL.canParse(whole)) throw refused('is no address', `write ${FORM}, with a number as PORT`)
  return { url: new URL(whole), hasHost }
}

function parametersOf(url: URL): Map<string, string> {
  const all = new Map(url.searchParams)
  const unknown = [...all.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    throw refused(`has the parameter ${quoted(unknown)}`, `it may have ${PARAMETERS.join(', ')}`)
  }
  return all
}

function hostOf(url: URL): string {
  return decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'))
}

function portOf(text: string): number {
  const port = text === '' ? 5432 : Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refused('has no port that there is', 'usual is 5432')
  return port
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused('has a % that encodes nothing', 'write %25 for a percent sign')
  }
}

function tlsOf(host: string, parameters: ReadonlyMap<string, string>): ServerAddress['ssl'] {
  const mode = parameters.get('sslmode') ?? (isThisMachine(host) ? 'disable' : 'verify-full')
  if (!VERIFIED.includes(mode) && !UNVERIFIED.includes(mode)) {
    throw refused(`has the unknown sslmode ${quoted(mode)}`, `it may be ${VERIFIED.join(', ')}`)
  }
  if (VERIFIED.includes(mode)) return verifiedTls(host, parameters)
  if (isThisMachine(host)) return mode === 'no-verify' ? { rejectUnauthorized: false } : false
  throw refused(
    `has sslmode=${mode}, and ${quoted(host)} is another machine: anybody on the way could read the password`,
    'leave sslmode out, and name the certificate of a CA of your own with sslrootcert=FILE',
  )
}

function verifiedTls(host: string, parameters: ReadonlyMap<string, string>): ConnectionOptions {
  const options: ConnectionOptions = { rejectUnauthorized: true, host }
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileOf(name, parameters))
  if (ca !== undefined) options.ca = ca
  if (cert !== undefined) options.cert = cert
  if (key !== undefined) options.key = key
  return options
}

function fileOf(name: string, parameters: ReadonlyMap<string, string>): string | undefined {
  const path = parameters.get(name)
  // The roots that Node has are the default.
  if (path === undefined || (name === 'sslrootcert' && path === 'system')) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException
    throw refused(`names ${name}=${quoted(path)}, which cannot be read (${code})`, 'name a file in the form PEM')
  }
}

function shown(host: string, port: number, user: string, database: string): string {
  const [name, path] = [encodeURIComponent(user), encodeURIComponent(database)]
  if (host.startsWith('/')) return `postgres://${name}@/${path}?host=${host}&port=${port}`
  return `postgres://${name}@${host.includes(':') ? `[${host}]` : host}:${port}/${path}`
}

function refused(what: string, next: string): StoreRefused {
  return new StoreRefused(`The address of the store ${what}: ${next}`)
}
