import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Dialect, ModelReply, ModelRequest, ModelTool } from './dialect.ts'

/** What the model says to each request that shows the tool of String. */
export type Script = (request: ModelRequest) => ModelReply

export interface ModelServer {
  readonly port: number
  /** Requests that showed the tool, since the script began. */
  readonly requests: () => readonly ModelRequest[]
  /** A script from now on; `aside` is said to requests beside it: titles of sessions, summaries and the like. */
  readonly play: (script: Script, aside?: ModelReply) => void
  readonly close: () => Promise<void>
}

const ASIDE: ModelReply = { kind: 'text', text: 'aside' }

interface Playing {
  readonly script: Script
  readonly aside: ModelReply
  readonly requests: ModelRequest[]
}

/** A model on loopback that says what it is told to, in one dialect. */
export async function startModel(dialect: Dialect, isOurs: (tool: ModelTool) => boolean): Promise<ModelServer> {
  let playing: Playing = { script: () => ASIDE, aside: ASIDE, requests: [] }
  let calls = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    if (request.method !== 'POST' || !dialect.isQuestion(path)) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
      return
    }
    const read = dialect.read(await json(request))
    const tool = read.tools.find(isOurs)
    const reply = tool === undefined ? playing.aside : playing.script(read)
    if (tool !== undefined) playing.requests.push(read)
    if (reply.kind === 'refusal') {
      response.writeHead(reply.status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(dialect.refusal(reply.status)))
    } else if (reply.kind === 'text') dialect.write(response, reply, path)
    else if (tool !== undefined) {
      const named = reply.calls.map((args) => {
        calls += 1
        return { id: `call_${calls}`, tool, args }
      })
      dialect.write(response, { kind: 'calls', calls: named }, path)
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => playing.requests,
    play: (script, aside = ASIDE) => {
      playing = { script, aside, requests: [] }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
