import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

interface Rule {
  readonly name: string
  readonly comment: string
}

/** What the checked rules let a folder import, but for what every folder may, and for single files of `store`. */
function checked(): Map<string, string[]> {
  const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as { forbidden: Rule[] }
  const rows = forbidden.flatMap(({ name, comment }) => {
    const [, layer = '', allowed = ''] = /^([\w.-]+) may import: (.*)$/.exec(comment) ?? []
    const names = allowed
      .split(', ')
      .filter((each) => !['@protocol', 'log.ts'].includes(each) && !each.startsWith('store/'))
    return name.startsWith('layer-') && !layer.endsWith('.ts') ? [[layer, names.sort()] as const] : []
  })
  return new Map(rows)
}

function written(): Map<string, string[]> {
  const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const rows = [...text.matchAll(/^\| (`[^|]*) \| [^|]* \| ([^|]*) \|$/gm)].flatMap(([, folders = '', allowed = '']) =>
    names(folders).map((folder) => [folder, names(allowed.replace(/, of `store`.*/, '')).sort()] as const),
  )
  return new Map(rows)
}

describe('ARCHITECTURE.md', () => {
  it('says who may import whom as the checked rules do', () => {
    const table = written()
    const rules = checked()
    expect(rules.size).toBeGreaterThan(15)
    expect(new Map([...table].filter(([folder]) => rules.has(folder)))).toEqual(rules)
  })

  it('lists every folder and file of the daemon', () => {
    for (const name of readdirSync(join(root, 'packages/stringd/src'))) {
      expect(text, name).toContain(name.endsWith('.ts') ? `\`${name}\`` : `\n| \`${name}\` |`)
    }
  })

  it('is right that the tests of a package mirror its sources, folder by folder', () => {
    const foldersIn = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
    for (const name of readdirSync(join(root, 'packages'))) {
      const tests = foldersIn(`packages/${name}/test`).filter((folder) => folder !== 'support')
      expect(tests, name).toEqual(foldersIn(`packages/${name}/src`))
    }
  })
})
