import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { type Place, STRING, stringPlace } from '../support/cli.ts'
import { connectMcp, httpClient } from '../support/mcp.ts'

const CLIENTS = ['claude-code', 'claude-desktop', 'codex', 'cursor', 'vscode', 'gemini', 'http'] as const
const root = join(import.meta.dirname, '../..')

interface Entry {
  readonly command: string
  readonly args: readonly string[]
}

async function printed(place: Place, client: string, ...flags: string[]): Promise<string> {
  const { status, stdout } = await place.string(['mcp-config', client, ...flags], { env: { STRING_PORT: '' } })
  expect(status).toBe(0)
  return stdout
}

/** A page was written for nobody's machine in particular. */
function forThePage(text: string): string {
  return text
    .replace(JSON.stringify(STRING), '"/usr/local/lib/node_modules/@string-os/string/bin/string.cjs"')
    .replace(JSON.stringify(process.execPath), '"/usr/local/bin/node"')
}

describe('string mcp-config', () => {
  it.each(CLIENTS)('prints for %s what its page shows', async (client) => {
    const page = readFileSync(join(root, `docs/mcp/${client}.md`), 'utf8')
    const [, block] = /^```(?:json|toml)\n([\s\S]*?)^```$/m.exec(page) ?? []
    expect(forThePage(await printed(stringPlace(), client))).toBe(block)
  })

  it('lists the clients without a name, and says so for an unknown one', async () => {
    const place = stringPlace()
    const { stdout } = await place.string(['mcp-config'])
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...CLIENTS, ''])
    expect(await place.string(['mcp-config', 'nope'])).toMatchObject({ status: 2, stdout: '' })
    expect((await place.string(['mcp-config', 'codex', 'extra'])).status).toBe(2)
  })

  it.each(['claude-code', 'claude-desktop', 'gemini'])('prints for %s a configuration that works', async (client) => {
    const place = stringPlace()
    const bin = join(place.dir, 'bin')
    mkdirSync(bin)
    symlinkSync(STRING, join(bin, 'string'))
    const { mcpServers } = JSON.parse(await printed(place, client, '--agent', 'configured')) as {
      mcpServers: { string: Entry }
    }
    const { command, args } = mcpServers.string
    const env = { ...place.env, PATH: [bin, process.env.PATH].join(delimiter) } as Record<string, string>
    const { call } = await connectMcp(
      new StdioClientTransport({ command, args: [...args], cwd: place.dir, env }),
      'legacy',
    )
    expect((await call('/info')).text).toContain('agent: configured')
  })

  it('prints for http the port of the daemon that runs, and the agent', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const { mcpServers } = JSON.parse(await printed(place, 'http', '--agent', 'configured')) as {
      mcpServers: { string: { url: string; headers: Record<string, string> } }
    }
    const { url, headers } = mcpServers.string
    const { call } = await httpClient(Number(new URL(url).port), 'legacy', headers['X-Agent-Id'])
    expect((await call('/info')).text).toContain('agent: configured')
  })

  it('prints TOML for codex, with the agent', async () => {
    expect(await printed(stringPlace(), 'codex', '--agent', 'a.b')).toBe(
      '[mcp_servers.string]\ncommand = "string"\nargs = ["--mcp", "--agent", "a.b"]\n',
    )
  })
})
