import { spawn } from 'node:child_process'
import { quoted } from '@string-os/protocol'
import { type Config, hasDesktop } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'

/** `string page`: opens the page of the daemon in a browser, and prints its address, which is all where there is no desktop. */
export async function runPageVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { values, words: rest } = parseFlags(words.slice(1), { print: { type: 'boolean' } } as const)
  const [extra] = rest
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const { port } = await connect(config)
  const url = `http://127.0.0.1:${port}/`
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
