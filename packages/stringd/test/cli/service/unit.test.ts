import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { unitText } from '../../../src/cli/service/unit.ts'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('SKIPPED: no systemd-analyze, which reads units as systemd does')

const UNIT = unitText({
  command: [process.execPath, '/opt/my "odd" $HOME 100% folder/stringd.cjs'],
  environment: { PATH: '/usr/bin:/home/ada/my bin', STRING_STORE: 'postgres://u:p%24"\\@h/db' },
})

describe('the unit', () => {
  it('quotes what systemd would split, expand or end a word with', () => {
    expect(UNIT).toContain('"/opt/my \\"odd\\" $$HOME 100%% folder/stringd.cjs"\n')
    expect(UNIT).toContain('Environment="STRING_STORE=postgres://u:p%%24\\"\\\\@h/db"\n')
    expect(UNIT).toContain('Environment="PATH=/usr/bin:/home/ada/my bin"\n')
  })

  it('starts again what failed, and takes nothing from agents that they need', () => {
    expect(UNIT).toMatch(/^Restart=on-failure$/m)
    expect(UNIT).not.toMatch(/^(?:NoNewPrivileges|Protect|Private|SystemCall|Restrict|UMask|ReadOnly)/m)
  })

  it.skipIf(!hasSystemd)('is one that systemd reads without a complaint', () => {
    const dir = tempDir()
    const path = join(dir, 'string.service')
    writeFileSync(path, unitText({ command: [process.execPath, '/x y/%$.cjs'], environment: { A: 'b "c" %d' } }))
    const env = { ...process.env, HOME: dir, XDG_RUNTIME_DIR: dir }
    expect(execFileSync('systemd-analyze', ['--user', 'verify', path], { encoding: 'utf8', stdio: 'pipe', env })).toBe(
      '',
    )
  })
})
