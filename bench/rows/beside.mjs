import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { agentPath, turnOf } from '../lib/bridge.mjs'
import { connectMcp, connectProgram } from '../lib/mcp.mjs'
import { fromRegistry, PUBLIC } from '../lib/registry.mjs'
import { compareCalls } from '../lib/rounds.mjs'

const require = createRequire(import.meta.url)

/** Beside what a user would pick instead: a tool that reads files, a shell for each command, the runner of agents. No bars: they do something else. */
export const readBeside = {
  name: 'beside: a note of 1 KB over MCP, against the public files server',
  unit: 'µs',
  better: 'lower',
  bar: null,
  dream: null,
  async measure(context) {
    const { path, skipped } = fromRegistry(context, PUBLIC.files)
    if (skipped !== undefined) return { skipped }
    const daemon = await context.startDaemon()
    const theirs = await connectProgram(path, [dirname(daemon.note)])
    const ours = await connectMcp(daemon.port)
    try {
      return await compareCalls({
        rounds: 9,
        calls: 200,
        base: () => theirs.callTool({ name: 'read_text_file', arguments: { path: daemon.note } }),
        ours: () => ours.callTool({ name: 'string', arguments: { cmd: '/open note.md' } }),
      })
    } finally {
      await Promise.all([theirs.close(), ours.close()])
    }
  },
}

export const shellBeside = {
  name: 'beside: a command in a bash topic, against a fresh bash -c',
  unit: 'µs',
  better: 'lower',
  bar: null,
  dream: null,
  async measure(context) {
    const connection = (await context.startDaemon()).connect()
    return compareCalls({
      rounds: 9,
      calls: 100,
      base: async () => spawnSync('bash', ['-c', ':']),
      ours: () => connection.exec({ cmd: ':', topic: 'bash:bench' }),
    })
  },
}

export const runnerBeside = {
  name: 'beside: one turn, against the published AgentProc runner',
  unit: 'µs',
  better: 'lower',
  bar: null,
  dream: null,
  measure(context) {
    const { path, skipped } = fromRegistry(context, PUBLIC.agentproc)
    if (skipped !== undefined) return { skipped }
    const { run } = require(path)
    const command = agentPath('trivial.sh')
    return compareCalls({
      rounds: 9,
      calls: 40,
      base: () => run({ command, args: [] }, { message: 'hello' }),
      ours: turnOf('./trivial.sh'),
    })
  },
}

/** What a model reads before it has asked for anything. */
export const toolsBeside = ['files', 'memory', 'everything'].map((name) => ({
  name: `beside: tokens of tools/list, against the public ${name} server`,
  unit: 'tokens',
  better: 'lower',
  bar: null,
  dream: null,
  async measure(context) {
    const { path, skipped } = fromRegistry(context, PUBLIC[name])
    if (skipped !== undefined) return { skipped }
    const daemon = await context.startDaemon()
    const theirs = await connectProgram(path, name === 'files' ? [context.folder] : [])
    const ours = await connectMcp(daemon.port)
    const [base, own] = [await theirs.listTools(), await ours.listTools()]
    await Promise.all([theirs.close(), ours.close()])
    return { base: encode(JSON.stringify(base.tools)).length, ours: encode(JSON.stringify(own.tools)).length }
  },
}))
