import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringPlace } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'

function put(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

const NOBODY = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.com']

/** `string app …` in a folder. */
function author(): {
  dir: string
  app: (...args: string[]) => Promise<{ out: string; status: number | null }>
  say: (cmd: string, ...flags: string[]) => Promise<string>
  string: (args: string[]) => Promise<{ stdout: string; stderr: string; status: number | null }>
} {
  const place = stringPlace()
  const dir = tempDir()
  const string = (args: string[]) => place.string([...args, '--cwd', dir])
  return {
    dir,
    string,
    app: async (...args) => {
      const { stdout, stderr, status } = await string(['app', ...args])
      return { out: stdout + stderr, status }
    },
    say: async (cmd, ...flags) => (await string(['--plain', ...flags, cmd])).stdout,
  }
}

describe('string app', () => {
  it('checks the folder of a string.md, and names files from where one stands', async () => {
    const { dir, app } = author()
    put(dir, {
      'my lib/string.md': '# Library\n\n[status](pages/a.md)\n\n```act.go\nCLI ./scripts/go.sh\n```\n',
      'my lib/pages/a.md': '# A\n',
      'my lib/scripts/go.sh': '#!/bin/sh\necho went\n',
    })
    for (const path of ['my lib', './my lib/string.md']) {
      const { out } = await app('check', path)
      expect(out).not.toContain('is not there')
      const [, typed = ''] = /^ {2}(chmod .*)$/m.exec(out) ?? []
      execFileSync('sh', ['-c', typed], { cwd: dir })
      expect((await app('check', path)).out).toContain('Nothing is wrong with it')
      chmodSync(join(dir, 'my lib/scripts/go.sh'), 0o644)
    }
    put(dir, { 'repo/library/string.md': '# Library\n' })
    for (const verb of ['check', 'install'])
      expect((await app(verb, './repo')).out).toContain('Did you mean ./repo/library?')
  })

  it('leads from nothing to a package that others install', { timeout: 120_000 }, async () => {
    const { dir, app, say, string } = author()
    expect(await app('init', 'notes')).toEqual({
      status: 0,
      out: `Wrote README.md, count.sh, string.md into ./notes\nNext:\n  string app check ./notes\n  string app install --link ./notes\n  string app:notes /open\n  string app:notes '/act.add "buy milk"'\n`,
    })
    expect((await app('init', 'notes')).out).toContain('exists already and is not empty; name another folder')
    expect((await app('check', './notes')).out).toContain(
      'Nothing is wrong with it. Next: string app install --link ./notes\n',
    )
    expect((await app('install', '--link', './notes')).out).toMatch(
      /^Installed app:notes\n[\s\S]*\nNext: string app:notes \/open\n$/,
    )
    expect(await string(['--plain', 'app:notes', '/open'])).toMatchObject({
      stdout: expect.stringContaining('# Notes'),
      stderr: '',
    })
    expect((await string(['--plain', 'app:notes', '/act.add "buy milk"'])).stdout).toBe('Kept. Lines: 1\n')
    // From another topic it opens, too; what is typed next for that one is not for the app.
    const elsewhere = 'string: this is topic app:notes now: string app:notes COMMAND goes on there\n'
    expect((await string(['--plain', '/open app:notes'])).stderr).toBe(elsewhere)
    for (const flags of [[], ['--json']])
      expect((await string([...flags, '/open app:notes'])).stderr, 'the answer itself names it').toBe('')
    expect(await say('/act.add milk')).toBe(
      'ERROR(NO_DOCUMENT): No document is open in this topic\n  /open TARGET opens one\n  The actions of an app are called in its own topic: app:notes\n',
    )
    const document = readFileSync(join(dir, 'notes/string.md'), 'utf8')
    expect(readFileSync(join(import.meta.dirname, '../../docs/apps.md'), 'utf8')).toContain(document)
    put(dir, {
      'notes/string.md': document.replace('# Notes', '# My notes'),
      'notes/.env': 'KEY=1',
      'notes/.gitignore': 'out/\n',
      'notes/out/a': 'x',
    })
    expect(await say('/open app:notes')).toContain('# My notes')

    const packed = await app('pack', './notes')
    expect(packed.out).toMatch(
      /^Packed notes 0\.1\.0 into \.\/notes\.tgz \(4 files, \d+ bytes\)\n- \.gitignore\n- README\.md\n- count\.sh\n- string\.md\nLeft out:\n- \.env: it may hold a secret\n- out\/: git ignores it\nsha256: [0-9a-f]{64}\nNext: /,
    )
    const digest = createHash('sha256')
      .update(readFileSync(join(dir, 'notes.tgz')))
      .digest('hex')
    expect(packed.out).toContain(`sha256: ${digest}\n`)
    chmodSync(join(dir, 'notes/README.md'), 0o600)
    execFileSync('touch', ['-d', '2001-01-01', join(dir, 'notes/string.md')])
    expect((await app('pack', './notes', '--out', 'again.tgz')).out).toContain(`sha256: ${digest}\n`)
    const other = ['--agent', 'other', '--create']
    expect(await say('/install ./notes.tgz', ...other)).toContain('Installed app:notes')
    expect(await say('/act.add "buy milk"', ...other, 'app:notes')).toBe('Kept. Lines: 1\n')
    const asked = await string(['--plain', ...other, 'app:notes', '/act.add'])
    expect(asked).toMatchObject({ status: 2, stdout: expect.stringContaining('---\nNot run: it needs text\n\n') })
    expect((await string(['--plain', ...other, 'app:notes', '/act.add --help'])).status).toBe(0)

    expect((await app('init', 'counter', '--tool')).status).toBe(0)
    expect((await app('check', 'counter')).status).toBe(0)
    expect(await say('/install counter')).toContain('Installed tool:counter')
    put(dir, { 'a.md': 'one two three\n' })
    expect(await say('/tool:counter a.md')).toBe('3\n')
    expect(await say('/tool:counter.top a.md --lines 1')).toBe('one two three\n')
  })

  it('finds all that is wrong with a package in one go, with file and line', { timeout: 120_000 }, async () => {
    const { dir, app, say, string } = author()
    put(dir, {
      'bad/string.md': `---
name: bad
type: virus
default: nothing
env: [KEY]
---
# Bad

[there](pages/a.md) [gone](pages/gone.md) [out](../../x.md) [part](pages/a.md#nowhere) [web](https://example.com)

[!include:x](missing.md)

\`\`\`act.one
CLI python3 -c "print({x})"
  x: string
\`\`\`

\`\`\`act.two
GET https://api.example.com/?key=$KEY&other=$OTHER
  y: colour
\`\`\`

\`\`\`act.three
GET https://api.example.com/?other=$OTHER
\`\`\`
`,
      'bad/pages/a.md': '# A\n\n<!-- #open -->\ntext\n',
      'bad/x.md': '\0',
    })
    symlinkSync('/etc/passwd', join(dir, 'bad/link'))
    const { out, status } = await app('check', 'bad')
    expect(status).toBe(1)
    for (const row of [
      'link: A package holds no links: bad/link\n  Copy what it points to',
      'pages/a.md:3: Block #open is not closed',
      'string.md:3: The front matter has a wrong type: virus\n  It is app or tool',
      'string.md:4: The front matter has a wrong default: nothing',
      'string.md:9: pages/gone.md is not there',
      'string.md:9: ../../x.md leads out of the package',
      'string.md:9: pages/a.md has no part #nowhere\n  Parts: a',
      'string.md:11: missing.md is not there',
      'string.md:14: Action one is refused: ',
      'string.md:19: Action two uses $OTHER, which env does not list',
      'string.md:20: Action two is refused: colour is no type',
      'string.md:24: Action three uses $OTHER, which env does not list',
      'x.md: x.md is not text',
    ])
      expect(out).toContain(row)
    expect(out).toContain('13 problems; it cannot be installed like this\n')
    const data = JSON.parse((await app('check', 'bad', '--json')).out) as { ok: boolean; problems: object[] }
    expect(data.ok).toBe(false)
    expect(data.problems).toHaveLength(13)
    expect(data.problems).toContainEqual({
      file: 'string.md',
      line: 11,
      problem: 'missing.md is not there',
      next: 'Give the path of a file of the package',
      path: join(dir, 'bad/string.md'),
    })
    expect(await say('/install ./bad')).toContain('ERROR(INVALID_PATH)')
    const unpacked = await app('pack', 'bad')
    expect(unpacked.status).toBe(1)
    expect(unpacked.out).toContain('Nothing was packed: 13 problems\n')
    expect(unpacked.out).toMatch(/^link: A package holds no links: bad\/link\n/)
    expect(JSON.parse((await string(['app', 'pack', 'bad', '--json'])).stdout)).toMatchObject({ ok: false })
    for (const [path, said] of [
      ['nowhere', 'Cannot read nowhere: it does not exist'],
      ['bad/pages', 'bad/pages has no string.md'],
    ] as const)
      expect((await app('check', path)).out).toContain(said)
    expect(JSON.parse((await app('check', 'nowhere', '--json')).out.split('\n')[0] ?? '')).toMatchObject({
      code: 'NOT_FOUND',
      hint: 'string app init NAME makes a package',
    })
    // What is no package is told as that, and nothing else of it.
    mkdirSync(join(dir, 'large/node_modules'), { recursive: true })
    symlinkSync('/', join(dir, 'large/node_modules/link'))
    expect((await app('pack', 'large')).out).toMatch(
      /^[^\n]*large has no string\.md\n[^\n]*\nNothing was packed: 1 problem\n$/,
    )
  })

  it('calls a package that is one file as its author does', { timeout: 120_000 }, async () => {
    const { dir, app, say } = author()
    put(dir, {
      'docs/my.md': '---\nnmae: my\n---\n# My\n\n[Help](gone.md)\n\n```act.a\nCLI awk "/{x}/" f\n  x: string\n```\n',
    })
    const { out } = await app('check', 'docs/my.md')
    expect(out).toContain('docs/my.md:6: gone.md is not there\n')
    expect(out).toContain('warning: docs/my.md:2: The front matter has a key nmae')
    expect(out).toContain('in docs/my.md, line 9')
    expect(out).not.toContain('string.md')
    const data = JSON.parse((await app('check', 'docs/my.md', '--json')).out) as Record<string, unknown>
    const whole = join(dir, 'docs/my.md')
    expect(data).toMatchObject({
      source: whole,
      files: [{ path: 'docs/my.md' }],
      problems: [{ file: 'docs/my.md', path: whole }, {}],
    })
    expect(await say('/install --dry-run ./docs/my.md')).toContain('- ./docs/my.md:6: gone.md is not there')
  })

  it('names ordinary mistakes, all of them, and what to write instead', { timeout: 120_000 }, async () => {
    const { dir, app, say } = author()
    put(dir, {
      'slips/string.md': `---
nme: slips
titel: x
env:
  KEY:
    defualt: y
name: [a, b]
---
# Slips

[!include:bar]()

[!nav:page](string.md)

\`\`\`acts.b
CLI echo hi
\`\`\`

\`\`\`act.a
CLI echo {typo} && ./nosuch.sh; sh no.sh; ./plain.sh
  m: number (min:5, max:1) = "abc"
  n: strin
  m: string
\`\`\`

\`\`\`act.h
GET htp://x/{y}
  y: string
\`\`\`

\`\`\`act.h.response
{x} = {Response.body.a
for: x in
\`\`\`

\`\`\`act.p
CLI python3 -c "print('{q}')"; eval {q}
  q: string
\`\`\`

\`\`\`act.fine
CLI echo {q} | awk '{print}'; curl -w '%{http_code}' x; git log @{u}; echo \${HOME}
  q: string
  r: string
\`\`\`

\`\`\`act.bare
GET localhost:8080/items
\`\`\`
`,
      'slips/plain.sh': 'echo\n',
      'open/string.md': '---\nname: open\n\n# Open\n',
      'quote/string.md': '---\nname: quote\ntitle: "abc\nversion: 1\n---\n# Q\n',
      'list/string.md': '---\nname: list\nenv: [A, B\nversion: 1\n---\n# L\n',
      'fences/string.md':
        '---\nnamespace: me\nname: My Fences\nversion: banana\n---\n# F\n\n```act.add\nCLI echo {t}\n  t: string\n\n```act.list\nCLI echo\n```\n\n```sh\necho\n\n```act.lost\nCLI echo\n```\n\n```act.gone.response\nx\n```\n\n```act.last\nCLI echo\n',
      'ask/string.md':
        '---\nname: ask\nversion: 1.10\ndefault: add\n---\n# A\n\n```act.add\nCLI echo {t} {n}\n  t: string (required)\n  n: nmber (requred)\n```\n\n```act.more\ncli echo\n```\n',
      'say/string.md':
        '---\nname: say\ndefault: add\n---\n# A\n\n```act.add\nCLI echo {t}\n  t: string (required)\n```\n',
      'shown/string.md': `---
type: ap
version: [1]
---
# S

\`\`\`act.list
CLI echo {city}
  city: string
\`\`\`

\`\`\`act.list.response
{Respnse.body.items} {city} {other} {kept} {"json": 1} {}
for: x in Response.status
{@it} = {x.id}
- {@itt} {y.name} {x.name
end:
{x.id} {Response.body.a b}
{first} = Response.body.items[0]
{frst} {Response.data} {Response.status.code} Response.body.a}
for x in Response.body.items
{City} = {Response.body.city}
{Response.status} {Response.body} {Response.body[0].length} {first} {@it} {nobody}
\`\`\`

\`\`\`act.keep
CLI echo
\`\`\`

\`\`\`act.keep.response
{kept} = {Response.body}
{other} = "text"
\`\`\`
`,
      'slips/nameless.md': '# N\n\n```act.\nCLI echo hi\n```\n',
      'doubt/string.md': '---\nname: doubt\nauthor: me\n---\n# D\n\n```act.e\nCLI echo {zzz}\n```\n',
    })
    const { out } = await app('check', 'slips')
    for (const row of [
      'string.md:7: The front matter has a wrong name: a list\n',
      '[!include:bar] names no file\n  Write [!include:bar](path)',
      'nameless.md:3: The block act. is no action: it has no name\n  Write act.NAME, as in act.list',
      'The block acts.b is no action, but looks like one\n  Did you mean act.b?',
      'string.md:13: The menu name page is reserved\n  Give it another name',
      'string.md:20: Action a: {typo} is no field',
      'string.md:20: Action a starts ./nosuch.sh, which is not in the package',
      'string.md:20: Action a starts no.sh, which is not in the package',
      'string.md:20: Action a starts ./plain.sh, which is not executable\n  chmod +x slips/plain.sh',
      'string.md:21: Action a: m can have no value: min 5 is more than max 1',
      'string.md:21: Action a: The default of m cannot be abc',
      'string.md:22: Action a is refused: strin is no type',
      'string.md:23: Action a is refused: two fields are called m\n  Give one of them another name',
      'htp:// is no scheme of a request\n  Begin the address with https://',
      'Action bare is refused: the address has no scheme\n  Write http://localhost:8080/items or https://',
      'a { is not closed\n  Write {x} = {Response.body.a}',
      'for: has nothing to go through\n  Write for: item in ',
      'a field cannot stand in code\n  Accepted: Q={q} python3 -c',
      'a field cannot be an argument of eval',
      'warning: string.md:2: The front matter has a key nme that means nothing here\n  Did you mean name?',
      'warning: string.md:3: The front matter has a key titel that means nothing here\n  Did you mean title?',
      'warning: string.md:6: The front matter has a key defualt that means nothing here\n  Did you mean default?',
      'Action fine: The field r is used nowhere',
    ])
      expect(out).toContain(row)
    for (const word of ['null', 'Mend', 'that way', '{print}', '{http_code}', '{u}', '{HOME}'])
      expect(out).not.toContain(word)
    expect((await app('check', 'open')).out).toContain('string.md:1: Front matter begins here and is not closed')
    expect((await app('check', 'quote')).out).toContain(
      'string.md:3: Front matter, column 8: a quote " is not closed\n  Write " at the end of the value\n',
    )
    expect((await app('check', 'list')).out).toContain(
      'string.md:3: Front matter, column 6: [ is not closed\n  Write ]',
    )
    const fences = (await app('check', 'fences')).out
    for (const row of [
      'string.md:3: Not a name for a package: My Fences\n  A name is letters, digits, _ and -, at most 64, as My-Fences',
      'warning: string.md:4: The version banana is no number that others could compare\n  Write one like version: 0.1.0',
      'string.md:8: Action add is refused: its block is not closed, and another begins in line 12\n  Write ``` alone on a line, where it ends',
      'string.md:16: The block ```sh is not closed before act.lost begins',
      'string.md:23: The response of action gone is never used: this document has no act.gone\n  Write the block act.gone, or',
      'string.md:27: The block act.last is not closed: all that follows belongs to it\n  Write ``` alone on a line where it ends',
      '5 problems; it cannot be installed like this',
    ])
      expect(fences).toContain(row)
    const shown = (await app('check', 'shown')).out
    const response = 'The response of action list'
    for (const row of [
      `string.md:13: ${response}: {Respnse…} is nothing that this response knows, and shows nothing\n  Did you mean {Response.body.items}?`,
      `string.md:14: ${response}: Response.status is no list: nothing would be repeated`,
      `string.md:16: ${response}: {@itt} is kept nowhere in this response, and shows nothing\n  Did you mean {@it}?`,
      `string.md:16: ${response}: {y…} is nothing that this response knows, and shows nothing\n  Did you mean {x.name}?`,
      `string.md:16: ${response}: the { before x.name is not closed\n  Write {x.name}`,
      `string.md:18: ${response}: {x…} is known between its for: and end: only\n  Move the line above end:`,
      `string.md:18: ${response}: {Response.body.a b} is no path, and stays as it is written\n`,
      `string.md:19: ${response}: {first} would keep the text Response.body.items[0], and not its value\n  Write {first} = {Resp`,
      `string.md:20: ${response}: {frst…} is nothing that this response knows, and shows nothing\n  Did you mean {first}?`,
      `string.md:20: ${response}: Response has no data: it has status and body\n  Did you mean {Response.body.data}?`,
      `string.md:20: ${response}: Response.status is a number, and has no parts\n  Write {Response.status}`,
      `string.md:20: ${response}: there is no { before Response.body.a}\n  Write {Response.body.a}`,
      `string.md:21: ${response}: it looks like a loop, and is shown as text\n  Write for: x in Response.body.items`,
      `string.md:22: ${response}: {City} is no name: it would be shown, and nothing kept\n  Write {city} = {Response.body.city}`,
      `warning: string.md:23: ${response}: {nobody…} is nothing that this response knows`,
      '16 problems; it cannot be installed like this',
    ])
      expect(shown).toContain(row)
    // Who installs it hears of all of them at once.
    const refused = await say('/install ./shown')
    expect(refused).toContain(
      'The front matter has a wrong type: ap\n  It is app or tool\n  And:\n  - string.md:3: The front matter',
    )
    expect(refused).toContain(`- string.md:16: ${response}: {@itt} is kept nowhere`)
    expect(refused).toContain('more things: string app check names them')
    const ask = (await app('check', 'ask')).out
    for (const row of [
      'string.md:3: The version 1.10 is read as the number 1.1\n  Write it in quotes: version: "1.10"',
      'string.md:11: Action add is refused: nmber is no type; types: string, number, boolean, path, tuple\n  Did you mean n: number?',
      'string.md:15: Action more is refused: it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI\n  Did you mean CLI echo?',
    ])
      expect(ask).toContain(row)
    expect(await app('check', 'say')).toEqual({
      status: 0,
      out: expect.stringContaining(
        'warning: string.md:3: The default action add needs t: when the app is opened, it cannot run\n  Give t a default',
      ),
    })
    const doubt = await app('check', 'doubt')
    expect(doubt.out).toContain('author that means nothing here\n  Known keys: name, ')
    expect(await say('/install ./doubt')).toContain(
      '- string.md:8: Action e: {zzz} is no field of this action, and stays as it is written. Declare it',
    )
  })

  it('packs no private key, and refuses what it does not know', { timeout: 60_000 }, async () => {
    const { dir, app } = author()
    put(dir, { 'k/string.md': '# K', 'k/notes.txt': '-----BEGIN OPENSSH PRIVATE KEY-----\n' })
    expect(await app('pack', 'k')).toMatchObject({
      status: 1,
      out: expect.stringContaining('notes.txt holds a private key'),
    })
    for (const [args, meant] of [
      [['open', 'k'], 'Did you mean: string app:k /open'],
      [['install', '--update', 'notes'], "Unknown flag --update. Did you mean 'string app update notes'?"],
      [['chek'], "Did you mean 'string app check'?"],
      [['other'], 'It is one of: init, check, pack, install, list, show, update, remove'],
    ] as const)
      expect(await app(...args)).toMatchObject({ status: 2, out: expect.stringContaining(meant) })
    for (const args of [['init'], ['init', 'a b'], ['check', 'a', 'b'], ['check', '--tool'], ['check', '-o', 'x']])
      expect((await app(...args)).status, args.join(' ')).toBe(2)
  })

  it('installs, lists, updates and removes for an agent as the commands do', { timeout: 60_000 }, async () => {
    const { dir, app, say, string } = author()
    put(dir, { 'my shop/string.md': '---\nname: shop\n---\n# Shop\n' })
    const install = ['install', './my shop'] as const
    const dry = await app(...install, '--dry-run')
    const said = await say("/install --dry-run './my shop'")
    expect(dry).toEqual({ status: 0, out: said })
    expect(said).toContain('Next: the same without --dry-run, which installs it')
    expect(dry.out).toContain('Would install app:shop\n---\nFrom: ./my shop (1 file')
    const none = 'No apps and no tools are installed; string app install SOURCE installs one\n'
    expect(await app('list')).toEqual({ status: 0, out: none })
    await say("/open './my shop/string.md'")
    expect((await app(...install, '--link')).out).toContain('Installed app:shop\n')
    put(dir, { 'lint/string.md': '---\nname: lint\ntype: tool\nversion: 1.2.0\n---\n# Lint\n' })
    expect((await app('install', './lint')).out).toContain("\nNext: string '/tool:lint --help'\n")
    expect((await app('list')).out).toBe(
      [
        'NAME  KIND  VERSION  LINKED  SOURCE',
        `shop  app   -        yes     ${join(dir, 'my shop')}`,
        `lint  tool  1.2.0    no      ${join(dir, 'lint')}`,
        '',
      ].join('\n'),
    )
    const listed = JSON.parse((await string(['app', 'list', '--json'])).stdout) as { data: { packages: object[] } }
    expect(listed).toMatchObject({ ok: true, topic: 'app', data: { packages: [{ name: 'shop' }, { name: 'lint' }] } })
    expect((await app('remove', 'lint')).out).toBe('Uninstalled lint\n')
    renameSync(join(dir, 'my shop'), join(dir, 'moved'))
    expect((await app('list')).out).toContain(`shop  app   -        gone    ${join(dir, 'my shop')}`)
    renameSync(join(dir, 'moved'), join(dir, 'my shop'))
    // What was open in main still is.
    expect(await say('/info')).toContain('string.md')
    const { stdout } = await string(['app', 'update', 'shop', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, topic: 'main', data: { name: 'shop', linked: true } })
    expect(await app('remove', 'shop', '--agent', 'other', '--create')).toMatchObject({ status: 1 })
    expect(await app('uninstall', 'shop')).toEqual({ status: 0, out: 'Uninstalled shop\n' })
    expect((await app('list')).out).toBe(none)
  })

  it('takes a package from anywhere, and opens its folder to no agent', { timeout: 120_000 }, async () => {
    const { app, say, string } = author()
    const away = tempDir()
    put(away, { 'shop/string.md': '---\nname: shop\nversion: 1.0.0\n---\n# Shop\n', 'notes.md': '# Notes\n' })
    const archive = join(away, 'shop.tgz')
    expect((await app('pack', join(away, 'shop'), '-o', archive)).out).toContain(
      `Next: string app install ${archive}\n`,
    )
    expect((await app('install', archive, '--dry-run', '--as', 'two')).out).toContain('Would install app:two\n')
    expect((await app('install', archive, '--as', 'two')).out).toContain(
      `Installed app:two\n---\nFrom: ${archive} (1 file`,
    )
    expect((await app('install', '--link', join(away, 'shop'))).out).toContain('Installed app:shop\n')
    expect(await say('/open app:shop')).toContain('# Shop')
    for (const name of ['shop', 'two']) expect((await app('update', name)).status).toBe(0)
    const { stdout } = await string(['app', 'update', 'two', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, topic: 'main', data: { name: 'two' } })
    // What an agent does is what it could do before.
    for (const path of ['notes.md', 'shop.tgz', 'shop/string.md'])
      expect(await say(`/open ${join(away, path)}`)).toContain('ERROR(INVALID_PATH)')
    expect(await say(`/install ${archive}`)).toContain(
      `\n  string app install ${archive}, typed in a shell, takes it from there and opens nothing to the agent\n`,
    )
    expect(await say('/topics')).not.toContain('install-')
    expect((await app('install', join(away, 'gone.tgz'))).out).toContain(`File not found: ${join(away, 'gone.tgz')}`)
  })

  it('takes a repository outside the folder however it is spelled, each time', { timeout: 120_000 }, async () => {
    const { app, say } = author()
    const away = tempDir()
    put(away, { 'shop/string.md': '---\nname: shop\nversion: 1.0.0\n---\n# Shop\n' })
    const shop = join(away, 'shop')
    const git = (...args: string[]) => execFileSync('git', ['-C', shop, ...NOBODY, ...args])
    git('init', '--quiet', '-b', 'main')
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    git('tag', 'v1')
    execFileSync('git', ['clone', '--quiet', '--bare', shop, join(away, 'shop.git')])
    await app('pack', shop, '-o', join(away, 'shop.tgz'))
    const repository = join(away, 'shop.git')
    const ann = ['--agent', 'ann', '--create']
    for (const source of [repository, `${repository}#v1`, `file://${repository}#v1`, `git+file://${repository}`]) {
      const stored = `${repository}${/#.*|$/.exec(source)?.[0]}`
      expect((await app('install', source, ...ann)).out).toContain(`\nFrom: ${stored} (1 file`)
      for (const again of [1, 2])
        expect((await app('update', 'shop', ...ann)).out, `${source}, update ${again}`).toContain('is up to date\n')
      expect((await app('list', ...ann)).out).toContain(` ${stored}\n`)
    }
    expect((await app('install', '--replace', `file://${join(away, 'shop.tgz')}`, ...ann)).out).toContain('Installed')

    // What is said to be typed next works as it stands.
    const { out } = await app('install', '--tool', `file://${repository}#v1`, ...ann)
    const [, beside = '', instead = ''] =
      /\n {2}string (.*) installs it beside, string (.*) in its place/.exec(out) ?? []
    expect(beside).toBe(`--agent ann app install --as NAME --tool file://${repository}#v1`)
    expect((await app(...instead.split(' ').slice(3), '--agent', 'ann')).out).toContain('Installed tool:shop\n')
    expect(await say(`/install --tool --as it ${repository}#v1`, ...ann)).toContain(
      `\n  string --agent ann app install --tool --as it ${repository}#v1, typed in a shell, takes it from there`,
    )
  })

  it('opens no folder to a topic that stays', { timeout: 60_000 }, async () => {
    const place = stringPlace()
    const [dir, elsewhere] = [tempDir(), tempDir()]
    put(dir, { 'shop/string.md': '---\nname: shop\n---\n# Shop\n', 'notes.md': '# Notes\n' })
    for (const words of [['install', './shop'], ['update', 'shop'], ['show', 'shop'], ['list'], ['remove', 'shop']]) {
      expect((await place.string(['app', ...words, '--cwd', dir])).status, words.join(' ')).toBe(0)
      for (const topic of ['main', 'app', 'tool'])
        expect(
          (await place.string(['--plain', topic, `/open ${dir}/notes.md`, '--cwd', elsewhere])).stdout,
          `${topic} after ${words.join(' ')}`,
        ).toContain('INVALID_PATH')
    }
  })

  it('says what to do next as it is typed in a shell', { timeout: 60_000 }, async () => {
    const { dir, app, string } = author()
    const alerts =
      '---\nname: alerts\nenv:\n  - TOKEN: "/open it"\n---\n# A\n\n```act.a\nCLI ls /set; /install x\n```\n'
    put(dir, { 'alerts/string.md': alerts, 'other/string.md': alerts })
    const { out } = await app('install', './alerts')
    expect(out).toContain(`\n- $TOKEN (/open it) · not set: string app:alerts '/set $TOKEN = "value"'\n`)
    expect(out).toContain('\nNext: string app:alerts /open\n')
    // What the package says is as it was.
    expect(out).toContain('\n- a: `ls /set; /install x`\n')
    expect((await app('install', './other')).out).toContain(
      `\n  string app install --as NAME ./other installs it beside, string app install --replace ./other in its place: `,
    )
    expect((await app('install', './nope')).out).toContain('\n  string /ls shows what exists\n')
    const ann = await app('install', './alerts', '--agent', 'ann', '--create')
    expect(ann.out).toContain(`not set: string --agent ann app:alerts '/set $TOKEN = "value"'\n`)
    expect(ann.out).toContain('\nNext: string --agent ann app:alerts /open\n')
    const json = JSON.parse((await string(['app', 'update', 'alerts', '--json'])).stdout) as { content: string }
    expect(json.content).toContain('\nNext: /open app:alerts')

    await string(['app:alerts', '/set $TOKEN = "value"'])
    expect(await app('remove', 'alerts')).toEqual({
      status: 0,
      out: 'Uninstalled alerts\n---\nIts stored variables stay, for when it is installed again from the same source: $TOKEN\nRemove them: string app remove --purge alerts\n',
    })
    expect((await app('remove', '--purge', 'alerts')).out).toContain('Its stored variables are removed: $TOKEN\n')
  })

  it('refuses what lacks a word as wrong usage of the verb', { timeout: 60_000 }, async () => {
    const { app } = author()
    for (const [args, said] of [
      [['install'], 'app install needs SOURCE\nUsage: string app install SOURCE '],
      [['install', '--link', ''], 'app install needs SOURCE\n'],
      [['update', '--dry-run'], 'app update needs NAME\nUsage: string app update NAME '],
      [['rm'], 'app remove needs NAME\nUsage: string app remove NAME '],
      [['remove', 'a', 'b'], 'Too many arguments: b\nUsage: string app remove NAME '],
      [['list', 'a'], 'Too many arguments: a\nUsage: string app list '],
      [['install', './my shop', '--lnk'], 'Unknown flag --lnk'],
    ] as const) {
      const { out, status } = await app(...args)
      expect({ out, status }, args.join(' ')).toEqual({ status: 2, out: expect.stringContaining(`string: ${said}`) })
    }
    for (const sub of ['install', 'list', 'update', 'remove'])
      expect((await app(sub, '--help')).out, sub).toContain('\n  --agent ID  ')
    expect((await app('check', '--help')).out).not.toContain('--agent')
  })

  it('finds addresses that no call gets past, and loops of other languages', { timeout: 120_000 }, async () => {
    const { dir, app } = author()
    const act = (name: string, ...lines: string[]): string => [`\`\`\`act.${name}`, ...lines, '```', ''].join('\n')
    put(dir, {
      'a.md': [
        act('one', 'GET $BASE/items'),
        act(
          'one.response',
          '{% for item in Response.body.items %}',
          '- {item.id} {item.name}',
          '{% endfor %}',
          '{end}',
        ),
        act('two', 'GET http://{host}:8080/x', '  host: string (required)'),
        act('two.response', '{{#each Response.body.items}}', '{it.a} {it.b}', '{{/each}}'),
      ].join('\n'),
    })
    const { out } = await app('check', 'a.md')
    for (const row of [
      'a.md:2: Action one: The address begins with $BASE, and every call would be refused\n  Write the scheme out, as in https://$BASE/items',
      'a.md:6: The response of action one: it looks like a loop, and is shown as text\n  Write for: item in Response.body.items, and end:',
      'a.md:8: The response of action one: it looks like a loop, and is shown as text\n  Write end:\n',
      'a.md:18: The response of action two: it looks like a loop, and is shown as text\n  Write for: item in Response.body.items',
      'a.md:20: The response of action two: it looks like a loop',
    ])
      expect(out).toContain(row)
    expect(out).not.toContain('a.md:7: ')
    // Once for a line, however often it stands there.
    expect(out.match(/a\.md:19: .*\{it…\}/g)).toHaveLength(1)
    expect(out).toContain('warning: a.md:9: The response of action one: {end…} is nothing')
    expect(out).not.toContain('Action two: The address')
  })

  it('shows one that is installed, and runs nothing of it', { timeout: 120_000 }, async () => {
    const { dir, app, say, string } = author()
    put(dir, {
      'w/string.md': `---
name: w
title: Weather
version: 1.2.0
env:
  - API_KEY: "Key of the service"
  - name: UNIT
    default: celsius
default: mark
---
# W

\`\`\`act.mark
CLI touch "$STRING_HOME/marked"
\`\`\`
`,
      'w/pages/more.md':
        '```act.go\nGET http://127.0.0.1:9/x?u=$UNIT -H "X: $API_KEY"\n  city, -c: string (required) "Where"\n```\n',
    })
    await app('install', './w')
    await app('install', '--link', './w', '--as', 'linked')
    await string(['--plain', 'app:w', '/set $API_KEY = "k-123456"'])
    const { out, status } = await app('show', 'w')
    expect(status).toBe(0)
    expect(out).toMatch(
      /^app:w, version 1\.2\.0\n---\nWeather\nInstalled: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \(folder\)\n/,
    )
    for (const rows of [
      `From: ${join(dir, 'w')} (2 files, `,
      'Runs:\n- mark: `touch "$STRING_HOME/marked"`\n',
      '- 127.0.0.1:9\n  - go: GET http://127.0.0.1:9/x?u=$UNIT with $API_KEY\n',
      'Documents:\n- string.md\n- pages/more.md\n',
      'Actions:\n- /act.mark (runs a command)\n- /act.go CITY, in pages/more.md\n  --city, -c  string, required: Where\n',
      'Variables:\n- $API_KEY: set, for it alone\n- $UNIT: not set, default celsius\n',
      'Next: string app:w /open\n',
    ])
      expect(out).toContain(rows)
    expect(out).not.toContain('k-123456')
    expect(await say('/ls ~')).not.toContain('marked')
    const { data } = JSON.parse((await app('show', 'app:linked', '--json')).out) as { data: object }
    expect(data).toMatchObject({
      name: 'linked',
      source_kind: 'link',
      folder: join(dir, 'w'),
      installed_at: expect.stringMatching(/^\d{4}-\S+Z$/),
      documents: ['string.md', 'pages/more.md'],
      actions: [
        { name: 'mark' },
        { name: 'go', document: 'pages/more.md', fields: [{ name: 'city', required: true }] },
      ],
      variables: [
        { name: 'API_KEY', description: 'Key of the service', set: null },
        { name: 'UNIT', set: 'default' },
      ],
    })
    expect(await app('show', 'lniked')).toMatchObject({
      status: 1,
      out: expect.stringContaining('Did you mean linked?'),
    })
    expect(await app('show')).toMatchObject({ status: 2, out: expect.stringContaining('app show needs NAME') })
  })

  it('says of what it cannot check, and of archives with versions in their names, what to do', {
    timeout: 120_000,
  }, async () => {
    const { dir, app, string } = author()
    put(dir, { 'S/String.md': '# S\n', 'dd/string.md': '---\nname: dd\nenv: [DD_TOKEN]\n---\n# D\n' })
    const said = 'Did you mean String.md? Small and capital letters are told apart: rename it to string.md'
    for (const verb of ['check', 'install']) expect((await app(verb, './S')).out).toContain(said)
    execFileSync('git', ['init', '-q', '--bare', join(dir, 'apps.git')])
    for (const source of ['apps.git', 'apps.git#v0.1.0:desk'])
      expect(await app('check', source)).toMatchObject({
        status: 1,
        out: expect.stringContaining('string app install --dry-run SOURCE looks at what is in a repository'),
      })
    put(dir, { 'x.md': '```act.go\nCLI frobnicate-it {a}\n  a: string (required)\n```\n' })
    expect((await app('check', 'x.md')).out).toContain(
      'warning: x.md:2: Action go starts frobnicate-it, which is no program',
    )
    await app('pack', 'dd', '-o', 'dd-0.1.0.tgz')
    await app('pack', 'dd', '-o', 'dd-0.2.0.tgz')
    await app('install', './dd-0.1.0.tgz')
    await string(['app:dd', '/set $DD_TOKEN = x'])
    expect((await app('install', './dd-0.2.0.tgz')).out).toContain(
      `A new version of the same? In the place of ${join(dir, 'dd-0.1.0.tgz')} it keeps the variables: string app update dd\n`,
    )
    expect((await string(['help', 'action_faild'])).stderr).toContain("Did you mean 'ACTION_FAILED'?")
  })
})

describe('an app that is tried as a file', () => {
  it('keeps its data where the installed one does, and a string that it starts finds the daemon', async () => {
    const place = stringPlace()
    const dir = tempDir()
    const string = async (...args: string[]) => (await place.string([...args, '--plain', '--cwd', dir])).stdout.trim()
    const home = join(place.env.STRING_HOME ?? '', 'agents/default')
    put(dir, {
      'kept.md': `---\nname: kept\n---\n\n\`\`\`act.add\nCLI printf '%s\\n' {text} >> "$STRING_HOME/kept.txt"\n  text: string (required)\n\`\`\`\n\n\`\`\`act.ask\nCLI string --plain other '/set {x} = "1"'\n\`\`\`\n`,
    })
    await string('t1', '/open kept.md')
    await string('t1', '/act.add one')
    expect(await string('t1', '/act.ask')).toBe('{x} = "1"')
    await string('app', 'install', './kept.md')
    await string('app:kept', '/act.add two')
    expect(await string('app:kept', '/act.ask')).toBe('{x} = "1"')
    expect(readFileSync(join(home, 'kept.txt'), 'utf8')).toBe('one\ntwo\n')
  })
})

it('a value of several lines is one word of a shell', async () => {
  const { dir, string } = author()
  put(dir, { 'say.md': "```act.say\nCLI printf '%s|' {text} {n}\n  text: string (required)\n  n: number = 1\n```\n" })
  await string(['t', '/open say.md', '--plain'])
  const text = "two $HOME\nlines, it's\n"
  expect((await string(['--plain', 't', '/act.say', '--text', text, '2'])).stdout).toBe(`${text}|2|\n`)
})

it('a second CLI in a block is told, and caches are left out of a package', async () => {
  const { dir, app } = author()
  put(dir, {
    'two/string.md': '# Two\n\n```act.both\nCLI echo a\nCLI echo b\n```\n',
    'two/lib/__pycache__/a.pyc': 'x',
  })
  expect((await app('check', 'two')).out).toContain('Action both has two lines CLI, and a block has one')
  expect((await app('pack', 'two')).out).toContain('- lib/__pycache__/: it is a cache')
})
