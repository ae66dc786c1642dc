import { type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import type { Inbox } from '../events/inbox.ts'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { Store } from '../store/store.ts'
import { channelFiles } from './channel-files.ts'
import { Deliveries } from './deliveries.ts'
import { type ChannelRoute, findRoute } from './find-route.ts'
import type { Environment } from './read-channels.ts'

export interface ChannelsParts {
  readonly dataDir: string
  readonly store: Pick<Store, 'deliveries'>
  /** Who tries what is due: the name of this daemon, the same after a restart. */
  readonly holder: string
  readonly inbox: Pick<Inbox, 'append'>
  readonly agent: (id: string) => Agent | undefined
  /** Whether an agent lives on another node. */
  readonly isElsewhere?: (id: string) => Promise<boolean>
  /** Where secrets come from, as it is now. */
  readonly environment: () => Environment
  readonly log: Log
  readonly now?: () => number
  readonly wait?: (ms: number, run: () => void) => () => void
}

/** A message that an agent wrote for a channel. */
export interface Outgoing {
  readonly agent: Agent
  readonly channel: string
  readonly target: string | null
  readonly text: string
  /** How many agents woke each other until it was written. */
  readonly hops: number
}

export interface Channels {
  /** Sends a message, or says why not. */
  readonly deliver: (message: Outgoing) => Promise<Result>
  readonly list: Deliveries['list']
  readonly deliveries: Deliveries
}

export function createChannels(parts: ChannelsParts): Channels {
  const files = channelFiles(parts.dataDir, parts.environment)
  const route = (agent: Agent, channel: string, target: string): ChannelRoute | Failure => {
    const found = files.find(agent.home, channel)
    return found.ok ? findRoute(channel, found.channel, target) : found
  }
  const deliveries = new Deliveries({
    store: parts.store.deliveries,
    holder: parts.holder,
    log: parts.log,
    now: parts.now ?? Date.now,
    wait: parts.wait ?? waitUnref,
    findSend: (agentId, channel, target) => {
      const agent = parts.agent(agentId)
      if (agent === undefined)
        return fail('NOT_FOUND', 'the agent is not there any more', 'string agent list shows all')
      const found = route(agent, channel, target)
      return !found.ok || found.kind === 'send'
        ? found
        : fail('CHANNEL_UNKNOWN', 'the channel is another one now', 'Send it again')
    },
  })
  const deliver = async (message: Outgoing): Promise<Result> => {
    const { agent, channel, target, text } = message
    if (target === null)
      return fail('INVALID_TARGET', `${channel} needs a target`, `Name it in the tag: ${channel}:TARGET`)
    // Half a character is not what would be stored.
    if (!target.isWellFormed())
      return fail('INVALID_TARGET', `${channel} has no such target`, `Name it in the tag: ${channel}:TARGET`)
    const found = route(agent, channel, target)
    if (!found.ok) return found
    const bytes = Buffer.byteLength(text)
    const limit = found.kind === 'agent' ? LIMITS.webhookBodyBytes : LIMITS.deliveryBytes
    if (bytes > limit)
      return fail(
        'TOO_LARGE',
        `The message has ${bytes} bytes, at most ${limit} are sent`,
        'Send less, or where it can be read',
      )
    if (found.kind === 'agent') return toAgent(parts, message, target)
    return deliveries.submit({ agentId: agent.id, channel, target, text }, found.send)
  }
  return { deliver: (message) => guarded(parts.log, message, deliver), list: (id) => deliveries.list(id), deliveries }
}

/** A message that cannot be stored is not sent, and takes nothing else of its text down with it. */
async function guarded(log: Log, message: Outgoing, deliver: (message: Outgoing) => Promise<Result>): Promise<Result> {
  try {
    const result = await deliver(message)
    if (!result.ok) refused(log, message, result)
    return result
  } catch (error) {
    log.error('A message could not be stored', { channel: message.channel, cause: String(error) })
    return fail('DELIVERY_FAILED', 'The message could not be stored, or what became of it could not', 'string logs')
  }
}

/** Whoever wrote it hears of it and may say nothing of it: whoever looks for what was lost finds it in the log. */
function refused(log: Log, { agent, channel, target }: Outgoing, { code, system }: Failure): void {
  log.warn('A message was not sent', { agent: agent.id, channel, target: target ?? '', code, reason: system })
}

async function toAgent(parts: ChannelsParts, message: Outgoing, target: string): Promise<Result> {
  const { inbox, agent, isElsewhere } = parts
  if (agent(target) === undefined && (await isElsewhere?.(target)) !== true)
    return fail('NOT_FOUND', `Unknown agent: ${target}`, 'string agent list shows all')
  const hops = message.hops + 1
  if (hops > LIMITS.agentHops) {
    return fail(
      'TARGET_FORBIDDEN',
      `Agents have woken each other ${message.hops} times; no further message is sent`,
      'A person has to write the next one',
    )
  }
  await inbox.append({ agentId: target, source: `agent:${message.agent.id}`, text: message.text.toWellFormed(), hops })
  return ok(`sent to ${target}`)
}

function waitUnref(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
