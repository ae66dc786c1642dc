import type { ExecResult, StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'
import { fitText } from '../terminal/cells.ts'
import type { PromptReader } from '../terminal/editor/prompt-reader.ts'
import { fitStyled } from '../terminal/program-styles.ts'
import { type Line, type Paint, paint } from '../terminal/styled-text.ts'
import { pressedKeys } from './pressed-keys.ts'
import { isShellAnswer, placeAfter, type ShellScreen, shellAnswer } from './shell-answer.ts'

const ENTER_SCREEN = '\x1b[?1049h\x1b[2J'
const LEAVE_SCREEN = '\x1b[?1049l'
/** Ctrl-], as in telnet: programs have no use for it. */
export const BACK = '\x1d'
/** So long what keys do, and whatever else happens, is waited for before it is shown. */
const LOOK_MS = 200

export interface ScreenVisitOptions {
  readonly client: StringClient
  readonly topic: Topic
  readonly reader: PromptReader
  readonly paint: Paint
  /** Up to where what the shell printed has been shown. */
  readonly seen: string
  /** Makes the program's terminal as large as the window. */
  readonly fit: () => Promise<void>
}

/** How a visit ended: what the shell answered last, and whether it was the person who left. */
export interface VisitEnd {
  /** Null: the shell is not there any more, or nobody who could tell. */
  readonly result: ExecResult | null
  readonly isLeft: boolean
  /** What was printed meanwhile, as it is shown, and up to where that is. */
  readonly output: string
  readonly seen: string
}

/** A program that has the whole screen, on the whole window: it gets every key, until it gives the screen back. */
export class ScreenVisit {
  readonly #options: ScreenVisitOptions
  readonly #output: string[] = []
  #keys: string[] = []
  #pressing: Promise<void> | null = null
  #last: ExecResult
  #seen: string
  #isLost = false
  #drawn = ''
  #isOver = false
  #isLeft = false
  #finish: () => void = () => undefined

  constructor(options: ScreenVisitOptions, first: ExecResult) {
    this.#options = options
    this.#last = first
    this.#seen = options.seen
  }

  async run(): Promise<VisitEnd> {
    const { reader } = this.#options
    const over = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    reader.lend({
      take: (sent) => this.#press(sent),
      resize: () => void this.#options.fit().catch(() => undefined),
      end: () => this.#leave(),
    })
    process.stdout.write(ENTER_SCREEN)
    this.#draw()
    const looking = this.#look()
    await over
    process.stdout.write(LEAVE_SCREEN)
    reader.giveBack()
    // What they still hear of was printed by the same program.
    await Promise.all([looking, this.#pressing])
    const result = this.#isLost ? null : this.#last
    return { result, isLeft: this.#isLeft, output: this.#output.join('\n'), seen: this.#seen }
  }

  #leave(): void {
    this.#isLeft = !this.#isOver
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#finish()
  }

  #press(sent: string): void {
    if (this.#isOver) return
    const [before = '', ...behind] = sent.split(BACK)
    this.#keys.push(...pressedKeys(before))
    if (behind.length > 0) this.#leave()
    this.#pressing ??= this.#send().finally(() => {
      this.#pressing = null
    })
  }

  /** What was pressed meanwhile goes along with the next; whoever leaves has pressed it before. */
  async #send(): Promise<void> {
    while (this.#keys.length > 0 && (!this.#isOver || this.#isLeft)) {
      const keys = this.#keys
      this.#keys = []
      this.#take(await this.#ask(`//key ${keys.join(' ')}`))
    }
  }

  /** What is printed line by line is read here alone, so that it is there once; also what came with the last key. */
  async #look(): Promise<void> {
    let isLast = false
    while (!isLast && !this.#isLeft) {
      const wasOver = this.#isOver
      const result = await this.#ask(wasOver ? '//wait 0' : '//wait 1', this.#seen)
      if (result !== null && isShellAnswer(result)) this.#read(result)
      this.#take(result)
      isLast = wasOver || result?.data?.running !== true
    }
  }

  #read(result: ExecResult): void {
    const { shown } = shellAnswer(result)
    if (shown !== '') this.#output.push(shown)
    this.#seen = placeAfter(result, this.#seen)
  }

  /** Null where nobody answers. */
  async #ask(text: string, seen?: string): Promise<ExecResult | null> {
    const { client, topic, paint: style } = this.#options
    const place = seen === undefined ? {} : { seen }
    const manner = { waitMs: LOOK_MS, ...place, styles: style.color, cancelOnLeave: true }
    return client.exec(topic.canonical, text, manner).catch(() => null)
  }

  #lose(): void {
    // Who has left, or seen the program end, misses nothing.
    this.#isLost ||= !this.#isOver
    this.#end()
  }

  #take(result: ExecResult | null): void {
    if (result === null || !isShellAnswer(result)) return this.#lose()
    const { screen } = shellAnswer(result)
    // The one that says how it ended counts, whichever comes last.
    if (this.#last.data?.running === true) this.#last = result
    if (this.#isOver) return
    if (screen === null) this.#end()
    else this.#draw()
  }

  #draw(): void {
    const { screen } = shellAnswer(this.#last)
    const frame = screen === null || this.#isOver ? this.#drawn : this.#frame(screen)
    // What has not changed would only flicker.
    if (frame !== this.#drawn) process.stdout.write(frame)
    this.#drawn = frame
  }

  #frame({ lines, row, column }: ShellScreen): string {
    const { topic, paint: style } = this.#options
    const width = process.stdout.columns || 80
    const height = process.stdout.rows || 24
    const room = Math.max(1, height - 1)
    const shown = Array.from({ length: room }, (_, index) => fitStyled(lines[index] ?? '', width))
    const status = paint(visitNote(topic, width), style)
    const rows = [...shown, status].map((text, index) => `\x1b[${index + 1};1H\x1b[K${text}`)
    return `\x1b[?25l${rows.join('')}\x1b[${Math.min(row + 1, room)};${Math.min(column + 1, width)}H\x1b[?25h`
  }
}

/** Below what the program shows: who gets the keys, and how to get away. */
export function visitNote(topic: Topic, width: number): Line {
  const note = fitText(` ${topic.canonical}: keys go to the program · Ctrl-] goes back to the prompt `, width)
  return [{ text: note, styles: ['inverse'] }]
}
