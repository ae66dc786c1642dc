import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  HttpError,
  IncompleteError,
  QueueError,
  StringClient,
  type TurnEvent,
  type TurnSummary,
} from '@string-os/client'
import { encodeSse, LIMITS, SSE_COMMENT } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const START = encodeSse('start', { turn_id: 't1' })
const RESULT = { ok: true, reply: 'Hello', error: null, code: null, session_id: 's', exit_code: 0 }
const step = (index: number): object => ({ index, text: '…', blocks: [], duration_ms: 1 })
const partial = (text: string): string => encodeSse('partial', { text })
const END = encodeSse('result', RESULT) + encodeSse('done', {})

interface Scripted {
  readonly port: number
  /** Requests beside the greeting, `POST /agents/default/turns {"message":"x"}`. */
  readonly asked: string[]
  readonly close: () => void
}

/** A daemon's stand-in: each request gets the next of its answers; what is a text is streamed, and then the connection breaks. */
async function scripted(...answers: (string | RequestListener)[]): Promise<Scripted> {
  const asked: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.url === '/health') return void response.end(JSON.stringify({ ok: true, agents: 0, sessions: 0 }))
    asked.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`)
    const next = answers.shift() ?? ''
    if (typeof next === 'string') breakAfter(response, next)
    else next(request, response)
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { port: (server.address() as AddressInfo).port, asked, close }
}

function breakAfter(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(text, () => setImmediate(() => response.destroy()))
}

const ending =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text)

const refusing =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))

const answering = (body: object): RequestListener => refusing(200, body)

/** Time passes by itself, a second in a millisecond; how much has passed. */
function hurried(): () => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let waitedMs = 0
  const hurry = setInterval(() => {
    waitedMs += 1_000
    vi.advanceTimersByTime(1_000)
  }, 1)
  onTestFinished(() => clearInterval(hurry))
  return () => waitedMs
}

async function all<T>(iterator: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of iterator) found.push(each)
  return found
}

const kinds = (events: readonly TurnEvent[]): string[] =>
  events.map((event) =>
    event.type === 'partial' ? event.text : event.type === 'step' ? `step ${event.index}` : event.type,
  )

describe('client.turn', () => {
  it('gives the message to its agent, registers nobody, and tells what comes until the result', async () => {
    const text = encodeSse('queued', { turn_id: 't1', position: 1 }) + SSE_COMMENT + START
    const { port, asked } = await scripted(
      ending(`${text}${partial('Hel')}${partial('lo')}${encodeSse('step', step(1))}${END}`),
    )
    const client = new StringClient({ port, agent: 'bo b' })
    const attachments = [{ type: 'image', url: 'file:///a.png', name: null }] as const
    const events = await all(client.turn('hi', { session: 's', from: 'ada', attachments, requestId: 'r1' }))
    expect(events).toEqual([
      { type: 'queued', turn_id: 't1', position: 1 },
      { type: 'start', turn_id: 't1' },
      { type: 'partial', text: 'Hel' },
      { type: 'partial', text: 'lo' },
      { type: 'step', ...step(1) },
      { type: 'result', ...RESULT },
    ])
    const body = { message: 'hi', session: 's', from: 'ada', attachments, request_id: 'r1' }
    expect(asked).toEqual([`POST /agents/bo%20b/turns ${JSON.stringify(body)}`])
  })

  it('says with a turn that failed where its standard error is', async () => {
    const failed = { ...RESULT, ok: false, error: 'The agent failed with exit code 3', code: 'EXIT_3' }
    const { port } = await scripted(ending(`${START}${encodeSse('result', failed)}`))
    const [, result] = await all(new StringClient({ port }).turn('x'))
    expect(result).toEqual({
      type: 'result',
      ...failed,
      next: expect.stringContaining("`turns.get('t1')` has what its"),
    })
    const ended = await scripted(ending(`${START}${encodeSse('result', { ...failed, code: 'CANCELLED' })}`))
    const [, cut] = await all(new StringClient({ port: ended.port }).turn('x'))
    expect(cut).toMatchObject({ next: "`turns.retry('t1')` runs it again" })
  })

  it('does not know everything that a newer daemon may say', async () => {
    const odd = encodeSse('mood', { good: true }) + encodeSse('partial', { text: 3 }) + encodeSse('step', 'x')
    const { port } = await scripted(ending(`${START}event: partial\ndata: {no json\n\n${odd}${END}`))
    expect(kinds(await all(new StringClient({ port }).turn('x')))).toEqual(['start', 'result'])
  })

  it('a connection that breaks is opened again where it broke: nothing comes twice, and the message is sent once', async () => {
    const queued = (position: number): string => encodeSse('queued', { turn_id: 't1', position })
    const { port, asked } = await scripted(
      queued(2) + queued(1) + START + partial('Grüße ') + encodeSse('step', step(1)) + partial('𝒞'),
      // Half an event is none.
      `${START}${encodeSse('step', step(1))}${encodeSse('step', step(2))}${partial(' an')}event: partial\ndata: {"te`,
      ending(START),
      ending(START + encodeSse('step', step(1)) + encodeSse('step', step(2)) + partial(' alle') + END),
    )
    const lost: string[] = []
    const events = await all(new StringClient({ port }).turn('x', { onLost: (reason) => lost.push(reason) }))
    expect(lost).toHaveLength(3)
    expect(kinds(events).join('|')).toBe('queued|queued|start|Grüße |step 1|𝒞|step 2| an| alle|result')
    expect(asked).toEqual([
      'POST /agents/default/turns {"message":"x"}',
      'GET /turns/t1/stream?from=8',
      'GET /turns/t1/stream?from=11',
      'GET /turns/t1/stream?from=11',
    ])
  })

  it('a connection that breaks before the turn is known is not opened again: it may be there', async () => {
    for (const answer of [SSE_COMMENT, ending('')]) {
      const { port, asked } = await scripted(answer, ending(START + END))
      await expect(all(new StringClient({ port }).turn('x'))).rejects.toThrow(IncompleteError)
      expect(asked).toHaveLength(1)
    }
  })

  it('waits for a daemon whose store is away, and believes one that does not know the turn', async () => {
    const away = refusing(503, { error: 'The store is away' })
    const unknown = refusing(404, { error: 'Unknown turn: t1' })
    const { port, asked } = await scripted(START, away, away, unknown)
    const error = await all(new StringClient({ port }).turn('x')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status: 404, message: 'Unknown turn: t1' })
    expect(asked).toHaveLength(4)
  })

  it('a daemon that does not come back is waited for so long, and started by nobody; then the turn is named', async () => {
    const { port, close } = await scripted((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(START, () => close())
    })
    const waitedMs = hurried()
    let starts = 0
    const autoStart = async ({ mayStart }: { mayStart: boolean }): Promise<number> => {
      if (!mayStart) throw new Error('none runs')
      starts += 1
      return port
    }
    const error = await all(new StringClient({ autoStart }).turn('x')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(IncompleteError)
    expect(error).toMatchObject({ message: expect.stringContaining('t1'), turnId: 't1' })
    // Whoever stopped it meant it.
    expect(starts).toBe(1)
    expect(waitedMs()).toBeGreaterThanOrEqual(LIMITS.turnReopenMs)
  })

  it('a stream whose daemon hangs is opened again: every 15 s something comes of one that is well', async () => {
    const { port, asked } = await scripted(
      (_request, response) => void response.writeHead(200).write(START + partial('Hel')),
      ending(START + partial('lo') + END),
    )
    const waitedMs = hurried()
    const lost: string[] = []
    const events = await all(new StringClient({ port }).turn('x', { onLost: (reason) => lost.push(reason) }))
    expect(kinds(events).join('|')).toBe('start|Hel|lo|result')
    expect(asked[1]).toBe('GET /turns/t1/stream?from=3')
    expect(lost).toEqual(['The daemon has said nothing for 22.5 s'])
    expect(waitedMs()).toBeGreaterThan(LIMITS.eventPingMs)
  })

  it.each([
    [400, { error: '"message" must not be empty' }, 'HTTP_400', '"message" must not be empty'],
    [404, { error: 'Unknown agent: bob' }, 'HTTP_404', 'Unknown agent: bob'],
    [409, { error: 'bob has no profile' }, 'HTTP_409', 'bob has no profile'],
    [409, { error: 'BUSY', message: 'It works' }, 'BUSY', 'It works'],
    [429, { error: 'QUEUE_FULL', message: '5 wait' }, 'QUEUE_FULL', '5 wait'],
    [429, { error: 'LIMIT_REACHED', message: '10 turns an hour' }, 'LIMIT_REACHED', '10 turns an hour'],
  ])('a refusal with %i %j is thrown as %s', async (status, body, code, message) => {
    const { port, asked } = await scripted(refusing(status, body, { 'Retry-After': '90' }))
    const error = await all(new StringClient({ port }).turn('x')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, message })
    if (error instanceof QueueError) expect(error.retryAfterSecs).toBe(90)
    if (error instanceof HttpError) expect(error.unknownAgent).toBe(status === 404 ? 'bob' : null)
    // Who is not known is looked for among the agents; the message is sent once.
    expect(asked.filter((line) => line !== 'GET /agents')).toHaveLength(1)
  })

  it('leaving the loop closes the connection and cancels nothing', async () => {
    let closed = false
    const { port, asked } = await scripted((request, response) => {
      request.socket.on('close', () => {
        closed = true
      })
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(START + partial('a'))
    })
    for await (const event of new StringClient({ port }).turn('x')) if (event.type === 'partial') break
    await expect.poll(() => closed).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('an aborted signal ends the loop with its reason and cancels nothing', async () => {
    const over = new AbortController()
    const { port, asked } = await scripted((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(START)
    })
    const client = new StringClient({ port })
    const reading = (async () => {
      for await (const _ of client.turn('x', { signal: over.signal })) over.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
    await expect(all(client.turn('x', { signal: over.signal }))).rejects.toThrow('enough')
    expect(asked).toHaveLength(1)
  })
})

describe('client.turns', () => {
  it('lists, shows, cancels, retries and follows', async () => {
    const { port, asked } = await scripted(
      answering({ turns: [{ turn_id: 't2' }] }),
      answering({ turns: [] }),
      answering({ turn_id: 't1' }),
      answering({ turn_id: 't1' }),
      answering({ turn_id: 't3' }),
      START + partial('ab'),
      ending(START + END),
    )
    const { turns } = new StringClient({ port })
    expect(await turns.list()).toEqual([{ turn_id: 't2' }])
    const since = new Date(0)
    await turns.list({ agent: 'a+b', session: 's t', state: 'failed', since, limit: 3, before: 't9' })
    expect(await turns.get('t1')).toEqual({ turn_id: 't1' })
    await turns.cancel('t1')
    expect(await turns.retry('t/1')).toEqual({ turn_id: 't3' })
    expect(kinds(await all(turns.follow('t1')))).toEqual(['start', 'ab', 'result'])
    const signal = AbortSignal.abort(new Error('enough'))
    for (const options of [signal, { signal }]) await expect(all(turns.follow('t1', options))).rejects.toThrow('enough')
    expect(asked).toEqual([
      'GET /turns',
      'GET /turns?agent_id=a%2Bb&session=s%20t&state=failed&since=1970-01-01T00%3A00%3A00.000Z&limit=3&before=t9',
      'GET /turns/t1',
      'DELETE /turns/t1',
      'POST /turns/t%2F1/retry',
      'GET /turns/t1/stream',
      'GET /turns/t1/stream?from=2',
    ])
  })

  const summary = (turn_id: string, state: TurnSummary['state'], attempt = 1, started_at?: string): object => ({
    turn_id,
    state,
    attempt,
    started_at: started_at ?? null,
  })
  const changed = (...turn: Parameters<typeof summary>): string => encodeSse('turn', summary(...turn))
  const lines = (turns: readonly TurnSummary[]): string[] => turns.map(({ turn_id, state }) => `${turn_id} ${state}`)

  it('watches turns, also those that changed while nobody could be told', async () => {
    const over = new AbortController()
    const missed = [
      summary('t4', 'running'),
      summary('t3', 'interrupted'),
      summary('t2', 'done'),
      summary('t1', 'done'),
    ]
    const { port, asked } = await scripted(
      changed('t2', 'done') + changed('t3', 'queued') + changed('t3', 'running') + changed('t3', 'running'),
      (_request, response) => void response.writeHead(200).write(changed('t4', 'running') + changed('t4', 'done')),
      answering({ turns: missed }),
    )
    const seen: TurnSummary[] = []
    for await (const turn of new StringClient({ port }).turns.watch({ agent: 'bob', signal: over.signal })) {
      seen.push(turn)
      if (turn.turn_id === 't4' && turn.state === 'done') over.abort()
    }
    expect(lines(seen)).toEqual(['t2 done', 't3 queued', 't3 running', 't3 interrupted', 't4 running', 't4 done'])
    expect(asked).toEqual([
      'GET /turns/watch?agent_id=bob',
      'GET /turns/watch?agent_id=bob',
      `GET /turns?agent_id=bob&limit=${LIMITS.listedTurnsMax}`,
    ])
  })

  it('tells nothing of what a list has told already, though it lay in the stream meanwhile', async () => {
    const over = new AbortController()
    const { port } = await scripted(
      changed('t1', 'queued') + changed('t2', 'queued'),
      (_request, response) =>
        void response
          .writeHead(200)
          .write(
            changed('t1', 'running', 1, '10:00') +
              changed('t1', 'done', 1, '10:00') +
              changed('t2', 'queued') +
              changed('t2', 'running', 1, '10:00') +
              changed('t2', 'queued', 2, '10:00') +
              changed('t2', 'running', 2, '10:01') +
              changed('t2', 'queued', 2, '10:01') +
              changed('t2', 'running', 2, '10:02') +
              changed('t2', 'done', 2, '10:02'),
          ),
      answering({ turns: [summary('t2', 'running', 2, '10:01'), summary('t1', 'done', 1, '10:00')] }),
    )
    const seen: TurnSummary[] = []
    for await (const turn of new StringClient({ port }).turns.watch({ signal: over.signal })) {
      seen.push(turn)
      if (turn.turn_id === 't2' && turn.state === 'done') over.abort()
    }
    expect(lines(seen)).toEqual([
      't1 queued',
      't2 queued',
      't1 done',
      't2 running',
      't2 queued',
      't2 running',
      't2 done',
    ])
  })

  it('begins with what became of turns that were known', async () => {
    const known = [summary('t2', 'running'), summary('t1', 'done')] as TurnSummary[]
    const now = [summary('t3', 'queued'), summary('t2', 'queued', 2), summary('t1', 'done'), summary('t0', 'done')]
    const { port } = await scripted(
      (_request, response) => response.writeHead(200).flushHeaders(),
      answering({ turns: now }),
    )
    const seen: TurnSummary[] = []
    for await (const turn of new StringClient({ port }).turns.watch({ known })) {
      seen.push(turn)
      if (seen.length === 2) break
    }
    expect(lines(seen)).toEqual(['t2 queued', 't3 queued'])
  })
})

describe('client.events', () => {
  it('waits for a daemon whose store is away, and believes every other refusal', async () => {
    const event = { id: 'evt_1', text: 'news' }
    const { port, asked } = await scripted(
      answering({ agent_id: 'default' }),
      refusing(503, { error: 'The store is away' }),
      ending(encodeSse('event', event, 'evt_1')),
      refusing(401, { error: 'Unknown agent: default' }),
    )
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const each of new StringClient({ port }).events()) seen.push(each)
    })()
    await expect(reading).rejects.toMatchObject({ status: 401 })
    expect(seen).toEqual([event])
    expect(asked.slice(1)).toEqual([...Array(3).fill('GET /events/stream'), 'GET /agents'])
  })
})

describe('client.usage and client.agents', () => {
  it('ask for what their names say', async () => {
    const standing = { agent_id: 'a', paused: true, cancelled: 2 }
    const { port, asked } = await scripted(
      answering({ usage: [{ turns: 1 }] }),
      answering({ usage: [] }),
      answering({ id: 'a', paused: false }),
      ...['pause', 'resume', 'stop', 'start'].map(() => answering(standing)),
    )
    const client = new StringClient({ port })
    expect(await client.usage()).toEqual([{ turns: 1 }])
    await client.usage({ by: 'day', since: '2026-03-19' })
    expect(await client.agents.get('a')).toEqual({ id: 'a', paused: false })
    expect(await client.agents.pause('a')).toEqual(standing)
    await client.agents.resume('a')
    await client.agents.stop('a')
    await client.agents.start('a')
    expect(asked).toEqual([
      'GET /usage',
      'GET /usage?by=day&since=2026-03-19',
      'GET /agents/a',
      ...['pause', 'resume', 'stop', 'start'].map((verb) => `POST /agents/a/${verb}`),
    ])
  })
})
