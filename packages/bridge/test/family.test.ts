import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { killFamily, OWNER_VARIABLE } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'
import { isGone } from '../src/family.ts'

/** A leader that has ended, and its family. */
async function ended(script: string, owner: string): Promise<{ leader: number; owner: string }> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, [OWNER_VARIABLE]: owner },
  })
  await once(child, 'exit')
  return { leader: child.pid ?? 0, owner }
}

describe('whether somebody of a family is left', () => {
  it.each([
    ['nothing', 'true', true],
    ['children that ended before it', 'sleep 0 & wait', true],
    ['a child in its group', 'sleep 60 &', false],
    ['a child in a session of its own', 'setsid sleep 60 &', false],
    ['a grandchild whose parent ended', '(setsid sh -c "sleep 60 & exit" &)', false],
    ['one that becomes another program again and again', 'setsid sh -c "exec sh -c \\"exec env sleep 60\\"" &', false],
  ])('when its leader left %s', async (name, script, expected) => {
    for (let round = 0; round < 5; round += 1) {
      const family = await ended(script, `family:${name}:${round}/`)
      expect(await isGone(family, family.leader)).toBe(expected)
      expect(await isGone(family)).toBe(expected)
      await killFamily(family)
    }
  })

  it('looks at all processes where the ids have begun anew', async () => {
    const family = await ended('setsid sleep 60 &', 'family:anew/')
    expect(await isGone({ owner: family.owner }, 2 ** 22)).toBe(false)
    await killFamily(family)
  })
})
