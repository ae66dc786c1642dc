import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { loadAgents } from '../../src/store/agents.ts'

async function load(dir: string) {
  const lines: string[] = []
  const registry = await loadAgents(
    join(dir, 'agents.json'),
    (id) => join(dir, 'agents', id),
    createLog((line) => lines.push(line)),
  )
  return { registry, lines }
}

const nothing = { home: undefined, allowedPaths: undefined, profile: undefined }
const good = { id: 'good', home: '/tmp/good', allowedPaths: [], createdAt: '2026-01-01T00:00:00.000Z' }

describe('the agents registry', () => {
  it('gives back after a restart what it stored', async () => {
    const dir = tempDir()
    const { registry } = await load(dir)
    await registry.register({ ...nothing, agentId: 'bob', allowedPaths: ['/srv'], profile: '/p.yaml' })
    await registry.register({ ...nothing, agentId: 'eve' })
    await registry.remove('eve')
    expect((await load(dir)).registry.list()).toEqual(registry.list())
    expect(registry.list()).toMatchObject([{ id: 'bob', allowedPaths: ['/srv'], profile: '/p.yaml' }])
  })

  it('says that a home was gone and is empty now, and nothing of one that is made for the first time', async () => {
    const { registry, lines } = await load(tempDir())
    const bob = { ...nothing, agentId: 'bob' }
    const registered = await registry.register(bob)
    await registry.register(bob)
    expect([registry.isHomeAnew('bob'), lines]).toEqual([false, []])
    const home = registered.ok ? registered.agent.home : ''
    rmSync(home, { recursive: true })
    await registry.register(bob)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      message: 'The home of an agent was made anew',
      agent: 'bob',
      reason: expect.stringContaining(`${home} was gone`) as string,
    })
    expect([registry.isHomeAnew('bob'), registry.isHomeAnew('bob')]).toEqual([true, false])
  })

  it('S9: keeps its limit when many come at once for the last places', async () => {
    const dir = tempDir()
    const agents = Array.from({ length: LIMITS.agents - 2 }, (_, index) => ({ ...good, id: `a${index}` }))
    writeFileSync(join(dir, 'agents.json'), JSON.stringify({ agents }))
    const { registry } = await load(dir)
    const names = Array.from({ length: 10 }, (_, index) => `new${index}`)
    const outcomes = await Promise.all(names.map((agentId) => registry.register({ ...nothing, agentId })))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2)
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ code: 'LIMIT_REACHED' })
    expect(registry.size).toBe(LIMITS.agents)
    expect(await registry.register({ ...nothing, agentId: 'a0', profile: '/p.yaml' })).toMatchObject({ ok: true })
  })

  it('R3: leaves no temporary file behind', async () => {
    const dir = tempDir()
    const { registry } = await load(dir)
    await Promise.all(Array.from({ length: 10 }, (_, index) => registry.register({ ...nothing, agentId: `a${index}` })))
    expect(readdirSync(dir).sort()).toEqual(['agents', 'agents.json'])
  })

  it('R4: keeps a file that is no registry aside, names it in one line and starts without agents', async () => {
    for (const text of ['', '{"agents": [', 'garbage', '[]', '{"agents": 7}', 'null', '\0\0\0']) {
      const dir = tempDir()
      writeFileSync(join(dir, 'agents.json'), text)
      const { registry, lines } = await load(dir)
      expect(registry.list()).toEqual([])
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain('agents.json was damaged')
      const aside = readdirSync(dir).find((name) => name.startsWith('agents.json.damaged-')) ?? ''
      expect(readFileSync(join(dir, aside), 'utf8')).toBe(text)
      await registry.register({ ...nothing, agentId: 'new' })
      expect((await load(dir)).registry.list()).toMatchObject([{ id: 'new' }])
    }
  })

  it('R4: serves every whole record when others are bad', async () => {
    const dir = tempDir()
    const bad = [
      7,
      null,
      {},
      { ...good, id: '../x' },
      { ...good, id: 'x', home: 'relative' },
      { ...good, id: 'y', allowedPaths: 'z' },
      good,
    ]
    writeFileSync(join(dir, 'agents.json'), JSON.stringify({ agents: [good, ...bad] }))
    const { registry, lines } = await load(dir)
    expect(registry.list()).toEqual([good])
    expect(lines[0]).toContain('7 of 8 agents could not be read')
    expect((await load(dir)).lines).toEqual([])
  })

  it('R4: starts when agents.json is a folder', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'agents.json'))
    const { registry, lines } = await load(dir)
    expect(registry.size).toBe(0)
    expect(lines).toHaveLength(1)
  })

  it('R4, R18: keeps every damaged file, even when the clock stands still', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const dir = tempDir()
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(join(dir, 'agents.json'), text)
      await load(dir)
    }
    const asides = readdirSync(dir).filter((name) => name.startsWith('agents.json.damaged-'))
    expect(asides.map((name) => readFileSync(join(dir, name), 'utf8')).sort()).toEqual(['one', 'three', 'two'])
  })

  it('R5, R7: a write that fails is an error, changes nothing, and the next one may succeed', async () => {
    const dir = join(tempDir(), 'data')
    mkdirSync(dir)
    const { registry } = await load(dir)
    const homes = tempDir()
    const register = (agentId: string) => registry.register({ ...nothing, agentId, home: join(homes, agentId) })
    await register('a')
    rmSync(dir, { recursive: true })
    await expect(register('b')).rejects.toThrow('ENOENT')
    expect(registry.list().map(({ id }) => id)).toEqual(['a'])
    mkdirSync(dir)
    await register('c')
    expect((await load(dir)).registry.list().map(({ id }) => id)).toEqual(['a', 'c'])
  })
})
