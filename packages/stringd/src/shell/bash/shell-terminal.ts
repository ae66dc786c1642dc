import type { IPty } from '@lydell/node-pty'
import { endFamily } from '@string-os/bridge/reap'
import { LIMITS } from '@string-os/protocol'
import type { TerminalSize } from '../screen/screen-grid.ts'
import { commandLine, isInFront } from './process-state.ts'
import { typeLine } from './type-line.ts'

export interface TerminalOptions {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size: TerminalSize
}

/** A bash, and the terminal that it alone has. */
export class ShellTerminal {
  readonly #pty: IPty
  readonly pid: number

  private constructor(pty: IPty) {
    this.#pty = pty
    this.pid = pty.pid
  }

  static async open({ args, cwd, env, size }: TerminalOptions): Promise<ShellTerminal> {
    const { spawn } = await import('@lydell/node-pty')
    const shown = { cols: size.columns, rows: size.rows, encoding: null }
    return new ShellTerminal(spawn('/bin/bash', [...args], { cwd, env: { ...env, TERM: 'xterm-256color' }, ...shown }))
  }

  /** What it prints, and the status with which it ends. */
  hear(onBytes: (bytes: Buffer) => void, onEnd: (status: number) => void): void {
    this.#pty.onData((data: string | Buffer) => onBytes(typeof data === 'string' ? Buffer.from(data) : data))
    this.#pty.onExit(({ exitCode, signal = 0 }) => onEnd(signal === 0 ? exitCode : 128 + signal))
  }

  /** What it prints stays where it is, so that whoever prints waits, until it is heard again. */
  hold(): void {
    this.#pty.pause()
  }

  hearOn(): void {
    this.#pty.resume()
  }

  write(text: string): void {
    this.#pty.write(text)
  }

  /** The same of a line for the shell at its prompt, at once. */
  typeLine(line: string): void {
    typeLine(this.#pty, line)
  }

  resize({ columns, rows }: TerminalSize): void {
    try {
      this.#pty.resize(columns, rows)
    } catch (error) {
      // A terminal whose shell has just ended has no size any more; the next one gets it.
      if (!(error instanceof Error) || !error.message.startsWith('ioctl')) throw error
    }
  }

  /** What the shell runs next is not begun; whatever runs in it hears nothing of this. */
  interruptShell(): void {
    try {
      process.kill(this.pid, 'SIGINT')
    } catch {
      // It has ended.
    }
  }

  /** Nothing that the shell started is in front of it. */
  get isInFront(): boolean {
    return isInFront(this.pid)
  }

  /** The words with which the shell runs, or what it has become. */
  get commandLine(): string {
    return commandLine(this.pid)
  }

  /** Ends it, and all that carries the mark of its `owner`. */
  async end(owner: string): Promise<void> {
    await endFamily({ leader: this.pid, owner }, { graceMs: LIMITS.shellGraceMs })
    this.#pty.kill()
  }
}
