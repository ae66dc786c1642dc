import { COMMAND_MARKS, type Failure, type Topic, writtenCommands } from '@string-os/protocol'
import { commandsIn } from '../command/dispatch.ts'
import { COMMANDS } from '../command/table.ts'

const TYPED = writtenCommands([...(commandsIn(COMMANDS).get('bash')?.keys() ?? [])])

/** A failure as whoever typed in this topic can use it: commands have the marks that they take here. */
export function nextStepsIn({ type }: Topic, failure: Failure): Failure {
  const mark = COMMAND_MARKS[type]
  return mark === '/' ? failure : { ...failure, hints: failure.hints.map((hint) => hint.replace(TYPED, mark)) }
}
