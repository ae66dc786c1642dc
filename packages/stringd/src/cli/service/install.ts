import type { DaemonRecord } from '../../daemon-record.ts'
import { removeUnit, type UnitFile, unitFile, writeUnit } from './unit-file.ts'
import { systemctl, UNIT_NAME, type UserSystemd, unitState, userSystemd } from './user-systemd.ts'

export interface ServiceAnswer {
  readonly ok: boolean
  /** Lines for a person. */
  readonly said: readonly string[]
  readonly data: object
}

/** Writes the unit and lets systemd start it; where that cannot be, tells what to type instead. */
export async function installService(living: DaemonRecord | null, isDry: boolean): Promise<ServiceAnswer> {
  const file = unitFile()
  if (isDry)
    return { ok: true, said: [`# ${file.path}`, file.text.trimEnd()], data: { path: file.path, unit: file.text } }
  const systemd = await userSystemd()
  if (systemd.kind === 'missing') return noSystemd(file)
  const isSame = file.present === file.text
  if (!isSame) await writeUnit(file)
  const wrote = isSame
    ? `${file.path} is as it should be already`
    : `Wrote ${file.path}${file.present === null ? '' : ' anew'}`
  const said = [wrote, handedOn(file)]
  if (systemd.kind === 'silent')
    return { ok: false, said: [...said, ...whenSilent(systemd.reason)], data: dataOf(file, false) }
  return start({ file, said, living, isSame })
}

interface Starting {
  readonly file: UnitFile
  readonly said: readonly string[]
  readonly living: DaemonRecord | null
  readonly isSame: boolean
}

/** A daemon that somebody else started is not ended unasked: it may be at work. */
async function start({ file, said, living, isSame }: Starting): Promise<ServiceAnswer> {
  const before = await unitState()
  const isOthers = living !== null && living.pid !== before.pid
  const steps = [
    ['daemon-reload'],
    ['enable', UNIT_NAME],
    ...(isOthers ? [] : [[before.state === 'active' && !isSame ? 'restart' : 'start', UNIT_NAME]]),
  ]
  const done: string[] = []
  for (const step of steps) {
    const end = await systemctl(...step)
    const line = `systemctl --user ${step.join(' ')}`
    if (!end.ok) {
      const tell = `${line} failed: ${end.reason}`
      return {
        ok: false,
        said: [...said, ...done, tell, 'systemctl --user status string tells more'],
        data: dataOf(file, false),
      }
    }
    done.push(`Did ${line}`)
  }
  const next = isOthers
    ? [
        `A daemon runs already (pid ${living.pid}), and not as the service. To change over:`,
        '  string stop && systemctl --user start string',
      ]
    : ['It runs, and starts when you log in']
  return { ok: true, said: [...said, ...done, ...next, LINGER], data: dataOf(file, !isOthers) }
}

const LINGER = 'To have it run from the start of the machine on, and after you log out:  loginctl enable-linger'

function handedOn({ variables }: UnitFile): string {
  return `The daemon gets, as they are set now: ${Object.keys(variables).join(', ')}`
}

function whenSilent(reason: string): string[] {
  return [
    `Not started: systemd does not answer for this user (${reason}).`,
    'Log in as this user (ssh or a desktop, not su or sudo), and type:',
    '  systemctl --user daemon-reload && systemctl --user enable --now string',
    '  loginctl enable-linger',
    'Where no systemd runs, as in a container, string start does without it.',
  ]
}

function noSystemd({ path }: UnitFile): ServiceAnswer {
  const said = [
    'Nothing was installed: this machine has no systemctl.',
    'string start runs String in the background until the machine stops;',
    'a line of crontab -e starts it with the machine:  @reboot string start',
    'a supervisor of your own runs stringd, which stays in the foreground and ends on SIGTERM.',
    `string service install --dry-run shows what would be in ${path}.`,
  ]
  return { ok: false, said, data: { path, started: false } }
}

function dataOf({ path, variables }: UnitFile, started: boolean): object {
  return { path, variables: Object.keys(variables), started }
}

/** Ends the service and removes its unit; everything else stays. */
export async function uninstallService(isDry: boolean): Promise<ServiceAnswer> {
  const file = unitFile()
  const { path } = file
  if (file.present === null)
    return { ok: true, said: [`There is no ${path}: nothing to remove`], data: { path, removed: false } }
  const systemd: UserSystemd = isDry ? { kind: 'missing' } : await userSystemd()
  if (isDry) return { ok: true, said: [`Would end the service and remove ${path}`], data: { path, removed: false } }
  const disabled = systemd.kind === 'there' ? await systemctl('disable', '--now', UNIT_NAME) : null
  removeUnit(file)
  if (systemd.kind === 'there') await systemctl('daemon-reload')
  const ended =
    disabled === null
      ? 'systemd was not asked, as it does not answer: systemctl --user disable --now string'
      : disabled.ok
        ? `Did systemctl --user disable --now ${UNIT_NAME}`
        : `systemctl --user disable --now ${UNIT_NAME}: ${disabled.reason}`
  const kept = 'What String keeps is where it was; string start goes on without the service'
  return { ok: true, said: [ended, `Removed ${path}`, kept], data: { path, removed: true } }
}
