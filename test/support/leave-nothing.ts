import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSeed } from './random.ts'

/**
 * Every test run gets a seed, a temporary folder and a mark that its processes inherit. Afterwards no process with the mark
 * may be alive and nothing may be left in the folder: a test that leaves something behind fails the run.
 */
export function setup(): () => void {
  const mark = randomUUID()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'string-run-')))
  process.env.STRING_TEST_RUN = mark
  process.env.TMPDIR = folder
  runSeed()
  for (const name of ['STRING_HOME', 'STRING_DATA_DIR', 'STRING_PORT', 'STRING_AGENT', 'STRING_OWNER', 'NO_COLOR']) {
    delete process.env[name]
  }
  return () => {
    const processes = markedProcesses(mark)
    // Vitest keeps its own caches there; ours are named.
    const files = readdirSync(folder).filter((name) => name.startsWith('string-'))
    for (const { pid } of processes) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    if (processes.length > 0 || files.length > 0) {
      // Vitest prints what a teardown throws, but does not fail for it.
      process.exitCode = 1
      throw new Error(`Tests left behind: ${JSON.stringify({ processes, files })}`)
    }
  }
}

function markedProcesses(mark: string): { pid: number; command: string }[] {
  if (!existsSync('/proc')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`STRING_TEST_RUN=${mark}`)
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const isRunner = command.includes('vitest') || command.includes('esbuild')
      return isOurs && !isRunner && command !== '' ? [{ pid: Number(pid), command }] : []
    } catch {
      // It ended while we looked, or is not ours.
      return []
    }
  })
}
