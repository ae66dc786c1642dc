import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Failure, fail, LIMITS, listNames, nearest, visibleLine } from '@string-os/protocol'
import type { AdmitUrl } from '../../web/request.ts'
import { shownUrl } from '../../web/target-url.ts'
import { type GitTarget, gitName, gitOrigin, gitSpelling } from './git-target.ts'
import { foldersOf, type PackageSource, type SourceIdentity } from './package-files.ts'
import { readArchive } from './read-archive.ts'

export interface GitSource {
  readonly kind: 'git'
  /** Of a local repository the path is where it really is, and was allowed. */
  readonly target: GitTarget
  /** How messages name it. */
  readonly typed: string
  readonly signal: AbortSignal
}

/** How a run of git ended; `output` is what it printed. */
export type GitEnd =
  | { readonly kind: 'exited'; readonly status: number; readonly output: Buffer; readonly errors: string }
  | { readonly kind: 'timeout' | 'cancelled' | 'too-large' }
  | { readonly kind: 'failed'; readonly reason: string }

export interface GitRun {
  readonly args: readonly string[]
  readonly cwd: string
  readonly variables: Readonly<Record<string, string>>
  /** What it gets of the daemon's own environment, and nothing else. */
  readonly inherits: readonly string[]
  readonly limitMs: number
  readonly signal: AbortSignal
  readonly outputBytes: number
  readonly fileBytes: number
}

export type RunGit = (run: GitRun) => Promise<GitEnd>

export interface GitParts {
  readonly git: RunGit
  readonly admit: AdmitUrl
}

/** Everything that could ask a person, run a program of somebody's, or lead elsewhere is off, whatever this person's settings say. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'credential.interactive=false',
  'fetch.recurseSubmodules=false',
  'fetch.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.followRedirects=false',
  'protocol.allow=never',
  'submodule.recurse=false',
  'transfer.bundleURI=false',
]

/** Wins over what the repository says of its files: no filter runs on them, and they come as they are stored. */
const AS_STORED = '* -filter -text -eol -crlf -ident -export-subst -working-tree-encoding\n'

/** Which protocols a run may speak, by what was asked for; git looks at this before its settings. */
const PROTOCOLS = { web: 'http:https:ssh', ssh: 'ssh:https', local: 'file' } as const

/**
 * A package in a git repository. One commit is fetched into a folder of its own without being checked out, and read as an
 * archive: nothing of it runs and no file of it is written.
 */
export async function readGit(source: GitSource, parts: GitParts): Promise<PackageSource | Failure> {
  const pinned = await pin(source, parts)
  if (!pinned.ok) return pinned
  const folder = await mkdtemp(join(tmpdir(), 'string-git-'))
  try {
    return await readWithin(source, { folder, settings: pinned.settings, git: parts.git })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Fetching {
  readonly folder: string
  readonly settings: readonly string[]
  readonly git: RunGit
}

async function readWithin(source: GitSource, fetching: Fetching): Promise<PackageSource | Failure> {
  const { target } = source
  const end = performance.now() + LIMITS.installMs
  const run = async (args: readonly string[]): Promise<{ ok: true; output: Buffer } | Failure> => {
    const settings = [...SETTINGS, ...fetching.settings].flatMap((setting) => ['-c', setting])
    const ended = await fetching.git({
      args: [...settings, ...args],
      cwd: fetching.folder,
      variables: variablesFor(target),
      inherits: INHERITED,
      limitMs: Math.max(1, end - performance.now()),
      signal: source.signal,
      outputBytes: LIMITS.packageTarBytes,
      fileBytes: LIMITS.packageGitBytes,
    })
    return outcome(ended, source)
  }
  const made = await run(['init', '--quiet', '--bare', '--template=', '.'])
  if (!made.ok) return made
  await mkdir(join(fetching.folder, 'info'), { recursive: true })
  await writeFile(join(fetching.folder, 'info/attributes'), AS_STORED)
  const options = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph']
  const fetched = await run(['fetch', ...options, '--', target.repository, target.ref ?? 'HEAD'])
  if (!fetched.ok) return withVersions(fetched, source, run)
  const tree = target.below === null ? 'FETCH_HEAD' : `FETCH_HEAD:${target.below}`
  const archive = await run(['archive', '--format=tar', tree])
  if (!archive.ok) return withFolders(archive, source, run)
  const identity = { ...identityOf(source), ...(await refOf(target, fetching.folder)) }
  return readArchive(archive.output, identity, (folder) => inRepository(source, folder))
}

type Run = (args: readonly string[]) => Promise<{ ok: true; output: Buffer } | Failure>

/** What there is in place of a version that there is not; a repository may also not say which of its branches is the first. */
async function withVersions(failure: Failure, { typed, target }: GitSource, run: Run): Promise<Failure> {
  if (failure.code !== 'NOT_FOUND') return failure
  const listed = await run([
    'ls-remote',
    '--heads',
    ...(target.ref === null ? [] : ['--tags']),
    '--refs',
    '--',
    target.repository,
  ])
  const found = listed.ok ? [...listed.output.toString().matchAll(/\trefs\/(?:heads|tags)\/([^\n]+)/g)] : []
  const names = found.map(([, name = '']) => visibleLine(name))
  const first = (target.ref === null ? null : nearest(target.ref, names)) ?? names[0]
  if (first === undefined) return failure
  const below = target.below === null ? '' : `:${visibleLine(target.below)}`
  const shown = names.slice(0, LIMITS.packageMistakes)
  const more = names.length > shown.length ? ['more'] : []
  const way = `It has ${listNames([...shown, ...more])}: ${bareSource(typed)}#${first}${below} takes that one`
  return { ...failure, hints: [way] }
}

/** The folder that is near to one that there is not, else those that hold a package. */
async function withFolders(failure: Failure, source: GitSource, run: Run): Promise<Failure> {
  const { below } = source.target
  if (failure.code !== 'NOT_FOUND' || below === null) return failure
  const listed = await run(['ls-tree', '-r', '-z', '--name-only', 'FETCH_HEAD'])
  const files = listed.ok ? listed.output.toString().split('\0') : []
  const packages = files
    .filter((path) => path.endsWith('/string.md'))
    .map((path) => path.slice(0, -'/string.md'.length))
  const close = nearest(below, packages) ?? nearest(below, [...new Set(files.flatMap(foldersOf))])
  const meant = close === null ? packages.slice(0, LIMITS.packageMistakes) : [close]
  if (meant.length === 0) return failure
  return { ...failure, hints: [`Did you mean ${meant.map((each) => inRepository(source, each)).join(' or ')}?`] }
}

/** A folder of the same version, as a source. */
function inRepository({ typed, target: { ref } }: GitSource, folder: string): string {
  return `${bareSource(typed)}#${ref ?? ''}:${visibleLine(folder)}`
}

function bareSource(typed: string): string {
  return shownSource(typed).replace(/#.*$/s, '')
}

/** What was asked for by its name, as git found it: it writes down whether that is a branch or a tag. */
async function refOf({ ref: name }: GitTarget, folder: string): Promise<Pick<SourceIdentity, 'ref'>> {
  if (name === null) return {}
  const found = await readFile(join(folder, 'FETCH_HEAD'), 'utf8')
  const [, kind] = /^\S+\t[^\t]*\t(branch|tag) /.exec(found) ?? []
  return { ref: { name, kind: kind === 'branch' || kind === 'tag' ? kind : 'commit' } }
}

/** Where programs and settings of this person are, and how the network is reached; no variable that steers git itself. */
const INHERITED =
  'PATH HOME USER LOGNAME TMPDIR XDG_CONFIG_HOME SSH_AUTH_SOCK SSL_CERT_FILE SSL_CERT_DIR http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY STRING_TEST_RUN'.split(
    ' ',
  )

function variablesFor({ transport }: GitTarget): Record<string, string> {
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o PermitLocalCommand=no -o ClearAllForwardings=yes',
    GIT_SSH_VARIANT: 'ssh',
    GIT_ALLOW_PROTOCOL: PROTOCOLS[transport],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_DIR: '.',
    LC_ALL: 'C',
  }
}

/** A host passes the guard for pages, and git connects to the addresses that passed. */
async function pin(
  { target }: GitSource,
  { admit }: GitParts,
): Promise<{ readonly ok: true; readonly settings: readonly string[] } | Failure> {
  if (target.transport !== 'web') return { ok: true, settings: [] }
  const admitted = await admit(target.repository)
  if (!admitted.ok) return admitted
  const { hostname, port, protocol } = admitted.url
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return { ok: true, settings: [] }
  const addresses = admitted.addresses.map((each) => (each.includes(':') ? `[${each}]` : each)).join(',')
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return { ok: true, settings: [`http.curloptResolve=${hostname}:${at}:${addresses}`] }
}

function identityOf({ target, typed }: GitSource): SourceIdentity {
  return { name: gitName(target), from: shownSource(typed), origin: gitOrigin(target), again: gitSpelling(target) }
}

/** A query may hold a key; a path is the same however it was marked as one. */
function shownSource(typed: string): string {
  const [bare = '', fragment] = typed.split(/#(.*)/s)
  const plain = bare.replace(/^git\+/, '').replace(/^file:\/\//i, '')
  const shown = /^https?:/i.test(plain) && URL.canParse(plain) ? shownUrl(new URL(plain)) : plain
  return fragment === undefined ? shown : `${shown}#${fragment}`
}

function outcome(end: GitEnd, source: GitSource): { ok: true; output: Buffer } | Failure {
  const shown = shownSource(source.typed)
  switch (end.kind) {
    case 'exited':
      return end.status === 0 ? { ok: true, output: end.output } : refused(end.errors, shown, source.target)
    case 'cancelled':
      return fail('CANCELLED', `Cancelled while git fetched ${shown}`, 'Nothing was installed')
    case 'timeout':
      return fail(
        'TIMEOUT',
        `git takes longer than ${LIMITS.installMs / 1000} s to fetch ${shown}`,
        'Nothing was installed',
      )
    case 'too-large':
      return tooLarge(shown)
    case 'failed':
      return fail('LOAD_ERROR', `git cannot be run: ${end.reason}`, 'Install git, or give a folder or an archive')
  }
}

function tooLarge(shown: string): Failure {
  return fail(
    'TOO_LARGE',
    `${shown} is larger than a package may be`,
    'SOURCE.git#TAG:FOLDER takes one folder of it; string app pack makes an archive of one',
  )
}

/** What git says, by what it means; it is in English, for that is asked for. */
function refused(errors: string, shown: string, { ref, below }: GitTarget): Failure {
  // Which program was not asked for a password is our affair.
  const lines = errors.split('\n').filter((line) => line.trim() !== '' && !/askpass/i.test(line))
  const said = visibleLine(lines.slice(-3).join('; ')).slice(0, LIMITS.shownValueChars)
  if (/signal 25|File size limit exceeded|file size limit/i.test(errors)) return tooLarge(shown)
  if (/couldn't find remote ref|not our ref|no such remote ref/i.test(errors))
    return fail(
      'NOT_FOUND',
      `${shown} has no branch, tag or commit ${ref ?? 'HEAD'}`,
      `git ls-remote ${shown.replace(/#.*$/s, '')} lists the branches and tags; a commit is written with all its 40 characters`,
    )
  if (/not a valid object name|no such path|does not exist in|not a tree object/i.test(errors))
    return fail('NOT_FOUND', `${shown} has no folder ${below ?? ''}`, 'SOURCE.git#TAG:FOLDER names one of its folders')
  if (
    /could not read (Username|Password)|Authentication failed|Permission denied|terminal prompts disabled/i.test(errors)
  )
    return fail(
      'AUTH_REQUIRED',
      `${shown} asks for a login: ${said}`,
      'git on this machine must reach it without asking',
    )
  if (/returned error: 30\d|unable to update url base from redirection/i.test(errors))
    return fail(
      'LOAD_ERROR',
      `${shown} redirects, and git is not sent elsewhere`,
      'Give the address that it redirects to',
    )
  if (/command not found|No such file or directory: git/i.test(errors))
    return fail('LOAD_ERROR', 'There is no git on this machine', 'Install git, or give a folder or an archive')
  if (/does not appear to be a git repository|repository .* (not found|does not exist)|not found/i.test(errors))
    return fail('NOT_FOUND', `There is no git repository at ${shown}: ${said}`, 'Check the spelling')
  return fail(
    'LOAD_ERROR',
    `git cannot fetch ${shown}: ${said}`,
    `git ls-remote shows more: /exec git ls-remote ${shown.replace(/#.*$/s, '')}`,
  )
}
