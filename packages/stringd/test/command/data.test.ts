import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Data } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec, readExec } from '../../../../test/support/http.ts'
import { action, openWith } from '../support/action.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** The fields that a command answers beside its text. */
async function dataOf(port: number, cmd: string, topic = 'main'): Promise<Data | null> {
  return (await exec(port, cmd, { topic })).head.data
}

/** A field that is text. */
function textIn(data: Data | null, field: string): string {
  const value = data?.[field]
  if (typeof value !== 'string') throw new Error(`${field} is no text: ${JSON.stringify(data)}`)
  return value
}

describe('the data of a shell command', () => {
  it('is exit, cwd, running and what it printed, whether it succeeded, failed or took too long', async () => {
    const { port, home } = await startTestDaemon({ execMs: 300 })
    expect(await dataOf(port, '/exec true')).toEqual({ exit: 0, cwd: home, running: false, output: '' })
    expect(await dataOf(port, '/exec echo no; exit 7')).toEqual({ exit: 7, cwd: home, running: false, output: 'no' })
    expect(await dataOf(port, '/exec echo begun; sleep 60')).toEqual({
      exit: 124,
      cwd: home,
      running: false,
      output: 'begun',
    })
  })

  it('has the output without a line of ours: neither head nor note', async () => {
    const { port } = await startTestDaemon({ shellWaitMs: 300 })
    expect(await dataOf(port, "/exec printf 'one\\n---\\n(text)\\n\\n'")).toMatchObject({ output: 'one\n---\n(text)' })
    const still = await exec(port, 'echo begun; sleep 60', { topic: 'bash:x' })
    expect(still.content).toContain('(text is its input')
    expect(still.head.data).toMatchObject({ output: 'begun', running: true })
    const over = await exec(port, 'echo last; exit 3', { topic: 'bash:y' })
    expect(over.content).toContain('(the shell has ended')
    expect(over.head.data).toMatchObject({ output: 'last\nexit', exit: 3 })
  })

  it('says what was cut, and where the whole is', async () => {
    const { port } = await startTestDaemon()
    for (const [cmd, topic] of [
      ['/exec seq 1 100000', 'main'],
      ['seq 1 100000', 'bash:x'],
    ] as const) {
      const data = await dataOf(port, cmd, topic)
      expect(data).toMatchObject({ exit: 0, truncated: true })
      expect(data?.output).toContain(' bytes left out; ')
      expect(readFileSync(textIn(data, 'whole'), 'utf8').split('\n').length).toBe(100_001)
    }
    expect(await dataOf(port, '/exec seq 1 10')).not.toHaveProperty('truncated')
  })

  it('can be put together by a reader with a place, blank lines and lines that have not ended included', async () => {
    const { port } = await startTestDaemon()
    let seen = ''
    let all = ''
    const read = async (cmd: string): Promise<Data | null> => {
      const { text } = await call(port, 'POST', '/exec', {
        headers: { 'X-Agent-Id': 'default' },
        body: { cmd, topic: 'bash:x', seen },
      })
      const { data } = readExec(text).head
      seen = textIn(data, 'place')
      all += textIn(data, 'output')
      return data
    }
    const script = "for i in $(seq 20000); do printf 'line %s\\n\\n' $i; done; printf 'no end'"
    let data = await read(script)
    while (data?.more === true || data?.running === true) data = await read('//wait 10')
    expect(all).toBe(`${Array.from({ length: 20_000 }, (_, i) => `line ${i + 1}\n\n`).join('')}no end`)
    expect(readFileSync(textIn(data, 'whole'), 'utf8')).toBe(all)
    expect(data).not.toHaveProperty('truncated')
  })

  it('tells a bash topic that still runs something from one at its prompt', async () => {
    const { port, home } = await startTestDaemon({ shellWaitMs: 300 })
    expect(await dataOf(port, 'sleep 60', 'bash:x')).toEqual({ exit: null, cwd: home, running: true, output: '' })
    expect(await dataOf(port, '//info', 'bash:x')).toEqual({
      cwd: home,
      running: true,
      command: 'sleep 60',
      seconds: expect.any(Number) as number,
      place: expect.stringMatching(/^[0-9a-f]+:0:\d+$/) as string,
      shell: expect.any(String) as string,
      ended: null,
      last: null,
    })
    expect(await dataOf(port, '//interrupt', 'bash:x')).toMatchObject({ cwd: home, running: false })
    expect(await dataOf(port, 'cd /tmp; false', 'bash:x')).toEqual({ exit: 1, cwd: '/tmp', running: false, output: '' })
    // What ended while nobody waited is told until an answer has.
    const late = `until [ -e ${home}/go ]; do sleep 0.05; done; (exit 7)`
    expect(await dataOf(port, late, 'bash:x')).toMatchObject({ running: true })
    writeFileSync(join(home, 'go'), '')
    await expect
      .poll(() => dataOf(port, '//info', 'bash:x'))
      .toMatchObject({ running: false, ended: { command: late, exit: 7 } })
    expect(await dataOf(port, '//wait 0', 'bash:x')).toMatchObject({ exit: 7 })
    expect(await dataOf(port, '//info', 'bash:x')).toMatchObject({
      running: false,
      ended: null,
      last: { command: late, exit: 7 },
    })
  })
})

describe('the data of a list', () => {
  it('of a folder is its entries, with their names as they are', async () => {
    const { port, home } = await startTestDaemon()
    mkdirSync(join(home, 'd/sub'), { recursive: true })
    writeFileSync(join(home, 'd/a\tb.md'), 'four')
    expect(await dataOf(port, '/ls ~/d')).toEqual({
      path: '~/d',
      total: 2,
      entries: [
        { name: 'sub', kind: 'folder', bytes: null },
        { name: 'a\tb.md', kind: 'file', bytes: 4 },
      ],
    })
    expect((await exec(port, '/ls nope')).head.data).toBeNull()
  })

  it('of topics is a row for each', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '---\ntitle: A\n---\n')
    await exec(port, '/open a.md', { topic: 'docs' })
    expect(await dataOf(port, '/topics', 'docs')).toEqual({
      topics: [
        {
          topic: 'docs',
          topic_type: 'tab',
          executing: true,
          queue_length: 0,
          uri: `file://${home}/a.md`,
          title: 'A',
        },
      ],
    })
  })

  it('of events is the totals and the newest, one of them whole, and what became of them', async () => {
    const { port } = await startTestDaemon()
    const { json } = await call(port, 'GET', '/agents/default/webhook')
    const { pathname } = new URL((json as { webhook_url: string }).webhook_url)
    const text = `first\n${'x'.repeat(300)}`
    await call(port, 'POST', pathname, { headers: { 'Content-Type': 'text/plain' }, body: text })
    const listed = await dataOf(port, '/events')
    const id = /evt_\w+/.exec((await exec(port, '/events')).body)?.[0]
    const fields = {
      id,
      received_at: expect.stringMatching(/^\d{4}-/) as string,
      source: 'local-webhook',
      status: 'pending',
    }
    expect(listed).toEqual({ pending: 1, acked: 0, events: [{ ...fields, preview: `${text.slice(0, 200)}…` }] })
    expect(await dataOf(port, `/events.read ${id}`)).toEqual({ ...fields, text })
    expect(await dataOf(port, `/events.ack ${id}`)).toEqual({ acked: [id] })
    expect(await dataOf(port, '/events.clear')).toEqual({ cleared: 1 })
    expect(await dataOf(port, '/events')).toEqual({ pending: 0, acked: 0, events: [] })
  })

  it('of variables has the values of the topic’s own and never those of stored ones', async () => {
    const { port } = await startTestDaemon()
    expect(await dataOf(port, '/set $KEY = "hush"')).toEqual({ variables: [{ name: 'KEY', kind: 'stored' }] })
    const city = { name: 'city', kind: 'session', value: 'Seoul', chars: 5 }
    expect(await dataOf(port, '/set {city} = "Seoul"')).toEqual({ variables: [city] })
    expect(await dataOf(port, '/set')).toEqual({ variables: [city, { name: 'KEY', kind: 'stored', level: 'global' }] })
  })

  it('of menus has the entries that the text lists', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'menu.md'), '- [@home Home](./index.md)\n')
    writeFileSync(join(home, 'index.md'), '[!nav:main](./menu.md)\n\n[@two Two](./two.md)\n')
    await exec(port, '/open index.md')
    const main = { name: 'main', count: 1, entries: [{ id: 'home', label: 'Home', target: './index.md' }] }
    const page = { name: 'page', count: 1, entries: [{ id: 'two', label: 'Two', target: './two.md' }] }
    expect(await dataOf(port, '/nav')).toEqual({ menus: [main, { ...page, entries: [] }] })
    expect(await dataOf(port, '/nav main')).toEqual({ menus: [main] })
    expect(await dataOf(port, '/nav page')).toEqual({ menus: [page] })
    expect(await dataOf(port, '/nav --resolve')).toEqual({ menus: [main, page] })
  })
})

describe('the data of an action', () => {
  it('is how it is called, and never its address, headers or command', async () => {
    const { port } = await openWith(
      action(
        'POST http://hidden.example/{city} -H "X-Key: hidden"\n  city, -c: string (required) "Which" \n  unit: string (celsius|kelvin) = "celsius"',
      ),
    )
    const other = { short: null, required: false, min: null, max: null }
    const schema = {
      actions: [
        {
          name: 'go',
          usage: expect.stringContaining('/act.go') as string,
          example: '/act.go --city city --unit celsius',
          fields: [
            {
              ...other,
              name: 'city',
              short: 'c',
              type: 'string',
              required: true,
              allowed: null,
              description: 'Which',
              default: null,
            },
            {
              ...other,
              name: 'unit',
              type: 'string',
              allowed: ['celsius', 'kelvin'],
              description: null,
              default: 'celsius',
            },
          ],
          runs_command: false,
          reads_files: [],
          writes_files: [],
          unsafe: false,
        },
      ],
    }
    for (const command of ['/act', '/act --help', '/act.go', '/act.go --help']) {
      const data = await dataOf(port, command)
      expect(data, command).toEqual(command === '/act.go' ? { ...schema, missing_fields: ['city'] } : schema)
      expect(JSON.stringify(data), command).not.toContain('hidden')
    }
  })

  it('names the actions that cannot be read, with the reason', async () => {
    const { port } = await openWith(action('FETCH http://127.0.0.1/'))
    expect(await dataOf(port, '/act')).toMatchObject({
      actions: [{ name: 'go', error: expect.stringContaining('is not written as an action') as string }],
    })
  })
})

describe('the data of an edit', () => {
  it('is its target and how many lines came and went', async () => {
    const { port } = await startTestDaemon()
    expect(await dataOf(port, '/write a.md\none\ntwo')).toEqual({ path: 'a.md', added: 2, removed: 0 })
    expect(await dataOf(port, '/replace a.md:L2\nTWO\nthree')).toEqual({ path: 'a.md:L2', added: 2, removed: 1 })
    expect(await dataOf(port, '/append a.md\nfour')).toEqual({ path: 'a.md', added: 1, removed: 0 })
    expect(await dataOf(port, '/undo')).toMatchObject({ added: 0, removed: 1 })
    expect(await dataOf(port, '/replace a.md\nnot there\n---\nx')).toBeNull()
  })
})

describe('the data of a topic and of a package', () => {
  it('of /info is where the topic stands', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '---\ntitle: A\n---\n\n<!-- #b -->\nx\n<!-- /b -->\n')
    await exec(port, '/open a.md')
    expect(await dataOf(port, '/info')).toMatchObject({
      topic: 'main',
      topic_type: 'tab',
      agent: 'default',
      home,
      cwd: home,
      mode: null,
      variables: [],
      document: { uri: `file://${home}/a.md`, title: 'A', block: null, page: 1, pages: 1, blocks: ['b'] },
    })
    expect(await dataOf(port, '/info', 'other')).toMatchObject({ document: null })
  })

  it('of /install is the name under which it is there, and what it reads and reaches', async () => {
    const { port, home } = await startTestDaemon()
    const app =
      '---\nname: weather\ntype: app\nenv:\n  - KEY: "A key"\n---\n# W\n\n```act.go\nGET http://127.0.0.1:9/x\n```\n'
    writeFileSync(join(home, 'w.md'), app)
    const files = { reads_files: [], writes_files: [], runs: [], refused: [], version: null }
    const request = { action: 'go', method: 'GET', host: '127.0.0.1:9', address: 'http://127.0.0.1:9/x' }
    const requests = [{ ...request, variables: [] }]
    const fields = {
      name: 'weather',
      type: 'app',
      source: join(home, 'w.md'),
      linked: false,
      folder: null,
      reads: ['KEY'],
      reaches: ['127.0.0.1:9'],
      requests,
      ...files,
    }
    expect(await dataOf(port, '/install --dry-run w.md')).toEqual({ ...fields, installed: false, changes: null })
    expect(await dataOf(port, '/install w.md')).toEqual({ ...fields, installed: true, changes: null })
    writeFileSync(join(home, 'w.md'), app.replace('9/x', '10/x'))
    expect(await dataOf(port, '/install --dry-run w.md')).toMatchObject({
      changes: {
        powers_gained: ['reaches 127.0.0.1:10', 'sends go: GET http://127.0.0.1:10/x'],
        powers_lost: ['reaches 127.0.0.1:9', 'sends go: GET http://127.0.0.1:9/x'],
        version_before: null,
        version: null,
        added: [],
        changed: ['string.md'],
        removed: [],
      },
    })
    await exec(port, '/set $KEY = x', { topic: 'app:weather' })
    const variables = { variables_kept: ['KEY'], variables_removed: [] }
    expect(await dataOf(port, '/uninstall weather')).toEqual({ name: 'weather', ...variables })
  })

  it('of /open app and /open tool is what is installed', async () => {
    const { port, home } = await startTestDaemon()
    mkdirSync(join(home, 'w'))
    writeFileSync(join(home, 'w/string.md'), '---\nname: weather\nversion: 1.2.0\nenv: [KEY]\n---\n# W\n')
    writeFileSync(join(home, 't.md'), '---\nname: lint\ntype: tool\n---\n# T\n')
    expect(await dataOf(port, '/open app')).toEqual({ packages: [] })
    await exec(port, '/install --link w')
    await exec(port, '/install t.md')
    const app = { name: 'weather', type: 'app', version: '1.2.0', linked: true, gone: false, missing: ['KEY'] }
    expect(await dataOf(port, '/open app')).toEqual({ packages: [{ ...app, source: join(home, 'w') }] })
    const tool = { name: 'lint', type: 'tool', version: null, linked: false, gone: false, missing: [] }
    expect(await dataOf(port, '/open tool')).toEqual({ packages: [{ ...tool, source: join(home, 't.md') }] })
    expect(await dataOf(port, '/open system')).toBeNull()
  })
})
