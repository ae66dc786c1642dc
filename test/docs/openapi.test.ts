import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseSse } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../packages/stringd/src/http/routes.ts'
import { ASKING_AGENT, ASKING_KEYS, waitingApproval } from '../../packages/stringd/test/support/approvals.ts'
import { openApi } from '../../scripts/api/openapi.ts'
import type { Operation, Try } from '../../scripts/api/operation.ts'
import { OPERATIONS, REFUSALS } from '../../scripts/api/operations.ts'
import { problems } from '../../scripts/api/problems.ts'
import { ref, type Schema } from '../../scripts/api/schema.ts'
import { SHAPES } from '../../scripts/api/shapes.ts'
import { writeAgent } from '../support/agent.ts'
import { type Place, stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { call, type Reply } from '../support/http.ts'
import { keyHeader } from '../support/keys.ts'

// The page's own files are no part of the API.
const routes = ROUTES.filter(({ isPage }) => isPage !== true).map(({ method, path }) => `${method} ${path}`)
const described = Object.keys(OPERATIONS)

describe('docs/openapi.json', () => {
  it('describes every route, and no other', () => {
    const missing = routes.filter((route) => !described.includes(route) && !REFUSALS.includes(route))
    const hint = missing.map(
      (route) =>
        `${route} is in http/routes.ts and not described: add '${route}': { id, group, summary, answers, refused, tries } to scripts/api/operations.ts, and the shapes of its answers to scripts/api/shapes.ts; then npm run docs`,
    )
    expect(hint).toEqual([])
    expect(described.filter((route) => !routes.includes(route))).toEqual([])
    expect(REFUSALS.filter((route) => !routes.includes(route))).toEqual([])
  })

  it('has a name for every operation, and a shape for every name', () => {
    const document = JSON.stringify(openApi('0.0.0', 1))
    const ids = Object.values(OPERATIONS).map(({ id }) => id)
    expect(ids.length).toBe(new Set(ids).size)
    const used = new Set([...document.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name))
    expect([...used].toSorted()).toEqual(Object.keys(SHAPES).toSorted())
  })

  it('leaves room for fields that come later, and says once what a generated client gets from a route that can stream', () => {
    const said = JSON.stringify(openApi('0.0.0', 1))
    expect(said).not.toContain('additionalProperties')
    expect(JSON.parse(said)).toHaveProperty(['paths', '/exec', 'post', 'responses', '200'], {
      description: expect.any(String) as string,
      content: { 'application/json': { schema: ref('ExecAnswer') } },
      'x-event-stream': expect.any(Object) as object,
    })
  })

  it.each(described)('tries %s with success and with an error', (route) => {
    const statuses = OPERATIONS[route]?.tries.map(({ status }) => status) ?? []
    expect(statuses.some((status) => status < 400)).toBe(true)
    expect(statuses.some((status) => status >= 400)).toBe(true)
    const { body, tries = [] } = OPERATIONS[route] ?? {}
    const taken = tries.filter((each) => each.status < 400 && each.body !== undefined)
    expect(taken.flatMap((each) => problems(each.body, body ?? {}, SHAPES, 'body'))).toEqual([])
  })

  it('tells what the daemon answers, for every route', async () => {
    const { port, names } = await livingDaemon()
    for (const [route, operation] of Object.entries(OPERATIONS)) {
      for (const each of operation.tries) {
        const reply = await attempt(port, route, each, names)
        const said = `${route} ${JSON.stringify(each)}\n${reply.text}\n`
        expect(reply.status, said).toBe(each.status)
        const found = answerProblems(operation, reply)
        expect(found, `${said}scripts/api/operations.ts and shapes.ts say otherwise`).toEqual([])
      }
    }
  })

  it('finds what is missing, of another type, unknown, or not described', () => {
    const broken = { id: 'x', agentId: 1, receivedAt: 'now', source: '', text: '', status: 'lost', more: 0 }
    expect(problems(broken, ref('Event'), SHAPES)).toEqual([
      'answer.id: "x" does not match ^evt_[0-9a-z]{26}$',
      'answer.agentId: expected string, got 1',
      'answer.receivedAt: "now" does not match ^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$',
      'answer.status: "lost" is none of pending, acked',
      'answer.more: is not described',
    ])
    expect(problems({ error: null }, ref('Error'), SHAPES)).toEqual(['answer.error: expected string, got null'])
    expect(problems({}, ref('Error'), SHAPES)).toEqual(['answer.error: is missing'])
  })
})

/** A daemon with an agent that answers, one turn that went well and one that failed. */
async function livingDaemon(): Promise<{ port: number; names: Readonly<Record<string, string>> }> {
  const place = stringPlace()
  const script = `case "$AGENT_MESSAGE" in fail*) echo why >&2; exit 3;; esac
case "$AGENT_MESSAGE" in *𝒞=string*) echo 'You said: hello'; exit;; esac
echo 'AGENT_SESSION:s1'; echo '<𝒞=string:main>/exec echo hi</𝒞>'`
  const profile = writeAgent(place.dir, script, 'chanflow: true\nprimer: false\n')
  await place.string(['agent', 'add', 'helper', '--profile', profile])
  await place.string(['/close'])
  const port = place.daemonPort()
  const ask = async (message: string): Promise<string> => {
    const body = { message, session: 'work' }
    const { text } = await call(port, 'POST', '/agents/helper/turns', { body })
    return /trn_[0-9a-z]+/.exec(text)?.[0] ?? ''
  }
  const arrived = async (agent: string): Promise<{ token: string; event: string }> => {
    const { webhook_url } = (await call(port, 'GET', `/agents/${agent}/webhook`)).json as { webhook_url: string }
    const token = webhook_url.split('/').at(-1) ?? ''
    const { json } = await call(port, 'POST', `/webhook/${token}`, { body: 'hello' })
    return { token, event: (json as { event_id: string }).event_id }
  }
  const { token, event } = await arrived('default')
  const { event: helped } = await arrived('helper')
  return {
    port,
    names: {
      turn: await ask('hello'),
      failed: await ask('fail now'),
      token,
      event,
      helped,
      delivery: await delivered(place),
      approval: await asked(place),
    },
  }
}

/** A message that nobody takes. */
async function delivered(place: Place): Promise<string> {
  const settings = join(place.dir, 'string/agents/default/.string')
  mkdirSync(settings, { recursive: true })
  const url = `http://127.0.0.1:${await freePort()}/`
  writeFileSync(join(settings, 'channels.yaml'), `hook: { type: webhook, targets: { team: "${url}" } }`)
  await place.string(['chanflow'], { input: '<𝒞=hook:team>Hello</𝒞>' })
  const [delivery] = JSON.parse((await place.string(['deliveries', '--json'])).stdout) as { id: string }[]
  return delivery?.id ?? ''
}

/** A question that waits. */
async function asked(place: Place): Promise<string> {
  const profile = writeAgent(place.dir, ASKING_AGENT, ASKING_KEYS, 'asking')
  await place.string(['agent', 'add', 'asking', '--profile', profile])
  const port = place.daemonPort()
  void call(port, 'POST', '/agents/asking/turns', { body: { message: 'make all' } }).catch(() => undefined)
  return (await waitingApproval(port)).id
}

/** Makes a call; a stream without an end is left when the event has come that the call waits for. */
function attempt(port: number, route: string, each: Try, names: Readonly<Record<string, string>>): Promise<Reply> {
  const [method = '', own = ''] = route.split(' ')
  const path = (each.path ?? own).replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
  const isJson = each.body !== undefined
  const headers = {
    ...keyHeader(port),
    ...(each.agent !== undefined && { 'X-Agent-Id': each.agent }),
    ...(each.accept !== undefined && { Accept: each.accept }),
    ...(each.foreign && { Origin: 'http://elsewhere.example' }),
    ...(isJson && { 'Content-Type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: got } = response
      let text = ''
      const settle = (): void => {
        const json = got['content-type'] === 'application/json' ? (JSON.parse(text) as unknown) : undefined
        resolve({ status, headers: got, text, json })
      }
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (each.until === undefined || !parseSse(text).some(({ event }) => event === each.until)) return
        response.destroy()
        settle()
      })
      response.on('end', settle)
    })
    outgoing.on('error', reject)
    outgoing.end(isJson ? JSON.stringify(each.body) : each.text)
  })
}

function answerProblems({ answers, refused }: Operation, { status, headers, text, json }: Reply): readonly string[] {
  const answer = answers[status]
  if (answer === undefined) {
    const isKnown = status in refused || status === 403
    return isKnown ? problems(json, ref('Error'), SHAPES) : [`the status ${status} is not described`]
  }
  if (headers['content-type'] === 'text/event-stream') return eventProblems(text, answer.events ?? {})
  if (answer.json === undefined) return text === '' ? [] : ['a body is not described']
  return problems(json, answer.json, SHAPES)
}

function eventProblems(text: string, events: Readonly<Record<string, Schema>>): readonly string[] {
  const told = parseSse(text)
  if (told.length === 0) return ['the stream has no event']
  return told.flatMap(({ event, data }) => {
    const schema = events[event]
    return schema === undefined
      ? [`event ${event} is not described`]
      : problems(JSON.parse(data), schema, SHAPES, event)
  })
}
