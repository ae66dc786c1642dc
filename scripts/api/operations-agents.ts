import type { Operation, Parameter } from './operation.ts'
import { anyObject, list, object, oneOf, ref, text, whole, yesNo } from './schema.ts'

const UNKNOWN_AGENT = { 400: 'A malformed id', 404: 'The agent is not registered' }
const STANDING = { 200: { about: 'How it stands now', json: ref('AgentStanding') } }
const BOTH = (path: string): Operation['tries'] => [
  { path: `/agents/helper/${path}`, status: 200 },
  { path: `/agents/nobody/${path}`, status: 404 },
]

export const agents: Readonly<Record<string, Operation>> = {
  'GET /agents': {
    id: 'listAgents',
    group: 'Agents',
    summary: 'Every registered agent, or a window over them',
    query: {
      all: { about: '`1`: also those of other nodes, each with `node`, by id' },
      order: {
        about:
          '`state`: those that wait for a person first, then those that run, that failed, and the others; `name`: by id',
        schema: oneOf('state', 'name'),
      },
      state: { about: 'Only those that are so', schema: oneOf('waiting', 'running', 'failing', 'idle', 'paused') },
      named: { about: 'Only those whose id has this part, in capitals or not' },
      limit: { about: 'At most so many: the last ones, by `order` the first', schema: whole },
      before: { about: 'The part next to this agent: those before it, by `order` those behind it' },
    },
    answers: { 200: { about: 'The agents', json: object({ agents: list(ref('Agent')) }) } },
    refused: { 400: 'A malformed `limit`, `order` or `state`' },
    tries: [
      { status: 200 },
      { path: '/agents?all=1', status: 200 },
      { path: '/agents?order=state&state=idle&named=HELP&limit=5', status: 200 },
      { path: '/agents?order=name&limit=1', status: 200 },
      { path: '/agents?order=age', status: 400 },
      { foreign: true, status: 403 },
    ],
  },
  'GET /overview': {
    id: 'showOverview',
    group: 'Agents',
    summary: 'What runs, what waits for a person and what went wrong',
    details: 'Counted over all agents, without listing them.',
    query: { all: { about: '`1`: over those of other nodes, too' } },
    answers: { 200: { about: 'The overview', json: ref('Overview') } },
    refused: {},
    tries: [{ status: 200 }, { path: '/overview?all=1', status: 200 }, { foreign: true, status: 403 }],
  },
  'POST /agents': {
    id: 'registerAgent',
    group: 'Agents',
    summary: 'Register an agent, or change the fields that are given',
    body: ref('AgentRequest'),
    answers: { 200: { about: 'It is stored', json: ref('AgentRegistered') } },
    refused: {
      400: 'A malformed field, or a profile that cannot be used, with a line `file:line:column` for each problem',
      503: 'LIMIT_REACHED: there are as many agents as there may be',
    },
    tries: [
      { body: { agent_id: 'passing' }, status: 200 },
      { body: {}, status: 400 },
      { body: { agent_id: 'passing', home: 'not/absolute' }, status: 400 },
    ],
  },
  'GET /agents/:id': {
    id: 'showAgent',
    group: 'Agents',
    summary: 'One agent, and what it does now',
    answers: { 200: { about: 'The agent', json: ref('AgentActivity') } },
    refused: UNKNOWN_AGENT,
    tries: [
      { path: '/agents/helper', status: 200 },
      { path: '/agents/nobody', status: 404 },
      { path: '/agents/..x', status: 400 },
    ],
  },
  'DELETE /agents/:id': {
    id: 'removeAgent',
    group: 'Agents',
    summary: 'Remove an agent, its sessions, turns and events; its files stay',
    answers: { 200: { about: 'Whether there was one', json: object({ agent_id: text, deleted: yesNo }) } },
    refused: { 400: 'A malformed id' },
    tries: [
      { path: '/agents/passing', status: 200 },
      { path: '/agents/..x', status: 400 },
    ],
  },
  'POST /agents/:id/pause': {
    id: 'pauseAgent',
    group: 'Agents',
    summary: 'Let events wait; people may still ask',
    answers: STANDING,
    refused: UNKNOWN_AGENT,
    tries: BOTH('pause'),
  },
  'POST /agents/:id/resume': {
    id: 'resumeAgent',
    group: 'Agents',
    summary: 'Let events wake it again',
    answers: STANDING,
    refused: UNKNOWN_AGENT,
    tries: BOTH('resume'),
  },
  'POST /agents/:id/stop': {
    id: 'stopAgent',
    group: 'Agents',
    summary: 'End what runs, drop what waits, and pause',
    answers: STANDING,
    refused: UNKNOWN_AGENT,
    tries: BOTH('stop'),
  },
  'POST /agents/:id/start': {
    id: 'startAgent',
    group: 'Agents',
    summary: 'The same as resume',
    answers: STANDING,
    refused: UNKNOWN_AGENT,
    tries: BOTH('start'),
  },
  'GET /agents/:id/sessions': {
    id: 'listAgentSessions',
    group: 'Agents',
    summary: 'Its conversations, used last first',
    answers: { 200: { about: 'The conversations', json: object({ sessions: list(ref('AgentSession')) }) } },
    refused: UNKNOWN_AGENT,
    tries: BOTH('sessions'),
  },
  'DELETE /agents/:id/sessions/:session': {
    id: 'forgetAgentSession',
    group: 'Agents',
    summary: 'Forget a conversation: the next message begins it anew',
    answers: { 200: { about: 'Whether there was one', json: object({ session: text, forgotten: yesNo }) } },
    refused: UNKNOWN_AGENT,
    tries: BOTH('sessions/work'),
  },
}

const FILTER: Readonly<Record<string, Parameter>> = {
  session: { about: 'Of this conversation alone' },
  state: {
    about: 'Those in this state alone',
    schema: oneOf('queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'),
  },
  since: { about: 'Those that ended since this time, such as 2026-03-19T05:30:00Z, and those that are not over' },
  again: { about: 'With any value those alone that may have run before: what failed then is in their `tries`' },
  limit: { about: 'At most so many: 50, when it is missing, and 200 at most', schema: whole },
  before: { about: 'Those before this turn: for the next page' },
}
const TURNS = { 200: { about: 'Newest first', json: object({ turns: list(ref('TurnSummary')) }) } }
const TURN_EVENTS = {
  queued: object({ turn_id: text, position: whole }),
  start: object({ turn_id: text }),
  partial: object({ text }),
  step: ref('TurnStep'),
  approval: ref('Approval'),
  result: ref('TurnEnded'),
  done: anyObject,
}
const UNKNOWN_TURN = { 404: 'There is no such turn' }

export const turns: Readonly<Record<string, Operation>> = {
  'POST /agents/:id/turns': {
    id: 'postTurn',
    group: 'Turns',
    summary: 'Give an agent a message, and hear what comes of it',
    details:
      'Events as they come, or one object at the end for whoever prefers `application/json`. A caller who leaves cancels nothing.',
    body: ref('TurnRequest'),
    answers: { 200: { about: 'The turn, up to its `result`', json: ref('Turn'), events: TURN_EVENTS } },
    refused: {
      400: 'A malformed field, or a message that the agent cannot be given',
      404: 'The agent is not registered',
      409: 'It has no profile; it takes nothing while it works (BUSY); or the `request_id` was used for another message',
      429: 'QUEUE_FULL or LIMIT_REACHED, with `Retry-After`',
    },
    tries: [
      { path: '/agents/helper/turns', body: { message: 'hello', session: 'work', from: 'ada' }, status: 200 },
      { path: '/agents/helper/turns', accept: 'application/json', body: { message: 'hello again' }, status: 200 },
      { path: '/agents/helper/turns', body: { message: '' }, status: 400 },
      { path: '/agents/nobody/turns', body: { message: 'hello' }, status: 404 },
      { path: '/agents/default/turns', body: { message: 'hello' }, status: 409 },
    ],
  },
  'GET /agents/:id/turns': {
    id: 'listAgentTurns',
    group: 'Turns',
    summary: 'What an agent did',
    query: FILTER,
    answers: TURNS,
    refused: { 400: 'A malformed value', 404: 'The agent is not registered' },
    tries: BOTH('turns'),
  },
  'GET /turns': {
    id: 'listTurns',
    group: 'Turns',
    summary: 'What all agents did',
    query: { agent_id: { about: 'Of this agent alone' }, ...FILTER },
    answers: TURNS,
    refused: { 400: 'A malformed value' },
    tries: [
      { path: '/turns?agent_id=helper&state=done&limit=5', status: 200 },
      { path: '/turns?state=tired', status: 400 },
      { path: '/turns?since=once', status: 400 },
    ],
  },
  'GET /turns/watch': {
    id: 'watchTurns',
    group: 'Turns',
    summary: 'Every turn that changes its state',
    details: 'Without an end.',
    query: { agent_id: { about: 'Of this agent alone' } },
    answers: { 200: { about: 'The turns', events: { ready: anyObject, turn: ref('TurnSummary') } } },
    refused: {},
    tries: [
      { status: 200, until: 'ready' },
      { foreign: true, status: 403 },
    ],
  },
  'GET /turns/:id': {
    id: 'showTurn',
    group: 'Turns',
    summary: 'One turn whole, with its steps and the end of standard error',
    answers: { 200: { about: 'The turn', json: ref('Turn') } },
    refused: UNKNOWN_TURN,
    tries: [
      { path: '/turns/{turn}', status: 200 },
      { path: '/turns/trn_none', status: 404 },
    ],
  },
  'GET /turns/:id/stream': {
    id: 'streamTurn',
    group: 'Turns',
    summary: 'What a turn says, from where a reader left',
    query: { from: { about: 'How many characters of its text were read', schema: whole } },
    answers: { 200: { about: 'The turn, up to its `result`', events: TURN_EVENTS } },
    refused: { 400: 'A malformed `from`', ...UNKNOWN_TURN },
    tries: [
      { path: '/turns/{turn}/stream', status: 200 },
      { path: '/turns/{turn}/stream?from=-1', status: 400 },
      { path: '/turns/trn_none/stream', status: 404 },
    ],
  },
  'POST /turns/:id/retry': {
    id: 'retryTurn',
    group: 'Turns',
    summary: 'Run one again that is over',
    details: 'One that succeeded, too. A message becomes a new turn, an event goes on under its own.',
    answers: { 200: { about: 'The turn that runs', json: ref('Turn') } },
    refused: { ...UNKNOWN_TURN, 409: 'Its agent has no profile, or is busy', 429: 'QUEUE_FULL or LIMIT_REACHED' },
    tries: [
      { path: '/turns/{failed}/retry', status: 200 },
      { path: '/turns/trn_none/retry', status: 404 },
    ],
  },
  'DELETE /turns/:id': {
    id: 'cancelTurn',
    group: 'Turns',
    summary: 'End a turn, with every process that it started',
    details: 'One that is over stays as it is. A second time it does not wait for an agent that takes its time to end.',
    answers: { 200: { about: 'The turn', json: ref('Turn') } },
    refused: UNKNOWN_TURN,
    tries: [
      { path: '/turns/{turn}', status: 200 },
      { path: '/turns/trn_none', status: 404 },
    ],
  },
  'GET /usage': {
    id: 'usage',
    group: 'Turns',
    summary: 'What turns have cost',
    query: {
      by: { about: 'What is summed up: `agent`, when it is missing', schema: oneOf('agent', 'session', 'day') },
      since: { about: 'From this time on' },
    },
    answers: { 200: { about: 'The sums', json: object({ usage: list(ref('Usage')) }) } },
    refused: { 400: 'A malformed value' },
    tries: [
      { path: '/usage?by=session', status: 200 },
      { path: '/usage?by=moon', status: 400 },
    ],
  },
}
