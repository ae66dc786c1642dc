import { LIMITS, SHELL_ENDED } from '@string-os/protocol'
import type { ShellData } from './command-data.ts'
import { isLost } from './errors.ts'
import { type ExecResult, incompleteResult } from './exec-result.ts'
import type { ExecOptions, RunOptions } from './options.ts'

/** How a shell command ended that was waited for to its end. */
export interface RunResult {
  /** It came to its end, with the status 0. */
  readonly ok: boolean
  /** Null on success; `EXIT_<n>`, or why it did not run or nobody saw its end: `BUSY`, `CANCELLED`, `STREAM_INCOMPLETE`, … */
  readonly code: string | null
  /** Its status; null where it has none. */
  readonly exit: number | null
  /** The folder of the shell then. */
  readonly cwd: string | null
  /** What it printed, standard error among the rest, without the line ends at its end. */
  readonly output: string
  /** Something of `output` is left out. */
  readonly truncated: boolean
  /** The file that holds all of a long output while the topic is open; null where there is none. */
  readonly whole: string | null
  /** The last answer as text: of what did not run, the reason and what to do. */
  readonly content: string
}

type ShellAnswer = ExecResult<ShellData>

/** A topic with a shell. */
export interface RunningShell {
  readonly exec: (command: string, options: ExecOptions) => Promise<ShellAnswer>
  /** Holds a connection open whose end is also that of what runs. */
  readonly attend: (over: AbortSignal) => Promise<unknown>
  /** Ends what runs in it. */
  readonly stop: (limit: AbortSignal | undefined) => Promise<unknown>
}

const LOOK = '//wait 30'
/** What ends so soon is one answer; a signal is heeded then at the latest. */
const SOON_MS = 500
/** The same for who is told what is printed as it comes: only a look is answered with the first of it. */
const AT_ONCE_MS = 30
/** An answer that is due is waited for so long, also by who has enough. */
const OVERDUE_MS = 1_000
/** How much of an output is handed back; what is longer has lost its middle. */
const RUN_OUTPUT_CHARS = 1_048_576
/** How much of it is kept in its file. */
const WHOLE_BYTES = 64 * 1_048_576

/** Runs a command at the prompt and asks again until it has ended. */
export async function runToEnd(shell: RunningShell, command: string, options: RunOptions): Promise<RunResult> {
  const { cwd, signal, goesOn = false, onOutput } = options
  const reading = new Reading()
  // Whoever looks at what they typed at the prompt takes it with them when they leave.
  const mine = { atPrompt: true, cancelOnLeave: !goesOn }
  const leave = new AbortController()
  const over = new AbortController()
  const isLeft = signal === undefined ? leave.signal : AbortSignal.any([signal, leave.signal])
  let last: ShellData | null = null
  try {
    signal?.throwIfAborted()
    const waitMs = onOutput === undefined ? SOON_MS : AT_ONCE_MS
    const typing = { ...mine, cwd, waitMs, seen: reading.seen }
    // Whether it was typed is only known from the answer: what would be ended without one may be somebody else's.
    let answer = await (goesOn
      ? shell.exec(command, { ...typing, signal })
      : onceOverdue(signal, (late) => shell.exec(command, { ...typing, signal: late })))
    last = reading.take(answer)
    // A program that dies between two looks is seen to leave. A daemon that has no such route sees it at most looks.
    if (last?.running === true && !goesOn) void shell.attend(over.signal).catch(() => undefined)
    while (last !== null && (last.running || last.more === true)) {
      signal?.throwIfAborted()
      const next = shell.exec(LOOK, { ...mine, signal: isLeft, seen: reading.seen }).catch(brokenOff)
      // A program that dies while it works on what was printed is seen to leave: it has asked for more by then.
      await aMoment(next)
      await reading.tell(onOutput)
      answer = await next
      const said = reading.take(answer)
      if (said === null) return withoutEnd(answer, last, reading)
      last = said
    }
    if (saysExit(command) && answer.content.endsWith(SHELL_ENDED)) reading.dropExit()
    await reading.tell(onOutput)
    return resultOf(answer, last, reading)
  } catch (error) {
    leave.abort()
    // Whoever stops waiting is told that, whatever else goes wrong.
    if (last?.running === true && !goesOn)
      await onceOverdue(AbortSignal.abort(), shell.stop, LIMITS.stopMs).catch(() => undefined)
    throw error
  } finally {
    over.abort()
  }
}

/** Whether bash itself says so when it ends by the command, as it does where a person types. */
function saysExit(command: string): boolean {
  return /\bexit\b/.test(command) && !/\bexec\b/.test(command)
}

/** Asks something that is answered soon: an abort is heeded when the answer is there, or overdue. */
async function onceOverdue<T>(
  signal: AbortSignal | undefined,
  ask: (late: AbortSignal | undefined) => Promise<T>,
  dueMs: number = OVERDUE_MS,
): Promise<T> {
  if (signal === undefined) return ask(undefined)
  const late = new AbortController()
  const dueAt = performance.now() + dueMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), dueAt - performance.now())
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort)
  try {
    return await ask(late.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** What was asked has been sent by then: a connection is kept for it. */
function aMoment(asked: Promise<unknown>): Promise<void> {
  asked.catch(() => undefined)
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** The command was typed: that nobody is there any more says nothing of what became of it. */
function brokenOff(error: unknown): typeof BROKEN_OFF {
  if (!isLost(error)) throw error
  return BROKEN_OFF
}

/** The shell answers no more. One that has ended tells its status once, and the rest of its output no more; of another nobody saw the end. */
function withoutEnd(answer: ShellAnswer, last: ShellData, reading: Reading): RunResult {
  if (!last.running) return resultOf({ ...answer, ok: last.exit === 0, code: codeOf(last) }, last, reading.cut())
  return resultOf(answer.code === 'NOT_FOUND' ? BROKEN_OFF : answer, null, reading)
}

const BROKEN_OFF = incompleteResult('')

function codeOf({ exit }: ShellData): string | null {
  return exit === 0 ? null : `EXIT_${exit}`
}

function resultOf({ ok, code, content }: ExecResult, last: ShellData | null, reading: Reading): RunResult {
  const { exit = null, cwd = null } = last ?? {}
  return { ok, code, exit, cwd, ...reading.result(), content }
}

/** Puts together what answers say, each from the place on where the one before ended. */
class Reading {
  /** Nothing of before is told to whoever types at the prompt. */
  #seen = ''
  /** What the caller has not been told. */
  #untold = ''
  #head = ''
  #tail = ''
  #total = 0
  #isCut = false
  /** Something between the two is not known. */
  #hasGap = false
  #whole: string | null = null

  get seen(): string {
    return this.#seen
  }

  /** The fields of an answer; null where it has none, because it is no shell's. */
  take({ data }: ShellAnswer): ShellData | null {
    if (data === null) return null
    const { output, line, place = this.#seen, running, truncated, missed = 0, whole } = data
    if (missed > 0) this.#miss(missed)
    // A line that has not ended may still be written anew: it is read again.
    const isOpen = running && line !== undefined && output.endsWith(line.text)
    this.#add(isOpen ? output.slice(0, output.length - line.text.length) : output)
    this.#seen = isOpen ? line.place : place
    this.#isCut ||= truncated === true
    this.#whole = whole ?? this.#whole
    return data
  }

  /** Hands over what is new, and waits until that has been dealt with. */
  async tell(onOutput: RunOptions['onOutput']): Promise<void> {
    const text = this.#untold
    this.#untold = ''
    if (text !== '') await onOutput?.(text)
  }

  /** The last line is bash's own. */
  dropExit(): void {
    const without = (text: string): string => text.replace(/(^|\n)exit\n*$/, '$1')
    this.#untold = without(this.#untold)
    const [head, tail] = [this.#head, this.#tail]
    if (tail !== '') this.#tail = without(tail)
    else this.#head = without(head)
    this.#total -= head.length + tail.length - this.#head.length - this.#tail.length
  }

  cut(): this {
    this.#isCut = true
    return this
  }

  result(): Pick<RunResult, 'output' | 'truncated' | 'whole'> {
    const { output, isCut } = this.#text()
    return { output: output.replace(/\n+$/, ''), truncated: isCut || this.#isCut, whole: this.#whole }
  }

  /** What came before the next is gone: its beginning ends there. */
  #miss(bytes: number): void {
    this.#untold += `${/(?:^|\n)$/.test(this.#untold) ? '' : '\n'}… ${bytes} bytes left out …\n`
    this.#total += bytes
    this.#hasGap = true
    this.#tail = ''
  }

  #add(text: string): void {
    if (text === '') return
    this.#untold += text
    this.#total += text.length
    const room = this.#hasGap ? 0 : Math.max(0, RUN_OUTPUT_CHARS / 2 - this.#head.length)
    this.#head += text.slice(0, room)
    this.#tail += text.slice(room)
    if (this.#tail.length > RUN_OUTPUT_CHARS) this.#tail = this.#tail.slice(-RUN_OUTPUT_CHARS / 2)
  }

  /** Both ends, in whole lines, where the middle is left out. */
  #text(): { readonly output: string; readonly isCut: boolean } {
    if (this.#total <= RUN_OUTPUT_CHARS && !this.#hasGap) return { output: this.#head + this.#tail, isCut: false }
    const end = lastLines(this.#tail.slice(-RUN_OUTPUT_CHARS / 2))
    const begin = firstLines(this.#head)
    const allOf = this.#total < WHOLE_BYTES ? 'the whole is' : `the first ${WHOLE_BYTES / 1_048_576} MiB are`
    const where = this.#whole === null ? 'they are not kept' : `${allOf} in ${this.#whole}`
    const left = this.#total - begin.length - end.length
    return { output: `${begin}… ${left} characters left out; ${where} …\n${end}`, isCut: true }
  }
}

/** Whole lines, unless that would leave little of it. */
function firstLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1
  return end * 2 >= text.length ? text.slice(0, end) : `${text}\n`
}

function lastLines(text: string): string {
  const begin = text.indexOf('\n') + 1
  return begin * 2 <= text.length ? text.slice(begin) : text
}
