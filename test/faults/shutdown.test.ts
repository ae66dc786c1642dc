import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'
import { stringPlace } from '../support/cli.ts'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { canBeOther, listenAs, OTHER_UID } from '../support/other-user.ts'
import { startStringd } from './support/stringd.ts'

const WAYS = ['POST /shutdown', 'SIGTERM', 'SIGINT'] as const

describe('R17: a daemon that is told to stop while it works', () => {
  it.each(WAYS)('by %s ends all with a code, stores what it acknowledged, and leaves nothing', async (way) => {
    const { port, dir, dataDir, child, exited, stderr } = await startStringd()
    const home = join(dir, 'home')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
    const owner = `${readFileSync(join(dataDir, 'id'), 'utf8')}:`
    const ends = { running: new Set<string | null>(), refused: 0 }
    const held = ['a', 'b', 'c'].flatMap((topic) => [
      exec(port, "/exec trap '' TERM HUP; sleep 300", { topic }),
      exec(port, '/info', { topic }),
      exec(port, '/info', { topic }),
    ])
    await expect.poll(async () => (await call(port, 'GET', '/health')).json).toMatchObject({ sessions: 3 })
    await expect.poll(() => familyMembers({ owner }).length).toBeGreaterThanOrEqual(3)
    const acknowledged = { agents: new Set<string>(), files: new Map<string, string>() }
    const agents = forever(async (index) => {
      const { status } = await call(port, 'POST', '/agents', { body: { agent_id: `a${index}`, home } })
      if (status === 200) acknowledged.agents.add(`a${index}`)
    })
    const files = forever(async (index) => {
      const text = `text ${index}\n`.repeat(1000)
      const { head } = await exec(port, `/write f${index}.md\n${text}`, { topic: 'files' })
      if (head.ok) acknowledged.files.set(`f${index}.md`, text)
    })
    await expect.poll(() => Math.min(acknowledged.agents.size, acknowledged.files.size)).toBeGreaterThan(3)
    await aMoment(0, 30)
    if (way === 'POST /shutdown') expect((await call(port, 'POST', '/shutdown')).status).toBe(200)
    else child.kill(way)
    for (const { head } of await Promise.all(held)) ends.running.add(head.code)
    expect([...ends.running]).toEqual(['CANCELLED'])
    expect((await held[0])?.content).toContain('The daemon was stopped before the command ended')
    expect(await exited).toBe(0)
    await Promise.all([agents, files])
    const stored = JSON.parse(readFileSync(join(dataDir, 'agents.json'), 'utf8')) as { agents: { id: string }[] }
    const ids = new Set(stored.agents.map(({ id }) => id))
    expect([...acknowledged.agents].filter((id) => !ids.has(id))).toEqual([])
    for (const [name, text] of acknowledged.files) expect(readFileSync(join(home, name), 'utf8')).toBe(text)
    expect([...readdirSync(dataDir), ...readdirSync(home)].filter((name) => name.includes('string-tmp'))).toEqual([])
    expect(existsSync(join(dataDir, 'daemon.json'))).toBe(false)
    expect(familyMembers({ owner })).toEqual([])
    expect(stderr()).not.toMatch(/Uncaught|Unhandled|A request failed|A command threw/)
  })

  it.runIf(canBeOther)('S29: sends nobody to its port when it has given that up', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const port = place.daemonPort()
    const pid = place.daemonPid() ?? 0
    const held = place.string(["/exec trap '' TERM HUP; sleep 300"])
    const owner = `${readFileSync(join(place.dataDir, 'id'), 'utf8')}:`
    await expect.poll(() => familyMembers({ owner }).length).toBeGreaterThanOrEqual(1)
    process.kill(pid, 'SIGTERM')
    const record = (): { pid: number; key: string | null; isStopping: boolean } =>
      JSON.parse(readFileSync(join(place.dataDir, 'daemon.json'), 'utf8')) as ReturnType<typeof record>
    await expect.poll(() => record(), { interval: 5 }).toMatchObject({ pid, key: null, isStopping: true })
    const stranger = await listenAs(OTHER_UID, port)
    const { status, stderr } = await place.string(['/info'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(place.daemonPid()).not.toBe(pid)
    expect((await held).stdout).toContain('CANCELLED')
    expect(stranger.heard()).toBe('')
  })

  it('ends once, with status 0, however often it is told', async () => {
    const { child, exited } = await startStringd()
    for (let index = 0; index < 5; index += 1) child.kill(index % 2 === 0 ? 'SIGTERM' : 'SIGINT')
    expect(await exited).toBe(0)
  })
})

/** Works until the daemon refuses. */
async function forever(work: (index: number) => Promise<void>): Promise<void> {
  try {
    for (let index = 0; ; index += 1) await work(index)
  } catch {
    // The daemon has stopped, which is what ends this.
  }
}
