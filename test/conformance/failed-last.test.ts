import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import usual from '../../vitest.config.ts'
import load from '../../vitest.load.config.ts'
import open from '../../vitest.public.config.ts'
import { FailedLast } from '../support/failed-last.ts'
import { tempDir } from '../support/temp.ts'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const REPORTER = fileURLToPath(new URL('../support/failed-last.ts', import.meta.url))

/** What a run of these test files prints, without colors. */
function runOf(
  files: Readonly<Record<string, string>>,
  more: NodeJS.ProcessEnv = {},
): { lines: string[]; status: number | null } {
  const dir = tempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  writeFileSync(
    join(dir, 'vitest.config.mjs'),
    `import { FailedLast } from ${JSON.stringify(pathToFileURL(REPORTER).href)}
     export default { test: {
       globals: true, include: ['*.test.mjs'], maxWorkers: 1, globalSetup: ${JSON.stringify('setup.mjs' in files ? ['setup.mjs'] : [])},
       reporters: ['default', new FailedLast()],
     } }`,
  )
  const { PATH, HOME, TMPDIR, STRING_TEST_RUN } = process.env
  const env = { PATH, HOME, TMPDIR, STRING_TEST_RUN, NO_COLOR: '1', ...more }
  const { stdout, status } = spawnSync(process.execPath, [VITEST, 'run', '--root', dir], {
    cwd: dir,
    env,
    encoding: 'utf8',
  })
  return { lines: stdout.trimEnd().split('\n'), status }
}

describe('a test run', () => {
  it.each(Object.entries({ usual, load, open }))('names what failed last: %s', (_name, config) => {
    const { reporters } = (config as { test?: { reporters?: readonly unknown[] } }).test ?? {}
    expect(reporters).toEqual(['default', expect.any(FailedLast)])
  })

  it('names every test that failed after the totals, and whatever else did', () => {
    const { lines, status } = runOf({
      'one.test.mjs': `describe('things', () => { it('work', () => {}); it('break', () => expect(1).toBe(2)) })`,
      'two.test.mjs': `describe('hooks', () => { beforeAll(() => { throw new Error('no') }); it('wait', () => {}) })`,
      'three.test.mjs': `throw new Error('not even loaded')`,
      'four.test.mjs': `it('throws later', async () => { setTimeout(() => { throw new Error('too late') }); await new Promise((done) => setTimeout(done, 50)) })`,
      'five.test.mjs': `it('ends the process', () => process.kill(process.pid, 'SIGKILL'))`,
    })
    expect(status).toBe(1)
    const at = lines.lastIndexOf('Failed:')
    expect(lines.slice(0, at).join('\n')).toMatch(/Tests .*failed/)
    expect(new Set(lines.slice(at + 1))).toEqual(
      new Set([
        '  one.test.mjs > things > break',
        '  two.test.mjs > hooks (a hook)',
        '  three.test.mjs (the file itself)',
        '  five.test.mjs (did not come to its end)',
        '  outside of tests: too late',
        expect.stringContaining('  outside of tests: ') as string,
      ]),
    )
  })

  it('says which seed makes the same random choices again', () => {
    const { lines } = runOf({ 'one.test.mjs': `it('breaks', () => expect(1).toBe(2))` }, { STRING_SEED: '42' })
    expect(lines.slice(-4)).toEqual([
      'STRING_SEED=42 makes the same random choices again.',
      '',
      'Failed:',
      '  one.test.mjs > breaks',
    ])
  })

  it('says so when no test failed, but the run did', () => {
    const { lines, status } = runOf({
      'one.test.mjs': `it('works', () => {})`,
      'setup.mjs': `export const teardown = () => { process.exitCode = 1; throw new Error('left behind') }`,
    })
    expect(status).toBe(1)
    expect(lines.at(-1)).toBe('Failed: no test, but the run. What it says stands above.')
  })

  it('says nothing more when all went well', () => {
    const { lines, status } = runOf({ 'one.test.mjs': `it('works', () => {})` })
    expect(status).toBe(0)
    expect(lines.at(-1)).toMatch(/Duration/)
  })
})
