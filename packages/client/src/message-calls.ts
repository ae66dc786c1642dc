import type { DeliveryDetail, DeliveryView, InboxItem } from '@string-os/protocol'
import { type Caller, pathOf, queryOf } from './calls.ts'
import { given, known } from './option-names.ts'
import type { InboxFilter, OutboxFilter } from './options.ts'

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
  const change = async (id: string, verb: 'ack' | 'retry'): Promise<InboxItem> => {
    given(`inbox.${verb}`, { id })
    return json({ method: 'POST', path: pathOf(['events', id, verb]) })
  }
  return {
    list: async (filter = {}) => {
      const { agent, state, limit, before } = known('inbox.list', filter)
      const path = `/events${queryOf({ agent_id: agent, state, limit, before })}`
      const { events } = await json<{ events: InboxItem[] }>({ method: 'GET', path })
      return events
    },
    get: async (id) => {
      given('inbox.get', { id })
      return json({ method: 'GET', path: pathOf(['events', id]) })
    },
    ack: (id) => change(id, 'ack'),
    retry: (id) => change(id, 'retry'),
  }
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
    list: async (filter = {}) => {
      const { agent, state, limit, before } = known('outbox.list', filter)
      const path = `/deliveries${queryOf({ agent_id: agent, state, limit, before })}`
      const { deliveries } = await json<{ deliveries: DeliveryView[] }>({ method: 'GET', path })
      return deliveries
    },
    get: async (id) => {
      given('outbox.get', { id })
      return json({ method: 'GET', path: pathOf(['deliveries', id]) })
    },
    retry: async (id) => {
      given('outbox.retry', { id })
      return json({ method: 'POST', path: pathOf(['deliveries', id, 'retry']) })
    },
  }
}
