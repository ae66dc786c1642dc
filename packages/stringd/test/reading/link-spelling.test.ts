import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { testRuntime } from '../support/runtime.ts'
import { startServer } from '../web/page-server.ts'

const FILES = {
  '~/docs/index.md':
    '# Docs\n\n[Page](./sub/page.md), [Part](./sub/page.md#two), [bare](notes.md), [up](../top.md), [dir](./sub/),\n' +
    '[odd](<./my page.md>), [encoded](./my%20page.md), [ref][r], [@named Named](./named.md), [gone](./gone.md)\n\n' +
    '[r]: ./ref.md\n\n[!include:part](./parts/part.md)\n\n`[code](./code.md)`\n',
  '~/docs/sub/page.md': '# One\n\n<!-- #two -->\nTwo\n<!-- /two -->\n',
  '~/docs/notes.md': 'notes of the docs\n',
  '~/top.md': 'top\n',
  '~/docs/my page.md': 'mine\n',
  '~/docs/ref.md': 'ref\n',
  '~/docs/named.md': 'named\n',
  '~/docs/code.md': 'code\n',
  '~/docs/parts/part.md': '[inner](./inner.md) [again](./sub/page.md)\n',
  '~/docs/parts/inner.md': 'inner\n',
  'sub/page.md': 'page of the project\n',
  'notes.md': 'notes of the project\n',
  'named.md': 'named in the project\n',
  'gone.md': 'here\n',
  'code.md': 'code of the project\n',
}

/** The index of some documents is open; the caller works in a project that has files of the same names. */
async function place(files: Record<string, string> = FILES) {
  const runtime = testRuntime()
  const project = join(tempDir(), 'project')
  const at = (path: string): string => (path.startsWith('~/') ? join(runtime.home, path.slice(2)) : join(project, path))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  const reply = (command: string, topic = 'main'): Promise<string> => runtime.reply(command, topic, project)
  await reply('/open ~/docs/index.md')
  return { ...runtime, at, reply, read: (path: string) => readFileSync(at(path), 'utf8') }
}

describe('/open of a target that the open document shows as a link', () => {
  it.each([
    ['./sub/page.md', '# One\n\nTwo\n'],
    ['./sub/page.md#two', 'Two\n'],
    ['./sub/page.md#one', '# One\n\nTwo\n'],
    ['notes.md', 'notes of the docs\n', '~/docs/notes.md'],
    ['../top.md', 'top\n'],
    ['./sub/', 'page.md  39 B'],
    ['"./my page.md"', 'mine\n'],
    ['./my%20page.md', 'mine\n'],
    ['./ref.md', 'ref\n'],
    ['./inner.md', 'inner\n'],
  ])('%s is that link, whatever folder the caller is in', async (target, text, shown = target.replaceAll('"', '')) => {
    const { reply } = await place()
    expect(await reply(`/open ${target}`)).toBe(`Opened ${shown}\n---\n${text}`)
  })

  it('is a path by the usual rules where the page does not show it', async () => {
    const { reply } = await place()
    expect(await reply('/open ./named.md')).toContain('named in the project')
    expect(await reply('/open @named')).toContain('NOT_FOUND')
    expect(await reply('/open ~/docs/index.md')).toContain('[Named][@named]')
    expect(await reply('/open ./code.md')).toContain('code of the project')
  })

  it('is a path by the usual rules where the link leads nowhere', async () => {
    const { reply, at } = await place()
    expect(await reply('/open ./gone.md')).toContain('here')
    await reply('/open ~/docs/index.md')
    rmSync(at('gone.md'))
    expect(await reply('/open ./gone.md')).toBe('ERROR(NOT_FOUND): File not found: ./gone.md\n  /ls shows what exists')
  })

  it('is a path by the usual rules in a topic that shows another document, or none', async () => {
    const { reply } = await place()
    expect(await reply('/open ./sub/page.md', 'other')).toContain('page of the project')
    await reply('/open ~/top.md')
    expect(await reply('/open ./sub/page.md')).toContain('page of the project')
    expect(await reply('/back')).toContain('Back to top.md')
    await reply('/back')
    expect(await reply('/open ./sub/page.md')).toContain('# One')
  })

  it('says that a link leads out of the workspace when nothing else has its spelling', async () => {
    const { reply } = await place({ '~/docs/index.md': '[out](../../../out.md)\n', 'x.md': '' })
    expect(await reply('/open ../../../out.md')).toContain('ERROR(INVALID_PATH): Outside the workspace')
  })

  it('a file whose name holds a hash wins over a block of a linked one', async () => {
    const { reply } = await place({ '~/docs/index.md': '[a](a.md)\n', '~/docs/a.md': '# A\n', 'a.md#b': 'hash\n' })
    expect(await reply('/open a.md#b')).toContain('hash')
    await reply('/back')
    expect(await reply('/open a.md')).toContain('# A')
  })

  it('holds for the links of a page from the web', async () => {
    const pages: Record<string, string> = {
      '/docs/index.md': '# Web\n\n[Next](./next.md) [Top](/top.md)\n',
      '/docs/next.md': 'next\n',
      '/top.md': 'top\n',
    }
    const { origin } = await startServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end(pages[request.url ?? ''])
    })
    const { port, dir } = await startTestDaemon()
    const cwd = join(dir, 'work')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'next.md'), 'mine\n')
    await exec(port, `/open ${origin}/docs/index.md`, { cwd })
    expect((await exec(port, '/open ./next.md', { cwd })).body).toBe('Opened ./next.md\n---\nnext\n')
    await exec(port, '/back', { cwd })
    expect((await exec(port, '/open /top.md', { cwd })).body).toBe('Opened /top.md\n---\ntop\n')
    await exec(port, '/back', { cwd })
    expect((await exec(port, '/append ./next.md\nmore', { cwd })).body).toBe('Appended to: ./next.md (now 10 bytes)')
  })

  it('lists a folder that is linked', async () => {
    const { reply } = await place()
    expect(await reply('/ls ./sub/')).toBe('Listing ./sub/\n---\npage.md  39 B')
  })
})

describe('an edit of a target that the open document shows as a link', () => {
  it.each([
    ['/append ./sub/page.md\nx', 'Appended to: ~/docs/sub/page.md (now 41 bytes)'],
    ['/write ./sub/page.md\nx', 'Written: ~/docs/sub/page.md (2 bytes, 1 line), replaced 5 lines'],
    ['/edit ./sub/page.md\nx', 'Edited ~/docs/sub/page.md (1 line, whole file)'],
    ['/edit ./sub/page.md#two\nx', 'Edited ~/docs/sub/page.md#two (1 line)'],
    ['/write ./sub/page.md#two\nx', 'Written: ~/docs/sub/page.md#two (37 bytes, 5 lines), replaced 1 line'],
    ['/replace ./sub/page.md:L1\nx', 'Replaced ~/docs/sub/page.md:L1 (added 1 line, removed 1 line)'],
    ['/replace ./sub/page.md\nTwo\n---\nx', 'Replaced ~/docs/sub/page.md (added 1 line, removed 1 line)'],
  ])('%j changes the file of the link', async (command, answer) => {
    const { reply, read } = await place()
    expect((await reply(command)).split('\n---\n')[0]).toBe(answer)
    expect(read('~/docs/sub/page.md')).toContain('x\n')
    expect(read('sub/page.md')).toBe('page of the project\n')
  })

  it('goes on when the link has been opened, by the same spelling', async () => {
    for (const open of ['/open ./sub/page.md', '/edit ./sub/page.md', '/open ./sub/page.md --source']) {
      const { reply, read } = await place()
      await reply(open)
      expect(await reply('/edit ./sub/page.md'), open).toContain('[editing: ~/docs/sub/page.md]\n---\n 1 │ # One')
      expect(await reply('/verify ./sub/page.md#two')).toBe('Verified ./sub/page.md#two\n---\nTwo\n')
      expect(await reply('/replace ./sub/page.md:L1\n# Uno')).toContain('Replaced ~/docs/sub/page.md:L1')
      expect(await reply('/open ./sub/page.md')).toContain('Opened ./sub/page.md\n---\n# Uno')
      expect(read('sub/page.md')).toBe('page of the project\n')
    }
  })

  it('makes a new file by the usual rules where the link leads nowhere', async () => {
    const { reply, at, read } = await place()
    rmSync(at('gone.md'))
    expect(await reply('/write ./gone.md\nnew')).toBe('Written: ./gone.md (4 bytes, 1 line)')
    expect(read('gone.md')).toBe('new\n')
    expect(await reply('/open ./gone.md')).toContain('new')
  })

  it('is none of the page of a folder that is linked', async () => {
    const { reply, read } = await place({
      '~/docs/index.md': '[dir](./sub)\n',
      '~/docs/sub/README.md': 'page\n',
      'x.md': '',
    })
    expect(await reply('/write ./sub\nx')).toBe('Written: ./sub (2 bytes, 1 line)')
    expect(read('~/docs/sub/README.md')).toBe('page\n')
    expect(await reply('/open ./sub')).toBe('Opened ./sub\n---\npage\n')
  })

  it('is shown by /edit as the file that a body would change', async () => {
    const { reply } = await place()
    expect(await reply('/edit notes.md')).toBe('[editing: ~/docs/notes.md]\n---\n 1 │ notes of the docs')
  })
})

describe('a bare name that something else has where the caller stands', () => {
  it('is shown by where it was found, by every command that reads', async () => {
    const { reply } = await place()
    await reply('/open ~/docs/ref.md')
    expect(await reply('/open notes.md:L1')).toBe('Opened ~/docs/notes.md:L1\n---\n 1 │ notes of the docs')
    expect(await reply('/find project notes.md')).toMatch(/^Found nothing in ~\/docs\/notes.md \(1 file searched\)\n/)
    expect(await reply('/ls sub')).toMatch(/^Listing ~\/docs\/sub\/\n/)
    expect(await reply('/open ./notes.md')).toContain('Opened ./notes.md\n---\nnotes of the project')
  })

  it('is shown as it was typed where nothing else is meant', async () => {
    const { reply } = await place()
    expect(await reply('/open ref.md')).toBe('Opened ref.md\n---\nref\n')
    expect(await reply('/find inner parts/inner.md')).toContain('Found 1 line in 1 file')
  })
})
