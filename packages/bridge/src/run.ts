import { type ChildProcess, spawn } from 'node:child_process'
import { DEFAULT_SESSION, LIMITS } from '@string-os/protocol'
import { AgentInput } from './agent-input.ts'
import { coverDescriptors } from './descriptors.ts'
import { familyMembers, isGone, newOwner } from './family.ts'
import { leftBehind } from './left-behind.ts'
import { LineSplitter } from './lines.ts'
import { OutputTail } from './output-tail.ts'
import { PausableTimer } from './pausable-timer.ts'
import { type PreparedTurn, prepareTurn, type Refused } from './prepare.ts'
import type { Profile } from './profile.ts'
import { spawnFailure } from './program.ts'
import { endFamily } from './reap.ts'
import { type Ending, refusedResult, turnResult } from './result.ts'
import { secretsOf } from './secrets.ts'
import type { AgentProcessView, TurnOptions, TurnRequest, TurnResult } from './turn.ts'
import type { WireReader } from './wire.ts'
import { WIRES } from './wires.ts'

const LONGEST_TIMER_MS = 2 ** 31 - 1
/** In this time the system does not give so many process ids that they begin anew and pass ours. */
const SHORT_TURN_MS = 250
const CANCELLED = { exitCode: 130, message: 'The turn was cancelled.', isCancelled: true }

type AgentProcess = ChildProcess & { readonly pid: number }

/**
 * Runs an agent for one turn. Resolves when the agent and all that it started have ended; nothing that an agent or a
 * profile does makes it reject, only a callback that throws.
 */
export async function runTurn(profile: Profile, asked: TurnRequest, options: TurnOptions): Promise<TurnResult> {
  const started = performance.now()
  const request = { ...asked, sessionId: asked.sessionId || null, sessionName: asked.sessionName || DEFAULT_SESSION }
  const { environment, extraEnv = {}, owner = newOwner(environment), signal } = options
  const warn = limited(options.onWarning)
  const preparation = prepareTurn(profile, request, { ...options, extraEnv, owner }, warn)
  if (!preparation.ok) return refusedResult(preparation.refused, request.sessionId, started)
  if (signal?.aborted === true) return refusedResult(CANCELLED, request.sessionId, started)
  const launched = await start(preparation.prepared)
  if (!launched.ok) return refusedResult(launched.refused, request.sessionId, started)
  const { child } = launched
  const secrets = secretsOf(profile, environment)
  const stderr = new OutputTail(LIMITS.agentStderrBytes, secrets, options.onStderr)
  const stdout = new OutputTail(LIMITS.agentStdoutBytes, secrets)
  const family = { leader: child.pid, owner }
  const turn = new RunningTurn(child, { ...options, profile, family, stdout, stderr, warn })
  turn.begin(preparation.prepared.input)
  options.onProcess?.(turn)
  const ending = await turn.end()
  return turnResult({ profile, request, outcome: turn.reader.outcome(), ending, stderr, secrets, started })
}

/** The process, or why there is none. */
async function start(
  prepared: PreparedTurn,
): Promise<{ ok: true; child: AgentProcess } | { ok: false; refused: Refused }> {
  try {
    const child = launch(prepared)
    if (child.pid !== undefined) return { ok: true, child: child as AgentProcess }
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve))
    return { ok: false, refused: spawnFailure(prepared.program, error) }
  } catch (error) {
    // Some reasons are thrown, others told.
    return { ok: false, refused: spawnFailure(prepared.program, error as NodeJS.ErrnoException) }
  }
}

function launch({ program, args, cwd, env, input }: PreparedTurn): ChildProcess {
  const others = coverDescriptors()
  try {
    const stdio = [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe', ...others.stdio] as const
    return spawn(program, args, { cwd, env, detached: true, stdio: [...stdio] })
  } finally {
    others.release()
  }
}

interface Running extends Pick<TurnOptions, 'signal' | 'onPartial' | 'onPermission' | 'permissionPauses'> {
  readonly profile: Profile
  readonly family: { readonly leader: number; readonly owner: string }
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  readonly warn: (text: string) => void
}

/** A process from its start until nothing of it is left. */
class RunningTurn implements AgentProcessView {
  readonly reader: WireReader
  readonly #stdout: OutputTail
  readonly #stderr: OutputTail
  readonly #child: AgentProcess
  readonly #profile: Profile
  readonly #family: Running['family']
  readonly #input: AgentInput
  readonly #splitter: LineSplitter
  readonly #stop = new AbortController()
  readonly #closed: Promise<void>
  readonly #started = performance.now()
  #heard = this.#started
  /** What is left of the time of the turn, in which nobody counts how long a person thinks. */
  readonly #time: PausableTimer
  #isTimeUp: () => void = () => undefined
  readonly #signal: AbortSignal | undefined
  readonly #warn: (text: string) => void
  #failure: { readonly error: unknown } | null = null

  constructor(
    child: AgentProcess,
    { profile, family, stdout, stderr, warn, signal, onPartial, onPermission, permissionPauses = false }: Running,
  ) {
    this.#child = child
    this.#profile = profile
    this.#signal = signal
    this.#warn = warn
    this.#family = family
    this.#time = new PausableTimer(profile.timeoutMs, () => this.#isTimeUp())
    this.#input = new AgentInput(
      child.stdin,
      profile,
      onPermission !== undefined && permissionPauses ? this.#unhurried(onPermission) : onPermission,
    )
    this.#stdout = stdout
    this.#stderr = stderr
    const wire = WIRES[profile.wire]
    this.reader = wire.newReader(profile, {
      partial: (text, role) => onPartial?.(text, role),
      warn,
      permission: (request) => this.#input.answer(request, (text) => this.#guarded(() => warn(text))),
      answered: () => this.#input.close(),
    })
    this.#splitter = new LineSplitter(wire.lineBytes(profile), this.reader)
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()))
  }

  get silentMs(): number {
    return performance.now() - this.#heard
  }

  get leftMs(): number {
    return this.#time.leftMs
  }

  get stdout(): string {
    const { wire } = this.#profile
    const text = this.#stdout.text({ isOpen: true })
    // Of a line without its beginning nobody knows whether it was told.
    const whole = this.#stdout.isCut ? text.slice(text.indexOf('\n') + 1) : text
    const lines = whole.split('\n').filter((line) => !WIRES[wire].isTold(line, this.#profile))
    return lines.join('\n')
  }

  get stderr(): string {
    return this.#stderr.text({ isOpen: true })
  }

  begin(input: string | null): void {
    const { stdout, stderr } = this.#child
    const hear = (): void => {
      this.#heard = performance.now()
    }
    stdout?.on('data', hear)
    stderr?.on('data', hear)
    stdout?.on('data', (chunk: Buffer) =>
      this.#guarded(() => {
        this.#stdout.write(chunk)
        this.#splitter.write(chunk)
        this.reader.settle()
      }),
    )
    stderr?.on('data', (chunk: Buffer) => this.#guarded(() => this.#stderr.write(chunk)))
    if (input !== null) this.#input.begin(input)
  }

  /** Waits for the end, brings it about where time is up, and sees to it that nobody is left. */
  async end(): Promise<Ending> {
    const abort = (): void => this.#stop.abort()
    this.#signal?.addEventListener('abort', abort, { once: true })
    // Whoever aborted while it was started was heard by nobody.
    if (this.#signal?.aborted === true) abort()
    try {
      const cause = await this.#firstCause()
      const exited = this.#exited()
      if (cause === 'exit') await this.#outlive()
      else await endFamily(this.#family, { graceMs: this.#profile.killGraceMs, signals: ['SIGTERM'] })
      // What got out of reach may hold the output open for ever.
      await within(Promise.all([exited, this.#closed]), LIMITS.agentDrainMs)
      this.#finish()
      return { cause, code: this.#child.exitCode, signal: this.#child.signalCode }
    } finally {
      this.#signal?.removeEventListener('abort', abort)
    }
  }

  #firstCause(): Promise<Ending['cause']> {
    return new Promise((resolve) => {
      const settle = (cause: Ending['cause']): void => {
        this.#isTimeUp = () => undefined
        this.#stop.signal.removeEventListener('abort', cancel)
        resolve(cause)
      }
      const cancel = (): void => settle('cancel')
      this.#isTimeUp = () => settle('timeout')
      if (this.#stop.signal.aborted) return settle('cancel')
      this.#stop.signal.addEventListener('abort', cancel, { once: true })
      this.#child.once('exit', () => settle('exit'))
    })
  }

  /** The agent is gone: those that hold its output may finish within the grace, all others end now. */
  async #outlive(): Promise<void> {
    const now = performance.now()
    const deadline = Math.min(now + this.#profile.killGraceMs, now + this.#time.leftMs)
    await within(this.#closed, Math.max(deadline - now, 0), this.#stop.signal)
    // After a short life only those that came after it can be its own; looking at all would take longer than the turn.
    const isShort = performance.now() - this.#started < SHORT_TURN_MS
    if (await isGone(this.#family, isShort ? this.#family.leader : 0)) return
    const programs = familyMembers(this.#family).length
    const graceMs = Math.max(deadline - performance.now(), 0)
    await endFamily(this.#family, { graceMs, signals: ['SIGTERM'] })
    // Those that go at once are often about to end anyway. A timer may be early by a part of a millisecond.
    const hasWaited = performance.now() + 1 >= deadline && !this.#stop.signal.aborted
    if (programs > 0 && hasWaited) this.#guarded(() => this.#warn(leftBehind(programs, performance.now() - now)))
  }

  async #exited(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) await new Promise((resolve) => this.#child.once('exit', resolve))
  }

  #unhurried(ask: NonNullable<TurnOptions['onPermission']>): NonNullable<TurnOptions['onPermission']> {
    return async (request, signal) => {
      const goOn = this.#time.pause()
      try {
        return await ask(request, signal)
      } finally {
        goOn()
      }
    }
  }

  #finish(): void {
    this.#time.end()
    this.#input.stop()
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
    this.#guarded(() => this.#splitter.end())
    if (this.#failure !== null) throw this.#failure.error
  }

  /** A callback that throws ends the turn; the error is thrown when nothing is left of it. */
  #guarded(work: () => void): void {
    if (this.#failure !== null) return
    try {
      work()
    } catch (error) {
      this.#failure = { error }
      this.#stop.abort()
    }
  }
}

/** An agent could give a warning for every line it prints. */
function limited(onWarning: TurnOptions['onWarning']): (text: string) => void {
  let given = 0
  return (text) => {
    given += 1
    if (given <= LIMITS.agentWarnings) onWarning?.(text)
    if (given === LIMITS.agentWarnings + 1) onWarning?.('Further warnings of this turn are not shown')
  }
}

/** Until the work is done, the time is up, or the signal comes. */
async function within(work: Promise<unknown>, waitMs: number, signal?: AbortSignal): Promise<void> {
  let stop: () => void = () => {}
  const over = new Promise<void>((resolve) => {
    stop = resolve
  })
  const timer = setTimeout(stop, Math.min(waitMs, LONGEST_TIMER_MS))
  signal?.addEventListener('abort', stop, { once: true })
  await Promise.race([work, over])
  clearTimeout(timer)
  signal?.removeEventListener('abort', stop)
}
