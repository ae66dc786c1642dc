import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Caps, LIMITS, nearest } from '@string-os/protocol'
import { commandWords, wordFindings } from './argv.ts'
import { closed } from './closed.ts'
import type { Finding } from './finding.ts'
import type { KeyValues, ProfileReader } from './profile-keys.ts'
import { readKeys } from './profile-yaml.ts'
import type { Wire } from './wires.ts'

/** How an agent is run: the keys of its profile, read and sound. */
export interface Profile {
  /** Its folder is where relative programs and folders start. */
  readonly path: string
  /** The program and its first arguments; placeholders stand as written. */
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly stdin: 'none' | 'message'
  readonly cwd: string | null
  /** As written: `${NAME}` is not expanded yet. */
  readonly env: Readonly<Record<string, string>>
  /** The only variables that `env` may refer to; null: all. */
  readonly envAllowlist: readonly string[] | null
  readonly envInherit: 'minimal' | 'all'
  readonly timeoutMs: number
  readonly killGraceMs: number
  readonly maxReplyChars: number
  readonly truncationSuffix: string
  readonly includeStderrInReply: boolean
  readonly sendErrorReply: boolean
  readonly streaming: boolean
  readonly sessionLinePrefix: string
  readonly wire: Wire
  readonly permission: boolean
  readonly permissionPolicy: 'ask' | 'allow' | 'deny'
  readonly approvalMs: number
  readonly wake: 'events' | null
  readonly chanflow: boolean
  readonly maxSteps: number
  readonly turnTimeoutMs: number
  readonly primer: boolean
  readonly whenBusy: 'queue' | 'collect' | 'interrupt' | 'refuse'
  readonly placement: 'home' | 'any'
  readonly limits: Caps
}

export type ProfileReading =
  | { readonly ok: true; readonly profile: Profile; readonly warnings: readonly Finding[] }
  | { readonly ok: false; readonly problems: readonly Finding[]; readonly warnings: readonly Finding[] }

/** Reads the text of a profile; nothing of it is looked up or run. */
export function parseProfile(text: string, path: string, reader: ProfileReader = 'bridge'): ProfileReading {
  const { values, places, problems, warnings } = readKeys(text, reader)
  if (values === null) return { ok: false, problems, warnings }
  const words = wordFindings(values, places)
  const all = { problems: [...problems, ...words.problems], warnings: [...warnings, ...words.warnings] }
  if (all.problems.length > 0) return { ok: false, ...all }
  return { ok: true, profile: profileOf(values, path), warnings: all.warnings }
}

/** Reads a profile from its file. One that cannot be read is a problem of the file as a whole. */
export async function loadProfile(path: string, reader: ProfileReader = 'bridge'): Promise<ProfileReading> {
  const full = resolve(path)
  try {
    const { text, real } = await readFile(full)
    return parseProfile(text, real, reader)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const told = code === 'EACCES' ? await closed(full) : unreadable(full, error, await meant(full))
    const finding = { line: 0, column: 0, ...told }
    return { ok: false, problems: [finding], warnings: [] }
  }
}

async function readFile(path: string): Promise<{ text: string; real: string }> {
  const real = await realpath(path)
  // Looked at before it is opened: a pipe would keep us waiting.
  if (!(await stat(real)).isFile()) throw new Error('it is not a file')
  const file = await open(real)
  try {
    const buffer = Buffer.alloc(LIMITS.profileBytes + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    if (bytesRead > LIMITS.profileBytes) throw new Error(`it is larger than ${LIMITS.profileBytes} bytes`)
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)), real }
  } finally {
    await file.close()
  }
}

/** A profile that is probably meant: one beside it with nearly that name, or the only one in a folder of that name. */
async function meant(path: string): Promise<string | null> {
  const profiles = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name))
  const [inside, other] = await profiles(path)
  if (inside !== undefined) return other === undefined ? join(path, inside) : null
  // Their ends are alike anyway.
  const stem = (name: string): string => name.replace(/\.ya?ml$/, '')
  const others = (await profiles(dirname(path))).filter((name) => name !== basename(path))
  const near = nearest(stem(basename(path)), others.map(stem))
  const named = others.find((name) => stem(name) === near)
  return named === undefined ? null : join(dirname(path), named)
}

function unreadable(path: string, error: unknown, other: string | null): Pick<Finding, 'message' | 'fix'> {
  const { code, message } = error as NodeJS.ErrnoException
  const fix = other === null ? null : `Did you mean ${other}?`
  if (code === 'ENOENT')
    return { message: `There is no file ${path}`, fix: fix ?? 'Check the path, or write one with: string bridge init' }
  const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : message
  return { message: `${path} cannot be read: ${reason}`, fix }
}

function profileOf(values: KeyValues, path: string): Profile {
  return {
    path,
    command: commandWords(values),
    args: values.args,
    stdin: values.stdin,
    cwd: values.cwd,
    env: values.env,
    envAllowlist: values.env_allowlist,
    envInherit: values.env_inherit,
    timeoutMs: values.timeout_secs * 1000,
    killGraceMs: values.kill_grace_secs * 1000,
    maxReplyChars: values.max_reply_chars,
    truncationSuffix: values.truncation_suffix,
    includeStderrInReply: values.include_stderr_in_reply,
    sendErrorReply: values.send_error_reply,
    streaming: values.streaming,
    sessionLinePrefix: values.session_line_prefix,
    wire: values.wire,
    permission: values.permission,
    permissionPolicy: values.permission_policy,
    approvalMs: values.approval_timeout_secs * 1000,
    wake: values.wake,
    chanflow: values.chanflow,
    maxSteps: values.max_steps,
    turnTimeoutMs: values.turn_timeout_secs * 1000,
    primer: values.primer,
    whenBusy: values.when_busy,
    placement: values.placement,
    limits: values.limits,
  }
}
