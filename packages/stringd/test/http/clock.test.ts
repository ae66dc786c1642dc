import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, exec, sessions } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const YEAR = 365 * 24 * 3600 * 1000

/** Moves the wall clock alone; what runs by the other clock does not notice. */
function jump(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
}

function wallClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
}

describe('R18: a jump of the wall clock', () => {
  it.each([YEAR, -YEAR])('by %d ms trips no wait in the queue, of a command or of a shell', async (ms) => {
    wallClock()
    const daemon = await startTestDaemon()
    const { port } = daemon
    const running = exec(port, '/hold first')
    await vi.waitUntil(() => daemon.held() === 1, { timeout: 20_000 })
    const waiting = exec(port, '/info')
    const inShell = exec(port, '/exec sleep 0.5; echo slept', { topic: 'shell' })
    const inBash = exec(port, 'sleep 0.5; echo slept', { topic: 'bash:dev' })
    await vi.waitUntil(async () => (await sessions(port)).length === 3, { timeout: 20_000 })
    for (const part of [0.5, 0.5, -2, 3]) jump(ms * part)
    expect((await inShell).body).toMatch(/---\nslept$/)
    expect((await inBash).body).toMatch(/---\nslept$/)
    daemon.release()
    expect((await running).body).toBe('Held first')
    expect((await waiting).head.ok).toBe(true)
  })

  it('neither loses an agent nor a session, whose times are only shown', async () => {
    wallClock()
    const { port, dir } = await startTestDaemon()
    await exec(port, '/set {a} = "1"')
    for (const [index, ms] of [YEAR, -3 * YEAR, 0, 2 * YEAR].entries()) {
      jump(ms)
      const { json } = await call(port, 'POST', '/agents', { body: { agent_id: `a${index}`, home: dir } })
      expect(json).toMatchObject({ created: true })
      expect((await exec(port, '/set')).body).toContain('{a} = "1"')
    }
    const { agents } = (await call(port, 'GET', '/agents')).json as { agents: { id: string }[] }
    expect(agents.map(({ id }) => id)).toEqual(['default', 'a0', 'a1', 'a2', 'a3'])
  })

  it('lets an edit after it be as safe as one before: what someone else changed is still noticed', async () => {
    wallClock()
    const { port } = await startTestDaemon()
    await exec(port, '/write a.md\none')
    jump(-YEAR)
    expect((await exec(port, '/append a.md\ntwo')).head.ok).toBe(true)
    await exec(port, '/open a.md', { topic: 'other' })
    await exec(port, '/append a.md\nthree')
    expect((await exec(port, '/append a.md\nfour', { topic: 'other' })).head.code).toBe('CONFLICT')
  })

  it('loses, repeats and reorders no event', async () => {
    wallClock()
    const { port } = await startTestDaemon()
    const { webhook_url } = (await call(port, 'GET', '/agents/default/webhook')).json as { webhook_url: string }
    const ids: string[] = []
    for (const ms of [0, YEAR, -2 * YEAR, 0, 1, -1, 3 * YEAR, -YEAR]) {
      jump(ms)
      for (let index = 0; index < 3; index += 1) {
        const { status, json } = await call(port, 'POST', new URL(webhook_url).pathname, {
          body: `event ${ids.length}`,
        })
        expect(status).toBe(202)
        ids.push((json as { event_id: string }).event_id)
      }
    }
    expect(new Set(ids).size).toBe(24)
    expect(ids.toSorted()).toEqual(ids)
    const listed = [...(await exec(port, '/events')).body.matchAll(/evt_\w+/g)].map(([id]) => id)
    expect([...new Set(listed)].toReversed()).toEqual(ids)
    for (const [index, id] of ids.entries())
      expect((await exec(port, `/events.read ${id}`)).body).toContain(`event ${index}`)
  })
})
