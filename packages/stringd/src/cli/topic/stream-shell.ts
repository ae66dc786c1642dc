import type { ExecResult, StringClient } from '@string-os/client'
import { LIMITS, type Topic } from '@string-os/protocol'
import { hangingLines } from '../terminal/hanging.ts'
import { fitStyled } from '../terminal/program-styles.ts'
import { paint } from '../terminal/styled-text.ts'
import { aboveLine, isMore, isShellAnswer, openLine, placeAfter, shellAnswer } from './shell-answer.ts'
import { rowsText, type ShownPart } from './shown-part.ts'
import { shownRows } from './shown-rows.ts'

/** What ends so soon is one answer. */
const SOON_MS = 500
const LOOK_MS = 250
const CLEAR_BELOW = '\r\x1b[J'

interface StreamedCommand {
  readonly topic: Topic
  readonly command: string
  readonly cwd: string
  readonly requestId: string
  /** How long it is waited for; it goes on in any case. */
  readonly waitMs?: number
  readonly color: boolean
  /** The first answer is there: what told of waiting goes. */
  readonly onAnswer: () => void
}

export interface StreamEnd {
  readonly result: ExecResult
  /** All that it printed has been shown. */
  readonly isShown: boolean
  /** Somebody pressed Ctrl-C, and it was ended. */
  readonly isInterrupted: boolean
}

/** A command in a shell for a person who waits for it: what takes longer is shown as it is printed, and stays. */
export async function streamShell(client: StringClient, streamed: StreamedCommand): Promise<StreamEnd> {
  const { topic, command, cwd, requestId, waitMs = LIMITS.shellWaitMs, color, onAnswer } = streamed
  const began = performance.now()
  const { place, isInput } = await placeNow(client, topic)
  const manner = { seen: place, styles: color, drawn: 'over', cancelOnLeave: true } as const
  // Input is answered soon by itself.
  const options = { ...manner, waitMs: isInput ? waitMs : Math.min(SOON_MS, waitMs), cwd, requestId }
  const first = await client.exec(topic.canonical, command, options).finally(onAnswer)
  if (!isMore(first) && (typeof first.data?.input_to === 'string' || !goesOn(first)))
    return { result: first, isShown: false, isInterrupted: false }
  const shower = new Shower(placeAfter(first, place))
  shower.show(first)
  const interrupt = onInterrupt()
  let result = first
  try {
    const isAwaited = (): boolean => goesOn(result) && performance.now() - began < waitMs
    while ((isMore(result) || isAwaited()) && !interrupt.signal.aborted) {
      result = await client.exec(topic.canonical, '//wait 1', { ...manner, waitMs: LOOK_MS, seen: shower.seen })
      shower.show(result)
    }
    if (interrupt.signal.aborted) shower.breakLine()
    if (interrupt.signal.aborted && goesOn(result)) {
      await client.sessions.cancel(topic.canonical)
      result = await client.exec(topic.canonical, '//wait 0', { ...manner, seen: shower.seen })
      shower.show(result)
    }
  } finally {
    interrupt.stop()
    shower.end()
  }
  const { screen } = shellAnswer(result)
  const isShown = isShellAnswer(result) && screen === null
  return { result, isShown, isInterrupted: interrupt.signal.aborted }
}

/** How a command that was shown as it ran stands now: its first line. */
export function standingLine({ ok, content }: ExecResult, color: boolean): string {
  const [text = ''] = content.split('\n', 1)
  const lines = hangingLines([{ text, styles: [ok ? 'dim' : 'red'] }], process.stdout.columns || 80)
  return lines.map((line) => paint(line, { color, links: false })).join('\n')
}

/** A program that has the whole screen is no stream. */
function goesOn(result: ExecResult): boolean {
  return isShellAnswer(result) && result.data?.running === true && shellAnswer(result).screen === null
}

/** Up to where the shell has printed. What nobody has been told yet is shown here: the answer begins behind it. */
async function placeNow(client: StringClient, { canonical }: Topic): Promise<{ place: string; isInput: boolean }> {
  const { data } = await client.exec(canonical, '//info')
  if (typeof data?.place !== 'string') return { place: '', isInput: false }
  if (data.running === true) return { place: data.place, isInput: true }
  const untold = shellAnswer(await client.exec(canonical, '//wait 0')).output
  if (untold !== '') process.stdout.write(`${untold}\n`)
  const after = await client.exec(canonical, '//info')
  return { place: placeAfter(after, data.place), isInput: false }
}

function onInterrupt(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const pressed = new AbortController()
  const press = (): void => pressed.abort()
  process.once('SIGINT', press)
  return { signal: pressed.signal, stop: () => process.off('SIGINT', press) }
}

/** What may still change, and the place before it. */
interface OpenRows {
  readonly rows: number
  readonly text: string
  readonly place: string
}

/** Prints answers one behind the other. What may still change is written anew when there is more of it. */
class Shower {
  #seen: string
  /** Behind all that was read. */
  #after: string
  #open: OpenRows | null = null

  constructor(seen: string) {
    this.#seen = seen
    this.#after = seen
  }

  get seen(): string {
    return this.#seen
  }

  show(result: ExecResult): void {
    if (!isShellAnswer(result)) return
    const drawn = shownRows(result, process.stdout.columns || 80)
    if (drawn === null) this.#showLines(result)
    else this.#showRows(drawn)
  }

  #showLines(result: ExecResult): void {
    const { shown } = shellAnswer(result)
    const line = openLine(result, process.stdout.columns || 80)
    const above = aboveLine(shown, line)
    const isOpen = line !== null && above.length < shown.length
    const last = isOpen ? shown.slice(above === '' ? 0 : above.length + 1) : ''
    this.#write(above, isOpen ? { rows: 1, text: last, place: line.place } : null, 0)
    this.#after = placeAfter(result, this.#after)
    this.#seen = isOpen ? line.place : this.#after
  }

  /** Rows that its program has drawn over, as a terminal would show them. */
  #showRows({ above, open, shown, place, end }: ShownPart): void {
    const [columns, rows] = [process.stdout.columns || 80, process.stdout.rows || 24]
    // Above that nothing can be written anew.
    const room = Math.max(1, rows - 1)
    const text = open.slice(-room).map((row) => fitStyled(row, columns))
    const isOpen = text.some((row) => row !== '')
    this.#write(
      rowsText(above),
      isOpen ? { rows: text.length, text: text.join('\n'), place } : null,
      Math.min(shown, room),
    )
    this.#after = end
    this.#seen = place
  }

  /** `back`: so many rows above are not so any more. */
  #write(above: string, open: OpenRows | null, back: number): void {
    const before = this.#open
    const isSame = above === '' && back === 0 && open?.text === before?.text && open?.place === before?.place
    this.#open = open
    if (isSame) return
    const up = back + (before === null ? 0 : before.rows - 1)
    const erased = before === null && back === 0 ? '' : `${up > 0 ? `\x1b[${up}A` : ''}${CLEAR_BELOW}`
    process.stdout.write(`${erased}${above === '' ? '' : `${above}\n`}${open?.text ?? ''}`)
  }

  /** The terminal has written `^C` there. */
  breakLine(): void {
    process.stdout.write('\n')
    this.#open = null
    this.#seen = this.#after
  }

  end(): void {
    if (this.#open !== null) this.breakLine()
  }
}
