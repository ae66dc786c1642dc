import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

const numbers = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

/** Numbers that stand in titles: `S1, S2: …` in front, or `… (S1, S2)` at the end. */
function numbersInTitles(source: string): string[] {
  const list = '[SR]\\d+(?:, [SR]\\d+)*'
  const titles = new RegExp(`['"\`](${list}): |\\((${list})\\)['"\`]`, 'g')
  return [...source.matchAll(titles)].flatMap(([, front, back]) => (front ?? back ?? '').split(', '))
}

function shown(): Set<string> {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`)
  const files = ['test', ...packages].flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(root, dir, name)),
  )
  const tests = files.filter((path) => path.endsWith('.test.ts') && path !== import.meta.filename)
  return new Set(tests.flatMap((path) => numbersInTitles(readFileSync(path, 'utf8'))))
}

describe('the numbered requirements', () => {
  const spec = readFileSync(join(root, 'spec/requirements.md'), 'utf8')
  const required = [...spec.matchAll(/^- \*\*([SR]\d+)\*\* /gm)].map(([, number = '']) => number)

  it('are S1 to S39 and R1 to R18, each once', () => {
    expect(required).toEqual([...numbers('S', 39), ...numbers('R', 18)])
  })

  it('each have a test that names them', () => {
    const named = shown()
    expect(required.filter((number) => !named.has(number))).toEqual([])
  })

  it('are the only numbers that titles name', () => {
    expect([...shown()].filter((number) => !required.includes(number))).toEqual([])
  })
})
