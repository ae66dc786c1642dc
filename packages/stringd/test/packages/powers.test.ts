import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { CompletionView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { renderMarkdown } from '../../src/cli/terminal/markdown/render.ts'
import { type AppPlace, appPlace } from '../support/app-place.ts'
import { type PageServer, startServer } from '../web/page-server.ts'

const SECRET = 'tr0ub4dor-and-3'

/** A document that tries everything; what it does by itself would leave a file. */
function probe(origin: string): string {
  const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
  return `---\nname: probe\ndefault: auto\nenv: [KEY]\n---\n# Probe\n\n${[
    act('auto', 'CLI touch "$HOME/ran-by-itself"; echo auto'),
    act('http', `GET ${origin}/echo?q={q}\n  q: string`),
    act('cli', 'CLI echo "ran {x}"\n  x: string'),
    act('key', `GET ${origin}/echo -H "X-Key: $KEY"`),
    act('shell_key', 'CLI printf %s "$KEY" | wc -c'),
    act('other', `GET ${origin}/echo -H "X-Key: $OTHER"`),
    act('pipe', `POST ${origin}/echo -d '{f|file}'\n  f: path`),
    act('save', `GET ${origin}/echo`),
    act('save.response', 'save: saved.txt'),
  ].join('\n')}`
}

async function echo(): Promise<PageServer & { document: string }> {
  const server = await startServer((request, response) => {
    if (request.url === '/probe.md')
      return void response.writeHead(200, { 'Content-Type': 'text/markdown' }).end(probe(server.origin))
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      response.end(`${request.method} ${request.url} ${keyOf(request)} ${body}`)
    })
  })
  return { ...server, document: probe(server.origin) }
}

function keyOf({ headers }: IncomingMessage): string {
  return String(headers['x-key'] ?? '-')
}

interface Row {
  readonly name: string
  /** Opens the document; what comes back calls one of its actions. */
  readonly open: (place: AppPlace, server: { origin: string }) => Promise<(action: string) => Promise<string>>
  readonly may: Readonly<Record<'cli' | 'key' | 'files' | 'itself', boolean>>
}

/** Documents beside which a file has the name of one where the caller is. */
const UPLOADS = (origin: string): string =>
  `---\nname: up\n---\n# Up\n\n\`\`\`act.up\nPOST ${origin}/echo -d '{f|file}'\n  f: path = "README.md"\n\`\`\`\n`

const rows: Row[] = [
  {
    name: 'an installed app in its topic',
    open: async ({ reply }) => {
      await reply('/install probe.md')
      await reply('/open app:probe')
      return (action) => reply(`/act.${action}`, 'app:probe')
    },
    may: { cli: true, key: true, files: true, itself: true },
  },
  {
    name: 'an installed tool',
    open: async ({ reply }) => {
      await reply('/install --tool probe.md')
      return (action) => reply(`/tool:probe.${action}`)
    },
    may: { cli: true, key: true, files: true, itself: false },
  },
  {
    name: 'a tool that a person put into ~/.string/tools',
    open: async ({ reply, put, home }) => {
      put({ '.string/tools/own.md': readFileSync(join(home, 'probe.md'), 'utf8') })
      return (action) => reply(`/tool:own.${action}`)
    },
    may: { cli: true, key: false, files: true, itself: false },
  },
  {
    name: 'a file of the workspace',
    open: async ({ reply }) => {
      await reply('/open probe.md')
      return (action) => reply(`/act.${action}`)
    },
    may: { cli: true, key: false, files: true, itself: false },
  },
  {
    name: 'a file of the workspace, opened in an app topic',
    open: async ({ reply, put }) => {
      put({ 'other.md': '---\nenv: [KEY, OTHER]\n---\n# Other' })
      await reply('/install other.md')
      await reply('/open ~/probe.md', 'app:other')
      return (action) => reply(`/act.${action}`, 'app:other')
    },
    may: { cli: true, key: false, files: true, itself: false },
  },
  {
    name: 'a tool in ./tools',
    open: async ({ reply, put, home }) => {
      put({ 'tools/near.md': readFileSync(join(home, 'probe.md'), 'utf8') })
      return (action) => reply(`/tool:near.${action}`)
    },
    may: { cli: true, key: false, files: true, itself: false },
  },
  {
    name: 'a page from the web',
    open: async ({ reply }, { origin }) => {
      await reply(`/open ${origin}/probe.md`)
      return (action) => reply(`/act.${action}`)
    },
    may: { cli: false, key: false, files: false, itself: false },
  },
  {
    name: 'a linked package, which stays a page',
    open: async ({ reply }, { origin }) => {
      await reply(`/install --link ${origin}/probe.md`)
      await reply('/open app:probe')
      return (action) => reply(`/act.${action}`, 'app:probe')
    },
    may: { cli: false, key: false, files: false, itself: false },
  },
  {
    name: 'a linked tool, which stays a page',
    open: async ({ reply }, { origin }) => {
      await reply(`/install --link --tool ${origin}/probe.md`)
      return (action) => reply(`/tool:probe.${action}`)
    },
    may: { cli: false, key: false, files: false, itself: false },
  },
]

describe.each(rows)('the powers of $name', ({ open, may }) => {
  it('are exactly these', async () => {
    const server = await echo()
    const place = await appPlace()
    place.put({ 'probe.md': server.document, 'note.txt': 'from a file' })
    await place.reply(`/set $KEY = "${SECRET}"`)
    await place.reply(`/set $OTHER = "${SECRET}"`)
    const seen = (): string[] => server.requests.map((request) => `${request.url} ${keyOf(request)}`)
    const act = await open(place, server)

    expect(existsSync(join(place.home, 'ran-by-itself'))).toBe(may.itself)
    expect(await act('http hi')).toContain('GET /echo?q=hi')
    expect(await act('cli "a b"')).toContain(may.cli ? 'ran a b' : 'ERROR(ACTION_FORBIDDEN)')
    expect(await act('key')).toContain(may.key ? 'GET /echo ***' : 'ERROR(ENV_REQUIRED)')
    expect(seen().includes(`/echo ${SECRET}`)).toBe(may.key)
    if (may.cli) expect(await act('shell_key')).toContain(may.key ? '15' : 'ERROR(ENV_REQUIRED)')
    expect(await act('other')).toContain('ERROR(ENV_REQUIRED)')
    expect(await act('pipe note.txt')).toContain(may.files ? 'POST /echo - from a file' : 'ERROR(ACTION_FORBIDDEN)')
    if (may.files)
      for (const closed of ['~/.string/config.json', '/etc/passwd'])
        expect(await act(`pipe ${closed}`)).toContain('ERROR(INVALID_PATH)')
    expect(await act('save')).toContain(may.files ? 'Saved: saved.txt' : 'ERROR(ACTION_FORBIDDEN)')
    expect(existsSync(join(place.home, 'saved.txt'))).toBe(may.files)
  })
})

describe('an installed package', () => {
  it('gives no powers to what it only includes', async () => {
    const { reply, put } = await appPlace()
    put({
      'app/string.md': '---\nenv: [KEY]\n---\n# App\n\n[!include:x](~/outside.md)\n',
      'outside.md': '```act.steal\nCLI echo "$KEY"\n```\n',
    })
    await reply(`/set $KEY = ${SECRET}`)
    await reply('/install app')
    expect(await reply('/open app:app')).toContain('[actions] steal')
    expect(await reply('/act.steal', 'app:app')).toContain('ERROR(ENV_REQUIRED)')
  })

  it('finds a variable in its configuration, then the app, then the agent, then the daemon, then its default', async () => {
    const { reply, put } = await appPlace()
    put({
      'v.md': `---\nenv:\n  - A\n  - FROM_DAEMON\n  - {name: D, default: fallback}\n  - M: "the missing one"\n---\n\n\`\`\`act.show\nCLI printf '%s' "$A|$FROM_DAEMON|$D" | tr a-zA-Z n-za-mN-ZA-M\n\`\`\`\n\n\`\`\`act.missing\nCLI echo "$M"\n\`\`\`\n`,
    })
    await reply('/install v.md')
    // Turned by 13 letters, so that what arrived can be seen.
    const show = (topic: string): Promise<string> => reply('/act.show', topic)
    await reply('/set $A = "agent"')
    expect(await show('app:v:c')).toBe('ntrag|qnrzba|snyyonpx')
    await reply('/set $A = "app"', 'app:v')
    expect(await show('app:v:c')).toBe('ncc|qnrzba|snyyonpx')
    await reply('/set\n$A = "config"\n$FROM_DAEMON = x\n$D = y', 'app:v:c')
    expect(await show('app:v:c')).toBe('pbasvt|k|l')
    expect(await show('app:v')).toBe('ncc|qnrzba|snyyonpx')
    expect(await reply('/act.missing', 'app:v')).toBe(
      'ERROR(ENV_REQUIRED): $M is not set: the missing one\n  /set $M = "value" in the topic app:v, or in main for all',
    )
    expect(await reply('/open app:v')).toContain('\n---\n    Not set: $M (the missing one) · /set $M = "value"')
  })

  it('runs its default action when it is opened and refreshed, and says when that fails', async () => {
    const { reply, put } = await appPlace()
    put({
      'd.md':
        '---\ndefault: count\n---\n# D\n\n```act.count\nCLI cd "$STRING_HOME"; echo x >> count; wc -l < count; test ! -e broken\n```\n',
    })
    await reply('/install d.md')
    expect(await reply('/open app:d')).toBe('Opened app:d\n---\n[actions] count\n\n# D\n\n---\n    1')
    expect(await reply('/refresh', 'app:d')).toBe('Refreshed app:d\n---\n[actions] count\n\n# D\n\n---\n    2')
    put({ broken: '' })
    expect(await reply('/open', 'app:d')).toBe(
      'Opened app:d\n---\n[actions] count\n\n# D\n\n---\n    ERROR(ACTION_FAILED): The command ended with status 1\n      3\n      /act.count --dry-run shows the command as it is run',
    )
    expect(await reply('/open --source', 'app:d')).not.toContain('\n4')
  })

  it('prints as default what stays text where the page is laid out; what a response made is a page', async () => {
    const { reply, put } = await appPlace()
    const lines = ['a_b_c *star* `tick` <b>x</b>', '# no heading', '', '\tPATH=/a/*/b/*', '  | a | b |', '- [x](y)']
    const app = (response: string): string =>
      `---\ndefault: show\nenv: [A_B_C]\n---\n# D\n\n\`\`\`act.show\nCLI printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}\n\`\`\`\n${response}`
    put({ 'd.md': app('') })
    await reply('/install d.md')
    const opened = await reply('/open app:d')
    const laidOut = renderMarkdown(opened.slice(opened.indexOf('# D')), { width: 80, color: false, links: false })
    const shown = lines.map((line) => (line === '' ? '' : `    ${line.replace('\t', '    ')}`))
    expect(laidOut.split('\n').map((line) => line.trimEnd())).toEqual(
      expect.arrayContaining(['    Not set: $A_B_C · /set $A_B_C = "value"', ...shown]),
    )
    put({ 'd.md': app('\n```act.show.response\n**{Response.status}**\n```\n') })
    await reply('/install d.md')
    expect(await reply('/open app:d')).toMatch(/\n---\n {4}Not set: .*\n\n\*\*0\*\*$/)
  })
})

describe('a path for a file that an action reads', () => {
  for (const link of [false, true])
    it(`starts where the caller is, and one that the author wrote beside the document (${link ? 'linked' : 'copied'})`, async () => {
      const { origin } = await echo()
      const place = await appPlace()
      const { put, home, port } = place
      put({ 'up/string.md': UPLOADS(origin), 'up/README.md': 'of the package', 'up/own.txt': 'of the package' })
      put({ 'here/README.md': 'of the caller', 'own.txt': 'at home', 'here/up/README.md': 'below' })
      await place.reply(`/install ${link ? '--link ' : ''}up`)
      const reply = async (cmd: string, cwd: string | null = join(home, 'here')): Promise<string> =>
        (await exec(port, cmd, { topic: 'app:up', ...(cwd === null ? {} : { cwd }) })).body
      await reply('/open app:up')
      expect(await reply('/act.up README.md')).toContain('of the caller')
      expect(await reply('/act.up ./README.md')).toContain('of the caller')
      expect(await reply('/act.up up/README.md')).toContain('below')
      expect(await reply('/act.up')).toContain('of the package')
      const absent = await reply('/act.up own.txt')
      expect(absent).toContain('File not found: own.txt')
      expect(absent).toContain(`It is looked for in ${home}/here`)
      expect(absent).toContain(link ? 'Did you mean' : `/ls ${home}/here shows what exists`)
      expect(await reply(`/ls ${home}/here`)).toContain('README.md')
      const [, meant = '~/own.txt'] = /Did you mean (\S+)\?/.exec(absent) ?? []
      expect(await reply(`/act.up ${meant}`)).toContain(link ? 'of the package' : 'at home')
      expect(await reply('/act.up own.txt', null)).toContain(link ? 'of the package' : 'at home')
      expect(await reply('/act.up --help')).toContain('Reads the file: {f}, from your folder, else README.md')
      const { json } = await call(port, 'POST', '/complete', {
        headers: { 'X-Agent-Id': 'default' },
        body: { text: '/act.up ', topic: 'app:up', cwd: join(home, 'here') },
      })
      expect((json as CompletionView).items.map(({ text }) => text)).toEqual([
        'up/',
        'README.md',
        '--f',
        '--help',
        '--dry-run',
      ])
    })

  it('says where the default of an author was looked for', async () => {
    const { origin } = await echo()
    const { put, reply } = await appPlace()
    put({ 'up/string.md': UPLOADS(origin), 'README.md': 'at home' })
    await reply('/install up')
    expect(await reply('/act.up', 'app:up')).toMatch(
      /README.md, the default of the action, looked for beside the document in \S+\/up/,
    )
  })
})
