import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Place, type Ran, stringPlace } from '../support/cli.ts'

/** A `systemctl` that does what it is told by notes in a folder, and writes down what it was asked. */
const SYSTEMCTL = `#!/bin/bash
cd "$(dirname "$0")"
echo "$*" >> asked
[ -e refuses ] && { echo "Failed to connect to bus: No medium found" >&2; exit 1; }
case "$*" in
  *show-environment*) echo LANG=C ;;
  *"show string.service"*) cat state 2>/dev/null || printf 'ActiveState=inactive\\nMainPID=0\\nUnitFileState=\\n' ;;
  *"start string.service"*) [ -e broken ] && { echo "Job for string.service failed" >&2; exit 1; }; true ;;
esac`

interface Machine {
  readonly place: Place
  readonly bin: string
  readonly unit: string
  readonly service: (...args: string[]) => Promise<Ran>
  readonly asked: () => string[]
}

function machine(kind: 'systemd' | 'none'): Machine {
  const place = stringPlace()
  const bin = join(place.dir, 'bin')
  const config = join(place.dir, 'my config')
  mkdirSync(bin)
  if (kind === 'systemd') writeFileSync(join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 })
  const path = kind === 'systemd' ? `${bin}:${process.env.PATH ?? ''}` : bin
  const env = { PATH: path, XDG_CONFIG_HOME: config, STRING_ALLOW_UIDS: '', STRING_OWNER: 'mark', STRING_DEBUG: '1' }
  return {
    place,
    bin,
    unit: join(config, 'systemd/user/string.service'),
    service: (...args) => place.string(['service', ...args], { env }),
    asked: () => {
      const all = readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n')
      return all.map((line) => line.replace('--user --no-pager ', '')).filter((line) => !line.startsWith('show'))
    },
  }
}

describe('string service', () => {
  it('installs a unit of this user, starts it, says so, and does nothing twice', async () => {
    const { place, unit, service, asked } = machine('systemd')
    expect(await service('install', '--dry-run')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`# ${unit}\n`) as string,
    })
    expect(existsSync(unit)).toBe(false)
    const first = await service('install')
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout.split('\n').slice(0, 6)).toEqual([
      `Wrote ${unit}`,
      'The daemon gets, as they are set now: STRING_HOME, STRING_PORT, STRING_DEBUG, PATH' +
        (process.env.LANG ? ', LANG' : ''),
      'Did systemctl --user daemon-reload',
      'Did systemctl --user enable string.service',
      'Did systemctl --user start string.service',
      'It runs, and starts when you log in',
    ])
    expect(first.stdout).toContain('loginctl enable-linger')
    expect(asked()).toEqual(['daemon-reload', 'enable string.service', 'start string.service'])
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain(`Environment="STRING_HOME=${join(place.dir, 'string')}"\n`)
    expect(text).not.toContain('STRING_OWNER')
    expect(statSync(unit).mode & 0o777).toBe(0o600)
    const again = await service('install')
    expect(again.stdout).toContain(`${unit} is as it should be already\n`)
    expect(readFileSync(unit, 'utf8')).toBe(text)
  })

  it('shows how it stands, and removes what it made', async () => {
    const { bin, unit, service, asked } = machine('systemd')
    expect(await service('status')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Not installed') as string,
    })
    expect((await service('uninstall')).stdout).toBe(`There is no ${unit}: nothing to remove\n`)
    await service('install')
    writeFileSync(join(bin, 'state'), 'ActiveState=active\nMainPID=77\nUnitFileState=enabled\n')
    const status = await service('status')
    expect(status).toMatchObject({ status: 0, stdout: `Installed: ${unit}\nactive, starts with the session\n` })
    const { stdout } = await service('status', '--json')
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      installed: true,
      path: unit,
      state: 'active',
      enabled: true,
      pid: 77,
    })
    const gone = await service('uninstall')
    expect(gone).toMatchObject({ status: 0, stdout: expect.stringContaining(`Removed ${unit}\n`) as string })
    expect(existsSync(unit)).toBe(false)
    expect(asked().slice(-2)).toEqual(['disable --now string.service', 'daemon-reload'])
  })

  it('leaves a daemon alone that somebody else started, and tells how to change over', async () => {
    const { place, service, asked } = machine('systemd')
    await place.string(['--daemon', 'start'])
    const { stdout, status } = await service('install')
    expect(status).toBe(0)
    expect(stdout).toContain(
      `A daemon runs already (pid ${place.daemonPid()}), and not as the service. To change over:\n`,
    )
    expect(stdout).toContain('  string stop && systemctl --user start string\n')
    expect(asked()).toEqual(['daemon-reload', 'enable string.service'])
  })

  it('says what to type where systemd does not answer, and what failed where it does', async () => {
    const { bin, unit, service } = machine('systemd')
    writeFileSync(join(bin, 'refuses'), '')
    const silent = await service('install')
    expect(silent.status).toBe(1)
    expect(silent.stdout).toContain(
      'Not started: systemd does not answer for this user (Failed to connect to bus: No medium found).\n',
    )
    expect(silent.stdout).toContain('  systemctl --user daemon-reload && systemctl --user enable --now string\n')
    expect(existsSync(unit)).toBe(true)
    expect((await service('status')).stdout).toContain('systemd does not answer for this user: Failed to connect')
    expect((await service('uninstall')).stdout).toContain(`Removed ${unit}`)
    const other = machine('systemd')
    writeFileSync(join(other.bin, 'broken'), '')
    const failed = await other.service('install')
    expect(failed.status).toBe(1)
    expect(failed.stdout).toContain('systemctl --user start string.service failed: Job for string.service failed\n')
  })

  it('tells in one line why a unit cannot be written', async () => {
    const { unit, service } = machine('systemd')
    writeFileSync(join(unit, '../../..'), 'no folder\n')
    const { status, stdout, stderr } = await service('install')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^string: \S.* cannot be used: a part of the path is no folder \(ENOTDIR\); ls -ld '.*' shows who may\n$/,
    )
  })

  it('installs nothing where there is no systemd, and tells what else there is', async () => {
    const { unit, service } = machine('none')
    const { status, stdout } = await service('install')
    expect(status).toBe(1)
    expect(stdout).toContain('Nothing was installed: this machine has no systemctl.\n')
    expect(stdout).toContain('@reboot string start')
    expect(existsSync(unit)).toBe(false)
    expect((await service('instal')).stderr).toContain('install')
  })
})
