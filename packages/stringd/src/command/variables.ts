import { type Failure, fail } from '@string-os/protocol'
import { list } from '../library/names.ts'

const REFERENCE = /\{([a-z][a-z0-9_]*)\}/g

/** Puts the session's values in place of `{name}`, once; a value is never looked at again. */
export function substitute(text: string, variables: ReadonlyMap<string, string>): string | Failure {
  let unknown: string | null = null
  const result = text.replace(REFERENCE, (whole, name: string) => {
    const value = variables.get(name)
    if (value === undefined) unknown ??= name
    return value ?? whole
  })
  return unknown === null ? result : undefinedVariable(unknown, variables)
}

export function undefinedVariable(name: string, variables: ReadonlyMap<string, string>): Failure {
  const names = [...variables.keys()].map((known) => `{${known}}`)
  return fail(
    'UNDEFINED_VARIABLE',
    `This topic has no variable {${name}}`,
    names.length === 0 ? `/set {${name}} = "value" sets it` : `Variables: ${list(names)}`,
  )
}
