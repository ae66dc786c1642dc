import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ExecReply, exec } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from './daemon.ts'

export interface AppPlace extends TestDaemon {
  readonly run: (cmd: string, topic?: string) => Promise<ExecReply>
  readonly reply: (cmd: string, topic?: string) => Promise<string>
  /** Writes files below home. */
  readonly put: (files: Readonly<Record<string, string>>) => void
  /** Every file of packages and variables with its content and mode: what must not change when something fails. */
  readonly state: () => Record<string, string>
}

/** A daemon with one agent, driven through commands only. */
export async function appPlace(): Promise<AppPlace> {
  const daemon = await startTestDaemon()
  const run = (cmd: string, topic?: string): Promise<ExecReply> =>
    exec(daemon.port, cmd, topic === undefined ? {} : { topic })
  return {
    ...daemon,
    run,
    reply: async (cmd, topic) => (await run(cmd, topic)).body,
    put: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(daemon.home, path)), { recursive: true })
        writeFileSync(join(daemon.home, path), text)
      }
    },
    state: () => treeOf(daemon.stateDir),
  }
}

/** Paths below a folder, with what they hold. */
function treeOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const entries = paths.map((path) => {
    const stat = statSync(join(folder, path))
    const digest = stat.isFile()
      ? createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')
      : ''
    return [path, `${(stat.mode & 0o777).toString(8)} ${digest.slice(0, 12)}`]
  })
  return Object.fromEntries(entries) as Record<string, string>
}
