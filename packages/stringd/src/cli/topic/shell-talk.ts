import type { ExecResult } from '@string-os/client'
import { visibleLine, visibleText } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { promptOf } from './prompt.ts'
import { ScreenVisit } from './screen-visit.ts'
import { asksSecret, readsSecret } from './secret-asked.ts'
import { shellAnswer } from './shell-answer.ts'
import { sayCutOff } from './shell-standing.ts'
import { exitNote, shownOutput } from './show-result.ts'
import type { Talk } from './talk.ts'

/** Typed to a program that runs: nobody types these themselves. */
export const ENTER_KEY = '//key enter'
export const LOOK = '//wait 0'
export const INTERRUPT = '//interrupt'

/** Below the program's screen a line says how to get away. */
const STATUS_ROWS = 1

/** The terminal of a topic's shell is as large as the window: what programs print for it then fits. */
export async function fitShell({ client, view: { topic }, sizes }: Talk): Promise<void> {
  const { columns, rows } = process.stdout
  if (topic.type !== 'bash' || !(columns > 0) || !(rows > STATUS_ROWS)) return
  const size = `${columns} ${rows - STATUS_ROWS}`
  if (sizes.get(topic.canonical) === size) return
  sizes.set(topic.canonical, size)
  await client.exec(topic.canonical, `//size ${size}`)
}

/**
 * Shows what a shell answered; a program that has the whole screen is visited. Tells how it stands then; null: it was cut off
 * meanwhile, which has been said.
 */
export async function showShell(at: Talk, result: ExecResult, typed: string): Promise<ExecResult | null> {
  const { color } = at.paint
  const { output, screen, isRunning } = shellAnswer(result)
  const isFirst = at.view.shell?.running == null
  // Whoever only looks has not answered yet.
  const isStillAsked = at.isSecretAsked && typed.startsWith('//') && typed !== ENTER_KEY
  at.isSecretAsked = isRunning && (asksSecret(output) || isStillAsked || (isFirst && readsSecret(typed)))
  at.interrupts = typed === INTERRUPT && isRunning ? at.interrupts + 1 : 0
  // An interpreter that says something and waits for the next line has heeded it.
  at.isStubborn = at.interrupts > 1 || (at.interrupts === 1 && output === '')
  if (screen === null || at.interrupts > 0) {
    print(at, at.isStubborn ? visibleText(output) : shownOutput(result, at.view.shell?.running != null, color))
    if (at.isStubborn) print(at, dim(prose(STUBBORN, process.stdout), color))
    return result
  }
  print(at, visibleText(output))
  const visit = new ScreenVisit({ ...at, topic: at.view.topic, fit: () => fitShell(at) }, result)
  const end = await visit.run()
  print(at, visibleText(end.output))
  if (end.result === null) await sayCutOff(at, at.view.shell?.running ?? typed)
  else print(at, end.isLeft ? dim(prose(LEFT, process.stdout), color) : exitNote(end.result, color))
  return end.result
}

const STUBBORN = '(it goes on: Ctrl-C again ends it for good, Ctrl-D leaves it running)'
const LEFT = '(it goes on: Enter shows it again, Ctrl-C ends it, Ctrl-D leaves it running)'
const HAS_SCREEN = '(it has the whole screen now: Enter shows it)'

/** What is typed is for a program that has asked for what nobody should see. */
export function hidesTyped({ view: { shell }, isSecretAsked }: Talk): boolean {
  return shell?.running != null && isSecretAsked
}

function print({ reader }: Pick<Talk, 'reader'>, text: string): void {
  if (text !== '') reader.print(text)
}

/** What a program in a shell printed in the meantime stands above the prompt. */
export function told(at: Talk): (result: ExecResult) => void {
  return (result) => {
    const { shell } = at.view
    const { output, screen, isRunning } = shellAnswer(result)
    if (output !== '') at.reader.print(visibleText(output))
    if (shell === null) return
    const hasScreen = screen !== null
    if (hasScreen && !shell.hasScreen) at.reader.print(dim(HAS_SCREEN, at.paint.color))
    const cwd = typeof result.data?.cwd === 'string' ? result.data.cwd : shell.cwd
    at.isSecretAsked ||= asksSecret(output)
    if (!isRunning) {
      if (at.isSecretAsked) at.reader.dropTyped()
      at.isSecretAsked = false
    }
    const isChanged = !isRunning || hasScreen !== shell.hasScreen
    at.view = { ...at.view, shell: { ...shell, cwd, running: isRunning ? shell.running : null, hasScreen } }
    if (isChanged) at.reader.changePrompt(promptOf(at.view, at.cwd))
  }
}

/** Of a topic in which something runs, whoever comes is told what and what can be done about it. */
export function sayWhatRuns(at: Talk): void {
  const { shell } = at.view
  at.isSecretAsked = shell?.running != null && readsSecret(shell.running)
  if (shell?.running == null) return
  const what = visibleLine(shell.running).slice(0, 60)
  const said = `(${what} runs here: what you type is its input, //key ctrl-d ends that, Ctrl-C interrupts it)`
  print(at, dim(prose(said, process.stdout), at.paint.color))
}

/** Whoever leaves a topic with a shell is told that it is still there. */
export function sayWhatStays(at: Talk): void {
  const { shell, topic } = at.view
  if (shell === null) return
  const name = `string ${topic.canonical}`
  const goesOn = shell.running === null ? 'The shell stays' : `${visibleLine(shell.running).slice(0, 60)} goes on`
  const said = inOwnName(`(${goesOn}: ${name} comes back to it, ${name} //close ends it)`)
  print(at, dim(prose(said, process.stdout), at.paint.color))
}

/** Ends what does not heed Ctrl-C, with all that it started. */
export async function endProgram({ client, view: { topic } }: Talk): Promise<void> {
  await client.sessions.cancel(topic.canonical)
}
