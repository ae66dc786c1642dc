import { type Failure, fail, listNames, nearest } from '@string-os/protocol'

/** A name may look like a flag. */
export function asWord(name: string): string {
  return name.startsWith('-') ? `-- ${name}` : name
}

export function bareName(typed: string): string {
  return typed.replace(/^(?:app|tool):/, '')
}

export function noPackageNamed(name: string, names: readonly string[], stored: readonly string[] = []): Failure {
  const close = nearest(name, names)
  return fail(
    'NOT_FOUND',
    `Nothing is installed as ${name}`,
    ...(close === null ? [] : [`Did you mean ${close}?`]),
    ...(stored.length === 0 ? [] : [`/uninstall --purge ${asWord(name)} removes the variables that are stored for it`]),
    names.length === 0 ? 'No packages are installed' : `Installed: ${listNames(names)}`,
  )
}
