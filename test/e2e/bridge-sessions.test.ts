import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COUNTING, writeAgent } from '../support/agent.ts'
import { stringPlace } from '../support/cli.ts'

describe('sessions of string bridge run', () => {
  it('go on with the id of the last turn, each name for itself', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    const run = async (...args: string[]) =>
      (await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', ...args])).stdout
    expect(await run()).toBe('turn 1 of default: x\n')
    expect(await run()).toBe('turn 2 of default: x\n')
    expect(await run('--session', 'work')).toBe('turn 1 of work: x\n')
    expect(await run('--session-id', 'turn-40')).toBe('turn 41 of default: x\n')
    expect(await run()).toBe('turn 42 of default: x\n')
    expect(await run('--new')).toBe('turn 1 of default: x\n')
    expect(await run('--session', 'work')).toBe('turn 2 of work: x\n')
  })

  it('belong to the folder in which the agent runs, unless the profile says where that is', async () => {
    const place = stringPlace()
    const free = writeAgent(place.dir, COUNTING)
    const fixed = writeAgent(place.dir, COUNTING, 'cwd: .\n', 'fixed')
    for (const name of ['a', 'b']) mkdirSync(join(place.dir, name))
    const run = async (profile: string, folder: string, ...args: string[]) =>
      (
        await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', ...args], {
          cwd: join(place.dir, folder),
        })
      ).stdout
    expect(await run(free, 'a')).toBe('turn 1 of default: x\n')
    expect(await run(free, 'b')).toBe('turn 1 of default: x\n')
    expect(await run(free, 'b', '--cwd', '../a')).toBe('turn 2 of default: x\n')
    expect(await run(free, 'a')).toBe('turn 3 of default: x\n')
    expect(await run(fixed, 'a')).toBe('turn 1 of default: x\n')
    expect(await run(fixed, 'b')).toBe('turn 2 of default: x\n')
  })

  it('belong to the real path of the profile', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    symlinkSync(profile, join(place.dir, 'link.yaml'))
    const run = async (path: string) => (await place.string(['bridge', 'run', '--profile', path, '-m', 'x'])).stdout
    await run(profile)
    expect(await run('link.yaml')).toBe('turn 2 of default: x\n')
  })

  it('are stored when the turn failed, and forgotten with --new even when no other begins', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      'if [ "$AGENT_MESSAGE" = id ]; then echo AGENT_SESSION:mine; exit 1; fi; echo "[$AGENT_SESSION_ID]"',
    )
    const run = async (...args: string[]) =>
      (await place.string(['bridge', 'run', '--profile', profile, ...args])).stdout
    await run('-m', 'id')
    expect(await run('-m', 'x')).toBe('[mine]\n')
    expect(await run('-m', 'x', '--new')).toBe('[]\n')
    expect(await run('-m', 'x')).toBe('[]\n')
  })

  it('of many processes at once are all stored', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'echo "AGENT_SESSION:id-$AGENT_SESSION_NAME"')
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`)
    await Promise.all(
      names.map((name) => place.string(['bridge', 'run', '--profile', profile, '-m', 'x', '--session', name])),
    )
    const stored = JSON.parse(readFileSync(join(place.dataDir, 'bridge-sessions.json'), 'utf8')) as {
      sessions: { name: string; id: string }[]
    }
    expect(stored.sessions.map(({ name, id }) => `${name} ${id}`).sort()).toEqual(
      names.map((name) => `${name} id-${name}`).sort(),
    )
  })

  it('that are damaged are set aside, said, and do not keep the turn from running', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    mkdirSync(place.dataDir, { recursive: true })
    writeFileSync(join(place.dataDir, 'bridge-sessions.json'), '{"sess')
    const { status, stdout, stderr } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'turn 1 of default: x\n' })
    expect(stderr).toContain('bridge-sessions.json was damaged; it is kept as')
  })
})
