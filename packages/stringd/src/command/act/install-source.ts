import { isAbsolute } from 'node:path'
import { DEFAULT_AGENT, type Failure, fail } from '@string-os/protocol'
import type { TypedSource } from '../../packages/packages.ts'
import { type GitTarget, parseGitTarget } from '../../packages/source/git-target.ts'
import type { CommandContext } from '../core/context.ts'

interface FoundSource {
  readonly ok: true
  readonly source: TypedSource
}

type Place = Extract<ReturnType<CommandContext['workspace']['locate']>, { ok: true }>

/** What was typed behind `/install`, and whether it may be read. `shell` is the same behind `string app`. */
export function sourceOf(
  { source: typed, link }: { readonly source: string; readonly link: boolean },
  context: CommandContext,
  shell: readonly string[],
): FoundSource | Failure {
  const foreign = foreignScheme(typed)
  if (foreign !== null) return foreign
  const git = parseGitTarget(typed)
  if (git !== null && !git.ok) return git
  if (git !== null && git.transport !== 'local') return gitSource(git, typed, link, context)
  if (/^https?:\/\//i.test(typed))
    return { ok: true, source: { kind: 'url', url: typed, link, signal: context.signal } }
  const place = located(git?.repository ?? typed, context, shell)
  if (!place.ok) return place
  // A folder may be called x.git without being a repository, and what is none has a file: address, too.
  if (git !== null && (isRepository(place, typed, context) || isSpelledAsGit(typed)))
    return gitSource({ ...git, repository: place.real }, typed, link, context)
  const guard = (path: string): Failure | null => {
    const found = context.workspace.locate(path)
    return found.ok ? null : found
  }
  return { ok: true, source: { kind: 'local', real: place.real, typed: git?.repository ?? typed, link, guard } }
}

const SCHEMES = ['https', 'http', 'ssh', 'file']

/** An address is no path, whatever ends it. */
function foreignScheme(typed: string): Failure | null {
  const [, scheme = 'https'] = /^(?:git\+)?([a-z][a-z0-9+.-]*):\/\//i.exec(typed) ?? []
  if (SCHEMES.includes(scheme.toLowerCase())) return null
  return fail(
    'INVALID_TARGET',
    `Packages are not taken from ${scheme}:// addresses`,
    'Supported are https:// and http://, and for a git repository also ssh:// and file://',
    FORMS,
  )
}

function located(
  path: string,
  { workspace, reader, agent }: CommandContext,
  shell: readonly string[],
): Place | Failure {
  const place = workspace.locate(path, /\.t(?:ar\.)?gz$/.test(path) ? 'file' : 'folder')
  if (!place.ok && place.code === 'INVALID_PATH' && isAbsolute(path))
    return { ...place, hints: [shellWay(shell, agent.id), ...place.hints] }
  if (!place.ok || place.exists) return place
  const missing = reader.missing(path)
  // A person's own ~ is another folder.
  const home = /^~(?:\/|$)/.test(path) ? [`~ is ${agent.home} here`] : []
  return { ...missing, hints: [...home, ...missing.hints, ...formsFor(path)] }
}

/** Reading a package is the act of the person who names it, for which no folder has to be opened to the agent. */
function shellWay(shell: readonly string[], agent: string): string {
  const words = shell.map((word) => (/^[\w@%+=:,./#-]+$/.test(word) ? word : 'SOURCE'))
  const called = agent === DEFAULT_AGENT ? 'string app' : `string --agent ${agent} app`
  return `${called} ${words.join(' ')}, typed in a shell, takes it from there and opens nothing to the agent`
}

/** What no path looks like was meant as something else. */
function formsFor(path: string): string[] {
  if (path.includes('#'))
    return ['#TAG names a version of a git repository, as in ./name.git#v1; other sources have none', FORMS]
  // As other programs take it.
  const [, host = 'HOST', name] = /^(?:([\w-]+(?:\.[\w-]+)+)\/)?([\w-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path) ?? []
  const isName = name !== undefined && !/\.(?:md|markdown|json|t(?:ar\.)?gz)$/i.test(path)
  return [...(isName ? [`Did you mean the repository https://${host}/${name}.git?`] : []), FORMS]
}

const FORMS =
  'SOURCE is a folder, a .md file or an archive (.tgz), the URL of one of the last two, or a git repository (https://host/name.git, git@host:name.git, ./name.git)'

function isRepository(place: Place, typed: string, { workspace }: CommandContext): boolean {
  // What is called x.git may be a folder with a repository of its own; behind file: it is meant.
  const marks = /^file:/i.test(typed) ? ['HEAD', '.git'] : ['HEAD']
  const found = marks.map((name) => workspace.locate(`${place.real}/${name}`))
  return place.stat?.isDirectory() === true && found.some((each) => each.ok && each.exists)
}

function isSpelledAsGit(typed: string): boolean {
  return typed.includes('#') || /^git\+/i.test(typed)
}

function gitSource(target: GitTarget, typed: string, link: boolean, { signal }: CommandContext): FoundSource | Failure {
  if (link)
    return fail(
      'INVALID_PARAMS',
      'A git repository cannot be linked',
      'Clone it, and link the folder: /install --link ./NAME',
    )
  return { ok: true, source: { kind: 'git', target, typed, signal } }
}
