import { join } from 'node:path'
import { quoted } from '@string-os/protocol'
import { type Config, DEFAULT_PORT } from '../config.ts'
import { distDir } from '../dist-dir.ts'
import type { Invocation } from './arguments.ts'
import { runningDaemon } from './daemon.ts'
import { EXIT, usageError } from './exit.ts'
import { MCP_CLIENTS, type McpClientRow } from './mcp-clients.ts'
import { speakingAgent } from './speaking-agent.ts'

/** `string mcp-config [CLIENT]`: the configuration on standard output, where it goes on standard error. */
export async function runMcpConfigVerb({ words }: Invocation, config: Config): Promise<number> {
  const [, id, extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${extra}`)
  if (id === undefined) return list()
  const agent = speakingAgent(config)
  const { name, file, config: write } = find(id)
  process.stderr.write(`${name}: ${file.replaceAll('`', '')}\n`)
  console.log(
    write({
      node: process.execPath,
      script: join(distDir(), '../bin/string.cjs'),
      port: runningDaemon(config)?.port ?? (config.port || DEFAULT_PORT),
      agent,
    }),
  )
  return EXIT.ok
}

function find(id: string): McpClientRow {
  const row = MCP_CLIENTS.find((candidate) => candidate.id === id)
  if (row !== undefined) return row
  const known = MCP_CLIENTS.map((candidate) => candidate.id).join(', ')
  throw usageError(`Unknown client: ${quoted(id)} (one of ${known})`)
}

function list(): number {
  const width = Math.max(...MCP_CLIENTS.map(({ id }) => id.length))
  console.log(
    MCP_CLIENTS.map(({ id, name, file }) => `${id.padEnd(width)}  ${name}: ${file.replaceAll('`', '')}`).join('\n'),
  )
  return EXIT.ok
}
