import { StringClientError } from '@string-os/client'
import { parseTopic } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { McpExec, ToolReply } from '../../mcp/tool.ts'
import { VERSION } from '../../version.ts'
import { connectAs } from '../agent/connect-as.ts'
import { agentEvents } from '../agent/events.ts'
import type { Invocation } from '../arguments.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { ownName } from '../program-name.ts'
import { shellFolder } from '../run/shell-folder.ts'
import { workingDir } from '../working-dir.ts'
import { DaemonLink } from './daemon-link.ts'

/** `string mcp`: serves MCP on standard input and output until the input ends. Nothing else is ever printed there. */
export async function runMcp(invocation: Invocation, config: Config): Promise<number> {
  const [extra] = invocation.words.slice(invocation.mcp ? 0 : 1)
  if (extra !== undefined) throw usageError(`mcp takes no command: ${extra}`)
  const cwd = workingDir(invocation.cwd)
  // A client starts us with what somebody wrote down once: a name that nobody has is told before it is served.
  await connectAs(invocation, config)
  const link = new DaemonLink(config)
  const { port } = await link.client()
  if (process.stdin.isTTY) process.stderr.write(`${ownName()}: MCP is served here, for programs; Ctrl-D ends it\n`)
  const { serveLines } = await import('../../mcp/index.ts')
  await serveLines({
    input: process.stdin,
    output: process.stdout,
    version: VERSION,
    exec: execThrough(link, cwd),
    events: (signal) => agentEvents(config, port, signal),
    onEventsLost: (error) => process.stderr.write(`${ownName()}: events are no longer forwarded: ${error.message}\n`),
  })
  // Connections to the daemon are still open, and nobody is left to speak for.
  await new Promise((resolve) => process.stdout.write('', resolve))
  return process.exit(EXIT.ok)
}

function execThrough(link: DaemonLink, cwd: string): McpExec {
  return async ({ topic, cmd, signal }): Promise<ToolReply> => {
    try {
      // A path in a bash topic starts where its shell is; our own folder would stand in its way.
      const isInShell = (await shellFolder(await link.client(), parseTopic(topic), cmd)) !== null
      const place = isInShell ? {} : { cwd }
      const options = signal === undefined ? { ...place, cancelOnLeave: true } : { ...place, signal }
      const { ok, content, topic: ran } = await link.exec(topic, cmd, options)
      return { ok, topic: ran, body: content }
    } catch (error) {
      if (signal?.aborted === true) return { ok: false, topic, body: 'ERROR(CANCELLED): The call was cancelled' }
      return { ok: false, topic: topic === '' ? 'main' : topic, body: unanswered(error) }
    }
  }
}

/** Why nobody answered; what is our own fault is thrown. */
function unanswered(error: unknown): string {
  if (error instanceof StringClientError) return `ERROR(${error.code}): ${error.message}`
  if (error instanceof CliError) return `ERROR(UNREACHABLE): ${error.message}`
  throw error
}
