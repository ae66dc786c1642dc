import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../packages/stringd/test/support/daemon.ts'
import { type ExecReply, exec } from '../support/http.ts'

const CORPUS = fileURLToPath(new URL('../corpus', import.meta.url))
const NAMES = readdirSync(CORPUS)
  .filter((name) => name.endsWith('.expected'))
  .map((name) => name.slice(0, -'.expected'.length))

/** A daemon whose agent has the corpus in its home. */
async function startCorpus(): Promise<{
  exec: (command: string, topic?: string) => Promise<ExecReply>
  write: (name: string, content: string | Uint8Array) => void
}> {
  const { port, home } = await startTestDaemon()
  cpSync(CORPUS, home, { recursive: true })
  return {
    exec: (command, topic = 'main') => exec(port, command, { topic }),
    write: (name, content) => {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), content)
    },
  }
}

/** Files that git or an editor could damage, with the content that `/open` shows. */
const ODD_FILES: readonly (readonly [name: string, file: string | Uint8Array, shown: string])[] = [
  ['an empty file', '', ''],
  ['nothing but blanks', '   \n\t\n', '   \n\t\n'],
  ['no final newline', 'last line', 'last line'],
  ['no final newline behind a shortcut', '[@a A](a.md)', '[A][@a]'],
  ['no final newline behind a marker', 'text\n\n<!-- #a -->', 'text\n'],
  ['no final newline behind front matter', '---\ntitle: x\n---', ''],
  ['no final newline behind an action', 'text\n\n```act.x\nGET https://a.example/', '[actions] x\n\ntext\n'],
  ['no final newline behind a definition', 'text [A][@a]\n\n[@a]: a.md', 'text [A][@a]\n'],
  ['a byte-order mark before front matter', '\ufeff---\ntitle: Marked\n---\nText\n', 'Text\n'],
  ['a byte-order mark before text', '\ufeff# T\n', '# T\n'],
  [
    'CRLF',
    '---\r\ntitle: Windows\r\n---\r\n\r\n# A\r\n\r\n<!-- #b -->\r\n\r\nText [@c C](c.md)\r\n\r\n' +
      '```act.x\r\nGET https://a.example/\r\n```\r\n\r\n[@d]: d.md\r\n[!nav:main](./nav/main.md)\r\nEnd\r\n<!-- /b -->\r\n',
    '[actions] x\n[menus] main\n\n# A\r\n\r\nText [C][@c]\r\n\r\nEnd\r\n',
  ],
  [
    'CRLF in a label in a quote',
    '> [@a one\r\n> two](a.md) and [b\r\n> c](https://b.example/)\r\n',
    '> [one\r\n> two][@a] and [b\r\n> c][@b-c]\r\n',
  ],
  [
    'CRLF in a table',
    '| a | b |\r\n|---|---|\r\n| x | [@y Y](y.md) |\r\n',
    '| a | b |\r\n|---|---|\r\n| x | [Y][@y] |\r\n',
  ],
  ['mixed line ends', 'One\r\n\n<!-- #a -->\n\r\nTwo\n', 'One\r\n\nTwo\n'],
  ['CR', 'One\r\r<!-- #a -->\r\rTwo [@b B](b.md)\r', 'One\r\rTwo [B][@b]\r'],
  ['CR in front matter', '---\rtitle: Old\r---\r\rText\r', 'Text\r'],
  ['a no-break space is not blank', 'One\n\u00a0\n<!-- #a -->\n\nTwo\n', 'One\n\u00a0\n\nTwo\n'],
  ['a no-break space at the end', 'Text [@a A](a.md)\u00a0\n', 'Text [A][@a]\u00a0\n'],
  ['a line separator', 'a\u2028[@b B](b.md)\u2028c\n', 'a\u2028[B][@b]\u2028c\n'],
  ['a form feed and other controls', 'a\f\v\u0001 [@b B](b.md)\n', 'a\f\v\u0001 [B][@b]\n'],
  ['a very long line', `${'x'.repeat(20_000)} [@a A](a.md)\n`, `${'x'.repeat(20_000)} [A][@a]\n`],
  ['a NUL', 'a\0b', '(Binary file, 3 B)'],
  ['bytes that are not UTF-8', new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x0a]), '(Binary file, 5 B)'],
  ['a lone surrogate in bytes', new Uint8Array([0xed, 0xa0, 0x80]), '(Binary file, 3 B)'],
]

/** Parts of documents by address, and what stands in them, blank lines at the end left out. */
const PARTS: readonly (readonly [target: string, shown: string])[] = [
  ['blocks-nested.md#inner', 'Inner text.'],
  ['blocks-nested.md#outer', 'Outer begins.\n\nInner text.\n\nOuter ends.'],
  ['blocks-duplicate.md#same', 'first'],
  ['blocks-same-nested.md#twin', 'outer one\ninner\nouter two'],
  ['blocks-crossing.md#a', 'in a\nin both'],
  ['blank-block.md#padded', 'Padded.'],
  ['kitchen-sink.md#intro', 'See [the guide][@guide], [the site][@the-site] and [again][@again].'],
  ['include-plain.md#a', 'Plain part, first line.\n\nPlain part, last line.'],
  ['include-rich.md#two', '[actions] two\n\nBlock two with [Two][@two].'],
  ['sections.md#café-au-lait', '## Café au lait\n\nCoffee.'],
  ['sections.md#same', '## Same\n\nOne.'],
  ['sections.md#same-1', '## Same\n\nTwo.\n\n### Deep `code <b>` here\n\nThree.'],
  ['sections.md#deep-code-b-here', '### Deep `code <b>` here\n\nThree.'],
  ['sections.md#quiet-snake_case', '## _Quiet_ snake_case\n\nFour.'],
  ['sections.md#fish--chips', '## Fish &amp; chips\n\nFive.'],
  ['sections.md#linked-title', '## [Linked][@linked] **title**\n\nEight.'],
  ['sections.md#a', '## a\n\nfirst a'],
  ['sections.md#a-1', '## a-1\n\nthe heading that is called so'],
  ['sections.md#a-2', '## a\n\nsecond a'],
]

/** Documents that open with a warning. */
const WARNINGS: readonly (readonly [name: string, warning: RegExp])[] = [
  ['front-matter-bad', /^line \d+: .*column \d+/],
  ['front-matter-bomb', /alias/i],
  ['front-matter-list', /not a map/],
  ['blocks-unclosed', /^line 3: Block #open/],
  ['blocks-duplicate', /^line 4: Block #same/],
  ['blocks-same-nested', /^line 3: Block #twin/],
  ['blocks-crossing', /Block #b/],
  ['shortcuts-refused', /@link-9/],
  ['include-cycle', /includes itself/],
  ['include-missing', /File not found/],
  ['nav-several', /page is reserved/],
]

/** Documents by their titles. */
const TITLES: readonly (readonly [name: string, title: string | null])[] = [
  ['front-matter', 'Garden notes'],
  ['front-matter-bad', 'Still opens'],
  ['front-matter-types', '42'],
  ['front-matter-inner', 'Dashes inside'],
  ['front-matter-late', null],
  ['non-latin', '정원'],
  ['plain', 'A plain file'],
  ['include-rich', null],
]

/** Texts that are meant to hurt, some hundred kilobytes each. */
const HOSTILE: Readonly<Record<string, () => string>> = {
  '3,000 links': () =>
    Array.from({ length: 3_000 }, (_, index) => `[l ${index}](https://l.example/${index})\n`).join(''),
  'links on one line': () => '[a b](https://l.example/x) '.repeat(8_000),
  'equal shortcuts': () => '[@a b](x.md) [@a c](y.md)\n'.repeat(8_000),
  'opening brackets': () => '['.repeat(200_000),
  'closing brackets': () => '[]'.repeat(100_000),
  'links that never end': () => '[a](<b '.repeat(30_000),
  'images in images': () => `${'!['.repeat(20_000)}a${'](b)'.repeat(20_000)}`,
  'links that enclose links': () => `${'['.repeat(20_000)}a${'](b)'.repeat(20_000)}`,
  'a wide table': () =>
    `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|[x](https://t.example/)'.repeat(5_000)}|\n`,
  'a long table': () => `|a|b|\n|-|-|\n${'|[x](https://t.example/)|y|\n'.repeat(8_000)}`,
  'a table row of pipes': () => `|a|\n|-|\n|${'[x](https://t.example/)\\|'.repeat(8_000)}|\n`,
  markers: () => Array.from({ length: 6_000 }, (_, index) => `<!-- #m${index} -->\nx\n<!-- /m${index} -->\n`).join(''),
  'open markers': () => '<!-- #a -->\n'.repeat(16_000),
  'markers that close nothing': () =>
    `${Array.from({ length: 6_000 }, (_, index) => `<!-- #m${index} -->\n`).join('')}${'<!-- /no -->\n'.repeat(6_000)}`,
  definitions: () => Array.from({ length: 8_000 }, (_, index) => `[@d${index}]: https://d.example/\n`).join(''),
  headings: () => '# same\n\n'.repeat(20_000),
  menus: () => '[!nav:a](b.md)\n'.repeat(12_000),
  'includes of one missing file': () => '[!include:a](gone.md)\n'.repeat(8_000),
  'includes of one file': () => '[!include:a](parts/plain.md)\n\n'.repeat(6_000),
  quotes: () => `${'>'.repeat(100_000)}\n`,
  lists: () => `${'- '.repeat(50_000)}x\n`,
  'a ladder of lists': () => Array.from({ length: 400 }, (_, index) => `${'  '.repeat(index)}- x\n`).join(''),
  actions: () => '```act.a\nGET https://a.example/\n```\n\n'.repeat(6_000),
  'one giant paragraph': () => 'words and [x](https://p.example/) and [y](./z.md)\n'.repeat(4_000),
  'one giant line': () => 'words '.repeat(35_000),
  newlines: () => `${'\n'.repeat(30_000)}x\n\n`.repeat(6),
  'front matter': () => `---\n${'key: value\n'.repeat(20_000)}---\nText\n`,
  'front matter of keys': () =>
    `---\n${Array.from({ length: 8_000 }, (_, index) => `k${index}:\n`).join('')}---\nText\n`,
  'front matter in flow': () => `---\na: ${'['.repeat(2_000)}${']'.repeat(2_000)}\n---\nText\n`,
  'front matter in blocks': () =>
    `---\n${Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}---\nText\n`,
  'front matter of dashes': () => `---\n${'- '.repeat(20_000)}x\n---\nText\n`,
  'front matter of aliases': () =>
    `---\na: &a x\nb: [${Array.from({ length: 900 }, () => '*a').join(', ')}]\n---\nText\n`,
  'front matter without end': () => `---\n${'---x\n'.repeat(40_000)}`,
  'a comment without end': () => `<!--\n${'[@a b](c.md)\n'.repeat(16_000)}`,
  'inline HTML without end': () => `[a](b) ${'<!-- '.repeat(20_000)}${'<a b="'.repeat(20_000)}`,
  ticks: () => Array.from({ length: 600 }, (_, index) => `${'`'.repeat(index)}a`).join(''),
  'a document for the worker': () => 'words and [x](https://p.example/)\n\n'.repeat(12_000),
}

describe('the corpus', () => {
  it('is rendered as the specification says', async () => {
    const daemon = await startCorpus()
    for (const name of NAMES) {
      const { body, head } = await daemon.exec(`/open ${name}.md`)
      const expected = readFileSync(join(CORPUS, `${name}.expected`), 'utf8')
      expect.soft(body, name).toBe(expected)
      expect.soft(head.ok, name).toBe(true)
    }
    expect(NAMES.length).toBeGreaterThanOrEqual(45)
  })

  it('is the same when it is opened again', async () => {
    const daemon = await startCorpus()
    for (const name of NAMES) {
      const { body } = await daemon.exec(`/open ${name}.md`)
      expect((await daemon.exec('/refresh')).body, name).toBe(body.replace('Opened', 'Refreshed'))
    }
  })

  it('is shown as it is with --source', async () => {
    const daemon = await startCorpus()
    for (const name of NAMES) {
      const { body } = await daemon.exec(`/open ${name}.md --source`)
      expect(body, name).toBe(`Opened ${name}.md\n---\n${readFileSync(join(CORPUS, `${name}.md`), 'utf8')}`)
    }
  })

  it('is rendered with odd line ends, marks and bytes', async () => {
    const daemon = await startCorpus()
    for (const [name, file, shown] of ODD_FILES) {
      daemon.write('odd.md', file)
      const { body, head } = await daemon.exec('/open odd.md')
      expect.soft(body, name).toBe(`Opened odd.md\n---\n${shown}`)
      expect.soft(head.ok, name).toBe(true)
    }
  })

  it('is addressed in parts', async () => {
    const daemon = await startCorpus()
    daemon.write('blank-block.md', 'Before.\n\n<!-- #padded -->\n\nPadded.\n\n<!-- /padded -->\n')
    for (const [target, shown] of PARTS) {
      const { body } = await daemon.exec(`/open ${target}`)
      expect.soft(body.trimEnd(), target).toBe(`Opened ${target}\n---\n${shown}`)
    }
  })

  it('warns without a word in the text', async () => {
    const daemon = await startCorpus()
    for (const [name, warning] of WARNINGS) {
      const { head } = await daemon.exec(`/open ${name}.md`)
      const { warnings = [] } = head.meta as { warnings?: string[] }
      expect.soft(warnings.join('\n'), name).toMatch(new RegExp(warning.source, `m${warning.flags}`))
    }
  })

  it('has the titles of its front matter, else of its first heading', async () => {
    const daemon = await startCorpus()
    for (const [name, title] of TITLES) {
      const { head } = await daemon.exec(`/open ${name}.md`)
      expect.soft(head.meta?.title, name).toBe(title)
    }
  })
})

describe('shortcuts', () => {
  it('that are shown can be opened, whatever the label looks like', async () => {
    const daemon = await startCorpus()
    const target = `./${'long/'.repeat(9)}page.md`
    daemon.write(target, 'Here.\n')
    for (const label of [
      '-dash',
      'dash-',
      'a - b',
      '2031',
      ' padded ',
      'Link 1',
      'link-',
      'Ünü',
      '',
      'a_b',
      '--',
      'page',
    ]) {
      daemon.write('labels.md', `[${label}](${target})\n`)
      const { body } = await daemon.exec('/open labels.md')
      const [, shortcut] = /\]\[(@[^\]]+)\]\n$/.exec(body) ?? []
      expect.soft(shortcut, label).toBeDefined()
      expect.soft((await daemon.exec(`/open ${shortcut}`)).body, `${label}: ${shortcut}`).toMatch(/---\nHere\.\n$/)
    }
  })

  it('are found in a menu behind one that cannot be read', async () => {
    const daemon = await startCorpus()
    await daemon.exec('/open menus-broken.md')
    expect((await daemon.exec('/open @main.home', 'main')).head.ok).toBe(true)
    await daemon.exec('/open menus-broken.md')
    const { body } = await daemon.exec('/open @home')
    expect(body).toMatch(/^Opened @home\n---\n# A plain file/)
  })

  it('of a document that is included in part are those of the part', async () => {
    const daemon = await startCorpus()
    await daemon.exec('/open include-part-names.md')
    expect((await daemon.exec('/nav page --resolve')).body).toBe(
      'Menu: page\n---\n- [Far][@far] → https://root.example/far',
    )
  })
})

describe('includes', () => {
  it('are nested only so deep', async () => {
    const daemon = await startCorpus()
    for (let depth = 0; depth < 30; depth += 1) {
      daemon.write(`deep/${depth}.md`, `Level ${depth}.\n\n[!include:next](./${depth + 1}.md)\n`)
    }
    const { body, head } = await daemon.exec('/open deep/0.md')
    expect(head.ok).toBe(true)
    expect(body).toMatch(/^Opened deep\/0\.md\n---\nLevel 0\.\n\nLevel 1\.\n/)
    expect(body.match(/\[include next: .*\]/g)).toHaveLength(1)
  })

  it('of a document that doubles at every level end', async () => {
    const daemon = await startCorpus()
    for (let depth = 0; depth < 20; depth += 1) {
      const next = `[!include:next](./${depth + 1}.md)\n`
      daemon.write(`wide/${depth}.md`, `Level ${depth}.\n\n${next}${next}`)
    }
    const { body, head } = await daemon.exec('/open wide/0.md --full')
    expect(head.ok).toBe(true)
    expect(body.length).toBeLessThan(100_000)
  })
})

describe('S20: hostile documents', () => {
  for (const [name, make] of Object.entries(HOSTILE)) {
    it(`${name}: answered, in pages that are all of it`, async () => {
      const daemon = await startCorpus()
      daemon.write('hostile.md', make())
      const { body, head } = await daemon.exec('/open hostile.md')
      expect(head).toMatchObject({ ok: true, code: null })
      expect(JSON.stringify(head).length).toBeLessThan(65_536)
      const full = (await daemon.exec('/open --full')).body
      const count = Number(/\n\[page 1 of (\d+)\] \/open --page 2 for the next$/.exec(body)?.[1] ?? 1)
      expect(count).toBeGreaterThanOrEqual(Math.ceil(Buffer.byteLength(full) / LIMITS.pageBytes) - 1)
      let words = ''
      for (let page = 1; page <= count; page += 1) {
        const shown = (await daemon.exec(`/open --page ${page}`)).body.replace(/^Opened hostile\.md\n---\n/, '')
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(LIMITS.pageBytes)
        words += count === 1 ? shown : shown.replace(/\n\[page \d+ of \d+\].*$/, '')
      }
      expect(words.replace(/\s/g, '')).toBe(full.replace(/^Opened hostile\.md\n---\n/, '').replace(/\s/g, ''))
    })
  }
})
