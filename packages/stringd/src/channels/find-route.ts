import { type Failure, fail, listNames, quoted } from '@string-os/protocol'
import type { AgentChannel, Channel, SmtpChannel, WebhookChannel } from './channel.ts'
import { isAddress } from './mail.ts'
import type { Send } from './send.ts'
import { smtpSender } from './smtp.ts'
import { webhookSender } from './webhook.ts'

/** Where a message goes: out of the machine, or to another agent on it. */
export type Route =
  | { readonly ok: true; readonly kind: 'send'; readonly send: Send }
  | { readonly ok: true; readonly kind: 'agent' }

/** The way to a target, if a person allowed it. */
export function findRoute(name: string, channel: Channel, target: string): Route | Failure {
  switch (channel.type) {
    case 'smtp':
      return mailRoute(name, channel, target)
    case 'webhook':
      return webhookRoute(name, channel, target)
    case 'agent':
      return agentRoute(name, channel, target)
  }
}

function mailRoute(name: string, channel: SmtpChannel, target: string): Route | Failure {
  if (!isAddress(target)) {
    return fail('INVALID_TARGET', `Not a mail address: ${quoted(target)}`, `${name}:NAME@HOST`)
  }
  if (!matchesGlob(channel.allow.map(lowerAscii), lowerAscii(target))) return forbidden(name, target, channel.allow)
  return { ok: true, kind: 'send', send: smtpSender(channel) }
}

function webhookRoute(name: string, channel: WebhookChannel, target: string): Route | Failure {
  if (!channel.targets.has(target)) return forbidden(name, target, [...channel.targets.keys()])
  return { ok: true, kind: 'send', send: webhookSender(channel) }
}

function agentRoute(name: string, { allow }: AgentChannel, target: string): Route | Failure {
  if (allow !== null && !matchesGlob(allow, target)) return forbidden(name, target, allow)
  return { ok: true, kind: 'agent' }
}

function forbidden(name: string, target: string, allowed: readonly string[]): Failure {
  return fail(
    'TARGET_FORBIDDEN',
    `${name} may not send to ${quoted(target)}`,
    allowed.length === 0
      ? 'No target is allowed yet: a person adds one to channels.yaml'
      : `Allowed: ${listNames(allowed)}`,
  )
}

/** The lower case of a look-alike, such as the sign for kelvin, is a letter that it is not. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Whether one of the patterns fits the whole name; `*` stands for any characters. */
export function matchesGlob(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern.split('*'), name))
}

/** Takes each piece at the first place where it stands: linear, whatever the pattern. */
function fits([first = '', ...rest]: readonly string[], name: string): boolean {
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
