import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Nobody: a user that this machine has and that is not us. */
export const OTHER_UID = 65_534

/** Only root can be somebody else. A skip that nobody sees would look like a pass. */
export const canBeOther = process.getuid?.() === 0 && process.platform === 'linux'
if (!canBeOther) process.stderr.write('SKIPPED: only root on Linux can start processes of another user\n')

/** One connection: what is sent over it, and how. */
export interface Sending {
  readonly text: string
  /** From this address and port, where that matters. */
  readonly from?: { readonly address: string; readonly port?: number }
  /** Over a socket of IPv6 that reaches an address of IPv4. */
  readonly isMapped?: boolean
  /** Closes the connection at once, without waiting for an answer. */
  readonly leaves?: boolean
}

const SENDER = `
const { connect } = require('node:net')
let input = ''
process.stdin.on('data', (chunk) => { input += chunk }).on('end', async () => {
  const { port, sendings, atOnce } = JSON.parse(input)
  const answers = []
  const send = (sending, index) => new Promise((resolve) => {
    const { from = {}, isMapped, text, leaves } = sending
    const options = { host: isMapped ? '::ffff:127.0.0.1' : '127.0.0.1', port }
    if (from.address) options.localAddress = from.address
    if (from.port) options.localPort = from.port
    const socket = connect(options)
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => { answer += chunk })
    socket.on('error', (error) => { answer += ' ' + error.code })
    socket.on('close', () => { answers[index] = answer; resolve() })
    socket.on('connect', () => socket.write(text, 'latin1', () => { if (leaves) socket.destroy() }))
    setTimeout(() => socket.destroy(), 20000).unref()
  })
  if (atOnce) await Promise.all(sendings.map(send))
  else for (const [index, sending] of sendings.entries()) await send(sending, index)
  process.stdout.write(JSON.stringify(answers), () => process.exit())
})`

/** Sends bytes to a port of this machine as a process of another user; what came back on each connection. */
export async function sendAs(
  uid: number,
  port: number,
  sendings: readonly Sending[],
  { atOnce = false } = {},
): Promise<string[]> {
  const child = spawn(process.execPath, ['-e', SENDER], { uid, gid: uid, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  child.stdin.end(JSON.stringify({ port, sendings, atOnce }))
  await once(child, 'close')
  return JSON.parse(output) as string[]
}

const LISTENER = `
const { createServer } = require('node:net')
const listen = () => createServer((socket) => socket.on('error', () => undefined).pipe(process.stdout))
  .on('error', () => setTimeout(listen, 5)).listen(Number(process.argv[1]), '127.0.0.1', () => process.stderr.write('ready'))
listen()`

/** A process of another user that takes a port as soon as it is free; all that anybody says to it. It ends with the test. */
export async function listenAs(uid: number, port: number): Promise<{ heard: () => string }> {
  const child = spawn(process.execPath, ['-e', LISTENER, String(port)], {
    uid,
    gid: uid,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let heard = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk
  })
  await once(child.stderr, 'data')
  return { heard: () => heard }
}
