import { randomBytes, randomUUID } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { endFamily, killFamily, OWNER_VARIABLE } from '@string-os/bridge/reap'
import { COMMAND_STOPPED, type Failure, fail, LIMITS, type Pagers, parseTopic, systemReason } from '@string-os/protocol'
import { BashShell } from './bash/bash-shell.ts'
import type { CommandEnd, ShellState } from './bash/shell-state.ts'
import { notAtPrompt } from './not-at-prompt.ts'
import { type OneShotEnd, runOneShot } from './one-shot.ts'
import { Output } from './output/output.ts'
import { OutputFile, type OutputPlace, removeOutput } from './output/output-file.ts'
import { OutputRoom } from './output/output-room.ts'
import type { PlacedReader } from './output/printed.ts'
import { type ProgramEnd, type ProgramRun, runProgram } from './run-program.ts'
import type { TerminalSize } from './screen/screen-grid.ts'

export interface ShellHostOptions {
  /** The daemon's own environment. */
  readonly environment: Readonly<Record<string, string>>
  /** The same as shells get it: with what a person put into the data folder, as that is now. */
  readonly current: () => Readonly<Record<string, string>>
  readonly dataDir: string
  /** Names the data folder in the mark of its processes. */
  readonly dataId: string
  readonly port: number
  /** Where `string` is, for the end of PATH. */
  readonly binDir: string
  readonly execMs: number
  /** How long a command in a bash topic is waited for. */
  readonly waitMs: number
}

/** The topic for which something is started. */
export interface ShellTopic {
  readonly agentId: string
  readonly topic: string
  readonly home: string
}

/** A text that was kept: where, as a sentence says it, and as a program opens it. */
export interface Kept {
  readonly where: string
  /** Null where it could not be kept. */
  readonly path: string | null
}

export interface ExecRun {
  readonly script: string
  readonly cwd: string
  readonly variables: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** Its output may hold secrets: what is too large to be shown is kept nowhere. */
  readonly isPrivate?: boolean
  /** What it writes on standard error is collected by itself, and no part of the output. */
  readonly isApart?: boolean
}

/** How a script ended, and what it printed. */
export interface ExecEnd {
  readonly end: OneShotEnd
  readonly output: Output
  /** Null where it is a part of the output. */
  readonly errors: Output | null
}

/** A program that the daemon itself needs, and all that it finds in its environment. */
export interface HostProgram extends Omit<ProgramRun, 'env' | 'owner'> {
  readonly variables: Readonly<Record<string, string>>
  /** Names of variables of the daemon's own. */
  readonly inherits: readonly string[]
}

export interface ShellInput {
  /** Where a shell starts, if there is none. */
  readonly start: () => string
  readonly text: string
  readonly waitMs: number
  /** Who has a place of their own; null: what is new since the last answer is told. */
  readonly reader: PlacedReader | null
  /** It is a command, and no input for what runs. */
  readonly isAtPrompt: boolean
  /** Those of the person who types it; null: nobody sits before a pager. */
  readonly pagers: Pagers | null
  readonly caller: Stoppable
}

/** What may be told to end before its time. */
export interface Stoppable {
  /** Null until it was told. */
  readonly failure: Failure | null
  readonly onStop: (listener: () => void) => () => void
}

/** What runs in a topic's bash. */
export interface ShellInfo {
  /** Tells it from every other, also from one that takes its place. */
  readonly id: string
  readonly cwd: string
  /** Up to where whoever has read all has read. */
  readonly place: string
  /** What has ended there, and no answer has told of it. */
  readonly untold: CommandEnd | null
  /** What ended last, whoever was told; null while something runs. */
  readonly last: CommandEnd | null
  readonly running: { readonly command: string; readonly seconds: number } | null
}

type FoundShell = { readonly ok: true; readonly shell: BashShell } | Failure

/** Starts processes for topics, and ends all that they started. */
export class ShellHost {
  readonly #options: ShellHostOptions
  /** Topics that have started something, with the files that hold their large outputs. */
  readonly #started = new Map<string, Set<OutputPlace>>()
  readonly #shells = new Map<string, BashShell>()
  readonly #room = new OutputRoom()
  /** Of the terminals of topics that somebody made as large as their own. */
  readonly #sizes = new Map<string, TerminalSize>()

  constructor(options: ShellHostOptions) {
    this.#options = options
  }

  get execMs(): number {
    return this.#options.execMs
  }

  /** Runs a script to its end, or to the limit. */
  async exec(
    topic: ShellTopic,
    { script, cwd, variables, signal, limitMs, isPrivate = false, isApart = false }: ExecRun & { limitMs: number },
  ): Promise<ExecEnd> {
    const all = this.#ownerOf(topic)
    const files = this.#filesOf(all)
    const { output, id } = this.#newOutput(topic, files, { isPrivate })
    const errors = isApart ? this.#newOutput(topic, files, { isPrivate }).output : null
    // A command that takes too long ends alone; what earlier ones left running goes on.
    const owner = `${all}${id}`
    try {
      const env = this.#environment(topic, owner, variables)
      const end = await runOneShot({ script, cwd, env, owner, limitMs, signal }, output, errors)
      return { end, output, errors }
    } catch (error) {
      return { end: { kind: 'failed', ...refusal(error) }, output, errors }
    }
  }

  /** Runs a program of the daemon's own, for no topic: a caller's values can only be its arguments. */
  program(run: HostProgram): Promise<ProgramEnd> {
    const owner = `${this.#options.dataId}:program/${randomBytes(6).toString('hex')}/`
    const { environment } = this.#options
    const inherited = Object.entries(environment).filter(([name]) => run.inherits.includes(name))
    const env = { ...Object.fromEntries(inherited), ...run.variables, [OWNER_VARIABLE]: owner }
    return runProgram({ ...run, env, owner })
  }

  /** Gives text to a topic's bash: a script at its prompt, or input for what runs there. A caller that is stopped ends what runs. */
  async input(topic: ShellTopic, typed: ShellInput): Promise<ShellState | Failure> {
    const { start, text, waitMs, reader, isAtPrompt, pagers, caller } = typed
    const living = this.shell(topic)
    const found: FoundShell = living === null ? await this.#newBash(topic, start()) : { ok: true, shell: living }
    if (!found.ok) return found
    const { shell } = found
    if (caller.failure !== null) return COMMAND_STOPPED
    if (isAtPrompt && shell.running !== null) return notAtPrompt(shell.running.command, topic.topic)
    const stops: Promise<boolean>[] = []
    const leave = caller.onStop(() => stops.push(shell.cancel()))
    const limitMs = Math.min(waitMs, this.#options.waitMs)
    // Of a command that is no input, nothing that came before it is told.
    const from = isAtPrompt && reader !== null ? { ...reader, seen: shell.place } : reader
    try {
      const { running } = shell
      const answered = await (running === null
        ? shell.run(text, limitMs, from, pagers)
        : shell.input(text, limitMs, reader))
      const state = (await stops.at(-1)) ? stoppedState(answered) : answered
      return running === null ? state : { ...state, inputTo: running.command }
    } catch (error) {
      return fail('LOAD_ERROR', `The command could not be handed to bash: ${refusal(error).reason}`, 'Try again later')
    } finally {
      leave()
    }
  }

  /** Ends what runs in a topic's bash; false when nothing does. */
  async cancel(topic: Omit<ShellTopic, 'home'>): Promise<boolean> {
    return (await this.shell(topic)?.cancel()) ?? false
  }

  /** What ends that which runs in a topic's bash now, and nothing that comes after it. */
  enderOf(topic: Omit<ShellTopic, 'home'>): () => void {
    const shell = this.shell(topic)
    const running = shell?.running ?? null
    return () => {
      if (running !== null && shell?.running === running) void shell.cancel()
    }
  }

  /** What runs in a topic now: its end, and how it is ended as long as it runs; null where nothing does. */
  attended(topic: Omit<ShellTopic, 'home'>): { readonly over: () => Promise<void>; readonly end: () => void } | null {
    const shell = this.shell(topic)
    if (shell === null || shell.running === null) return null
    return { over: () => shell.over(), end: this.enderOf(topic) }
  }

  /** Keeps a text that an answer has no room for, until the topic is closed; tells where it is. */
  keep(topic: ShellTopic, text: string): Kept {
    const { output } = this.#newOutput(topic, this.#filesOf(this.#ownerOf(topic)))
    output.add(Buffer.from(text))
    const where = output.whereabouts()
    output.end()
    return { where, path: output.path }
  }

  /** The bash that lives in a topic. */
  shell(topic: Omit<ShellTopic, 'home'>): BashShell | null {
    const shell = this.#shells.get(this.#ownerOf(topic))
    return shell === undefined || shell.ended ? null : shell
  }

  /** The bash that has ended in a topic, for who has read in it, or where no answer has told of its end. */
  endedShell(topic: Omit<ShellTopic, 'home'>, seen: string | null): BashShell | null {
    const shell = this.#shells.get(this.#ownerOf(topic))
    if (shell?.ended !== true) return null
    return shell.untold !== null || seen?.startsWith(`${shell.id}:`) === true ? shell : null
  }

  /** The last lines of what a person would see who sat before it; empty where no shell runs. */
  screen(topic: Omit<ShellTopic, 'home'>): string {
    return this.shell(topic)?.screen() ?? ''
  }

  /** The terminal of a topic's bash, also of one that is still to be started, gets another size. */
  resize(topic: Omit<ShellTopic, 'home'>, size: TerminalSize): void {
    const owner = this.#ownerOf(topic)
    // What is remembered goes with the topic.
    this.#filesOf(owner)
    this.#sizes.set(owner, size)
    this.#shells.get(owner)?.resize(size)
  }

  info(topic: Omit<ShellTopic, 'home'>): ShellInfo | null {
    const shell = this.shell(topic)
    if (shell === null) return null
    const { running } = shell
    const seconds = running === null ? 0 : Math.floor((performance.now() - running.since) / 1000)
    const { id, cwd, place, untold, last } = shell
    return { id, cwd, place, untold, last, running: running === null ? null : { command: running.command, seconds } }
  }

  async #newBash(topic: ShellTopic, cwd: string): Promise<FoundShell> {
    const owner = this.#ownerOf(topic)
    await this.#shells.get(owner)?.end()
    this.#shells.delete(owner)
    if (this.#shells.size >= LIMITS.shells)
      return fail(
        'LIMIT_REACHED',
        `There are ${LIMITS.shells} shells already`,
        '/open bash lists them, //close ends one',
      )
    const closed = notEntered(cwd)
    if (closed !== null) return closed
    try {
      const shell = await this.#start(topic, cwd, owner)
      this.#shells.set(owner, shell)
      return { ok: true, shell }
    } catch (error) {
      return fail(
        'LOAD_ERROR',
        `Cannot start bash in ${cwd}: ${refusal(error).reason}`,
        '/open bash lists the shells that run, //close ends one',
      )
    }
  }

  #start(topic: ShellTopic, cwd: string, owner: string): Promise<BashShell> {
    const files = this.#filesOf(owner)
    // A name of its own: what still ends the shell that was here before must not find this one.
    const own = `${owner}bash${randomBytes(6).toString('hex')}`
    return BashShell.start({
      cwd,
      owner: own,
      env: this.#environment(topic, own, new Map()),
      folder: join(this.#options.dataDir, 'shell'),
      newOutput: () => this.#newOutput(topic, files, { isTerminal: true }).output,
      size: this.#sizes.get(owner) ?? USUAL_SIZE,
    })
  }

  #filesOf(owner: string): Set<OutputPlace> {
    const files = this.#started.get(owner) ?? new Set()
    this.#started.set(owner, files)
    return files
  }

  /** Where a large output goes is known before it is large, and removed with the topic either way. */
  #newOutput(
    { home, topic }: ShellTopic,
    files: Set<OutputPlace>,
    { isPrivate = false, isTerminal = false } = {},
  ): { output: Output; id: string } {
    // Random bytes of its own would cost each command as much as ten lines of it: these come from a pool.
    const id = randomUUID().slice(-12)
    if (isPrivate) return { id, output: new Output(null, this.#room) }
    const place = { home, name: `${id}.txt` }
    const origin = { isInShell: isTerminal || parseTopic(topic)?.type === 'bash', isTerminal }
    return { id, output: new Output(new OutputFile(place, () => files.add(place), origin), this.#room) }
  }

  /** Ends everything that a topic started, and removes its outputs. */
  async endTopic(topic: Omit<ShellTopic, 'home'>): Promise<void> {
    const owner = this.#ownerOf(topic)
    const files = this.#started.get(owner)
    if (files === undefined) return
    this.#started.delete(owner)
    this.#sizes.delete(owner)
    const shell = this.#shells.get(owner)
    this.#shells.delete(owner)
    await shell?.end()
    await endFamily({ owner }, { graceMs: LIMITS.shellGraceMs })
    for (const place of files) removeOutput(place)
  }

  /** Ends everything that any topic started. */
  async endAll(): Promise<void> {
    if (this.#started.size === 0) return
    await endFamily({ owner: `${this.#options.dataId}:` }, { graceMs: LIMITS.shellGraceMs })
    await Promise.all([...this.#shells.values()].map((shell) => shell.end()))
  }

  /** Ends what a daemon that was killed left behind. */
  async sweep(): Promise<void> {
    await killFamily({ owner: `${this.#options.dataId}:` })
  }

  #ownerOf({ agentId, topic }: Omit<ShellTopic, 'home'>): string {
    return `${this.#options.dataId}:${agentId}/${topic}/`
  }

  #environment({ agentId }: ShellTopic, owner: string, variables: ReadonlyMap<string, string>): Record<string, string> {
    const { current, dataDir, port, binDir } = this.#options
    const base = current()
    return {
      // Whoever set a pager meant it, for git and man as well.
      ...(base.PAGER === undefined ? NO_PAGERS : {}),
      ...base,
      ...Object.fromEntries([...variables].filter(([, value]) => !value.includes('\0'))),
      PATH: `${base.PATH ?? '/usr/local/bin:/usr/bin:/bin'}:${binDir}`,
      STRING_PORT: String(port),
      STRING_AGENT: agentId,
      STRING_DATA_DIR: dataDir,
      [OWNER_VARIABLE]: owner,
    }
  }
}

/** Wide enough that programs need not break what they print. */
const USUAL_SIZE: TerminalSize = { columns: 160, rows: 50 }

/** A pager waits for a key that nobody is there to press. */
const NO_PAGERS = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: 'cat' }

/** The wait may have been over at that very moment. */
function stoppedState(state: ShellState): ShellState {
  return state.kind === 'running' ? { ...state, kind: 'done', line: null, screen: null, isStopped: true } : state
}

/** Why the system would not start a process; what is our own fault is thrown on. */
function refusal(error: unknown): { readonly reason: string; readonly next?: string } {
  if (!(error instanceof Error)) throw error
  if (error.message.startsWith('forkpty')) return { reason: 'no terminal is left' }
  if (!('code' in error) || typeof error.code !== 'string' || error.code.startsWith('ERR_')) throw error
  if (error.code !== 'E2BIG') return { reason: error.code }
  return {
    reason: 'the command and its variables are too long for the system',
    next: 'Put what is long into a file with /write, and name the file: bash FILE, PROGRAM < FILE',
  }
}

/** Why bash cannot begin in a folder: a terminal that cannot enter it just ends, and tells nothing. */
function notEntered(folder: string): Failure | null {
  try {
    accessSync(`${folder}/.`, constants.X_OK)
    return null
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return fail(
      'LOAD_ERROR',
      `Cannot start bash in ${folder}: ${isMissing ? 'there is no such folder' : systemReason(code)}`,
      isMissing ? 'Make it, or give another working directory' : 'Give another working directory',
    )
  }
}
