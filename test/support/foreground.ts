import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { STRINGD } from './cli.ts'
import { rememberKey } from './keys.ts'
import { tempDir } from './temp.ts'

export interface Foreground {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly port: number
  readonly dir: string
  readonly dataDir: string
  readonly stderr: () => string
}

interface ForegroundOptions {
  /** No file can grow larger than this: writing beyond fails as it does on a full disk. */
  readonly fileKiB?: number
  /** Variables beside the usual ones. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A real daemon in the foreground, on a port of the system's choice; it ends with the test at the latest. */
export async function startForeground(
  dir = tempDir(),
  { fileKiB, environment = {} }: ForegroundOptions = {},
): Promise<Foreground> {
  const dataDir = join(dir, 'data')
  const command = [process.execPath, STRINGD, '--port', '0']
  const [program = '', ...args] = fileKiB === undefined ? command : [...smallDisk(fileKiB), ...command]
  const child = spawn(program, args, {
    env: { ...process.env, HOME: dir, STRING_HOME: dir, STRING_DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code))
  })
  let stderr = ''
  const port = await new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
      const ready = /"stringd is ready","port":(\d+)/.exec(stderr)
      if (ready !== null) resolve(Number(ready[1]))
    })
  })
  rememberKey(port, dataDir)
  return { child, exited, port, dir, dataDir, stderr: () => stderr }
}

/** The signal that would end the process is ignored, so that the write fails instead. */
function smallDisk(fileKiB: number): string[] {
  return ['bash', '-c', `trap '' XFSZ; ulimit -f ${fileKiB}; exec "$0" "$@"`]
}
