import { isAbsolute } from 'node:path'
import { type Failure, fail } from '@string-os/protocol'
import type { TypedSource } from '../../packages/packages.ts'
import { type GitTarget, parseGitTarget } from '../../packages/source/git-target.ts'
import type { CommandContext } from '../core/context.ts'

interface FoundSource {
  readonly ok: true
  readonly source: TypedSource
}

type Place = Extract<ReturnType<CommandContext['workspace']['locate']>, { ok: true }>

/** What was typed behind `/install`, and whether it may be read. */
export function sourceOf(typed: string, link: boolean, context: CommandContext): FoundSource | Failure {
  const git = parseGitTarget(typed)
  if (git !== null && !git.ok) return git
  if (git !== null && git.transport !== 'local') return gitSource(git, typed, link, context)
  if (/^https?:\/\//i.test(typed))
    return { ok: true, source: { kind: 'url', url: typed, link, signal: context.signal } }
  const place = located(git?.repository ?? typed, context)
  if (!place.ok) return place
  // A folder may be called x.git without being a repository.
  if (git !== null && (isRepository(place, context) || isSpelledAsGit(typed)))
    return gitSource({ ...git, repository: place.real }, typed, link, context)
  const guard = (path: string): Failure | null => {
    const found = context.workspace.locate(path)
    return found.ok ? null : found
  }
  return { ok: true, source: { kind: 'local', real: place.real, typed, link, guard } }
}

function located(path: string, { workspace, reader }: CommandContext): Place | Failure {
  const place = workspace.locate(path, /\.t(?:ar\.)?gz$/.test(path) ? 'file' : 'folder')
  if (!place.ok && place.code === 'INVALID_PATH' && isAbsolute(path))
    return { ...place, hints: [shellWay(path), ...place.hints] }
  if (!place.ok || place.exists) return place
  const missing = reader.missing(path)
  return { ...missing, hints: [...missing.hints, ...formsFor(path)] }
}

/** Reading a package is the act of the person who names it, for which no folder has to be opened to the agent. */
function shellWay(path: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(path) ? path : 'SOURCE'
  return `string app install ${word}, typed in a shell, takes it from there and opens nothing to the agent`
}

/** What no path looks like was meant as something else. */
function formsFor(path: string): string[] {
  if (path.includes('#'))
    return ['#TAG names a version of a git repository, as in ./name.git#v1; other sources have none', FORMS]
  return [FORMS]
}

const FORMS =
  'SOURCE is a folder, a .md file or an archive (.tgz), the URL of one of the last two, or a git repository (https://host/name.git, git@host:name.git, ./name.git)'

function isRepository(place: Place, { workspace }: CommandContext): boolean {
  const head = workspace.locate(`${place.real}/HEAD`)
  return place.stat?.isDirectory() === true && head.ok && head.exists
}

function isSpelledAsGit(typed: string): boolean {
  return typed.includes('#') || /^(?:git\+|file:)/i.test(typed)
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
