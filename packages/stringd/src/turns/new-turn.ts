import type { TurnRow } from '../store/groups/turns.ts'

/** A message of a person that nobody has begun with. */
export function newTurn(id: string, agentId: string, session: string, createdAt: string): TurnRow {
  return {
    id,
    agentId,
    session,
    from: '',
    source: 'person',
    eventId: null,
    requestId: null,
    message: '',
    attachments: [],
    hops: 0,
    state: 'queued',
    code: null,
    attempt: 1,
    createdAt,
    startedAt: null,
    endedAt: null,
    nextAt: createdAt,
    result: null,
    usage: null,
    retryOf: null,
    retriedBy: null,
    claim: 0,
  }
}
