import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../docs/pages.ts'
import { run } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'
import { shell } from './npm-shell.ts'

const root = join(import.meta.dirname, '../..')

/** What needs the package registry is skipped without it, and says so. */
const registry = (await run('npm', ['ping', '--fetch-retries=0'], { cwd: root, env: shell })).status === 0
if (!registry) console.warn('SKIPPED: the package registry cannot be reached, so nothing was installed from it')

describe.skipIf(!registry)('the packages as a user installs them', () => {
  it('a fresh clone with an empty home does what the README begins with', async () => {
    const dir = tempDir()
    const clone = join(dir, 'string')
    const cloned = await run('git', ['clone', '--quiet', root, clone])
    expect(cloned.status, cloned.stderr).toBe(0)
    const home = join(dir, 'home')
    mkdirSync(home)
    const env = { ...shell, HOME: home, STRING_HOME: undefined, STRING_DATA_DIR: undefined, STRING_PORT: '0' }
    onTestFinished(async () => {
      await run('npx', ['string', '--daemon', 'stop'], { cwd: clone, env })
    })
    const begins = ['README.md', 'docs/install.md'].map(
      (page) => blocksOf(page).find(({ mark }) => mark === 'run by test/public/install.test.ts')?.text,
    )
    expect(begins[0]).toBe(begins[1])
    const { stdout, stderr, status } = await run('/bin/bash', ['-c', `set -e\n${begins[0]}`], { cwd: clone, env })
    expect(status, stderr).toBe(0)
    expect(stdout).toContain('<𝒞=string:main>\nOpened ./README.md\n---\n# String\n')
  })

  it('npm install of the packed program gives a string command that works', async () => {
    const dir = tempDir()
    const packed = await run(
      'npm',
      ['pack', '--pack-destination', dir, '-w', '@string-os/string', '-w', '@string-os/client'],
      { cwd: root, env: shell },
    )
    expect(packed.status, packed.stderr).toBe(0)
    writeFileSync(join(dir, 'package.json'), '{"private":true}')
    const tarballs = readdirSync(dir)
      .filter((name) => name.endsWith('.tgz'))
      .map((name) => `./${name}`)
    const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], {
      cwd: dir,
      env: shell,
    })
    expect(installed.status, installed.stderr).toBe(0)
    const env = { ...shell, STRING_HOME: join(dir, 'string'), STRING_PORT: '0' }
    onTestFinished(async () => {
      await run('npx', ['string', '--daemon', 'stop'], { cwd: dir, env })
    })
    writeFileSync(join(dir, 'README.md'), '# Hi\n')
    const { stdout } = await run('npx', ['string', 'main', '/open ./README.md'], { cwd: dir, env })
    expect(stdout).toBe('<𝒞=string:main>\nOpened ./README.md\n---\n# Hi\n\n</𝒞>\n')
    const script =
      "import { StringClient } from '@string-os/client'; import { autoStart } from '@string-os/string'; const c = new StringClient({ port: 1, autoStart }); console.log((await c.exec('other', '/close')).content)"
    writeFileSync(join(dir, 'use.mjs'), script)
    expect((await run(process.execPath, ['use.mjs'], { cwd: dir, env })).stdout).toBe('Closed: other\n')
  })
})
