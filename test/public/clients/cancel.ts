import { createInterface } from 'node:readline'
import { isFields, parseJson } from '@string-os/protocol'
import type { Started } from './started.ts'
import type { World } from './world.ts'

/** A call that is under way and can be cancelled by the means of the client. */
export interface RunningCall {
  readonly cancel: () => void
  /** Ends the client, where it goes on. */
  readonly end: () => Promise<void>
}

/** Lets the client begin a turn in which its model calls the tool; whoever asks waits until the call is on the wire. */
export async function beginCall(world: World): Promise<RunningCall> {
  const { cancel, args } = world.client
  if (cancel.by === 'signal') {
    const started = world.startClient(args('do it'))
    started.stdin.end()
    return { cancel: () => started.signal('SIGINT'), end: () => ending(started) }
  }
  const started = world.startClient(cancel.args)
  if (cancel.by === 'stream') {
    sendLine(started, cancel.say)
    return { cancel: () => sendLine(started, cancel.stop), end: () => ending(started) }
  }
  const sessionId = await promptOverAcp(started, world.project)
  return {
    cancel: () => sendLine(started, { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } }),
    end: () => ending(started),
  }
}

/** By the end of its input, or by a signal where that says nothing. */
async function ending(started: Started): Promise<void> {
  started.stdin.end()
  const patience = setTimeout(() => started.signal('SIGTERM'), 3000)
  await started.ended
  clearTimeout(patience)
}

/** Begins a session and a turn in it, as an editor would; answers the session's id while the turn runs. */
async function promptOverAcp(started: Started, cwd: string): Promise<unknown> {
  const results = new Map<number, (result: unknown) => void>()
  createInterface({ input: started.stdout }).on('line', (line) => {
    const message = parseJson(line)
    if (isFields(message) && typeof message.id === 'number') results.get(message.id)?.(message.result)
  })
  const ask = (id: number, method: string, params: object): Promise<unknown> => {
    sendLine(started, { jsonrpc: '2.0', id, method, params })
    return new Promise((resolve) => {
      results.set(id, resolve)
    })
  }
  await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  const session = await ask(2, 'session/new', { cwd, mcpServers: [] })
  const sessionId = isFields(session) ? session.sessionId : undefined
  void ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'do it' }] })
  return sessionId
}

function sendLine(started: Started, message: object): void {
  started.stdin.write(`${JSON.stringify(message)}\n`)
}
