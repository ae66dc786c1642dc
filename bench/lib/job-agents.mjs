import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { assertDone, FAULTY, makeProject } from './job.mjs'
import { connectMcp, connectProgram } from './mcp.mjs'

const REPORT = 'service-217 was on gateway v1: it is on v2 now, with 3 retries; check.sh passes.'

/** What a model sees of its calls: what it writes and what it is answered. */
class Conversation {
  tokens = 0
  calls = 0

  async call(name, args, run) {
    const text = await run()
    this.calls += 1
    this.tokens += encode(JSON.stringify({ name, arguments: args })).length + encode(text).length
    return text
  }
}

/** The job through the one tool, by a model that knows nothing but its definition; `asksHelp`: and all commands, first. */
export async function jobThroughString(context, { asksHelp }) {
  const daemon = await context.startDaemon()
  const folder = dirname(daemon.note)
  makeProject(folder)
  const client = await connectMcp(daemon.port)
  const talk = new Conversation()
  const say = (cmd) =>
    talk.call('string', { cmd }, async () => textOf(await client.callTool({ name: 'string', arguments: { cmd } })))
  const { tools } = await client.listTools()
  if (asksHelp) await say('/help')
  const found = await say("/find 'gateway = v1' --context 2")
  const [, path] = /^(\S+):L\d+-L\d+$/m.exec(found)
  const [, first] = /^ (\d+) \*│ gateway = v1\n \d+ {2}│ timeout_ms = 3000\n \d+ {2}│ retries = 0$/m.exec(found)
  await say(`/replace ${path}:L${first}-L${Number(first) + 2}\ngateway = v2\ntimeout_ms = 3000\nretries = 3`)
  await say('/exec ./check.sh')
  await say(`/append report.md\n${REPORT}`)
  await client.close()
  assertDone(folder)
  return { calls: talk.calls, tokens: talk.tokens, definitions: encode(JSON.stringify(tools)).length }
}

const SHELL = {
  name: 'shell',
  description: 'Runs a command with bash and returns its output.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
}

/** The same through the public file system server, with a shell beside it that does what the server cannot. */
export async function jobThroughFiles({ folder: place }, server) {
  const folder = join(place, 'project')
  mkdirSync(folder)
  makeProject(folder)
  const client = await connectProgram(server, [folder], folder)
  const talk = new Conversation()
  const files = (name, args) =>
    talk.call(name, args, async () => textOf(await client.callTool({ name, arguments: args })))
  const shell = (command) =>
    talk.call('shell', { command }, () => spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }).stdout)
  const { tools } = await client.listTools()
  await shell("grep -rn 'gateway = v1' services")
  await files('read_text_file', { path: join(folder, FAULTY) })
  await files('edit_file', {
    path: join(folder, FAULTY),
    edits: [
      { oldText: 'gateway = v1', newText: 'gateway = v2' },
      { oldText: 'retries = 0', newText: 'retries = 3' },
    ],
  })
  await shell('./check.sh')
  await files('write_file', { path: join(folder, 'report.md'), content: `# Report\n${REPORT}\n` })
  await client.close()
  assertDone(folder)
  const definitions = encode(JSON.stringify([...tools, SHELL])).length
  return { calls: talk.calls, tokens: talk.tokens, definitions }
}

function textOf({ content, isError }) {
  const text = content.map((part) => part.text).join('\n')
  if (isError) throw new Error(text)
  return text
}
