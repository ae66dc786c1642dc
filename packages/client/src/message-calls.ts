import type { DeliveryDetail, DeliveryState, DeliveryView, InboxItem } from '@string-os/protocol'
import { type Caller, type ListPart, pathOf, queryOf } from './calls.ts'

export interface InboxFilter extends ListPart {
  /** Of one agent; without it, of all. */
  readonly agent?: string | undefined
  readonly state?: 'pending' | 'acked' | undefined
}

/** `client.inbox`: events of every agent. */
export interface InboxCalls {
  /** Newest first, of each the beginning of its text. */
  readonly list: (filter?: InboxFilter) => Promise<InboxItem[]>
  readonly get: (id: string) => Promise<InboxItem>
  readonly ack: (id: string) => Promise<InboxItem>
  /** Gives it to its agent once more. */
  readonly retry: (id: string) => Promise<InboxItem>
}

export function inboxCalls({ json }: Caller): InboxCalls {
  const change = (id: string, verb: 'ack' | 'retry'): Promise<InboxItem> =>
    json({ method: 'POST', path: pathOf(['events', id, verb]) })
  return {
    list: async ({ agent, state, limit, before } = {}) => {
      const path = `/events${queryOf({ agent_id: agent, state, limit, before })}`
      const { events } = await json<{ events: InboxItem[] }>({ method: 'GET', path })
      return events
    },
    get: (id) => json({ method: 'GET', path: pathOf(['events', id]) }),
    ack: (id) => change(id, 'ack'),
    retry: (id) => change(id, 'retry'),
  }
}

export interface OutboxFilter extends ListPart {
  /** Of one agent; without it, of all. */
  readonly agent?: string | undefined
  readonly state?: DeliveryState | undefined
}

/** `client.outbox`: messages of every agent to other channels. */
export interface OutboxCalls {
  /** Newest first. */
  readonly list: (filter?: OutboxFilter) => Promise<DeliveryView[]>
  readonly get: (id: string) => Promise<DeliveryDetail>
  /** Tries one now that waits or failed. */
  readonly retry: (id: string) => Promise<DeliveryDetail>
}

export function outboxCalls({ json }: Caller): OutboxCalls {
  return {
    list: async ({ agent, state, limit, before } = {}) => {
      const path = `/deliveries${queryOf({ agent_id: agent, state, limit, before })}`
      const { deliveries } = await json<{ deliveries: DeliveryView[] }>({ method: 'GET', path })
      return deliveries
    },
    get: (id) => json({ method: 'GET', path: pathOf(['deliveries', id]) }),
    retry: (id) => json({ method: 'POST', path: pathOf(['deliveries', id, 'retry']) }),
  }
}
