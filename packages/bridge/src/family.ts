import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isAlive,
  isBornAfter,
  lastProcessId,
  livingProcess,
  type Moment,
  processEnvironment,
  processIds,
} from './process-table.ts'

/** The variable that marks everything a topic or turn starts: `<data folder id>:<topic or turn>`. */
export const OWNER_VARIABLE = 'STRING_OWNER'

/** How to know the processes that belong together. What left the session and cleared its environment is out of reach. */
export interface Family {
  /** The process that was started as the leader of its own group, and perhaps session. */
  readonly leader?: number
  /** The mark in their environment; one that ends with a colon or slash stands for all that begin with it. */
  readonly owner?: string
  /** Of those with the mark, only the ones that began after this. */
  readonly since?: Moment
}

/** A mark for what this process starts, below the one that it carries itself: whoever ends its family reaches that too. */
export function newOwner({
  [OWNER_VARIABLE]: parent = 'bridge:',
}: Readonly<Record<string, string | undefined>>): string {
  return `${/[:/]$/.test(parent) ? parent : `${parent}/`}${randomUUID()}/`
}

type Belongs = 'yes' | 'no' | 'unclear'

const ROUNDS = 100
const UNCLEAR_LOOKS = 10
const UNCLEAR_MS = 4

/** The living processes of a family, this one never among them. */
export function familyMembers(family: Family): number[] {
  const pids = processIds()
  if (pids === null) return family.leader !== undefined && isAlive(family.leader) ? [family.leader] : []
  return pids.filter((pid) => belongs(pid, family) === 'yes')
}

/** A group, and those of all that descends from it: a job of a shell may have begun long ago, and has no mark of its own. */
export function groupsFrom(group: number): number[] {
  const living = new Map((processIds() ?? []).map((pid) => [pid, livingProcess(pid)]))
  const groups = new Set([group])
  for (let before = 0; before < groups.size; ) {
    before = groups.size
    for (const facts of living.values()) {
      const above = facts === null ? undefined : living.get(facts.parent)?.group
      if (facts !== null && above !== undefined && groups.has(above)) groups.add(facts.group)
    }
  }
  return [...groups]
}

/**
 * Whether nobody of a family is left; `after` tells that only processes with later ids can be of it. One that ends while
 * we look may have started another: whatever the system started meanwhile is looked at too.
 */
export async function isGone(family: Family, after = 0): Promise<boolean> {
  let first = after + 1
  let unclear = 0
  for (let round = 0; round < ROUNDS && unclear < UNCLEAR_LOOKS; round += 1) {
    const last = lastProcessId()
    const isAnew = first === 1 || last < first - 1
    const pids = isAnew ? processIds() : range(first, last)
    if (pids === null) return familyMembers(family).length === 0
    const found = anyBelongs(pids, family)
    if (found === 'yes') return false
    if (found === 'no' && lastProcessId() === last) return true
    if (found === 'no') first = last + 1
    else await sleep(UNCLEAR_MS)
    unclear += found === 'unclear' ? 1 : 0
  }
  return true
}

function anyBelongs(pids: Iterable<number>, family: Family): Belongs {
  let isUnclear = false
  for (const pid of pids) {
    const found = belongs(pid, family)
    if (found === 'yes') return 'yes'
    if (found === 'unclear') isUnclear = true
  }
  return isUnclear ? 'unclear' : 'no'
}

function belongs(pid: number, { leader, owner, since }: Family): Belongs {
  const found = pid === process.pid ? null : livingProcess(pid)
  if (found === null) return 'no'
  if (leader !== undefined && (pid === leader || found.group === leader || found.session === leader)) return 'yes'
  if (owner === undefined || (since !== undefined && !isBornAfter(pid, found.bornMs, since))) return 'no'
  return hasMark(pid, owner)
}

/** While a process becomes another program, its environment is empty for a moment. */
function hasMark(pid: number, owner: string): Belongs {
  const environment = processEnvironment(pid)
  if (environment === '') return 'unclear'
  const mark = `\0${OWNER_VARIABLE}=${owner}`
  return environment !== null && `\0${environment}`.includes(/[:/]$/.test(owner) ? mark : `${mark}\0`) ? 'yes' : 'no'
}

function* range(first: number, last: number): Iterable<number> {
  for (let pid = first; pid <= last; pid += 1) yield pid
}
