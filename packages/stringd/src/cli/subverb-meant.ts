import { extname } from 'node:path'
import { shellWord } from '../doctor/shell-word.ts'
import type { SubverbRow, Takes, VerbRow } from './verb-row.ts'

interface Meant {
  readonly row: VerbRow
  readonly sub: SubverbRow
}

/**
 * What may be meant by a word that is no verb, but stands behind one: `string retry ID` is `string turn retry ID`. Of several,
 * those that take what is typed behind it; null where it stands behind none, or, with `isSure`, where nothing tells which.
 */
export function subverbMeant(
  [word = '', argument]: readonly string[],
  verbs: readonly VerbRow[],
  { agents, isSure }: { readonly agents: readonly string[]; readonly isSure: boolean },
): string | null {
  const all = verbs.flatMap((row) => (row.subverbs ?? []).map((sub): Meant => ({ row, sub })))
  const called = all.filter(({ sub: { name, aliases = [] } }) => name === word || aliases.includes(word))
  const kind = argument === undefined ? null : kindOf(argument, agents)
  const fitting = called.filter(({ sub }) => kind !== null && takes(sub, kind))
  if (isSure || fitting.length > 0) return shown(fitting, argument)
  const taking = called.filter(({ sub }) => argument === undefined || sub.takes !== undefined)
  return shown(taking.length > 0 ? taking : called, argument)
}

function takes({ takes: wanted }: SubverbRow, kind: Takes): boolean {
  return wanted === kind || (kind === 'turn' && typeof wanted === 'string' && wanted.endsWith(' turn'))
}

/** What a word is by how it looks, or because there is an agent of that name. */
function kindOf(word: string, agents: readonly string[]): Takes | null {
  if (agents.includes(word)) return 'agent'
  if (['.yaml', '.yml'].includes(extname(word))) return 'file'
  return /^(?:trn_)?(?=[a-z]*\d)[0-9a-z]{4,26}$/.test(word) ? 'turn' : null
}

function shown(meant: readonly Meant[], argument: string | undefined): string | null {
  const lines = meant.map(({ row, sub }) => {
    const behind = argument === undefined || sub.takes === undefined ? '' : ` ${shellWord(argument)}`
    return `string ${row.name} ${sub.name}${behind}`
  })
  return lines.length === 0 ? null : lines.join(' or ')
}
