import { join } from 'node:path'
import { isFields, parseJson } from '@string-os/protocol'
import { gitNames } from './git-names.ts'
import { nearestAbove, textNear } from './near-files.ts'

/** What a program may be told next, by what stands behind its name already; none: files, as anywhere. */
type WordsOf = (words: readonly string[], cwd: string) => Promise<readonly string[]> | readonly string[]

const GIT = (
  'add am apply archive bisect blame branch checkout cherry-pick clean clone commit config describe diff fetch format-patch ' +
  'grep init log ls-files merge mv notes pull push range-diff rebase reflog remote reset restore revert rm shortlog show ' +
  'stash status submodule switch tag worktree'
).split(' ')
const NPM =
  'audit ci config exec install link list outdated pack publish run start test uninstall update version'.split(' ')

/** Behind these come names of commits. */
const NAMING = new Set(
  'branch checkout cherry-pick describe diff log merge range-diff rebase reset revert show switch tag'.split(' '),
)
/** Behind these comes first where, then what. */
const REMOTE = new Set(['fetch', 'pull', 'push'])

/** One row for a program. Files are read for it, and nothing is run. */
const PROGRAMS: Readonly<Record<string, WordsOf>> = {
  git: async ([command, ...more], cwd) => {
    if (command === undefined) return GIT
    if (REMOTE.has(command) && more.length === 0) return (await gitNames(cwd)).remotes
    return NAMING.has(command) || REMOTE.has(command) ? (await gitNames(cwd)).refs : []
  },
  npm: ([command, ...more], cwd) => {
    if (command === undefined) return NPM
    return /^run(?:-script)?$/.test(command) && more.length === 0 ? scripts(cwd) : []
  },
  pnpm: ([command, ...more], cwd) => (command === undefined || runs(command, more) ? scripts(cwd) : []),
  yarn: ([command, ...more], cwd) => (command === undefined || runs(command, more) ? scripts(cwd) : []),
  make: (_words, cwd) => targets(cwd),
}

/** Names that may follow, flags left out. */
export async function programWords(program: string, words: readonly string[], cwd: string): Promise<readonly string[]> {
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined
  const names =
    (await known?.(
      words.filter((word) => !word.startsWith('-')),
      cwd,
    )) ?? []
  return names.filter((name) => /^[\w./@:+-]+$/.test(name))
}

function runs(command: string, more: readonly string[]): boolean {
  return command === 'run' && more.length === 0
}

async function scripts(cwd: string): Promise<readonly string[]> {
  const path = await nearestAbove(cwd, 'package.json')
  const read = path === null ? null : parseJson(await textNear(path))
  return isFields(read) && isFields(read.scripts) ? Object.keys(read.scripts) : []
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

async function targets(cwd: string): Promise<readonly string[]> {
  const texts = await Promise.all(MAKEFILES.map((name) => textNear(join(cwd, name))))
  const text = texts.find((each) => each !== '') ?? ''
  const heads = [...text.matchAll(/^([\w][^:=#\n\t]*):(?!=)/gm)].map(([, names = '']) => names)
  return [...new Set(heads.flatMap((names) => names.trim().split(/\s+/)))]
}
