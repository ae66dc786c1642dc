import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import type { ProfileFound } from '../../src/turns/profile-of.ts'
import { Profiles } from '../../src/turns/profiles.ts'

const agentOf = (profile: string) => ({ id: 'a', home: '/nowhere', allowedPaths: [], createdAt: '', profile })
const command = (found: ProfileFound): unknown => (found.ok ? found.profile.command[0] : found.error)

describe('profiles', () => {
  it('are what their files hold now, whatever became of them since they were read', async () => {
    const dir = tempDir()
    const path = join(dir, 'profile.yaml')
    const profiles = new Profiles()
    const now = async (): Promise<unknown> => command(await profiles.of(agentOf(path)))
    const long = new Date(Date.now() - 60_000)
    const write = (text: string): void => {
      writeFileSync(path, text)
      // As long ago as all others: nothing but the change itself tells.
      utimesSync(path, long, long)
    }
    write('command: one\n')
    expect(await now()).toBe('one')
    write('command: two\n')
    expect(await now()).toBe('two')
    writeFileSync(join(dir, 'other.yaml'), 'command: six\n')
    renameSync(join(dir, 'other.yaml'), path)
    expect(await now()).toBe('six')
    write('command: [\n')
    expect(await now()).toContain(path)
    write('comand: one\n')
    // Why it is missing is said with it.
    expect(await now()).toMatch(/`command` is missing[^\n]*\nwarning: [^\n]*Did you mean `command`\?$/)
    rmSync(path)
    expect(await now()).toContain('There is no file')
    writeFileSync(join(dir, 'real.yaml'), 'command: ten\n')
    symlinkSync(join(dir, 'real.yaml'), path)
    expect(await now()).toBe('ten')
    writeFileSync(join(dir, 'real.yaml'), 'command: new\n')
    expect(await now()).toBe('new')
  })

  it('are not read again as long as their files have not changed', async () => {
    const path = join(tempDir(), 'profile.yaml')
    writeFileSync(path, 'command: one\n')
    const profiles = new Profiles()
    const profileNow = async (): Promise<unknown> => {
      const found = await profiles.of(agentOf(path))
      return found.ok ? found.profile : null
    }
    // Right after it was written it might be written again unseen.
    const isSame = async (): Promise<boolean> => {
      const first = await profileNow()
      return first === (await profileNow())
    }
    await expect.poll(isSame).toBe(true)
  })
})
