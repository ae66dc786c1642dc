import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { ExecHead } from '@string-os/protocol'
import { onTestFinished } from 'vitest'
import { call } from './http.ts'
import { worstInputs } from './worst-inputs.ts'

const MIB = 1024 * 1024

/** Gives a daemon the worst input of every command at once, and bodies that never end; tells what each was answered. */
export async function worstAtOnce(port: number, dir: string, scale: number): Promise<(string | null)[]> {
  for (let sender = 0; sender < Math.ceil(80 * scale); sender += 1) sendForEver(port)
  const inputs = Object.values(worstInputs(scale)).flat()
  return Promise.all(
    inputs.map(async ({ files = {}, before = [], command }, number) => {
      const agent = `worst-${number}`
      const home = join(dir, agent)
      mkdirSync(home, { recursive: true })
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), text)
      }
      await call(port, 'POST', '/agents', { body: { agent_id: agent, home } })
      for (const cmd of before) await codeOf(port, agent, cmd)
      return codeOf(port, agent, command)
    }),
  )
}

/** What there is no room for is asked for again, as the answer says. */
async function codeOf(port: number, agent: string, cmd: string): Promise<string | null> {
  const headers = { 'X-Agent-Id': agent, Accept: 'application/json' }
  for (;;) {
    const {
      status,
      json,
      text,
      headers: told,
    } = await call(port, 'POST', '/exec', { headers, body: { cmd, topic: 'main' } })
    if (status === 200) return (json as ExecHead).code
    if (status !== 503) throw new Error(`${cmd.slice(0, 40)} was answered ${status}: ${text.slice(0, 200)}`)
    await new Promise((resolve) => {
      setTimeout(resolve, Number(told['retry-after']) * 1000)
    })
  }
}

function sendForEver(port: number): void {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.resume()
  const head = 'POST /exec HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: ${10 * MIB}\r\n\r\n`)
  socket.write(Buffer.alloc(4 * MIB, ' '))
}
