import type { Operation, Parameter } from './operation.ts'
import { list, object, oneOf, ref, text, whole, yesNo } from './schema.ts'

const AGENT_ID: Parameter = { about: 'Of this agent alone' }
const LIMIT: Parameter = { about: 'At most so many, and 200 at most', schema: whole }
const UNKNOWN = { 404: 'There is none of this id' }

/** What arrived, and what was sent. */
export const messages: Readonly<Record<string, Operation>> = {
  'GET /events': {
    id: 'listEvents',
    group: 'Events',
    summary: 'What arrived, newest first',
    query: {
      agent_id: AGENT_ID,
      state: { about: 'Those in this state alone', schema: oneOf('pending', 'acked') },
      limit: LIMIT,
      before: { about: 'Those before this event: for the next page' },
    },
    answers: {
      200: { about: 'Of each text the first 200 characters', json: object({ events: list(ref('InboxItem')) }) },
    },
    refused: { 400: 'A malformed value' },
    tries: [
      { status: 200 },
      { path: '/events?state=pending&limit=1', status: 200 },
      { path: '/events?state=x', status: 400 },
    ],
  },
  'GET /events/:id': {
    id: 'showEvent',
    group: 'Events',
    summary: 'One event with all of its text, and the turn that it became',
    query: { agent_id: AGENT_ID },
    answers: { 200: { about: 'The event', json: ref('InboxItem') } },
    refused: UNKNOWN,
    tries: [
      { path: '/events/{event}', status: 200 },
      { path: '/events/evt_none', status: 404 },
    ],
  },
  'POST /events/:id/ack': {
    id: 'ackEvent',
    group: 'Events',
    summary: 'It is dealt with',
    answers: { 200: { about: 'The event as it is now', json: ref('InboxItem') } },
    refused: UNKNOWN,
    tries: [
      { path: '/events/{event}/ack', status: 200 },
      { path: '/events/evt_none/ack', status: 404 },
    ],
  },
  'POST /events/:id/retry': {
    id: 'retryEvent',
    group: 'Events',
    summary: 'Give it to its agent once more',
    answers: { 200: { about: 'The event as it is now', json: ref('InboxItem') } },
    refused: { ...UNKNOWN, 409: 'The agent has no profile that can be used' },
    tries: [
      { path: '/events/{helped}/retry', status: 200 },
      { path: '/events/{event}/retry', status: 409 },
    ],
  },
  'GET /deliveries': {
    id: 'listDeliveries',
    group: 'Events',
    summary: 'What became of messages to other channels',
    query: {
      agent_id: AGENT_ID,
      state: { about: 'Those in this state alone', schema: oneOf('trying', 'waiting', 'sent', 'failed') },
      limit: LIMIT,
      before: { about: 'Those before this delivery: for the next page' },
    },
    answers: { 200: { about: 'Newest first', json: object({ deliveries: list(ref('Delivery')) }) } },
    refused: { 400: 'A malformed value' },
    tries: [
      { status: 200 },
      { path: '/deliveries?state=failed&limit=1', status: 200 },
      { path: '/deliveries?agent_id=..', status: 400 },
    ],
  },
  'GET /deliveries/:id': {
    id: 'showDelivery',
    group: 'Events',
    summary: 'One message with all of its text',
    answers: { 200: { about: 'The message', json: ref('DeliveryDetail') } },
    refused: UNKNOWN,
    tries: [
      { path: '/deliveries/{delivery}', status: 200 },
      { path: '/deliveries/dlv_none', status: 404 },
    ],
  },
  'POST /deliveries/:id/retry': {
    id: 'retryDelivery',
    group: 'Events',
    summary: 'Send it now: one that failed, or waits for its next try',
    answers: { 200: { about: 'The message as it is now', json: ref('DeliveryDetail') } },
    refused: { ...UNKNOWN, 409: 'It was sent, or is being sent' },
    tries: [
      { path: '/deliveries/{delivery}/retry', status: 200 },
      { path: '/deliveries/dlv_none/retry', status: 404 },
    ],
  },
}

/** Daemons that share a store. */
export const fleet: Readonly<Record<string, Operation>> = {
  'GET /fleet': {
    id: 'showFleet',
    group: 'Fleet',
    summary: 'The daemons that share the store: one, where it is a file',
    query: {
      limit: { about: 'At most so many; all by default', schema: whole },
      before: { about: 'Those behind the node of this name' },
    },
    answers: { 200: { about: 'The nodes, by name', json: ref('Fleet') } },
    refused: { 400: 'A malformed `limit`' },
    tries: [
      { status: 200 },
      { path: '/fleet?limit=1', status: 200 },
      { path: '/fleet?limit=0', status: 400 },
      { foreign: true, status: 403 },
    ],
  },
  'POST /fleet/drain': {
    id: 'drainNode',
    group: 'Fleet',
    summary: 'Let no turn begin on this node; what runs goes on',
    answers: { 200: { about: 'The nodes', json: ref('Fleet') } },
    refused: {},
    tries: [{ status: 200 }, { foreign: true, status: 403 }],
  },
  'POST /fleet/resume': {
    id: 'resumeNode',
    group: 'Fleet',
    summary: 'Undo drain; a restart does, too',
    answers: { 200: { about: 'The nodes', json: ref('Fleet') } },
    refused: {},
    tries: [{ status: 200 }, { foreign: true, status: 403 }],
  },
  'POST /fleet/move': {
    id: 'moveAgent',
    group: 'Fleet',
    summary: 'Let an agent of another node live on this one, with all that is stored of it',
    details: 'Its files do not come along. One that lives here already stays: `from` is `to`.',
    body: object({ agent_id: text, 'home?': text, 'now?': yesNo }),
    answers: { 200: { about: 'It lives here', json: ref('AgentMoved') } },
    refused: {
      400: 'A malformed value',
      404: 'The agent is not registered on any node',
      409: 'Its home or profile is not on this node',
      503: 'A turn of it still runs: ask again, or with `now`',
    },
    tries: [
      { body: { agent_id: 'helper' }, status: 200 },
      { body: { agent_id: 'helper', home: 'not/absolute' }, status: 400 },
      { body: { agent_id: 'nobody' }, status: 404 },
    ],
  },
}

/** What waits for a person, and what changes. */
export const people: Readonly<Record<string, Operation>> = {
  'GET /approvals': {
    id: 'listApprovals',
    group: 'Approvals',
    summary: 'What agents ask, newest first; what waits comes oldest first',
    query: {
      agent_id: AGENT_ID,
      turn_id: { about: 'Of this turn alone' },
      state: {
        about: 'Those in this state alone',
        schema: oneOf('waiting', 'allowed', 'denied', 'expired', 'withdrawn'),
      },
      limit: LIMIT,
      before: { about: 'Those before this one: for the next page' },
      after: { about: 'With `state=waiting`: those after this one' },
    },
    answers: { 200: { about: 'The questions', json: object({ approvals: list(ref('Approval')) }) } },
    refused: { 400: 'A malformed value' },
    tries: [
      { path: '/approvals?state=waiting', status: 200 },
      { path: '/approvals?state=x', status: 400 },
    ],
  },
  'GET /approvals/:id': {
    id: 'showApproval',
    group: 'Approvals',
    summary: 'One question, or what became of it',
    answers: { 200: { about: 'The question', json: ref('Approval') } },
    refused: UNKNOWN,
    tries: [
      { path: '/approvals/{approval}', status: 200 },
      { path: '/approvals/apr_none', status: 404 },
    ],
  },
  'POST /approvals/:id': {
    id: 'answerApproval',
    group: 'Approvals',
    summary: 'Allow it, or deny it; the first answer counts',
    body: object({ answer: oneOf('allow', 'deny'), 'note?': text, 'by?': text }),
    answers: {
      200: { about: 'It is decided', json: ref('Approval') },
      409: {
        about: 'ANSWERED: somebody was first, or it is over',
        json: object({ error: text, message: text, approval: ref('Approval') }),
      },
    },
    refused: { ...UNKNOWN, 400: 'A malformed answer' },
    tries: [
      { path: '/approvals/{approval}', body: { answer: 'allow', note: 'once' }, status: 200 },
      { path: '/approvals/{approval}', body: { answer: 'deny' }, status: 409 },
      { path: '/approvals/{approval}', body: { answer: 'maybe' }, status: 400 },
    ],
  },
  'GET /watch': {
    id: 'watch',
    group: 'Daemon',
    summary: 'One stream of what changes',
    details:
      'Without an end. It says what to look at, never what is there. `seq` grows, also over restarts; `reset` means: look at everything anew.',
    query: {
      since: { about: 'The last place that was seen; without it only what is new', schema: whole },
      follow: { about: 'Turns whose text is told, with commas; `trn_a:120` has 120 bytes of it' },
    },
    headers: { 'Last-Event-ID': { about: 'In place of `since`' } },
    answers: {
      200: {
        about: 'An `id:` line goes with every place',
        events: {
          ready: object({ seq: whole }),
          reset: object({ seq: whole }),
          change: ref('Change'),
          text: object({ turn_id: text, offset: whole, text }),
          ping: object({ t: text }),
        },
      },
    },
    refused: { 400: 'A malformed value', 503: 'As many watch as may' },
    tries: [
      { status: 200, until: 'ready' },
      { path: '/watch?since=x', status: 400 },
    ],
  },
}
