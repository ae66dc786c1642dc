import { networkInterfaces } from 'node:os'
import { GUESSED_WEBHOOK, LIMITS } from '@string-os/protocol'
import { type Check, type Seen, seenFail, seenOk, seenUntried, seenWarn } from '../../doctor/check.ts'
import { runTool } from '../run-tool.ts'
import { isHeld, type ProbeAnswer, probe, requestText, stall } from './probe.ts'

const MEND = 'string stop, and report it as SECURITY.md says: this must never be served'
const ANSWER_MS = 3_000

/** What somebody could try from outside. It asks for nothing that would do harm, should it be served. */
interface Attempt {
  readonly name: string
  readonly who: string
  readonly text: (port: number) => string
  readonly status: number
}

const EVIL = 'https://evil.example'
const localHost = (port: number): Record<string, string> => ({ Host: `127.0.0.1:${port}` })
const get = (marks: Readonly<Record<string, string>>) => (port: number) =>
  requestText('GET', '/agents', { ...localHost(port), ...marks })
/** No agent can be called so: served, it would be refused for that, and by another status. */
const form = (marks: Readonly<Record<string, string>>) => (port: number) =>
  requestText('POST', '/agents', { ...localHost(port), 'Content-Type': 'text/plain', ...marks }, '{"agent_id":"?"}')

const ATTEMPTS: readonly Attempt[] = [
  { name: 'foreign page', who: `a page of ${EVIL}`, text: get({ Origin: EVIL }), status: 403 },
  {
    name: 'foreign form',
    who: 'a form that it posts',
    text: form({ Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }),
    status: 403,
  },
  { name: 'unmarked form', who: 'a form of a browser that marks nothing', text: form({}), status: 415 },
  { name: 'foreign link', who: 'a link or picture in it', text: get({ 'Sec-Fetch-Site': 'cross-site' }), status: 403 },
  { name: 'hidden page', who: 'a page that hides its origin', text: get({ Origin: 'null' }), status: 403 },
  {
    name: 'other port',
    who: 'a page on another port of this machine',
    text: get({ Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' }),
    status: 403,
  },
  {
    name: 'rebinding',
    who: 'a name that was led to this machine',
    text: (port) => requestText('GET', '/agents', { Host: `evil.example:${port}` }),
    status: 403,
  },
  {
    name: 'guessed webhook',
    who: 'a webhook address that nobody was given',
    text: (port) => requestText('POST', `/webhook/${GUESSED_WEBHOOK}`, localHost(port), 'x'),
    status: 401,
  },
  {
    name: 'large body',
    who: `a body over ${LIMITS.requestBodyBytes} bytes`,
    text: (port) =>
      requestText('POST', '/complete', {
        ...localHost(port),
        'Content-Type': 'application/json',
        'Content-Length': String(LIMITS.requestBodyBytes + 1),
      }),
    status: 413,
  },
  {
    name: 'large headers',
    who: `a request with headers over ${LIMITS.headerBytes} bytes`,
    text: (port) => requestText('GET', '/health', { ...localHost(port), 'X-Much': 'x'.repeat(LIMITS.headerBytes) }),
    status: 431,
  },
]

/** Tries at our own daemon what must not work, and tells what came of each. */
export function attackChecks(port: number): readonly Check[] {
  return [
    ...ATTEMPTS.map((attempt): Check => ({ name: attempt.name, look: () => tried(attempt, port) })),
    { name: 'other user', look: () => otherUser(port) },
    { name: 'network', look: () => network(port) },
    { name: 'stalled', look: () => stalled(port) },
  ]
}

async function tried({ who, text, status }: Attempt, port: number): Promise<Seen> {
  const answer = await probe({ port, text: text(port), limitMs: ANSWER_MS })
  return verdict(who, answer, { status, unless: '' })
}

/** The daemon says that it cannot tell just now: its store is away, or others are served. */
const NOT_NOW: readonly ProbeAnswer[] = [429, 503]

/** Only what was let in is an alarm: who was told nothing, or to come later, was neither let in nor turned away. */
function verdict(
  who: string,
  answer: ProbeAnswer,
  { status, unless }: { readonly status: number; readonly unless: string },
): Seen {
  if (answer === status) return seenOk(`${who} is refused (${status})`)
  if (NOT_NOW.includes(answer)) return seenUntried(`${who} could not be tried: the daemon answers ${answer}`)
  if (answer === null)
    return seenWarn(`${who} could not be tried: no answer in ${ANSWER_MS / 1000} s`, 'string doctor again, in a moment')
  return seenFail(`${who} is answered ${answer}, and must be refused (${status})${unless}`, MEND)
}

/** Nobody: a user that every machine has. */
const OTHER_UID = 65_534

/** Prints the status that it gets, as a program without the daemon's key. */
const SENDER = `const s=require('net').connect(+process.argv[1],'127.0.0.1');let t='';
s.on('data',d=>{t+=d}).on('error',()=>{}).on('close',()=>process.stdout.write(t.slice(9,12)));
s.write('GET /agents HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')`

async function otherUser(port: number): Promise<Seen> {
  if (process.getuid?.() !== 0) {
    const ask = `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${port}/agents`
    return seenUntried(`only root can become somebody else; as another user, this must print 403: ${ask}`)
  }
  const sent = await runTool(process.execPath, ['-e', SENDER, String(port)], { uid: OTHER_UID, limitMs: ANSWER_MS })
  if (!sent.ok || sent.output === '') return seenUntried(`user ${OTHER_UID} cannot run ${process.execPath} here`)
  const unless = `, unless STRING_ALLOW_UIDS lists ${OTHER_UID}`
  return verdict(`a program of user ${OTHER_UID}`, Number(sent.output), { status: 403, unless })
}

/** Every address of this machine that another one could reach. */
async function network(port: number): Promise<Seen> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
    .map(({ address }) => address)
  if (addresses.length === 0) return seenUntried('this machine has no address but its own')
  const held = await Promise.all(addresses.map((address) => isHeld(address, port, ANSWER_MS)))
  const open = addresses.filter((_, index) => held[index] === true)
  return open.length === 0
    ? seenOk(`nobody listens on port ${port} of ${addresses.join(', ')}`)
    : seenFail(`port ${port} can be reached on ${open.join(', ')}`, 'end the proxy or forwarding that listens there')
}

const STALLED = 32

async function stalled(port: number): Promise<Seen> {
  const letGo = await stall(port, STALLED)
  try {
    const began = performance.now()
    const answer = await probe({ port, text: requestText('GET', '/health', localHost(port)), limitMs: ANSWER_MS })
    const tookMs = Math.round(performance.now() - began)
    return answer === 200 || answer === 503
      ? seenOk(`others are answered in ${tookMs} ms while ${STALLED} never end`)
      : seenFail(`others are not answered while ${STALLED} never end`, 'string restart')
  } finally {
    letGo()
  }
}
