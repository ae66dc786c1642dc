import type { DaemonRecord } from '../../daemon-record.ts'
import { type Check, type Seen, seenFail, seenOk, seenUntried, seenWarn } from '../../doctor/check.ts'
import { unitFile } from './unit-file.ts'
import { unitState, userSystemd } from './user-systemd.ts'

/** Whether the daemon that runs is the one that the service starts. */
export function serviceCheck(living: DaemonRecord | null): Check {
  return { name: 'service', look: () => look(living) }
}

async function look(living: DaemonRecord | null): Promise<Seen> {
  if (process.platform !== 'linux') return seenUntried('there is one for systemd on Linux alone so far')
  const { present, isCurrent, path } = unitFile()
  if (present === null) {
    const canMakeOne = (await userSystemd()).kind === 'there'
    return seenOk(
      canMakeOne ? 'none; string service install makes one' : 'none, nor a systemd of this user that would run it',
    )
  }
  if (!isCurrent) return seenWarn(`${path} is of another String or environment`, 'string service install')
  const systemd = await userSystemd()
  if (systemd.kind !== 'there')
    return seenWarn(`${path} is there, and no systemd that runs it`, 'string service status tells more')
  const { state, pid } = await unitState()
  if (state === 'failed') return seenFail('it failed', 'systemctl --user status string; journalctl --user -u string')
  if (living !== null && living.pid !== pid)
    return seenWarn(`pid ${living.pid} serves, and not the service`, 'string stop; systemctl --user start string')
  return seenOk(`${state}${pid > 0 ? `, pid ${pid}` : ''}`)
}
