import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { quoted } from '@string-os/protocol'
import { usageError } from '../exit.ts'

interface Asked {
  readonly allow: readonly string[]
  readonly disallow: readonly string[]
}

/** Which folders an agent may use from now on beside its home: those that it may use, with some more and without others. */
export function allowedFolders(id: string, known: readonly string[], { allow, disallow }: Asked): readonly string[] {
  const gone = disallow.map((path) => resolve(path))
  const [unknown] = gone.filter((path) => !known.includes(path))
  if (unknown !== undefined)
    throw usageError(`${id} may not use ${quoted(unknown)} beside its home anyway; it may use: ${listed(known)}`)
  const added = allow.map((path) => folder(id, resolve(path)))
  const [both] = added.filter((path) => gone.includes(path))
  if (both !== undefined) throw usageError(`Either open or take back ${quoted(both)}`)
  return [...new Set([...known, ...added])].filter((path) => !gone.includes(path))
}

export function listed(folders: readonly string[]): string {
  return folders.length === 0 ? '(none)' : folders.join(', ')
}

/** Errors name what could not be used, which may be a file. */
function folder(id: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return path
  const next = `string agent allow ${id} ${quoted(dirname(path))} opens the folder that it is in`
  throw usageError(`Only folders are opened to an agent, and ${quoted(path)} is a file; ${next}`)
}
