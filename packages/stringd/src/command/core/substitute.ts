import { type Failure, fail, fillTyped, LIMITS, listNames } from '@string-os/protocol'

/**
 * Puts the session's values in place of `{name}` in a word as `splitTyped` gives it, once; a value is never looked at again. At
 * most `roomChars` come of it.
 */
export function substitute(
  text: string,
  variables: ReadonlyMap<string, string>,
  roomChars: number = LIMITS.commandLineChars,
): { readonly ok: true; readonly text: string } | Failure {
  const missing: string[] = []
  let room = roomChars - text.length
  const result = fillTyped(text, (whole, name) => {
    const value = variables.get(name)
    if (value === undefined) missing.push(name)
    room += whole.length - (value ?? whole).length
    return room < 0 ? '' : (value ?? whole)
  })
  const [unknown] = missing
  if (unknown !== undefined) {
    const failure = undefinedVariable(unknown, variables)
    return { ...failure, hints: [...failure.hints, asItIs(`{${unknown}}`)] }
  }
  if (room >= 0) return { ok: true, text: result }
  return fail(
    'TOO_LARGE',
    `With its variables this is longer than ${LIMITS.commandLineChars} characters`,
    'Use a file, or give the value in the body',
  )
}

export function undefinedVariable(name: string, variables: ReadonlyMap<string, string>): Failure {
  const names = [...variables.keys()].map((known) => `{${known}}`)
  return fail(
    'UNDEFINED_VARIABLE',
    `This topic has no variable {${name}}`,
    names.length === 0 ? `/set {${name}} = "value" sets it` : `Variables: ${listNames(names)}`,
  )
}

/** How something that would be replaced is handed over as it is. */
export function asItIs(text: string): string {
  return `For the text itself write \\${text}, not in single quotes`
}
