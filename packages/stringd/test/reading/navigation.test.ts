import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

const PLACE = {
  'index.md':
    '---\ntitle: Home page\n---\n# Home\n\n[!nav:main](./nav/main.md)\n\n<!-- #intro -->\nSee [@guide Guide](./guide.md#setup), [Node](https://nodejs.org) and [@far Far](./sub/my%20page.md).\n<!-- /intro -->\n\nEnd.\n',
  'guide.md': '# Guide\n\n## Setup\n\nDo this.\n\n## Next\n\nDo that.\n',
  'sub/my page.md': 'Far away.\n',
  'nav/main.md':
    '# Menu\n\n- [@home Home](../index.md)\n- [@setup Set up](../guide.md#setup)\n- [plain](https://example.com)\n',
  'odd#name.md': 'A hash in the name.\n',
}

async function withPlace(
  files: Record<string, string> = PLACE,
): Promise<TestDaemon & { open: (cmd: string) => Promise<string>; run: typeof exec }> {
  const daemon = await startTestDaemon()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(daemon.home, path)), { recursive: true })
    writeFileSync(join(daemon.home, path), text)
  }
  return { ...daemon, run: exec, open: async (cmd) => (await exec(daemon.port, cmd)).body }
}

describe('/open by every address form', () => {
  it('takes path, path#block, path#heading, #block, @shortcut, @shortcut#block, @menu.id, @page.id and a name with a hash', async () => {
    const { open } = await withPlace()
    const home =
      'Opened index.md\n---\n[menus] main\n\n# Home\n\nSee [Guide][@guide], [Node][@node] and [Far][@far].\n\nEnd.\n'
    const setup = '\n---\n## Setup\n\nDo this.\n'
    const intro = '\n---\nSee [Guide][@guide], [Node][@node] and [Far][@far].\n'
    expect(await open('/open index.md')).toBe(home)
    expect(await open('/open #intro')).toBe(`Opened #intro${intro}`)
    expect(await open('/open @guide')).toBe(`Opened @guide${setup}`)
    expect(await open('/open ./index.md#intro')).toBe(`Opened ./index.md#intro${intro}`)
    expect(await open('/open @page.guide#next')).toBe('Opened @page.guide#next\n---\n## Next\n\nDo that.\n')
    await open('/open index.md')
    expect(await open('/open @main.setup')).toBe(`Opened @main.setup${setup}`)
    await open('/open index.md')
    expect(await open('/open @setup')).toBe(`Opened @setup${setup}`)
    await open('/open index.md')
    expect(await open('/open @far')).toBe('Opened @far\n---\nFar away.\n')
    expect(await open('/open ~/guide.md#setup')).toBe(`Opened ~/guide.md#setup${setup}`)
    expect(await open("/open 'odd#name.md'")).toBe('Opened odd#name.md\n---\nA hash in the name.\n')
  })

  it('sets title and current_block in meta', async () => {
    const { port, home } = await withPlace()
    const { head } = await exec(port, '/open index.md#intro')
    expect(head.meta).toMatchObject({
      uri: `file://${home}/index.md`,
      title: 'Home page',
      current_block: '#intro',
      menus: ['main'],
    })
  })

  it.each([
    ['the front matter’s', '---\ntitle: Front\n---\n# Heading\n', 'Front'],
    ['the first heading of level 1', '## Before\n\n# One\n\n# Two\n', 'One'],
    [
      'that heading without its marks',
      '# The `open` *road* to [home](x.md) &amp; back\n',
      'The open road to home & back',
    ],
    ['one that is underlined', 'Under\nlined\n===\n', 'Under lined'],
    ['the first that says something', '#\n\n# Here\n', 'Here'],
    ['the heading’s where the front matter has none', '---\ntags: [a]\n---\n# Heading\n', 'Heading'],
    ['null without either', '## Only this\n\n> # Quoted\n\n    # code\n', null],
  ])('calls a document by %s', async (_name, text, title) => {
    const { port } = await withPlace({ 'a.md': text })
    expect((await exec(port, '/open a.md')).head.meta).toMatchObject({ title })
  })

  it('says what exists when a shortcut, block, file or menu is unknown', async () => {
    const { open, run, port, home } = await withPlace()
    await open('/open index.md')
    expect(await open('/open @nope')).toBe(
      'ERROR(NOT_FOUND): Shortcut not found: @nope\n  Shortcuts: @guide, @far, @node, @main.home, @main.setup',
    )
    expect(await open('/open #nope')).toBe(
      'ERROR(BLOCK_NOT_FOUND): Block not found: #nope\n  Blocks: #intro\n  Sections: #home',
    )
    expect(await open('/open guide.md#nope')).toBe(
      'ERROR(BLOCK_NOT_FOUND): Block not found: guide.md#nope\n  /open guide.md --outline lists them\n  Sections: #guide, #setup, #next',
    )
    expect(await open('/open guide.md#set')).toContain(
      '#set\n  Did you mean #setup?\n  /open guide.md --outline lists them\n  Sections: ',
    )
    expect(await open('/open guide.md#setpu')).toContain('\n  Did you mean #setup?\n')
    // Who says not where it is, is told where that is.
    expect(await open('/open nope.md#x')).toBe(
      `ERROR(NOT_FOUND): File not found: nope.md\n  looked in: ${home}\n  /ls shows what exists`,
    )
    const cwd = join(home, 'noets')
    const gone = `There is no folder ${cwd} to work in; paths that begin with ~/ or / need none`
    for (const [cmd, typed] of [
      ['/ls .', '.'],
      ['/ls', 'noets'],
      ['/open ./nope.md', './nope.md'],
      ['/open nope.md#x', 'nope.md'],
      ['/find x .', '.'],
    ])
      expect((await run(port, cmd ?? '', { cwd })).body).toBe(`ERROR(NOT_FOUND): File not found: ${typed}\n  ${gone}`)
    for (const cmd of ['/edit ./guide.md', '/append ./guide.md\nx', '/install ./guide.md'])
      expect((await run(port, cmd, { cwd })).body).toContain(`File not found: ./guide.md\n  ${gone}\n  `)
    expect((await run(port, '/ls ~/nope', { cwd })).body).not.toContain('to work in')
    expect(await open('/open ./giude.md')).toContain('\n  Did you mean ./guide.md?\n')
    for (const typed of ['giude', 'guide'])
      expect(await open(`/open ./${typed}`)).toContain('\n  Did you mean ./guide.md?\n')
    expect(await open('/nav nope')).toBe('ERROR(NOT_FOUND): Menu not found: nope\n  Menus: main, page')
    // What failed changed nothing.
    expect(await open('/info')).toContain('uri: file://')
    expect(await open('/back')).toContain('NO_HISTORY')
  })

  it('needs an open document for @shortcut, #block and --page', async () => {
    const { open } = await withPlace()
    for (const target of ['@x', '#x']) expect(await open(`/open ${target}`)).toContain('ERROR(NO_DOCUMENT)')
    for (const cmd of ['/nav', '/refresh']) expect(await open(cmd)).toContain('ERROR(NO_DOCUMENT)')
    expect(await open('/open --page 2')).toContain('ERROR(USAGE)')
    expect(await open('/open')).toContain('ERROR(USAGE)')
  })

  it('gives the same document the same shortcuts, every time', async () => {
    const links = Array.from(
      { length: 50 },
      (_, index) =>
        `[Docs](https://example.com/${index}) [a longer label that has no slug](https://example.com/x${index})`,
    )
    const { open } = await withPlace({ 'links.md': links.join('\n\n') })
    const first = await open('/open links.md')
    await open('/close')
    expect(await open('/open links.md')).toBe(first)
    expect(first).toContain('[Docs][@docs-50] [a longer label that has no slug][@link-50]')
  })
})

describe('history', () => {
  it('/back returns to the document before, and says NO_HISTORY at the start', async () => {
    const { open } = await withPlace()
    await open('/open index.md')
    await open('/open guide.md')
    await open('/open ./sub/')
    await open('/open @x')
    expect(await open('/refresh')).toBe('Refreshed sub\n---\nmy page.md  10 B')
    await open('/open ~/nav')
    expect(await open('/back')).toBe('Back to sub\n---\nmy page.md  10 B')
    expect(await open('/back')).toMatch(/^Back to guide\.md\n---\n# Guide/)
    expect(await open('/back')).toMatch(/^Back to index\.md\n---\n/)
    expect(await open('/back')).toBe(
      'ERROR(NO_HISTORY): There is no earlier document in this topic\n  /open TARGET opens one',
    )
  })

  it('has no entry for #block, --page, /refresh, or the same document again', async () => {
    const { open } = await withPlace()
    await open('/open guide.md')
    await open('/open index.md')
    await open('/open index.md')
    await open('/open #intro')
    await open('/refresh')
    await open('/open --full')
    expect(await open('/back')).toMatch(/^Back to guide\.md\n/)
  })

  it('keeps the way back when the document before is gone', async () => {
    const { open, home } = await withPlace()
    await open('/open guide.md')
    await open('/open index.md')
    rmSync(join(home, 'guide.md'))
    expect(await open('/back')).toBe('ERROR(NOT_FOUND): File not found: guide.md\n  /ls shows what exists')
    expect(await open('/info')).toContain('history: guide.md')
    expect(await open('/info')).toContain('/index.md')
  })

  it('leads on past a document that is gone', async () => {
    const { open, home } = await withPlace()
    for (const name of ['index.md', 'guide.md', 'sub']) await open(`/open ${name}`)
    rmSync(join(home, 'guide.md'))
    expect(await open('/back')).toBe(
      'ERROR(NOT_FOUND): File not found: guide.md\n  /ls shows what exists\n  /back goes on to index.md',
    )
    expect(await open('/back')).toMatch(/^Back to index\.md\n/)
  })

  it('S13: what was open before passes the guard again', async () => {
    const { open, home, dir } = await withPlace()
    writeFileSync(join(dir, 'secret.md'), 'SECRET')
    await open('/open guide.md')
    await open('/open index.md')
    rmSync(join(home, 'guide.md'))
    symlinkSync(join(dir, 'secret.md'), join(home, 'guide.md'))
    expect(await open('/back')).toContain('ERROR(INVALID_PATH)')
    expect(await open('/open guide.md')).toContain('ERROR(INVALID_PATH)')
  })

  it('/refresh reads the file again, and a changed file is seen by every command', async () => {
    const { open, home } = await withPlace()
    await open('/open guide.md')
    writeFileSync(join(home, 'guide.md'), '# Changed\n\n[@new New](./index.md)\n')
    expect(await open('/refresh')).toBe('Refreshed guide.md\n---\n# Changed\n\n[New][@new]\n')
    writeFileSync(join(home, 'guide.md'), '# Again\n\n[@newer Newer](./index.md)\n')
    expect(await open('/nav page')).toBe('Menu: page\n---\n- [Newer][@newer]')
  })
})

describe('/nav', () => {
  it('lists menus with their entries when small, one menu, the page, and everything with targets', async () => {
    const { open } = await withPlace()
    await open('/open index.md')
    expect(await open('/nav')).toBe(
      'Menus\n---\n- main\n  - [Home][@main.home]\n  - [Set up][@main.setup]\n- page: 3 shortcuts, /nav page lists them',
    )
    expect(await open('/nav main')).toBe('Menu: main\n---\n- [Home][@main.home]\n- [Set up][@main.setup]')
    expect(await open('/nav page')).toBe('Menu: page\n---\n- [Guide][@guide]\n- [Far][@far]\n- [Node][@node]')
    expect(await open('/nav --resolve')).toBe(
      'Menus\n---\n- main\n  - [Home][@main.home] → ../index.md\n  - [Set up][@main.setup] → ../guide.md#setup\n- page\n  - [Guide][@guide] → ./guide.md#setup\n  - [Far][@far] → ./sub/my%20page.md\n  - [Node][@node] → https://nodejs.org',
    )
    expect(await open('/nav scaffold')).toMatch(/^Nav Scaffold\n---\n[\s\S]*\[!nav:main\]\(\.\/nav\/main\.md\)/)
  })

  it('shows large menus by their size, and a menu whose file is missing by the reason', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => `- [@e${index} Entry ${index}](./${index}.md)`)
    const { open } = await withPlace({
      'a.md': '[!nav:big](./big.md)\n[!nav:gone](./gone.md)\n',
      'big.md': entries.join('\n'),
    })
    await open('/open a.md')
    expect(await open('/nav')).toBe(
      'Menus\n---\n- big: 30 shortcuts, /nav big lists them\n- gone: File not found: ./gone.md\n- page: 0 shortcuts, /nav page lists them',
    )
  })
})

describe('a directive without a name', () => {
  it('is no content, and is said where the type needs one', async () => {
    const { port, open } = await withPlace({
      'a.md':
        '# A\n\n[!requirements](./requirements.md)\n\nText, and [!requirements](./inline.md).\n\n[!nav](./nav/main.md)\n\n[!include](./guide.md)\n',
    })
    const { head, body } = await exec(port, '/open a.md')
    expect(body).toBe('Opened a.md\n---\n# A\n\nText, and [!requirements](./inline.md).\n')
    const warnings = [7, 9].map((line) => {
      const type = line === 7 ? 'nav' : 'include'
      return `line ${line}: [!${type}] needs a name. Write [!${type}:name](path)`
    })
    expect(head.meta).toMatchObject({ warnings })
    expect(await open('/info')).toContain(`warning: ${warnings[0]}`)
    expect(await open('/nav page')).not.toContain('requirements.md')
  })
})

describe('long documents', () => {
  const long = Array.from({ length: 3000 }, (_, index) => `Paragraph ${index} ${'word '.repeat(5)}`).join('\n\n')

  it('come in pages of at most 32 KiB with a line that says how to go on', async () => {
    const { port, open } = await withPlace({ 'long.md': long })
    const first = await exec(port, '/open long.md')
    expect(first.head.meta).toMatchObject({ page: 1, pages: 4 })
    expect(first.body).toMatch(/\n\[page 1 of 4\] \/open --page 2 for the next$/)
    expect(Buffer.byteLength(first.body.slice('Opened long.md\n---\n'.length))).toBeLessThanOrEqual(32 * 1024)
    expect(await open('/open --page 2')).toMatch(/^Opened long\.md\n---\nParagraph \d+ /)
    expect(await open('/info')).toContain('page: 2 of 4')
    expect(await open('/open --page 4')).toMatch(/\n\[page 4 of 4\]$/)
    expect(await open('/open --page 5')).toBe('ERROR(INVALID_PARAMS): There is no page 5\n  Pages: 1 to 4')
    expect(await open('/open --page 0')).toContain('INVALID_PARAMS')
    expect(await open('/open long.md --full')).toBe(`Opened long.md\n---\n${long}`)
  })

  it('show their source, paged too', async () => {
    const { open } = await withPlace({
      'a.md': '---\ntitle: x\n---\n\n<!-- #b -->\n[@x X](./y.md)\n<!-- /b -->\n',
      'long.md': long,
    })
    expect(await open('/open a.md --source')).toBe(
      'Opened a.md\n---\n---\ntitle: x\n---\n\n<!-- #b -->\n[@x X](./y.md)\n<!-- /b -->\n',
    )
    const pages = []
    for (let page = 1; page <= 6; page += 1)
      pages.push(
        (await open(`/open long.md --source --page ${page}`))
          .replace(/^Opened long\.md\n---\n/, '')
          .replace(/\[page .*$/, ''),
      )
    expect(pages.join('').replace(/\n+/g, '\n')).toBe(`${long}\n`.replace(/\n+/g, '\n').replace(/\n$/, '\n'))
  })

  it('over 10 MiB are TOO_LARGE except as --source pages', async () => {
    const { open, home } = await withPlace({})
    writeFileSync(join(home, 'huge.md'), `${'line ☃ of text\n'.repeat(700_000)}`)
    expect(await open('/open huge.md')).toBe(
      'ERROR(TOO_LARGE): huge.md is larger than 10 MiB\n  /open huge.md --source shows it page by page, /open huge.md:L1-L200 lines of it',
    )
    const page = await open('/open huge.md --source --page 400')
    expect(page).toMatch(
      /^Opened huge\.md\n---\nline ☃ of text\n(line ☃ of text\n)*\[page 400 of \d+\] \/open --page 401 for the next$/,
    )
    expect(await open('/open --page 2')).toMatch(/\n\[page 2 of \d+\] /)
    expect(await open('/open huge.md --full --source')).toContain('TOO_LARGE')
  })

  it('S20: above what is parsed at once are parsed in a worker, with the same result', async () => {
    const { open } = await withPlace({ 'large.md': `${long}\n\n[Docs](https://example.com)\n\n`.repeat(5) })
    const last = await open('/open large.md --full')
    expect(last.length).toBeGreaterThan(256 * 1024)
    expect(last).toContain('[Docs][@docs-5]')
  })
})

describe('a file that is too large to be read as a whole', () => {
  it('shows its lines, and no answer leads back to itself', async () => {
    const text = Array.from({ length: 1_000_000 }, (_, index) => `line ${index + 1}\n`).join('')
    const { port, home } = await withPlace({ 'big.txt': text, 'bin.dat': '\0\u0001', 'f.md': '# A\n' })
    const said = async (cmd: string): Promise<string> => (await exec(port, cmd)).body
    expect(await said('/open ~/big.txt:L999999-L1000000')).toContain('  999999 │ line 999999\n 1000000 │ line 1000000')
    expect(await said('/open ~/big.txt:L1000000 --source')).toContain('  999990 │ line 999990\n')
    expect(await said('/open ~/big.txt:L1000001')).toContain('The file has 1000000 lines')
    expect(await said('/edit ~/big.txt:L1')).toContain('/open ~/big.txt:L1-L200 lines of it')
    expect(await said('/replace ~/big.txt:L1\nx')).toContain('/exec can change it')
    expect(await said("/find 'line 7' ~/big.txt -i")).toBe(
      "ERROR(TOO_LARGE): ~/big.txt was not searched: it is larger than 10 MiB\n  /exec grep -nFi -- 'line 7' ~/big.txt searches it",
    )
    expect(await said('/open ~/big.txt:L9-L3')).toBe(
      'ERROR(LINE_OUT_OF_RANGE): No such lines: ~/big.txt:L9-L3\n  They are written from the first to the last: ~/big.txt:L3-L9',
    )
    expect(await said('/open ~/f.md:L9-L3')).toContain('from the first to the last: ~/f.md:L3-L9')
    for (const asked of ['/nav', '/act', '/act.go', '/open @x', '/open #nope']) {
      await said('/open ~/big.txt --source')
      expect(await said(asked)).toContain(`ERROR(TOO_LARGE): ${asked.replace('/open ', '')}: big.txt is larger`)
      expect(await said('/open --page 2')).toContain('Opened big.txt\n---\nline ')
    }
    expect(await said('/refresh')).toContain('Refreshed big.txt\n---\nline 1\n')
    writeFileSync(join(home, 'big2.txt'), text)
    await said('/open ~/big2.txt:L7')
    expect(await said('/back')).toContain('Back to big.txt\n---\nline 1\n')
    expect(await said('/open ~/bin.dat:L1')).toContain('bin.dat is not text\n  /open ~/bin.dat describes it')
    expect(await said('/replace ~/f.md#nope\nx')).toContain('/open ~/f.md --outline lists them')
    expect(await said('/open /usr/share/x.md')).toContain('string agent allow default /usr/share opens')
    expect(await said('/open /usr/share/x')).toContain('allow default /usr/share opens')
    expect(await said('/open /usr/share/')).toContain('allow default /usr/share opens')
    expect(await said('/ls /usr/share')).toContain('allow default /usr/share opens')
    expect(await said('/find x /usr/share')).toContain('allow default /usr/share opens')
    expect(await said('/open /usr')).toContain('allow default /usr opens')
    expect(await said('/write /usr/share/x\nhi')).toContain('allow default /usr/share opens')
  })
})

describe('warnings', () => {
  it('never enter the text: they are in /info and in meta.warnings', async () => {
    const { port, open } = await withPlace({
      'a.md': '---\ntitle: [\n---\n\n<!-- #open -->\n\n[!include:x](./none.md)\n\nText\n',
    })
    const { head, body } = await exec(port, '/open a.md')
    expect(body).toBe('Opened a.md\n---\n[include x: File not found: ./none.md]\n\nText\n')
    expect(head.meta).toMatchObject({
      title: null,
      warnings: [
        'line 2: Front matter, column 8: [ is not closed. Write ] behind the last item; a list of several lines is indented',
        'line 5: Block #open is not closed. Write <!-- /open --> where it ends, alone on a line',
        'line 7: File not found: ./none.md. Mend what stands between its parentheses, or remove the include',
      ],
    })
    expect(await open('/info')).toContain('warning: line 5: Block #open is not closed')
  })
})

describe('hubs', () => {
  it.each(['app', 'bash', 'tool', 'event', 'system', 'agent'])(
    '%s is a page that teaches the commands, in its own topic wherever it was asked for',
    async (hub) => {
      const { port } = await withPlace()
      const { head, body } = await exec(port, `/open ${hub}`, { topic: 'main' })
      expect(head).toMatchObject({ ok: true, topic: hub, topic_type: 'hub', meta: { uri: `string://${hub}` } })
      expect(body).toMatch(new RegExp(`^Opened ${hub}\\n---\\n# `))
      expect(body).toContain('## Commands')
      expect((await exec(port, '/open', { topic: hub })).body).toMatch(new RegExp(`^Opened ${hub}\\n---\\n`))
    },
  )

  it('system tells version, address, folder, counts, limits and recent errors of this agent', async () => {
    const { port, dataDir, open } = await withPlace()
    await open('/open nope.md')
    const { body } = await exec(port, '/open system')
    for (const part of [`127.0.0.1:${port}`, dataDir, 'agents: 1', 'main /open: NOT_FOUND', '64 KiB, over MCP 32 KiB'])
      expect(body).toContain(part)
  })

  it('system costs at most 350 tokens, however much went wrong, and says where all limits are', async () => {
    const { port, open } = await withPlace()
    for (let index = 0; index < LIMITS.recentErrors; index += 1) await open('/replace nope.md:L5\nx')
    const { body } = await exec(port, '/open system')
    expect(body).toContain('main /replace: NOT_FOUND')
    expect(countTokens(body)).toBeLessThanOrEqual(350)
    const { body: limits, head } = await exec(port, '/help limits')
    expect(limits).toMatch(/^Limits\n---\n- defaultPort: 3923\n- queueWaiting: 5\n/)
    expect(limits.split('\n')).toHaveLength(Object.keys(LIMITS).length + 2)
    expect(head.data).toEqual({ limits: LIMITS })
  })

  it('an app that is not installed is NOT_FOUND in its own topic', async () => {
    const { port } = await withPlace()
    expect((await exec(port, '/open app:weather:korea')).head).toMatchObject({
      code: 'NOT_FOUND',
      topic: 'app:weather:korea',
      topic_type: 'app',
    })
  })

  it('a file with the name of a hub is opened by its path', async () => {
    const { open } = await withPlace({ system: 'A file.\n' })
    expect(await open('/open ./system')).toBe('Opened ./system\n---\nA file.\n')
  })
})

describe('a path that is no file', () => {
  it('is told by what it is: a link to itself or to nothing, or lines that are written otherwise', async () => {
    const { open, home } = await withPlace({ 'empty.md': '', 'guide.md': '# Guide\n' })
    symlinkSync('loop', join(home, 'loop'))
    symlinkSync('gone.md', join(home, 'link.md'))
    expect(await open('/open ~/loop')).toBe(
      'ERROR(NOT_FOUND): File not found: ~/loop\n  ~/loop is a link that leads to itself\n  /ls shows what exists',
    )
    expect(await open('/edit ~/loop')).toContain('ERROR(INVALID_PATH): ~/loop is a link that leads to itself')
    expect(await open('/open ~/link.md')).toContain('  ~/link.md is a link to gone.md, which is not there\n')
    for (const lines of ['Lx', '5', 'L5-L'])
      expect(await open(`/open ~/guide.md:${lines}`)).toContain(
        '  Lines are written ~/guide.md:L5 or ~/guide.md:L5-L10\n',
      )
    expect(await open('/open ~/empty.md:L1')).toContain('No such lines: ~/empty.md:L1\n  ~/empty.md is empty')
  })
})

describe('files that are no Markdown', () => {
  it('say that they are not UTF-8, from where on, and how to read them', async () => {
    const { open, home } = await withPlace()
    writeFileSync(join(home, 'latin.txt'), Buffer.from('some\ncaf\xe9 au lait\n', 'latin1'))
    const where = 'the first byte that is not stands at offset 8, in line 2'
    expect(await open('/open latin.txt')).toBe(
      `Opened latin.txt\n---\n(Text that is not UTF-8, 18 B: ${where})\n/exec iconv -f latin1 -t utf8 ${join(home, 'latin.txt')} shows it, if it is latin1`,
    )
    expect(await open('/append latin.txt\nx')).toBe(
      `ERROR(NOT_TEXT): latin.txt is not UTF-8: ${where}\n  /exec iconv -f latin1 -t utf8 latin.txt shows it, if it is latin1`,
    )
    expect(await open('/open latin.txt --source')).toContain('ERROR(NOT_TEXT): latin.txt is not UTF-8\n  /exec iconv')
    writeFileSync(join(home, 'wide.txt'), Buffer.from('\ufeffhello', 'utf16le'))
    expect(await open('/open wide.txt')).toContain('/exec iconv -f utf-16 -t utf8 ')
  })

  it('are shown as they are, and what is no text by type, size and dimensions', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0080200000000000000', 'hex')
    const { open, home } = await withPlace({ 'code.ts': 'const a = [x](https://example.com)\n<!-- #b -->\n' })
    writeFileSync(join(home, 'picture.png'), png)
    writeFileSync(join(home, 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]))
    expect(await open('/open code.ts')).toBe('Opened code.ts\n---\nconst a = [x](https://example.com)\n<!-- #b -->\n')
    expect(await open('/open picture.png')).toBe('Opened picture.png\n---\n(PNG image, 640 × 480, 33 B)')
    expect(await open('/open picture.png --source')).toContain('ERROR(NOT_TEXT)')
  })
})

describe('a menu of a local file', () => {
  it('is a file: nothing is fetched for /nav or a mistyped shortcut', async () => {
    const { open } = await withPlace({ 'a.md': '[!nav:m](http://127.0.0.1:1/x?delete=1)\n\nText\n' })
    await open('/open a.md')
    expect(await open('/nav m')).toBe(
      'ERROR(INVALID_TARGET): The menu of a file is a file, not http://127.0.0.1:1/x?delete=1\n  Mend the link in the document; /open opens a page by its address',
    )
    expect(await open('/open @typo')).toContain('ERROR(NOT_FOUND): Shortcut not found: @typo')
  })
})

describe('S13: includes, menus and shortcuts are confined like everything else', () => {
  it('reads nothing outside, whatever a document asks for', async () => {
    const daemon = await withPlace({
      'evil.md':
        '[!include:a](../secret.md)\n[!include:b](/etc/passwd)\n[!include:c](./link.md)\n[!include:d](file:///etc/passwd)\n[!include:e](~/.string/config.json)\n[!nav:m](../secret.md)\n\n[@out Out](../secret.md) [@abs Abs](/etc/passwd) [@file File](file:///etc/passwd) [@enc Enc](%2e%2e/secret.md)\n',
      '.string/config.json': 'SECRET',
    })
    writeFileSync(join(daemon.dir, 'secret.md'), 'SECRET [@x X](y.md)')
    symlinkSync(join(daemon.dir, 'secret.md'), join(daemon.home, 'link.md'))
    const text = await daemon.open('/open evil.md')
    expect(text).not.toMatch(/SECRET|root:/)
    for (const cmd of [
      '/nav',
      '/nav m',
      '/open @out',
      '/open @abs',
      '/open @file',
      '/open @enc',
      '/open @m.x',
      '/open link.md',
      '/open .string/config.json',
    ]) {
      await daemon.open('/open evil.md')
      expect(await daemon.open(cmd), cmd).not.toMatch(/SECRET|root:/)
    }
    expect(await daemon.open('/open @abs')).toContain(`Allowed: ${daemon.home}`)
  })
})
