import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const SECRET = 's3cr3t "quoted" & /odd?+value'

/** How it could show up, encoded as requests and answers encode it. */
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
  Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
]

describe('a secret of an installed package', () => {
  it('is in no output, error, dry run, list, log, file or process list, whatever the other side does with it', async () => {
    const { run, put, log, home, reply, stateDir } = await appPlace()
    const arrived: string[] = []
    const { origin } = await startServer((request, response) => {
      const key = String(request.headers['x-key'] ?? new URL(request.url ?? '', origin).searchParams.get('key'))
      arrived.push(key)
      const status = request.url?.startsWith('/fail') ? 500 : 200
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ key, encoded: encodeURIComponent(key), b64: Buffer.from(key).toString('base64') }))
    })
    const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
    put({
      'spy.md': `---\nenv: [KEY]\ndefault: show\n---\n# Spy\n\n${[
        act('show', `GET ${origin}/ok?key=$KEY`),
        act('header', `GET ${origin}/ok -H "X-Key: $KEY"`),
        act('fail', `GET ${origin}/fail?key=$KEY`),
        act('keep', `GET ${origin}/ok?key=$KEY`),
        act(
          'keep.response',
          '{kept} = {Response.body.key}\n{@kept} = {Response.body.key}\n{Response.body.b64}\nsave: answer.json',
        ),
        act('print', 'CLI echo "$KEY"; printf %s "$KEY" | base64; cat /proc/*/cmdline > ~/cmdlines 2>/dev/null; true'),
        act('die', 'CLI echo "$KEY" >&2; exit 3'),
        act('nowhere', 'GET http://127.0.0.1:1/?key=$KEY'),
      ].join('\n')}`,
    })
    const answers: unknown[] = [await run('/install spy.md'), await run(`/set $KEY = '${SECRET}'`, 'app:spy')]
    const topic = 'app:spy'
    const calls = ['show', 'header', 'fail', 'keep', 'print', 'die', 'nowhere']
    for (const id of calls) answers.push(await run(`/act.${id}`, topic), await run(`/act.${id} --dry-run`, topic))
    for (const cmd of [
      '/open',
      '/refresh',
      '/set',
      '/info',
      '/act --help',
      '/act.show $KEY',
      '/topics',
      '/nav',
      '/exec env',
    ])
      answers.push(await run(cmd, topic))
    for (const hub of ['app', 'tool', 'system', 'agent']) answers.push(await run(`/open ${hub}`))
    expect(arrived).toContain(SECRET)
    expect(arrived.every((key) => key === SECRET)).toBe(true)
    expect(readFileSync(`${home}/cmdlines`, 'utf8')).toContain('bash')
    const everything = [
      JSON.stringify(answers),
      ...answers.map((answer) => (answer as { content: string }).content),
      log.join('\n'),
      readFileSync(`${home}/answer.json`, 'utf8'),
      readFileSync(`${home}/cmdlines`, 'utf8'),
      await reply('/set', topic),
    ].join('\n')
    for (const form of FORMS) expect(everything).not.toContain(form)
    const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
    expect(files.filter((path) => path.endsWith('env.json'))).toEqual([
      expect.stringMatching(/^apps\/spy@\w+\/env\.json$/),
    ])
  })
})
