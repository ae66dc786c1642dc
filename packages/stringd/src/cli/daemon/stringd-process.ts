import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { homeFolder } from '../../config.ts'
import { processStart } from '../../daemon-record.ts'
import { environmentOf } from './port-owner.ts'

/** A `stringd` of this user that runs; `birth` tells it from another that gets its pid later. */
export interface StringdProcess {
  readonly pid: number
  readonly birth: string
}

/**
 * Daemons that serve this data folder by their own word, recorded or not: whoever removes the folder, or its `daemon.json`,
 * has not ended them. Empty where the system does not tell what runs.
 */
export function daemonsOf(dataDir: string): StringdProcess[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.flatMap((name) => {
      const pid = Number(name)
      const birth = folderServedBy(pid) === dataDir ? processStart(pid) : null
      return birth === null ? [] : [{ pid, birth }]
    })
  } catch {
    // No /proc on this system.
    return []
  }
}

/** The data folder of a process that is a `stringd` of this user; null of any other, and where that cannot be told. */
export function folderServedBy(pid: number): string | null {
  try {
    if (pid === process.pid || statSync(`/proc/${pid}`).uid !== process.getuid?.()) return null
    // In a container the same path is another folder.
    if (readlinkSync(`/proc/${pid}/ns/mnt`) !== readlinkSync('/proc/self/ns/mnt')) return null
    return isStringd(pid) ? namedFolder(pid) : null
  } catch {
    // Gone, or not ours to look into.
    return null
  }
}

/** Whether it is Node that runs the program `stringd`, which an installer may call by another name. */
function isStringd(pid: number): boolean {
  const [, program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const isNode = basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('node')
  if (!isNode || !isAbsolute(program)) return false
  return basename(program) === PROGRAM || basename(realpathSync(program)) === PROGRAM
}

const PROGRAM = 'stringd.cjs'

function namedFolder(pid: number): string | null {
  const home = environmentOf(pid, 'STRING_HOME') || join(homeFolder(), '.string')
  const folder = environmentOf(pid, 'STRING_DATA_DIR') || join(home, 'daemon')
  return isAbsolute(folder) ? folder : null
}
