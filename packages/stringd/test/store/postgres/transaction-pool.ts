import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { PostgresServer } from '../../../../../test/support/postgres.ts'

const READY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)

/** A proxy that gives each transaction another connection of two, as pools in transaction mode do. Answers its port. */
export async function transactionPool(server: PostgresServer): Promise<number> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const backends = [0, 1].map(() => connect(join(server.dir, `.s.PGSQL.${server.port}`)))
    for (const socket of [client, ...backends]) sockets.add(socket.on('error', () => undefined))
    let turn = 0
    let starting = backends.length
    for (const [index, backend] of backends.entries())
      backend.on(
        'data',
        eachMessage((message) => {
          const isReady = message[0] === READY && message[5] === IDLE
          // Both start with what the client says first; it hears the first, and that it is ready when both are.
          if (starting > 0) {
            if (isReady) starting -= 1
            if (isReady ? starting === 0 : index === 0) client.write(message)
            return
          }
          client.write(message)
          if (isReady) turn = 1 - turn
        }),
      )
    client.on('data', (bytes) => {
      for (const [index, backend] of backends.entries()) if (starting > 0 || index === turn) backend.write(bytes)
    })
    client.on('close', () => {
      for (const backend of backends) backend.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const address = proxy.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A message is a letter, its length and its content. */
function eachMessage(use: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1
      use(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
