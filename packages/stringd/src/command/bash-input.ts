import { exited, fail, type Result, running } from '@string-os/protocol'
import type { CommandContext } from '../session/context.ts'
import type { ShellState } from '../shell/bash-shell.ts'

/** Text sent to a bash topic: a script at the prompt, or input for the program that runs. */
export async function bashInput(text: string, { shell }: CommandContext): Promise<Result> {
  if (text.includes('\0'))
    return fail('INVALID_PARAMS', 'The input holds a NUL character', "A program can make one: printf '\\0'")
  const state = await shell.input(text)
  return 'code' in state ? state : shellResult(state, shell)
}

/** How a shell stands, as a result. */
export function shellResult(state: ShellState, { shownBytes }: CommandContext['shell']): Result {
  const { kind, status, cwd, note } = state
  const output = state.output.text(shownBytes)
  const ended = kind === 'ended' ? ['(the shell has ended; the next input starts a fresh one)'] : []
  const notes = note === null ? ended : [`(${note})`, ...ended]
  const text = [...(output === '' ? [] : [output]), ...notes].join('\n')
  return kind === 'running' ? running(cwd, text) : exited(status, cwd, text)
}
