import { describe, expect, it } from 'vitest'
import { judgeDeclaration } from '../../src/action/declare/declaration.ts'
import { doubledBraces, foreignLoop } from '../../src/action/declare/foreign-templates.ts'
import { withRefusals } from '../../src/action/declare/judge.ts'
import { createDocumentParser } from '../../src/document/parse/parse.ts'
import { findMistakes } from '../../src/packages/check/check-package.ts'
import { checkScript } from '../../src/packages/check/check-script.ts'
import type { PackageProblem } from '../../src/packages/check/package-problem.ts'
import { folderSource } from '../../src/packages/source/package-files.ts'

const parse = createDocumentParser()
const parseNow = async (text: string) => ({ ok: true as const, document: withRefusals(parse(text)) })

/** What is found in a page, by its lines. */
async function findingsIn(
  lines: readonly string[],
  front: readonly string[] = [],
  others: Readonly<Record<string, string>> = {},
): Promise<PackageProblem[]> {
  const head = ['---', 'name: pkg', 'type: app', ...front, '---']
  const texts = { 'string.md': [...head, ...lines, ''].join('\n'), ...others }
  const files = new Map(
    Object.entries(texts).map(([path, text]) => {
      return [path, { bytes: Buffer.from(text), mode: text.startsWith('#!') ? 0o755 : 0o644 }]
    }),
  )
  const source = folderSource(files, { name: 'pkg', from: './pkg', origin: '/pkg', again: '/pkg' })
  if (!source.ok) throw new Error(source.system)
  const found = await findMistakes(source, parseNow)
  return found.map((each) => ({ ...each, line: each.line === null ? 0 : each.line - head.length }))
}

async function foundIn(...page: Parameters<typeof findingsIn>): Promise<string[]> {
  const found = await findingsIn(...page)
  return found.map(({ line, problem }) => `${line}: ${problem}`)
}

const action = (...lines: string[]): string[] => ['```act.buy', ...lines, '```']

describe('the mistakes behind a refusal', () => {
  it('are told in a field with it', async () => {
    const lines = ['CLI echo {last} {n}', '  last: numbr (min:1, foo, bar) = "ten" ?', '  n: boolean = "x"']
    expect(await foundIn(action(...lines))).toEqual([
      '3: Action buy is refused: numbr is no type; types: string, number, boolean, path, tuple',
      '3: Action buy is refused: cannot read ?',
      ...['foo', 'bar'].map(
        (word) =>
          `3: Action buy is refused: ${word} is no constraint; constraints: required, optional, min:N, max:N, a|b|c`,
      ),
      '3: Action buy: The default of last cannot be ten',
      '4: Action buy: The default of n cannot be x',
    ])
  })

  it('are told of the other fields, the variables and the default action', async () => {
    const lines = ['GET https://example.com/{item} -H "Key: $OTHER"', '  item: string (requird)', '  n: nmber']
    expect((await foundIn(action(...lines), ['default: buy'])).map((each) => each.slice(0, 60))).toEqual([
      '-1: The default action buy needs item: when the app is opene',
      '2: Action buy uses $OTHER, which env does not list: it would',
      '3: Action buy is refused: requird is no constraint; constrai',
      '4: Action buy is refused: nmber is no type; types: string, n',
    ])
    const command = ['CLI eval {item|fil} $OTHER', '  item: string']
    expect((await foundIn(action(...command))).map((each) => each.slice(0, 48))).toEqual([
      '2: Action buy is refused: fil is no pipe; pipes:',
      expect.stringMatching(/^2: Action buy is refused: /),
      '2: Action buy uses $OTHER, which env does not li',
    ])
  })

  it('are told where the first line is misspelt', async () => {
    const begins = 'Action buy is refused: it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI'
    const bad = ['  n: number = "ten"']
    const worse = '4: Action buy: The default of n cannot be ten'
    expect(await foundIn(action('GTE https://example.com/$A -X y -H "nothing" -H "B: {n|x}"', '', ...bad))).toEqual([
      `2: ${begins}`,
      `2: Action buy is refused: behind the address stand -H "Name: value" and -d 'body', not -X`,
      '2: Action buy is refused: a header is "Name: value"',
      '2: Action buy is refused: x is no pipe; pipes: base64, file, base64file',
      '2: Action buy uses $A, which env does not list: it would never get it',
      worse,
    ])
    expect(await foundIn(action('RUN echo {n} {m}', '', ...bad))).toEqual([
      `2: ${begins}`,
      '2: Action buy: {m} is no field of this action, and stays as it is written',
      worse,
    ])
    expect(await foundIn(action('what is this', '', ...bad))).toEqual([`2: ${begins}`, worse])
    for (const empty of ['CLI', 'RUN', 'GET', 'https:'])
      expect(await foundIn(action(empty, '', ...bad))).toEqual([`2: ${begins}`, worse])
    expect(await foundIn(action('GET "https://example.com/$A', '', ...bad))).toEqual([
      '2: Action buy is refused: a quote is not closed',
      '2: Action buy uses $A, which env does not list: it would never get it',
      worse,
    ])
  })

  it.each([
    [['CLI printf b a |', '  sort'], 3, 'sort'],
    [['CLI if true; then', '    echo {n}', '  fi', '', '  n: string'], 3, 'fi'],
    [['CLI for x in 1; do', 'echo $x', '  done'], 4, 'done'],
    [['CLI', '  if true', '  then echo a', '  fi'], 3, 'fi'],
    [['CLI', '  echo hi'], 3, 'echo hi'],
    [["CLI echo {n} 'a", "  b'", '  n: string'], 3, "b'"],
  ])('are one where the end of a command is indented: %j', async (lines, line, last) => {
    expect((await findingsIn(action(...lines))).map(({ problem, next, ...at }) => [at.line, problem, next])).toEqual([
      [
        line,
        'Action buy is refused: an indented line is a field, and the command above it is not complete',
        `Begin the last line of the command at the margin: ${last}`,
      ],
    ])
    const mended = lines.map((text) => (text.trim() === last ? last : text))
    expect(await foundIn(action(...mended))).toEqual([])
  })

  it('are told as they are where a command is no better with what stands below it', async () => {
    expect(await foundIn(action('CLI echo "a', '  n string'))).toEqual([
      '2: Action buy is refused: a quote or parenthesis is not closed',
      '3: Action buy is refused: not a field: a field is `name: type`',
    ])
  })

  it.each([
    ['CLI', 'Write a command behind it, in the same line: CLI ./script.sh {field}'],
    ['GET', 'Write an address behind it, in the same line: GET https://…'],
  ])('are told of %s that nothing follows', async (word, next) => {
    expect((await findingsIn(action(word))).map((each) => each.next)).toEqual([next])
  })

  it('are told of choices without a type, with the field that was meant', async () => {
    const choices = '(normal|"very big, heavy") = "normal"'
    const found = await findingsIn(action('CLI echo {kind}', `  kind: ${choices}`))
    expect(found.map(({ line, problem, next }) => [line, problem, next])).toEqual([
      [
        3,
        'Action buy is refused: kind has no type; types: string, number, boolean, path, tuple',
        `Write kind: string ${choices}`,
      ],
    ])
  })

  it('are told in a response', async () => {
    const response = (...lines: string[]): string[] => [
      ...action('GET https://example.com/'),
      '```act.buy.response',
      ...lines,
      '```',
    ]
    const unknown = 'The response of action buy: {Respnse…} is nothing that this response knows, and shows nothing'
    const noEnd = 'The response of action buy is refused: a for: has no end:'
    expect(await foundIn(response('for: item in Response.body', '{Respnse.body.x} {item.y}'))).toEqual([
      `5: ${noEnd}`,
      `6: ${unknown}`,
    ])
    expect(await foundIn(response('{a-b} = {Respnse.x}', 'for: item in Response.body', '{item.y}'))).toEqual([
      '5: The response of action buy is refused: {a-b} is no name of a variable',
      `5: ${unknown}`,
      `6: ${noEnd}`,
    ])
    expect(await foundIn(response('for: item in', '{item.y}', 'end:', 'for: x in .', '{x}', 'end:'))).toEqual([
      '5: The response of action buy is refused: for: has nothing to go through',
      '8: The response of action buy is refused: . is nothing to go through',
    ])
  })
})

describe('a body that looks like JSON and is none', () => {
  const doubt =
    'Action buy: The body looks like JSON and is none: it is sent as it is written, as text/plain; charset=utf-8'
  const post = (body: string, header = ''): Promise<string[]> =>
    foundIn(action(`POST https://example.com/${header}`, '  n: number', '  body:', `    ${body}`))

  it('is told to stand in quotes where it stands in none', async () => {
    const [found] = await findingsIn(action('POST https://example.com/ -d {"a":"{n}"}', '  n: string'))
    expect(found).toMatchObject({ problem: doubt, next: expect.stringContaining(`-d '{"a":"{n}"}'`) })
    const typed = 'POST https://example.com/ -H "Content-Type: application/json" -d {"a":"{n}"}'
    const [refused] = await findingsIn(action(typed, '  n: string'))
    expect(refused?.next).toBe(`Put single quotes around it: -d '{"a":"{n}"}', or remove that Content-Type`)
    expect(await foundIn(action(`POST https://example.com/ -d '{"a":"{n}"}'`, '  n: string'))).toEqual([])
  })

  it.each(['{"a": {n}', '{"a": {n},}', "{'a': 1}", '[1, {n}', '{a: "{n}"}', '{ n }'])('is told: %s', async (body) => {
    expect(await post(body)).toEqual([`4: ${doubt}`])
  })

  it.each(['{"a": {n}}', '{"a": "x{n}"}', '[{n}]', '{n}', '{n}, and more', 'a=[', '"text"'])(
    'is not told: %s',
    async (body) => {
      expect(await post(body)).toEqual([])
    },
  )

  it('is not told where a header says what it is, and told of -d', async () => {
    expect(await post('{"a": {n}', ' -H "Content-Type: text/plain"')).toEqual([])
    expect(await post('{"a": {n}', ' -H "Content-Type: application/json"')).toEqual([
      '2: Action buy is refused: the body is not JSON, although its content type says so',
    ])
    expect(await foundIn(action(`POST https://example.com/ -d '{"a": '`))).toEqual([`2: ${doubt}`])
  })
})

describe('what other template languages write', () => {
  const response = (...lines: string[]): Promise<string[]> =>
    foundIn([...action('CLI echo {name}', '  name: string'), '```act.buy.response', ...lines, '```'])
  const inResponse = 'The response of action buy: '

  it.each([
    ['Name: {{Response.body.name}}', '{{Response.body.name}} has a brace too many: braces are shown around the value'],
    ['{ Response.body.count }', '{ Response.body.count } has blanks in its braces, and stays as it is written'],
    ['x { name} y', '{ name} has blanks in its braces, and stays as it is written'],
    ['{Response.body.tags|join}', 'a response has no pipes: |join is read as a part of the name, which shows nothing'],
    ['{{ name }}', '{{ name }} has a brace too many: braces are shown around the value'],
    ['{{this.id}}', '{{this.id}} has a brace too many: braces are shown around the value'],
    ['Title: ${Response.body.title}', '${Response.body.title} shows a $ in front of the value'],
    ['{if: Response.body.name}', '{if: Response.body.name} is shown as text: a response has no conditions'],
    ['{{#if name}}yes{{/if}}', '{{#if name}} is shown as text: a response has no conditions'],
    ['if: Response.body.done', 'if: Response.body.done is shown as text: a response has no conditions'],
    ['unless Response.body.done:', 'unless Response.body.done: is shown as text: a response has no conditions'],
    ['endif', 'endif is shown as text: a response has no conditions'],
    ['endfor', 'it looks like a loop, and is shown as text'],
    ['End:', 'it looks like a loop, and is shown as text'],
    ['For: x in Response.body.items', 'it looks like a loop, and is shown as text'],
    ['for x in Response.body.items:', 'it looks like a loop, and is shown as text'],
    ['{% endif %}', '{% endif %} is shown as text: a response has no conditions'],
    ['{{#each Response.body.items}}{{this}}{{/each}}', 'it looks like a loop, and is shown as text'],
    ['{{#each Response.body.items}}- {{this}}', 'it looks like a loop, and is shown as text'],
  ])('is told in a response: %s', async (line, problem) => {
    expect(await response(line)).toEqual([`6: ${inResponse}${problem}`])
  })

  it.each([
    '{"a": {"b": {name}}}',
    '{ other } { "name" }',
    'for ${5}',
    '${HOME} {{other}} {{.Name}} {{}}',
    'if: x',
    '{json: 1}',
    '{"if": 1}',
  ])('is not told where it is text: %s', async (line) => {
    expect((await response(line)).filter((each) => !each.includes('is nothing that this'))).toEqual([])
  })

  it.each(['for: x of Response.body.items', 'for: i, x in Response.body.items', 'for: x in {Response.body.items}:'])(
    'is refused as the loop that it is meant to be, and told how it is written: %s',
    async (line) => {
      const found = await findingsIn([...action('CLI echo 1'), '```act.buy.response', line, '- {x}', 'end:', '```'])
      const loops = found.filter(({ problem }) => problem.includes('loop') || problem.includes('end:'))
      expect(loops.map(({ line: row, next }) => [row, next])).toEqual([[5, 'Write for: x in Response.body.items']])
    },
  )

  it('is told with what to write', async () => {
    const found = await findingsIn([
      ...action('CLI echo 1'),
      '```act.buy.response',
      '{ Response.body.n }',
      '{Response.body.a[0].tags|join}',
      '```',
    ])
    expect(found.map(({ next, isDoubt }) => [next, isDoubt])).toEqual([
      ['Write {Response.body.n}', undefined],
      [
        'Write {Response.body.a[0].tags}, which shows a list as JSON, or for: item in Response.body.a[0].tags for a line of each',
        true,
      ],
    ])
    expect(foreignLoop('{{#each Response.body.items}}* {{this.id}} {{/each}}')?.next).toBe(
      'Write three lines: for: item in Response.body.items, then * {item.id}, then end:',
    )
    expect(foreignLoop('{% for x in Response.body %}{{x}}{% endfor %}')?.next).toBe(
      'Write three lines: for: x in Response.body, then {x}, then end:',
    )
    expect(doubledBraces('{{ this.id }}', () => false, 'x')[0]?.next).toBe('Write {x.id}')
  })

  it('is told in an action: braces twice, and a field as a variable of a shell, once', async () => {
    const field = '  name: string'
    expect(await foundIn(action('CLI cat {{name}}', field))).toEqual([
      '2: Action buy: {{name}} has a brace too many: braces are shown around the value',
    ])
    for (const call of ['GET https://example.com/?p=${name}', 'CLI echo ${name:+--quiet}', 'CLI echo "$name"'])
      expect(await foundIn(action(call, field))).toEqual([
        '2: Action buy uses $name, which is a variable and not its field name',
      ])
    const advice = async (call: string): Promise<string[]> =>
      (await findingsIn(action(call, field))).map(({ next }) => next)
    expect(await advice('GET https://example.com/$name')).toEqual(['Write {name}'])
    expect(await advice('CLI echo "$name"')).toEqual([expect.stringMatching(/^Write \{name\}; a flag that/)])
    for (const call of ["CLI docker ps --format '{{.Names}} {{json .}}' {name}", 'CLI name=1; echo $name {name}'])
      expect(await foundIn(action(call, field))).toEqual([])
  })
})

describe('an address that no request could have', () => {
  const told = async (...lines: string[]): Promise<string[]> =>
    (await findingsIn(action(...lines))).map(({ problem, next }) => `${problem} → ${next}`)

  it.each([
    ['api.example.com/x?q={q}', 'https://api.example.com/x?q={q}'],
    ['api.example.com:{q}/x', 'https://api.example.com:{q}/x'],
    ['//api.example.com/x', 'https://api.example.com/x'],
    ['/items', 'https://HOST/items'],
    ['./items', 'https://HOST/items'],
    ['items/{q}', 'https://HOST/items/{q}'],
  ])('is told where its scheme is missing: %s', async (address, meant) => {
    expect(await told(`GET ${address}`, '  q: string (required)')).toEqual([
      `Action buy: The address has no scheme, and every call would be refused → Write all of it: ${meant}`,
    ])
  })

  it.each([
    ['http://127.0.0.1:badport/x', 'the address is none that can be asked: look at its host and port'],
    ['http://a.example:{q}port/x', 'the address is none that can be asked: look at its host and port'],
    ['https:///', 'the address is none that can be asked: look at its host and port'],
  ])('is refused where nothing that is given would make it one: %s', async (address, problem) => {
    const [first = ''] = await told(`GET ${address}`, '  q: string (required)')
    expect(first).toContain(`Action buy is refused: ${problem} → `)
  })

  it('is told where it carries a password', async () => {
    expect(await told('GET https://me:{q}@a.example/', '  q: string (required)')).toEqual([
      'Action buy: The address carries a user name or password, and every call would be refused → Leave out what stands before the @; a header can carry it: -H "Authorization: Basic …"',
    ])
  })

  it('is not told of what a value may complete', async () => {
    for (const address of [
      'http://{q}',
      'http://{q}.example:{q}/{q}',
      'http://10.0.0.{q}:80{q}/',
      'https://é.example/ä',
    ])
      expect(await told(`GET ${address}`, '  q: string (required)'), address).toEqual([])
  })
})

describe('an entry of env', () => {
  const told = async (...front: string[]): Promise<string[]> => {
    return (await findingsIn(action('CLI ./a.sh "$KEY"'), front, { 'a.sh': '#!/bin/sh\n' })).map(
      ({ line, problem, next }) => `${(line ?? 0) + front.length + 4}: ${problem} → ${next.split('. ')[0]}`,
    )
  }

  it('that is wrong hides no other, and brings no other mistake', async () => {
    expect(
      await told('env:', '  - my-key: a key', '  - $KEY: another', '  - X: {secret: perhaps}', '  - [no]'),
    ).toEqual([
      '4: An entry of env in the front matter names no variable → Entries are NAME, NAME: "what it is" with or without default: "x" under it, or {name, description, default}',
      '5: An entry of env in the front matter names no variable: my-key → A name is letters, digits and _, a letter first: write my_key',
      '7: The front matter does not say whether $X is secret → secret: is true or false; what is false is shown as it is',
    ])
  })

  it('is told where it stands', async () => {
    const rows = await told('title: T', 'env:', '  - KEY', '  - name: PATH', '    description: KEY', '  - KEY: again')
    expect(rows.map((row) => row.slice(0, 22))).toEqual([
      '7: env lists $PATH, wh',
      '9: env lists $KEY twice'.slice(0, 22),
    ])
  })

  it('that is there twice, or that every command has anyway, is told', async () => {
    expect(await told('env: [KEY, PATH, KEY, STRING_HOME]')).toEqual([
      '4: env lists $KEY twice: only the first entry counts → Remove the other one',
      ...['PATH', 'STRING_HOME'].map(
        (name) =>
          `4: env lists $${name}, which every command has by itself: what is stored under that name reaches none → Give it another name, or remove it`,
      ),
    ])
  })
})

it('an answer in a request, a quote that is not closed and a file without a name are told', async () => {
  const response = ['```act.buy.response', '{w} = "a {i.name}', '{v} = "a" and "b"', 'save:', '```']
  const others = ['```act.else', 'CLI echo', '```', '```act.else.response', '{c} = {Response.body}', '```']
  const found = await findingsIn([...action('CLI echo {Response.body.n}'), ...response, ...others])
  expect(found.map(({ line, problem, next }) => `${line}: ${problem} → ${next}`)).toEqual([
    '2: Action buy: {Response.body.n} is known in the response of an action only, and stays as it is written → Keep it in the block act.buy.response: {name} = {Response.body.n}; the next call takes it as {name}',
    '5: The response of action buy: the quote is not closed, and kept with the text → Write {w} = "a {i.name}"',
    '5: The response of action buy: {i…} is nothing that this response knows, and shows nothing → It knows Response, w, v, c',
    '7: The response of action buy is refused: save: names nothing → Write three lines: save: Response.body.data, decode: base64, to: FILE; or save: FILE alone',
  ])
})

it('a page that is empty, and unsafe that says neither true nor false, are told once', async () => {
  const empty = folderSource(new Map([['string.md', { bytes: Buffer.from(''), mode: 0o644 }]]), {
    name: 'p',
    from: './p',
    origin: '/p',
    again: '/p',
  })
  expect(empty.ok && (await findMistakes(empty, parseNow)).map(({ problem }) => problem)).toEqual([
    'The page is empty: nobody who opens it sees anything, and nothing can be called',
  ])
  const found = await findingsIn(action('CLI echo $(({a}))', '  a: number', '  unsafe: yes'))
  expect(found.map(({ line, next }) => `${line}: ${next.split('. ')[0]}`)).toEqual([
    expect.stringMatching(/^2: Accepted: expr/),
    '4: Write unsafe: true, where values may run as code',
  ])
})

it.each(['eval {q}', 'sqlite3 db {q}', 'psql -c {q}'])(
  'what runs a value is told with the ways that there are: %s',
  async (script) => {
    const [found] = await findingsIn(action(`CLI ${script}`, '  q: string'))
    expect(found?.next).toMatch(
      /^Accepted: \.\/my-script\.sh \{q\} .* Where values may run as code: unsafe: true, indented below$/,
    )
  },
)

describe('an indented line that is no field', () => {
  const below = ', in the first line behind the address, or in a line below it that is not indented'
  const told = async (line: string, head = 'POST https://example.com/'): Promise<string[]> =>
    (await findingsIn(action(head, `  ${line}`), ['env: [TOK]'])).map(({ problem, next }) => {
      return `${problem.replace('Action buy is refused: ', '')} → ${next}`
    })

  it.each([
    ['-H "Authorization: Bearer $TOK"', '-H stands among the fields', 'Write -H "Authorization: Bearer $TOK"'],
    [`-d '{"a": 1}'`, '-d stands among the fields', `Write -d '{"a": 1}'`],
    ['Authorization: Bearer $TOK', 'Authorization looks like a header', 'Write -H "Authorization: Bearer $TOK"'],
    ['authorization: $TOK', 'authorization looks like a header', 'Write -H "authorization: $TOK"'],
    ['Content-Type: text/csv', 'Content-Type looks like a header', 'Write -H "Content-Type: text/csv"'],
    ['Api-Key: "$TOK"', 'Api-Key looks like a header', `Write -H 'Api-Key: "$TOK"'`],
    ['headers:', 'there is no block of headers', 'Write each as -H "Name: value"'],
  ])('is told with where it belongs: %s', async (line, problem, next) => {
    expect(await told(line)).toEqual([`${problem} → ${next}${below}`])
  })

  it('is told of a body in the same line, and of a command that goes on', async () => {
    const alone = 'body: stands alone in its line → Write body: alone, and the text below it, indented deeper'
    expect(await told('body: { "title": "{id}" }')).toEqual([alone])
    expect(await told('body: |')).toEqual([alone])
    expect(await told('-H "Accept: text/csv" https://example.com/', 'CLI curl')).toEqual([
      'an indented line is a field, and this looks like the rest of the command → End the line above with \\: the command goes on below it',
    ])
  })

  it.each([
    'body: string',
    'Item-Id: number (min:1)',
    'Accept: boolean',
    'X-Name: string "a header, perhaps"',
    'x: path = "a"',
  ])('is a field where it has a type: %s', async (line) => {
    expect(await told(line)).toEqual([])
  })

  it('is a field with a type that is misspelt', async () => {
    expect(await told('Colour: colour')).toEqual([
      'colour is no type; types: string, number, boolean, path, tuple → Write Colour: string, for any text',
    ])
    expect(await told('X-Name: strng')).toEqual([
      'strng is no type; types: string, number, boolean, path, tuple → Did you mean X-Name: string?',
    ])
  })

  it('is none where the line is not indented: there a request goes on', async () => {
    const lines = ['POST https://example.com/', '-H "Authorization: Bearer $TOK"', `-d '{"a": 1}'`]
    expect(await foundIn(action(...lines), ['env: [TOK]'])).toEqual([])
  })
})

describe('a name in braces that is no field', () => {
  const env = ['env:', '  - TOK']
  const told = async (lines: readonly string[], front: readonly string[] = env): Promise<string[]> =>
    (await findingsIn(action(...lines), front)).map(({ problem, next, isDoubt }) => {
      return `${isDoubt === true ? '? ' : ''}${problem.replace('Action buy: ', '')} → ${next}`
    })
  const header = (braces: string): string[] => [`GET https://example.com/ -H "Authorization: Bearer ${braces}"`]

  it('and a variable of env is written with $, never declared', async () => {
    const variable = '{TOK} is no field of this action but a variable of env, and stays as it is written → Write $TOK'
    expect(await told(header('{TOK}'))).toEqual([variable])
    expect(await told(['CLI curl -H "X: {TOK}" example.com'])).toEqual([variable])
    for (const braces of ['{{TOK}}', '{{ TOK }}'])
      expect(await told(header(braces))).toEqual([`${braces} stays as it is written → Write $TOK`])
  })

  it('is told in double braces, too, as what may be meant', async () => {
    const unknown = 'is no place of a value, and stays as it is written → Write'
    expect(await told(header('{{name}}'))).toEqual([
      `? {{name}} ${unknown} {name}. Declare it, indented below: name: string`,
    ])
    expect(await told([...header('{{ nmae }}'), '  name: string'])).toEqual([
      '? {{ nmae }} is no place of a value, and stays as it is written → Did you mean {name}? Else declare it, indented below: nmae: string',
    ])
    const stored = 'KEY: string; for a stored variable, list it in env and write $KEY'
    expect(await told(header('{KEY}'), [])).toEqual([
      `{KEY} is no field of this action, and stays as it is written → Declare it, indented below: ${stored}`,
    ])
    expect(await told(header('{{KEY}}'), [])).toEqual([
      `? {{KEY}} ${unknown} {KEY}. Declare it, indented below: ${stored}`,
    ])
  })

  it('is not told where the braces are those of JSON or of another program', async () => {
    const post = (body: string): string[] => ['POST https://example.com/', '  x: string', '  body:', `    ${body}`]
    for (const lines of [
      post('{"a": {"b": 1}, "c": {"d": {"e": "{x}"}}}'),
      ["CLI gh api x --template '{{name}}'"],
      ['CLI { echo {x}; }', '  x: string'],
    ])
      expect(await told(lines)).toEqual([])
  })

  it('is told with blanks, and as routes are written elsewhere', async () => {
    expect(await told(['GET "https://example.com/{ id }" -H "X: {id}"', '  id: string'])).toEqual([
      '{ id } stays as it is written: a place has no blanks in its braces → Write {id}',
    ])
    expect(await told(['GET https://example.com/books/:id', '  id: string'])).toEqual([
      ':id in the address stays as it is written → Write {id}',
    ])
    expect(await told(['GET https://example.com:8080/a:id/:other', '  id: string'])).toEqual([])
    expect(await told(['GET https://example.com/a{sub?}/{id:int}?{&odd}', '  sub: string', '  n: number'])).toEqual([
      '{sub?} in the address stays as it is written → Write {sub}',
      '{id:int} in the address stays as it is written → Write {id}. Declare it, indented below: id: string',
      '{&odd} in the address stays as it is written → Write {odd}. Declare it, indented below: odd: string',
    ])
  })

  it('is told of a field that may be missing where the address cannot be empty', async () => {
    const address = 'GET https://{host}.example.com/{id}/x{part}?q={q}'
    const fields = ['  host: string', '  id: string', '  part: string', '  q: string']
    expect(await told([address, ...fields])).toEqual(
      ['host', 'id', 'part'].map(
        (name) =>
          `${name} stands where the address cannot be empty, and need not be given: a call without it fails → Write (required) behind its type, or give it a default`,
      ),
    )
    expect(await told(['GET https://example.com/{id}/{n}', '  id: string (required)', '  n: number = 1'])).toEqual([])
  })
})

describe('what is nearly right', () => {
  it.each([
    ['-H Authorization: Bearer $KEY', 'Put the header into quotes: -H "Authorization: Bearer $KEY"'],
    ['-H Accept: text/csv -d x', 'Put the header into quotes: -H "Accept: text/csv"'],
    ['a b', 'Put an address with blanks into quotes; what is to be sent are fields, indented below'],
  ])('behind an address is told with what is meant: %s', (options, next) => {
    const content = `GET https://example.com/ ${options}\n`
    const { inTemplate } = judgeDeclaration({ id: 'buy', part: 'action', content, line: 1, start: 0, end: 0 })
    expect(inTemplate.map(({ instead }) => instead)).toContain(next)
  })

  it('in the front matter and among its variables is told with the name that is meant', async () => {
    const lines = action('CLI echo "$BOOKS_TOKE"')
    const source = ['env:', '  - BOOKS_TOKEN', 'enviroment: x']
    const told = await findingsIn(lines, source)
    expect(told.map(({ next }) => next)).toEqual([
      'Did you mean env?',
      'Did you mean $BOOKS_TOKEN? Else add BOOKS_TOKE to env in the front matter of string.md',
    ])
  })
})

describe('what leads nowhere', () => {
  const pages = { 'menu.md': '# Menu\n', 'parts/a.md': '# First\n\n[!include:b](b.md)\n', 'parts/b.md': '# Second\n' }

  it('is told of a part of the page itself, and of a page with what it includes', async () => {
    const found = await foundIn(
      ['# Top', '', '[a](#top) [b](#second) [c](#nowhere)', '[!include:a](parts/a.md)', '', '[d](parts/a.md#zzz)'],
      [],
      pages,
    )
    expect(found).toEqual(['3: string.md has no part #nowhere', '6: parts/a.md has no part #zzz'])
  })

  it('is not told where a page takes parts from elsewhere, or includes itself', async () => {
    const web = ['[x](#from-there)', '', '[!include:a](https://example.com/a.md)']
    expect(await foundIn(web)).toEqual([])
    expect(await foundIn(['# A', '', '[x](#a)', '', '[!include:a](string.md)'])).toEqual([
      '5: The include leads back to its own page, and is a note in its place: string.md → string.md',
    ])
  })

  it('is told of a directive that is misspelt', async () => {
    const lines = ['[!inlcude:foo](menu.md)', '', '[!nav main](menu.md)', '', '[!Nav: Main](menu.md)']
    expect(await foundIn(lines, [], pages)).toEqual([
      '1: [!inlcude:foo](menu.md) is no directive that String knows, and nobody sees it',
      '3: [!nav main](menu.md) is no directive, and is shown as a link',
      '5: [!Nav: Main](menu.md) is no directive, and is shown as a link',
    ])
    const others = ['[!widget:clock](menu.md)', '', '[!requirements](menu.md)', '', '> [!NOTE]', '> [!a menu](menu.md)']
    expect(await foundIn(others, [], pages)).toEqual([])
  })
})

describe('a script that an action starts', () => {
  const starts = (path: string, text: string): Promise<string[]> =>
    foundIn(action(`CLI ./${path}`), [], { [path]: text })

  it.each([
    ['a.py', '#!/usr/bin/env pythn\n', 'a.py, whose first line names pythn, which is not there'],
    ['a.sh', '#!/bin/bsh\n', 'a.sh, whose first line names /bin/bsh, which is not there'],
    ['a.py', '#!/usr/bin/env python3\r\nprint(1)\r\n', 'a.py, whose lines end with CR LF: the program in its first'],
    ['a.py', 'print(1)\n', 'a.py, which is not executable'],
  ])('is told when it would not run: %s %j', async (path, text, problem) => {
    const [found = '', ...more] = await starts(path, text)
    expect(found).toContain(`2: Action buy starts ./${problem}`)
    expect(more).toEqual([])
  })

  it.each([
    '#!/bin/sh\n',
    '#!/usr/bin/env -S node --no-warnings\n',
    '#!/usr/bin/env python3.11\n',
    '#! /usr/bin/env bash\n',
  ])('is not told when it would: %j', async (text) => {
    expect(await starts('a', text)).toEqual([])
  })

  it('without a first line is told by its ending, of a shell as what may be meant', () => {
    const bytes = Buffer.from('print(1)\n')
    expect(checkScript('./a.py', { bytes, mode: 0o755 })).toEqual([
      {
        problem: './a.py, which has no first line #!…: bash would run it as its own script',
        next: 'Give it the first line #!/usr/bin/env python3',
      },
    ])
    expect(checkScript('./a.sh', { bytes, mode: 0o755 })).toMatchObject([{ isDoubt: true }])
    expect(checkScript('./a', { bytes: Buffer.from('\x7fELF\0'), mode: 0o755 })).toEqual([])
    expect(checkScript('./a.py', { bytes, mode: 0o644 })).toMatchObject([
      { next: 'chmod +x ./a.py, and give it the first line #!/usr/bin/env python3' },
    ])
  })
})

it('a tool of several actions without a default is told of, and may be meant so', async () => {
  const tool = (...front: string[]): Promise<string[]> =>
    foundIn([...action('CLI echo'), '', '```act.sell', 'CLI echo', '```'], front)
  const told = 'The tool has 2 actions and no default: /tool:pkg alone runs nothing'
  // An app is entered, and shows what it can do.
  expect(await tool()).toEqual([])
  const bytes = Buffer.from('---\ntype: tool\nname: pkg\n---\n```act.a\nCLI echo\n```\n```act.b\nCLI echo\n```\n')
  const files = new Map([['string.md', { bytes, mode: 0o644 }]])
  const source = folderSource(files, { name: 'pkg', from: './pkg', origin: '/pkg', again: '/pkg' })
  if (!source.ok) throw new Error(source.system)
  expect(await findMistakes(source, parseNow)).toMatchObject([{ line: 2, problem: told, isDoubt: true }])
})

it.each([
  ['CLI echo {p}', 'p: string (required)'],
  ['CLI echo {p}', 'p: string'],
  ['CLI printf x', 'p, -p: string = "a" "What it is"'],
])('a field that is not indented is told as one, and is no part of the command: %s, %s', async (...lines) => {
  const found = await findingsIn(action(...lines))
  expect(found.map(({ line, problem, next }) => `${line}: ${problem} → ${next}`)).toContain(
    `3: Action buy is refused: p: string looks like a field → Indent it by two blanks: "  ${lines[1]}"`,
  )
  expect(found.map(({ problem }) => problem).join()).not.toContain('bash cannot read it')
})

it.each([
  ["CLI cat <<'EOF'", 'p: string', 'EOF'],
  ["CLI node -e '", "p: string = 1'"],
  ['CLI printf \\', 'p: string'],
])('what stands in a text of the command is no field: %s', async (...lines) => {
  expect((await findingsIn(action(...lines))).map(({ problem }) => problem).join()).not.toContain('looks like a field')
})

it('a file that is in another folder is named as it would be written', async () => {
  const others = { 'tips.md': '# Tips', 'pages/help.md': '# Help\n\n[tips](tips.md)' }
  const found = await findingsIn([], [], others)
  expect(found.map(({ file, problem, next }) => `${file}: ${problem} → ${next}`)).toEqual([
    'pages/help.md: tips.md is not there → Did you mean ../tips.md?',
  ])
})

/** A page of one action with the template of its answer. */
const answered = (declaration: readonly string[], ...response: string[]): string[] => [
  ...action(...declaration),
  '```act.buy.response',
  ...response,
  '```',
]

async function said(...page: Parameters<typeof findingsIn>): Promise<string[]> {
  return (await findingsIn(...page)).map(({ line, problem, next }) => `${line}: ${problem} → ${next}`)
}

it('a misspelt name is found in the file that an answer goes into, as elsewhere in a response', async () => {
  const declaration = ['GET https://example.com/x', '  out: string']
  const told = (line: number) => `${line}: The response of action buy: {outt…} is nothing that this response knows`
  for (const [line, ...lines] of [
    [8, 'save: Response.body.a', 'to: out/{outt}.txt'],
    [7, 'to: out/{outt}.txt', 'save: a'],
    [7, 'save: out/{outt}.txt'],
    [8, 'for: x in Response.body.l', 'save: out/{outt}.txt', 'end:'],
  ] as const)
    expect(await said(answered(declaration, ...lines))).toEqual([
      `${told(line - 1)}, and no file can be named by it: the call fails → Did you mean {out}?`,
    ])
  // A part that is saved may be any of the body.
  expect(await said(answered(declaration, 'save: data.a', 'decode: base64', 'to: {out}.txt'))).toEqual([])
})

it('what cannot be used in a response is told once, in its own line, with what can', async () => {
  const declaration = ['GET https://example.com/x', '  out: string']
  expect(await said(answered(declaration, 'save: Response.body.a', 'decode: base46', 'to: {out}'))).toEqual([
    '7: The response of action buy is refused: decode: is base64 or none, not base46 → Write decode: base64',
  ])
  expect(await said(answered(declaration, '{Response.header.etag} {out}'))).toEqual([
    '6: The response of action buy: a response knows no headers of the answer → Leave it out; CLI curl -sI URL prints headers',
  ])
})

it.each([['CLI ls'], ['GET https://example.com/x']])(
  'a first line that is indented is told as that: %s',
  async (line) => {
    const fault = '2: Action buy is refused: its first line is indented, as fields are'
    expect(await said(action(`  ${line}`, '    a: string'))).toEqual([`${fault} → Begin it at the margin: ${line}`])
  },
)

it.each([['  '], ['']])('a body that is not indented deeper than body: is told as that: "%s"', async (indent) => {
  const lines = ['POST https://example.com/x', '  body:', `${indent}{"a": "{a}",`, `${indent} "b": 1}`, '  a: string']
  const fault = '4: Action buy is refused: it stands below body: and is not indented deeper'
  expect(await said(action(...lines))).toEqual([`${fault} → Indent it by two blanks more than body:`])
})

it('a name of a variable with a dash in it is told as that', async () => {
  const header = action('GET https://example.com/x -H "Key: $api-key"')
  const fault = '2: Action buy uses $api-key, which is $api with a text behind it: the name of a variable has no dash'
  expect(await said(header, ['env:', '  - api_key: "x"'])).toEqual([`${fault} → Write $api_key`])
  expect(await said(header)).toEqual([
    `${fault} → Write $api_key, or \${api}, and add that name to env in the front matter of string.md`,
  ])
})

it('a default that no call gets past is told, and what is told to write instead of sed does the same', async () => {
  expect(await said(action('GET http://{host}/x', '  host: string = "127.0.0.1:80"'))).toEqual([
    '2: Action buy refuses the default of host, 127.0.0.1:80: host stands in the host of the address: letters, digits, dots and dashes only → Give a host name, without scheme, port and path; a port stands behind it: http://{host}:{port}/',
  ])
  expect(await said(action('GET http://{host}:{port}/x', '  host: string = "h"', '  port: number = "80"'))).toEqual([])
  expect((await said(action('CLI sed "s/{word}/y/" f', '  word: string'))).join()).toContain(
    'Accepted: awk -v q={word} ',
  )
})

it.each([['my app!'], ['my.app'], ['@my/app']])('the rule for a name is one: %s', async (name) => {
  const text = `---\nname: "${name}"\n---\n# P\n`
  const files = new Map([['string.md', { bytes: Buffer.from(text), mode: 0o644 }]])
  const source = folderSource(files, { name: 'pkg', from: './pkg', origin: '/pkg', again: '/pkg' })
  if (!source.ok) throw new Error(source.system)
  const [found] = await findMistakes(source, parseNow)
  expect(found?.next).toContain('A name is letters, digits, _ and -, at most 64, as my-app')
})

it('a loop without in is one, and one without its end is told where it begins', async () => {
  const declaration = ['GET https://example.com/x']
  expect(await said(answered(declaration, 'for: z Response.body', '- hi', 'end:'))).toEqual([
    expect.stringMatching(/^5: .*for: z Response\.body is no loop → Write for: z in Response\.body$/),
  ])
  expect(await said(answered(declaration, 'for: example purposes only', '- hi'))).toEqual([])
  expect(await said(answered(declaration, 'for: z in Response.body', '- a', '- b', '- c'))).toEqual([
    expect.stringMatching(/^5: .*a for: has no end:/),
  ])
})

it('choices of a tuple are those of each item, however many it needs', async () => {
  expect(await findingsIn(action('CLI echo {tags}', '  tags: tuple (min:2, max:3, a|b|c)'))).toEqual([])
})

it('choices that their field never takes are told', async () => {
  const found = await findingsIn(
    action('CLI echo {n} {b} {m}', '  n: number (open|all)', '  b: boolean (true|no)', '  m: number (1|2, min:3)'),
  )
  expect(found.map(({ line, problem, next }) => `${line}: ${problem} → ${next}`)).toEqual([
    '3: Action buy: n never takes open or all, which its choices name → n is a number, as 3 or -0.5: write another choice, or another type',
    '4: Action buy: b never takes no, which its choices name → b is a boolean: true or false: write another choice, or another type',
    '5: Action buy: m never takes 1 or 2, which its choices name → At least 3: write another choice, or another type',
  ])
})
