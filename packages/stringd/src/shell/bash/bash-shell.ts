import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endFamily, groupsFrom, LastProcess, momentOf } from '@string-os/bridge/reap'
import { asksSecret, LIMITS, type Pagers, readsSecret, truncate, visibleText } from '@string-os/protocol'
import { ensurePrivateDir } from '../../store/private-dir.ts'
import { DrawnRows } from '../output/drawn-rows.ts'
import type { Output } from '../output/output.ts'
import { type PlacedReader, Printed } from '../output/printed.ts'
import type { TerminalSize } from '../screen/screen-grid.ts'
import { ScreenTail } from '../screen/screen-tail.ts'
import { WholeScreen } from '../screen/whole-screen.ts'
import { Echo } from './echo.ts'
import { Echoes } from './echoes.ts'
import { END_LINE, enterLine, initScript, runLine } from './init-script.ts'
import { InputFile } from './input-file.ts'
import { keyCode } from './key-codes.ts'
import { MarkReader } from './marks.ts'
import { OwnLine } from './own-line.ts'
import { Pacing } from './pacing.ts'
import { pagerLine, unpagedLine } from './pager-script.ts'
import { frontGroup, isProgramInFront } from './process-state.ts'
import type { CommandEnd, Drawn, ShellState } from './shell-state.ts'
import { ShellTerminal } from './shell-terminal.ts'
import { NEXT_LINE, readIn, type TerminalMode, terminalMode } from './terminal-mode.ts'
import { TypedEcho, type TypedPlace } from './typed-echo.ts'
import { takeUnread } from './unread-input.ts'
import { Watchers } from './watchers.ts'

export interface BashShellOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The mark that all it starts carries. */
  readonly owner: string
  /** Where its files are kept. */
  readonly folder: string
  readonly newOutput: () => Output
  readonly size: TerminalSize
}

interface Running {
  readonly command: string
  readonly since: number
  /** The last process that the system had started by then. */
  readonly lastId: number
  /** It has the pagers of a person. */
  readonly isPaged: boolean
}

/** One real interactive bash under a terminal. Where a command begins and ends, its marks tell. */
export class BashShell {
  readonly #options: BashShellOptions
  readonly #nonce = randomBytes(12).toString('hex')
  /** No other has the same. */
  readonly id = randomBytes(6).toString('hex')
  readonly #files: string
  /** What the shell reads when it is told to run something. */
  readonly #input: InputFile
  readonly #ids = new LastProcess()
  #terminal: ShellTerminal | null = null
  #commandLine = ''
  #cwd: string
  #status = 0
  #ended = false
  #collecting = false
  /** It prints nothing before its next command. */
  #isStill = false
  /** At its prompt nothing but programs prints. */
  #isBare = false
  /** It asks for a line that was typed while something ran, or has read one, of which nothing but its prompt will tell the end. */
  #ahead: 'prompt' | 'read' | null = null
  /** A prompt that somebody has set is being shown. */
  #isPrompting = false
  /** What came since then. */
  #besidePrompt: Buffer = NO_BYTES
  /** What runs, or ran last, was typed by a reader with a place. */
  #isPlaced = false
  /** Those without a place that wait now: nothing is taken from them. */
  #unplaced = 0
  /** What the shell has said of jobs that ended after the last command. */
  #saidOfJobs = ''
  /** The line that runs, as it was typed. */
  #typed = ''
  readonly #echoes = new Echoes()
  #running: Running | null = null
  /** What runs, or ran last, was told to end: whatever its status is then. */
  #isStopped = false
  /** Whoever else wants to end it meanwhile waits for the same end. */
  #cancelling: Promise<boolean> | null = null
  #untold: CommandEnd | null = null
  #last: CommandEnd | null = null
  #ranLast = ''
  readonly #printed: Printed
  readonly #ownLine = new OwnLine()
  readonly #pacing = new Pacing({
    pause: () => this.#terminal?.hold(),
    resume: () => this.#terminal?.hearOn(),
  })
  #lastOutput = 0
  #note: string | null = null
  /** Who asks after the end is told as well. */
  #whyEnded: string | null = null
  readonly #screen = new ScreenTail()
  readonly #whole: WholeScreen
  #rows: DrawnRows
  /** Up to where what ran last has printed. */
  #restedAt = 0
  /** How the terminal was set where the program that runs had printed up to there. */
  #mode: { readonly place: string; readonly mode: TerminalMode } | null = null
  /** What has edited by itself a line that it was given. */
  #edits: Running | null = null
  #size: TerminalSize
  readonly #watchers = new Watchers()

  private constructor(options: BashShellOptions) {
    this.#options = options
    this.#cwd = options.cwd
    this.#files = join(options.folder, this.id)
    this.#input = new InputFile(`${this.#files}.in`)
    this.#printed = new Printed(this.id, options.newOutput)
    this.#size = options.size
    this.#whole = new WholeScreen(options.size)
    this.#rows = new DrawnRows(this.#printed, options.size)
  }

  /** Starts a shell and waits for its first prompt; one whose startup files never get there is started without them. */
  static async start(options: BashShellOptions): Promise<BashShell> {
    const shell = new BashShell(options)
    await shell.#spawn(true)
    if (!(await shell.#until(() => shell.#prompted || shell.#ended, LIMITS.shellStartMs))) {
      await shell.#stop()
      shell.#note = '~/.bashrc did not come to an end, so the shell was started without it'
      await shell.#spawn(false)
      await shell.#until(() => shell.#prompted || shell.#ended, LIMITS.shellStartMs)
    }
    return shell
  }

  #prompted = false

  get ended(): boolean {
    return this.#ended
  }

  get cwd(): string {
    return this.#cwd
  }

  /** Up to where whoever has read all that it printed has read. */
  get place(): string {
    return this.#printed.place
  }

  get running(): Running | null {
    return this.#running
  }

  /** Resolves when what runs now has ended. */
  async over(): Promise<void> {
    const running = this.#running
    const isOver = (): boolean => this.#running !== running || this.#ended
    while (!(await this.#watchers.until(isOver, LIMITS.shellWaitMs, null)));
  }

  /** What has ended while nobody waited for it; null where the last answer told of it. */
  get untold(): CommandEnd | null {
    return this.#untold
  }

  /** What ended last, whoever was told; null while something runs. */
  get last(): CommandEnd | null {
    return this.#running === null ? this.#last : null
  }

  /** What was printed last, whoever was answered with it; of a program that has the whole screen, what it shows. */
  screen(): string {
    return this.#whole.view()?.lines.join('\n') ?? this.#screen.text()
  }

  /** Its terminal becomes as large as whoever looks at it wants it. */
  resize(size: TerminalSize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return
    this.#size = size
    this.#whole.resize(size)
    this.#rows = this.#rows.resized(size)
    this.#terminal?.resize(size)
  }

  /** Runs a script at the prompt and waits for its end. */
  async run(
    script: string,
    waitMs: number,
    reader: PlacedReader | null = null,
    pagers: Pagers | null = null,
  ): Promise<ShellState> {
    const [command = ''] = script.trim().split('\n', 1)
    this.#running = { command, since: performance.now(), lastId: this.#ids.last(), isPaged: pagers !== null }
    this.#isStopped = false
    this.#isPlaced = reader !== null
    this.#printed.begin(this.#isPlaced)
    if (reader?.isPacing === true) this.#pacing.readTo(this.#printed.total, this.#printed.total)
    else this.#pacing.end()
    this.#rows = new DrawnRows(this.#printed, this.#size)
    this.#screen.add(Buffer.from(`$ ${visibleText(script.trimEnd()).replaceAll('\n', '\n> ')}\n`))
    this.#typed = this.#isPlaced && script.trim() === '' ? enterLine(this.#isStill) : this.#handOver(script, pagers)
    this.#collecting = this.#isStill
    this.#echoes.expect(this.#isStill || this.#isBare ? new Echo(this.#typed, this.#isStill) : null)
    this.#terminal?.typeLine(this.#typed)
    // Whoever has the whole screen waits for keys, and will not end by itself.
    return this.#answer(reader, () => this.#until(() => this.#isOver() || this.#isDrawn(), waitMs))
  }

  /** The line to type. A terminal takes no long lines, and some characters are keys to it: such a script goes by a file. */
  #handOver(script: string, pagers: Pagers | null): string {
    const before = this.#echoes.fit(pagers !== null) + (pagers === null ? '' : pagerLine(pagers))
    const left = { status: this.#status, isStill: this.#isStill }
    if (before.length + script.length <= LIMITS.shellLineBytes && /^[ -~]*$/.test(script))
      return before + runLine(script, left)
    this.#input.write(script)
    return before + runLine(null, left)
  }

  /** Gives a line to the program that runs; answers at the prompt, or when it has been quiet for a while. */
  async input(text: string, waitMs: number, reader: PlacedReader | null = null): Promise<ShellState> {
    return this.#line(text, '\n', waitMs, reader)
  }

  /**
   * What shows a line that is typed is left out, so that nobody has it twice. Who does not read on has it as it would be without the echo
   * for a person: they see what a line editor shows by itself.
   */
  async #line(text: string, end: string, waitMs: number, reader: PlacedReader | null): Promise<ShellState> {
    this.#rows = new DrawnRows(this.#printed, this.#size)
    const isPaged = this.#running?.isPaged === true
    const isAsked = this.#isAsked()
    let isSecret = false
    // What a key sends that nothing makes a line end of.
    let enter = '\n'
    if (this.#terminal !== null && !this.#whole.isOn && (reader !== null || isPaged)) {
      const mode = await terminalMode(this.#terminal.pid)
      const { isRaw, echoes, editedEnd } = mode
      isSecret = this.#hides(mode)
      if (isRaw) this.#edits = this.#running
      if (isRaw) enter = '\r'
      const isEditorSeen = isRaw && !echoes && reader === null
      const isOpen = end === END_OF_INPUT
      const place = { ...this.#typedPlace, end: editedEnd, isEchoed: echoes || isPaged, isEditorSeen, isOpen }
      if (isOpen ? echoes && !isRaw : echoes || isRaw) this.#echoes.expect(new TypedEcho(text, place))
    }
    if (isAsked && !isSecret) this.#screen.type(visibleText(text))
    return this.type(`${text}${end}`.replaceAll('\n', enter), waitMs, reader)
  }

  /** Whether a program has turned off what only a person has: the terminal shows what they type. */
  #hides({ isRaw, echoes }: TerminalMode): boolean {
    return this.#echoes.isOn && this.#collecting && !isRaw && !echoes
  }

  /** Whether an interpreter asks for its next line: of anything else that is asked, the answer is not left to be seen. */
  #isAsked(): boolean {
    const asked = this.#printed.line?.text ?? ''
    return NEXT_LINE.test(asked) && !asksSecret(asked) && !readsSecret(this.#running?.command ?? '')
  }

  /** Types characters as they are; `waitMs` is the longest that what they do is waited for. */
  async type(
    text: string,
    waitMs: number = LIMITS.shellWaitMs,
    reader: PlacedReader | null = null,
  ): Promise<ShellState> {
    const asked = this.#printed.line?.text ?? ''
    this.#lastOutput = performance.now()
    this.#printed.endLine()
    this.#terminal?.write(text)
    // Who does not wait for the quiet behind it is answered as soon as the same is asked again.
    const isAskedAgain = (): boolean => waitMs < LIMITS.shellQuietMs && this.#asks(asked)
    const isAnswered = (): boolean =>
      this.#isOver() || this.#isDrawn() || this.#isQuiet(LIMITS.shellQuietMs) || isAskedAgain()
    // The same for one who reads on, of whatever it says.
    const { place } = this.#printed
    const readsOn = reader !== null && waitMs < LIMITS.shellQuietMs
    const isHeard = (): boolean => readsOn && this.#printed.place !== place
    return this.#answer(reader, async () => {
      await this.#until(() => isAnswered() || isHeard(), Math.min(waitMs, LIMITS.shellWaitMs))
      if (isHeard()) await this.#until(isAnswered, LIMITS.shellGatherMs)
    })
  }

  /** Presses keys by their names; those that there are none of are left out. `isShown`: whoever presses them sees all that comes of it. */
  async press(
    names: readonly string[],
    waitMs: number,
    reader: PlacedReader | null = null,
    isShown = false,
  ): Promise<ShellState> {
    const isLine = names.length === 1 && names[0] === 'enter' && !isShown
    if (isLine) return this.#line('', '\r', waitMs, reader)
    const keys = names.map((name) => keyCode(name, this.#whole.hasOwnKeys) ?? '').join('')
    const isSent = OPEN_LINE.test(keys) && !isShown && this.#running !== null
    if (isSent) return this.#line(keys.slice(0, -1), END_OF_INPUT, waitMs, reader)
    return this.type(keys, waitMs, reader)
  }

  /**
   * Waits for the end of what runs; a reader with a place for whatever is new to them, and for what comes right behind it. A signal
   * ends the wait, and nothing else; where what runs is being ended as well, that end is waited for.
   */
  async wait(waitMs: number, reader: PlacedReader | null = null, signal?: AbortSignal): Promise<ShellState> {
    const isStopped = (): boolean => signal?.aborted === true
    const stop = (): void => this.#notify()
    signal?.addEventListener('abort', stop)
    const looks = async (): Promise<void> => {
      if (reader === null) await this.#until(() => this.#isOver() || isStopped(), waitMs)
      else await this.#untilNews(reader, waitMs, isStopped)
      if (isStopped()) await this.#cancelling
    }
    const state = await this.#answer(reader, looks, this.#isPlaced)
    signal?.removeEventListener('abort', stop)
    return state
  }

  async #untilNews({ seen, bytes }: PlacedReader, waitMs: number, isStopped: () => boolean): Promise<void> {
    const isNews = (): boolean => this.#ended || this.#printed.isNews(seen, this.#isOver())
    if (!(await this.#until(() => isNews() || isStopped(), waitMs))) return
    const { running } = this
    // What fills an answer need not be waited for.
    const isFull = (): boolean => this.#printed.total - this.#printed.positionOf(seen) >= bytes
    const isLast = (): boolean => this.#ended || this.#running !== running || isStopped() || isFull()
    await this.#until(isLast, Math.min(waitMs, LIMITS.shellGatherMs))
  }

  /** How what runs uses its terminal, for a reader at a place who shows that; of what has just ended, its last rows. */
  async drawn(seen: string, wanted: 'over' | 'all'): Promise<Drawn> {
    // What comes behind the end of a command is no part of what that drew.
    const isBehind = this.#running === null && this.#printed.positionOf(seen) >= this.#restedAt
    const part = this.#whole.isOn || isBehind ? null : this.#rows.part(seen, wanted, this.#running !== null)
    const { isCursorHidden } = this.#whole
    const draws = part !== null || isCursorHidden
    const began = this.#printed.isBeginningNews(seen) ? (this.#running?.command ?? this.#ranLast) : null
    const mode = await this.#modeNow(draws)
    if (mode === null) return { part, began, isCursorHidden, isRaw: false, reads: null, isSecret: false }
    // A line editor that was given a line asks for nothing while it works on that.
    const isStill = this.#isQuiet(LIMITS.shellDrawnMs) && this.#edits !== this.#running
    const reads = readIn(mode, this.#printed.line?.text ?? '', isStill)
    // What edits a line writes it anew as well.
    const isEdited = mode.isRaw && wanted === 'over' && part?.isOver === false
    const shown = isEdited ? null : part
    return { part: shown, began, isCursorHidden, isRaw: mode.isRaw, reads, isSecret: this.#hides(mode) }
  }

  /** Null where nothing waits for what is typed. Of a program that asks for a line it is asked once for each, as soon as that is raw. */
  async #modeNow(draws: boolean): Promise<TerminalMode | null> {
    const { place, line } = this.#printed
    if (this.#terminal === null || this.#running === null || (!draws && line === null && !this.#mayWait())) return null
    if (draws || line === null || this.#mode?.place !== place || !this.#mode.mode.isRaw)
      this.#mode = { place, mode: await terminalMode(this.#terminal.pid) }
    return this.#mode.mode
  }

  /** What has just begun, and what prints at this moment, is not asked: most of it only works. */
  #mayWait(): boolean {
    const since = this.#running?.since ?? performance.now()
    return performance.now() - since > LIMITS.shellDrawnMs && this.#isQuiet(LIMITS.shellGatherMs / 2)
  }

  /** Ctrl-C, and how it stands then. */
  async interrupt(reader: PlacedReader | null = null): Promise<ShellState> {
    let unread = ''
    const state = await this.#answer(reader, async () => {
      unread = await this.#interrupt()
    })
    return { ...state, unread }
  }

  /**
   * Ends what runs, whatever it does about it: Ctrl-C, then TERM and KILL to what has the terminal, which `fg` may have brought back,
   * and to all that this command started. A loop of the shell itself that heeds nothing ends with its shell; the next input starts another.
   */
  cancel(): Promise<boolean> {
    this.#pacing.end()
    this.#cancelling ??= this.#cancel().finally(() => {
      this.#cancelling = null
    })
    return this.#cancelling
  }

  async #cancel(): Promise<boolean> {
    if (this.#running === null || this.#ended) return false
    this.#isStopped = true
    const { command, lastId, since: began } = this.#running
    await this.#interrupt()
    // It may have passed bash between two programs: what is ended now must not be followed by the next of the line.
    if (!this.#isOver()) {
      this.#ownLine.expect()
      this.#terminal?.interruptShell()
    }
    const since = momentOf(lastId, performance.now() - began)
    const started = since === null ? [] : [{ owner: this.#options.owner, since }]
    const families = [...this.#inFront().map((leader) => ({ leader })), ...started]
    await Promise.all(families.map((family) => endFamily(family, { graceMs: LIMITS.shellGraceMs })))
    // The first Ctrl-C may have come while bash was starting a program, and have passed it.
    if (!(await this.#until(() => this.#isOver(), LIMITS.shellQuietMs))) await this.#interrupt()
    if (!this.#isOver()) {
      this.#whyEnded = `the shell itself went on with ${truncate(visibleText(command), 60)}: it was ended, and its variables are gone`
      await this.#stop()
    }
    this.#notify()
    return true
  }

  /** The groups of what has the terminal, however long ago it was started; none where a command has ended by now. */
  #inFront(): readonly number[] {
    const group = this.#isOver() || this.#terminal === null ? null : frontGroup(this.#terminal.pid)
    return group === null ? [] : groupsFrom(group)
  }

  #isOver(): boolean {
    return this.#running === null || this.#ended
  }

  #isQuiet(forMs: number): boolean {
    return performance.now() - this.#lastOutput > forMs
  }

  /** A program has drawn the whole screen. */
  #isDrawn(): boolean {
    return this.#whole.isOn && this.#isQuiet(LIMITS.shellDrawnMs)
  }

  #asks(prompt: string): boolean {
    return prompt.endsWith(' ') && this.#printed.line?.text === prompt
  }

  /** A program that goes on has printed something, and waits behind the last of it: its next prompt. */
  #asksAgain(place: string): boolean {
    const isPrompt = this.#printed.place !== place && this.#printed.line?.text.endsWith(' ') === true
    return isPrompt && this.#isQuiet(LIMITS.shellDrawnMs)
  }

  /** Keys of a program that has the whole screen are its own; before the command has begun, it is still among what is typed. */
  #takeUnread(): string {
    if (this.#terminal === null || !this.#collecting || this.#whole.isOn) return ''
    return takeUnread(this.#terminal.pid).replace(this.#typed, '')
  }

  /** A prompt that does not say so by itself is asked. Tells what nobody had read. */
  async #interrupt(): Promise<string> {
    const isOver = (): boolean => this.#isOver()
    this.#pacing.end()
    // While bash is just starting a program, Ctrl-C reaches bash or its copy, which may let it pass.
    await this.#until(() => isOver() || isProgramInFront(this.#terminal?.pid ?? 0), LIMITS.shellForkMs)
    const unread = this.#takeUnread()
    const { place } = this.#printed
    const asked = this.#printed.line
    // What bash says to it at its prompt is no output.
    this.#isBare = false
    this.#echoes.doubt()
    this.#show(this.#echoes.expectTyped('\x03'))
    this.#terminal?.write('\x03')
    const isAskedAgain = (): boolean => this.#printed.line?.place !== asked?.place && this.#asks(asked?.text ?? '')
    const isHeeded = await this.#until(() => isOver() || isAskedAgain() || this.#asksAgain(place), LIMITS.shellQuietMs)
    const isHookLost = this.#ahead === 'read' && !isOver()
    if ((!isHeeded || isHookLost) && this.#isInFront()) {
      // It came before the command had even begun, so that no mark of it will come: the next one counts.
      this.#collecting = true
      this.#show(this.#echoes.expectTyped(END_LINE))
      this.#terminal?.write(END_LINE)
      await this.#until(isOver, LIMITS.shellQuietMs)
    }
    // An end may be told twice then: only a mark at the beginning tells which command the second is of.
    this.#isStill = false
    return unread
  }

  async end(): Promise<void> {
    await this.#stop()
    this.#printed.end()
    this.#input.end()
    this.#ids.end()
    rmSync(`${this.#files}.init`, { force: true })
  }

  async #spawn(readRc: boolean): Promise<void> {
    const { cwd, env, folder } = this.#options
    ensurePrivateDir(folder)
    writeFileSync(`${this.#files}.init`, initScript(this.#nonce, this.#input.path, readRc), { mode: 0o600 })
    const reader = new MarkReader(this.#nonce)
    const args = ['--noediting', '--rcfile', `${this.#files}.init`, '-i']
    const terminal = await ShellTerminal.open({ args, cwd, env, size: this.#size })
    this.#terminal = terminal
    this.#echoes.reset()
    this.#ended = false
    const onEnd = (status: number): void => {
      if (this.#terminal !== terminal) return
      this.#ended = true
      this.#status = status
      this.#endRunning()
      this.#notify()
    }
    terminal.hear((bytes) => this.#read(reader, bytes), onEnd)
  }

  #read(reader: MarkReader, bytes: Buffer): void {
    this.#lastOutput = performance.now()
    for (const piece of reader.read(bytes)) {
      if (piece.kind === 'output') {
        if (this.#isPrompting)
          this.#besidePrompt = Buffer.concat([this.#besidePrompt, piece.bytes]).subarray(-PROMPT_BYTES)
        else if (this.#ahead !== 'prompt') this.#hear(piece.bytes)
        continue
      }
      // Before its prompt bash tells of the jobs that have ended since the command did.
      if (this.#isPrompting) this.#saidOfJobs += jobLines(this.#besidePrompt)
      this.#besidePrompt = NO_BYTES
      this.#isPrompting = piece.kind === 'end' && piece.asks
      if (piece.kind === 'shown') continue
      this.#ahead = piece.kind === 'prompt' || piece.kind === 'read' ? piece.kind : null
      if (piece.kind === 'begin') this.#begin()
      else if (piece.kind === 'end') {
        this.#isStill = piece.isStill
        this.#isBare = piece.isBare
        this.#atPrompt(piece.status, piece.cwd)
      }
    }
    this.#notify()
  }

  #hear(bytes: Buffer): void {
    if (!this.#collecting && !this.#isBare) {
      this.#saidOfJobs += jobLines(bytes)
      return
    }
    const heard = this.#echoes.without(bytes)
    if (heard.length > 0) this.#printed.happens()
    this.#show(this.#ownLine.without(heard))
  }

  /** What a program in the background draws is no screen: nobody could press a key for it. */
  #show(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#print(this.#collecting ? this.#whole.take(bytes) : bytes)
  }

  #begin(): void {
    this.#ownLine.end()
    this.#show(this.#echoes.end())
    this.#collecting = true
    this.#print(Buffer.from(this.#saidOfJobs))
    this.#saidOfJobs = ''
  }

  #print(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#printed.add(bytes)
    this.#pacing.printed(this.#printed.total)
    this.#screen.add(bytes)
  }

  #atPrompt(status: number, cwd: string): void {
    // Only now is the process surely the shell, and not the one that became it.
    if (!this.#prompted) this.#commandLine = this.#terminal?.commandLine ?? ''
    this.#prompted = true
    // The prompt tells the end once more: only the first counts.
    if (this.#running !== null && !this.#collecting) return
    this.#status = this.#running === null ? this.#status : status
    if (status > SIGNALLED) this.#echoes.doubt()
    this.#cwd = cwd
    this.#show(this.#ownLine.without(this.#echoes.end()))
    this.#ownLine.end()
    this.#endRunning()
    this.#collecting = false
    this.#print(this.#whole.end())
    this.#restedAt = this.#printed.total
  }

  /** Whoever waits for it is answered after this. */
  #endRunning(): void {
    if (this.#running === null) return
    this.#untold = { command: this.#running.command, status: this.#status }
    // Enter alone is none.
    if (this.#running.command !== '') this.#last = this.#untold
    this.#ranLast = this.#running.command
    this.#running = null
    this.#pacing.end()
    this.#printed.endCommand()
  }

  /**
   * How it stands after a wait. Whoever has no place gets what is new since the last answer; a look of somebody with a place is one
   * only where such a reader typed what runs: what is printed for others stays theirs.
   */
  async #answer(
    reader: PlacedReader | null,
    wait: () => Promise<unknown>,
    isAnswer: boolean = true,
  ): Promise<ShellState> {
    if (reader !== null) {
      this.#printed.expectReader()
      await wait()
      return this.#state(reader, isAnswer && this.#unplaced === 0)
    }
    this.#unplaced += 1
    try {
      await wait()
      return this.#state(null, true)
    } finally {
      this.#unplaced -= 1
    }
  }

  #state(reader: PlacedReader | null, isAnswer: boolean): ShellState {
    this.#show(this.#echoes.release())
    const { output, place, isMore, missed, whole } = reader === null ? this.#printed.take() : this.#printed.read(reader)
    if (reader !== null && isAnswer) this.#printed.take()
    if (reader?.isPacing === true && this.#running !== null)
      this.#pacing.readTo(this.#printed.positionOf(place), this.#printed.total)
    const note = this.#whyEnded ?? this.#note
    this.#note = null
    const kind = this.#ended ? 'ended' : this.#running === null ? 'done' : 'running'
    if (isAnswer) this.#untold = null
    const screen = kind === 'running' ? this.#whole.view() : null
    const line = kind === 'running' && screen === null && !isMore ? this.#printed.line : null
    const status = this.#status
    const isStopped = this.#isStopped && kind !== 'running'
    const cwd = this.#cwd
    // Written out: copying an object and adding to it takes V8 longer than all the rest of this.
    return { ok: true, kind, status, isStopped, cwd, output, place, isMore, missed, whole, line, note, screen }
  }

  #isInFront(): boolean {
    return this.#terminal?.isInFront === true
  }

  /** `exec bash` leaves a shell without our hooks: it gets them again. */
  #adopt(): void {
    const terminal = this.#terminal
    if (terminal === null || this.#running === null || !terminal.isInFront) return
    const now = terminal.commandLine
    if (now === '' || now === this.#commandLine || !/(^|\/)bash\0/.test(now)) return
    this.#commandLine = now
    const before = this.#running.isPaged ? unpagedLine(this.#options.env) : ''
    const line = `${before} . '${this.#files}.init'; true`
    if (this.#echoes.isOn)
      this.#echoes.expect(new TypedEcho(line, { ...this.#typedPlace, end: '\r\n', isEchoed: true }))
    this.#echoes.reset()
    terminal.write(`${line}\n`)
  }

  get #typedPlace(): Pick<TypedPlace, 'asked' | 'size'> {
    return { asked: this.#printed.line?.text ?? '', size: this.#size }
  }

  #notify(): void {
    this.#watchers.notify()
  }

  /** Waits until something holds; false when the time is up first. */
  #until(holds: () => boolean, limitMs: number): Promise<boolean> {
    return this.#watchers.until(holds, limitMs, this.#running === null ? null : () => this.#adopt())
  }

  async #stop(): Promise<void> {
    const terminal = this.#terminal
    this.#pacing.end()
    this.#terminal = null
    this.#ended = true
    this.#endRunning()
    await terminal?.end(this.#options.owner)
  }
}

const NO_BYTES: Buffer = Buffer.alloc(0)
/** Nobody's prompt is longer. */
const PROMPT_BYTES = 16 * 1024

/** `[1]+  Done                    sleep 5` */
function jobLines(bytes: Buffer): string {
  return (bytes.toString().match(/^\[\d+\][-+ ] {2}\S.*\r?\n/gm) ?? []).join('')
}

const END_OF_INPUT = '\x04'
/** Characters, and the key that sends them without the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the key
const OPEN_LINE = /^[^\x00-\x1f\x7f]+\x04$/
/** A status above tells of a signal. */
const SIGNALLED = 128
