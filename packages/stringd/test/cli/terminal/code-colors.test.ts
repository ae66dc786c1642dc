import { describe, expect, it } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { coloredCode } from '../../../src/cli/terminal/markdown/code-colors.ts'

/** Each piece that has a colour, with its colour. */
function colors(code: string, language: string): string[] {
  const lines = coloredCode(code, language) ?? []
  return lines.flat().flatMap(({ text, styles = [] }) => (styles.length === 0 ? [] : [`${styles.join()}:${text}`]))
}

function textOf(code: string, language: string): string | undefined {
  return coloredCode(code, language)
    ?.map((line) => line.map(({ text }) => text).join(''))
    .join('\n')
}

describe('code in colours', () => {
  it.each([
    ['ts', "const a1 = 'it\\'s' // no 2", ['magenta:const', "green:'it\\'s'", 'dim:// no 2']],
    ['js', '/* a\nb */ `x\ny` 0x1f', ['dim:/* a', 'dim:b */', 'green:`x', 'green:y`', 'yellow:0x1f']],
    ['python', 'def f(): # why\n  return "x"', ['magenta:def', 'dim:# why', 'magenta:return', 'green:"x"']],
    ['sh', 'echo ${#a} "b" # c', ['magenta:echo', 'green:"b"', 'dim:# c']],
    ['yaml', "say: don't # ever\non: true", ['dim:# ever', 'magenta:true']],
    ['sql', "SELECT 1 FROM t -- 'x'", ['magenta:SELECT', 'yellow:1', 'magenta:FROM', "dim:-- 'x'"]],
    ['JSON', '{"a": null}', ['green:"a"', 'magenta:null']],
  ])('of %s: %j', (language, code, found) => {
    expect(colors(code, language)).toEqual(found)
    expect(textOf(code, language)).toBe(code)
  })

  it('is nothing where the language is not known', () => {
    expect(coloredCode('x', 'cobol')).toBe(null)
    expect(coloredCode('x', '')).toBe(null)
  })

  it('never changes a text', () => {
    const pieces = fc.array(
      fc.constantFrom('"', "'", '`', '\\', '\n', '//', '/*', '*/', '#', '--', 'if', '1', ' ', '漢'),
    )
    const languages = fc.constantFrom('ts', 'go', 'py', 'sh', 'yaml', 'json', 'sql')
    fc.assert(
      fc.property(pieces, languages, (parts, language) => {
        expect(textOf(parts.join(''), language)).toBe(parts.join(''))
      }),
    )
  })

  it.each(['`', "\\'", '/*', '"\\'])('takes no long time for very much of %j', (part) => {
    expect(textOf(part.repeat(50_000), 'ts')).toHaveLength(part.length * 50_000)
  })
})
