import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { pages, root } from './pages.ts'

const roots = readdirSync(root).filter((name) => name.endsWith('.md') || name === 'llms.txt')
const specs = readdirSync(join(root, 'spec')).filter((name) => name.endsWith('.md'))
const linked = [...new Set([...pages, ...roots, ...specs.map((name) => `spec/${name}`)])]

interface Link {
  readonly page: string
  readonly target: string
}

/** Links of a page, without those in code. */
function linksOf(page: string): Link[] {
  const text = readFileSync(join(root, page), 'utf8')
    .replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
    .replace(/`[^`\n]*`/g, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"|srcset="([^"]+)"/g)]
  return targets
    .map(([, target, image, set]) => ({ page, target: target ?? image ?? set ?? '' }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
}

/** Headings as forges name them, and blocks. */
function anchorsOf(path: string): Set<string> {
  const text = readFileSync(path, 'utf8').replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
  const heads = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, head = '']) =>
    head
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
  const blocks = [...text.matchAll(/^<!-- #([a-z][a-z0-9-]*) -->$/gm)].map(([, id = '']) => id)
  return new Set([...heads, ...blocks])
}

it('every link of a page leads to something that is there', () => {
  const broken = linked.flatMap(linksOf).filter(({ page, target }) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? join(root, page) : join(root, dirname(page), decodeURI(path))
    if (!existsSync(file)) return true
    return anchor !== undefined && statSync(file).isFile() && !anchorsOf(file).has(anchor)
  })
  expect(broken.map(({ page, target }) => `${page}: ${target}`)).toEqual([])
})

it('a page that is packed with a package links to nothing that is not packed with it', () => {
  const packages = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'README.md')),
  )
  expect(packages).toContain('client')
  const dead = packages
    .flatMap((name) => linksOf(`packages/${name}/README.md`))
    .filter(({ target }) => !target.startsWith('#') && !/^(?:\.\/)?dist\//.test(target))
  expect(dead.map(({ page, target }) => `${page}: ${target}`)).toEqual([])
})

it('every page of docs can be reached from its index', () => {
  const found = new Set(['docs/README.md'])
  for (const page of found) {
    for (const { target } of linksOf(page)) {
      const path = normalize(join(dirname(page), target.split('#')[0] ?? ''))
      const file = path.endsWith('.md') ? path : join(path, 'README.md')
      if (file.startsWith('docs/') && existsSync(join(root, file))) found.add(file)
    }
  }
  const lost = pages.filter((page) => page.startsWith('docs/') && !found.has(page))
  expect(lost).toEqual([])
})
