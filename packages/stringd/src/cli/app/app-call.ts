import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Failure, systemReason, visibleLine } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { CliError, EXIT } from '../exit.ts'
import { workingDir } from '../working-dir.ts'

/** What was asked of a verb for authors. */
export interface AppCall {
  readonly path: string | undefined
  readonly cwd: string | null
  readonly json: boolean
  /** By which name the program was called. */
  readonly program: string
}

/** Where a package is: all links followed, as its whole path, and as it is shown. */
export interface PackagePlace {
  readonly real: string
  readonly whole: string
  readonly typed: string
}

export function placeOf({ path = '.', cwd }: AppCall): PackagePlace {
  const whole = resolve(workingDir(cwd), path)
  if (isBareRepository(whole)) throw lookFirst(`${visibleLine(path)} is a git repository`)
  try {
    return { real: realpathSync(whole), whole, typed: path }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const isMissing = code === 'ENOENT'
    const hint = isRemote(path) ? LOOK_FIRST : 'string app init NAME makes a package'
    throw new CliError(
      EXIT.commandError,
      `Cannot read ${visibleLine(path)}: ${isMissing ? 'it does not exist' : systemReason(code)}\n${hint}`,
      { code: isMissing ? 'NOT_FOUND' : 'LOAD_ERROR', hint },
    )
  }
}

const LOOK_FIRST =
  'Checked are folders, Markdown files and archives; string app install --dry-run SOURCE looks at what is in a repository or at a URL'

function lookFirst(problem: string): CliError {
  return new CliError(EXIT.commandError, `${problem}\n${LOOK_FIRST}`, { code: 'INVALID_TARGET', hint: LOOK_FIRST })
}

function isBareRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}

/** What an installation fetches, and is no path. */
function isRemote(typed: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|#|\.git$/i.test(typed)
}

/** A path as one would type it from here. */
export function shownPath(path: string, { cwd }: AppCall): string {
  const short = relative(workingDir(cwd), path)
  return visibleLine(short.startsWith('..') || short === '' ? path : `./${short}`)
}

/** What leads to a package that an agent here could not read, and how it is named from there. */
export function wayTo(folder: string, { cwd }: AppCall): { readonly before: string | null; readonly path: string } {
  const short = relative(workingDir(cwd), folder)
  if (!short.startsWith('..')) return { before: null, path: short === '' ? '.' : `./${short}` }
  return { before: `cd ${shellWord(dirname(folder))}`, path: `./${basename(folder)}` }
}

export function asError({ system, hints }: Failure): CliError {
  return new CliError(EXIT.commandError, [system, ...hints].join('\n'), { hint: hints.at(0) ?? null })
}
