import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, stringPlace } from '../support/cli.ts'

const root = join(import.meta.dirname, '../..')

/** What needs the package registry is skipped without it, and says so. */
const registry = (await run('npm', ['ping', '--fetch-retries=0'], { cwd: root, env: process.env })).status === 0
if (!registry) console.warn('SKIPPED: the package registry cannot be reached, so no public agent was run')
const python = (await run('python3', ['--version']).catch(() => ({ status: 1 }))).status === 0
if (!python) console.warn('SKIPPED: there is no python3, which the public echo-agent needs')

describe.skipIf(!(registry && python))('agents of the public agentproc package', () => {
  it('its echo-agent runs through our bridge, from its own profile', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'package.json'), '{"private":true}')
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'agentproc']
    const installed = await run('npm', install, { cwd: place.dir, env: process.env })
    expect(installed.status, installed.stderr).toBe(0)
    const profile = join(place.dir, 'node_modules/agentproc/hub/echo-agent/profile.yaml')
    expect(await place.string(['bridge', 'check', profile])).toMatchObject({ status: 0 })
    const message = 'hello "there"\nünicode $(touch x) {{MESSAGE}}'
    expect(await place.string(['bridge', 'run', '--profile', profile, '-m', message])).toEqual({
      status: 0,
      stdout: `You said: ${message}\n`,
      stderr: '',
    })
    const { stdout } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'result', ok: true, reply: 'You said: x', exit_code: 0 })
  })
})
