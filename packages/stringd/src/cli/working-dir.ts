import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageError } from './exit.ts'

/** Where `./` starts, and where an agent runs: in the folder that was named, else where the person is. */
export function workingDir(named: string | null): string {
  const dir = resolve(named ?? process.cwd())
  const there = statSync(dir, { throwIfNoEntry: false })
  if (there === undefined) throw usageError(`There is no folder ${dir} to work in; --cwd DIR names one`)
  if (!there.isDirectory()) throw usageError(`${dir} is no folder to work in; --cwd DIR names one`)
  return dir
}
