import { REFUSED } from '../know/refusal.ts'
import { type Text, unknown } from '../know/text.ts'
import { textPart } from '../script-part.ts'
import type { Walk } from './walk.ts'

/** Bash keeps numbers in these, as long as the script gives them nothing else. */
const NUMBERS = new Set('# ? $ ! RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS UID EUID PPID BASHPID'.split(' '))
/** Folders that the call or every shell knows: programs there are named by whoever wrote the script. */
const PLACES = new Set('STRING_PACKAGE STRING_HOME STRING_CWD CWD HOME'.split(' '))
/** What bash itself puts in here may come from anywhere. */
const FILLED = /^(?:_|REPLY|MAPFILE|OPTARG|PWD|OLDPWD|DIRSTACK|COPROC|BASH_\w+|STRING_VALUE\w*)$/
const NAME = /^(?:[A-Za-z_][A-Za-z0-9_]*|\d+|[@*#?$!-])$/

/** `$name`, in quotes or not. */
export function writeVariable(name: string, isQuoted: boolean, at: number, walk: Walk): Text {
  if (!NAME.test(name) || walk.marked.isIn(name)) walk.refuse(REFUSED.expansion, at)
  const isNumber = isNumberName(name, walk)
  const inQuotes = isQuoted || isNumber
  const written = inQuotes ? `"\${${name}}"` : `\${${name}}`
  const text = {
    ...unknown([textPart(written)], holdsValue(name, walk), inQuotes && name !== '@', isNumber),
    guess: walk.facts.textOf(name),
  }
  return PLACES.has(name) && !walk.facts.has('given', name) ? { ...text, path: `$${name}`, guess: `$${name}` } : text
}

export function isNumberName(name: string, { facts }: Walk): boolean {
  return facts.isNumber(name) || (NUMBERS.has(name) && !facts.has('given', name))
}

export function holdsValue(name: string, { facts }: Walk): boolean {
  if (/^\d|^[@*]$/.test(name)) return facts.has('holds', '@')
  return facts.has('holds', name) || (FILLED.test(name) && !facts.has('given', name)) || name.startsWith('STRING_VALUE')
}
