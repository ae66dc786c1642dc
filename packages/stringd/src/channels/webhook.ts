import { type IncomingMessage, request as requestHttp } from 'node:http'
import { LIMITS } from '@string-os/protocol'
import type { WebhookChannel } from './channel.ts'
import { networkReason } from './network-reason.ts'
import { shownReason } from './redact.ts'
import { later, type Message, refusedForGood, SENT, type Send, type Tried } from './send.ts'
import { fillTemplate } from './template.ts'

/** Posts JSON. A redirect is not followed: what a person allowed is this address and no other. */
export function webhookSender({ targets, template, secrets }: WebhookChannel): Send {
  return async (message, signal) => {
    const url = targets.get(message.target)
    if (url === undefined) return refusedForGood('the target is not configured any more')
    try {
      const body = JSON.stringify(fillTemplate(template, message))
      const { status, text } = await post(url, message, body, signal)
      return judge(status, shownReason(text, [...secrets, url.href, url.pathname + url.search, url.password]))
    } catch (error) {
      return later(networkReason(error, signal))
    }
  }
}

function judge(status: number, text: string): Tried {
  if (status >= 200 && status < 300) return SENT
  const reason = text === '' ? `status ${status}` : `status ${status}, ${text}`
  if (status >= 300 && status < 400) return refusedForGood(`status ${status}: redirects are not followed`)
  return status >= 500 || status === 408 || status === 425 || status === 429 ? later(reason) : refusedForGood(reason)
}

async function post(
  url: URL,
  { id }: Message,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  // Loading it takes longer than much of what the daemon does at its start.
  const send = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': id,
    'User-Agent': 'string',
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', headers, signal, agent: false }, resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
  return { status: response.statusCode ?? 0, text: await beginning(response) }
}

/** As much of an answer as could be shown; the rest is not waited for. */
function beginning(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const end = (): void => {
      resolve(text)
      response.destroy()
    }
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
      if (text.length > LIMITS.shownValueChars * 4) end()
    })
    // The status has come: an answer that breaks off behind it has still been given.
    response.on('error', end)
    response.on('close', end)
  })
}
