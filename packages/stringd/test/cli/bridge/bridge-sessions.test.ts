import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { type BridgeSessions, bridgeSessions } from '../../../src/cli/bridge/bridge-sessions.ts'

const A = { profile: '/a.yaml', folder: '/work' }
const B = { profile: '/b.yaml', folder: '/work' }

interface Kept {
  readonly dir: string
  readonly file: string
  readonly sessions: BridgeSessions
  readonly warnings: string[]
}

function open(dir = join(tempDir(), 'data')): Kept {
  const warnings: string[] = []
  const sessions = bridgeSessions(dir, (text) => warnings.push(text))
  return { dir, file: join(dir, 'bridge-sessions.json'), sessions, warnings }
}

describe('bridge-sessions.json', () => {
  it('keeps an id per profile and session name, for other processes too', async () => {
    const { dir, sessions } = open()
    await sessions.keep(A, 'default', 'one')
    await sessions.keep(A, 'work', 'two')
    await sessions.keep(B, 'default', 'three')
    await sessions.keep(A, 'default', 'four')
    const again = open(dir).sessions
    expect(again.find(A, 'default')).toBe('four')
    expect(again.find(A, 'work')).toBe('two')
    expect(again.find(B, 'default')).toBe('three')
    expect(again.find(B, 'work')).toBeNull()
    expect(again.names(A)).toEqual(['default', 'work'])
  })

  it('keeps them apart by the folder in which the agent runs', async () => {
    const { sessions } = open()
    const elsewhere = { ...A, folder: '/elsewhere' }
    await sessions.keep(A, 'default', 'one')
    expect(sessions.find(elsewhere, 'default')).toBeNull()
    await sessions.keep(elsewhere, 'default', 'two')
    expect(sessions.find(A, 'default')).toBe('one')
    expect(sessions.names(elsewhere)).toEqual(['default'])
  })

  it('reads what was stored without a folder', async () => {
    const { dir, file, sessions, warnings } = open()
    mkdirSync(dir, { recursive: true })
    writeFileSync(file, '{"sessions":[{"profile":"/a.yaml","name":"default","id":"old"}]}')
    expect(sessions.find(A, 'default')).toBeNull()
    expect(sessions.find({ ...A, folder: '' }, 'default')).toBe('old')
    expect(warnings).toEqual([])
  })

  it('forgets a session that is kept as null', async () => {
    const { sessions } = open()
    await sessions.keep(A, 'default', 'one')
    await sessions.keep(A, 'default', null)
    expect(sessions.find(A, 'default')).toBeNull()
    expect(sessions.names(A)).toEqual([])
  })

  it('takes names that mean something to JavaScript as names', async () => {
    const { sessions } = open()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(sessions.find(A, name)).toBeNull()
      await sessions.keep(A, name, `id of ${name}`)
      expect(sessions.find(A, name)).toBe(`id of ${name}`)
    }
  })

  it('is readable for its owner alone', async () => {
    const { dir, file, sessions } = open()
    await sessions.keep(A, 'default', 'one')
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('loses nothing when many store at once', async () => {
    const { dir } = open()
    const names = Array.from({ length: 30 }, (_, index) => `session ${index}`)
    await Promise.all(names.map((name) => open(dir).sessions.keep(A, name, `id of ${name}`)))
    const { sessions } = open(dir)
    expect(names.map((name) => sessions.find(A, name))).toEqual(names.map((name) => `id of ${name}`))
  })

  it.each([
    ['empty', ''],
    ['cut off', '{"sessions":[{"profile"'],
    ['of another shape', '{"sessions":{}}'],
    ['with an entry of another shape', '{"sessions":[{"profile":"/a","name":"b","id":3}]}'],
    ['null', 'null'],
  ])('a file that is %s is set aside and named, and sessions begin anew', async (_what, text) => {
    const { dir, file, sessions, warnings } = open()
    mkdirSync(dir)
    writeFileSync(file, text)
    expect(sessions.find(A, 'default')).toBeNull()
    await sessions.keep(A, 'default', 'one')
    expect(sessions.find(A, 'default')).toBe('one')
    const aside = readdirSync(dir).find((name) => name.startsWith('bridge-sessions.json.damaged-'))
    expect(readFileSync(join(dir, aside ?? ''), 'utf8')).toBe(text)
    expect(warnings).toEqual([expect.stringContaining(`kept as ${file}.damaged-`)])
  })

  it('a folder in its place is set aside too', async () => {
    const { file, sessions } = open()
    mkdirSync(file, { recursive: true })
    expect(sessions.find(A, 'default')).toBeNull()
    await sessions.keep(A, 'default', 'one')
    expect(sessions.find(A, 'default')).toBe('one')
  })

  it('a data folder that cannot be made is a warning and no failure', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'taken'), '')
    const { sessions, warnings } = open(join(dir, 'taken/data'))
    await sessions.keep(A, 'default', 'one')
    expect(warnings).toEqual([expect.stringContaining('could not be stored')])
  })
})
