import { awk } from './awk.ts'
import type { Rule } from './call.ts'
import { curl } from './curl.ts'
import { find } from './find.ts'
import { git } from './git.ts'
import { jq } from './jq.ts'
import { optioned, started, subcommand } from './options.ts'
import { OPTIONED, STARTED, SUBCOMMANDS } from './programs.ts'
import { sed } from './sed.ts'

/** Programs that have a language, options or commands of their own which run what they are given. */
export function toolRule(name: string, judge: Rule): Rule | null {
  if (/^[gmn]?awk$/.test(name)) return awk
  if (/^g?sed$/.test(name)) return sed
  if (name === 'jq' || name === 'yq') return jq
  if (name === 'find' || name === 'gfind') return find(judge)
  if (name === 'git') return git
  if (name === 'curl') return curl
  const running = SUBCOMMANDS.get(name)
  if (running !== undefined) return subcommand(running)
  const texts = OPTIONED.get(name)
  if (texts !== undefined) return optioned(texts)
  return STARTED.has(name) ? started : null
}
