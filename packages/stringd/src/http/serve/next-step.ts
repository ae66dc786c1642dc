import { TOPIC_FORMS } from '@string-os/protocol'

interface NextStep {
  readonly status: number
  /** How its reason begins. */
  readonly begins: string
  readonly next: string
}

const AGENTS = 'GET /agents lists all, POST /agents makes one'

const LOCAL =
  'Only pages of this machine may ask, by 127.0.0.1 or localhost; a program leaves out Origin and Sec-Fetch-Site'

/** What a caller can do about a refusal whose reason does not say it; those who use the client are told in its own words. */
const NEXT_STEPS: readonly NextStep[] = [
  { status: 400, begins: 'X-Agent-Id header required', next: 'Name one of the agents that GET /agents lists' },
  { status: 400, begins: 'Empty command', next: 'Send {"cmd": "/help"}: the field is missing, or its text is' },
  { status: 400, begins: 'Invalid JSON body: ', next: 'Write it as UTF-8, the encoding of JSON' },
  {
    status: 400,
    begins: 'Invalid JSON body',
    next: 'Send one JSON object of that form; docs/reference/http.md has every field',
  },
  { status: 400, begins: 'Invalid topic', next: `Name it as ${TOPIC_FORMS}` },
  {
    status: 400,
    begins: 'Invalid agent_id',
    next: 'Name the agent with those alone; GET /agents lists those that there are',
  },
  { status: 400, begins: 'Webhook body', next: 'Send the text of the event as UTF-8: curl -d "what happened" URL' },
  { status: 400, begins: '"message"', next: 'Send {"message": "hello"}, the text for the agent' },
  { status: 415, begins: 'Content-Type must be', next: 'Send the header Content-Type: application/json' },
  { status: 415, begins: 'Content-Encoding is not', next: 'Send the body as it is, without that header' },
  { status: 400, begins: 'Malformed path', next: 'Write a % that stands for itself as %25' },
  {
    status: 400,
    begins: 'Malformed HTTP',
    next: 'Send GET, POST or DELETE, a path that begins with /, a header Host and at most one length of the body',
  },
  { status: 403, begins: 'Forbidden: foreign Origin', next: LOCAL },
  { status: 403, begins: 'Forbidden: a request from a foreign site', next: LOCAL },
  { status: 401, begins: 'Unknown agent', next: AGENTS },
  {
    status: 401,
    begins: 'Unknown webhook token',
    next: 'string webhook show prints the address that holds now, as GET /agents/:id/webhook does',
  },
  { status: 404, begins: 'Unknown agent', next: AGENTS },
  { status: 404, begins: 'Unknown turn', next: 'GET /turns lists the latest, with their whole ids' },
  { status: 404, begins: 'Unknown event', next: 'GET /events lists them' },
  { status: 404, begins: 'Unknown approval', next: 'GET /approvals lists them' },
  { status: 404, begins: 'Unknown delivery', next: 'GET /deliveries lists them' },
  { status: 404, begins: 'No such topic', next: 'GET /sessions lists those that are open, POST /sessions opens one' },
  { status: 404, begins: 'Not found', next: 'Check the path; docs/reference/http.md lists every route' },
  { status: 405, begins: '', next: 'The header Allow names the methods of this path' },
  { status: 413, begins: '', next: 'Send less, or put it into a file and send its path' },
  { status: 417, begins: '', next: 'Leave out the header Expect' },
  { status: 431, begins: '', next: 'Send fewer or shorter headers; a long text goes into the body' },
  {
    status: 500,
    begins: 'Cannot use',
    next: 'Mend what keeps the daemon out there; string doctor looks at its folders',
  },
  { status: 500, begins: '', next: 'string logs --failed shows it; please report it' },
  { status: 503, begins: 'LIMIT_REACHED: there are', next: 'DELETE /sessions/:agent_id/:topic closes one' },
  { status: 503, begins: 'The data folder', next: 'string doctor tells why' },
  { status: 503, begins: 'There are', next: 'End one of them, or try again later' },
  { status: 507, begins: '', next: 'Make room there, and send it again' },
]

export function nextStepOf(status: number, error: string): { next?: string } {
  const found = NEXT_STEPS.find((step) => step.status === status && error.startsWith(step.begins))
  return found === undefined ? {} : { next: found.next }
}
