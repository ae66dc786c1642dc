import type { Command, Script } from 'unbash'
import type { Walk } from './walk.ts'

/** `$( … )` that surely prints a number: a few commands that everyone uses to get one. */
export function isNumberCommand({ commands }: Script, { facts }: Walk): boolean {
  const [statement] = commands
  if (commands.length !== 1 || statement?.command.type !== 'Command') return false
  const { command } = statement
  return isNumber(command) && !facts.has('function', command.name?.text ?? '')
}

function isNumber({ name, prefix, args, redirects }: Command): boolean {
  if (prefix.length > 0) return false
  const words = args.map((arg) => (arg.type === 'Word' && arg.parts === undefined ? arg.text : ''))
  const onlyReads = redirects.every((each) => each.type === 'Redirect' && each.operator === '<')
  switch (name?.text) {
    case 'date':
      return words.length === 1 && redirects.length === 0 && /^\+(%[sYmdHMSj])+$/.test(words[0] ?? '')
    case 'wc':
      return words.length === 1 && onlyReads && redirects.length === 1 && /^-[lwcm]$/.test(words[0] ?? '')
    case 'nproc':
      return words.length === 0 && redirects.length === 0
    case 'id':
      return words.length === 1 && redirects.length === 0 && /^-[ug]$/.test(words[0] ?? '')
    default:
      return false
  }
}
