import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { createRequester } from '../../src/web/request.ts'
import { type ActionDaemon, action, openWith, startService } from '../support/action.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { startServer } from '../web/page-server.ts'

/** A page from loopback with these actions, opened. Whatever else is asked of its server is echoed. */
async function openPage(
  document: (origin: string) => string,
): Promise<ActionDaemon & { origin: string; asked: string[] }> {
  const asked: string[] = []
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const isPage = request.url === '/page.md'
    response.writeHead(200, { 'Content-Type': isPage ? 'text/markdown' : 'text/plain' })
    response.end(isPage ? document(`http://${request.headers.host}`) : `echo ${request.url}`)
  }
  const { origin } = await startServer(listener)
  const daemon = await startTestDaemon()
  const run = (command: string) => exec(daemon.port, command)
  await run(`/open ${origin}/page.md`)
  return { ...daemon, run, origin, asked }
}

const acts = (declarations: Record<string, string>): string =>
  Object.entries(declarations)
    .map(([id, text]) => `\`\`\`act.${id}\n${text}\n\`\`\`\n`)
    .join('\n')

describe('a file of the workspace', () => {
  it('runs HTTP and CLI when asked, and nothing by itself', async () => {
    const service = await startService()
    const { run, home } = await openWith(acts({ web: `GET ${service.origin}/x`, cli: 'CLI touch ran; echo ran' }))
    await run('/refresh')
    await run('/act')
    await run('/act.cli --help')
    await run('/act.cli --dry-run')
    expect(service.arrived).toEqual([])
    expect(existsSync(join(home, 'ran'))).toBe(false)
    expect((await run('/act.web')).head.ok).toBe(true)
    expect((await run('/act.cli')).body).toBe('ran')
  })

  it.each([
    'GET http://127.0.0.1:9/?key=$API_KEY',
    'GET http://127.0.0.1:9/ -H "Authorization: Bearer $API_KEY"',
    `POST http://127.0.0.1:9/ -d '{"key": "$API_KEY"}'`,
    'GET http://127.0.0.1:9/\n  key: string = "$API_KEY"',
    'CLI echo "$API_KEY"',
    `CLI echo "$(printenv x)\${API_KEY}"`,
  ])('gets no stored variables: %s', async (declaration) => {
    const { run } = await openWith(action(declaration))
    for (const command of ['/act.go', '/act.go --dry-run']) {
      const { head, body } = await run(command)
      expect(head.code).toBe('ENV_REQUIRED')
      expect(body).toContain('$API_KEY')
      expect(body).toContain('/install')
    }
  })

  it('has the variables of the shell, those it sets itself, and defaults of its own', async () => {
    const { run, home } = await openWith(action(`CLI x=1; for y in 2; do echo "$HOME $x $y \${NOT_SET:-3}"; done`))
    expect((await run('/act.go')).body).toBe(`${home} 1 2 3`)
  })

  it('reads files for its pipes inside the workspace only', async () => {
    const service = await startService()
    const { run, home, dir } = await openWith(
      action(`POST ${service.origin}/x -d '{"text": "{f|file}", "bytes": "{f|base64file}"}'\n  f: path (required)`),
    )
    writeFileSync(join(home, 'in.txt'), 'a "quoted" line\n')
    writeFileSync(join(dir, 'out.txt'), 'outside')
    mkdirSync(join(home, '.string'))
    writeFileSync(join(home, '.string/config.json'), '{}')
    expect((await run('/act.go in.txt')).head.ok).toBe(true)
    expect(JSON.parse(service.arrived[0]?.body ?? '')).toEqual({
      text: 'a "quoted" line\n',
      bytes: Buffer.from('a "quoted" line\n').toString('base64'),
    })
    expect((await run('/act.go ../out.txt')).head.code).toBe('INVALID_PATH')
    expect((await run(`/act.go ${dir}/out.txt`)).head.code).toBe('INVALID_PATH')
    expect((await run('/act.go .string/config.json')).head.code).toBe('INVALID_PATH')
    expect((await run('/act.go missing.txt')).head.code).toBe('NOT_FOUND')
    writeFileSync(join(home, 'in.bin'), Buffer.from([0, 255]))
    expect((await run('/act.go in.bin')).head.code).toBe('NOT_TEXT')
    expect(service.arrived).toHaveLength(1)
  })

  it('saves into the workspace only', async () => {
    const { run, home, dir } = await openWith(
      action(
        `CLI echo '{"data": "AAH/"}'\n  to: path (required)`,
        'save: Response.body.data\ndecode: base64\nto: {to}',
      ),
    )
    expect((await run('/act.go new/out.bin')).body).toBe('Saved: new/out.bin (3 bytes)')
    expect(readFileSync(join(home, 'new/out.bin'))).toEqual(Buffer.from([0, 1, 255]))
    for (const path of ['../out.bin', `${dir}/out.bin`, '.string/packages/x', '/proc/self/x'])
      expect((await run(`/act.go ${path}`)).head.code).toBe('INVALID_PATH')
    expect((await run('/act.go new')).head.code).toBe('INVALID_PATH')
    expect(readdirSync(dir).toSorted()).toEqual(['data', 'home'])
  })

  it('refuses a file that cannot be written before anything is sent or run, in a dry run too', async () => {
    const service = await startService()
    const { run, home } = await openWith(
      acts({
        book: `POST ${service.origin}/order\n  to: path = "order.json"`,
        'book.response': 'save: orders/{to}',
        cli: 'CLI touch ran; echo 1\n  to: path (required)',
        'cli.response': 'for: x in Response.body\nend:\nsave: {to}',
      }),
    )
    mkdirSync(join(home, 'orders/old'), { recursive: true })
    writeFileSync(join(home, 'orders/r.txt'), 'text')
    for (const [path, reason] of [
      ['../../../etc/x', 'Outside the workspace'],
      ['old', 'orders/old is a folder'],
      ['r.txt/x', 'A part of the path is not a folder: orders/r.txt/x'],
      ['r.txt/a/b', 'A part of the path is not a folder: orders/r.txt/a/b'],
      ['x'.repeat(300), 'The name is too long: orders/xxx'],
    ] as const)
      for (const command of [`/act.book ${path}`, `/act.book --dry-run ${path}`, `/act.cli orders/${path}`])
        expect(await run(command), command).toMatchObject({
          head: { code: 'INVALID_PATH' },
          body: expect.stringContaining(reason),
        })
    expect((await run('/act.cli ""')).head.code).toBe('INVALID_PATH')
    expect(service.arrived).toEqual([])
    expect(existsSync(join(home, 'ran'))).toBe(false)
    expect((await run('/act.book --dry-run new/{x}')).head.ok).toBe(false)
    expect((await run('/act.book --dry-run new/a.json')).body).toMatch(/\n\nWrites the file: orders\/new\/a\.json$/)
    expect(existsSync(join(home, 'orders/new'))).toBe(false)
    expect((await run('/act.book new/a.json')).body).toMatch(/^Saved: orders\/new\/a\.json/)
  })

  it('says of what fails only afterwards that it was done', async () => {
    const { run, home } = await openWith(
      action(`CLI touch ran; echo '{"id": "../../../x"}'`, 'save: first.json\nsave: {Response.body.id}'),
    )
    expect((await run('/act.go --dry-run')).body).toMatch(/Writes the file: first\.json; \{Response\.body\.id\}$/)
    const { head, body } = await run('/act.go')
    expect(head.code).toBe('INVALID_PATH')
    expect(body).toMatch(/\n {2}Saved: first\.json \(\d+ bytes\)\n {2}The command has run: another call runs it again$/)
    expect(existsSync(join(home, 'ran'))).toBe(true)
  })

  it('saves a part of the body that is named without Response.body.', async () => {
    const answer = JSON.stringify({ c: [{ d: { x: 'AAH/' } }] })
    const { run, home } = await openWith(
      action(`CLI echo '${answer}'\n  to: path (required)`, 'save: c[0].d.x\ndecode: base64\nto: {to}'),
    )
    expect((await run('/act.go out.bin')).body).toBe('Saved: out.bin (3 bytes)')
    expect(readFileSync(join(home, 'out.bin'))).toEqual(Buffer.from([0, 1, 255]))
  })
})

describe('a page from the web', () => {
  it('calls its own origin, also by relative addresses, and runs nothing by itself', async () => {
    const { run, asked } = await openPage((origin) =>
      acts({ full: `GET ${origin}/a?x={x}\n  x: string = "1"`, short: 'DELETE /b/{x}\n  x: string = "2"' }),
    )
    await run('/refresh')
    expect(asked).toEqual(['GET /page.md', 'GET /page.md'])
    expect((await run('/act.full')).body).toBe('echo /a?x=1')
    expect((await run('/act.short')).body).toBe('echo /b/2')
  })

  it('reaches no other place on this machine', async () => {
    const other = await startService()
    const { run, port } = await openPage(() =>
      acts({
        other: `GET ${other.origin}/`,
        any: 'GET http://127.0.0.1:{port}/\n  port: number',
        host: 'GET http://localhost:9/',
      }),
    )
    expect((await run('/act.other')).head.code).toBe('ACTION_FORBIDDEN')
    expect((await run(`/act.any ${other.port}`)).head.code).toBe('ACTION_FORBIDDEN')
    expect((await run(`/act.any ${port}`)).head.code).toBe('ACTION_FORBIDDEN')
    expect((await run('/act.host')).head.code).toBe('ACTION_FORBIDDEN')
    expect(other.arrived).toEqual([])
  })

  it('runs no commands, gets no variables, reads and saves no files', async () => {
    const { run, asked, home } = await openPage(
      (origin) =>
        `${acts({
          cli: 'CLI touch ran',
          secret: `GET ${origin}/x?k=$API_KEY`,
          file: `POST ${origin}/x -d '{f|file}'\n  f: string = "a.txt"`,
          bytes: `POST ${origin}/x -d '{f|base64file}'\n  f: string = "a.txt"`,
          save: `GET ${origin}/x`,
        })}\n\`\`\`act.save.response\nsave: out.txt\n\`\`\`\n`,
    )
    writeFileSync(join(home, 'a.txt'), 'private')
    expect((await run('/act.cli')).head.code).toBe('ACTION_FORBIDDEN')
    expect((await run('/act.cli --dry-run')).head.code).toBe('ACTION_FORBIDDEN')
    expect((await run('/act.secret')).head.code).toBe('ENV_REQUIRED')
    for (const id of ['file', 'bytes', 'save']) expect((await run(`/act.${id}`)).head.code).toBe('ACTION_FORBIDDEN')
    expect(asked).toEqual(['GET /page.md'])
    expect(readdirSync(home)).toEqual(['a.txt'])
  })

  it('keeps these rules in what an action of a file answers with', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end('```act.go\nCLI touch ran\n```\n')
    })
    const { run } = await openWith(action(`GET ${service.origin}/doc`))
    expect((await run('/act.go')).body).toContain('[actions] go')
    expect((await run('/act.go')).head.code).toBe('ACTION_FORBIDDEN')
  })

  it('S26: from a public address reaches nothing local, by redirect neither', async () => {
    const target = await startService((request, response) => {
      if (request.url === '/hop') response.writeHead(307, { Location: 'http://127.0.0.1/secret' })
      else response.writeHead(200)
      response.end()
    })
    const hosts: Record<string, string[]> = { 'public.example': ['93.184.216.34'], 'inside.example': ['10.0.0.7'] }
    const send = createRequester({
      ownPort: () => 1,
      resolve: async (host) => hosts[host] ?? [],
      connectTo: () => '127.0.0.1',
    })
    const from = { url: 'http://public.example/page.md', reach: 'public' } as const
    const post = (url: string) =>
      send({ method: 'POST', url, headers: [], body: Buffer.from('x'), from, readErrors: true })
    for (const host of ['127.0.0.1', '[::1]', '10.0.0.7', 'inside.example', '169.254.169.254', '0x7f.1'])
      expect(await post(`http://${host}:${target.port}/`)).toMatchObject({ code: 'INVALID_TARGET' })
    expect(await post(`http://public.example:${target.port}/ok`)).toMatchObject({ ok: true, status: 200 })
    expect(await post(`http://public.example:${target.port}/hop`)).toMatchObject({ ok: false })
    expect(target.arrived.map(({ path }) => path)).toEqual(['/ok', '/hop'])
  })
})

describe('a page that an action was answered with', () => {
  it('is shown in that topic alone: others see of the same address what they were answered', async () => {
    const { origin } = await startServer(({ headers }, response) => {
      const text = headers.authorization === undefined ? 'for everyone' : 'for one alone'
      response.writeHead(200, { 'Content-Type': 'text/markdown' }).end(`# Page\n\n${text}\n`)
    })
    const { run, port, dir } = await openWith(action(`GET ${origin}/page -H "Authorization: Bearer x"`))
    await call(port, 'POST', '/agents', { body: { agent_id: 'bob', home: join(dir, 'bob') } })
    const others = [{ topic: 'other' }, { agent: 'bob' }]
    for (const other of others) await exec(port, `/open ${origin}/page`, other)
    expect((await run('/act.go')).body).toContain('for one alone')
    expect((await run('/open --full')).body).toContain('for one alone')
    for (const other of others) expect((await exec(port, '/open --full', other)).body).toContain('for everyone')
  })
})
