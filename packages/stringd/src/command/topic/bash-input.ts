import {
  type Data,
  exited,
  fail,
  interrupted,
  MEANT_IN_SHELL,
  NOT_INTERRUPTED,
  type Printed,
  type Result,
  running,
  type ScreenPlace,
  SHELL_ENDED,
  stopped,
  TYPED_IN_SCREEN,
  TYPED_WHILE_RUNNING,
  withoutStyles,
} from '@string-os/protocol'
import type { ShellState } from '../../shell/bash/shell-state.ts'
import type { CommandContext } from '../core/context.ts'

/** What shells answer where no program has that name. */
const NO_PROGRAM = 127

/** Text sent to a bash topic: a script at the prompt, or input for the program that runs. */
export async function bashInput(text: string, { shell }: CommandContext, meant: string | null): Promise<Result> {
  if (text.includes('\0'))
    return fail('INVALID_PARAMS', 'The input holds a NUL character', "A program can make one: printf '\\0'")
  const state = await shell.input(text)
  if (!state.ok) return state
  const result = shellResult(state.status === NO_PROGRAM ? withMeant(state, meant) : state, shell)
  return state.inputTo === undefined ? result : { ...result, data: { ...result.data, input_to: state.inputTo } }
}

/** Who typed a command as it is typed in other topics is told how it is here. */
function withMeant(state: ShellState, meant: string | null): ShellState {
  if (meant === null) return state
  const note = `${MEANT_IN_SHELL}: ${meant}`
  return { ...state, note: state.note === null ? note : `${state.note}; ${note}` }
}

/** How a shell stands, as a result. */
export function shellResult(state: ShellState, shell: Shown): Result {
  const { kind, status, cwd, screen } = state
  const printed = printedBy(state, shell)
  if (state.isStopped) return told(stopped(cwd, textOf(state, printed), printed), state, shell)
  if (kind !== 'running') return told(exited(status, cwd, textOf(state, printed), printed), state, shell)
  const typed = screen === null ? TYPED_WHILE_RUNNING : TYPED_IN_SCREEN
  const noted = { ...state, note: state.note === null ? typed : `${state.note}; ${typed}` }
  return told(running(cwd, textOf(noted, printed), cursorOf(screen), printed), noted, shell)
}

/** How many lines of the answer are the screen, and where on it the cursor is. */
function cursorOf(screen: ShellState['screen']): ScreenPlace | null {
  return screen === null ? null : { lines: screen.lines.length, ...screen.cursor }
}

/** An interrupt that ended what ran has done its work, whatever status that left. */
export function interruptResult(state: ShellState, shell: Shown): Result {
  const { kind, status, cwd, unread = '' } = state
  const noted = kind === 'running' ? { ...state, note: state.note ?? NOT_INTERRUPTED } : state
  const printed = printedBy(noted, shell)
  const text = textOf(noted, printed)
  const result =
    kind === 'running' ? running(cwd, text, cursorOf(state.screen), printed) : interrupted(status, cwd, text, printed)
  return told(unread === '' ? result : { ...result, data: { ...result.data, unread } }, noted, shell)
}

type Shown = Pick<CommandContext['shell'], 'shownBytes' | 'isPlaceTold' | 'hasStyles'>

/** Who wants styles shows it on a terminal; to everybody else a tab is one. */
function printedBy({ output }: ShellState, { shownBytes, hasStyles }: Shown): Printed {
  return hasStyles ? output.onTerminal(shownBytes) : output.excerpt(shownBytes)
}

/** What a caller gets beside the text, where it was asked for. */
function told(result: Result, state: ShellState, shell: Shown): Result {
  return placed(withStyles(result, state, shell), state, shell)
}

/** Who has said up to where they have read is told up to where they have then. */
function placed(result: Result, state: ShellState, shell: Shown): Result {
  if (!shell.isPlaceTold) return result
  const { place, isMore } = state
  const { hasStyles } = shell
  const more = isMore ? { more: true } : {}
  const data = joinableData(state, result.data, hasStyles)
  return { ...result, data: { ...data, place, ...more, ...openData(state, hasStyles), ...drawnData(state, shell) } }
}

function openData({ line }: ShellState, isOnTerminal: boolean): Data {
  return line === null ? {} : { line: { text: isOnTerminal ? line.shown : line.text, place: line.place } }
}

/** What a program has drawn, for whoever shows that on a terminal: the text says it as ever. */
function drawnData({ drawn }: ShellState, { hasStyles }: Shown): Data {
  if (drawn === undefined) return {}
  const { part, began, isRaw, reads, isSecret, isCursorHidden } = drawn
  const marks = {
    ...(began === null || began === '' ? {} : { began }),
    ...(isRaw ? { raw: true } : {}),
    ...(reads === null ? {} : { reads }),
    ...(isSecret ? { secret: true } : {}),
    ...(isCursorHidden ? { hidden: true } : {}),
  }
  if (part === null) return marks
  const { view, shown, open, isOver, place, line, end } = part
  const lines = [...((hasStyles ? view.styled() : null) ?? view.lines)]
  return { ...marks, drawn: { lines, ...view.cursor, shown, open, over: isOver, place, line, end } }
}

function textOf(state: ShellState, { text }: Printed): string {
  return joined(state, text, state.screen?.lines ?? [])
}

/** Who reads on by places can put the next part behind this one. */
function joinableData({ output, missed, whole }: ShellState, said: Data | undefined, isOnTerminal: boolean): Data {
  const data = said?.truncated === true ? said : { ...said, output: output.open(isOnTerminal) }
  if (missed !== null) return { ...data, truncated: true, missed: missed.bytes, whole }
  return whole === null ? data : { ...data, whole }
}

/** The content once more, with the styles of what was printed: it is that very text, or it is not told. */
function withStyles(result: Result, state: ShellState, shell: Shown): Result {
  const styled = shell.hasStyles ? styledOf(state, shell) : null
  if (styled === null || withoutStyles(styled) !== result.content) return result
  return { ...result, data: { ...result.data, styled } }
}

function styledOf(state: ShellState, { shownBytes }: Shown): string | null {
  const output = state.output.styled(shownBytes)
  const lines = state.screen?.styled() ?? null
  if (output === null && lines === null) return null
  return joined(state, output ?? state.output.onTerminal(shownBytes).text, lines ?? state.screen?.lines ?? [])
}

function joined({ kind, note, missed }: ShellState, output: string, lines: readonly string[]): string {
  const ended = kind === 'ended' ? [SHELL_ENDED] : []
  const notes = note === null ? ended : [`(${note})`, ...ended]
  const before = missed === null ? [] : [`(${missed.text})`]
  return [...before, ...(output === '' ? [] : [output]), ...lines, ...notes].join('\n')
}
