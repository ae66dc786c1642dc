import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { action, openWith, startService } from '../support/action.ts'
import { openPackaged } from '../support/packaged.ts'

const SECRET = 'tok-4711-abc'
const template = (text: string): string => `\n\`\`\`act.go.response\n${text}\n\`\`\`\n`
const kept = expect.stringMatching(/\/\.string\/output\/\w+\.txt$/)

describe('the data of an action', () => {
  it('of HTTP: status, type and what was answered, also where a template says it otherwise', async () => {
    const service = await startService(({ url }, response) => {
      const isJson = url === '/json'
      response.writeHead(isJson ? 201 : 200, { 'Content-Type': isJson ? 'application/json' : 'text/csv' })
      response.end(isJson ? '{"a":[1]}' : 'a;b\n')
    })
    const call = `GET ${service.origin}/{kind}\n  kind: string (required)`
    const { run } = await openWith(`${action(call)}${template('Status {Response.status}')}`)
    const json = await run('/act.go json')
    expect(json.body).toBe('Status 201')
    expect(json.head.data).toEqual({ status: 201, content_type: 'application/json', response: { a: [1] } })
    expect((await run('/act.go text')).head.data).toEqual({ status: 200, content_type: 'text/csv', body: 'a;b\n' })
  })

  it('of HTTP that fails, and of what is no text', async () => {
    const service = await startService(({ url }, response) => {
      response.writeHead(url === '/gone' ? 410 : 200, { 'Content-Type': url === '/gone' ? 'text/plain' : 'image/png' })
      response.end(`gone${'x'.repeat(LIMITS.errorBytes)}`)
    })
    const { run } = await openWith(action(`GET ${service.origin}/{kind}\n  kind: string (required)`))
    const gone = await run('/act.go gone')
    expect(gone.head.code).toBe('ACTION_FAILED')
    const body = `gone${'x'.repeat(LIMITS.errorBytes)}`
    expect(gone.head.data).toEqual({ status: 410, content_type: 'text/plain', body })
    expect((await run('/act.go image')).head.data).toEqual({ status: 200, content_type: 'image/png', body: null })
  })

  it('of a command: its exit code and what it printed, errors too', async () => {
    const script = 'CLI echo one; echo two >&2'
    const output = 'one\ntwo'
    const plain = await openWith(action(script))
    expect((await plain.run('/act.go')).head.data).toEqual({ exit_code: 0, output })
    const failing = await openWith(action(`${script}; exit 3`))
    const failed = await failing.run('/act.go')
    expect(failed.body).toContain('ERROR(ACTION_FAILED): The command ended with status 3\n  one\n  two\n')
    expect(failed.head.data).toEqual({ exit_code: 3, output })
  })

  it('of a command whose answer is read: its output alone, and its errors apart', async () => {
    const script = `CLI echo 'DeprecationWarning: old' >&2; echo '{"name":"bob"}'`
    const errors = { stderr: 'DeprecationWarning: old' }
    const shown = '\n\nStandard error:\n\n    DeprecationWarning: old'
    const { run } = await openWith(`${action(script)}${template('Name: {Response.body.name}')}`)
    const output = '{"name":"bob"}'
    expect(await run('/act.go')).toMatchObject({
      body: `Name: bob${shown}`,
      head: { data: { exit_code: 0, output, ...errors } },
    })
    const silent = await openWith(`${action(script)}${template('{x} = {Response.body.name}')}`)
    expect((await silent.run('/act.go')).body).toBe(`Done: go\n---\n${shown.trim()}`)
    const saving = await openWith(`${action(script)}${template('save: whole.json')}`)
    expect((await saving.run('/act.go')).body).toBe(`Saved: whole.json (14 bytes)${shown}`)
    expect(readFileSync(join(saving.home, 'whole.json'), 'utf8')).toBe(output)
    const quiet = await openWith(`${action('CLI echo 3')}${template('{Response.body}')}`)
    expect(await quiet.run('/act.go')).toMatchObject({ body: '3', head: { data: { output: '3', stderr: '' } } })
    const failing = await openWith(`${action(`${script}; exit 3`)}${template('Done')}`)
    const failed = await failing.run('/act.go')
    expect(failed.body).toContain(`ended with status 3\n  ${output}\n  DeprecationWarning: old\n`)
    expect(failed.head.data).toEqual({ exit_code: 3, output, ...errors })
  })

  it('is ACTION_FAILED where a template takes apart what is no JSON: it is shown, and nothing is kept', async () => {
    const answers: Record<string, readonly [type: string, body: string]> = {
      '/json': ['application/json', '{\n  "a": {\n    "b": yes\n}}'],
      '/half': ['application/json', '[{"a": 1},\n{"a": '],
      '/html': ['text/html', '<h1>Sign in</h1>'],
      '/text': ['text/plain', 'Loading…\n{"a": 1}'],
      '/png': ['image/png', '\x89PNG\0'],
      '/mislabelled': ['text/html', '{"a": "yes"}'],
      '/number': ['application/json', '7'],
      '/none': ['application/json', ''],
    }
    const service = await startService(({ url = '' }, response) => {
      const [type, body] = answers[url] ?? ['text/plain', '']
      response.writeHead(200, { 'Content-Type': type }).end(body)
    })
    const call = action(`GET ${service.origin}/{kind}\n  kind: string (required)`)
    const { run } = await openWith(`${call}${template('{a} = {Response.body.a}\nA: {a}')}`)
    const told = (kind: string, text: string): string =>
      `ERROR(ACTION_FAILED): The answer is ${kind}, and the response of /act.go takes parts of it\n${text}  In the response, {Response.body} alone is the text\n  The request was made: another call makes it again`
    for (const [path, expected] of [
      ['json', told('no JSON (line 3, column 10)', '  {\n    "a": {\n      "b": yes\n  }}\n')],
      ['half', told('no JSON (line 2, column 7)', '  [{"a": 1},\n  {"a": \n'.replace(': \n', ':\n'))],
      ['html', told('text/html, not JSON', '  <h1>Sign in</h1>\n')],
      ['text', told('no JSON', '  Loading…\n  {"a": 1}\n')],
      ['png', told('image/png, not JSON', '')],
    ] as const)
      expect((await run(`/act.go ${path}`)).body, path).toBe(expected)
    expect((await run('/act.go html')).head).toMatchObject({ ok: false, data: { status: 200 } })
    expect((await run('/set')).body).not.toContain('{a}')
    expect((await run('/act.go mislabelled')).body).toBe('A: yes')
    expect((await run('/act.go number')).body).toContain(
      'A: \n… the response is plain text (1 character), which has no',
    )
    expect((await run('/act.go none')).body).toBe('A: ')
  })

  it('is the same of a command, and a template that takes nothing apart shows any text', async () => {
    const script = `CLI echo Loading; echo '{"a": 1}'`
    for (const lines of [
      'for: x in Response.body\n{x}\nend:',
      '{@a} = "{Response.body.a}"',
      'save: Response.body.a\nto: a',
    ])
      expect((await (await openWith(`${action(script)}${template(lines)}`)).run('/act.go')).body).toBe(
        'ERROR(ACTION_FAILED): The answer is no JSON, and the response of /act.go takes parts of it\n  Loading\n  {"a": 1}\n  It has to print JSON alone; anything else can go to standard error: >&2\n  The command has run: another call runs it again',
      )
    const { run } = await openWith(`${action(script)}${template('{Response.status}: {Response.body}')}`)
    expect((await run('/act.go')).body).toBe('0: Loading\n{"a": 1}')
  })

  it('is not taken apart where more was printed than is kept: that is said, and nothing is saved', async () => {
    const script = `CLI echo '['; seq -s, 1 60000; echo ']'`
    for (const lines of ['for: x in Response.body\n- {x}\nend:', '{Response.body[0]}', 'save: half.json']) {
      const large = await openWith(`${action(script)}${template(lines)}`)
      const { body, head } = await large.run('/act.go')
      expect(body).toMatch(/^ERROR\(ACTION_FAILED\): The command printed more than the 256 KiB that a response reads/)
      expect(head.data).toMatchObject({ exit_code: 0, truncated: true })
      expect(existsSync(join(large.home, 'half.json'))).toBe(false)
    }
    const counted = await openWith(`${action(script)}${template('Ran, with {Response.status}')}`)
    expect((await counted.run('/act.go')).body).toBe('Ran, with 0')
  })

  it('has as much of the errors beside an answer as is shown of an error', async () => {
    const script = 'CLI echo 1; head -c 100000 /dev/zero | tr "\\0" x >&2'
    const { run } = await openWith(`${action(script)}${template('{Response.body}')}`)
    const { body, head } = await run('/act.go')
    expect(body).toMatch(/^1\n\nStandard error:\n\n {4}x/)
    const stderr = JSON.stringify(head.data?.stderr)
    expect(stderr).toContain('bytes left out; ')
    expect(stderr.length).toBeLessThanOrEqual(LIMITS.errorBytes)
  })

  it('is a page to lay out where a template made it, and no output', async () => {
    const made = await openWith(`${action('CLI echo 3')}${template('- apple: **{Response.body}**')}`)
    expect(await made.run('/act.go')).toMatchObject({ body: '- apple: **3**', head: { format: 'markdown' } })
    for (const document of [
      action('CLI echo "**3**"'),
      `${action('CLI echo 3')}${template('{x} = {Response.body}')}`,
    ]) {
      const { run } = await openWith(document)
      expect((await run('/act.go')).head.format).toBe('text')
    }
  })

  it('says what was cut, and where the whole is', async () => {
    for (const exit_code of [0, 3]) {
      const { run } = await openWith(action(`CLI printf "%0300000d" 0; exit ${exit_code}`))
      const { data } = (await run('/act.go')).head
      expect(data).toMatchObject({ exit_code, truncated: true, whole: kept })
      expect(JSON.stringify(data).length).toBeLessThan(LIMITS.answerBytes)
      expect(readFileSync(data?.whole as string, 'utf8')).toBe('0'.repeat(300_000))
    }
  })

  it('holds no secret, and nothing is kept that may', async () => {
    const service = await startService(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      response.end(`${url} ${'x'.repeat(LIMITS.answerBytes)} ${SECRET}`)
    })
    const http = await openPackaged(`${action(`GET ${service.origin}/$TOKEN`)}${template('Done')}`, { TOKEN: SECRET })
    const cli = await openPackaged(action('CLI echo "$TOKEN"; exit 4'), { TOKEN: SECRET })
    const answers = [(await http.run('/packaged')).head.data, (await cli.run('/packaged')).head.data]
    expect(answers[0]).toMatchObject({ body: expect.stringContaining('/*** xxx'), truncated: true, whole: null })
    expect(answers[1]).toEqual({ exit_code: 4, output: '***' })
    expect(JSON.stringify(answers)).not.toContain(SECRET)
  })
})
