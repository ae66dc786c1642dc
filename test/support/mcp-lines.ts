import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Place, STRING } from './cli.ts'

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
} as const

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const

export function toolCall(id: number, cmd: string, topic?: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'string', arguments: { cmd, topic } } }
}

export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly content: string; readonly meta: Readonly<Record<string, string>> }
  readonly error?: { readonly code: number }
  readonly result?: unknown
}

export interface LineClient {
  readonly child: ChildProcess
  /** Everything that came so far. A line that is not JSON fails the test. */
  readonly messages: Message[]
  readonly stderr: () => string
  readonly ended: Promise<number | null>
  send(message: object): void
}

/** A `string --mcp` spoken to line by line, with no client in between. */
export function lineClient(place: Place, args: readonly string[] = []): LineClient {
  const child = spawn(process.execPath, [STRING, '--mcp', ...args], { cwd: place.dir, env: place.env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const messages: Message[] = []
  let stderr = ''
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as Message))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
  return { child, messages, stderr: () => stderr, ended, send }
}
