import { asksSecret, readsSecret, visibleText } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import type { ShellStanding } from './prompt.ts'
import { aboveLine, isShellAnswer } from './shell-answer.ts'
import { LOOK, readBy, told } from './shell-talk.ts'
import { shortCommand } from './short-command.ts'
import type { Talk } from './talk.ts'
import { VISIT } from './visits.ts'

/** As many lines as one needs to see where one is. */
const SHOWN_LINES = 10

/**
 * Whoever comes to a topic with a shell sees what that printed last, whoever has seen it before, and is told what runs and what can be
 * done about it, or how it ended.
 */
export async function sayWhatRuns(at: Talk): Promise<void> {
  const { shell } = at.view
  if (shell === null) return
  if (shell.running === null) return sayWhatEnded(at, shell)
  await sayLastPrinted(at)
  sayHowToType(at, shell.running)
}

/** Whoever sat here has seen what it printed, and hears now what it is. */
export async function sayWhatRunsNow(at: Talk): Promise<void> {
  const running = at.view.shell?.running ?? null
  await sayCommand(at)
  sayHowToType(at, running)
}

export async function sayCommand(at: Talk): Promise<void> {
  const running = at.view.shell?.running ?? null
  if (running === null) return
  at.isSecretAsked = readsSecret(running)
  at.reader.print(`$ ${visibleText(running)}`)
  const { client, view, seen } = at
  const look = await client.exec(view.topic.canonical, LOOK, { seen, styles: at.paint.color })
  if (isShellAnswer(look)) told(at)(look)
}

function sayHowToType(at: Talk, running: string | null): void {
  // It may have ended just now.
  if (running === null || at.view.shell?.running == null) return
  // Whoever comes back to an editor is in it: a line that is typed blind would change what they edit.
  if (at.view.shell.hasScreen) {
    at.due = VISIT
    return
  }
  say(at, `(${shortCommand(running)} runs here: what you type is its input, Ctrl-D ends that, Ctrl-C interrupts it)`)
}

/** Of what has ended, its last words and how it ended: a success that somebody has been told of shows by itself. */
async function sayWhatEnded(at: Talk, { ended, last }: ShellStanding): Promise<void> {
  const printed = await lastPrinted(at).catch(() => '')
  if (printed !== '') at.reader.print(visibleText(printed))
  const { command, exit } = ended ?? last ?? { command: '', exit: 0 }
  if (ended === null && exit === 0) return
  const how = exit === 0 ? '' : `, exit: ${exit}`
  say(at, `(${shortCommand(command)} has ended${ended === null ? '' : ' meanwhile'}${how})`)
}

/** What a program that was started elsewhere has printed last. */
export async function sayLastPrinted(at: Talk): Promise<void> {
  const running = at.view.shell?.running ?? null
  at.isSecretAsked = running !== null && readsSecret(running)
  if (running === null) return
  // Whoever cannot be shown it is still told what runs.
  const printed = await lastPrinted(at).catch(() => '')
  if (at.view.shell?.running == null) return
  at.isSecretAsked ||= asksSecret(printed)
  if (printed !== '') at.reader.print(visibleText(printed))
}

/** The last lines of what the shell shows. What nobody has been told of is among them, and is not told once more. */
async function lastPrinted(at: Talk): Promise<string> {
  const { client, view } = at
  const { canonical } = view.topic
  const look = await client.exec(canonical, LOOK, { seen: at.seen, styles: at.paint.color })
  readBy(at, look)
  if (look.data?.running !== true && view.shell?.running != null) told(at)(look)
  else if (look.data?.screen !== undefined && view.shell !== null) {
    at.view = { ...view, shell: { ...view.shell, hasScreen: true } }
    return ''
  }
  const { text, screen } = await client.sessions.show(canonical)
  at.seen = screen?.place ?? at.seen
  // Its last line is the prompt that comes next.
  return aboveLine(lastLines(text).join('\n'), at.line)
}

/** From the first command among them on: half of one before it says nothing. */
function lastLines(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n').slice(-SHOWN_LINES)
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('$ ')),
    ),
  )
}

/** Whoever leaves a topic with a shell is told that it is still there. */
export function sayWhatStays(at: Talk): void {
  const { shell, topic } = at.view
  if (shell === null) return
  const name = `string ${topic.canonical}`
  const goesOn = shell.running === null ? 'The shell stays' : `${shortCommand(shell.running)} goes on`
  say(at, inOwnName(`(${goesOn}: ${name} comes back to it, ${name} //close ends it)`))
}

function say({ reader, paint }: Talk, text: string): void {
  reader.print(dim(prose(text, process.stdout), paint.color))
}
