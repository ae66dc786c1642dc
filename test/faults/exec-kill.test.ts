import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'

describe('R15: after SIGKILL of the daemon', () => {
  it('the next start ends what was left, and nothing of another data folder', async () => {
    const dir = tempDir()
    const other = await startForeground()
    await call(other.port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const first = await startForeground(dir)
    await call(first.port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const owner = (dataDir: string) => `${readFileSync(join(dataDir, 'id'), 'utf8')}:`
    await exec(other.port, '/exec sleep 300 & true')
    void exec(first.port, "/exec trap '' TERM HUP; setsid sleep 300 & sleep 300").catch(() => undefined)
    await expect.poll(() => familyMembers({ owner: owner(first.dataDir) }).length).toBeGreaterThan(1)
    first.child.kill('SIGKILL')
    await first.exited
    expect(familyMembers({ owner: owner(first.dataDir) }).length).toBeGreaterThan(1)
    const second = await startForeground(dir)
    expect(familyMembers({ owner: owner(first.dataDir) })).toEqual([])
    expect(familyMembers({ owner: owner(other.dataDir) })).toHaveLength(1)
    for (const { child, exited } of [second, other]) {
      child.kill()
      expect(await exited).toBe(0)
    }
    expect(familyMembers({ owner: owner(other.dataDir) })).toEqual([])
  })
})
