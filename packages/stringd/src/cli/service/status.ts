import type { DaemonRecord } from '../../daemon-record.ts'
import type { ServiceAnswer } from './install.ts'
import { unitFile } from './unit-file.ts'
import { unitState, userSystemd } from './user-systemd.ts'

/** Whether the service is there, runs, and is what serves. */
export async function serviceStatus(living: DaemonRecord | null): Promise<ServiceAnswer> {
  const { path, present, isCurrent } = unitFile()
  const daemon = living === null ? 'no daemon runs' : `a daemon runs, pid ${living.pid}`
  if (present === null) {
    const canMakeOne = (await userSystemd()).kind === 'there'
    const next = canMakeOne
      ? 'string service install installs it'
      : 'systemd does not answer for this user: string start starts a daemon'
    return {
      ok: false,
      said: [`Not installed: there is no ${path}`, daemon, next],
      data: { installed: false, path },
    }
  }
  const fresh = isCurrent ? [] : ['It is of another String or environment: string service install makes it anew']
  const systemd = await userSystemd()
  const head = [`Installed: ${path}`, ...fresh]
  if (systemd.kind !== 'there') {
    const why = systemd.kind === 'silent' ? systemd.reason : 'there is no systemctl'
    const said = [...head, `systemd does not answer for this user: ${why}`, daemon]
    return { ok: false, said, data: { installed: true, path, state: 'unknown' } }
  }
  const { state, pid, isEnabled } = await unitState()
  const serves =
    living === null
      ? []
      : [living.pid === pid ? `it is what serves, pid ${pid}` : `pid ${living.pid} serves, and not the service`]
  const said = [
    ...head,
    `${state}, ${isEnabled ? 'starts with the session' : 'not enabled: systemctl --user enable string'}`,
    ...serves,
  ]
  return { ok: state === 'active', said, data: { installed: true, path, state, enabled: isEnabled, pid } }
}
