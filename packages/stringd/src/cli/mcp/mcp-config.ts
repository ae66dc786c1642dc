import { join, resolve } from 'node:path'
import { DEFAULT_AGENT, didYouMean, quoted } from '@string-os/protocol'
import { type Config, DEFAULT_PORT, homeFolder, ownEnvironment, ownVariables } from '../../config.ts'
import { distDir } from '../../dist-dir.ts'
import { connectAs } from '../agent/connect-as.ts'
import type { Invocation } from '../arguments.ts'
import { runningDaemon } from '../daemon/find-daemon.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { wrapColumns } from '../terminal/columns.ts'
import { workingDir } from '../working-dir.ts'
import { configText, type Folders, type Machine, MCP_CLIENTS, type McpClientRow } from './mcp-clients.ts'
import { isOnPath } from './own-program.ts'

const OPTIONS = {
  write: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  file: { type: 'string' },
} as const

/** `string mcp-config [CLIENT]`: the configuration on standard output, where it goes on standard error; or into its file. */
export async function runMcpConfigVerb(invocation: Invocation, config: Config): Promise<number> {
  const { words, cwd, format } = invocation
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  const [id, extra] = others
  if (extra !== undefined) throw usageError(`Too many arguments: ${extra}`)
  const isJson = format === 'json'
  if (id === undefined) return list(isJson)
  const row = find(id)
  await checkAgent(invocation, config)
  const machine = thisMachine(config, invocation.create)
  if (values.write === true) {
    const path = values.file ?? row.path?.(folders(workingDir(cwd)))
    if (path === undefined) throw usageError(`${row.name} has no file of its own to write; name one with --file FILE`)
    const { writeMcpConfig } = await import('./mcp-write.ts')
    return writeMcpConfig({ row, machine, path: resolve(path), isSure: values.yes === true })
  }
  if (values.file !== undefined || values.yes === true) throw usageError('--file and --yes go with --write')
  if (isJson) {
    const path = row.path?.(folders(workingDir(cwd))) ?? null
    console.log(JSON.stringify({ ...view(row), path, language: row.language, text: configText(row, machine) }))
    return EXIT.ok
  }
  process.stderr.write(`${row.name}: ${row.file.replaceAll('`', '')}\n`)
  console.log(configText(row, machine))
  return EXIT.ok
}

function folders(project: string): Folders {
  const env = ownEnvironment()
  const home = homeFolder()
  return { home, project, config: env.XDG_CONFIG_HOME || join(home, '.config'), env, platform: process.platform }
}

/** What is written down should work when a client starts it: a name that nobody has is told now, where a daemon can be asked. */
async function checkAgent(invocation: Invocation, config: Config): Promise<void> {
  if (config.agent === DEFAULT_AGENT || invocation.create || runningDaemon(config) === null) return
  const client = await connectAs(invocation, config)
  await client.ready()
}

function thisMachine(config: Config, makesAgent: boolean): Machine {
  const script = join(distDir(), '../bin/string.cjs')
  return {
    node: process.execPath,
    script,
    isOnPath: isOnPath(script, ownEnvironment().PATH ?? ''),
    port: runningDaemon(config)?.port ?? (config.port || DEFAULT_PORT),
    agent: config.agent,
    makesAgent,
    env: ownVariables(config),
  }
}

function find(id: string): McpClientRow {
  const row = MCP_CLIENTS.find((candidate) => candidate.id === id)
  if (row !== undefined) return row
  const known = MCP_CLIENTS.map((candidate) => candidate.id)
  const meant = didYouMean(id, known) || `It is one of: ${known.join(', ')}.`
  throw usageError(`There is no client ${quoted(id)}. ${meant} string mcp-config lists all`)
}

function view({ id, name, file }: McpClientRow): object {
  return { id, name, file: file.replaceAll('`', '') }
}

function list(isJson: boolean): number {
  if (isJson) {
    console.log(JSON.stringify(MCP_CLIENTS.map(view)))
    return EXIT.ok
  }
  const indent = Math.max(...MCP_CLIENTS.map(({ id }) => id.length)) + 2
  const { isTTY, columns } = process.stdout
  const lines = MCP_CLIENTS.flatMap(({ id, name, file }) =>
    wrapColumns(`${name}: ${file.replaceAll('`', '')}`, isTTY ? columns - indent : null).map(
      (line, at) => `${(at === 0 ? id : '').padEnd(indent)}${line}`,
    ),
  )
  console.log(lines.join('\n'))
  return EXIT.ok
}
