import { existsSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { isAgentId, systemReason, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { makeFolders } from '../../store/private-dir.ts'
import type { Invocation } from '../arguments.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { AGENT, PROFILE } from './templates.ts'

const FILES = [
  { name: 'agent.yaml', text: PROFILE, mode: 0o644 },
  { name: 'agent.mjs', text: AGENT, mode: 0o755 },
]

/** `string bridge init [DIR]`: a profile and an agent that works at once. Files that are there stay as they are. */
export async function bridgeInit(args: readonly string[], { format }: Invocation, _config: Config): Promise<number> {
  const { values, words } = parseFlags(args, { json: { type: 'boolean' } })
  const [dir = '.', extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${extra}`)
  const files = FILES.map((file) => ({ ...file, path: resolve(dir, file.name) }))
  const taken = files.find(({ path }) => existsSync(path))
  if (taken !== undefined) throw refused(taken.path, 'exists already and is not overwritten; name another folder')
  for (const { path, text, mode } of files) write(resolve(dir), path, text, mode)
  if (values.json || format === 'json') {
    console.log(JSON.stringify({ files: files.map(({ path }) => path), profile: resolve(dir, 'agent.yaml') }))
    return EXIT.ok
  }
  const profile = typed(shownPath(join(dir, 'agent.yaml')))
  const called = basename(resolve(dir))
  const name = isAgentId(called) ? called : 'NAME'
  const next = [
    'Try it:',
    `  string bridge run --profile ${profile} -m hello`,
    `  string chat --profile ${profile}`,
    'Let it live in the daemon, which keeps its history:',
    `  string agent add ${name} --profile ${profile}`,
    `  string chat ${name}`,
  ].join('\n')
  console.log(`Wrote ${files.map(({ path }) => shownPath(path)).join(' and ')}\n${inOwnName(next)}`)
  return EXIT.ok
}

function write(dir: string, path: string, text: string, mode: number): void {
  try {
    makeFolders(dir)
    writeFileSync(path, text, { mode, flag: 'wx' })
  } catch (error) {
    throw refused(path, `cannot be written: ${systemReason(String((error as NodeJS.ErrnoException).code))}`)
  }
}

function refused(path: string, reason: string): CliError {
  return new CliError(EXIT.commandError, `${shownPath(path)} ${reason}`)
}

/** A path as one would type it from here. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), resolve(path))
  return visibleLine(short.startsWith('..') ? resolve(path) : short)
}

function typed(path: string): string {
  return /^[\w./~@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
