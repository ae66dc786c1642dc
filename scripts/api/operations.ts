import type { Operation } from './operation.ts'
import { agents, turns } from './operations-agents.ts'
import { fleet, messages, people } from './operations-people.ts'
import { anyObject, list, object, oneOf, ref, text, time, whole, yesNo } from './schema.ts'

const AGENT = { 'X-Agent-Id': { about: 'The agent that the request speaks for', required: true as const } }
const NO_AGENT = { 400: 'No `X-Agent-Id`, or a malformed body', 401: 'The agent is not registered' }

const commands: Readonly<Record<string, Operation>> = {
  'POST /exec': {
    id: 'exec',
    group: 'Commands',
    summary: 'Run one command in a topic',
    details:
      'Three events, or one object for whoever prefers `application/json`. A failed command is 200 with `ok: false`.',
    headers: AGENT,
    body: ref('ExecRequest'),
    answers: {
      200: {
        about: 'What the command answered',
        json: ref('ExecAnswer'),
        events: { head: ref('ExecHead'), content: text, done: anyObject },
      },
    },
    refused: {
      ...NO_AGENT,
      429: 'QUEUE_FULL: too many commands wait in the topic',
      503: 'STORE_AWAY: the store cannot be reached now',
      504: 'QUEUE_TIMEOUT: it waited too long, and did not run',
    },
    tries: [
      { agent: 'default', body: { cmd: '/exec echo hello', topic: 'api' }, status: 200 },
      { agent: 'default', body: { cmd: 'echo hello', topic: 'bash:api' }, status: 200 },
      { agent: 'default', accept: 'application/json', body: { cmd: '/open ./none.md' }, status: 200 },
      { agent: 'default', accept: 'application/json', body: { cmd: '/open system' }, status: 200 },
      { body: { cmd: '/close' }, status: 400 },
      { agent: 'default', body: { cmd: '' }, status: 400 },
      { agent: 'nobody', body: { cmd: '/close' }, status: 401 },
      { agent: 'default', body: { cmd: '/close' }, foreign: true, status: 403 },
    ],
  },
  'POST /chanflow': {
    id: 'chanflow',
    group: 'Commands',
    summary: 'Run the blocks of a text',
    headers: AGENT,
    body: ref('ChanFlowRequest'),
    answers: { 200: { about: 'A reply block for every block, in their order', json: ref('ChanFlowReply') } },
    refused: NO_AGENT,
    tries: [
      { agent: 'default', body: { text: 'Done.\n<𝒞=string:api>/close</𝒞>' }, status: 200 },
      { agent: 'default', body: {}, status: 400 },
      { agent: 'nobody', body: { text: '' }, status: 401 },
    ],
  },
  'POST /complete': {
    id: 'complete',
    group: 'Commands',
    summary: 'What may be typed next',
    details: 'Nothing is run, changed or fetched for it.',
    headers: AGENT,
    body: ref('CompleteRequest'),
    answers: { 200: { about: 'Items that take the place of the text from `from` on', json: ref('Completion') } },
    refused: NO_AGENT,
    tries: [
      { agent: 'default', body: { text: '/op' }, status: 200 },
      { agent: 'default', body: { topic: 'main' }, status: 400 },
    ],
  },
  'POST /mcp': {
    id: 'mcp',
    group: 'Commands',
    summary: 'One message of the Model Context Protocol',
    details: 'Stateless: one JSON-RPC message in, one JSON value out. `default` is the agent when none is named.',
    headers: { 'X-Agent-Id': { about: 'The agent; `default` when it is missing' } },
    body: ref('RpcMessage'),
    answers: {
      200: { about: 'The answer to a request', json: ref('RpcAnswer') },
      400: {
        about: 'What came is no message of the protocol, a JSON-RPC error; or the agent is malformed, an Error',
        json: { anyOf: [ref('RpcAnswer'), ref('Error')] },
      },
      202: { about: 'A notification was taken' },
    },
    refused: {},
    tries: [
      { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, status: 200 },
      {
        body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'string', arguments: { cmd: '/close' } } },
        status: 200,
      },
      { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, status: 202 },
      { agent: '../x', body: { jsonrpc: '2.0', id: 1, method: 'ping' }, status: 400 },
      { body: { id: 1 }, status: 400 },
    ],
  },
}

const sessions: Readonly<Record<string, Operation>> = {
  'GET /sessions': {
    id: 'listSessions',
    group: 'Sessions',
    summary: 'Topics that are in use',
    query: { agent_id: { about: 'Of this agent alone' } },
    answers: { 200: { about: 'The sessions', json: object({ sessions: list(ref('Session')) }) } },
    refused: { 400: 'A malformed `agent_id`' },
    tries: [
      { status: 200 },
      { path: '/sessions?agent_id=default', status: 200 },
      { path: '/sessions?agent_id=..', status: 400 },
    ],
  },
  'POST /sessions': {
    id: 'touchSession',
    group: 'Sessions',
    summary: 'Make sure that a session exists',
    body: object({ agent_id: text, 'topic?': text }),
    answers: {
      200: {
        about: 'It exists',
        json: object({ agent_id: text, topic: text, topic_type: ref('TopicType'), created: yesNo }),
      },
    },
    refused: {
      400: 'A malformed agent or topic',
      401: 'The agent is not registered',
      503: 'LIMIT_REACHED: there are as many topics as there may be',
    },
    tries: [
      { body: { agent_id: 'default', topic: 'notes' }, status: 200 },
      { body: { topic: 'notes' }, status: 400 },
      { body: { agent_id: 'nobody' }, status: 401 },
    ],
  },
  'GET /sessions/:agent_id/:topic': {
    id: 'showSession',
    group: 'Sessions',
    summary: 'What a topic shows now; of a bash topic its screen',
    answers: { 200: { about: 'The topic', json: ref('SessionShown') } },
    refused: { 400: 'A malformed agent or topic', 404: 'It is not in use' },
    tries: [
      { path: '/sessions/default/notes', status: 200 },
      { path: '/sessions/default/bash:api', status: 200 },
      { path: '/sessions/default/none', status: 404 },
    ],
  },
  'POST /sessions/:agent_id/:topic/cancel': {
    id: 'cancelSession',
    group: 'Sessions',
    summary: 'End the command that runs in a topic',
    details: 'Answered when everything that it started is gone. The session stays.',
    body: object({ 'all?': yesNo }),
    isBodyOptional: true,
    answers: {
      200: { about: 'How many commands were ended', json: object({ agent_id: text, topic: text, cancelled: whole }) },
    },
    refused: { 400: 'A malformed agent, topic or body' },
    tries: [
      { path: '/sessions/default/notes/cancel', body: { all: true }, status: 200 },
      { path: '/sessions/default/notes/cancel', body: { all: 1 }, status: 400 },
    ],
  },
  'POST /sessions/:agent_id/:topic/attend': {
    id: 'attendSession',
    group: 'Sessions',
    summary: 'Wait for what runs in the shell of a topic, and take it along',
    details:
      'Answered when that has ended, with a blank line before it every 15 s; at once where nothing runs. When the connection closes before, what runs is ended, with everything that it started.',
    answers: {
      200: { about: 'It has ended; else nothing ran', json: object({ agent_id: text, topic: text, attended: yesNo }) },
    },
    refused: { 400: 'A malformed agent or topic' },
    tries: [
      { path: '/sessions/default/bash:api/attend', status: 200 },
      { path: '/sessions/default/no%20topic/attend', status: 400 },
    ],
  },
  'DELETE /sessions/:agent_id/:topic': {
    id: 'closeSession',
    group: 'Sessions',
    summary: 'End a session, and what runs in it',
    answers: { 200: { about: 'Whether there was one', json: object({ agent_id: text, topic: text, deleted: yesNo }) } },
    refused: { 400: 'A malformed agent or topic' },
    tries: [
      { path: '/sessions/default/notes', status: 200 },
      { path: '/sessions/default/no%20topic', status: 400 },
      { path: '/sessions/default', status: 400 },
    ],
  },
}

const events: Readonly<Record<string, Operation>> = {
  'GET /agents/:id/webhook': {
    id: 'showWebhook',
    group: 'Events',
    summary: 'Where programs post events for an agent',
    query: { peek: { about: 'With `1` none is made, and the token is not told', schema: oneOf('1') } },
    answers: { 200: { about: 'Made on first demand', json: { anyOf: [ref('Webhook'), ref('WebhookPeek')] } } },
    refused: { 400: 'A malformed id', 404: 'The agent is not registered' },
    tries: [
      { path: '/agents/default/webhook', status: 200 },
      { path: '/agents/default/webhook?peek=1', status: 200 },
      { path: '/agents/nobody/webhook', status: 404 },
    ],
  },
  'POST /agents/:id/webhook': {
    id: 'rotateWebhook',
    group: 'Events',
    summary: 'A new URL; the old one is refused from now on',
    answers: { 200: { about: 'The new one', json: ref('Webhook') } },
    refused: { 400: 'A malformed id', 404: 'The agent is not registered' },
    tries: [
      { path: '/agents/helper/webhook', status: 200 },
      { path: '/agents/nobody/webhook', status: 404 },
    ],
  },
  'POST /webhook/:token': {
    id: 'postWebhook',
    group: 'Events',
    summary: 'Put a text into an inbox',
    details: '1 to 65,536 bytes of UTF-8 text, of any media type. Answered when it is on the disk.',
    headers: { 'Idempotency-Key': { about: 'The same one within a day is the same event' } },
    answers: { 202: { about: 'It is stored', json: ref('WebhookAccepted') } },
    refused: {
      400: 'An empty body, or one that is no text',
      401: 'There is no such token',
      413: 'The body is too large',
      507: 'No space is left on the disk',
    },
    tries: [
      { path: '/webhook/{token}', text: 'build 417 failed', status: 202 },
      { path: '/webhook/{token}', text: '', status: 400 },
      { path: '/webhook/wh_none', text: 'hello', status: 401 },
    ],
  },
  'GET /events/stream': {
    id: 'streamEvents',
    group: 'Events',
    summary: 'Events of an agent as they come',
    details: 'Without an end. With `Last-Event-ID` it begins with what came after that event.',
    headers: { ...AGENT, 'Last-Event-ID': { about: 'The last event that was seen' } },
    answers: {
      200: {
        about: 'An `id:` line goes with every event',
        events: { ready: object({ agent_id: text }), event: ref('Event'), ping: anyObject },
      },
    },
    refused: NO_AGENT,
    tries: [{ agent: 'default', status: 200, until: 'ready' }, { status: 400 }, { agent: 'nobody', status: 401 }],
  },
}

const daemon: Readonly<Record<string, Operation>> = {
  'GET /health': {
    id: 'health',
    group: 'Daemon',
    summary: 'Whether all is well',
    answers: {
      200: { about: 'It is', json: ref('Health') },
      503: { about: 'The store is away: since when and why is in `store`', json: ref('Health') },
    },
    refused: {},
    tries: [{ status: 200 }, { foreign: true, status: 403 }],
  },
  'GET /doctor': {
    id: 'doctor',
    group: 'Daemon',
    summary: 'What the daemon finds out about itself',
    details: '`string doctor` adds what only the outside can see.',
    answers: { 200: { about: 'Every check that was made', json: ref('Doctor') } },
    refused: {},
    tries: [{ status: 200 }, { foreign: true, status: 403 }],
  },
  'GET /log': {
    id: 'listLog',
    group: 'Daemon',
    summary: "The end of the daemon's log, newest first",
    query: {
      limit: { about: 'How many lines, at most 1000', schema: whole },
      level: { about: 'Only lines of this level or a graver one', schema: oneOf('debug', 'info', 'warn', 'error') },
      since: { about: 'Only lines from this time on', schema: time },
      before: { about: 'Only lines before this time', schema: time },
    },
    answers: { 200: { about: 'The lines', json: object({ log: list(ref('LogLine')) }) } },
    refused: { 400: 'A query that cannot be' },
    tries: [
      { path: '/log?limit=5&level=info', status: 200 },
      { path: '/log?level=loud', status: 400 },
    ],
  },
  'POST /shutdown': {
    id: 'shutdown',
    group: 'Daemon',
    summary: 'End the daemon',
    details: 'What runs and waits is answered `CANCELLED` first.',
    answers: { 200: { about: 'It ends', json: object({ ok: yesNo, message: text }) } },
    refused: {},
    tries: [{ foreign: true, status: 403 }, { status: 200 }],
  },
}

/**
 * Every route of `http/routes.ts`, in the order in which the test calls them. A new route is one entry here; what it answers with is
 * named in `shapes.ts`.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...commands,
  ...people,
  ...sessions,
  ...agents,
  ...turns,
  ...messages,
  ...events,
  ...fleet,
  ...daemon,
}

/** Routes that are there only to say what is wrong with a path. */
export const REFUSALS: readonly string[] = ['DELETE /sessions', 'DELETE /sessions/*']
