import { connect, type Socket } from 'node:net'
import type { SmtpChannel } from './channel.ts'
import { mailOf } from './mail.ts'
import { networkReason } from './network-reason.ts'
import { shownReason } from './redact.ts'
import { later, type Message, refusedForGood, SENT, type Send, type Tried } from './send.ts'

/** Sends mail over one connection of its own. */
export function smtpSender({ url, from, secrets }: SmtpChannel): Send {
  const hidden = [...secrets, decodeURIComponent(url.password), login(url)]
  return async (message, signal) => {
    try {
      await deliver(url, from, message, signal)
      return SENT
    } catch (error) {
      return failure(error, signal, hidden)
    }
  }
}

async function deliver(url: URL, from: string, message: Message, signal: AbortSignal): Promise<void> {
  const { createTransport } = await import('./mailer.ts')
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || (secure ? 465 : 587))
  const user = decodeURIComponent(url.username)
  const socket = await open(host, port, signal)
  const transport = createTransport({
    host,
    port,
    secure,
    // A password goes out in the clear only to this machine.
    requireTLS: user !== '' && !isLoopback(host),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    getSocket: (_options, callback) => callback(null, { connection: socket }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { to, ...mail } = mailOf(message, from)
    await transport.sendMail({ ...mail, to: { name: '', address: to }, envelope: { from, to: [to] } })
  } finally {
    socket.destroy()
    transport.close()
  }
}

/** A connection that ends with the signal, whatever the server does. */
function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const cut = (): void => void socket.destroy(new Error('cut off'))
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', cut))
    socket.once('connect', () => resolve(socket))
    socket.on('error', reject)
  })
}

function failure(error: unknown, signal: AbortSignal, secrets: readonly string[]): Tried {
  const { responseCode, response } = fieldsOf(error)
  if (typeof responseCode !== 'number') return later(networkReason(error, signal))
  const reason = shownReason(typeof response === 'string' ? response : String(responseCode), secrets)
  return responseCode >= 500 ? refusedForGood(reason) : later(reason)
}

function fieldsOf(error: unknown): { readonly responseCode?: unknown; readonly response?: unknown } {
  return typeof error === 'object' && error !== null ? error : {}
}

/** As the login travels in AUTH PLAIN, which a server may quote. */
function login({ username, password }: URL): string {
  return `\0${decodeURIComponent(username)}\0${decodeURIComponent(password)}`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
