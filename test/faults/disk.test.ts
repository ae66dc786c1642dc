import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../support/http.ts'
import { canMount, fillDisk } from './support/damage.ts'
import { type Stringd, startStringd } from './support/stringd.ts'

const mountable = canMount()

const temporaries = (dir: string): string[] => readdirSync(dir).filter((name) => name.includes('string-tmp'))

async function register({ port, dir }: Stringd, id: string): Promise<number> {
  const { status, json } = await call(port, 'POST', '/agents', { body: { agent_id: id, home: join(dir, 'home') } })
  if (status !== 200)
    expect(json).toEqual({ error: expect.any(String) as string, next: 'Make room there, and send it again' })
  return status
}

async function ids({ port }: Stringd): Promise<string[]> {
  const { agents } = (await call(port, 'GET', '/agents')).json as { agents: { id: string }[] }
  return agents.map(({ id }) => id)
}

describe.skipIf(!mountable)('a full disk', () => {
  it('R5: stores no agent and says 507, and the daemon goes on when there is space again', async () => {
    const stringd = await startStringd({ diskKib: 512 })
    expect(await register(stringd, 'before')).toBe(200)
    const path = stringd.inside(join(stringd.dataDir, 'agents.json'))
    const stored = readFileSync(path, 'utf8')
    const free = fillDisk(stringd.inside(join(stringd.dir, 'filler')))
    for (let index = 0; index < 5; index += 1) expect(await register(stringd, `full${index}`)).toBe(507)
    expect(await call(stringd.port, 'DELETE', '/agents/before')).toMatchObject({
      status: 507,
      json: { error: expect.stringMatching(/^No space is left on the disk, at \/\S+; nothing was stored$/) },
    })
    expect(await ids(stringd)).toEqual(['before'])
    expect(readFileSync(path, 'utf8')).toBe(stored)
    expect(temporaries(stringd.inside(stringd.dataDir))).toEqual([])
    free()
    expect(await register(stringd, 'after')).toBe(200)
    expect(await ids(stringd)).toEqual(['before', 'after'])
    expect(readFileSync(path, 'utf8')).toContain('"after"')
    expect(await stringd.end()).toBe(0)
  })

  it('R5: makes no new home on it either', async () => {
    const stringd = await startStringd({ diskKib: 512 })
    const free = fillDisk(stringd.inside(join(stringd.dir, 'filler')))
    expect((await call(stringd.port, 'POST', '/agents', { body: { agent_id: 'new' } })).status).toBe(507)
    expect(await ids(stringd)).toEqual([])
    free()
    expect((await call(stringd.port, 'POST', '/agents', { body: { agent_id: 'new' } })).status).toBe(200)
  })

  it('R5: leaves files as they were when an edit does not fit, and says so', async () => {
    const stringd = await startStringd({ diskKib: 512 })
    await register(stringd, 'default')
    const { port } = stringd
    const home = stringd.inside(join(stringd.dir, 'home'))
    await exec(port, '/write a.md\nold')
    const free = fillDisk(stringd.inside(join(stringd.dir, 'filler')))
    const big = 'x'.repeat(20_000)
    for (const command of [`/write --force a.md\n${big}`, `/append a.md\n${big}`, `/write new.md\n${big}`]) {
      const { head, body } = await exec(port, command)
      expect(head.ok, command.slice(0, 20)).toBe(false)
      expect(head.code).toBe('LOAD_ERROR')
      expect(body).toContain('No space left')
    }
    expect(readFileSync(join(home, 'a.md'), 'utf8')).toBe('old\n')
    expect(existsSync(join(home, 'new.md'))).toBe(false)
    expect(temporaries(home)).toEqual([])
    free()
    expect((await exec(port, `/append a.md\n${big}`)).head.ok).toBe(true)
    expect(readFileSync(join(home, 'a.md'), 'utf8')).toBe(`old\n${big}\n`)
  })

  it('R5: shows what it can of a large output that cannot be kept, and says that it is not', async () => {
    const stringd = await startStringd({ diskKib: 512 })
    await register(stringd, 'default')
    fillDisk(stringd.inside(join(stringd.dir, 'filler')))
    const { head, body } = await exec(stringd.port, '/exec seq 1 100000')
    expect(head.ok).toBe(true)
    expect(body).toMatch(/---\n1\n2\n3\n/)
    expect(body).toMatch(/\n100000$/)
    expect(body).toMatch(/bytes left out; the whole could not be kept \(ENOSPC\)/)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toContain('Uncaught exception')
  })
})

describe('a limit on the size of files', () => {
  it('R5: is a failed write: 507, nothing stored, and the daemon lives', async () => {
    const stringd = await startStringd({ ulimit: '-f 256' })
    const { port, dir } = stringd
    const allowed_paths = Array.from({ length: 100 }, (_, index) => `/${'x'.repeat(100)}/${index}`)
    const add = async (id: string): Promise<number> => {
      const body = { agent_id: id, home: join(dir, 'home'), allowed_paths }
      return (await call(port, 'POST', '/agents', { body })).status
    }
    let stored = 0
    while ((await add(`a${stored}`)) === 200) stored += 1
    expect(stored).toBeGreaterThan(2)
    expect(await add('again')).toBe(507)
    expect(await ids(stringd)).toHaveLength(stored)
    const { agents } = JSON.parse(readFileSync(join(stringd.dataDir, 'agents.json'), 'utf8')) as { agents: unknown[] }
    expect(agents).toHaveLength(stored)
    expect(temporaries(stringd.dataDir)).toEqual([])
    const large = await exec(port, `/write a.md\n${'x'.repeat(400_000)}`, { agent: 'a0' })
    expect(large.head.code).toBe('LOAD_ERROR')
    expect((await exec(port, '/write a.md\nsmall', { agent: 'a0' })).head.ok).toBe(true)
    expect((await call(port, 'DELETE', '/agents/a1')).status).toBe(200)
    expect(await add('again')).toBe(200)
    expect(await stringd.end()).toBe(0)
  })
})
