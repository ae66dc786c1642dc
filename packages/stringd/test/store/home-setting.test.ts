import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { homeSetting } from '../../src/store/home-setting.ts'

describe('a setting in a home', () => {
  it('is a file there, or nothing', () => {
    const home = tempDir()
    const path = join(home, '.string/profile.yaml')
    expect(homeSetting(home, 'profile.yaml')).toEqual({ path, state: 'absent' })
    mkdirSync(join(home, '.string'))
    writeFileSync(path, 'command: sh\n')
    expect(homeSetting(home, 'profile.yaml')).toEqual({ path, state: 'there' })
  })

  it('S34: is not what a link in its place leads to, though the home itself may be reached by one', () => {
    const dir = tempDir()
    const [home, other, linked] = ['home', 'other', 'linked'].map((name) => join(dir, name)) as [string, string, string]
    mkdirSync(join(home, '.string'), { recursive: true })
    mkdirSync(other)
    writeFileSync(join(home, '.string/channels.yaml'), '')
    symlinkSync(home, linked)
    expect(homeSetting(linked, 'channels.yaml').state).toBe('there')
    symlinkSync(join(home, '.string'), join(other, '.string'))
    expect(homeSetting(other, 'channels.yaml').state).toBe('linked')
    symlinkSync('/dev/null', join(home, '.string/profile.yaml'))
    expect(homeSetting(home, 'profile.yaml').state).toBe('linked')
  })
})
