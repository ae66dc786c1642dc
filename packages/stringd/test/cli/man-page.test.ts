import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manPage } from '../../src/cli/man-page.ts'
import { VERBS } from '../../src/cli/verbs.ts'

const folder = join(import.meta.dirname, '../..')
const file = join(folder, 'man/string.1')
const { version, man, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  version: string
  man: string[]
  files: string[]
}

describe('the manual page', () => {
  it('is what the table of verbs says, and goes along with the package under both names', () => {
    expect(readFileSync(file, 'utf8')).toBe(manPage(VERBS, version))
    expect(readFileSync(join(folder, 'man/strg.1'), 'utf8')).toBe('.so man1/string.1\n')
    expect(man).toEqual(['man/string.1', 'man/strg.1'])
    expect(files).toContain('man')
  })

  it.skipIf(spawnSync('groff', ['--version']).status !== 0)('is set without a warning, with every verb', () => {
    const args = ['-man', '-ww', '-Kutf8', '-Tutf8', '-P-c', '-rLL=80n', file]
    const { stdout, stderr } = spawnSync('groff', args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: bold is a letter, a backspace and the letter again
    const text = stdout.replaceAll(/.\u0008/g, '')
    for (const { name, hidden } of VERBS) expect(text.includes(`\n   ${name}\n`)).toBe(hidden !== true)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
