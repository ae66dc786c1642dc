import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseProfile, runTurn } from '../../packages/bridge/dist/index.js'

const AGENTS = join(import.meta.dirname, '../agents')
const REQUEST = { message: 'hello', sessionId: null, sessionName: 'default', fromUser: 'bench', attachments: [] }

export function agentPath(name) {
  return join(AGENTS, name)
}

/** A function that runs a turn of an agent of bench/agents, and tells how many partials it had. */
export function turnOf(command) {
  const { profile } = parseProfile(`command: ${command}\nmax_reply_chars: 60000000\n`, join(AGENTS, 'profile.yaml'))
  return async () => {
    let partials = 0
    const onPartial = () => {
      partials += 1
    }
    const result = await runTurn(profile, REQUEST, { cwd: AGENTS, environment: process.env, onPartial })
    if (!result.ok) throw new Error(`The turn failed: ${result.error}`)
    return partials
  }
}

/** The same process without a bridge; every line of its output goes to `onLine`. */
export async function bareSpawn(program, args, onLine) {
  const child = spawn(program, args, { cwd: AGENTS, stdio: ['ignore', 'pipe', 'pipe'] })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) onLine(line)
  })
  child.stderr.resume()
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}
