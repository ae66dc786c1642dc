import { SseParser } from '@string-os/protocol'
import { expect } from 'vitest'
import { type Foreground, startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'
import { random } from '../support/random.ts'

interface Size {
  readonly posts: number
  readonly writers: number
  readonly kills: number
  /** What the daemon is started with beside the usual. */
  readonly environment?: Readonly<Record<string, string>>
  /** What happens in place of a kill. */
  readonly trouble?: () => Promise<void>
}

interface Acknowledged {
  readonly id: string
  readonly text: string
}

const AGENTS = ['a', 'b', 'c', 'd']

/**
 * Writers post while the daemon is killed again and again. Every second post has a key and is sent until it is
 * acknowledged; the others are sent once, and without an answer nobody knows. Afterwards every acknowledged event must
 * be there exactly once and whole, in order, and every key must be one event.
 */
export async function killUnderPosts({ posts, writers, kills, environment = {}, trouble }: Size): Promise<void> {
  let daemon = await startForeground(undefined, { environment })
  const { dir } = daemon
  const paths = await Promise.all(AGENTS.map((id) => webhookPath(daemon.port, id)))
  const acknowledged: Acknowledged[][] = AGENTS.map(() => [])
  let count = 0
  const kill: { running: Promise<void> | null } = { running: null }
  const restart = async (): Promise<void> => {
    daemon.child.kill('SIGKILL')
    await daemon.exited
    daemon = await startForeground(dir, { environment })
  }
  const disturb = async (): Promise<void> => {
    await (trouble ?? restart)()
    kill.running = null
  }
  const killAt = Array.from({ length: kills }, (_, index) => Math.floor(((index + random()) * posts) / kills))
  const write = async (writer: number): Promise<void> => {
    for (let index = 0; index < posts / writers; index += 1) {
      const agent = (writer + index) % AGENTS.length
      const text = `${writer}:${index} ${'𝒞é'.repeat(index % 200)}`
      const headers = index % 2 === 0 ? { 'Idempotency-Key': `${writer}:${index}` } : {}
      const id = await post(() => daemon.port, paths[agent] ?? '', text, headers)
      if (id !== null) acknowledged[agent]?.push({ id, text })
      count += 1
      if (killAt[0] !== undefined && count >= killAt[0] && kill.running === null) {
        killAt.shift()
        kill.running = disturb()
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  await kill.running
  await restart()
  for (const [index, agent] of AGENTS.entries()) {
    compare(await inboxOf(daemon, agent), acknowledged[index] ?? [])
  }
  daemon.child.kill('SIGTERM')
  expect(await daemon.exited).toBe(0)
}

async function webhookPath(port: number, id: string): Promise<string> {
  await call(port, 'POST', '/agents', { body: { agent_id: id } })
  const { json } = await call(port, 'GET', `/agents/${id}/webhook`)
  return new URL((json as { webhook_url: string }).webhook_url).pathname
}

/** The id of the event; null when nobody knows whether it was stored. With a key it is sent until that is known. */
async function post(
  port: () => number,
  path: string,
  text: string,
  headers: Record<string, string>,
): Promise<string | null> {
  for (;;) {
    try {
      const { status, json } = await call(port(), 'POST', path, { body: text, headers })
      if (status === 202) return (json as { event_id: string }).event_id
      // The store is away: nothing was stored, or nobody knows.
      expect(status).toBe(503)
      const { error } = json as { error: string }
      if (error.includes('it is not known') && headers['Idempotency-Key'] === undefined) return null
      await new Promise((resolve) => setTimeout(resolve, 20))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'ECONNREFUSED' && headers['Idempotency-Key'] === undefined) return null
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Everything in an inbox, as a stream from its beginning tells it. */
async function inboxOf({ port }: Foreground, agent: string): Promise<Acknowledged[]> {
  const over = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/events/stream`, {
    headers: { 'X-Agent-Id': agent, 'Last-Event-ID': `evt_${'0'.repeat(26)}` },
    signal: over.signal,
  })
  const last = await call(port, 'POST', await webhookPath(port, agent), { body: 'the end' })
  const { event_id: end } = last.json as { event_id: string }
  const events: Acknowledged[] = []
  const parser = new SseParser()
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    for (const { event, data } of parser.push(decoder.decode(chunk as Uint8Array, { stream: true }))) {
      if (event === 'event') events.push(JSON.parse(data) as Acknowledged)
    }
    if (events.at(-1)?.id === end) break
  }
  over.abort()
  return events.slice(0, -1)
}

function compare(stored: readonly Acknowledged[], acknowledged: readonly Acknowledged[]): void {
  const byId = new Map(stored.map(({ id, text }) => [id, text]))
  expect(byId.size).toBe(stored.length)
  expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted())
  for (const { id, text } of acknowledged) expect(byId.get(id)).toBe(text)
  // What one writer sent later has the greater id.
  for (const writer of new Set(acknowledged.map(writerOf))) {
    const ids = acknowledged.filter((event) => writerOf(event) === writer)
    expect(ids.map(({ id }) => id)).toEqual(ids.map(({ id }) => id).toSorted())
  }
  const names = stored.map(({ text }) => text.split(' ')[0] ?? '')
  // No event that was sent is there twice, whether by its key or because it was sent once.
  expect(new Set(names).size).toBe(names.length)
}

function writerOf({ text }: Acknowledged): string | undefined {
  return text.split(':')[0]
}
