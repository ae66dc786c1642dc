import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { parseAssignments } from '../../src/command/act/assignments.ts'
import { action, openWith, startService } from '../support/action.ts'
import { startTestDaemon } from '../support/daemon.ts'

const WEATHER = (origin: string): string => `# Weather

\`\`\`act.search_city
GET ${origin}/search -H "Accept: application/json"
  name, -n: string (required) "City name"
  unit: string (optional, celsius|fahrenheit) "Unit" = "celsius"
  limit: number (max:50)
\`\`\`

\`\`\`act.search_city.response
{city} = {Response.body.results[0].id}
{@first} = ({Response.body.results[0].lat}, {Response.body.results[0].lon})
Found {Response.body.results.length} for {name}:
for: x in Response.body.results
{@city} = {x.id}
- {@city} {x.name} ({x.lat}, {x.lon}){x.missing}
end:
\`\`\`

\`\`\`act.get_forecast
GET ${origin}/forecast/{city}
  city: string (required)
\`\`\`

\`\`\`act.get_forecast.response
{Response.body.text}
\`\`\`

\`\`\`act.near
GET ${origin}/near?lat={place[0]}&lon={place[1]}
  place: tuple (required)
\`\`\`
`

const CITIES = {
  results: [
    { id: 'kr-seoul', name: 'Seoul', lat: 37.5, lon: 127 },
    { id: 'us-seoul', name: 'Seoul, Ohio', lat: 40.1, lon: -83.5 },
  ],
}

describe('/act', () => {
  it('runs the example of the transport: a search stores {city}, a later call uses it', async () => {
    const service = await startService((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(request.url?.startsWith('/search') ? CITIES : { text: `Sunny at ${request.url}` }))
    })
    const { run } = await openWith(WEATHER(service.origin))
    const found = await run('/act.search_city --name "Seoul"')
    expect(found.body).toBe('Found 2 for Seoul:\n- @city-1 Seoul (37.5, 127)\n- @city-2 Seoul, Ohio (40.1, -83.5)')
    expect(service.arrived[0]).toMatchObject({
      method: 'GET',
      query: [
        ['name', 'Seoul'],
        ['unit', 'celsius'],
      ],
    })
    expect((await run('/act.get_forecast --city {city}')).body).toBe('Sunny at /forecast/kr-seoul')
    expect((await run('/act get_forecast @city-2')).body).toBe('Sunny at /forecast/us-seoul')
    await run('/action.near @first')
    expect(service.arrived.at(-1)?.query).toEqual([
      ['lat', '37.5'],
      ['lon', '127'],
    ])
    expect((await run('/act.near @city-7')).body).toBe(
      'ERROR(NOT_FOUND): There is no value @city-7\n  Values: @city-1, @city-2',
    )
  })

  it('lists actions, and shows how to call one but never what it does', async () => {
    const { run } = await openWith(WEATHER('http://127.0.0.1:9'))
    expect((await run('/act')).body).toBe(
      'Actions\n---\n/act.search_city NAME [[--unit] celsius|fahrenheit] [[--limit] N]\n/act.get_forecast CITY\n/act.near PLACE',
    )
    const schema = [
      'Action: search_city',
      '---',
      '/act.search_city NAME [[--unit] celsius|fahrenheit] [[--limit] N]',
      '',
      '--name, -n  string, required: City name',
      '--unit  string, celsius|fahrenheit, default "celsius": Unit',
      '--limit  number, max 50',
      '',
      'Example: /act.search_city --name name --unit celsius --limit 1',
    ].join('\n')
    expect((await run('/act.search_city --help')).body).toBe(schema)
    const { head, body } = await run('/act.search_city')
    expect(body).toBe(schema.replace('---\n', '---\nNot run: it needs name\n\n'))
    expect(head).toMatchObject({ ok: true, code: null, data: { missing_fields: ['name'] } })
    for (const call of ['Seoul', '--name Seoul', '-n Seoul'])
      expect((await run(`/act.search_city --dry-run ${call}`)).body).toContain('?name=Seoul&unit=celsius')
    expect((await run('/act --help')).body).toContain('--name, -n  string, required: City name')
    expect((await run('/info')).body).toContain('actions: search_city, get_forecast, near')
  })

  it.each([
    ['/act.serch_city x', 'ACTION_NOT_FOUND', 'Did you mean /act.search_city?'],
    ['/act.nothing', 'ACTION_NOT_FOUND', 'Actions: search_city, get_forecast, near'],
    ['/act.search_city --limit 3', 'USAGE', 'needs name (City name)'],
    ['/act.search_city x --limt 3', 'INVALID_PARAMS', 'Did you mean --limit?'],
    ['/act.search_city x --limit many', 'INVALID_PARAMS', 'limit is a number'],
    ['/act.search_city x --limit 51', 'INVALID_PARAMS', 'At most 50'],
    ['/act.search_city x --unit kelvin', 'INVALID_PARAMS', 'Allowed: celsius, fahrenheit'],
    ['/act.search_city x --limit', 'INVALID_PARAMS', '--limit needs a value'],
    ['/act.search_city a b c', 'INVALID_PARAMS', 'unit cannot be b'],
    ['/act.near a b', 'INVALID_PARAMS', 'Too many arguments: b'],
    ['/act.get_forecast New York', 'INVALID_PARAMS', 'Did you mean /act.get_forecast "New York"?'],
    ['/act.search_city New York', 'INVALID_PARAMS', 'Did you mean /act.search_city "New York"?'],
    ['/act.search_city $HOME', 'INVALID_VARIABLE', 'stay out of commands'],
    ['/act.search_city --name=x$TOKEN', 'INVALID_VARIABLE', '$TOKEN cannot be an argument'],
    ['/act.search_city {nothing}', 'UNDEFINED_VARIABLE', '{nothing}'],
    ['/act.search_city "open', 'INVALID_PARAMS', 'not closed'],
  ])('answers %s with %s and what to do', async (command, code, text) => {
    const { run } = await openWith(WEATHER('http://127.0.0.1:9'))
    const { head, body } = await run(command)
    expect(head.code).toBe(code)
    expect(body).toContain(text)
  })

  it('takes choices in quotes as what is in them, and says what else a value could be', async () => {
    const choices = '  k: string (red|"dark blue, matt"|it\'s)\n  b: boolean\n  t: tuple'
    const { run } = await openWith(`\`\`\`act.paint\nCLI echo {k} {b} {t}\n${choices}\n\`\`\`\n`)
    expect((await run('/act.paint "dark blue, matt"')).body).toBe('dark blue, matt')
    expect((await run('/act.paint "it\'s"')).body).toBe("it's")
    expect((await run('/act.paint --help')).body).toContain(`red|"dark blue, matt"|it's`)
    expect((await run('/act.paint green')).body).toContain(`Allowed: red, "dark blue, matt", it's`)
    expect((await run('/act.paint ""')).body).toContain('k cannot be ""')
    expect((await run('/act.paint -- red yes')).body).toContain('b cannot be yes\n  b is a boolean: true or false')
    expect((await run('/act.paint --t')).body).toBe(
      `ERROR(INVALID_PARAMS): --t needs a value\n  --t VALUE, or --t=VALUE\n  Usage: /act.paint [[--k] red|"dark blue, matt"|it's] [--b] [--t A,B]`,
    )
  })

  it('takes choices of a tuple for each of its items', async () => {
    const { run } = await openWith('```act.t\nCLI echo {tags}\n  tags: tuple (min:1, max:2, a|b|c)\n```\n')
    expect((await run('/act.t a,c')).body).toBe('a,c')
    expect((await run('/act.t --tags b --tags a')).body).toBe('b,a')
    expect((await run('/act.t a,x')).body).toContain('tags cannot be x\n  Allowed: a, b, c')
    expect((await run('/act.t a,b,c')).body).toContain('At most 2 items')
  })

  it('needs a document', async () => {
    const { run } = await openWith('text')
    expect((await run('/act')).body).toBe('Actions\n---\n(none)')
    await run('/close')
    expect((await run('/act')).head.code).toBe('NO_DOCUMENT')
  })

  it.each([
    ['GET', 'no type', 'GET http://127.0.0.1:9/\n  a: text', 'text is no type; types: string, number'],
    ['fields', 'no field', 'GET http://127.0.0.1:9/\n  what is this', 'not a field'],
    ['method', 'FETCH', 'FETCH http://127.0.0.1:9/', 'it begins with GET'],
    ['constraint', 'odd', 'GET http://127.0.0.1:9/\n  a: string (maybe)', 'maybe is no constraint'],
    ['pipe', 'odd', 'GET http://127.0.0.1:9/{a|zip}\n  a: string', 'zip is no pipe'],
    ['header', 'closed', 'GET http://127.0.0.1:9/ -H "Host: x"', 'belongs to the connection'],
    ['body', 'twice', `POST http://127.0.0.1:9/ -d 'a' -d 'b'`, 'more than one body'],
    ['quote', 'open', `CLI echo "x`, 'not closed'],
  ])('says what is wrong with a declaration: %s, %s', async (_what, _how, declaration, text) => {
    const { run } = await openWith(action(declaration))
    const { head, body } = await run('/act.go x')
    expect(head.code).toBe('ACTION_FAILED')
    expect(body).toMatch(/Action go is not written as an action: line \d+: /)
    expect(body).toContain(text)
  })
})

describe('what a response leaves', () => {
  const HOSTILE = `it's "quoted" $(touch pwned) \`touch pwned\`; touch pwned\n--help {city} \\ %s é 😀`

  it('is text for the next action, whatever the service sent, as {name} and as @name', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ items: [HOSTILE, '--dry-run'], name: HOSTILE }))
    })
    const { run, home } = await openWith(`
\`\`\`act.ask
GET ${service.origin}/
\`\`\`
\`\`\`act.ask.response
{found} = {Response.body.name}
for: x in Response.body.items
{@item} = {x}
end:
\`\`\`
\`\`\`act.use
CLI printf '%s' {v} > out
  v: string (required)
\`\`\`
`)
    expect((await run('/act.ask')).body).toBe('Done: ask')
    for (const call of ['{found}', '@item-1', '--v {found}', '--v=@item-1', '-- {found}']) {
      expect((await run(`/act.use ${call}`)).body).toBe('Done: use')
      expect(readFileSync(join(home, 'out'), 'utf8')).toBe(HOSTILE)
    }
    await run('/act.use @item-2')
    expect(readFileSync(join(home, 'out'), 'utf8')).toBe('--dry-run')
    expect(readdirSync(home).toSorted()).toEqual(['doc.md', 'out'])
  })

  it('takes the place of what the call before left', async () => {
    const { run } = await openWith(
      action('CLI echo "[$ARGS]"', 'for: x in Response.body\n{@n} = {x}\nend:\n{all} = {Response.body}'),
    )
    await run('/act.go 1, 2, 3')
    await run('/act.go 7')
    expect((await run('/set')).body).toContain('{all} = "[7]"')
    expect((await run('/act.go @n-2')).body).toContain('ERROR(NOT_FOUND): There is no value @n-2\n  Values: @n-1')
    expect((await run('/act.go @bob')).body).toContain('The answer is no JSON (line 1, column 2), ')
  })
})

it('a command that a signal ended says which one', async () => {
  const { run } = await openWith(action('CLI kill -KILL $$'))
  expect((await run('/act.go')).body).toContain(
    'ERROR(ACTION_FAILED): The command ended with status 137 (128 + 9, as SIGKILL leaves it)\n',
  )
})

describe('an argument that is meant as it is written', () => {
  const echo = action("CLI printf '%s' {text}\n  text: string (required)")

  it('has a backslash in front of it, and the errors say so', async () => {
    const { run } = await openWith(echo)
    expect((await run('/act.go {x}')).body).toContain('  For the text itself write \\{x}, not in single quotes')
    expect((await run("/act.go 'cost $USD'")).body).toContain(
      '  For the text itself write \\$USD, not in single quotes',
    )
    for (const [typed, text] of [
      ['\\{return}', '{return}'],
      ['"f(x) \\{return}"', 'f(x) {return}'],
      ['"cost \\$USD"', 'cost $USD'],
      ['\\$USD', '$USD'],
      ['--text=\\${HOME}', '${HOME}'],
      ['"\\${home}"', '${home}'],
      ["'cost '\\$'USD'", 'cost $USD'],
      ['"\\\\\\{x}"', '\\{x}'],
      // As before $, whatever follows.
      ['"f(x) \\{ return 1; }"', 'f(x) { return 1; }'],
      ['"\\{\\"a\\": 1}"', '{"a": 1}'],
      ['"a\\{2\\}"', 'a{2\\}'],
      ["'a\\{2\\}'", 'a\\{2\\}'],
    ] as const)
      expect((await run(`/act.go ${typed}`)).body, typed).toBe(text)
    await run('/set {x} = "1"')
    expect((await run('/act.go "\\{x} {x} \\\\{x}"')).body).toBe('{x} 1 \\1')
    expect((await run('/act.go "\\{{x}} \\{\\{x}}"')).body).toBe('{1} {{x}}')
    await run('/set {y} = "a \\{x} {x}"')
    await run('/set {z} = a \\{x} \\b {x}')
    expect((await run('/act.go "{y}, {z}"')).body).toBe('a {x} 1, a {x} \\b 1')
    await run('/write "\\{x}.md" --empty')
    expect((await run('/ls')).body).toContain('{x}.md')
  })

  it('comes from a variable, which is never looked at again; between fences nothing is replaced', async () => {
    const { run } = await openWith(echo)
    await run("/set {text} = 'in $HOME'")
    expect((await run('/act.go {text}')).body).toBe('in $HOME')
    await run('/set\n```{code}\nfunction f(x) {return}\n\\{x} $HOME\n```')
    expect((await run('/act.go {code}')).body).toBe('function f(x) {return}\n\\{x} $HOME')
  })

  it('stays as it was typed in what is stored', () => {
    expect(parseAssignments('$T = "a\\{b}"', '')).toMatchObject({ items: [{ value: 'a\\{b}' }] })
  })
})

it('suggests no value in quotes that the field does not take', async () => {
  const { run } = await openWith(action('CLI echo {a} {b}\n  a: string\n  b: string (md|txt)'))
  const { body } = await run('/act.go x md -- --verbose')
  expect(body).toContain('Too many arguments: --verbose')
  expect(body).not.toContain('Did you mean')
})

it.each([
  ['t --tags a,b,c,d', 'tags cannot be a,b,c,d'],
  ['t -q=no', 'quick cannot be no'],
  ['t u v w --quick maybe', 'Too many arguments'],
  ['eggs 0', 'count cannot be 0'],
  ['new title here', 'count cannot be title'],
])('suggests no call that would be refused, or was not meant: %s', async (words, refused) => {
  const { run } = await openWith(
    action(
      'CLI echo {title} {count} {quick} {tags}\n  title: string (max: 6)\n  count: number (min: 1) = 1\n  quick, -q: boolean\n  tags: tuple (max: 3)',
    ),
  )
  const { body } = await run(`/act.go ${words}`)
  expect(body).toContain(refused)
  expect(body).not.toContain('Did you mean')
})

it('suggests no quotes that leave a field without what it needs', async () => {
  const { run } = await openWith(action('CLI echo {a} {n}\n  a: string (required)\n  n: number (required)'))
  expect((await run('/act.go New York')).body).not.toContain('Did you mean')
})

describe('answers without a template', () => {
  it('JSON is pretty-printed, HTML becomes Markdown, text is text, and the document stays', async () => {
    const service = await startService((request, response) => {
      const kind = request.url?.slice(1) ?? ''
      response.writeHead(200, { 'Content-Type': kind === 'json' ? 'application/json' : `text/${kind}` })
      response.end({ json: '{"a":[1]}', html: '<h1>Hi</h1><p>you', plain: 'plain\n' }[kind])
    })
    const { run } = await openWith(action(`GET ${service.origin}/{kind}\n  kind: string (required)`))
    const json = await run('/act.go json')
    expect(json.body).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(json.head.data).toEqual({ status: 200, content_type: 'application/json', response: { a: [1] } })
    expect((await run('/act.go html')).body).toBe('# Hi\n\nyou')
    const plain = await run('/act.go plain')
    expect(plain.body).toBe('plain')
    expect(plain.head.data).toEqual({ status: 200, content_type: 'text/plain', body: 'plain\n' })
    expect(plain.head.meta?.uri).toMatch(/doc\.md$/)
  })

  it('JSON is data too, with long numbers as text, as long as an answer shows all of it', async () => {
    const service = await startService((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const long = JSON.stringify({ text: 'x'.repeat(LIMITS.answerBytes) })
      response.end({ '/id': '[{"id":12345678901234567890}]', '/long': long, '/bad': '{"a":' }[request.url ?? ''])
    })
    const { run } = await openWith(action(`GET ${service.origin}/{kind}\n  kind: string (required)`))
    const said = { status: 200, content_type: 'application/json' }
    expect((await run('/act.go id')).head.data).toEqual({ ...said, response: [{ id: '12345678901234567890' }] })
    const { head, body } = await run('/act.go long')
    expect(head.data).toEqual({
      ...said,
      body,
      truncated: true,
      whole: expect.stringMatching(/\/\.string\/output\/\w+\.txt$/),
    })
    expect(readFileSync(head.data?.whole as string, 'utf8')).toBe(
      JSON.stringify({ text: 'x'.repeat(LIMITS.answerBytes) }),
    )
    expect((await run('/act.go bad')).head.data).toEqual({ ...said, body: '{"a":' })
  })

  it('Markdown that a GET answers becomes the current document', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end('---\ntitle: Page\n---\n# Hello\n\n[@next Next](./next.md)\n')
    })
    const get = await openWith(action(`GET ${service.origin}/page?q=1`))
    const opened = await get.run('/act.go')
    expect(opened.body).toBe(`Opened ${service.origin}/page?q=1\n---\n# Hello\n\n[Next][@next]\n`)
    expect(opened.head.meta).toMatchObject({ uri: `${service.origin}/page?q=1`, title: 'Page' })
    expect((await get.run('/back')).body).toContain('Back to doc.md')
    const post = await openWith(action(`POST ${service.origin}/page`))
    expect((await post.run('/act.go')).body).toContain('[@next Next]')
  })

  it('4xx and 5xx are ACTION_FAILED with status, method, address and the start of the body', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(503, { 'Content-Type': 'text/plain' })
      response.end(`maintenance\nuntil noon\n${'x'.repeat(100_000)}`)
    })
    const { run } = await openWith(action(`PUT ${service.origin}/thing`))
    const { head, body } = await run('/act.go')
    expect(head.code).toBe('ACTION_FAILED')
    expect(body).toMatch(
      /^ERROR\(ACTION_FAILED\): PUT http:\S+\/thing answered 503 Service Unavailable\n {2}maintenance\n {2}until noon\n/,
    )
    expect(body.length).toBeLessThan(10_000)
  })

  it('an address without a scheme is said with the action and with what to write, also by a dry run', async () => {
    const { run } = await openWith(action('GET api.example.com/x?k={k}\n  k: string = "1"'))
    for (const call of ['/act.go', '/act.go --dry-run'])
      expect((await run(call)).body).toBe(
        'ERROR(INVALID_TARGET): The address of action go has no scheme: only a page from the web may leave out where it is\n  Write all of it in the document: https://api.example.com/x?k={k}',
      )
  })

  it('a server that is not there, and the port of String itself, are said', async () => {
    const { run, port } = await openWith(action('GET http://127.0.0.1:{port}/\n  port: number (required)'))
    expect((await run('/act.go 1')).body).toContain('ERROR(ACTION_FAILED): Nothing answers at http://127.0.0.1:1/')
    expect((await run(`/act.go ${port}`)).body).toContain('ERROR(INVALID_TARGET): ')
  })
})

describe('commands', () => {
  it('print their output; JSON is for the template; a status other than 0 is ACTION_FAILED with the output', async () => {
    const { run, home } = await openWith(action('CLI echo "hi {who}"\n  who: string = "World"'))
    expect((await run('/act.go')).body).toBe('hi World')
    writeFileSync(
      join(home, 'doc.md'),
      action(`CLI echo '{"n": [1, 2]}'`, 'n is {Response.body.n[1]}, {Response.status}'),
    )
    expect((await run('/act.go')).body).toBe('n is 2, 0')
    writeFileSync(join(home, 'doc.md'), action('CLI echo out; echo err >&2; exit 3'))
    expect((await run('/act.go')).body).toBe(
      'ERROR(ACTION_FAILED): The command ended with status 3\n  out\n  err\n  /act.go --dry-run shows the command as it is run',
    )
    writeFileSync(join(home, 'doc.md'), action('CLI true'))
    expect((await run('/act.go')).body).toBe('Done: go')
  })

  it('are TIMEOUT where they take too long, as requests are, with what was printed until then', async () => {
    const { port, home } = await startTestDaemon({ execMs: 300 })
    writeFileSync(join(home, 'doc.md'), action('CLI echo begun; sleep 600'))
    await exec(port, '/open doc.md')
    const { body, head } = await exec(port, '/act.go')
    expect(body).toBe(
      'ERROR(TIMEOUT): The command took longer than 0.3 s and was ended\n  begun\n  For longer work run it in a bash topic; /act.go --dry-run shows it',
    )
    expect(head).toMatchObject({ code: 'TIMEOUT', data: { exit_code: null } })
  })

  it('run in the folder of the document, and over several lines', async () => {
    const { run, home } = await openWith(action('CLI pwd\nfor x in 1 2; do echo "$x{a}"; done\n  a: string = "!"'))
    expect((await run('/act.go')).body).toBe(`${home}\n1!\n2!`)
  })

  it('say that they take the rest of the call', async () => {
    const { run } = await openWith(action('CLI git log "${ARGS}" {n}\n  n: number'))
    expect((await run('/act')).body).toBe('Actions\n---\n/act.go [[--n] N] [ARGS…] (runs a command)')
    expect((await run('/act.go --help')).body).toContain(
      '/act.go [[--n] N] [ARGS…]\n\n--n  number\nARGS…  whatever no field takes, flags too: each word one argument\n\nExample: ',
    )
    for (const [script, rest] of [
      ['git log $ARGS', '\nARGS…  '],
      ['echo \\$ARGS', '(no fields)'],
      ['echo $ARGS_LIST', '(no fields)'],
    ] as const)
      expect((await (await openWith(action(`CLI ${script}`))).run('/act.go --help')).body).toContain(rest)
  })

  it('get the rest of the call as $ARGS, each word as one argument', async () => {
    const { run } = await openWith(
      action(`CLI printf '<%s>' {first} $ARGS; echo "[$ARGS]"\n  first: string (required)`),
    )
    expect((await run(`/act.go a 'b c' --flag '$(x)' -- --help`)).body).toBe(
      '<a><b c><--flag><$(x)><--help>[b c --flag $(x) --help]',
    )
  })
})

describe('fields that have no place', () => {
  it.each([
    ['GET', '/x -H "X-Lang: {lang}"', [['n', '1']], ''],
    ['DELETE', '/x/{n} -H "X-Lang: {lang}"', [], ''],
    [
      'GET',
      '/x?l={lang} -H "X-Lang: {lang}"',
      [
        ['l', 'ko'],
        ['n', '1'],
      ],
      '',
    ],
    ['POST', '/x -H "X-Lang: {lang}"', [], '{"n":1}'],
    ['POST', `/x -H "X-Lang: {lang}" -d '{"n": {n}}'`, [], '{"n": 1}'],
  ])('%s %s sends them once: a header is a place, too', async (method, template, query, body) => {
    const service = await startService()
    const { run } = await openWith(action(`${method} ${service.origin}${template}\n  lang: string\n  n: number`))
    expect((await run('/act.go ko 1')).head.ok).toBe(true)
    expect(service.arrived[0]).toMatchObject({ method, query, body, headers: { 'x-lang': 'ko' } })
  })

  it('leaves a header out that could only say what is not given', async () => {
    const service = await startService()
    const { run } = await openWith(
      action(`GET ${service.origin}/x -H "X-Lang: {lang}" -H "X-Both: a{lang}"\n  lang: string`),
    )
    await run('/act.go')
    await run('/act.go ""')
    expect(service.arrived.map(({ headers }) => [headers['x-lang'], headers['x-both']])).toEqual([
      [undefined, 'a'],
      ['', 'a'],
    ])
    expect(service.arrived.map(({ query }) => query)).toEqual([[], []])
  })
})

describe('a field of the file that an answer goes into', () => {
  it.each([
    ['GET', 'save: Response.body.method\nto: out/{to}.txt', [['q', '1']], ''],
    ['POST', 'save: out/{to}.txt', [], '{"q":"1"}'],
  ])('has its place there, and %s does not send it', async (method, response, query, body) => {
    const service = await startService()
    const fields = '  q: string\n  to: string'
    const { run, home } = await openWith(action(`${method} ${service.origin}/x\n${fields}`, response))
    expect((await run('/act.go 1 --to here')).body).toContain('Saved: out/here.txt')
    expect(service.arrived[0]).toMatchObject({ query, body })
    expect(readFileSync(join(home, 'out/here.txt'), 'utf8')).toContain(method)
  })

  it('is sent where a response only shows it', async () => {
    const service = await startService()
    const { run } = await openWith(action(`GET ${service.origin}/x\n  q: string`, 'Found for {q}'))
    expect((await run('/act.go cats')).body).toBe('Found for cats')
    expect(service.arrived[0]?.query).toEqual([['q', 'cats']])
  })

  it('is an error where its name is none, and nothing is sent or written', async () => {
    const service = await startService()
    const response = 'save: Response.body.method\nto: out/{outt}.txt'
    const { run, home } = await openWith(action(`GET ${service.origin}/x\n  out: string`, response))
    const { head, body } = await run('/act.go there')
    expect(head.code).toBe('ACTION_FAILED')
    expect(body).toContain('/act.go writes a file whose name has {outt} in it, which is no field')
    expect(body).toContain('Did you mean {out}?')
    expect(service.arrived).toEqual([])
    expect(existsSync(join(home, 'out'))).toBe(false)
    // A variable of the topic may have the name.
    await run('/set {outt} = "mine"')
    expect((await run('/act.go there')).body).toContain('Saved: out/mine.txt')
  })

  it('is an error where the answer lacks what the name is made of', async () => {
    const service = await startService()
    const response = 'save: Response.body.method\nto: {Response.body.id}{end}.txt'
    const { run, home } = await openWith(action(`GET ${service.origin}/x\n  end: string`, response))
    expect((await run('/act.go')).body).toContain('There is no Response.body.id for the name of the file')
    expect(readdirSync(home).filter((name) => name.endsWith('.txt'))).toEqual([])
  })
})

describe('the words of a call', () => {
  it.each([
    ['"\\$(id)"', '$(id)'],
    ['"\\`id\\`"', '`id`'],
    ['"a \\"b\\" \\\\ \\n"', 'a "b" \\ \\n'],
    [`'\\$(id)'`, '\\$(id)'],
    ['\\$\\(id\\)', '$(id)'],
    [`'\\\\'"x"`, '\\\\x'],
    [`$'one\\ntwo'`, 'one\ntwo'],
  ])('%s arrives as a shell would hand it over', async (typed, arrives) => {
    const { run } = await openWith(action("CLI printf '%s' {q}\n  q: string (required)"))
    expect((await run(`/act.go ${typed}`)).body).toBe(arrives)
  })

  it.each(['/act.go "one\ntwo"', '/act go "one\ntwo"', '/act.go --q one\ntwo', '/open "one\ntwo"'])(
    '%j names the way for a value of several lines, which works',
    async (command) => {
      const { run } = await openWith(action("CLI printf '%s' {q}\n  q: string (required)"))
      const { head, body } = await run(command)
      expect(head.ok).toBe(false)
      const [, way = ''] = /is set first:\n((?: {2}.*\n)+?) {2}Then \{text\} stands for it/.exec(body) ?? []
      expect((await run(way.replace(/^ {2}/gm, '').replace('its lines', 'one\ntwo'))).head.ok).toBe(true)
      expect((await run('/act.go {text}')).body).toBe('one\ntwo')
    },
  )
})

it('of words that are too many, one that is empty is no part of another', async () => {
  const { run } = await openWith(action('CLI echo {a} {b}\n  a: string\n  b: string'))
  const { body } = await run('/act.go one "" extra')
  expect(body).toContain('Too many arguments: extra')
  expect(body).not.toContain('Did you mean')
})

it('a bound of one is told of one', async () => {
  const { run } = await openWith(action('CLI echo {a} {t}\n  a: string (min:1)\n  t: tuple (max:1)'))
  expect((await run('/act.go ""')).body).toContain('At least 1 character\n')
  expect((await run('/act.go x 1,2')).body).toContain('At most 1 item\n')
})

it('a word behind the flag of a boolean, which no field takes, is blamed on that flag', async () => {
  const { run } = await openWith(action('CLI echo {book} {days}\n  book: string\n  days: number\n  express: boolean'))
  for (const typed of ['Dune --express maybe', 'Dune 3 --express maybe']) {
    const { body } = await run(`/act.go ${typed}`)
    expect(body).toMatch(
      /express cannot be maybe\n {2}express is a boolean: true or false\n {2}--express alone is true/,
    )
  }
  expect((await run('/act.go Dune --express 3')).body).toBe('Dune 3')
  expect((await run('/act.go --express Dune many')).body).toContain('days cannot be many')
})
