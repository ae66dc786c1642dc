import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'

/** Where every shell of String is. */
export const BASH = '/bin/bash'

type Tried = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }

/** The version of bash, asked from itself. */
export function tryBash(path: string = BASH): Promise<Tried> {
  if (!existsSync(path)) return Promise.resolve({ ok: false, reason: `there is no ${path}` })
  return new Promise((resolve) => {
    const options = { timeout: LIMITS.doctorCheckMs, killSignal: 'SIGKILL', env: {} } as const
    execFile(path, ['--norc', '--noprofile', '-c', 'echo "$BASH_VERSION"'], options, (error, stdout) => {
      const text = stdout.trim()
      if (error !== null) resolve({ ok: false, reason: error.message.split('\n')[0] ?? '' })
      else resolve(text === '' ? { ok: false, reason: `${path} is no bash` } : { ok: true, text })
    })
  })
}

/** Whether a program can be given a terminal, as bash topics are. */
export async function tryTerminal(path: string = BASH): Promise<Tried> {
  const { spawn } = await import('@lydell/node-pty')
  return new Promise((resolve) => {
    let text = ''
    const pty = spawn(path, ['--norc', '--noprofile', '-c', 'test -t 0 && tty'], {
      cwd: '/',
      env: {},
      cols: 80,
      rows: 24,
    })
    const limit = setTimeout(() => pty.kill('SIGKILL'), LIMITS.doctorCheckMs)
    pty.onData((data) => {
      text += data
    })
    pty.onExit(({ exitCode }) => {
      clearTimeout(limit)
      const name = text.trim()
      resolve(
        exitCode === 0
          ? { ok: true, text: name }
          : { ok: false, reason: `no terminal was given (${name || exitCode})` },
      )
    })
  })
}
