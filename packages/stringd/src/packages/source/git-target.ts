import { basename } from 'node:path'
import { type Failure, fail, quoted } from '@string-os/protocol'

/** A git repository as it was typed: what git is given, and what of it is meant. */
export interface GitTarget {
  readonly ok: true
  /** A URL, `user@host:path`, or for a repository of this machine its path as it was typed. */
  readonly repository: string
  readonly transport: 'web' | 'ssh' | 'local'
  /** A branch, a tag or a whole commit; null for what the repository calls its HEAD. */
  readonly ref: string | null
  /** The folder inside it; null for all of it. */
  readonly below: string | null
}

const SSH_URL = /^ssh:\/\/(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*(?::\d{1,5})?\/[^\s]+$/
const SSH_SHORT = /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*:(?!\/\/)[^\s:-][^\s]*$/
/** No revision grammar, no refspec, nothing that could be an option. */
const REF = /^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/

/** `https://host/x.git`, `git@host:x.git`, `ssh://…`, `file://…`, `path/x.git`, each with `#REF`, `#REF:FOLDER` or `#:FOLDER`; null for what is no repository. */
export function parseGitTarget(typed: string): GitTarget | Failure | null {
  const [, marked, bare = '', fragment = null] = /^(git\+)?([^#]*)(?:#(.*))?$/s.exec(typed) ?? []
  const transport = transportOf(bare, marked !== undefined)
  if (transport === null) return null
  const { ref, below } = partsOf(fragment)
  if (transport === 'ssh' && !(SSH_URL.test(bare) || SSH_SHORT.test(bare))) return malformed(typed)
  if (bare.startsWith('-')) return malformed(typed)
  if (ref !== null && (!REF.test(ref) || ref.includes('..') || ref.endsWith('.lock')))
    return fail('INVALID_TARGET', `Not a branch, tag or commit: ${quoted(ref)}`, 'SOURCE.git#v1.0.0 names one')
  if (below !== null && !/^[^/\\:-][^\\:]*$/.test(below))
    return fail('INVALID_TARGET', `Not a folder of a repository: ${quoted(below)}`, 'SOURCE.git#main:apps/weather')
  const repository = transport === 'local' ? bare.replace(/^file:\/\//i, '') : bare
  return {
    ok: true,
    repository: repository.replace(/\/$/, ''),
    transport,
    ref,
    below: below?.replace(/\/+$/, '') ?? null,
  }
}

/** Whose package it is: the repository and the folder, whichever version of it was asked for. */
export function gitOrigin({ repository, below }: GitTarget): string {
  return `git+${repository}${below === null ? '' : `#:${below}`}`
}

/** The same repository, version and folder, as `/install` takes it. */
export function gitSpelling({ repository, transport, ref, below }: GitTarget): string {
  const part = below === null ? '' : `:${below}`
  const fragment = ref === null && below === null ? '' : `#${ref ?? ''}${part}`
  return `git+${transport === 'local' ? 'file://' : ''}${repository}${fragment}`
}

export function gitName({ repository, below }: GitTarget): string {
  const whole = basename(repository) === '.git' ? repository.slice(0, -'/.git'.length) : repository
  return basename(below ?? whole.replace(/\.git$/, '').replace(/^.*:/, ''))
}

function transportOf(bare: string, isMarked: boolean): GitTarget['transport'] | null {
  if (/^https?:\/\//i.test(bare)) return isMarked || /\.git\/?$/.test(pathOf(bare)) ? 'web' : null
  if (/^ssh:\/\//i.test(bare)) return 'ssh'
  if (/^file:\/\//i.test(bare)) return 'local'
  if (/^[^/\s]+@[^/\s]+:/.test(bare)) return 'ssh'
  return isMarked || /\.git\/?$/.test(bare) ? 'local' : null
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

function partsOf(fragment: string | null): Pick<GitTarget, 'ref' | 'below'> {
  const [ref = '', below = ''] = (fragment ?? '').split(/:(.*)/s)
  return { ref: ref === '' ? null : ref, below: below === '' ? null : below }
}

function malformed(typed: string): Failure {
  return fail(
    'INVALID_TARGET',
    `Not a git repository: ${typed.includes('@') ? 'its address cannot be read' : quoted(typed)}`,
    'https://host/name.git, git@host:name.git, ./name.git, each with #TAG or #TAG:FOLDER',
  )
}
