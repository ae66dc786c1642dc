import { type ChildProcess, spawn } from 'node:child_process'
import { endFamily, familyMembers, killFamily, OWNER_VARIABLE } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'

/** A script in its own group with a mark, which prints a line when it is ready. */
async function start(script: string, owner: string): Promise<ChildProcess & { pid: number }> {
  const child = spawn('/bin/bash', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, [OWNER_VARIABLE]: owner },
  })
  await new Promise((resolve) => {
    child.stdout.once('data', resolve)
  })
  return child as ChildProcess & { pid: number }
}

describe('R15: ending everything a process started', () => {
  it.each([
    ['children', 'sleep 60 & sleep 60 & echo ready; wait'],
    ['children that ignore TERM and HUP', "trap '' TERM HUP; (trap '' TERM HUP; sleep 60) & echo ready; sleep 60"],
    ['children in a session of their own', 'setsid sleep 60 & echo ready; sleep 60'],
    ['children that forked twice', '(setsid bash -c "sleep 60 & sleep 60" &) ; echo ready; sleep 60'],
    ['children that are stopped', 'sleep 60 & kill -STOP $!; echo ready; kill -STOP $$'],
    ['children that hold the output', 'sleep 60 & echo ready'],
  ])('reaches %s', async (name, script) => {
    const owner = `test:${name}`
    const { pid } = await start(script, owner)
    const family = { leader: pid, owner }
    expect(familyMembers(family).length).toBeGreaterThan(0)
    await endFamily(family, { graceMs: 200 })
    expect(familyMembers(family)).toEqual([])
  })

  it('lets a process that heeds TERM finish within the grace', async () => {
    const child = await start('trap "exit 7" TERM HUP; echo ready; while :; do sleep 0.02; done', 'test:grace')
    const ended = new Promise((resolve) => {
      child.on('exit', resolve)
    })
    await endFamily({ leader: child.pid, owner: 'test:grace' }, { graceMs: 5_000 })
    expect(await ended).toBe(7)
  })

  it('knows all marks that begin alike, and touches no other', async () => {
    const ours = await start('echo ready; sleep 60', 'folder-1:a')
    const other = await start('echo ready; sleep 60', 'folder-10:a')
    expect(familyMembers({ owner: 'folder-1:' }).length).toBeGreaterThan(0)
    await killFamily({ owner: 'folder-1:' })
    expect(familyMembers({ leader: ours.pid })).toEqual([])
    expect(familyMembers({ leader: other.pid }).length).toBeGreaterThan(0)
    await killFamily({ leader: other.pid, owner: 'folder-10:a' })
  })
})
