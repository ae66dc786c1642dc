import { describe, expect, it } from 'vitest'
import { Stage } from '../../../src/cli/terminal/editor/stage.ts'
import { renderMarkdown } from '../../../src/cli/terminal/markdown/render.ts'
import { MarkdownStream } from '../../../src/cli/terminal/markdown/stream.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

const PLAIN = { color: false, links: false, width: 40 }
const COLOR = { color: true, links: false, width: 40 }
const plain = (text: string, width = 40): string => renderMarkdown(text, { ...PLAIN, width })

describe('Markdown on a terminal, without colours', () => {
  it('at 24 columns nested lists fit, so that the terminal breaks nothing a second time', () => {
    const text = plain('- outer\n  1. deeper one that is rather long and has words\n     > quoted in there, too', 24)
    expect(text.split('\n')).toEqual([
      '• outer',
      '  1. deeper one that is',
      '     rather long and has',
      '     words',
      '     │ quoted in there,',
      '     │ too',
    ])
  })

  it('no row begins with a mark that belongs to what stands before it', () => {
    const rows = plain('今天天气很好很好很好，我们**去公园**。（好的）', 20).split('\n')
    expect(rows).toEqual(['今天天气很好很好很', '好，我们**去公园**。', '（好的）'])
    expect(plain(`${'字'.repeat(9)}字」。好`, 20).split('\n')).toEqual(['字'.repeat(9), '字」。好'])
  })

  it.each([
    ['headings keep their marks', '# One\n\nTwo\n---\n', '# One\n\n## Two'],
    ['emphasis keeps its marks', 'a **b** *c* `d` ~~e~~', 'a **b** *c* `d` ~~e~~'],
    ['lists', '- a\n- b\n  - c\n\n3. x\n4. y\n', '• a\n• b\n  • c\n\n3. x\n4. y'],
    ['a loose list', '- a\n\n- b\n', '• a\n\n• b'],
    ['quotes', '> a\n> b\n>\n> c', '│ a\n│ b\n│ \n│ c'],
    [
      'code as it is, however wide',
      '```sh\necho   "a very long line that is wider than all"\n```',
      '  sh\n    echo   "a very long line that is wider than all"',
    ],
    [
      'links tell where they lead',
      '[site](https://a.example/x) [doc](./a.md) <https://b.example>',
      'site (https://a.example/x) doc (./a.md)\nhttps://b.example',
    ],
    ['links of String documents', '[Next *one*][@next] [none][x]', 'Next *one* (@next) [none][x]'],
    ['line ends stay where lines fit', 'one\ntwo', 'one\ntwo'],
    [
      'what does not fit is broken between words',
      'one two three four five six seven eight nine\nten',
      'one two three four five six seven eight\nnine ten',
    ],
    ['of HTML its text', '<b>x</b>\n\n<div>\ny\n</div>', 'x\n\ny'],
    [
      'pictures of HTML by what they say of themselves',
      '<p align="center">\n  <img src="a>b.svg"\n    alt="A logo">\n</p>\n\na <img src=x.png> b<br>c',
      '[image: A logo]\n\na [image: x.png] b\nc',
    ],
    ['no comments, of several lines and paragraphs too', 'a <!-- b --> c\n\n<!-- d\n\ne -->\n\nf', 'a  c\n\nf'],
    ['a comment that nobody closed is text', '<!-- a\n\nb', '<!-- a\nb'],
    [
      'what is in angle brackets and no HTML is text',
      '<name> <NAME>\n\n<agent-id>\nx',
      '<name> <NAME>\n\n<agent-id>\nx',
    ],
    ['a rule', 'a\n\n***\n\nb', `a\n\n${'─'.repeat(40)}\n\nb`],
  ])('%s', (_name, text, shown) => {
    expect(plain(text)).toBe(shown)
  })

  it('tables have columns, with wide characters as wide as they are', () => {
    const table = '| name | 数 |\n|:--|--:|\n| a | 1 |\n| 漢字 | 22 |\n'
    expect(
      plain(table)
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(['name │ 数', '─────┼───', 'a    │  1', '漢字 │ 22'])
  })

  it('a table that is too wide has its cells broken', () => {
    const table = '| a | b |\n|--|--|\n| one two three four five six | seven eight nine ten eleven |\n'
    for (const line of plain(table, 30).split('\n')) expect(line.length).toBeLessThanOrEqual(30)
    expect(plain(table, 30)).toContain('one two')
  })

  it('a table whose columns would be too narrow to be read has each row by itself, and no word or mark is cut', () => {
    const head = '|  | Claude Code 2.1 | Codex 0.166.0 | Gemini CLI 0.6 |\n|--|--|--|--|\n'
    const table = `${head}| **cancelling**: ends what was started by a call | ✓ | yes, since the version before | ✗ 1 |\n| b |  | ✓ | ✓ |\n`
    expect(plain(table, 40).split('\n')).toEqual([
      '**cancelling**: ends what was started by',
      'a call',
      '  Claude Code 2.1: ✓',
      '  Codex 0.166.0: yes, since the',
      '    version before',
      '  Gemini CLI 0.6: ✗ 1',
      '',
      'b',
      '  Codex 0.166.0: ✓',
      '  Gemini CLI 0.6: ✓',
    ])
    expect(plain('| a | b |\n|--|--|\n| x | incomprehensibilities |\n', 20)).toBe(
      'x\n  b:\n    incomprehensibil\n    ities',
    )
    expect(plain(table, 160)).toContain('│ ✗ 1')
  })
})

describe('Markdown on a terminal, with colours', () => {
  it('headings, emphasis and code are styled, their marks are gone', () => {
    expect(renderMarkdown('# T\n\n**b** *i* `c`', COLOR)).toBe(
      '\x1b[1m\x1b[4mT\x1b[22m\x1b[24m\n\n\x1b[1mb\x1b[22m \x1b[3mi\x1b[23m \x1b[36mc\x1b[39m',
    )
  })

  it('links can be followed where the terminal knows them, the host stands beside them, and nothing else is a link', () => {
    const links = { ...COLOR, links: true }
    expect(renderMarkdown('[x](https://a.example/b?c=%20)', links)).toBe(
      '\x1b]8;;https://a.example/b?c=%20\x1b\\\x1b[34m\x1b[4mx\x1b[39m\x1b[24m\x1b]8;;\x1b\\\x1b[2m (a.example)\x1b[22m',
    )
    for (const target of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      './a.md',
      'data:x',
      `https://a.example/${'x'.repeat(3_000)}`,
    ])
      expect(renderMarkdown(`[x](${target})`, links)).not.toContain('\x1b]8')
    expect(renderMarkdown('[x](<https://a.example/\x1b\\\x07>)', links)).not.toContain('\x07')
  })

  it.each([
    ['an escape sequence', 'a\x1b[2Jb'],
    ['a title', 'a\x1b]0;t\x07b'],
    ['one in code', '`\x1b[31m`\n\n```\n\x1b[2J\n```'],
    ['one in a table', '| \x1b[2J |\n|--|\n| \x9b2J |'],
    ['one as an entity', '&#27;[2J &#x9b;2J &#x202e;x'],
    ['one in a link', '[\x1b[2J](https://a.example/\x1b[2J)'],
    ['one in the language of code', '```\x1b[2J\nx\n```'],
    ['a carriage return and a backspace', 'a\rb\bc'],
    ['characters that nobody sees', 'a\u202eb\u200bc\u{e0041}d'],
  ])('S24: %s in the text is never obeyed', (_name, text) => {
    for (const links of [true, false]) {
      const shown = renderMarkdown(text, { ...COLOR, links })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what remains when our own styles and links are gone
      const rest = shown.replace(/\x1b\[\d+m/g, '').replace(/\x1b\]8;;[\x21-\x7e]*\x1b\\/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
      expect(rest).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b\u{e0041}]/u)
    }
  })

  it('very large and very odd texts take no long time and break nothing', () => {
    const odd = [
      '> '.repeat(5_000),
      '- '.repeat(5_000),
      '*a_ '.repeat(20_000),
      `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n`,
      '`'.repeat(50_000),
      `<div>\n${'<a "'.repeat(100_000)}`,
      `<div>\n${'<!-- '.repeat(100_000)}`,
    ]
    for (const text of odd) expect(typeof plain(text)).toBe('string')
    expect(plain(`\`\`\`\n${'x\n'.repeat(400_000)}`).split('\n').length).toBeGreaterThan(399_999)
  })
})

describe('Markdown that comes piece by piece', () => {
  const ANSWER =
    '# Title\n\nSome **bold** text\nin two lines.\n\n1. one\n\n   ```sh\n   run\n   ```\n\n2. two\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\nThe end'

  it.each([1, 3, 7, 1_000])('in pieces of %d characters is at last what it is as a whole', (size) => {
    const terminal = new VirtualTerminal(40, 12)
    const stream = new MarkdownStream(new Stage(terminal, COLOR), () => COLOR)
    for (let at = 0; at < ANSWER.length; at += size) stream.push(ANSWER.slice(at, at + size))
    stream.end()
    terminal.write('next')
    const whole = new VirtualTerminal(40, 12)
    whole.write(`${renderMarkdown(ANSWER, COLOR).replaceAll('\n', '\r\n')}\r\nnext`)
    expect(terminal.text()).toBe(whole.text())
  })

  const seen = (pieces: readonly string[], columns = 40): string[] => {
    const terminal = new VirtualTerminal(columns, 12)
    const manner = { ...COLOR, width: columns }
    const stream = new MarkdownStream(new Stage(terminal, COLOR), () => manner)
    return pieces.map((piece) => {
      stream.push(piece)
      return terminal.text()
    })
  }

  it('shows a mark as it is written until its other end has come, and never half of that', () => {
    const terminal = new VirtualTerminal(40, 12)
    const stream = new MarkdownStream(new Stage(terminal, COLOR), () => COLOR)
    stream.push('Done.\n\nsome **bo')
    expect(terminal.text()).toBe('Done.\n\nsome **bo')
    stream.push('ld** \x1b[2J')
    expect(terminal.text()).toBe('Done.\n\nsome bold \\x1b[2J')
    stream.end()
    expect(terminal.text()).toBe('Done.\n\nsome bold \\x1b[2J')
    expect(seen(['**b', '*', '* c'])).toEqual(['**b', '**b', 'b c'])
    expect(seen(['a `x *y* ', 'z` ', '[l](http://', 'a.example)'])).toEqual([
      'a `x *y*',
      'a x *y* z',
      'a x *y* z [l](http://',
      'a x *y* z l (http://a.example)',
    ])
  })

  it('a line of marks makes nothing of what stands above it until it is known what it begins', () => {
    expect(seen(['text', '\n-', ' ', 'item', '\n- **b**'])).toEqual([
      'text',
      'text\n-',
      'text\n-',
      'text\n\n• item',
      'text\n\n• item\n• b',
    ])
    expect(seen(['| a | b |\n', '|--|', '--|\n', '| 1 | **2**'])).toEqual([
      '| a | b |',
      '| a | b |\n|--|',
      'a │ b\n──┼──',
      'a │ b\n──┼──\n1 │ 2',
    ])
    expect(seen(['#', '# He', 'ad'])).toEqual(['#', 'He', 'Head'])
    expect(seen(['``', '`s', 'h\n', 'ls -', 'l\n', '``', '`\n'])).toEqual([
      '',
      '',
      '  sh',
      '  sh\n    ls -',
      '  sh\n    ls -l',
      '  sh\n    ls -l',
      '  sh\n    ls -l',
    ])
  })

  it('is as wide as it will be, and in a narrow window no row of it is lost', () => {
    const [shown = ''] = seen([`${'word '.repeat(40)}**end**`], 200)
    expect(Math.max(...shown.split('\n').map((row) => row.length))).toBeLessThanOrEqual(120)
    expect(seen(['```\nx = "a  very long line of code"\n', '世界'], 12)).toEqual([
      '    x = "a\nvery long li\nne of code"',
      '    x = "a\nvery long li\nne of code"\n    世界',
    ])
  })

  it('shows all that has come of a long answer, whatever the pieces', () => {
    const words = Array.from({ length: 300 }, (_, index) => (index % 7 === 0 ? `**w${index}** ` : `w${index} `))
    const last = seen(words, 60).at(-1) ?? ''
    for (const word of words.slice(-20)) expect(last).toContain(word.replaceAll('*', '').trim())
    const items = seen([`${'- item\n'.repeat(10_000)}- the **end**`], 60)
    expect(items[0]).toMatch(/^• item\n[\s\S]*\n• the end$/)
    const code = seen([`Text\n\n\`\`\`sh\n${'ls -l\n'.repeat(1_000)}`, 'ls **'], 60)
    expect(code[1]).toMatch(/^ {4}ls -l\n {4}ls \*\*$/m)
    const rows = seen([`| a | b |\n|--|--|\n${'| 1 | 2 |\n'.repeat(1_000)}| **3`, '** | 4'], 60)
    expect(rows[1]).toMatch(/^1 │ 2\n3 │ 4$/m)
  })
})
