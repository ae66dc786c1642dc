import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckView, DoctorView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { writeAgent } from '../../../../test/support/agent.ts'
import { call } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const found = ({ checks }: DoctorView, name: string): readonly CheckView[] =>
  checks.filter((check) => check.name === name)

async function diagnose(port: number): Promise<DoctorView> {
  const { status, json } = await call(port, 'GET', '/doctor')
  expect(status).toBe(200)
  return json as DoctorView
}

describe('GET /doctor', () => {
  it('finds nothing wrong with a daemon that is well, and names all that it looked at', async () => {
    const { port } = await startTestDaemon()
    const view = await diagnose(port)
    expect(view).toMatchObject({ ok: true, version: expect.any(String) as string })
    expect(view.checks.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(view.checks.map(({ name }) => name).join(', ')).toBe(
      'store, turns, deliveries, webhooks, events, log, served, data folder, secrets, disk, env, bash, terminal, homes, profiles, ' +
        'channels, limits, clock, descriptors',
    )
    expect(found(view, 'terminal')[0]?.seen).toMatch(/\/dev\//)
  })

  it('tells what is wrong with agents, channels and files, and what to type about each', async () => {
    const { port, dir, dataDir } = await startTestDaemon()
    const sound = writeAgent(dir, 'echo hi')
    const missing = join(dir, 'missing.yaml')
    const broken = join(dir, 'broken.yaml')
    for (const path of [missing, broken]) writeFileSync(path, 'command: ./nowhere.sh\n')
    for (const [id, profile] of Object.entries({ sound, missing, broken }))
      await call(port, 'POST', '/agents', { body: { agent_id: id, profile, home: join(dir, id) } })
    writeFileSync(broken, 'command: [\n')
    mkdirSync(join(dir, 'sound/.string'), { mode: 0o700 })
    writeFileSync(join(dir, 'sound/.string/channels.yaml'), 'mail:\n  type: pigeon\n')
    writeFileSync(join(dataDir, 'env'), 'TOKEN=secret\n')
    chmodSync(join(dataDir, 'env'), 0o644)
    const view = await diagnose(port)
    expect(view.ok).toBe(false)
    expect(found(view, 'profiles')).toMatchObject([
      { state: 'fail', seen: expect.stringMatching(/^missing: .*nowhere\.sh/) as string },
      { state: 'fail', mend: `mend it, then string bridge check ${broken}` },
    ])
    expect(found(view, 'channels')).toMatchObject([
      { state: 'fail', seen: expect.stringContaining('channels.yaml, line 2, column 3') as string },
    ])
    expect(found(view, 'secrets')).toEqual([
      {
        name: 'secrets',
        state: 'warn',
        seen: `${join(dataDir, 'env')} has mode 0644: its folder alone keeps others out`,
        mend: `chmod 600 ${join(dataDir, 'env')}`,
      },
    ])
    expect(JSON.stringify(view)).not.toContain('secret\\n')
    for (const { state, mend } of view.checks) expect(mend === null).toBe(state === 'ok' || state === 'untried')
  })

  it('looks once for many who ask at once', async () => {
    const { port } = await startTestDaemon()
    const views = await Promise.all(Array.from({ length: 20 }, () => diagnose(port)))
    const clocks = new Set(views.map((view) => found(view, 'descriptors')[0]?.seen))
    expect(clocks.size).toBeLessThan(20)
  })
})

describe('GET /log', () => {
  it('answers the end of the log, and refuses what it cannot be asked', async () => {
    const { port, dataDir } = await startTestDaemon()
    expect((await call(port, 'GET', '/log')).json).toEqual({ log: [] })
    const at = (second: number, level: string): string =>
      JSON.stringify({ time: `2026-01-01T00:00:0${second}.000Z`, level, message: `m${second}`, agent: 'bot' })
    writeFileSync(join(dataDir, 'daemon.log'), `${at(1, 'info')}\n${at(2, 'warn')}\n${at(3, 'error')}\n`)
    const messages = async (query: string): Promise<unknown> => {
      const { json } = await call(port, 'GET', `/log?${query}`)
      return (json as { log: { message: string }[] }).log.map(({ message }) => message)
    }
    expect(await messages('')).toEqual(['m3', 'm2', 'm1'])
    expect(await messages('limit=1')).toEqual(['m3'])
    expect(await messages('level=warn&before=2026-01-01T00:00:03Z')).toEqual(['m2'])
    expect(await messages('since=2026-01-01T00:00:02Z')).toEqual(['m3', 'm2'])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'level=loud', 'before=yesterday', 'since=1d'])
      expect((await call(port, 'GET', `/log?${query}`)).status, query).toBe(400)
  })
})
