import { realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Failure, systemReason, visibleLine } from '@string-os/protocol'
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

/** Where a package is: all links followed, and as it is shown. */
export interface PackagePlace {
  readonly real: string
  readonly typed: string
}

export function placeOf({ path = '.', cwd }: AppCall): PackagePlace {
  const folder = resolve(workingDir(cwd), path)
  try {
    return { real: realpathSync(folder), typed: path }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CliError(
      EXIT.commandError,
      `Cannot read ${visibleLine(path)}: ${code === 'ENOENT' ? 'it does not exist' : systemReason(code)}\nstring app init NAME makes a package`,
    )
  }
}

/** A path as one would type it from here. */
export function shownPath(path: string, { cwd }: AppCall): string {
  const short = relative(workingDir(cwd), path)
  return visibleLine(short.startsWith('..') || short === '' ? path : `./${short}`)
}

export function asError({ system, hints }: Failure): CliError {
  return new CliError(EXIT.commandError, [system, ...hints].join('\n'))
}
