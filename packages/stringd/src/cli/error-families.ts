import { ForeignDaemonError, HttpError, IncompleteError, QueueError, UnreachableError } from '@string-os/client'
import type { Help } from './error-causes.ts'
import { EXIT } from './exit.ts'

type Rows<Name extends string> = Readonly<Record<Name, Help>>

/** What the client library throws, by class and code. */
export const CLIENT_ERRORS: Rows<
  | 'UnreachableError UNREACHABLE'
  | 'IncompleteError STREAM_INCOMPLETE'
  | 'ForeignDaemonError FOREIGN_DAEMON'
  | `QueueError ${QueueError['code']}`
  | 'HttpError NO_PROFILE'
  | 'HttpError CONFLICT'
  | 'HttpError HTTP_<status>'
> = {
  'UnreachableError UNREACHABLE': {
    cause: 'No daemon listens on the port; nothing was sent',
    next: new UnreachableError('').next,
  },
  'IncompleteError STREAM_INCOMPLETE': {
    cause:
      'The connection broke before the answer was whole: it may have been done. Of `exec` this is a result with `ok: false`',
    next: new IncompleteError('').next,
  },
  'ForeignDaemonError FOREIGN_DAEMON': {
    cause: 'What listens is no stringd, or another user’s; it was sent no command',
    next: new ForeignDaemonError('').next,
  },
  'QueueError QUEUE_FULL': {
    cause: 'Five commands wait in the topic, or five messages in the session: it did not run',
    next: new QueueError('QUEUE_FULL', '').next,
  },
  'QueueError QUEUE_TIMEOUT': {
    cause: 'It waited 120 s for its turn in the topic, and did not run',
    next: new QueueError('QUEUE_TIMEOUT', '').next,
  },
  'QueueError BUSY': {
    cause: 'The agent works, and its profile says `when_busy: refuse`',
    next: new QueueError('BUSY', '').next,
  },
  'QueueError LIMIT_REACHED': {
    cause: 'A cap of the agent’s profile is reached',
    next: new QueueError('LIMIT_REACHED', '').next,
  },
  'HttpError NO_PROFILE': {
    cause: 'The agent has no profile: it takes no messages',
    next: refused('NO_PROFILE'),
  },
  'HttpError CONFLICT': {
    cause: 'The `requestId` belongs to another message, or the delivery is not one that failed',
    next: `${refused('CONFLICT')}. ${refused('CONFLICT', 'nothing is to be tried again')}`,
  },
  'HttpError HTTP_<status>': {
    cause: 'The daemon refused the request, and has no code for it; `status` and `message` say why',
    next: 'As `next` says, by the status and the reason ([all of them](errors.md#http)). Repeating it gets the same answer',
  },
}

/** Statuses of HTTP that mean an error. */
export const HTTP_ERRORS: Rows<
  | '400'
  | '401'
  | '403'
  | '404'
  | '405'
  | '408'
  | '409'
  | '413'
  | '415'
  | '417'
  | '429'
  | '431'
  | '500'
  | '503'
  | '504'
  | '507'
> = {
  400: {
    cause: 'A malformed body, field, path or header',
    next: 'The `error` says which; [reference/http.md](reference/http.md) has every field',
  },
  401: {
    cause: 'The agent of `X-Agent-Id` is not registered, or the webhook token is not known',
    next: '`POST /agents` registers one; `string webhook show` has the URL',
  },
  403: {
    cause: 'A program of another user, or a page from elsewhere (`Host`, `Origin`, `Sec-Fetch-Site`)',
    next: 'Send `X-String-Key` from `daemon.json`; `STRING_ALLOW_UIDS` and `STRING_ALLOW_ORIGINS` allow others: [SECURITY.md](../SECURITY.md)',
  },
  404: { cause: 'There is no such route, agent or turn', next: 'Compare with [reference/http.md](reference/http.md)' },
  405: { cause: 'The path exists with another method', next: 'The header `Allow` names it' },
  408: { cause: 'Headers or body came too slowly', next: 'Send them again' },
  409: {
    cause: 'No profile, a busy agent, or a `request_id` that was used for something else',
    next: 'The `message` says which: `string agent status ID`',
  },
  413: {
    cause: 'The body is over 10 MiB, or over 64 KiB for a webhook',
    next: 'Send less, or a file and its path; a file is copied with `cp`, or written in parts with `/append`',
  },
  415: {
    cause: 'The body is not `application/json`, or is compressed',
    next: 'Set `Content-Type: application/json`, and send the body as it is',
  },
  417: {
    cause: 'An `Expect` header that the daemon does not know',
    next: 'Leave it out; `100-continue` is known',
  },
  429: {
    cause: '`QUEUE_FULL` or `LIMIT_REACHED`: it did not run',
    next: 'Try again after `Retry-After` seconds, where it is given',
  },
  431: { cause: 'The headers are too large', next: 'Send fewer' },
  500: { cause: 'A fault of String itself', next: '`daemon.log` has it; please report it' },
  503: {
    cause: 'The store is away, a limit is reached, or there is no room for more requests',
    next: '`GET /health` says how the store is; with `Retry-After`, try again then',
  },
  504: {
    cause: '`QUEUE_TIMEOUT`: it waited too long in its topic, and did not run',
    next: 'Try again, or end what runs there',
  },
  507: { cause: 'No space is left on the disk; nothing was stored', next: 'Make room, and send it again' },
}

const EXITS: Rows<Exclude<keyof typeof EXIT, 'ok'>> = {
  commandError: {
    cause: 'The command, turn or check failed',
    next: 'The answer says why, with a code of this page',
  },
  usage: {
    cause:
      'Wrong usage, also of a command in a topic (`USAGE`, `INVALID_PARAMS`), an action without what it needs, a setting that cannot be read, or a profile or message that was refused',
    next: '`string --help`; the message names the flag or the line',
  },
  unreachable: {
    cause: 'There is no daemon, and none could be started',
    next: 'See below; `string logs` prints the end of its log',
  },
  interrupted: {
    cause: 'Ctrl-C, which ends what runs as well',
    next: 'What was done and printed until then stays; `string bash:NAME` is a prompt whose programs can be left running',
  },
}

/** Exit statuses of `string`. */
export const EXIT_STATUSES: Readonly<Record<string, Help>> = {
  [EXIT.commandError]: EXITS.commandError,
  [EXIT.usage]: EXITS.usage,
  [EXIT.unreachable]: EXITS.unreachable,
  [EXIT.interrupted]: EXITS.interrupted,
}

/** Why a daemon does not start. */
export const START_ERRORS: Rows<'port-taken' | 'port-refused' | 'already-running' | 'data-dir' | 'store'> = {
  'port-taken': {
    cause: 'Another program has the port',
    next: '`STRING_PORT=0` lets the system choose; the message names who has it',
  },
  'port-refused': {
    cause: 'This user may not use the port: those below 1024 are for the system',
    next: '`STRING_PORT` names another; `STRING_PORT=0` lets the system choose',
  },
  'already-running': {
    cause: 'A daemon serves this data folder already',
    next: 'Use it, or `string stop` first',
  },
  'data-dir': {
    cause: 'The data folder cannot be made, read or written, or is not yours',
    next: 'Mend its owner and rights, or name another with `STRING_DATA_DIR`',
  },
  store: {
    cause: 'The store cannot be used: damaged, of a newer String, a wrong password',
    next: '`string store check` looks and says what to change',
  },
}

/** Numbers of JSON-RPC that an MCP client gets. */
export const RPC_ERRORS: Rows<'-32700' | '-32600' | '-32601' | '-32602'> = {
  '-32700': { cause: 'Text that is not JSON', next: 'Send one JSON value' },
  '-32600': {
    cause: 'No message of the protocol: a batch, no `jsonrpc`, a wrong `id`, no `method`',
    next: 'Send one JSON-RPC 2.0 message',
  },
  '-32601': { cause: 'A method that the server has not', next: '`tools/list` and `tools/call` are what there is' },
  '-32602': { cause: 'An unknown tool, or arguments without `cmd`', next: 'Call `string` with `{ "cmd": "/help" }`' },
}

/** What the client says to do where the daemon refuses with that code. */
function refused(code: string, message = ''): string {
  return new HttpError(409, message, code).next
}
