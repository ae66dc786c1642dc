import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { type Place, STRING, stringPlace } from '../support/cli.ts'
import { connectMcp, httpClient } from '../support/mcp.ts'

const CLIENTS = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'opencode',
  'zed',
  'windsurf',
  'goose',
  'continue',
  'http',
] as const
const root = join(import.meta.dirname, '../..')

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A machine on which String is installed and nothing is set: all that a page can know. */
function plainPlace(): Place {
  const place = stringPlace({ STRING_HOME: '', STRING_PORT: '' })
  const bin = join(place.dir, 'bin')
  mkdirSync(bin)
  symlinkSync(STRING, join(bin, 'string'))
  place.env.PATH = [bin, process.env.PATH].join(delimiter)
  return place
}

async function printed(place: Place, client: string, ...flags: string[]): Promise<string> {
  const { status, stdout } = await place.string(['mcp-config', client, ...flags])
  expect(status).toBe(0)
  return stdout
}

async function printedEntry(place: Place, client: string, ...flags: string[]): Promise<Entry> {
  const { mcpServers } = JSON.parse(await printed(place, client, ...flags)) as { mcpServers: { string: Entry } }
  return mcpServers.string
}

/** A page was written for nobody's machine in particular. */
function forThePage(text: string): string {
  return text
    .replaceAll(STRING, '/usr/local/lib/node_modules/@string-os/string/bin/string.cjs')
    .replaceAll(process.execPath, '/usr/local/bin/node')
}

describe('string mcp-config', () => {
  it.each(CLIENTS)('prints for %s what its page shows', async (client) => {
    const page = readFileSync(join(root, `docs/mcp/${client}.md`), 'utf8')
    const [, block] = /^```(?:json|toml|yaml)\n([\s\S]*?)^```$/m.exec(page) ?? []
    expect(forThePage(await printed(plainPlace(), client))).toBe(block)
  })

  it('prints for codex what the README shows', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    expect(readme).toContain(`\`\`\`toml\n${await printed(plainPlace(), 'codex')}\`\`\`\n`)
  })

  it('lists the clients without a name, and says so for an unknown one', async () => {
    const place = stringPlace()
    const { stdout } = await place.string(['mcp-config'])
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...CLIENTS, ''])
    expect(await place.string(['mcp-config', 'nope'])).toMatchObject({ status: 2, stdout: '' })
    expect((await place.string(['mcp-config', 'codex', 'extra'])).status).toBe(2)
    expect((await place.string(['mcp-config', 'codex', '--yes'])).status).toBe(2)
  })

  it.each(['claude-code', 'claude-desktop', 'gemini'])(
    'prints for %s what works with nothing else in the environment',
    async (client) => {
      const place = stringPlace()
      const { command, args, env = {} } = await printedEntry(place, client, '--agent', 'configured', '--create')
      const transport = new StdioClientTransport({ command, args: [...args], cwd: place.dir, env })
      const { call } = await connectMcp(transport, 'legacy')
      const { text } = await call('/info')
      expect(text).toContain('agent: configured')
      expect(text).toContain(`home: ${place.dir}/string/agents/configured`)
    },
  )

  it('names this program by its paths where "string" on the PATH is none or another one', async () => {
    const place = plainPlace()
    expect((await printedEntry(place, 'claude-code')).command).toBe('string')
    const foreign = join(place.dir, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'string'), '#!/bin/sh\n', { mode: 0o755 })
    // As npx does it: whoever is started by another program does not find it there.
    const npx = join(place.dir, 'node_modules/.bin')
    mkdirSync(npx, { recursive: true })
    symlinkSync(STRING, join(npx, 'string'))
    for (const path of [foreign, npx, join(place.dir, 'nowhere')]) {
      place.env.PATH = path
      expect(await printedEntry(place, 'claude-code')).toMatchObject({
        command: process.execPath,
        args: [STRING, '--mcp'],
      })
    }
  })

  it('prints the variables that lead to this daemon, and none that says what holds anyway', async () => {
    const place = plainPlace()
    expect(await printedEntry(place, 'claude-code')).not.toHaveProperty('env')
    place.env.STRING_PORT = '4100'
    place.env.STRING_DATA_DIR = join(place.dir, 'data')
    const env = { STRING_DATA_DIR: join(place.dir, 'data'), STRING_PORT: '4100' }
    expect((await printedEntry(place, 'claude-code')).env).toEqual(env)
    expect(await printed(place, 'codex')).toContain(
      `env = { STRING_DATA_DIR = "${place.dir}/data", STRING_PORT = "4100" }\n`,
    )
    expect(JSON.parse(await printed(place, 'opencode'))).toMatchObject({ mcp: { string: { environment: env } } })
    const lines = `\n      STRING_DATA_DIR: ${place.dir}/data\n      STRING_PORT: "4100"\n`
    expect(await printed(place, 'goose')).toContain(`    envs:${lines}`)
    expect(await printed(place, 'continue')).toContain(`    env:${lines}`)
    place.env.STRING_DATA_DIR = ''
    place.env.STRING_HOME = join(place.dir, 'home')
    expect((await printedEntry(place, 'claude-code', '--port', '4200')).env).toEqual({
      STRING_HOME: join(place.dir, 'home'),
      STRING_PORT: '4200',
    })
  })

  it('prints for http the port of the daemon that runs, and the agent', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const { mcpServers } = JSON.parse(await printed(place, 'http', '--agent', 'configured', '--create')) as {
      mcpServers: { string: { url: string; headers: Record<string, string> } }
    }
    const { url, headers } = mcpServers.string
    const { call } = await httpClient(Number(new URL(url).port), 'legacy', headers['X-Agent-Id'])
    expect((await call('/info')).text).toContain('agent: configured')
  })

  it('prints TOML for codex, with the agent', async () => {
    expect(await printed(plainPlace(), 'codex', '--agent', 'a.b')).toBe(
      '[mcp_servers.string]\ncommand = "string"\nargs = ["--mcp", "--agent", "a.b"]\ndefault_tools_approval_mode = "approve"\n',
    )
  })
})
