import { spawn } from '@lydell/node-pty'
import { expect, onTestFinished, vi } from 'vitest'
import { isRunning, type Place, STRING } from '../../../../test/support/cli.ts'
import { screenText } from '../../src/shell/screen/screen-text.ts'

export interface Terminal {
  readonly pid: number
  /** Everything that was shown so far, as lines of text. */
  readonly shown: () => string
  /** The same with its colours. */
  readonly raw: () => string
  readonly type: (text: string) => void
  /** Waits until something is shown; what was shown before `type` was called last does not count. */
  readonly shows: (text: string | RegExp) => Promise<void>
  /** The window gets another size. */
  readonly resize: (columns: number, rows: number) => void
  /** The window is closed. */
  readonly hangUp: () => void
  readonly exited: Promise<number>
}

/** The built command line in a real terminal; it ends with the test at the latest. */
export function openTerminal(place: Place, args: readonly string[]): Terminal {
  return openInTerminal(place, process.execPath, [STRING, ...args])
}

/** Any program in a real terminal. */
export function openInTerminal(place: Pick<Place, 'dir' | 'env'>, program: string, args: readonly string[]): Terminal {
  let output = ''
  let typedAt = 0
  const terminal = spawn(program, [...args], {
    cols: 100,
    rows: 30,
    cwd: place.dir,
    env: { ...place.env, TERM: 'xterm-256color' },
  })
  terminal.onData((data) => {
    output += data
  })
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode))
  })
  onTestFinished(async () => {
    if (isRunning(terminal.pid)) terminal.kill('SIGHUP')
    await vi.waitFor(() => expect(isRunning(terminal.pid)).toBe(false), { timeout: 20_000 })
  })
  return {
    pid: terminal.pid,
    shown: () => screenText(output),
    raw: () => output,
    type: (text) => {
      typedAt = output.length
      terminal.write(text)
    },
    shows: (text) =>
      vi.waitFor(() => expect(screenText(output.slice(typedAt))).toMatch(text), { timeout: 20_000, interval: 30 }),
    resize: (columns, rows) => terminal.resize(columns, rows),
    // Not in the declared types, but the one way to close our end.
    hangUp: () => (terminal as unknown as { destroy: () => void }).destroy(),
    exited,
  }
}
