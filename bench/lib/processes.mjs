import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const START_MS = 15_000
const HEALTH = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

export function startNode(args, options) {
  const child = spawn(process.execPath, args, options)
  return { child, stop: () => child.kill('SIGKILL') }
}

/** Milliseconds from the start of a Node process to its end, with its output on a pipe. */
export async function timeNode(args, env) {
  const started = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - started
}

/** Below the ports that the system gives to outgoing connections, so that none of ours can take it meanwhile. */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    server.listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (free) return port
  }
}

export async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('The process ended before it said a line')
}

/** Asks every millisecond; a connection that is refused costs next to nothing. */
export async function waitForHealth(port, child) {
  const deadline = performance.now() + START_MS
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`stringd ended with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error('stringd does not answer')
    await sleep(1)
  }
}

function isHealthy(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HEALTH))
    socket.once('data', (bytes) => {
      resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200 '))
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
