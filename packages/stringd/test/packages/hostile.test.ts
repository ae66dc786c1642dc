import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { createDocumentParser } from '../../src/document/parse/parse.ts'
import { readAbout } from '../../src/packages/source/about.ts'
import { parseManifest } from '../../src/packages/source/manifest.ts'
import { isPackagePath, parseRecord } from '../../src/packages/state/package-record.ts'
import { appPlace } from '../support/app-place.ts'

describe('odd input', () => {
  it('a path that is taken leads nowhere but into the package', () => {
    const path = fc.string({ unit: fc.constantFrom('.', '/', 'a', '\\', '\0', '~', ' ', 'é', '%2e'), maxLength: 12 })
    fc.assert(
      fc.property(path, (text) => {
        if (isPackagePath(text)) expect(resolve('/a/folder', text).startsWith('/a/folder/')).toBe(true)
      }),
      { numRuns: 500 },
    )
    for (const bad of ['', '.', '..', '/', '/a', 'a/', 'a/../b', '../a', './a', 'a\0', 'a\nb'])
      expect(isPackagePath(bad)).toBe(false)
    for (const good of ['a', '.a', 'a/b', '...', '~', 'a b', '%2e%2e/a', 'C:']) expect(isPackagePath(good)).toBe(true)
  })

  it('S10: whatever front matter, manifests and records hold, they are read or refused', () => {
    const parse = createDocumentParser()
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.constantFrom('env', 'requires', 'name', 'type', 'default'),
        (json, key) => {
          const about = readAbout(parse(`---\n${key}: ${json}\n---\n`), new Map())
          expect(!about.ok || Array.isArray(about.needs)).toBe(true)
          expect(typeof parseManifest(`{"files": ${json}}`, 'http://x/').ok).toBe('boolean')
          const record = parseRecord('x', JSON.parse(json))
          expect(record === null || record.local === 'x').toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(['__proto__', 'constructor', 'toString', '-x', '0', 'a'.repeat(64)])(
    'S10: %s is a name like any other',
    async (name) => {
      const { reply, put, state } = await appPlace()
      put({ 'x.md': '---\nname: x\nenv: [constructor]\n---\n# X' })
      expect(await reply(`/install --as=${name} x.md`)).toContain(`Installed app:${name}\n`)
      expect(await reply(`/open app:${name}`)).toContain('# X\n\n---\n    Not set: $constructor')
      await reply('/set $constructor = 1', `app:${name}`)
      expect(await reply('/refresh', `app:${name}`)).toBe(`Refreshed app:${name}\n---\n# X`)
      expect(await reply('/open app')).toContain(`- app:${name} · from ~/x.md\n`)
      const removed = await reply(`/uninstall -- ${name}`)
      const purge = `/uninstall --purge ${name === '-x' ? '-- -x' : name}`
      expect(removed).toBe(
        `Uninstalled ${name}\n---\nIts stored variables stay, for when it is installed again from the same source: $constructor\nRemove them: ${purge}`,
      )
      expect(await reply(purge)).toContain('Its stored variables are removed: $constructor')
      expect(Object.keys(state()).filter((path) => path.startsWith('packages/'))).toEqual([])
    },
  )

  it('a thousand files are installed, one more is not, and others are served meanwhile', {
    timeout: 120_000,
  }, async () => {
    const { reply, put } = await appPlace()
    put(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`big/${index % 50}/${index}.md`, '# X\n'])))
    put({ 'small/string.md': '# Small' })
    expect(await reply('/install big')).toContain('ERROR(NOT_FOUND): big has no string.md')
    put({ 'big/string.md': '# Big' })
    expect(await reply('/install big')).toContain('ERROR(TOO_LARGE): A package has at most 1000 files')
    await reply('/exec rm big/0/0.md')
    const installing = reply('/install big')
    expect(await reply('/ls', 'other')).toContain('big/')
    expect(await installing).toContain('Installed app:big\n---\nFrom: big (1000 files, ')
    expect(await reply('/install small')).toContain('Installed app:small')
  })
})
