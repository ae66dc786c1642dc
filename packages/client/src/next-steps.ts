/** Something was asked of the daemon too early, or too often: it did not run. */
export type QueueCode = 'QUEUE_FULL' | 'QUEUE_TIMEOUT' | 'BUSY' | 'LIMIT_REACHED'

type Code = QueueCode | 'UNREACHABLE' | 'STREAM_INCOMPLETE' | 'FOREIGN_DAEMON'

/** What to do about an error that has a code of its own. */
export const NEXT_STEPS: Readonly<Record<Code, string>> = {
  UNREACHABLE:
    '`string start` starts the daemon, and `new StringClient({ autoStart })` does it by itself; then try again',
  STREAM_INCOMPLETE: 'Look what became of it before you repeat it; a turn with a `requestId` can be repeated',
  FOREIGN_DAEMON: 'Set `STRING_PORT`, or `port`, to that of your own daemon: `string status` tells it',
  QUEUE_FULL:
    'Try again after `retryAfterSecs`, use another topic or session, or end what runs there with `sessions.cancel(topic)`',
  QUEUE_TIMEOUT: 'Try again, end what runs there with `sessions.cancel(topic)`, or use another topic',
  BUSY: 'Try again when its turn is over, or in another session',
  LIMIT_REACHED: 'Try again after `retryAfterSecs`, or raise `limits` in the profile of the agent',
}

/** Messages wait in a session, and no commands in a topic. */
export const SESSION_FULL =
  'Try again after `retryAfterSecs`, or in another session; `turns.cancel(id)` ends the turn that runs'

/** For whom the daemon is started already, and could not be. */
export const LOOK_WHY = '`string doctor` says what is wrong'

/** What takes a connection and says nothing. */
export const HANGS = '`string doctor` says what is wrong; `string restart` replaces a daemon that hangs'

/** Which refusals of the daemon; `begins` is how its `error` does, the first row that fits counts. */
export interface RefusalRow {
  readonly status: number
  readonly begins: string
  /** What it says further on, or its `message` does, where one beginning is that of several things. */
  readonly says?: string
  readonly next: string
}

/** What the daemon says of a delivery that did not fail. */
const NOT_TO_BE_TRIED = 'nothing is to be tried again'

const AGENTS =
  '`agents.list()` has all agents; `agents.register(id)` makes one, as does `create: true` where the client is made'

/** What to do about what the daemon refuses: every status ends with a row for all the rest of it. */
export const REFUSALS: readonly RefusalRow[] = [
  {
    status: 400,
    begins: 'Invalid topic',
    next: 'A topic is NAME, file:NAME, web:NAME, app:NAME[:CONFIG] or bash:NAME, of letters, digits, _ and -',
  },
  { status: 400, begins: 'Empty command', next: 'Give the text of a command, such as /help' },
  { status: 400, begins: 'Cannot create home', next: 'Name a `home` that can be made, or leave it out' },
  ...['"cwd"', '"home"', '"profile"', '"allowed_paths"'].map((begins) => {
    return { status: 400, begins, next: 'Make it absolute before it is sent: `path.resolve(name)`' }
  }),
  {
    status: 400,
    begins: '"since" must be a place',
    next: 'Give the `seq` of the last message that you know, or leave it out',
  },
  ...['"since"', '"before"'].map((begins) => {
    return { status: 400, begins, next: 'Give a Date, such as `new Date(Date.now() - 86_400_000)` for a day ago' }
  }),
  { status: 400, begins: '"message"', next: 'Give the message some text, or an attachment' },
  {
    status: 400,
    begins: 'Invalid agent_id',
    next: 'Name the agent with those alone; `agents.list()` has those that there are',
  },
  {
    status: 400,
    begins: 'There is no file',
    next: 'Name a profile that is there; `string bridge init NAME` writes one that works',
  },
  { status: 400, begins: '/', next: '`string bridge check FILE` tells the same of the profile, while you mend it' },
  { status: 400, begins: '"', says: ' is one of ', next: 'Give one of those; nothing was done' },
  { status: 400, begins: '"', says: ' is a number from ', next: 'Give a whole number of that range; nothing was done' },
  {
    status: 400,
    begins: '"',
    next: 'Nothing was done: docs/reference/http.md has what that takes, by its name on the wire (`request_id` is `requestId`)',
  },
  {
    status: 400,
    begins: '',
    next: 'Nothing was done: docs/reference/http.md has every field of a request, and what it takes',
  },
  { status: 401, begins: '', next: AGENTS },
  {
    status: 403,
    begins: '',
    next: 'Only the user whose daemon it is may ask: pass the `key` of its daemon.json, or allow others as SECURITY.md says',
  },
  { status: 404, begins: 'Unknown agent', next: AGENTS },
  { status: 404, begins: 'Unknown turn', next: '`turns.list()` has the latest turns, with their whole ids' },
  { status: 404, begins: 'Unknown event', next: '`inbox.list()` has the events' },
  { status: 404, begins: 'Unknown approval', next: '`approvals.list()` has what waits for an answer' },
  { status: 404, begins: 'Unknown delivery', next: '`outbox.list()` has the messages' },
  { status: 404, begins: 'No such topic', next: '`sessions.list()` has the topics that are in use' },
  { status: 404, begins: '', next: 'The daemon may be older than this client: `health()` tells its version' },
  {
    status: 409,
    begins: 'NO_PROFILE',
    next: '`agents.register(id, { profile })` gives it one; `string bridge init NAME` writes one that works',
  },
  { status: 409, begins: 'ANSWERED', next: '`approvals.get(id)` has the answer that counts, and whose it is' },
  {
    status: 409,
    begins: 'CONFLICT',
    says: NOT_TO_BE_TRIED,
    next: '`outbox.get(id)` has the state of the delivery; only one that failed can be tried again',
  },
  {
    status: 409,
    begins: 'CONFLICT',
    next: 'Give another message another `requestId`; the same message with the same one is answered with its turn',
  },
  {
    status: 409,
    begins: '',
    next: 'Ask the daemon of the node that the message names; `fleet.move(id)` brings the agent here',
  },
  {
    status: 413,
    begins: '',
    next: 'Send less: put it into a file and give its path; a file is copied with cp, or written in parts with /append',
  },
  { status: 500, begins: '', next: '`string logs` has the reason; please report it' },
  { status: 503, begins: '', next: '`health()` tells how its store is; try again in a while' },
  { status: 507, begins: '', next: 'Make room on the disk, and try again' },
]

/** What is to be done otherwise than everywhere, by the way on which the daemon is spoken to. */
export interface Advice {
  /** Looked at before those of all. */
  readonly refusals: readonly RefusalRow[]
  /** Where no stringd answers. */
  readonly foreign: string
}

/** `error` is what the daemon's answer calls it: a code, or the reason itself; `message` says more, where it is a code. */
export function nextAfter(status: number, error: string, message = '', own: readonly RefusalRow[] = []): string {
  const row = [...own, ...REFUSALS].find(
    ({ status: of, begins, says = '' }) =>
      of === status && error.startsWith(begins) && `${error} ${message}`.includes(says),
  )
  return row?.next ?? 'docs/errors.md has every status, and what to do about it'
}
