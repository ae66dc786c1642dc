import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'
import { flip, tear } from './support/damage.ts'
import { type Stringd, startStringd } from './support/stringd.ts'

interface StoredAgent {
  readonly id: string
  readonly home: string
}

const createdAt = '2026-01-01T00:00:00.000Z'
const whole = (id: string, home = `/tmp/${id}`) => ({ id, home, allowedPaths: [], createdAt })

function stateIn(dir: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dataDir, name), content, { mode: 0o600 })
  return dataDir
}

async function agentsOf({ port }: Stringd): Promise<StoredAgent[]> {
  return ((await call(port, 'GET', '/agents')).json as { agents: StoredAgent[] }).agents
}

const errorLines = (stderr: string): string[] => stderr.split('\n').filter((line) => line.includes('"level":"error"'))
const asides = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.includes('.damaged-'))

const NO_REGISTRY: Readonly<Record<string, string | Uint8Array>> = {
  'is empty': '',
  'is only blanks': ' \n',
  'is cut off': '{"agents": [{"id": "a", "home": "/tm',
  'is garbage': '\u0000\u0001garbage',
  'is not UTF-8': Buffer.concat([Buffer.from('{"agents":['), Buffer.from([0xff, 0xfe, 0xc0])]),
  'is a list': '[]',
  'is null': 'null',
  'is a number': '7',
  'has agents of another type': '{"agents": {"a": {}}}',
  'has another name for them': '{"agent": []}',
  'is nested very deep': `${'['.repeat(200_000)}`,
}

describe('R4: an agents.json that', () => {
  it.each(Object.entries(NO_REGISTRY))(
    '%s is kept aside, named in one line, and not served',
    async (_name, content) => {
      const dir = tempDir()
      const dataDir = stateIn(dir, { 'agents.json': content })
      const stringd = await startStringd({ dir })
      expect(await agentsOf(stringd)).toEqual([])
      const [aside = ''] = asides(dataDir)
      expect(readFileSync(join(dataDir, aside))).toEqual(Buffer.from(content))
      const lines = errorLines(stringd.stderr())
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(join(dataDir, 'agents.json'))
      expect(lines[0]).toContain('all agents are lost')
      expect((await call(stringd.port, 'POST', '/agents', { body: { agent_id: 'new' } })).status).toBe(200)
      expect(await stringd.end()).toBe(0)
    },
  )

  it('holds bad records serves the others and says how many were lost', async () => {
    const dir = tempDir()
    const bad = [
      null,
      [],
      'a',
      { ...whole('b'), home: 7 },
      { ...whole('c'), allowedPaths: ['relative'] },
      { ...whole('d'), createdAt: null },
      { ...whole('../e') },
      { ...whole('f'), home: '/x\u0000' },
      whole('first', '/tmp/second-of-that-name'),
      { ...whole('g'), home: '/tmp/half-\ud800' },
    ]
    const dataDir = stateIn(dir, { 'agents.json': JSON.stringify({ agents: [whole('first'), ...bad, whole('last')] }) })
    const stringd = await startStringd({ dir })
    expect((await agentsOf(stringd)).map(({ id, home }) => [id, home])).toEqual([
      ['first', '/tmp/first'],
      ['last', '/tmp/last'],
    ])
    expect(errorLines(stringd.stderr())).toHaveLength(1)
    expect(stringd.stderr()).toContain('10 of 12 agents could not be read')
    expect(asides(dataDir)).toHaveLength(1)
    expect(await stringd.end()).toBe(0)
    const again = await startStringd({ dir })
    expect(errorLines(again.stderr())).toEqual([])
    expect(await again.end()).toBe(0)
  })

  it('holds bytes that are no UTF-8 in one record loses that record alone', async () => {
    const dir = tempDir()
    const text = Buffer.from(JSON.stringify({ agents: [whole('good'), whole('bad', '/tmp/XX')] }))
    text.fill(0xff, text.indexOf('XX'), text.indexOf('XX') + 2)
    stateIn(dir, { 'agents.json': text })
    const stringd = await startStringd({ dir })
    expect((await agentsOf(stringd)).map(({ id }) => id)).toEqual(['good'])
    expect(errorLines(stringd.stderr())).toHaveLength(1)
  })

  it('is a link that leads nowhere or in a circle, or a device, does not hold up the start', async () => {
    for (const target of ['/no/such/file', 'agents.json', '/dev/zero']) {
      const dir = tempDir()
      const dataDir = stateIn(dir, {})
      symlinkSync(target, join(dataDir, 'agents.json'))
      const stringd = await startStringd({ dir })
      expect(await agentsOf(stringd), target).toEqual([])
      expect((await call(stringd.port, 'POST', '/agents', { body: { agent_id: 'new' } })).status).toBe(200)
      expect(await stringd.end()).toBe(0)
    }
  })
})

describe('torn and flipped state', { timeout: 60_000 }, () => {
  it('R4: never prevents a start, and never serves an agent that was not stored', async () => {
    const dir = tempDir()
    const first = await startStringd({ dir })
    for (const id of ['a', 'b', 'c'])
      await call(first.port, 'POST', '/agents', { body: { agent_id: id, home: `${dir}/h` } })
    await first.kill()
    const files = ['agents.json', 'daemon.json', 'id']
    const kept = tempDir()
    for (const name of files) copyFileSync(join(first.dataDir, name), join(kept, name))
    for (let round = 0; round < 6; round += 1) {
      for (const name of files) copyFileSync(join(kept, name), join(first.dataDir, name))
      const name = files[round % files.length] ?? ''
      if (round < 3) tear(join(first.dataDir, name))
      else flip(join(first.dataDir, name))
      const stringd = await startStringd({ dir })
      const served = await agentsOf(stringd)
      // A bit that flips inside a name makes another name: that only a checksum could tell, and it is one record.
      const untouched = served.filter(({ id, home }) => 'abc'.includes(id) && home === `${dir}/h`)
      expect(untouched.length, name).toBeGreaterThanOrEqual(name === 'agents.json' ? served.length - 1 : 3)
      await stringd.kill()
    }
  })

  it('R3: removes temporary files of killed writers at the start, and no others', async () => {
    const dir = tempDir()
    const dataDir = stateIn(dir, {
      '.agents.json.string-tmp-4194300': 'half',
      '.daemon.json.string-tmp-4194301': '',
      '.id.string-tmp-4194302': '00',
      [`.agents.json.string-tmp-${process.pid}`]: 'of a process that lives',
      env: 'A=1\n',
    })
    const stringd = await startStringd({ dir })
    expect(readdirSync(dataDir).filter((name) => name.includes('string-tmp'))).toEqual([
      `.agents.json.string-tmp-${process.pid}`,
    ])
    expect(readFileSync(join(dataDir, 'env'), 'utf8')).toBe('A=1\n')
    expect(await stringd.end()).toBe(0)
  })
})
