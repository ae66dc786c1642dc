import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { tempDir } from '../support/temp.ts'
import { canMount, fillDisk, flip, tear } from './support/damage.ts'
import { type Stringd, startStringd } from './support/stringd.ts'

const mountable = canMount()

/** Posts a text to the agent's inbox; the id when it was taken, else null. */
type Post = (text: string) => Promise<string | null>

async function inboxOf({ port, dir }: Stringd): Promise<{ post: Post; statuses: Set<number> }> {
  await call(port, 'POST', '/agents', { body: { agent_id: 'default', home: join(dir, 'home') } })
  const { webhook_url } = (await call(port, 'GET', '/agents/default/webhook')).json as { webhook_url: string }
  const path = new URL(webhook_url).pathname
  const statuses = new Set<number>()
  const post: Post = async (text) => {
    const { status, json } = await call(port, 'POST', path, { body: text })
    statuses.add(status)
    return status === 202 ? (json as { event_id: string }).event_id : null
  }
  return { post, statuses }
}

async function expectThere({ port }: Stringd, events: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, text] of events) expect((await exec(port, `/events.read ${id}`)).body, id).toContain(text)
  const [, total] = /(\d+) pending/.exec((await exec(port, '/events')).body) ?? []
  expect(Number(total ?? 0)).toBe(events.size)
}

describe.skipIf(!mountable)('events on a full disk', () => {
  it('R5: are refused with a 5xx, none that was taken is lost, and the inbox goes on when there is space', async () => {
    const stringd = await startStringd({ diskKib: 2048 })
    const { post, statuses } = await inboxOf(stringd)
    const taken = new Map<string, string>()
    const send = async (text: string): Promise<boolean> => {
      const id = await post(text)
      if (id !== null) taken.set(id, text.slice(0, 40))
      return id !== null
    }
    for (let index = 0; index < 5; index += 1) expect(await send(`before ${index}`)).toBe(true)
    const free = fillDisk(stringd.inside(join(stringd.dir, 'filler')))
    let refused = 0
    for (let index = 0; index < 40; index += 1) if (!(await send(`full ${index} ${'x'.repeat(30_000)}`))) refused += 1
    expect(refused).toBeGreaterThan(0)
    expect([...statuses].filter((status) => status !== 202 && status !== 507 && status !== 503)).toEqual([])
    free()
    expect(await send('after')).toBe(true)
    await expectThere(stringd, taken)
    expect((await call(stringd.port, 'GET', '/health')).status).toBe(200)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled/)
  })
})

describe('events without their folder', () => {
  it('R7: are taken only when they are stored: what was acknowledged is there after a restart', async () => {
    const first = await startStringd()
    const { post } = await inboxOf(first)
    const taken = new Map<string, string>()
    const send = async (text: string): Promise<void> => {
      const id = await post(text)
      if (id !== null) taken.set(id, text)
    }
    await send('before')
    rmSync(first.dataDir, { recursive: true })
    for (let index = 0; index < 5; index += 1) await send(`without ${index}`)
    mkdirSync(first.dataDir, { recursive: true, mode: 0o700 })
    for (let index = 0; index < 5; index += 1) await send(`again ${index}`)
    await first.kill()
    const second = await startStringd({ dir: first.dir })
    await inboxOf(second)
    // Whatever lay in the folder went with it by another hand; what was acknowledged later did not.
    taken.delete([...taken.keys()][0] ?? '')
    for (const [id, text] of taken) expect((await exec(second.port, `/events.read ${id}`)).body, text).toContain(text)
    expect(await second.end()).toBe(0)
  })
})

describe('torn and flipped databases', { timeout: 60_000 }, () => {
  it('R2, R4: never prevent a start, and never change the text of an event', async () => {
    const dir = tempDir()
    const texts = new Map<string, string>()
    for (let round = 0; round < 4; round += 1) {
      const stringd = await startStringd({ dir: join(dir, String(round)) })
      const { post } = await inboxOf(stringd)
      for (let index = 0; index < 20; index += 1) {
        const text = `event ${index} ${'y'.repeat(index * 100)} end`
        texts.set((await post(text)) ?? '', text)
      }
      await stringd.kill()
      const files = readdirSync(stringd.dataDir).filter((name) => /\.(?:db|sqlite)|-wal$/.test(name))
      expect(files.length).toBeGreaterThan(0)
      for (const name of files.filter((file) => !file.endsWith('-shm')))
        if (round % 2 === 0) flip(join(stringd.dataDir, name))
        else tear(join(stringd.dataDir, name))
      const again = await startStringd({ dir: stringd.dir })
      await inboxOf(again)
      for (const [id, text] of texts) {
        const { head, body } = await exec(again.port, `/events.read ${id}`)
        if (head.ok) expect(body).toContain(text)
        else expect(head.code).toBe('NOT_FOUND')
      }
      texts.clear()
      expect(await again.end()).toBe(0)
    }
  })
})

describe('events at a shutdown', { timeout: 60_000 }, () => {
  it('R1, R17: every 202 that was sent before or while it stopped is there after the restart', async () => {
    const dir = tempDir()
    for (const way of ['SIGTERM', 'SIGINT'] as const) {
      const stringd = await startStringd({ dir: join(dir, way) })
      const { post } = await inboxOf(stringd)
      const taken = new Map<string, string>()
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; ; index += 1) {
          const text = `w${writer} n${index}`
          const id = await post(text)
          if (id !== null) taken.set(id, text)
        }
      })
      const ended = Promise.allSettled(writers)
      await expect.poll(() => taken.size, { interval: 5 }).toBeGreaterThan(0)
      await aMoment(0, 100)
      stringd.child.kill(way)
      expect(await stringd.exited).toBe(0)
      await ended
      expect(taken.size).toBeGreaterThan(0)
      const again = await startStringd({ dir: stringd.dir })
      await inboxOf(again)
      await Promise.all(
        [...taken].map(async ([id, text], index) => {
          const { body } = await exec(again.port, `/events.read ${id}`, { topic: `t${index}` })
          expect(body).toContain(text)
        }),
      )
      expect(await again.end()).toBe(0)
    }
  })
})
