import type { ExecResult } from '@string-os/client'
import { asksSecret, visibleLine, withoutStyles } from '@string-os/protocol'
import { widthOf } from '../terminal/cells.ts'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { PartVisit } from './part-visit.ts'
import { ScreenVisit } from './screen-visit.ts'
import { isStopped, type PromptLine, shellAnswer, TYPED_COLUMNS } from './shell-answer.ts'
import { sayCutOff } from './shell-standing.ts'
import { exitNote } from './show-result.ts'
import { isCursorHidden, isSecretRead, openPart, readsKeys, rowsText, type ShownPart, takesKeys } from './shown-part.ts'
import type { Talk } from './talk.ts'

/** Read where nobody entered anything: what runs gets the keys, because it wants them, or because its person wants that. */
export const VISIT = '\x1d\x1d'
export const HAND_OVER = '\x1d'

/** Below the program's screen a line says how to get away. */
const STATUS_ROWS = 1

/** The terminal of a topic's shell is as large as the window of whoever typed last: what programs print for it then fits. */
export async function fitShell({ client, view: { topic } }: Talk): Promise<void> {
  const { columns, rows } = process.stdout
  if (topic.type !== 'bash' || !(columns > 0) || !(rows > STATUS_ROWS)) return
  await client.exec(topic.canonical, `//size ${columns} ${rows - STATUS_ROWS}`)
}

/** Whether what runs reads keys, or draws by itself what they do. One that is given lines may draw over them; one that lets choose hides its cursor. */
export function wantsKeys(at: Talk, result: ExecResult): boolean {
  if (at.isKeptFrom || shellAnswer(result).screen !== null) return false
  if (readsKeys(result)) return true
  return takesKeys(result) && (isCursorHidden(result) || !at.isGivenLines)
}

/** What a program has drawn stands above the prompt, which its last row may be; of it, what may still change is drawn anew from now on. */
export function showPart(at: Talk, part: ShownPart, isPrompted = true): void {
  const drawn = withoutRows(part, at.left)
  at.left = []
  const { rows, line } = isPrompted ? withoutPrompt(at, drawn) : { rows: drawn.open, line: null }
  const key = JSON.stringify([drawn, isPrompted])
  const open = openPart({ ...drawn, open: rows }, null)
  // What has not changed would only flicker.
  if (key !== at.drawn?.key) at.reader.stage.change({ back: drawn.shown, text: rowsText(drawn.above), part: open })
  at.seen = drawn.end
  at.line = line
  at.drawn = drawn.open.length === 0 ? null : { rows: drawn.open, place: drawn.place, end: drawn.end, key }
}

/** Rows that stand above what was typed, and have not changed, are not shown below it once more. */
function withoutRows(part: ShownPart, left: readonly string[]): ShownPart {
  const { above, open, shown, row } = part
  const had = plainText([...above, ...open].slice(0, shown))
  if (shown === 0 || shown > left.length || plainText(left.slice(-shown)) !== had) return part
  const within = Math.max(0, shown - above.length)
  return { ...part, above: above.slice(shown), open: open.slice(within), shown: 0, row: Math.max(0, row - within) }
}

function plainText(rows: readonly string[]): string {
  return rows.map((row) => withoutStyles(row).trimEnd()).join('\n')
}

/** What was drawn is written otherwise now: as these lines. */
export function settlePart(at: Talk, text: string): void {
  if (at.drawn !== null) at.reader.stage.change({ back: 0, text, part: null })
  else if (text !== '') at.reader.print(text)
  at.drawn = null
}

/** Something is typed below what was drawn: it stays as it is. */
export function keepDrawn(at: Talk): void {
  at.reader.stage.settleOpen()
  at.left = at.drawn?.rows ?? (at.line === null ? [] : [at.line.text])
  at.seen = at.drawn?.end ?? at.seen
  at.drawn = null
}

/** From where on what is printed is to be read. */
export function unreadFrom({ drawn, line, seen }: Talk): string {
  return drawn?.place ?? line?.place ?? seen
}

/** How what runs gets the keys. */
interface HandedOver {
  /** What was typed so far. */
  readonly typed: string
}

/**
 * A program gets every key: on the whole window where it has the whole screen, else below what was printed. Tells how it stands when it
 * has ended, reads lines again or its person has taken the keys back; null: it was cut off meanwhile, which has been said.
 */
export async function visitProgram(
  at: Talk,
  command: string,
  first: ExecResult | null,
  handedOver: HandedOver | null = null,
): Promise<ExecResult | null> {
  let result = first
  let typed = handedOver?.typed ?? ''
  while (true) {
    const hasScreen = result !== null && shellAnswer(result).screen !== null
    const end = hasScreen && result !== null ? await visitScreen(at, result) : await visitPart(at, typed, handedOver)
    typed = ''
    result = end.result
    const { screen, isRunning } = result === null ? NOTHING : shellAnswer(result)
    const goesOn = isRunning && !end.isLeft && (screen !== null || handedOver !== null)
    if (result === null) {
      await sayCutOff(at, at.view.shell?.running ?? command)
      return null
    }
    if (!goesOn) return sayEnd(at, result, { ...end, hasScreen })
  }
}

const NOTHING = { screen: null, isRunning: false }

interface Ended {
  readonly result: ExecResult | null
  readonly isLeft: boolean
  readonly output: string
}

async function visitScreen(at: Talk, first: ExecResult): Promise<Ended> {
  const visit = new ScreenVisit({ ...at, topic: at.view.topic, fit: () => fitShell(at) }, first)
  const end = await visit.run()
  at.seen = end.seen
  at.line = null
  const isEndStopped = end.result !== null && isStopped(end.result, end.output)
  const output = isEndStopped ? end.output.trimStart() : end.output
  if (output !== '') at.reader.print(output)
  return end
}

async function visitPart(at: Talk, typed: string, handedOver: HandedOver | null): Promise<Ended> {
  const options = { ...at, topic: at.view.topic, fit: () => fitShell(at), seen: unreadFrom(at) }
  const visit = new PartVisit({ ...options, typed, endsWithKeys: handedOver === null })
  const end = await visit.run()
  at.drawn = null
  at.line = null
  at.seen = end.seen
  if (end.part !== null) keepPart(at, end.part)
  const output = rowsText([...(end.part?.above ?? []), ...(end.part?.open ?? [])])
  // What it asked before has got its keys.
  if (!end.isLeft) at.isSecretAsked = end.result !== null && asksSecretNow(end.result, output)
  return { ...end, output }
}

function asksSecretNow(result: ExecResult, output: string): boolean {
  return shellAnswer(result).isRunning && (isSecretRead(result) || asksSecret(withoutStyles(output)))
}

/** What it showed last stays, where it does not draw over that. */
function keepPart(at: Talk, part: ShownPart): void {
  if (part.isOver && part.open.length > 0) return showPart(at, { ...part, above: [], shown: 0 })
  const { rows, line } = withoutPrompt(at, part)
  at.reader.stage.change({ back: 0, text: rowsText(rows), part: null })
  at.seen = part.end
  at.line = line
}

/** The last row is the prompt, where the program asks for something there. */
function withoutPrompt(at: Talk, { open, row, column, line }: ShownPart): Prompted {
  const last = visibleLine(withoutStyles(open.at(-1) ?? ''))
  if (row !== open.length - 1 || widthOf(last) > column) return { rows: open, line: null }
  const text = `${last}${' '.repeat(column - widthOf(last))}`
  const hasRoom = widthOf(text) <= at.reader.stage.width - TYPED_COLUMNS
  if (!hasRoom) return { rows: open, line: null }
  return { rows: open.slice(0, -1), line: last === '' ? null : { text, place: line } }
}

interface Prompted {
  readonly rows: readonly string[]
  readonly line: PromptLine | null
}

function sayEnd(
  at: Talk,
  result: ExecResult,
  { isLeft, output, hasScreen }: Ended & { readonly hasScreen: boolean },
): ExecResult {
  const { color } = at.paint
  const isRunning = result.data?.running === true
  at.isKeptFrom ||= isLeft && isRunning && !hasScreen
  const left = hasScreen ? LEFT_SCREEN : at.hints ? LEFT : ''
  const note = isStopped(result, output) ? STOPPED : isLeft && isRunning ? left : null
  const said = note === null ? exitNote(result, color) : note === '' ? '' : dim(prose(note, process.stdout), color)
  if (said !== '') at.reader.hint(said)
  return result
}

export const STOPPED = '(fg goes on with it, bg lets it go on behind, jobs lists what is stopped)'
const LEFT_SCREEN = '(it goes on: Enter shows it again, Ctrl-C ends it, Ctrl-D leaves it running)'
const LEFT = '(it goes on, and gets lines: Ctrl-] gives it the keys again)'
