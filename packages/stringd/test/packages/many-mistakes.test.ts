import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { createDocumentParser } from '../../src/document/parse/parse.ts'
import { findMistakes } from '../../src/packages/check/check-package.ts'
import { folderSource } from '../../src/packages/source/package-files.ts'

const DOCUMENTS = 40
const LINKS = 400

function packageOf(page: (index: number) => string) {
  const files = new Map([['string.md', '---\nname: pkg\ntype: app\n---\n# Pkg\n']])
  for (let index = 0; index < DOCUMENTS; index += 1) files.set(`deep/er/p${index}.md`, page(index))
  const stored = new Map([...files].map(([path, text]) => [path, { bytes: Buffer.from(text), mode: 0o644 }]))
  const source = folderSource(stored, { name: 'pkg', from: './pkg', origin: '/pkg', again: '/pkg' })
  if (!source.ok) throw new Error(source.system)
  return source
}

const parse = createDocumentParser()
const parseNow = async (text: string) => ({ ok: true as const, document: parse(text) })

describe('the mistakes of a package', () => {
  it('of which there are very many are told of each document up to a limit, and others have their turn meanwhile', async () => {
    const source = packageOf(() => '- [a](nowhere.md)\n'.repeat(LINKS))
    let turns = 0
    let isOver = false
    const take = (): void => {
      turns += 1
      if (!isOver) setImmediate(take)
    }
    setImmediate(take)
    const mistakes = await findMistakes(source, parseNow)
    isOver = true
    expect(mistakes).toHaveLength(DOCUMENTS * LIMITS.documentWarnings)
    expect(mistakes[1]).toMatchObject({ file: 'deep/er/p0.md', line: 2, problem: 'nowhere.md is not there' })
    expect(turns).toBeGreaterThanOrEqual(DOCUMENTS)
  })

  it('has none in links to its files, to each folder that holds some, and to itself', async () => {
    const links = ['p1.md', '../er', '../er/', '..', '../..', '../../string.md', '#there'].map((to) => `[x](${to})`)
    const source = packageOf(() => `# There\n\n${links.join(' ')}\n[gone](../e)\n`)
    const mistakes = await findMistakes(source, parseNow)
    expect(new Set(mistakes.map(({ problem }) => problem))).toEqual(new Set(['../e is not there']))
  })
})
