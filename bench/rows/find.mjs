import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { compare } from '../lib/rounds.mjs'
import { makeTree } from '../lib/tree.mjs'

const LINES = 40

/** The whole way of a command, beside the whole run of grep on the same 4,000 files. */
function row(name, grep, find) {
  return {
    name,
    unit: 'ms',
    better: 'lower',
    bar: 2,
    dream: 1.2,
    async measure(context) {
      const daemon = await context.startDaemon()
      const tree = join(dirname(daemon.note), 'tree')
      makeTree(tree)
      const connection = daemon.connect()
      const ours = async () => {
        const started = performance.now()
        const { text } = await connection.exec({ cmd: `${find} ~/tree`, topic: 'main' })
        const time = performance.now() - started
        if (!text.includes(`Found ${LINES} lines in ${LINES} files (4000 files searched)`)) throw new Error(text)
        return time
      }
      const base = () => {
        const started = performance.now()
        const { stdout, error } = spawnSync('grep', ['-rn', ...grep, tree], { encoding: 'utf8' })
        const time = performance.now() - started
        if (stdout?.trim().split('\n').length !== LINES) throw error ?? new Error(stdout)
        return time
      }
      return compare({ rounds: 41, better: 'lower', base, ours })
    },
  }
}

export const findText = row('/find beside grep -rn', ['needle of'], "/find 'needle of'")
export const findRegex = row(
  '/find --regex beside grep -rnE',
  ['-E', 'nee+dle (of|in)'],
  "/find 'nee+dle (of|in)' --regex",
)
