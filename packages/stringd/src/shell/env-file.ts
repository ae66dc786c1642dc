import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'

type Variables = Readonly<Record<string, string>>

/** What the file sets, and what is wrong with its lines, each with its place. No text of a line is told: it may be a secret. */
export interface EnvFile {
  readonly variables: Variables
  readonly problems: readonly string[]
  /** The same by the name that a line was to set. */
  readonly slips: ReadonlyMap<string, string>
}

/** Where variables for shells, agents and channels are set. */
export function envFilePath(dataDir: string): string {
  return join(dataDir, 'env')
}

/** What to do about a variable that one of them lacks. */
export function howToSet(dataDir: string): (name: string) => string {
  const path = envFilePath(dataDir)
  return (name) => slipsIn(path).get(name) ?? `Write ${name}=… into ${path}`
}

function slipsIn(path: string): EnvFile['slips'] {
  try {
    return lookAtEnvFile(path).slips
  } catch {
    // What cannot be read is told by whoever needs it.
    return new Map()
  }
}

/** Reads the file anew each time, so that a key which was added counts at once. What is wrong with it is told once. */
export function envFileReader(path: string, log: Log): () => Variables {
  let told = ''
  return () => {
    const { variables, problems } = lookAtEnvFile(path)
    const reason = problems.join('; ')
    if (reason !== told && reason !== '') log.warn('Something is wrong with lines of the file env', { path, reason })
    told = reason
    return variables
  }
}

/** `NAME=value` lines that a person put into the data folder. */
export function lookAtEnvFile(path: string): EnvFile {
  try {
    return parseEnv(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { variables: {}, problems: [], slips: new Map() }
    throw error
  }
}

interface Slip {
  readonly column: number
  readonly text: string
  /** What the line was to set, as far as that can be told. */
  readonly name?: string
}

function parseEnv(text: string, path: string): EnvFile {
  const variables: Record<string, string> = {}
  const problems: string[] = []
  const slips = new Map<string, string>()
  text.split('\n').forEach((whole, index) => {
    const line = whole.replace(/\r$/, '')
    if (/^\s*(?:#|$)/.test(line)) return
    const [, before = '', name = '', value = ''] = LINE.exec(line) ?? []
    const slip = name === '' ? noLine(line) : inValue(value, before.length + name.length + 2)
    const problem = slip === null ? null : `${path}:${index + 1}:${slip.column}: ${slip.text}`
    if (problem !== null) problems.push(problem)
    if (problem !== null && slip?.name !== undefined) slips.set(slip.name, problem)
    if (name !== '' && !value.includes('\0')) variables[name] = value
  })
  const left = problems.length - LIMITS.doctorFindings
  const more = left > 0 ? [`${path}: ${left} more lines like these`] : []
  return { variables, problems: [...problems.slice(0, LIMITS.doctorFindings), ...more], slips }
}

const LINE = /^(\s*)([A-Za-z_][A-Za-z0-9_]*)=(.*)$/

/** Why a line sets nothing. */
function noLine(line: string): Slip {
  const at = line.length - line.trimStart().length
  const text = line.trimStart()
  const column = at + 1
  const [, exported] = /^export\s+([A-Za-z_][A-Za-z0-9_]*)/.exec(text) ?? []
  if (/^export\s/.test(text)) return { column, text: `Leave out "export": ${UNUSED}`, ...named(exported) }
  const [, name = '', gap = '', sign] = /^([A-Za-z_][A-Za-z0-9_]*)(\s*)([=:])/.exec(text) ?? []
  if (sign === undefined) return { column, text: `It is not NAME=value: ${UNUSED}` }
  const after = column + name.length
  if (sign === ':') return { column: after + gap.length, text: `Write = in place of the colon: ${UNUSED}`, name }
  return { column: after, text: `Leave out the blanks around =: ${UNUSED}`, name }
}

function named(name: string | undefined): Pick<Slip, 'name'> {
  return name === undefined ? {} : { name }
}

const UNUSED = 'as it is, the line sets nothing'

/** What is probably not meant as a part of a value, and is one. */
function inValue(value: string, column: number): Slip | null {
  if (value.includes('\0'))
    return { column, text: `It holds a NUL character, which no program can be given: ${UNUSED}` }
  if (/^\s|\s$/.test(value)) {
    const at = /^\s/.test(value) ? column : column + value.trimEnd().length
    return { column: at, text: 'Blanks at an end of the value are a part of it: leave them out' }
  }
  const isQuoted = value.length > 1 && /^(["']).*\1$/.test(value)
  return isQuoted ? { column, text: 'The quotes are a part of the value: leave them out, unless that is meant' } : null
}
