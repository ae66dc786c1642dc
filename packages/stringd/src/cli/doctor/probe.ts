import { connect, createServer, type Socket } from 'node:net'

/** The status with which a request was answered; null when it was not. */
export type ProbeAnswer = number | null

export interface Probe {
  readonly host?: string
  readonly port: number
  /** The bytes that are sent, as they are. */
  readonly text: string
  readonly limitMs: number
}

/** Sends bytes over a connection of their own and leaves as soon as the status has come. */
export function probe({ host = '127.0.0.1', port, text, limitMs }: Probe): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    let answer = ''
    const leave = (status: ProbeAnswer): void => {
      clearTimeout(limit)
      socket.destroy()
      resolve(status)
    }
    const limit = setTimeout(() => leave(null), limitMs)
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(text, 'latin1'))
    socket.on('data', (chunk: string) => {
      answer += chunk
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
      if (status !== undefined) leave(Number(status))
    })
    socket.on('error', () => leave(null))
    socket.on('close', () => leave(null))
  })
}

/** Whether somebody listens there. */
export function isHeld(host: string, port: number, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const leave = (held: boolean): void => {
      clearTimeout(limit)
      socket.destroy()
      resolve(held)
    }
    const limit = setTimeout(() => leave(false), limitMs)
    socket.on('connect', () => leave(true))
    socket.on('error', () => leave(false))
  })
}

/** Whether the system lets this user listen there, which only trying tells: it is given back at once. */
export function mayListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EACCES'))
    server.listen({ host, port }, () => server.close(() => resolve(true)))
  })
}

/** Connections on which a request was begun and is never ended, until they are let go. */
export async function stall(port: number, count: number): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => halfRequest(port)))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

function halfRequest(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () =>
      socket.write('POST /exec HTTP/1.1\r\nHost: localhost\r\nContent-Le', () => resolve(socket)),
    )
    socket.on('error', () => resolve(socket))
  })
}

/** A request without a body. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const length = body === '' && method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Connection: 'close', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
