import { quoted } from '@string-os/protocol'

/** That nobody has what a path names, with the name as it came. */
export function unknownId(what: string, id: string | undefined): string {
  return `Unknown ${what}: ${quoted(id ?? '')}`
}
