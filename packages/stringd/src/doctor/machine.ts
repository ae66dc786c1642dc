import { readdir, readFile } from 'node:fs/promises'
import { type Check, type Seen, seenOk, seenWarn } from './check.ts'

/** Before this no String was built: such a clock was never set. */
const BUILT_AFTER = Date.parse('2026-01-01T00:00:00Z')

export function machineChecks(now: () => number = Date.now): readonly Check[] {
  return [
    { name: 'clock', look: async () => clock(now()) },
    { name: 'descriptors', look: descriptors },
  ]
}

function clock(now: number): Seen {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const shown = `${new Date(now).toISOString().slice(0, 19)}Z, time zone ${timeZone}`
  return now < BUILT_AFTER
    ? seenWarn(`${shown}: it is behind`, 'set the clock: sudo timedatectl set-ntp true')
    : seenOk(shown)
}

/** Below this, many topics and streams at once would be refused. */
const FEW_DESCRIPTORS = 1_024

async function descriptors(): Promise<Seen> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null)
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(limits ?? '') ?? []
  if (limits === null || soft === '')
    return { state: 'untried', seen: 'this system does not tell the limit', mend: null }
  const used = (await readdir('/proc/self/fd')).length
  const text = `${used} of ${soft} in use`
  const isShort = Number(soft) < FEW_DESCRIPTORS || used > Number(soft) * 0.8
  return isShort ? seenWarn(text, 'ulimit -n 65536 before the daemon is started') : seenOk(text)
}
