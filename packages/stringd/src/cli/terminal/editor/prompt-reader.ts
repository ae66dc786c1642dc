import type { Key } from 'node:readline'
import { dim, red } from '../color.ts'
import { isTaller } from '../pager.ts'
import { prose } from '../prose.ts'
import type { Line, Paint } from '../styled-text.ts'
import { AnswerPager } from './answer-pager.ts'
import { askSize } from './ask-size.ts'
import { type AskCompletion, CompletionAsker } from './completion-asker.ts'
import { DrawSoon } from './draw-soon.ts'
import { type History, setsVariable } from './history.ts'
import { Keyboard } from './keyboard.ts'
import { nameOf } from './keys.ts'
import { type EditorOptions, LineEditor, type Wish } from './line-editor.ts'
import { editOutside } from './outside-editor.ts'
import { PagerLetters } from './pager-letters.ts'
import { severalTexts } from './several-texts.ts'
import { type Drawing, Stage } from './stage.ts'
import { TypeAhead } from './type-ahead.ts'

export interface PromptReaderOptions extends Omit<EditorOptions, 'history' | 'refused' | 'isPlain'> {
  readonly history: History
  /** What may stand where a text ends; null where that is not known. */
  readonly complete?: AskCompletion
  /** Whether a line that begins with a slash is a command of the place. */
  readonly isCommand?: (line: string) => boolean
  /** The texts that one of several lines is, where it is several; they are read one after the other. */
  readonly several?: (text: string) => readonly string[] | null
  /** Said at the first Ctrl-C at an empty prompt, of which a second one soon after leaves; null: there Ctrl-C never does. */
  readonly farewell: () => Line | null
  /** Whether what is entered may be offered again; asked when it is read. */
  readonly keeps?: () => boolean
  /** Which program gets what is entered now, where one does: that is offered as long as the same one does, and kept nowhere. */
  readonly program?: () => string | null
  /** What Ctrl-C at a prompt stands for, whatever is typed there, where it does not clear or leave that. */
  readonly idleInterrupt?: () => string | null
  /** The same of Ctrl-D. */
  readonly idleLeave?: () => string | null
  /** What Ctrl-D behind a text stands for, before that text; null: nothing. */
  readonly idleSend?: (text: string) => string | null
  /** What Ctrl-Z at a prompt stands for, where it does not suspend this program. */
  readonly idleStop?: () => string | null
  /** What Ctrl-] stands for, before what is typed so far; null: nothing. */
  readonly idleHandOver?: () => string | null
  /** The same, while nothing is read. */
  readonly busyHandOver?: () => void
  /** What is read as soon as nothing is typed, or Enter is pressed, in place of what was typed: that stays for later. Null: nothing. */
  readonly idleGuest?: () => string | null
  /** Whether Ctrl-C drops what is being typed, while nothing is read, as it does at the terminal of a program. */
  readonly busyDrops?: () => boolean
  /** Whether Ctrl-D may be for what runs, while nothing is read: it waits its turn, and the second one leaves. */
  readonly busyLeave?: () => boolean
  /** Whether Ctrl-Z was for what runs, while nothing is read. */
  readonly busyStop?: () => boolean
  /** The program in which a person changes a text that is too long for a line. */
  readonly editor: string
  /** The terminal itself is gone. */
  readonly onGone: () => void
  readonly paint: Paint
}

/** Whoever presses it again later means something else. */
const LEAVES_MS = 2_000
const IN_HISTORY = '(what waited before it is in the history: Up)'

/** Ctrl-C wants an end of what runs; Ctrl-D, or a terminal that is gone, only of the talk. */
export type BusyEnd = 'cancel' | 'leave'

interface Waiting {
  readonly kind: 'next' | 'ask'
  readonly prompt: Line
  readonly resolve: (text: string | null) => void
}

/** Whoever has the terminal for a while. */
export interface Guest {
  /** What the terminal sent, as it is: which keys those are is for the guest to know. */
  readonly take: (sent: string) => void
  /** The window has another size. */
  readonly resize: () => void
  /** The terminal is gone, or the talk is over. */
  readonly end: () => void
}

/** What a person types at a terminal, text by text; what is typed while nobody reads is shown, and kept for later. */
export class PromptReader {
  /** Whatever is written while this reads is written there. */
  readonly stage: Stage
  readonly #options: PromptReaderOptions
  readonly #keyboard: Keyboard
  readonly #editor: LineEditor
  readonly #hides: () => boolean
  readonly #questions = new LineEditor({ history: [] })
  readonly #asker: CompletionAsker
  readonly #onResize = (): void => {
    if (this.#guest !== null) this.#guest.resize()
    else if (this.#pager !== null) this.#pager.resize()
    else this.#drawing.resized()
  }
  readonly #drawing = new DrawSoon(() => this.#draw())
  readonly #early = new TypeAhead()
  /** What stood before what was read last. */
  #prompt: Line = [{ text: '> ' }]
  #waiting: Waiting | null = null
  #program: string | null = null
  /** What was entered last, where it is kept. */
  #kept: string | null = null
  /** What is typed are several texts, a line each: they were entered as such, and given back. */
  #areSeveral = false
  #onInterrupt: ((how: BusyEnd) => void) | null = null
  /** Until when a second Ctrl-C leaves. */
  #leavesUntil = 0
  /** Texts that waited are in the history now, and that has not been said. */
  #isKeptBefore = false
  /** The key before was Ctrl-D, and what runs has got it: the next one leaves. */
  #isEndSent = false
  #isClosed = false
  /** An answer of which there is more to show. */
  #pager: AnswerPager | null = null
  /** Tab behind a command that was typed below an answer, and what was typed after it. */
  #untilRead: [string | undefined, Key][] | null = null
  readonly #letters = new PagerLetters()
  #guest: Guest | null = null
  /** Keys for a guest who is on the way; null: none is. */
  #keysForGuest: [string | undefined, Key][] | null = null

  constructor(options: PromptReaderOptions) {
    const { history, complete, hides = () => false, onGone, paint } = options
    this.#hides = hides
    this.#options = options
    this.stage = new Stage(process.stdout, paint)
    this.#editor = new LineEditor({
      ...options,
      history: history.entries,
      refused: history.refused,
      isPlain: !paint.color,
      endsInput: (text) => this.#mayBeSent(text),
    })
    this.#asker = new CompletionAsker(complete, {
      text: () => (this.#waiting?.kind === 'next' ? this.#editor.completable : null),
      take: (text, view) => {
        const isOffered = this.#waiting?.kind === 'next' && this.#editor.offer(text, view)
        if (isOffered !== false) this.#drawing.soon()
        if (isOffered === 'bell') this.#ring()
      },
      press: (text, key) => this.#press(text, key),
    })
    this.#keyboard = new Keyboard({
      onKey: (text, key) => this.#press(text, key),
      onSent: (sent) => this.#guest?.take(sent),
      onEnd: () => this.#leave(),
      onGone,
      onBack: () => {
        this.stage.forget()
        this.stage.redraw()
      },
    })
    process.stdout.on('resize', this.#onResize)
  }

  /** Shows the prompt and answers what was entered; null when the person left. */
  async next(prompt: Line): Promise<string | null> {
    this.#prompt = prompt
    this.#missGuest()
    this.#sayKept()
    this.#chooseHistory()
    return this.#takeEarly(prompt) ?? this.#wait('next', prompt)
  }

  /** What was entered before there was a prompt; null where nothing waits. Only now is it known whom it is for. */
  #takeEarly(prompt: Line): string | null {
    const early = this.#early.next()
    if (early === undefined) return null
    if (early.kind === 'sent') return this.#takeSent(early.text, prompt)
    const meant = early.kind === 'text' ? early.text : (this.#options.idleLeave?.() ?? null)
    // Nothing is there that it would end.
    if (meant === null) return this.#takeEarly(prompt)
    this.#isEndSent = early.kind === 'end'
    if (early.kind === 'text' && this.#options.keeps !== undefined) this.#keep(meant)
    const echo = new LineEditor({ history: [], hides: this.#hides })
    echo.insert(early.kind === 'text' ? meant : '^D')
    this.stage.enter((width, height) => echo.frame(prompt, width, height, true))
    this.#draw()
    return meant
  }

  /** Where nothing reads it, it is not entered either: it is typed. */
  #takeSent(text: string, prompt: Line): string | null {
    const meant = this.#options.idleSend?.(text) ?? null
    if (meant === null) {
      this.#editor.insert(text)
      return this.#takeEarly(prompt)
    }
    const echo = new LineEditor({ history: [], hides: this.#hides })
    echo.insert(text)
    this.stage.enter((width, height) => echo.frame(prompt, width, height, true))
    this.#draw()
    return `${meant}${text}`
  }

  /** A question in between; null when it was not answered. */
  async ask(question: string, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return null
    const drop = (): void => {
      if (this.#waiting?.kind === 'ask') this.#finish()
      this.#answer('ask', null)
    }
    signal.addEventListener('abort', drop, { once: true })
    const answer = await this.#wait('ask', [{ text: question }])
    signal.removeEventListener('abort', drop)
    return answer
  }

  /** Whether there is something that nobody has read yet. */
  get hasTyped(): boolean {
    return !this.#early.isEmpty || this.#editor.text !== ''
  }

  /** Whether a text is awaited, and nothing is typed yet. */
  get isIdle(): boolean {
    return this.#waiting?.kind === 'next' && !this.hasTyped
  }

  /** Writes something above what is typed. */
  print(text: string): void {
    this.stage.print(text)
  }

  /** The same of what only helps who reads it. */
  hint(text: string): void {
    this.stage.print(text, true)
  }

  /** A text that nobody entered is read instead; what is being typed stays for later. */
  enterFor(text: string): void {
    this.#asker.stop()
    this.#answer('next', text)
  }

  /** The same where a guest is on the way: what is typed from now on is for them. */
  enterForGuest(text: string): void {
    if (this.#waiting?.kind !== 'next') return
    this.#keysForGuest = []
    this.enterFor(text)
  }

  /** None has come: what was typed for them is for whoever reads next. */
  #missGuest(): void {
    const keys = this.#keysForGuest ?? []
    this.#keysForGuest = null
    for (const [text, key] of keys) this.#press(text, key)
  }

  /** Writes what went wrong. */
  fault(text: string): void {
    this.print(red(prose(text, process.stdout), this.#options.paint.color))
  }

  /** What is being typed is for nobody any more. */
  dropTyped(): void {
    this.#early.takeBack('')
    this.#editor.clear()
  }

  /** Newest first. */
  get typedBefore(): readonly string[] {
    return this.#editor.typedBefore
  }

  /** A text that was entered was a mistake: it stays in the history, and is not suggested. */
  refuse(text: string): void {
    this.#editor.refuse(text)
    if (text === this.#kept) this.#options.history.refuse(text)
  }

  /** Texts that were entered are to be typed on, with all that waits behind them. */
  putBack(...texts: readonly string[]): void {
    const waiting = this.#early.takeBack(this.#editor.text)
    this.#type(this.#isSplit ? [...texts, ...waiting] : [...waiting, ...texts])
  }

  /** A text of several lines may be several texts. */
  get #isSplit(): boolean {
    return this.#options.several !== undefined
  }

  /**
   * Several lines stay what they were: entered again, they are so one after the other, where a text may be several. Elsewhere
   * they would become one text: the last is typed, and the others are found in the history.
   */
  #type(texts: readonly string[]): void {
    this.#areSeveral = this.#isSplit && texts.length > 1 && !texts.some((text) => text.includes('\n'))
    const before = this.#isSplit ? [] : texts.slice(0, -1)
    for (const text of before) this.#keep(text)
    this.#isKeptBefore ||= before.length > 0
    if (this.#waiting !== null) this.#sayKept()
    const typed = this.#isSplit ? texts.join('\n') : (texts.at(-1) ?? '')
    if (typed !== this.#editor.text) this.#editor.set(typed)
  }

  /** It is about the prompt: what was said of what ran before it comes first. */
  #sayKept(): void {
    if (this.#isKeptBefore) this.hint(dim(prose(IN_HISTORY, process.stdout), this.#options.paint.color))
    this.#isKeptBefore = false
  }

  /**
   * Writes an answer. Of one that is taller than the window, the top is shown, and the rest as the person asks for it; whoever
   * has typed the next command meanwhile is not asked. It is laid out once more where the window changes.
   */
  async page(layOut: () => string): Promise<void> {
    const text = layOut()
    if (this.#isClosed || this.hasTyped || !isTaller(text.split('\n'), this.stage)) return this.stage.print(text)
    await new Promise<void>((resolve) => {
      const take = (line: string, isEntered: boolean): void => this.#typeCommand(line, isEntered)
      const commands = { isCommand: this.#options.isCommand ?? (() => false), take }
      // What was sent in one piece with the key that ended it comes before anybody hears of the end.
      const onOver = (): void => {
        this.#pager = null
        resolve()
      }
      this.#pager = new AnswerPager(() => layOut().split('\n'), this.stage, onOver, commands)
    })
  }

  /** What was typed below an answer was meant for after it. */
  #typeCommand(line: string, isEntered: boolean): void {
    this.#editor.insert(line)
    if (isEntered) return this.#press('\r', { name: 'return', sequence: '\r' })
    this.#untilRead = [['\t', { name: 'tab', sequence: '\t' }]]
    this.#draw()
  }

  /** What will stand before what is typed from now on, also while nothing is read. */
  announce(prompt: Line): void {
    this.#prompt = prompt
  }

  /** The prompt that is shown becomes another. */
  changePrompt(prompt: Line): void {
    if (this.#waiting?.kind !== 'next') return
    this.#waiting = { ...this.#waiting, prompt }
    this.#chooseHistory()
    this.#draw()
  }

  /** Who hears of Ctrl-C, and of the person leaving, while nothing is read. */
  whileBusy(onInterrupt: (how: BusyEnd) => void): void {
    this.#onInterrupt = onInterrupt
    if (this.#isClosed) onInterrupt('leave')
  }

  /** The prompt that comes next is at the top of the window. */
  clear(): void {
    this.stage.clear()
  }

  /** Somebody else has the whole terminal, keys and all, until it is given back. */
  lend(guest: Guest): void {
    this.stage.type(null)
    this.#guest = guest
    const typed = (this.#keysForGuest ?? []).map(([, key]) => key.sequence ?? '').join('')
    this.#keysForGuest = null
    if (typed !== '') guest.take(typed)
    if (this.#isClosed) guest.end()
  }

  giveBack(): void {
    this.#guest = null
    this.#draw()
  }

  close(): void {
    this.#onInterrupt = null
    if (!this.#isClosed || this.#waiting !== null) this.#leave()
    process.stdout.off('resize', this.#onResize)
    this.#drawing.stop()
    this.#keyboard.end()
  }

  get #current(): LineEditor {
    return this.#waiting?.kind === 'ask' ? this.#questions : this.#editor
  }

  #wait(kind: Waiting['kind'], prompt: Line): Promise<string | null> {
    if (this.#isClosed) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting = { kind, prompt, resolve }
      this.#draw()
      this.#asker.anew()
      this.#pressWhatWaited(kind)
    })
  }

  /** What completes a text is known where that is read; a question in between has keys of its own. */
  #pressWhatWaited(kind: Waiting['kind']): void {
    const keys = this.#untilRead ?? []
    this.#untilRead = null
    if (kind === 'next') for (const [text, key] of keys) this.#press(text, key)
  }

  #draw(): void {
    if (this.#guest !== null) return
    askSize(process.stdout)
    this.stage.type(this.#look())
  }

  #ring(): void {
    this.#drawing.flush()
    this.stage.ring()
  }

  #look(): Drawing | null {
    const waiting = this.#waiting
    const editor = this.#current
    if (waiting !== null) return (width, height) => editor.frame(waiting.prompt, width, height)
    if (this.#isClosed || (editor.text === '' && this.#early.isEmpty)) return null
    const prompt = this.#prompt.map((span) => ({ ...span, styles: ['dim'] as const }))
    return this.#early.above((width, height) => editor.frame(prompt, width, height), this.#hides())
  }

  #press(text: string | undefined, key: Key): void {
    if (this.#isClosed) return
    // It has had it as it was sent.
    if (this.#guest !== null) return
    const isInterrupt = nameOf(key) === 'ctrl-c'
    // Whoever is on the way may not come.
    if (isInterrupt) this.#keysForGuest = null
    if (this.#keysForGuest !== null) {
      this.#keysForGuest.push([text, key])
      return
    }
    if (isInterrupt) this.#untilRead = null
    if (this.#untilRead !== null) {
      this.#untilRead.push([text, key])
      return
    }
    const pager = this.#pager
    if (pager !== null) {
      const { isSearching } = pager
      if (pager.press(key, text)) return isSearching ? undefined : this.#letters.add(text, key, pager.isOver)
    }
    const begun = this.#letters.before(text, key)
    if (begun !== '') this.#current.insert(begun)
    // Whoever goes on typing does not want to leave any more.
    if (!isInterrupt) this.#leavesUntil = 0
    this.#isEndSent &&= nameOf(key) === 'ctrl-d'
    if (!isInterrupt && this.#asker.holds(text, key)) return
    const wish = this.#current.press(text, key)
    if (wish === null) {
      // Each letter of a paste would be drawn by itself.
      if (this.#current.isPasting) return
      if (this.#editor.text === '' && this.#giveWay()) return
      this.#drawing.soon()
      this.#asker.soon()
    } else if (wish.kind === 'complete') this.#asker.now(wish.isPressedAgain ? [text, key] : null)
    else this.#obey(wish)
  }

  #obey(wish: Exclude<Wish, { readonly kind: 'complete' }>): void {
    switch (wish.kind) {
      case 'enter':
        return this.#giveWay() ? undefined : this.#enter(wish.text)
      case 'interrupt':
        return this.#interrupt()
      case 'leave':
        return this.#wantLeave()
      case 'end-input':
        return this.#send()
      case 'suspend':
        return this.#suspend()
      case 'hand-over':
        return this.#handOver()
      case 'clear-screen':
        return this.stage.clear()
      case 'bell':
        return this.#ring()
      case 'edit-outside':
        return this.#editOutside()
    }
  }

  /** Nothing else is done meanwhile, so only where nothing else is there to do. What was made of the text is seen before it runs. */
  #editOutside(): void {
    const { editor, keeps } = this.#options
    if (this.#waiting?.kind !== 'next' || keeps?.() === false) return this.#ring()
    this.stage.type(null)
    const edited = this.#keyboard.lend(() => editOutside(this.#editor.text, editor))
    this.stage.forget()
    if (edited.ok) this.#editor.set(edited.text)
    else this.fault(`Not changed: ${edited.reason}`)
    this.#draw()
  }

  #enter(entered: string): void {
    const waiting = this.#waiting
    const [text = '', ...more] = waiting?.kind === 'ask' ? [entered.trimEnd()] : this.#several(entered)
    this.#areSeveral = false
    this.#leavesUntil = 0
    this.#asker.stop()
    const isRead = waiting?.kind === 'next' || (waiting === null && this.#options.keeps === undefined)
    if (isRead) this.#keep(text)
    if (more.length > 0) this.#current.set(text)
    this.#finish()
    this.#current.clear()
    if (waiting === null) this.#early.add(text)
    // What follows is entered where it is read.
    for (const next of more) this.#early.add(next)
    if (waiting !== null) return this.#answer(waiting.kind, text)
    this.#draw()
  }

  /** Tells whether something else is read than what is typed. */
  #giveWay(): boolean {
    const meant = this.#waiting?.kind === 'next' ? (this.#options.idleGuest?.() ?? null) : null
    if (meant !== null) this.enterForGuest(meant)
    return meant !== null
  }

  #several(entered: string): readonly string[] {
    const { several, unfinished = () => null } = this.#options
    if (this.#areSeveral) return severalTexts(entered, unfinished)
    return several?.(entered) ?? [entered.trimEnd()]
  }

  #keep(text: string): void {
    const isKept = this.#options.keeps?.() !== false
    this.#kept = isKept ? text : null
    if (isKept) this.#options.history.add(text)
    if (setsVariable(text)) return
    if (isKept || (this.#program !== null && !this.#hides())) this.#editor.remember(text)
  }

  #chooseHistory(): void {
    const program = this.#options.program?.() ?? null
    if (program !== this.#program) this.#editor.beginApart(program !== null)
    this.#program = program
  }

  /** What stands there stays, without what was only suggested. */
  #finish(): void {
    if (this.#waiting === null) return
    const { prompt } = this.#waiting
    const editor = this.#current
    this.stage.enter((width, height) => editor.frame(prompt, width, height, true))
  }

  #answer(kind: Waiting['kind'], text: string | null): void {
    if (this.#waiting?.kind !== kind) return
    const { resolve } = this.#waiting
    if (kind === 'ask') this.#questions.clear()
    this.#waiting = null
    this.#draw()
    resolve(text)
  }

  #interrupt(): void {
    this.#asker.drop()
    if (this.#waiting?.kind === 'next') {
      this.#interruptPrompt()
      return
    }
    if (this.#waiting?.kind === 'ask') this.#finish()
    this.#answer('ask', null)
    // What waits was meant for after what is ended now: its person decides again.
    const isDropped = this.#options.busyDrops?.() === true
    if (isDropped) this.#editor.clear()
    this.#type(this.#early.takeBack(this.#editor.text))
    this.#draw()
    this.#onInterrupt?.('cancel')
  }

  #interruptPrompt(): void {
    const isEmpty = this.#editor.text === ''
    const meant = this.#options.idleInterrupt?.() ?? null
    if (meant !== null) {
      this.#finishWith('^C')
      this.#editor.clear()
      this.#areSeveral = false
      this.#answer('next', meant)
      return
    }
    if (isEmpty && performance.now() < this.#leavesUntil) {
      this.#leave()
      return
    }
    const farewell = isEmpty ? this.#options.farewell() : null
    this.#leavesUntil = farewell === null ? 0 : performance.now() + LEAVES_MS
    if (farewell === null) this.#finishWith('^C')
    else {
      this.#finish()
      this.stage.enter(() => ({ rows: [farewell], cursor: { row: 0, column: 0 } }))
    }
    this.#editor.clear()
    this.#areSeveral = false
    this.#draw()
  }

  #wantLeave(): void {
    const isSecond = this.#isEndSent || this.#early.hasEnd
    if (this.#waiting === null && !isSecond && this.#options.busyLeave?.() === true) {
      this.#early.addEnd()
      return this.#draw()
    }
    const meant = this.#waiting?.kind === 'next' ? (this.#options.idleLeave?.() ?? null) : null
    if (meant === null) return this.#leave()
    this.#isEndSent = true
    this.#finishWith('^D')
    this.#answer('next', meant)
  }

  #mayBeSent(text: string): boolean {
    if (this.#waiting === null) return this.#options.busyLeave?.() === true
    return this.#waiting.kind === 'next' && (this.#options.idleSend?.(text) ?? null) !== null
  }

  /** What stands there goes without the end of a line. */
  #send(): void {
    const { text } = this.#editor
    const meant = this.#waiting === null ? null : (this.#options.idleSend?.(text) ?? null)
    if (meant === null) this.#early.addSent(text)
    else {
      this.#keep(text)
      this.#finishWith('^D')
    }
    this.#editor.clear()
    this.#areSeveral = false
    if (meant === null) this.#draw()
    else this.#answer('next', `${meant}${text}`)
  }

  #suspend(): void {
    const { idleStop, busyStop } = this.#options
    if (this.#waiting === null && busyStop?.() === true) return
    const meant = this.#waiting?.kind === 'next' ? (idleStop?.() ?? null) : null
    if (meant === null) return this.#keyboard.suspend()
    this.#finishWith('^Z')
    this.#editor.clear()
    this.#answer('next', meant)
  }

  #handOver(): void {
    if (this.#waiting === null) return this.#options.busyHandOver?.()
    const meant = this.#waiting?.kind === 'next' ? (this.#options.idleHandOver?.() ?? null) : null
    if (meant === null) return
    const { text } = this.#editor
    this.#editor.clear()
    this.enterForGuest(`${meant}${text}`)
  }

  #finishWith(mark: string): void {
    if (this.#waiting === null) return
    const { prompt } = this.#waiting
    this.stage.enter((width, height) => {
      const frame = this.#editor.frame(prompt, width, height, true)
      const last = frame.rows.at(-1) ?? []
      return { ...frame, rows: [...frame.rows.slice(0, -1), [...last, { text: mark, styles: ['dim'] }]] }
    })
  }

  #leave(): void {
    if (this.#waiting !== null) this.#finish()
    this.#isClosed = true
    this.#pager?.end()
    this.#guest?.end()
    this.#asker.stop()
    this.#answer('next', null)
    this.#answer('ask', null)
    this.#draw()
    this.#onInterrupt?.('leave')
  }
}
