import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { ProcessEnvironment } from './env.ts'
import type { Profile } from './profile.ts'

/** A file to execute, or why there is none; the exit codes are those of a shell. */
export type ProgramFound =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly exitCode: 126 | 127; readonly message: string }

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'
const HEAD_BYTES = 256
/** ELF, and the Mach-O kinds: what the system runs itself. */
const MAGIC = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']

const MEND = 'Install it, or mend `command` in the profile.'

/** Finds the program that the first word names: a bare one on the PATH, a relative one beside the profile. */
export function findProgram(word: string, profile: Profile, env: ProcessEnvironment): ProgramFound {
  const folder = dirname(profile.path)
  const expanded = expandHome(word, env)
  if (expanded.includes('/')) {
    const found = checkProgram(resolve(folder, expanded))
    const unsplit = found.ok || found.exitCode === 126 ? null : unsplitCommand(expanded, profile)
    return unsplit === null ? found : missing(unsplit)
  }
  const found = onPath(expanded, env.PATH ?? DEFAULT_PATH)
  if (found !== null) return checkProgram(found)
  const unsplit = unsplitCommand(expanded, profile)
  if (unsplit !== null) return missing(unsplit)
  const beside = existsSync(join(folder, expanded)) ? `; one is beside the profile: write ./${expanded}` : ''
  return missing(`The program ${expanded} was not found on the PATH${beside}. ${MEND}`)
}

/** A program that is written with its arguments where all of it is taken for the name; null: it is none. */
function unsplitCommand(program: string, { command }: Profile): string | null {
  const words = command.length === 1 ? program.trim().split(/\s+/) : []
  if (words.length < 2) return null
  const list = words.map((word) => JSON.stringify(word)).join(', ')
  return `There is no program ${program}: a list is not split, nor is \`command\` with wire 0.4. Write each word apart: command: [${list}]`
}

/** `~` alone or before a slash is the home folder. */
function expandHome(path: string, { HOME }: ProcessEnvironment): string {
  return HOME !== undefined && /^~(?:\/|$)/.test(path) ? HOME + path.slice(1) : path
}

export function findFolder(cwd: string, profile: Profile, env: ProcessEnvironment): string {
  return resolve(dirname(profile.path), expandHome(cwd, env))
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** A program is told that it may not be executed where it is its folder that may not be entered. */
export function mayEnter(folder: string): boolean {
  return isExecutable(folder)
}

function onPath(name: string, path: string): string | null {
  // An empty or relative entry would mean a folder that somebody else chose.
  const files = path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
  return files.find((file) => isExecutable(file) && isRegular(file)) ?? files.find(isRegular) ?? null
}

function checkProgram(path: string): ProgramFound {
  try {
    if (!statSync(path).isFile()) return refused(`${path} is not a file that can be run.`)
  } catch {
    // Not there, or in a folder that is closed to us.
    return missing(`The program ${path} was not found. ${MEND}`)
  }
  if (!isExecutable(path)) return refused(`${path} may not be executed. Allow it with: chmod +x ${path}`)
  return checkHead(path, readHead(path))
}

/** What is neither a binary nor names its interpreter would be handed to a shell by the system. */
function checkHead(path: string, head: Buffer | null): ProgramFound {
  // What may be executed but not read is no script.
  if (head === null || MAGIC.includes(head.toString('hex', 0, 4))) return { ok: true, path }
  const [line = ''] = head.toString('latin1').split('\n', 1)
  if (!line.startsWith('#!'))
    return refused(`${path} is neither a binary nor a script. Begin it with a line like: #!/usr/bin/env python3`)
  if (line.endsWith('\r')) return refused(`The first line of ${path} ends with CRLF. Save it with LF line ends.`)
  const [interpreter = ''] = line.slice(2).trim().split(/\s/, 1)
  if (existsSync(interpreter)) return { ok: true, path }
  return missing(`${interpreter || 'The interpreter'}, which the first line of ${path} names, was not found.`)
}

function readHead(path: string): Buffer | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // Not ours to read.
    return null
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(file)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // It may not be executed.
    return false
  }
}

export function isRegular(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // In a folder that is closed to us.
    return false
  }
}

const missing = (message: string): ProgramFound => ({ ok: false, exitCode: 127, message })
const refused = (message: string): ProgramFound => ({ ok: false, exitCode: 126, message })

/** What spawning said about a program that looked right. */
export function spawnFailure(path: string, error: NodeJS.ErrnoException): { exitCode: number; message: string } {
  const name = basename(path)
  if (error.code === 'E2BIG')
    return { exitCode: 2, message: 'The message and the environment together are too large. Set `stdin: message`.' }
  if (error.code === 'ENOENT') return { exitCode: 127, message: `${path} or its interpreter was not found.` }
  if (error.code === 'EACCES') return { exitCode: 126, message: `${path} may not be executed.` }
  return { exitCode: 126, message: `${name} could not be started: ${error.code ?? error.message}.` }
}
