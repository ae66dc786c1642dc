import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { tempDir } from '../support/temp.ts'

const FILES = 40

/** A package whose every file says which version it is; a version has a file that no other has. */
function putKit(home: string, version: number): void {
  const folder = join(home, `kit-${version}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'string.md'), `---\nname: kit\nversion: ${version}\n---\n# Version ${version}`)
  writeFileSync(join(folder, `only-${version}.md`), `version ${version}\n`)
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(folder, `${index}.md`), `version ${version}\n`)
}

/** Where the packages of the only home are. */
function stateIn(dir: string): string {
  const homes = join(dir, 'data/homes')
  const [only = ''] = readdirSync(homes)
  return join(homes, only)
}

/** The one version that is installed: in every file, in the file names, in the registration. */
async function installedVersion(port: number, dir: string): Promise<number> {
  const shown = (await exec(port, '/open app:kit')).body
  const [, version = ''] = /# Version (\d+)$/.exec(shown) ?? []
  const state = stateIn(dir)
  const folder = join(state, 'packages/kit')
  const names = readdirSync(folder)
  expect(names.sort()).toEqual(
    [...Array.from({ length: FILES }, (_, index) => `${index}.md`), `only-${version}.md`, 'string.md'].sort(),
  )
  for (const name of names)
    expect(readFileSync(join(folder, name), 'utf8').toLowerCase()).toContain(`version ${version}`)
  const config = JSON.parse(readFileSync(join(state, 'config.json'), 'utf8')) as {
    packages: { kit: { version: string } }
  }
  expect(config.packages.kit.version).toBe(version)
  expect(readdirSync(join(state, 'packages'))).toEqual(['kit'])
  return Number(version)
}

describe('an installation that fails', () => {
  it('SIGKILL at any moment leaves the old package or the new one, whole', async () => {
    const dir = tempDir()
    const home = join(dir, 'home')
    for (const version of [0, 1]) putKit(home, version)
    const seen = new Set<number>()
    for (let round = 0; round < 10; round += 1) {
      const { child, exited, port } = await startForeground(dir)
      await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
      if (round === 0) await exec(port, '/install kit-0')
      seen.add(await installedVersion(port, dir))
      const installing = (async () => {
        for (let next = round; ; next += 1) await exec(port, `/install --replace kit-${next % 2}`)
      })().catch(() => undefined)
      await aMoment(20, 140)
      child.kill('SIGKILL')
      await exited
      await installing
    }
    const { child, exited, port } = await startForeground(dir)
    seen.add(await installedVersion(port, dir))
    child.kill()
    await exited
    for (const version of seen) expect([0, 1]).toContain(version)
  })

  it('a full disk leaves the old package, and the daemon serves on', async () => {
    const dir = tempDir()
    const home = join(dir, 'home')
    for (const version of [0, 1]) putKit(home, version)
    writeFileSync(join(home, 'kit-1/z-large.bin'), Buffer.alloc(300 * 1024))
    const { child, exited, port } = await startForeground(dir, { fileKiB: 200 })
    await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
    await exec(port, '/install kit-0')
    const failed = await exec(port, '/install --replace kit-1')
    expect(failed.body).toBe(
      'ERROR(LOAD_ERROR): kit was not installed: no space is left; everything is as it was\n  Make room on the disk and send it again',
    )
    expect(await installedVersion(port, dir)).toBe(0)
    const secret = `/set\n${Array.from({ length: 40 }, (_, index) => `$V${index} = ${'x'.repeat(6_000)}`).join('\n')}`
    expect((await exec(port, secret)).body).toBe(
      'ERROR(LOAD_ERROR): The variables were not stored: no space is left; everything is as it was\n  Make room on the disk and send it again',
    )
    expect((await exec(port, '/set')).body).toBe('Variables\n---\n(none)')
    expect((await exec(port, '/set $SMALL = 1')).body).toBe('$SMALL = (set)')
    expect(await installedVersion(port, dir)).toBe(0)
    child.kill()
    await exited
  })

  it('what a killed process left is finished when it was registered, and removed when it was not', async () => {
    const dir = tempDir()
    const home = join(dir, 'home')
    for (const version of [0, 1]) putKit(home, version)
    const first = await startForeground(dir)
    await call(first.port, 'POST', '/agents', { body: { agent_id: 'default', home } })
    await exec(first.port, '/install kit-0')
    first.child.kill('SIGKILL')
    await first.exited
    const folder = join(stateIn(dir), 'packages')
    const path = join(stateIn(dir), 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8')) as { packages: { kit: { id: string; version: string } } }
    mkdirSync(join(folder, '.kit.new-abc-999999'))
    writeFileSync(join(folder, '.kit.new-abc-999999/string.md'), '# Half')
    mkdirSync(join(folder, '.kit.old-def-999999'))
    const second = await startForeground(dir)
    expect(await installedVersion(second.port, dir)).toBe(0)
    second.child.kill('SIGKILL')
    await second.exited
    mkdirSync(join(folder, '.kit.new-abc-999999'))
    for (const name of readdirSync(join(home, 'kit-1')))
      writeFileSync(join(folder, '.kit.new-abc-999999', name), readFileSync(join(home, 'kit-1', name)))
    config.packages.kit = { ...config.packages.kit, id: 'abc', version: '1' }
    writeFileSync(path, JSON.stringify(config))
    const third = await startForeground(dir)
    expect(await installedVersion(third.port, dir)).toBe(1)
    third.child.kill()
    await third.exited
  })
})
