import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createProfileCheck } from '../../src/turns/check-profile.ts'

const checkIn = createProfileCheck(
  () => ({ PATH: process.env.PATH ?? '' }),
  (variable) => `Set ${variable}`,
)
const check = (path: string) => checkIn(path, '/')

function profile(text: string): string {
  const path = join(tempDir(), 'profile.yaml')
  writeFileSync(path, text)
  return path
}

describe('the check of a profile', () => {
  it('finds nothing to say about one that can be used', async () => {
    expect(await check(profile('command: sh\nargs: ["-c", "cat"]\n'))).toEqual({
      ok: true,
      warnings: [],
      problem: null,
    })
  })

  it('refuses one that cannot be read, and says which', async () => {
    const path = profile('command: [\n')
    const answer = await check(path)
    expect(answer).toMatchObject({ ok: false })
    expect(answer.ok ? '' : answer.error).toContain(path)
    const slip = await check(profile('comand: sh\n'))
    expect(slip.ok ? '' : slip.error).toContain('Did you mean `command`?')
    expect(await check('/nowhere/profile.yaml')).toMatchObject({ ok: false })
  })

  it('only warns of a program that is not there yet', async () => {
    const answer = await check(profile('command: no-such-program-here\n'))
    expect(answer).toMatchObject({ ok: true })
    expect(answer.ok ? answer.warnings.join('\n') : '').toContain('no-such-program-here')
  })
})
