import { spawn } from 'node:child_process'
import { type Config, hasDesktop } from '../../config.ts'
import { checkAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT } from '../exit.ts'
import { parseFlags } from '../flags.ts'

/** `string page`: opens the page of the daemon, or of one agent in it, in a browser, and prints its address, which is all where there is no desktop. */
export async function runPageVerb(invocation: Invocation, config: Config): Promise<number> {
  const { words, format } = invocation
  const { values, words: rest } = parseFlags(words.slice(1), { print: { type: 'boolean' } } as const)
  const agent = namedAgent(rest, invocation.agent)
  const client = await connect(config)
  if (agent !== null) await checkAgent(client, agent)
  const url = `http://127.0.0.1:${client.port}/${agent === null ? '' : `#/agents/${encodeURIComponent(agent)}`}`
  const opened = !values.print && format === null && (await open(url))
  console.log(format === 'json' ? JSON.stringify({ url, opened }) : url)
  return EXIT.ok
}

function open(url: string): Promise<boolean> {
  if (!hasDesktop()) return Promise.resolve(false)
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
