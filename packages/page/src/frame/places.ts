import type { Place } from '../address/address.ts'

interface Listed {
  readonly name: string
  /** The second key after `g`. */
  readonly key: string
  readonly place: Place
  /** Where this is marked as the place one is in. */
  readonly belongs: readonly Place['kind'][]
}

/** The places that are always in sight. */
export const PLACES: readonly Listed[] = [
  {
    name: 'Agents',
    key: 'a',
    place: { kind: 'agents' },
    belongs: ['agents', 'agent', 'session', 'turn', 'topic'],
  },
  { name: 'Approvals', key: 'p', place: { kind: 'approvals', approval: null }, belongs: ['approvals'] },
  { name: 'Inbox', key: 'i', place: { kind: 'inbox', event: null }, belongs: ['inbox'] },
  { name: 'Outbox', key: 'o', place: { kind: 'outbox' }, belongs: ['outbox'] },
  { name: 'Webhooks', key: 'w', place: { kind: 'webhooks' }, belongs: ['webhooks'] },
  { name: 'System', key: 's', place: { kind: 'system' }, belongs: ['system', 'fleet'] },
]
