import { quoted } from '@string-os/protocol'
import type { Config } from '../config.ts'
import type { Invocation } from './arguments.ts'
import { errorHelp, nearestCode } from './error-help.ts'
import { EXIT, usageError } from './exit.ts'
import { checkSubverb, findVerb, nearestVerb } from './find-verb.ts'
import { fitHelp, overview, verbHelp } from './help.ts'
import type { Program } from './verb-row.ts'
import { SLASHED } from './verb-synonyms.ts'

/** `string help [VERB [SUBVERB]]`, or `string help CODE` */
export async function runHelpVerb({ words }: Invocation, _config: Config, program: Program): Promise<number> {
  const [verb, subverb, extra] = words.slice(1)
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (string help VERB [SUBVERB])`)
  const text = verb === undefined ? overview(program) : (errorHelpOf(words, program) ?? helpOf(verb, subverb, program))
  process.stdout.write(fitHelp(text))
  return EXIT.ok
}

/** Codes are written in capitals, which no verb is; in small letters a verb of that name comes first. */
function errorHelpOf([, word = '', more]: readonly string[], { verbs }: Program): string | null {
  const isCode = /^[A-Z]+_|^[A-Z]{3,}$/.test(word) || findVerb(verbs, [word]) === null
  return more === undefined && isCode ? errorHelp(word) : null
}

function helpOf(verb: string, subverb: string | undefined, { name, verbs }: Program): string {
  const called = findVerb(verbs, subverb === undefined ? [verb] : [verb, subverb])
  if (called === null) {
    const close = nearestCode(verb) ?? nearestVerb(verb, verbs) ?? nearestCode(verb.toUpperCase())
    const rest = close === null ? 'string --help lists all' : `Did you mean '${close}'?`
    const help = SLASHED.includes(verb) ? `It is a command of topics: string '/help ${verb}'` : rest
    throw usageError(`There is no verb '${quoted(verb)}'. ${help}`)
  }
  checkSubverb(called, [subverb], verbs)
  if (subverb !== undefined && called.sub === null)
    throw usageError(`There is no 'string ${verb} ${quoted(subverb)}'. string help ${verb} shows what there is`)
  return verbHelp(called.row, called.sub, name)
}
