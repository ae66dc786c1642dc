import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(join(import.meta.dirname, '../../src/style/base.css'), 'utf8')
const [light = '', dark = ''] = css.split('prefers-color-scheme: dark')
const colours = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]))

/** As the Web Content Accessibility Guidelines define it. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

it('differ between light and dark in colours alone, so that what is laid out in one is laid out in the other', () => {
  const folder = join(import.meta.dirname, '../../src/style')
  const styles = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(styles.join('').split('prefers-color-scheme')).toHaveLength(2)
  const [, own = ''] = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/.exec(css) ?? []
  const lines = own.trim().split(/\s*\n\s*/)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/^--[\w-]+: #[0-9a-f]{6};$/.test(line))).toEqual([])
})

describe.each([
  ['light', colours(light)],
  ['dark', new Map([...colours(light), ...colours(dark)])],
])('the %s colours', (_, of) => {
  const pairs = ['ink', 'soft', 'accent', 'running', 'waiting', 'failed'].flatMap((text) =>
    ['paper', 'raised'].map((back) => [text, back] as const),
  )
  it.each([
    ...pairs,
    ['on-accent', 'accent'],
    ['ink', 'waiting-back'],
    ['soft', 'waiting-back'],
    ['waiting', 'waiting-back'],
    ['ink', 'failed-back'],
  ] as const)('let %s be read on %s', (text, back) => {
    expect(contrast(of.get(text) ?? '', of.get(back) ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})
