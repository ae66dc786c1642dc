import { execFile } from 'node:child_process'
import { LIMITS } from '@string-os/protocol'

export type ToolEnd =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly reason: string; readonly output: string; readonly isMissing: boolean }

interface RunOptions {
  readonly limitMs?: number
  /** Who runs it; only root may choose. */
  readonly uid?: number
}

/** Runs a program of this machine to its end, or to the limit, and tells what it printed. */
export function runTool(
  program: string,
  args: readonly string[],
  { limitMs = LIMITS.doctorCheckMs, uid }: RunOptions = {},
): Promise<ToolEnd> {
  const user = uid === undefined ? {} : { uid, gid: uid }
  const options = { timeout: limitMs, killSignal: 'SIGKILL', cwd: '/', encoding: 'utf8', ...user } as const
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException, output: string): void => {
      const [said = ''] = output.trim().split('\n')
      const reason = error.code === 'ENOENT' ? `there is no ${program}` : said || error.message
      resolve({ ok: false, reason, output, isMissing: error.code === 'ENOENT' })
    }
    try {
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error === null) resolve({ ok: true, output: stdout })
        // Of a program that ran, the code is a number, which its own words explain.
        else failed(error as unknown as NodeJS.ErrnoException, `${stderr}${stdout}`)
      })
    } catch (error) {
      failed(error as NodeJS.ErrnoException, '')
    }
  })
}
