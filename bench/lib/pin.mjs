import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Of util-linux. */
const TASKSET = 'taskset'

/**
 * Does `work` with the servers on the core of this process (`together`) or on another (`apart`). The scheduler would
 * choose by chance and for seconds at a time, for one side and not the other, and that alone changes a latency by half.
 */
export async function pinned(placement, servers, work) {
  const [, allowed = '0'] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const cores = allowed.match(/\d+/g) ?? []
  for (const { pid } of servers) pin(pid, placement === 'together' ? cores.at(0) : cores.at(-1))
  pin(process.pid, cores.at(0))
  try {
    return await work()
  } finally {
    // What a later row starts would inherit the one core.
    pin(process.pid, allowed)
  }
}

function pin(pid, cores) {
  try {
    execFileSync(TASKSET, ['--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' })
  } catch {
    // Not installed or not allowed: a less steady figure is better than none.
  }
}
