import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'

const act = (id: string, text: string): string => `\n\`\`\`act.${id}\n${text}\n\`\`\`\n`
const app = (says: string, version = 1): string =>
  `---\nname: dev\nversion: ${version}\n---\n# Dev\n[More](./more.md)\n${act('ok', `CLI echo ${says}`)}`

describe('the topic of an app that is installed otherwise', () => {
  it('shows the copy that takes the place of a link', async () => {
    const { reply, put, home } = await appPlace()
    put({ 'dev/string.md': app('one'), 'dev/more.md': `# More${act('more', 'CLI echo more-one')}` })
    await reply('/install --link ./dev')
    expect(await reply('/act.ok', 'app:dev')).toBe('one')
    expect(await reply('/install ./dev')).toContain(
      `Installed app:dev\n---\nWas linked to ${home}/dev; now a copy\nIt may do what the installed version may\nVersion: 1, as before\nFiles: none changed\nFrom: ./dev (2 files`,
    )
    put({ 'dev/string.md': app('two'), 'dev/more.md': '# Changed' })
    expect(await reply('/act.ok', 'app:dev')).toBe('one')
    expect(await reply('/refresh', 'app:dev')).toContain('Refreshed app:dev')
  })

  it('shows the link that takes the place of a copy, at the document where it was', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app('one'), 'dev/more.md': `# More${act('more', 'CLI echo more-one')}` })
    await reply('/install ./dev')
    await reply('/open ./more.md', 'app:dev')
    expect(await reply('/act.more', 'app:dev')).toBe('more-one')
    expect(await reply('/install --link ./dev')).toContain('Installed app:dev\n---\nWas a copy; now linked\n')
    put({ 'dev/string.md': app('two'), 'dev/more.md': `# More${act('more', 'CLI echo more-two')}` })
    expect(await reply('/act.more', 'app:dev')).toBe('more-two')
    expect(await reply('/refresh', 'app:dev')).toContain('Refreshed more.md')
    expect(await reply('/back', 'app:dev')).toContain('# Dev')
    expect(await reply('/act.ok', 'app:dev')).toBe('two')
  })

  it('goes on with the next version, and with what is installed after a removal', async () => {
    const { reply, put, home } = await appPlace()
    put({ 'dev/string.md': app('one'), 'dev/more.md': '# More' })
    await reply('/install ./dev')
    await reply('/open ./more.md', 'app:dev')
    put({ 'dev/string.md': app('two', 2) })
    rmSync(join(home, 'dev/more.md'))
    await reply('/install --update dev')
    // The document that it showed is none of this version.
    expect(await reply('/act.ok', 'app:dev')).toBe('two')
    await reply('/uninstall dev')
    expect(await reply('/act.ok', 'app:dev')).toContain(
      'ERROR(NOT_FOUND): No app is installed as dev\n  /install --as dev SOURCE installs one',
    )
    await reply('/install --link ./dev')
    expect(await reply('/act.ok', 'app:dev')).toBe('two')
  })

  it('stays at what it shows of others', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app('one'), 'dev/more.md': '# More', 'mine.md': `# Mine${act('mine', 'CLI echo mine')}` })
    await reply('/install --link ./dev')
    await reply('/open ~/mine.md', 'app:dev')
    await reply('/install ./dev')
    expect(await reply('/act', 'app:dev')).toContain('/act.mine')
    put({ 'dev/string.md': app('two') })
    await reply('/back', 'app:dev')
    expect(await reply('/act.ok', 'app:dev')).toBe('one')
  })

  it('names the link and the folder that is gone, and what to do', async () => {
    const { reply, put, home } = await appPlace()
    put({ 'dev/string.md': app('one'), 'dev/more.md': '# More', 'lint/string.md': `# Lint${act('go', 'CLI echo go')}` })
    await reply('/install --link ./dev')
    await reply('/install --tool --link ./lint')
    await reply('/act.ok', 'app:dev')
    renameSync(join(home, 'dev'), join(home, 'moved'))
    rmSync(join(home, 'lint'), { recursive: true })
    const gone = `app:dev is linked to ${home}/dev, which is not there\n  /install --link --replace PATH links the folder where it is now, /uninstall dev removes the link`
    expect(await reply('/act.ok', 'app:dev')).toBe(`ERROR(NOT_FOUND): /act.ok: ${gone}`)
    expect(await reply('/act.ok', 'app:dev:other')).toBe(`ERROR(NOT_FOUND): ${gone}`)
    for (const command of ['/refresh', '/open app:dev'])
      expect(await reply(command, 'app:dev')).toBe(`ERROR(NOT_FOUND): ${gone}`)
    expect(await reply('/install --update dev')).toBe(`ERROR(NOT_FOUND): ${gone}`)
    expect(await reply('/tool:lint')).toContain(`ERROR(NOT_FOUND): tool:lint is linked to ${home}/lint, which is not`)
    expect(await reply('/open app')).toContain('- app:dev · linked to ~/dev, which is gone\n')
    // The same app from elsewhere is a conflict; its name says that it is meant.
    await reply('/install --link --replace ./moved')
    expect(await reply('/act.ok', 'app:dev')).toBe('one')
  })

  it('names the document that is gone from a linked folder, and what to do', async () => {
    const { run, reply, put, home } = await appPlace()
    put({ 'dev/string.md': app('one') })
    await reply('/install --link ./dev')
    await reply('/open', 'app:dev')
    renameSync(join(home, 'dev/string.md'), join(home, 'dev/start.md'))
    const gone = `app:dev is linked to ${home}/dev, whose string.md is not there\n  Put it back`
    const next = ', /uninstall dev removes the link'
    expect(await reply('/act.ok', 'app:dev')).toBe(`ERROR(NOT_FOUND): /act.ok: ${gone}${next}`)
    expect(await reply('/open app:dev', 'app:dev')).toBe(`ERROR(NOT_FOUND): ${gone}${next}`)
    expect((await run('/open app')).head.data).toMatchObject({ packages: [{ name: 'dev', linked: true, gone: true }] })
    expect(await reply('/open app')).toContain('- app:dev · linked to ~/dev, whose string.md is gone\n')
    expect(await reply('/install --update dev')).toBe(`ERROR(NOT_FOUND): ${gone}${next}`)
    renameSync(join(home, 'dev/start.md'), join(home, 'dev/README.md'))
    expect(await reply('/open app:dev', 'app:dev')).toContain(', /install --update dev takes README.md for it')
    expect(await reply('/install --update dev')).toContain('Installed app:dev')
    expect(await reply('/act.ok', 'app:dev')).toBe('one')
  })
})
