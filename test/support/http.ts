import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import type { Data, Pagers, SessionView } from '@string-os/protocol'
import { keyHeader } from './keys.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: unknown
}

interface CallOptions {
  readonly headers?: Record<string, string | string[]>
  /** An object is sent as JSON, a string or bytes as they are. */
  readonly body?: object | string | Uint8Array
}

/** One request over a connection of its own, with exactly these headers, and the key of a daemon that a test started. */
export function call(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: CallOptions = {},
): Promise<Reply> {
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
  const payload = isJson ? JSON.stringify(body) : body
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: { ...keyHeader(port), ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const isJsonReply = response.headers['content-type'] === 'application/json'
          const json = isJsonReply ? (JSON.parse(text) as unknown) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** Sends JSON for the agent `default` and waits for nothing: for a client that leaves. */
export function beginPost(port: number, path: string, body: object): ClientRequest {
  const headers = { ...keyHeader(port), 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers })
  outgoing.on('error', () => undefined)
  outgoing.end(JSON.stringify(body))
  return outgoing
}

/** All sessions of all agents. */
export async function sessions(port: number): Promise<readonly SessionView[]> {
  return ((await call(port, 'GET', '/sessions')).json as { sessions: SessionView[] }).sessions
}

/** How many commands wait in a topic; undefined when nobody uses it. */
export async function queueLength(port: number, topic = 'main'): Promise<number | undefined> {
  return (await sessions(port)).find((session) => session.topic === topic)?.queue_length
}

/** Sends bytes as they are and answers all that came back until the connection ended. */
export function raw(port: number, text: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.write(text)
  })
}

export interface ExecReply {
  readonly head: {
    ok: boolean
    code: string | null
    cmd: string
    request_id: string | null
    agent_id: string
    topic: string
    topic_type: string
    meta: { uri: string; title: string | null; current_block: string | null } | null
    data: Data | null
    format: string
  }
  readonly content: string
  readonly body: string
}

interface ExecFields {
  readonly topic?: string
  readonly agent?: string
  readonly cwd?: string
  readonly requestId?: string
  readonly seen?: string
  readonly styles?: boolean
  readonly drawn?: string
  readonly pagers?: Pagers
}

/** A command over `POST /exec`, which must answer head, content and done, in this order. */
export async function exec(port: number, cmd: string, options: ExecFields = {}): Promise<ExecReply> {
  const { topic, agent = 'default', cwd, requestId, seen, styles, drawn, pagers } = options
  const reply = await call(port, 'POST', '/exec', {
    headers: { 'X-Agent-Id': agent },
    body: { cmd, topic, cwd, request_id: requestId, seen, styles, drawn, pagers },
  })
  if (reply.status !== 200) throw new Error(`HTTP ${reply.status}: ${reply.text}`)
  return readExec(reply.text)
}

export function readExec(text: string): ExecReply {
  const match = /^event: head\ndata: (.*)\n\nevent: content\ndata: (.*)\n\nevent: done\ndata: \{\}\n\n$/.exec(
    text.replaceAll(':\n\n', ''),
  )
  if (match === null) throw new Error(`Not head, content, done: ${text}`)
  const content = JSON.parse(match[2] ?? '') as string
  return {
    head: JSON.parse(match[1] ?? '') as ExecReply['head'],
    content,
    body: content.slice(content.indexOf('\n') + 1),
  }
}
