import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { OTHER_UID } from '../../../../test/support/other-user.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { Workspace } from '../../src/files/workspace.ts'
import { createMatcher } from '../../src/search/pattern.ts'
import { FileSearch } from '../../src/search/search-files.ts'
import { Searcher } from '../../src/search/searcher.ts'
import { appPlace } from '../support/app-place.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { type TestRuntime, testRuntime } from '../support/runtime.ts'

function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function place(files: Readonly<Record<string, string | Buffer>>): TestRuntime {
  const runtime = testRuntime()
  put(runtime.home, files)
  return runtime
}

describe('/find', () => {
  it('answers in lines, the nearest files first, each with its target', async () => {
    const { reply } = place({
      'b.md': '# B\n\nthe port is 80\n',
      'a/deep.md': 'port of a deep file\r\nnot this\r\n\tport again\r\n',
      'none.md': 'nothing\n',
    })
    expect(await reply('/find port')).toBe(
      [
        'Found 3 lines in 2 files (3 files searched)',
        '---',
        '~/b.md:L3: the port is 80',
        '~/a/deep.md:L1: port of a deep file',
        '~/a/deep.md:L3: \tport again',
      ].join('\n'),
    )
  })

  it.each([
    ['at home', ''],
    ['in a folder', 'sub'],
  ])('gives targets that /open, /edit and /replace take as they stand, %s', async (_name, folder) => {
    const { reply, result, home } = place({
      'plain.md': 'one\ntwo needle\n',
      "it's my #1 note.md": 'a needle\n',
      'sub/odd#name.md': 'x\ny needle\n',
      'sub/other.md': 'needle\n',
    })
    const cwd = folder === '' ? null : join(home, folder)
    const { content } = await result('/find needle ~', 'main', cwd)
    const rows = (content ?? '').split('\n').map((row) => /^(.*?): (.*)$/.exec(row) ?? [])
    expect(rows).toHaveLength(4)
    for (const [, target = '', text = ''] of rows) {
      expect(await reply(`/open ${target}`, 'reader', cwd)).toContain(`│ ${text}`)
      expect(await reply(`/edit ${target}`, 'reader', cwd)).toContain(`│ ${text}`)
      expect(await result(`/replace ${target}\n${text} changed`, 'writer', cwd)).toMatchObject({ ok: true })
    }
    expect(await reply('/find "needle changed" ~ --files', 'main', cwd)).toContain('Found 4 files')
  })

  it('means the file that it found, also where the open document links to another one under that name', async () => {
    const { reply, home } = place({
      'sub/index.md': '[x](./docs/a.md)\n',
      'sub/docs/a.md': 'not this\n',
      'docs/a.md': 'the needle\n',
    })
    await reply('/open ./sub/index.md', 'main', home)
    const found = await reply('/find needle . ', 'main', home)
    expect(found).toContain(`${home}/docs/a.md:L1: the needle`)
    expect(await reply(`/open ${home}/docs/a.md:L1`, 'main', home)).toContain('the needle')
  })

  it('takes a file as PATH, and starts at cwd, else at the folder of the open document', async () => {
    const { reply, home } = place({ 'x/a.md': 'word\n', 'x/b.md': 'word\n', 'y/c.md': 'word\n' })
    expect(await reply('/find word x/b.md')).toBe('Found 1 line in 1 file (1 file searched)\n---\n~/x/b.md:L1: word')
    expect(await reply('/find word', 'main', join(home, 'y'))).toContain('\n./c.md:L1: word')
    await reply('/open x/a.md')
    expect(await reply('/find word')).toMatch(/Found 2 lines in 2 files/)
    expect(await reply('/find word missing')).toMatch(/^ERROR\(NOT_FOUND\)/)
  })

  it('takes regular expressions, line by line, and says what is wrong with one', async () => {
    const { reply } = place({ 'a.ts': 'retryCount\nretry\nLimit\nend;\n  foo\n', 'b.ts': 'RetryLimit and -x\n' })
    expect(await reply("/find 'retry(Count|Limit)' --regex")).toContain('Found 1 line in 1 file')
    expect(await reply("/find 'retry(Count|Limit)' --regex -i")).toContain('Found 2 lines in 2 files')
    expect(await reply("/find 'retry[^z]*Limit' --regex")).toContain('Found nothing')
    expect(await reply("/find '^end;$' --regex")).toContain('~/a.ts:L4: end;')
    expect(await reply("/find 'retry(?!\\s)' --regex")).toContain('a.ts:L2: retry')
    expect(await reply("/find '\\-x' --regex")).toContain('b.ts:L1')
    expect(await reply("/find '(' --regex")).toMatch(
      /^ERROR\(INVALID_PARAMS\): Not a regular expression: \( \(Unterminated group\)/,
    )
    expect(await reply("/find '('")).toContain('Found nothing')
  })

  it('shows lines around each under one target for all of them', async () => {
    const { reply } = place({ 'a.md': 'l1\nl2\nl3 x\nl4\nl5 x\nl6\nl7\nl8\nl9\nl10 x\n' })
    expect(await reply('/find x --context 1')).toBe(
      [
        'Found 3 lines in 1 file (1 file searched)',
        '---',
        '~/a.md:L2-L6',
        ' 2  │ l2',
        ' 3 *│ l3 x',
        ' 4  │ l4',
        ' 5 *│ l5 x',
        ' 6  │ l6',
        '~/a.md:L9-L10',
        '  9  │ l9',
        ' 10 *│ l10 x',
      ].join('\n'),
    )
    expect(await reply('/find x --context 21')).toMatch(/^ERROR\(INVALID_PARAMS\): --context takes 0 to 20/)
  })

  it('lists only files with --files, by their text or their name', async () => {
    const { reply } = place({ 'invoice.md': 'nothing\n', 'a.md': 'an invoice\nand an invoice\n', 'b.md': 'none\n' })
    expect(await reply('/find invoice --files')).toBe(
      'Found 2 files in ~ (3 files searched)\n---\n~/a.md: 2 lines\n~/invoice.md: by its name',
    )
  })

  it('says the same as fields', async () => {
    const { result } = place({ 'a.md': 'x\nneedle\n' })
    expect(await result('/find needle')).toMatchObject({
      data: { path: '~', searched: 1, complete: true, matches: [{ path: '~/a.md', line: 2, text: 'needle' }] },
    })
  })
})

describe('/find leaves out', () => {
  it('what git ignores: files at every level, negations, the exclude file, and .git itself', async () => {
    const { reply, home } = place({
      '.gitignore': '*.log\n!keep.log\n/build/\nnode_modules\n',
      '.git/info/exclude': 'secret.txt\n',
      '.git/config': 'needle\n',
      'a.log': 'needle\n',
      'keep.log': 'needle\n',
      'secret.txt': 'needle\n',
      'build/out.txt': 'needle\n',
      'src/build/out.txt': 'needle\n',
      'src/.gitignore': '*.gen\n!*.log\n',
      'src/b.gen': 'needle\n',
      'src/c.log': 'needle\n',
      'src/.hidden': 'needle\n',
      'src/node_modules/x.js': 'needle\n',
    })
    const files = async (path: string): Promise<string[]> =>
      [...(await reply(`/find needle ${path} --files`)).matchAll(/^~\/(.*): 1 line$/gm)].map(([, name = '']) => name)
    expect(await files('~')).toEqual(['keep.log', 'src/.hidden', 'src/c.log', 'src/build/out.txt'])
    // The rules around a folder hold when only that is searched.
    put(home, { 'src/deep/.gitignore': '', 'src/deep/d.gen': 'needle\n', 'src/deep/e.txt': 'needle\n' })
    expect(await files('src/deep')).toEqual(['src/deep/e.txt'])
    // What is named is searched, ignored or not.
    expect(await files('build')).toEqual(['build/out.txt'])
    expect(await files('a.log')).toEqual(['a.log'])
  })

  it('what is no text, and says that it has it', async () => {
    const { reply } = place({
      'a.bin': Buffer.from('needle\0'),
      'b.txt': Buffer.from([0xe9, ...Buffer.from(' needle')]),
      'c.txt': '\ufeffneedle é\n',
    })
    expect(await reply('/find needle')).toBe(
      'Found 1 line in 1 file (3 files searched)\n---\n~/c.txt:L1: needle é\n[2 files that are no text have it too]',
    )
  })

  it('closed folders, links that lead out of the workspace, and what was seen already', async () => {
    const outside = tempDir()
    put(outside, { 'out.md': 'needle\n' })
    const { home, port, dataDir } = await startTestDaemon()
    put(home, {
      'a.md': 'needle\n',
      '.string/config.json': 'needle\n',
      'other/.string/x.md': 'needle\n',
      'dir/b.md': 'needle\n',
    })
    symlinkSync(outside, join(home, 'to-outside'))
    symlinkSync(join(outside, 'out.md'), join(home, 'out.md'))
    symlinkSync(home, join(home, 'dir/loop'))
    symlinkSync(dataDir, join(home, 'data'))
    symlinkSync('a.md', join(home, 'again.md'))
    symlinkSync('nowhere', join(home, 'broken'))
    const { body } = await exec(port, '/find needle --files')
    expect(body).toBe(
      'Found 3 files in ~ (3 files searched)\n---\n~/a.md: 1 line\n~/dir/b.md: 1 line\n~/other/.string/x.md: 1 line',
    )
    expect((await exec(port, `/find needle ${outside}`)).body).toMatch(/^ERROR\(INVALID_PATH\)/)
    expect((await exec(port, '/find needle to-outside')).body).toMatch(/^ERROR\(INVALID_PATH\)/)
    expect((await exec(port, '/find needle .string')).body).toMatch(/^ERROR\(INVALID_PATH\)/)
  })

  it.runIf(process.platform === 'linux')(
    'what a folder leads to that was swapped for a link since the guard looked',
    async () => {
      const outside = tempDir()
      put(outside, { 'out.md': 'needle\n', 'in/deep.md': 'needle\n' })
      const real = join(tempDir(), 'swapped')
      symlinkSync(outside, real)
      const found: string[] = []
      const pattern = { text: 'needle', isRegex: false, ignoreCase: false }
      const matcher = createMatcher(pattern)
      if (!matcher.ok) throw new Error(matcher.problem)
      const search = new FileSearch({
        task: {
          root: { path: real, real, isFolder: true },
          above: [],
          pattern,
          filesOnly: false,
          context: 0,
          withinMs: LIMITS.searchMs,
          share: { index: 0, of: 1 },
        },
        matcher,
        found: ({ path }) => found.push(path),
        ask: async ({ folders }) => ({ folders: folders.map(() => true), links: [] }),
      })
      expect(await search.run()).toMatchObject({ files: 2 })
      expect(found).toEqual([])
    },
  )

  it('the packages of others: an app sees its own, by names that it can open', async () => {
    const { reply, put: write } = await appPlace()
    write({
      'one/string.md': '# One\nneedle one\n',
      'one/pages/two.md': 'needle two\n',
      'other/string.md': 'needle other\n',
      'note.md': 'needle at home\n',
    })
    for (const name of ['one', 'other']) await reply(`/install --app ./${name}`)
    const body = await reply('/find needle', 'app:one')
    expect(body.split('\n').slice(2)).toEqual(['string.md:L2: needle one', 'pages/two.md:L1: needle two'])
    expect(await reply('/open string.md:L2', 'app:one')).toContain('│ needle one')
    expect(await reply('/open pages/two.md:L1', 'app:one')).toContain('│ needle two')
    expect(await reply('/find needle ~ --files', 'main')).not.toContain('packages')
  })

  it('nothing that a link leads to inside the workspace, when it stands elsewhere there', async () => {
    const { reply, home } = place({ 'docs/a.md': 'needle\n', 'docs/one.md': 'needle\n', 'project/b.md': 'needle\n' })
    symlinkSync(join(home, 'docs'), join(home, 'project/docs'))
    expect(await reply('/find needle project --files')).toContain(
      '~/project/b.md: 1 line\n~/project/docs/a.md: 1 line\n~/project/docs/one.md: 1 line',
    )
  })

  it('what it may not read, and says so', async () => {
    const { reply, home } = place({ 'a.md': 'needle\n' })
    chmodSync(join(home, 'a.md'), 0)
    // Root may read everything: it is somebody else for a while, who can enter the home.
    const { seteuid } = process
    const isRoot = seteuid !== undefined && process.getuid?.() === 0
    for (let dir = home; isRoot && dir !== '/'; dir = dirname(dir)) {
      if ((statSync(dir).mode & 0o001) === 0) chmodSync(dir, 0o711)
    }
    if (isRoot) seteuid(OTHER_UID)
    try {
      expect(await reply('/find needle')).toContain('cannot be read: 1')
    } finally {
      if (isRoot) seteuid(0)
    }
  })
})

describe('/find is bounded', () => {
  it('in the lines of a file, which it counts and can be asked for', async () => {
    const { reply } = place({ 'many.log': 'a needle here\n'.repeat(150), 'z.md': 'needle\n' })
    const body = await reply('/find needle')
    expect(body).toContain('Found 151 lines in 2 files')
    expect(body.match(/many\.log:L/g)).toHaveLength(LIMITS.foundLinesInFile)
    expect(body).toContain('[~/many.log has 130 more lines: /find needle ~/many.log]\n~/z.md:L1: needle')
    expect((await reply('/find needle ~/many.log')).match(/many\.log:L/g)).toHaveLength(LIMITS.foundLines)
  })

  it('in all, and says how to narrow it', async () => {
    const { reply } = place(Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`f${at}.md`, 'needle\n'])))
    const body = await reply('/find needle')
    expect(body.match(/:L1: needle/g)).toHaveLength(LIMITS.foundLines)
    expect(body).toMatch(/^Found the first 100 lines in 100 files; there may be more \(\d+ files searched\)\n/)
    expect(body).toContain('[There may be more than these 100 lines: a longer TEXT or a smaller PATH narrows it')
  })

  it('in the length of a line and of the answer', async () => {
    const long = `${'x'.repeat(5_000)} needle ${'y'.repeat(5_000)}`
    const { reply } = place(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.md`, `${`${long}\n`.repeat(3)}`])),
    )
    const one = await reply('/find needle f1.md')
    expect(one).toContain('L1: …xxx')
    expect(one).toContain('xxx needle yyy')
    const all = await reply('/find needle --context 2')
    expect(Buffer.byteLength(all)).toBeLessThanOrEqual(LIMITS.pageBytes)
    expect(all).toContain('did not fit')
  })

  it('in the size of a file', async () => {
    const { reply } = place({
      'large.txt': `${'a'.repeat(LIMITS.documentBytes)}\nneedle\n`,
      'b.txt': `${'b'.repeat(2_000_000)}\nneedle\n`,
    })
    const body = await reply('/find needle')
    expect(body).toContain('~/b.txt:L2: needle')
    expect(body).toContain('[Not searched, for being over 10 MiB: 1 file; /exec grep searches it]')
  })

  it('S30: by whoever stops it, and nobody else waits for it meanwhile', async () => {
    const { port, home } = await startTestDaemon()
    put(home, { 'hang.txt': `${'a'.repeat(60)}!\n`, 'b.txt': 'needle\n' })
    const hangs = exec(port, "/find '^(a+)+$' --regex", { topic: 'one' })
    for (let turn = 0; turn < 20; turn += 1)
      expect((await exec(port, '/info', { topic: 'two' })).body).toContain('Session info')
    await call(port, 'POST', '/sessions/default/one/cancel')
    expect((await hangs).body).toMatch(/^ERROR\(CANCELLED\)/)
    expect((await exec(port, '/find needle', { topic: 'one' })).body).toContain('Found 1 line')
  })

  it('in time, whatever the expression: what was found by then is shown', async () => {
    const { home } = place({ 'a.txt': 'needle\n', 'b/hang.txt': `${'a'.repeat(60)}!\n` })
    const workspace = new Workspace({
      home,
      allowed: [],
      cwd: null,
      folder: () => null,
      dataDir: join(home, 'data'),
      located: new Map(),
      realFolders: new Map(),
      isHome: () => false,
    })
    const root = workspace.locate('~')
    if (!root.ok) throw new Error(root.system)
    const { signal } = new AbortController()
    const searcher = new Searcher()
    const search = (text: string, limitMs: number): ReturnType<Searcher['search']> =>
      searcher.search({
        pattern: { text, isRegex: true, ignoreCase: false },
        filesOnly: false,
        context: 0,
        place: root,
        workspace,
        signal,
        limitMs,
      })
    // The threads are there before the time counts.
    await search('needle', LIMITS.searchMs)
    const [hung, ...others] = await Promise.all([
      search('^(a+)+$|needle', 2_000),
      ...Array.from({ length: 3 }, () => search('needle', LIMITS.searchMs)),
    ])
    expect(hung).toMatchObject({ ok: true, summary: null, files: [{ path: join(home, 'a.txt'), total: 1 }] })
    expect(others).toMatchObject(Array(3).fill({ ok: true, summary: { files: 2, stopped: null } }))
    expect(await search('needle', LIMITS.searchMs)).toMatchObject({ ok: true, summary: { files: 2 } })
  })
})

describe('what git ignores', () => {
  const RULES = [
    'plain',
    '*.log',
    '!keep.log',
    '/top',
    'dir/',
    'a/b',
    'a/*.c',
    '**/deep',
    'x/**',
    'm/**/n',
    '[ab].t',
    '[!ab].u',
    '\\#hash',
    '\\!bang',
    'trail\\ ',
    'blank   ',
    '# comment',
    'q?z',
    '*.[oa]',
    'abc/**/',
    '!abc/keep/',
    'foo*bar*',
    '[[:digit:]]x',
    '[',
    'a\\*b',
    '/*.md',
    '!/README.md',
  ]
  const PATHS = [
    'plain',
    'sub/plain',
    'x.log',
    'keep.log',
    'sub/keep.log',
    'top',
    'sub/top',
    'dir/f',
    'sub/dir/f',
    'sub2/dir',
    'a/b',
    'z/a/b',
    'a/q.c',
    'a/z/q.c',
    'deep',
    'p/q/deep',
    'x/1',
    'x/2/3',
    'sub/x/1',
    'm/n',
    'm/o/n',
    'm/o/p/n',
    'a.t',
    'c.t',
    'a.u',
    'c.u',
    '#hash',
    '!bang',
    'trail ',
    'trail',
    'blank',
    'qaz',
    'q/z',
    'lib.o',
    'lib.a',
    'lib.so',
    'abc/keep/f',
    'abc/drop/f',
    'fooXbarY',
    'foobar',
    '1x',
    'ax',
    '[',
    'a*b',
    'aXb',
    'README.md',
    'OTHER.md',
    'sub/OTHER.md',
  ]

  it('is what git itself says', async () => {
    const { reply, home } = place(Object.fromEntries(PATHS.map((path) => [path, 'needle\n'])))
    put(home, { '.gitignore': `${RULES.join('\n')}\n`, 'sub/.gitignore': '!plain\nOTHER*\r\n' })
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', home, '-c', 'core.excludesFile=', ...args], { encoding: 'utf8' })
    git('init', '-q')
    const seen = git('ls-files', '-z', '--others', '--exclude-standard')
      .split('\0')
      .filter((path) => path !== '' && !path.endsWith('.gitignore'))
    const body = await reply('/find needle --files')
    const found = [...body.matchAll(/^'?~\/(.*?)'?: 1 line$/gm)].map(([, name = '']) => name)
    expect(found.sort()).toEqual(seen.sort())
    expect(found.length).toBeGreaterThan(10)
    expect(found.length).toBeLessThan(PATHS.length - 10)
  })
})
