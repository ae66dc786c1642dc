import { SseParser } from '@string-os/protocol'
import type { Message } from './calls.ts'
import { type Answer, path, refusalOf, send, unanswered } from './request.ts'

/**
 * Gives an agent a message; answers its turn as soon as there is one. The rest of the stream is left: what the turn says comes
 * with everything else, and a browser has few connections.
 */
export async function sendMessage(agent: string, body: Message): Promise<Answer<{ readonly turnId: string }>> {
  const leave = new AbortController()
  try {
    const asked = { method: 'POST', path: path('agents', agent, 'turns'), body, signal: leave.signal } as const
    const response = await send(asked, 'text/event-stream')
    if (!response.ok) return refusalOf(response.status, await response.json())
    const turnId = await firstTurn(response)
    return turnId === null ? { ok: false, status: 0, reason: 'The answer broke off' } : { ok: true, value: { turnId } }
  } catch (error) {
    return unanswered(error)
  } finally {
    leave.abort()
  }
}

async function firstTurn({ body }: Response): Promise<string | null> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const parser = new SseParser()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done || value === undefined) return null
    for (const { data } of parser.push(value)) {
      const { turn_id } = JSON.parse(data) as { turn_id?: string }
      if (turn_id !== undefined) return turn_id
    }
  }
}
