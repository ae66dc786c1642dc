import { type Config, DEFAULT_PORT } from '../../config.ts'
import type { DaemonRecord } from '../../daemon-record.ts'
import { type Check, type Seen, seenFail, seenOk } from '../../doctor/check.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { VERSION } from '../../version.ts'
import { portOwner } from '../daemon/port-owner.ts'
import { folderServedBy } from '../daemon/stringd-process.ts'
import { serviceCheck } from '../service/check-service.ts'
import { leftovers } from './leftovers.ts'
import { isHeld, mayListen } from './probe.ts'

/** The oldest that String is built and tested for, as package.json says. */
export const OLDEST_NODE: readonly [number, number] = [20, 19]

/** What can only be seen from outside, whether a daemon runs or not. None of it starts one. */
export function machineChecksFor(config: Config, living: DaemonRecord | null): readonly Check[] {
  return [
    { name: 'node', look: async () => nodeCheck(process.versions.node) },
    { name: 'string', look: async () => seenOk(`${VERSION}, ${process.argv[1] ?? ''}`) },
    { name: 'port', look: () => port(config, living) },
    { name: 'leftovers', look: async () => leftovers(config.dataDir, living) },
    serviceCheck(living),
  ]
}

export function nodeCheck(version: string): Seen {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldest, oldestMinor] = OLDEST_NODE
  const needed = OLDEST_NODE.join('.')
  return major > oldest || (major === oldest && minor >= oldestMinor)
    ? seenOk(`${version} (${needed} or later is needed)`)
    : seenFail(`${version} is older than ${needed}`, 'install a later one: https://nodejs.org, or nvm install --lts')
}

const PORT_MS = 1_000
/** Below it are those that the system keeps for services of its own. */
const FIRST_FREE_PORT = 1_024

async function port(config: Config, living: DaemonRecord | null): Promise<Seen> {
  const asked = config.port
  if (living !== null && asked !== null && asked !== 0 && asked !== living.port)
    return seenFail(
      `the daemon of ${config.dataDir} has port ${living.port}, STRING_PORT or --port says ${asked}`,
      `export STRING_PORT=${living.port}, or STRING_PORT=${living.port} string stop, which ends that one`,
    )
  const number = living?.port ?? asked ?? DEFAULT_PORT
  if (number === 0) return seenOk('the system chooses one')
  const owner = portOwner(number)
  if (owner !== null && owner.pid === living?.pid) return seenOk(`${number} is held by our stringd, pid ${owner.pid}`)
  if (owner !== null) return taken(number, owner, `export STRING_PORT=${await nextFree(number)}`)
  if (!(await isHeld('127.0.0.1', number, PORT_MS)))
    return living === null ? whetherFree(number) : seenFail(`nobody listens on ${number}`, 'string restart')
  if (living !== null) return seenOk(`${number} is held; this system does not tell by whom`)
  return seenFail(`${number} is held by a program of another user`, `export STRING_PORT=${await nextFree(number)}`)
}

const NEXT_PORTS = 20

/** The first behind it that nobody holds; 0, which lets the system choose, where there is none. */
async function nextFree(number: number): Promise<number> {
  for (let next = number + 1; next <= Math.min(number + NEXT_PORTS, 65_535); next += 1)
    if (portOwner(next) === null && !(await isHeld('127.0.0.1', next, PORT_MS))) return next
  return 0
}

async function whetherFree(number: number): Promise<Seen> {
  // Any other is for everybody, and a daemon that starts in this moment shall not be in the way of a look.
  return number >= FIRST_FREE_PORT || (await mayListen('127.0.0.1', number))
    ? seenOk(`${number} is free`)
    : seenFail(
        `${number} may not be used by this user: those below 1024 are for the system`,
        `export STRING_PORT=${DEFAULT_PORT}`,
      )
}

function taken(number: number, { pid, command }: { pid: number; command: string }, other: string): Seen {
  const folder = folderServedBy(pid)
  if (folder !== null)
    return seenFail(
      `${number} is held by a stringd that serves ${folder}, pid ${pid}`,
      `STRING_DATA_DIR=${shellWord(folder)} string stop, or ${other}`,
    )
  return seenFail(`${number} is held by another program: pid ${pid} (${command})`, `kill ${pid}, or ${other}`)
}
