import type { ApprovalRow } from '../../src/store/groups/approvals.ts'
import type { TurnRow } from '../../src/store/groups/turns.ts'
import type { Store } from '../../src/store/store.ts'

const T0 = '2026-01-02T03:04:05.000Z'
const T1 = '2026-01-02T03:04:06.000Z'
/** What a text may hold at worst. */
const ODD = 'nul \0, emoji 🎈, quote \' " \\ , {NULL}, \n'

/** Something in every group, and in every state that looks different to an engine. */
export async function fillStore(store: Store, events = 4): Promise<void> {
  await fillEvents(store, events)
  await store.marks.put('wake:ann', 'evt_x')
  await store.marks.put('paused:bob', '1')
  for (const id of ['d3', 'd1', 'd2', 'd4'])
    await store.deliveries.add(
      { id, agentId: 'ann', channel: 'mail', target: 'a@example.com', text: ODD, createdAt: id === 'd4' ? T1 : T0 },
      'node',
    )
  const [first] = await store.deliveries.newest('ann', 1)
  if (first !== undefined)
    await store.deliveries.settle({ ...first, state: 'waiting', nextAt: T1, reason: 'öops', tries: 1 })
  for (const id of ['trn_1', 'trn_2', 'trn_3']) await store.turns.add(turn(id))
  const claimed = await store.turns.claim('trn_2', 'node', T1)
  if (claimed !== null) await store.turns.settle(over(claimed), { steps: [], partial: ODD, stderr: '' })
  await store.turns.claim('trn_3', 'node', T1)
  await store.turns.putRequest({ agentId: 'ann', requestId: 'r1', turnId: 'trn_1', digest: 'd', usedAt: T0 })
  await store.sessions.put({ agentId: 'ann', session: 's', sessionId: null, hasSucceeded: false, usedAt: T0 })
  await store.sessions.put({ agentId: 'ann', session: 't', sessionId: 'x', hasSucceeded: true, usedAt: T1 })
  for (const [day, costUsd] of [
    ['2026-01-01', 0.1],
    ['2026-01-02', 0],
    ['2026-01-03', 1e-7],
  ] as const)
    await store.usage.add({ ...USAGE, day, costUsd })
  await store.approvals.add(APPROVAL)
}

const APPROVAL: ApprovalRow = {
  id: 'apr_1',
  agentId: 'ann',
  turnId: null,
  kind: 'permission',
  question: 'May it?',
  detail: ODD,
  digest: 'd',
  run: 1,
  createdAt: T0,
  expiresAt: T1,
  state: 'waiting',
  answer: null,
  answeredBy: null,
  answeredAt: null,
  note: null,
  isTaken: false,
}

const USAGE = {
  agentId: 'ann',
  session: 's',
  turns: 1,
  failed: 0,
  inputTokens: 2 ** 40,
  outputTokens: 2,
  totalTokens: 3,
  durationMs: 5,
}

async function fillEvents(store: Store, events: number): Promise<void> {
  const append = (agentId: string, text: string, key: string | null = null): Promise<{ id: string }> =>
    store.events.append({
      agentId,
      receivedAt: T0,
      source: 'test',
      text,
      hops: 2,
      key: key === null ? null : { name: key, since: T0 },
    })
  const { id } = await append('ann', ODD, 'key')
  await store.events.ack('ann', [id], T1)
  await append('ann', '')
  await Promise.all(Array.from({ length: events }, (_, index) => append('bob', `event ${index}`)))
}

/** All that can be asked of a store, in the order in which it answers. */
export async function contentOf(store: Store): Promise<unknown> {
  const ids = ['trn_1', 'trn_2', 'trn_3']
  return {
    events: [await store.events.newest('ann', true, 9_999), await store.events.newest('bob', true, 9_999)],
    pending: await store.events.newest('ann', false, 99),
    marks: [...(await store.marks.list('', 99))].filter(([name]) => name !== 'last_event_id'),
    deliveries: await store.deliveries.newest(null, 99),
    turns: await Promise.all(ids.map((id) => store.turns.byId(id))),
    details: await Promise.all(ids.map((id) => store.turns.detail(id))),
    request: await store.turns.request('ann', 'r1', ''),
    sessions: await store.sessions.list('ann', 9),
    usage: await store.usage.list('day', '', 9),
    approval: await store.approvals.byId('apr_1'),
  }
}

function turn(id: string): TurnRow {
  return {
    id,
    agentId: 'ann',
    session: 's',
    from: 'person',
    source: 'person',
    eventId: id === 'trn_1' ? 'evt_1' : null,
    requestId: null,
    message: ODD,
    attachments: [],
    hops: 0,
    state: 'queued',
    code: null,
    attempt: 1,
    createdAt: T0,
    startedAt: null,
    endedAt: null,
    nextAt: T0,
    result: null,
    usage: null,
    retryOf: 'trn_of',
    retriedBy: 'trn_by',
    claim: 0,
  }
}

function over(claimed: TurnRow): TurnRow {
  return { ...claimed, state: 'done', endedAt: T1, usage: { input_tokens: 1 } as TurnRow['usage'] }
}
