import { GIT_COMMAND, runs } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import { judged, type Rule, refused, takesValue } from './call.ts'
import { behindDashes } from './options.ts'

const PLACES = /^(?:-C|--git-dir|--work-tree)$/
const FLAGS = /^(?:--no-pager|--bare|-P|--literal-pathspecs|--no-optional-locks)$/
/** Commands of git of which an option runs a program. */
const OPTIONED =
  /^(?:grep|ls-remote|fetch|clone|archive|push|pull|init|send-pack|fetch-pack|upload-pack|receive-pack|submodule)$/
/** Commands of git that run what they are given, or keep it to be run. */
const RUNNING =
  /^(?:rebase|bisect|filter-branch|filter-repo|config|maintenance|hook|for-each-repo|shell|credential|difftool|mergetool|send-email|svn|p4|instaweb|web--browse|daemon|citool|gui|remote-\w+)$/
/** Options that take text: of git grep, and of the others. */
const GREP_TEXTS = /^(?:-[A-Za-z]*[emABC]|--(?:max-count|max-depth|context))$/
const TEXTS = /^(?:-b|--(?:depth|branch|origin|format|prefix))$/

export const git: Rule = (call, walk) => {
  // With these an address may be a command.
  const isLoose = call.words.some(({ guess }) => /protocol\./i.test(guess))
  if (isLoose || walk.facts.has('script', 'git')) return refused(call, walk, runs('git'))
  if (!takesValue(call)) return judged(call)
  const at = verbAt(call.words)
  const verb = call.words[at]?.value ?? ''
  const rest = call.words.slice(at + 1)
  const isForeach = verb === 'submodule' && rest[0]?.value === 'foreach'
  // `ext::command` is an address too.
  const isAddress = rest.some(({ holds, start }) => holds && /^\w+::/.test(start))
  if (!/^[a-z][a-z-]*$/.test(verb) || RUNNING.test(verb) || isForeach || isAddress)
    return refused(call, walk, /^[a-z-]+$/.test(verb) ? runs(`git ${verb}`) : GIT_COMMAND)
  return OPTIONED.test(verb)
    ? behindDashes(call, rest, verb === 'grep' ? GREP_TEXTS : TEXTS, `git ${verb}`, walk)
    : judged(call)
}

function verbAt(words: readonly Text[]): number {
  let at = 0
  for (;;) {
    const value = words[at]?.value ?? ''
    if (PLACES.test(value) && words[at + 1]?.isOne === true) at += 2
    else if (FLAGS.test(value)) at += 1
    else return at
  }
}
