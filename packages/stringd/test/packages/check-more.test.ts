import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { withRefusals } from '../../src/action/declare/judge.ts'
import { createDocumentParser } from '../../src/document/parse/parse.ts'
import { checkPackage, findMistakes } from '../../src/packages/check/check-package.ts'
import { folderSource } from '../../src/packages/source/package-files.ts'

const parse = createDocumentParser()
const parseNow = async (text: string) => ({ ok: true as const, document: withRefusals(parse(text)) })
const programs = new Set(['grep', 'sed', 'git', 'tr'])

/** What is found in a package, without its marks: `string.md:5: problem. next`, with `?` in front of what may be meant so. */
async function found(texts: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [path, { bytes: Buffer.from(text as string), mode: 0o644 }]),
  )
  const source = folderSource(files, { name: 'pkg', from: './pkg', at: 'pkg', origin: '/pkg', again: '/pkg' })
  if (!source.ok) throw new Error(source.system)
  const mistakes = await findMistakes(source, parseNow, (name) => programs.has(name))
  return mistakes.map(
    ({ file, line, problem, next, isDoubt }) => `${isDoubt ? '? ' : ''}${file}:${line}: ${problem}. ${next}`,
  )
}

const page = (...lines: string[]): string => `${['---', 'name: pkg', '---', ...lines].join('\n')}\n`
const action = (...lines: string[]): string => page('```act.go', ...lines, '```')
const inAction = async (...lines: string[]): Promise<string[]> => found({ 'string.md': action(...lines) })

describe('a check tells', () => {
  it('of a menu whose file has no entries, with one of its own links as an entry', async () => {
    const main = page('[!nav:main](menu.md)')
    expect(
      await found({ 'string.md': main, 'menu.md': '# Menu\n\n- [Set up](setup.md)\n', 'setup.md': '# S\n' }),
    ).toEqual([
      '? string.md:4: The menu has no entries: menu.md declares no shortcuts. Write [@set-up Set up](setup.md) there',
    ])
    expect(await found({ 'string.md': main, 'menu.md': '# Menu\n' })).toEqual([
      expect.stringContaining('Write [@setup Setup](setup.md) there'),
    ])
    for (const menu of ['[@setup Setup](string.md)\n', '[!include:more](more.md)\n'])
      expect(await found({ 'string.md': main, 'menu.md': menu, 'more.md': '# M\n' })).toEqual([])
  })

  it('of a field that a line at the margin behind it makes a part of the command', async () => {
    const told = '? string.md:6: Action go: n: string is a part of the command: a line behind it begins at the margin. '
    for (const behind of ['echo done', '# a remark'])
      expect((await inAction('CLI grep {n} x', '  n: string', behind))[0]).toBe(
        `${told}Put that line above it, or indent it as a field`,
      )
    expect(await inAction('CLI grep {n} x', '  n: string')).toEqual([])
    expect(await inAction('CLI grep x <<END', '  name: Ada', 'END')).toEqual([])
  })

  it('of a default that names a variable which only commands have, or which env does not list', async () => {
    const only = (name: string): string =>
      `string.md:5: Action go uses $${name} outside of a command: only commands have it, so that each call would fail. `
    expect(await inAction('CLI echo {a}', '  a: path = "$HOME/x"')).toEqual([
      `${only('HOME')}Write $STRING_HOME, which is the agent's home`,
    ])
    expect(await inAction('GET https://x.example/$USER')).toEqual([
      `${only('USER')}Let a command read it: CLI program "$USER"`,
    ])
    expect(await inAction('CLI echo {a}', '  a: string = "$KEY"')).toEqual([
      'string.md:5: Action go uses $KEY, which env does not list: it would never get it. Add KEY to env in the front matter of string.md',
    ])
    expect(await inAction('CLI echo {a} "$HOME"', '  a: path = "$STRING_HOME/x"')).toEqual([])
  })

  it.each([
    ['s: string = two words', 'words: a default of several words stands in quotes', '= "two words"'],
    ['s: string = two words "What it is"', 'words "What it is": a default of', '= "two words"'],
    ['s: string = "a "b" c"', 'b" c": the quotes end before it', '= "a \\"b\\" c"'],
    ['s: string "the "best" one" (min:1)', 'best" one" (min:1): the quotes end', '"the \\"best\\" one"'],
  ])('of %s how it is written', async (field, problem, next) => {
    const [told] = await inAction('CLI echo {s}', `  ${field}`)
    expect(told).toContain(`cannot read ${problem}`)
    expect(told).toMatch(new RegExp(`\\. Write ${next.replace(/[\\]/g, '\\\\')}$`))
  })

  it('of a loop over a tuple, and what it says instead goes through the items', async () => {
    const loop = (list: string): string => `CLI for f in ${list}; do echo "<$f>"; done`
    expect(await inAction(loop('a {files}'), '  files: tuple')).toEqual([
      "? string.md:5: Action go: the loop over {files} goes round once: a tuple reaches a command as one argument, a,b. Write printf '%s\\n' {files} | tr , '\\n' | while read -r f; do …; done",
    ])
    expect(await inAction(loop('{files[0]} {files[1]}'), '  files: tuple')).toEqual([])
    expect(await inAction(loop('{files}'), '  files: string')).toEqual([])
    const meant = `CLI printf '%s\\n' {files} | tr , '\\n' | while read -r f; do echo "<$f>"; done`
    expect(await inAction(meant, '  files: tuple')).toEqual([])
  })

  it('of an address without its scheme once, with the one that is meant', async () => {
    expect(await inAction('GET 127.0.0.1:80/x')).toEqual([
      'string.md:5: Action go is refused: the address has no scheme. Write http://127.0.0.1:80/x or https://127.0.0.1:80/x',
    ])
  })

  it('of loops and blocks that are nearly written, with a whole example', async () => {
    expect((await found({ 'string.md': page('```act.we ird', 'CLI echo', '```') })).join()).toContain(
      'The block act.we ird is no action, but looks like one. Did you mean act.we_ird?',
    )
    const response = ['```act.go', 'CLI echo', '```', '```act.go.response', '{% for %}', '{x}', '{% endfor %}', '```']
    expect((await found({ 'string.md': page(...response) })).join()).toContain(
      'Write for: item in Response.body.items, and end: on a line of its own behind it',
    )
  })

  it('of an action that a page and what it includes both have, or two of its includes, as of one that stands twice in a file', async () => {
    const act = (text: string): string => `\`\`\`act.list\nCLI echo ${text}\n\`\`\`\n`
    const told = (first: string, second: string): string =>
      `Action list stands twice on this page, in ${first} and in ${second}; the first is used. Give the second another name, or remove it`
    const texts = { 'a.md': `# A\n\n${act('a')}`, 'b.md': `# B\n\n[!include:c](c.md)\n`, 'c.md': `# C\n\n${act('c')}` }
    const main = page('[!include:a](a.md)', '', '[!include:b](b.md)', '', '[!include:a](a.md)')
    expect(await found({ ...texts, 'string.md': main })).toEqual([`string.md:6: ${told('a.md', 'c.md')}`])
    expect(await found({ ...texts, 'string.md': `${page('[!include:a](a.md)', '')}${act('own')}` })).toEqual([
      `string.md:4: ${told('string.md', 'a.md')}`,
    ])
    expect(await found({ ...texts, 'string.md': page('[!include:a](a.md)', '', '[C](c.md)') })).toEqual([])
  })

  it('of a document that is larger than a package may be, and not that it is missing', async () => {
    const folder = tempDir()
    writeFileSync(join(folder, 'string.md'), Buffer.alloc(LIMITS.packageBytes + 1, 'a'))
    const checked = await checkPackage(folder, 'pkg', { parse: parseNow })
    expect(checked.ok && checked.findings.map(({ problem }) => problem)).toEqual([
      'pkg/string.md is larger than 16 MiB',
    ])
  })

  it('of a document that is too large to be opened, or is text in another encoding, where that begins', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 'a')
    const latin = Buffer.from('# P\n\ncaf\xe9\n', 'latin1')
    expect(await found({ 'string.md': page('# P'), 'large.md': large, 'latin.md': latin, 'none.md': 'a\0b' })).toEqual([
      'large.md:null: large.md is larger than 10 MiB, so that it could not be opened. Make several pages of it, or put what is no text for people into a file with another ending',
      'latin.md:null: latin.md is not UTF-8: the first byte that is not stands at offset 8, in line 3. Save it as UTF-8; iconv -f latin1 -t utf8 pkg/latin.md shows it so, if it is latin1',
      'none.md:null: none.md is not text. A package begins with a Markdown document, and its pages are text',
    ])
    await expect(found({ 'string.md': large })).rejects.toThrow('pkg/string.md is larger than 10 MiB')
    await expect(found({ 'string.md': latin })).rejects.toThrow('pkg/string.md is not UTF-8: the first byte')
  })

  it('of each circle of includes once, where it closes', async () => {
    const include = (to: string): string => `# P\n\n[!include:x](${to})\n`
    const said = 'The include leads back to its own page, and is a note in its place'
    const next = 'Remove it, or put what several pages need into a file that includes none of them'
    expect(
      await found({
        'string.md': page('[!include:a](a.md)', '', '[!include:c](c.md)'),
        'a.md': include('b.md'),
        'b.md': include('a.md'),
        'c.md': include('d.md'),
        'd.md': '# D\n',
      }),
    ).toEqual([`? b.md:3: ${said}: a.md → b.md → a.md. ${next}`])
    expect(await found({ 'string.md': include('string.md') })).toEqual([
      `? string.md:3: ${said}: string.md → string.md. ${next}`,
    ])
    // Not every page that is included twice is a circle.
    expect(
      await found({
        'string.md': page('[!include:a](a.md)', '', '[!include:b](b.md)'),
        'a.md': include('b.md'),
        'b.md': '# B\n',
      }),
    ).toEqual([])
  })

  it('of a field that takes the place of what every action has', async () => {
    for (const name of ['help', 'dry-run'])
      expect(await inAction(`CLI grep -e {${name}} notes.txt`, `  ${name}: string`)).toEqual([
        `? string.md:6: Action go: A field ${name} takes the place of --${name}, which every action has. Give it another name: help and dry-run are taken`,
      ])
  })

  it('of a field that is required and has a default, and of a body that a GET sends', async () => {
    expect(await inAction('CLI grep -e {a} notes.txt', '  a: string (required) = "x"')).toEqual([
      '? string.md:6: Action go: a is required and has a default: it is never missing. Leave out required, or the default',
    ])
    const said = 'A GET request has a body, which most servers do not read'
    expect(await inAction('GET https://example.com/x', '  body:', '    text')).toEqual([
      `? string.md:6: Action go: ${said}. Write POST, or leave the body out: fields go into the address of a GET`,
    ])
    expect(await inAction("GET https://example.com/x -d 'text'")).toEqual([
      expect.stringContaining(`string.md:5: Action go: ${said}`),
    ])
    expect(await inAction("POST https://example.com/x -d 'text'")).toEqual([])
  })

  it('of a secret that is written out in a header, and of words that curl takes', async () => {
    const call = 'GET https://example.com/'
    expect(await inAction(`${call} -H "Authorization: Bearer sk-abcdefgh12345678"`)).toEqual([
      '? string.md:5: Action go: The header Authorization has its secret written out: everyone who gets the package can read it. List it in env and write $NAME in its place: -H "Authorization: Bearer $API_TOKEN"',
    ])
    for (const header of ['Authorization: Bearer {t}', 'Accept: application/vnd.github+json', 'X-Api-Key: …'])
      expect(await inAction(`${call} -H "${header}"`, '  t: string')).toEqual([])
    for (const [words, next] of [
      ['--header "A: b"', 'Write -H "Name: value"'],
      ["--data-raw 'x'", "Write -d 'body', or what is to be sent as fields, indented below"],
      ['-X POST', 'The method is the first word of the block: POST https://…'],
      ['--compressed', 'Leave out options of curl; one that is needed goes into a command: CLI curl …'],
    ])
      expect((await inAction(`${call} ${words}`))[0]).toContain(`. ${next}`)
  })

  it('of a path of the caller that a command looks for in the folder of the package', async () => {
    expect(await inAction('CLI grep -c x -- {a}', '  a: path')).toEqual([
      '? string.md:5: Action go runs in the folder of the package: a relative path that its caller gives as a is not found there. Begin it in the folder of the caller: CLI cd "$STRING_CWD" && grep -c x -- {a} (a script of the package is "$STRING_PACKAGE/…" then)',
    ])
    for (const lines of [
      ['CLI cd "$STRING_CWD" && grep -c x -- {a}', '  a: path'],
      ['CLI grep -c x -- "$CWD"/{a}', '  a: path'],
      ['CLI grep -c x -- {a}', '  a: path = "data.txt"'],
    ])
      expect(await inAction(...lines)).toEqual([])
  })

  it('of a value that git could take for an option that writes over files', async () => {
    expect(await inAction('CLI git log {a}', '  a: string')).toEqual([
      '? string.md:5: Action go: git log takes a value that begins with a dash for an option, and --output=FILE writes over any file. Write git log --end-of-options {a}, or -- before it where it is a path',
    ])
    for (const line of ['git log -- {a}', 'git show --end-of-options {a}', 'git log --grep={a}', 'git commit -m {a}'])
      expect(await inAction(`CLI ${line}`, '  a: string')).toEqual([])
  })

  it('of a value that curl or pip could take for an option, but not of one behind an option', async () => {
    for (const [line, instead] of [
      ['curl {a}', 'curl -- {a}'],
      ['curl -sSL "{a}" | jq .', 'curl -- {a}'],
      ['pip install {a}', 'pip install -- {a}'],
      ['python3 -m pip install --user {a}', 'python3 -m pip install -- {a}'],
    ])
      expect(await inAction(`CLI ${line}`, '  a: string'), line).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^\\? .* takes a value that begins with a dash for an option.*${instead?.replaceAll(/[{}]/g, '\\$&')}`,
          ),
        ),
      )
    for (const line of [
      'curl -- {a}',
      'curl -sd {a} https://x.example',
      'curl --data {a} https://x.example',
      'curl https://x.example/{a}',
      'pip install -r {a}',
      'pip install -- {a}',
    ])
      expect((await inAction(`CLI ${line}`, '  a: string')).join(), line).not.toContain('for an option')
    expect((await inAction('CLI git log {a}', '  a: string (main|dev)')).join()).not.toContain('for an option')
  })

  it('of what is wrong with a field, and how that line is written', async () => {
    const said = async (field: string): Promise<string> =>
      (await inAction('CLI grep {x} f', '  x: string', field))[0] ?? ''
    for (const [field, next] of [
      ['  2x: string', 'Write _2x: string'],
      ['  my field: string (required)', 'Write my_field: string (required)'],
      ['  s, --sz: number', 'Write s, -s: number'],
      ["  v: string 'single'", 'Write "single"'],
      ['  w: string "one" "two"', 'Write one, in one pair of quotes'],
      ['  r: string (required', 'Close it behind what it holds: (required)'],
      ['  u: string "open', 'Write "…" with both quotes on the line'],
    ] as const)
      expect(await said(field)).toMatch(new RegExp(`. ${next.replaceAll(/[().…]/g, '\\$&')}$`))
  })

  it('of a line that -- mends as that line', async () => {
    const said = async (line: string): Promise<string> =>
      (await inAction('CLI true', line, '  n: string')).find((each) => each.includes(' refused')) ?? ''
    expect(await said('tar cf x.tar {n}')).toMatch(/\. Write tar cf x\.tar -- \{n\}$/)
    expect(await said('sort -r {n} | grep x')).toMatch(/\. Write sort -r -- \{n\} \| grep x$/)
    const [, second = ''] = (await inAction('CLI sort {n}', 'tar cf x.tar {n}', '  n: string')).filter((each) =>
      each.includes(' refused'),
    )
    expect(second).toMatch(/tar has options.* Accepted: sort -- \{n\}$/)
    expect(await said('tar --use-compress-program={n} cf x .')).toMatch(/\. Accepted: sort -- \{n\}$/)
    expect(await said('git {n}')).toMatch(/the command of git is written out.* Accepted: git log -- \{n\}$/)
  })

  it('of body: at the margin, and of a variable that nobody sets', async () => {
    expect(await inAction('POST https://a.example/x', 'body:', '  {"a": 1}')).toEqual([
      'string.md:6: Action go is refused: body: stands at the margin. Indent it by two blanks, and the text below it by two more',
    ])
    expect(await inAction('CLI grep x "$STRING_HOEM/x"')).toEqual([
      'string.md:5: Action go uses $STRING_HOEM, which nobody sets. Did you mean $STRING_HOME?',
    ])
  })

  it('of a program that this machine does not have', async () => {
    expect(await inAction('CLI grpe -c x {a}', '  a: string')).toEqual([
      '? string.md:5: Action go starts grpe, which is no program on this machine. Did you mean grep? Else say in its description that it is needed; a script of the package is ./grpe',
    ])
    expect(await inAction('CLI frobnicate | grep x')).toEqual([
      expect.stringContaining('is no program on this machine. Say in its description that it is needed'),
    ])
    for (const script of [
      'show() { grep x notes.txt; }; show',
      'command -v rg >/dev/null && rg x || grep x notes.txt',
      'PATH=./bin:$PATH; frob x',
      'cd "$STRING_CWD" && grep x notes.txt | sed s/x/y/',
      '[ -f notes.txt ] && printf x || echo y',
    ])
      expect(await inAction(`CLI ${script}`)).toEqual([])
  })

  it('of a tool without an action, and of a path of this machine', async () => {
    expect(await found({ 'string.md': '---\nname: t\ntype: tool\n---\n# T\n' })).toEqual([
      expect.stringMatching(/^\? string\.md:3: The tool has no action: there is nothing that it could run\. /),
    ])
    expect(await found({ 'string.md': page('[x](/etc/passwd)', '[y](~/notes.md)') })).toEqual([
      '? string.md:4: /etc/passwd is a path of this machine: whoever installs the package has nothing there. Put what it means into the package, and write the path from string.md',
    ])
  })

  it('of a picture that is not there, where it is one', async () => {
    const shown = [
      '![a](pics/gone.png)',
      '![b](pics/here.png "B")',
      '`![c](no.png)`',
      '![d](https://example.com/d.png)',
    ]
    const fenced = ['```', '![e](no.png)', '```', '![f](made-by-a-command)']
    expect(await found({ 'string.md': page(...shown, ...fenced), 'pics/here.png': 'x' })).toEqual([
      '? string.md:4: The picture pics/gone.png is not there. Give the path of a file of the package',
    ])
  })

  it('of choices that are written otherwise, how they are written here', async () => {
    const next = async (field: string): Promise<string[]> =>
      (await inAction('CLI grep -e {k} notes.txt', `  k: ${field}`)).map((each) =>
        each.replace(/^.*? is refused: /, ''),
      )
    const known = 'constraints: required, optional, min:N, max:N, a|b|c'
    expect(await next('string (x, y, z)')).toEqual([`x, y, z are no constraints; ${known}. For choices write (x|y|z)`])
    expect(await next('enum (red|blue)')).toEqual([expect.stringMatching(/Write k: string \(red\|blue\)$/)])
    expect(await next('string (required, foo)')).toEqual([expect.stringMatching(/^foo is no constraint/)])
    expect(await next('string (red|"dark blue")')).toEqual([])
  })
})
