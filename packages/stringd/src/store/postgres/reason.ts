import { Masker, quoted } from '@string-os/protocol'
import { DatabaseError } from 'pg'

const NETWORK: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['ENOENT', 'there is no such socket'],
  ['EACCES', 'the socket may not be used'],
  ['ENOTFOUND', 'the host has no address'],
  ['EAI_AGAIN', 'the host has no address now'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the host cannot be reached'],
  ['ETIMEDOUT', 'the host did not answer in time'],
])

const SERVER: ReadonlyMap<string, string> = new Map([
  ['57P01', 'the database server shuts down, or ended the connection'],
  ['57P02', 'the database server crashed'],
  ['57P03', 'the database server starts or stops'],
  ['57014', 'the database took too long'],
  ['53300', 'the database server has no connection left'],
  ['53100', 'the disk of the database server is full'],
  ['25006', 'the database can only be read now'],
])

/** Why a database could not be asked, in one line that shows no password. */
export function reasonOf(error: unknown, passwords: readonly (string | null | undefined)[]): string {
  const code = codeOf(error)
  const known = SERVER.get(code) ?? NETWORK.get(code)
  if (known !== undefined) return known
  const hidden = new Masker('•••', 1)
  for (const password of passwords) if (password) hidden.add(password)
  const said = quoted(hidden.mask(messageOf(error)))
  return code === '' ? said : `${said} (${code})`
}

export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The server rolled everything back because somebody else was faster: it may be tried again. */
export function isConflict(error: unknown): boolean {
  if (['40001', '40P01'].includes(codeOf(error))) return true
  // Another turn of the session began in this moment, which the next try sees.
  return error instanceof DatabaseError && error.constraint === 'turns_one_at_a_time'
}

/** After this nothing more comes over the connection. */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** What was asked for can never be stored: another try, or another server, would change nothing. */
export function isWrongData(error: unknown): boolean {
  return error instanceof DatabaseError && /^(22|23|54)/.test(error.code ?? '')
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
