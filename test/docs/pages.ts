import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Every page that somebody may read: README files, docs and examples, by path. */
export const pages: readonly string[] = [
  'README.md',
  'packages/client/README.md',
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  ),
]

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** What the comment in front of it says: `not run: REASON` or `run by FILE`. */
  readonly mark: string | null
}

/** The fenced blocks of a page; what stands in a longer fence is a part of that. */
export function blocksOf(page: string): Block[] {
  const source = readFileSync(join(root, page), 'utf8')
  const fenced = /^(?:<!-- ((?:not run|run by)\b.*?) -->\n)?(`{3,})([\w-]*)[^\n]*\n([\s\S]*?)^\2$/gm
  return [...source.matchAll(fenced)].map(({ index, 1: mark, 3: language = '', 4: text = '' }) => ({
    page,
    line: source.slice(0, index).split('\n').length,
    language,
    text,
    mark: mark ?? null,
  }))
}
