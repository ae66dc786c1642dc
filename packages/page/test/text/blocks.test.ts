import { describe, expect, it } from 'vitest'
import { GrowingMarkdown, parseBlocks } from '../../src/text/blocks.ts'

const PAGE = `# Title

A paragraph
of two lines.

- one
- two

  still two

\`\`\`ts
const a = 1

const b = 2
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted

The end.`

const outline = (text: string) => parseBlocks(text).map(({ source, tokens }) => [tokens[0]?.type, source])

describe('a page in blocks', () => {
  it('is its outermost blocks, each with its source', () => {
    expect(outline('# A\n\nb\nc\n\n---\n\n```\nx\n```')).toEqual([
      ['heading_open', '# A'],
      ['paragraph_open', 'b\nc'],
      ['hr', '---'],
      ['fence', '```\nx\n```'],
    ])
  })

  it('that comes letter by letter is at every letter what it would be at once', () => {
    const growing = new GrowingMarkdown()
    for (let end = 1; end <= PAGE.length; end += 1) {
      const text = PAGE.slice(0, end)
      const grown = growing.blocks(text).map(({ source, tokens }) => [tokens[0]?.type, source.trimEnd()])
      expect(grown).toEqual(outline(text).map(([type, source]) => [type, source?.trimEnd()]))
    }
  })

  it('that is replaced by another is that other', () => {
    const growing = new GrowingMarkdown()
    growing.blocks(PAGE)
    expect(growing.blocks('Another')).toHaveLength(1)
  })

  it('has no markup: raw HTML is text', () => {
    const [block] = parseBlocks('<img src=x onerror=alert(1)> <script>alert(1)</script>')
    const children = block?.tokens.flatMap(({ children }) => children ?? [])
    expect(children?.map(({ type }) => type)).toEqual(['text'])
  })
})
