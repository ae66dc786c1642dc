import { COMMAND_MARKS, type Failure, type Topic } from '@string-os/protocol'
import { commandsIn } from '../command/dispatch.ts'
import { COMMANDS } from '../command/table.ts'

const NAMES = [...(commandsIn(COMMANDS).get('bash')?.keys() ?? [])].join('|')
/** A command in a sentence, as it is typed in most topics. */
const TYPED = new RegExp(`(?<![^\\s(\`'"])/(?=(?:${NAMES})(?![\\w/-]))`, 'g')

/** A failure as whoever typed in this topic can use it: commands with the marks that they take here, and what `~` is. */
export function nextStepsIn({ type }: Topic, home: string, failure: Failure): Failure {
  const mark = COMMAND_MARKS[type]
  const hints = mark === '/' ? failure.hints : failure.hints.map((hint) => hint.replace(TYPED, mark))
  const isAtHome = failure.code === 'NOT_FOUND' && /: ~(?:\/|$)/.test(failure.system)
  return { ...failure, hints: isAtHome ? [`~ is ${home} here`, ...hints] : hints }
}
