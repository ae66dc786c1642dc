import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { prepare } from '../../src/action/call/prepare.ts'
import type { Compiled } from '../../src/action/declare/compile.ts'
import { compiledOf, packagePowers } from './engine.ts'

/** An action with a field `v` and this template; null where it is refused. */
export function accepted(template: string, line = ''): Compiled | null {
  // In braces, for a template may end with lines that are indented.
  const compiled = compiledOf(`CLI ${template}\n:\n${line}  v: string\n  n: string\n  q: string`)
  return compiled.ok ? compiled : null
}

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  /** What the files hold that it left, one after the other. */
  readonly files: string
  readonly hasMarker: boolean
}

/** Stored variables, for templates that read one before they give it a value. */
export const VARIABLES: Readonly<Record<string, string>> = {
  x: '1',
  y: 'w',
  n: '2',
  a: 'w w',
  i: '0',
  o: '',
  EMPTY: '',
}

/** What holds a script that nobody has read: a user of its own, with few processes, little time and small files. */
export interface Fence {
  readonly uid: number
  readonly processes: number
}

/** Runs the script of an action with one value for all its fields, for real, in a folder of its own. */
export async function runWith(
  compiled: Compiled,
  value: string,
  dir: string,
  path: string,
  fence: Fence | null = null,
): Promise<Ran | null> {
  const given = { ok: true as const, text: value, json: '""', items: null }
  const values = new Map(['v', 'n', 'q'].map((name) => [name, given]))
  const call = { ok: true as const, values, rest: [...value.split(' '), 'touch', 'M'], help: false, dryRun: false }
  const context = new Map([['CWD', dir]])
  const prepared = prepare(compiled, call, { ...packagePowers(VARIABLES), context })
  if (!prepared.ok || prepared.action.kind !== 'cli') return null
  const { script, environment } = prepared.action
  return runScript(script, Object.fromEntries(environment), dir, path, fence)
}

/** The leader of the group outlives the script, and ends all that it has left. A function that calls itself twice would not end. */
const LEADER = 'export FUNCNEST=4; eval "$2"; /bin/bash -c "$1"; printf %s "$?" >&3; kill -KILL 0'

/** Runs a script as it is. */
export async function runScript(
  script: string,
  environment: Readonly<Record<string, string>>,
  dir: string,
  path: string,
  fence: Fence | null = null,
): Promise<Ran> {
  mkdirSync(dir, { recursive: true })
  if (fence !== null) chownSync(dir, fence.uid, fence.uid)
  const user = fence === null ? {} : { uid: fence.uid, gid: fence.uid }
  const limits = fence === null ? '' : `ulimit -u ${fence.processes} -t 10 -f 4096 -v 2000000`
  const env = { PATH: path, HOME: dir, CWD: dir, STRING_PACKAGE: dir, LANG: 'C.UTF-8', ...environment }
  const child = spawn('/bin/bash', ['-c', LEADER, 'bash', script, limits], {
    ...user,
    cwd: dir,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const { pid } = child
  const timer = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), 20_000)
  const [stdout, status] = await Promise.all([textOf(child.stdout), textOf(child.stdio[3])])
  await new Promise((resolve) => {
    if (child.exitCode === null && child.signalCode === null) child.on('exit', resolve)
    else resolve(null)
  })
  clearTimeout(timer)
  const ran = { status: status === '' ? null : Number(status), stdout, ...leftIn(dir) }
  rmSync(dir, { recursive: true, force: true })
  return ran
}

async function textOf(stream: unknown): Promise<string> {
  const chunks: Buffer[] = []
  if (stream instanceof Readable) for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function leftIn(dir: string): Pick<Ran, 'files' | 'hasMarker'> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(dir, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .map((file) => readFileSync(file, 'utf8'))
  return { files: files.join('\n'), hasMarker: existsSync(join(dir, 'M')) }
}

/** Does some work with every item, a few at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()]
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one[1], one[0])
  }
  await Promise.all([next(), next(), next(), next()])
}

/** Programs that print what they are given: words, variables, files and input. */
const SHOW = `#!/bin/bash
printf '%s\\0' "\${0##*/}" "$@" "$Q" "$QUERY" "$TZ" "$GH_REPO" "$AWS_PROFILE"
for file; do { [ -f "$file" ] || [ -p "$file" ]; } && /bin/cat -- "$file"; done
/bin/cat
`
const OTHERS: Readonly<Record<string, string>> = {
  date: '#!/bin/bash\n[ "$1" = +%s ] && echo 100000 || printf "%s\\n" "$@" "$TZ"\n',
  mktemp: '#!/bin/bash\n: > "$HOME/made"; echo "$HOME/made"\n',
  uname: '#!/bin/bash\necho Test\n',
  seq: '#!/bin/bash\nfor ((i = $1; i <= $2; i++)); do echo "$i"; done\n',
}
const NAMES =
  'curl jq git gh rg fd wget docker kubectl systemctl journalctl ping dig open xdg-open notify-send say pbcopy pandoc ffmpeg ' +
  'convert yt-dlp aws ollama claude code tree npm uv python3 node ruby perl deno bun awk sed grep find ls head tail nl cp mv rm tar ' +
  'zip du diff sort uniq cut wc base64 tr sha256sum tee cal cat'

/** A folder with stand-ins for programs that not every machine has, or that would not show what they were given. */
export function standIns(dir: string, names = NAMES): string {
  mkdirSync(dir, { recursive: true })
  const programs = {
    ...Object.fromEntries(names.split(' ').map((name) => [name, SHOW])),
    ...(names === NAMES ? OTHERS : {}),
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(dir, name), text)
    chmodSync(join(dir, name), 0o755)
  }
  return dir
}

/** The folder in which a template runs: with a script of its author and a few files. */
export function furnish(dir: string): void {
  mkdirSync(join(dir, 'backup'), { recursive: true })
  writeFileSync(join(dir, 'run.sh'), SHOW)
  chmodSync(join(dir, 'run.sh'), 0o755)
  for (const name of ['notes.txt', 'notes.md', 'data.json']) writeFileSync(join(dir, name), 'one\ntwo\n')
}
