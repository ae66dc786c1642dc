import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TurnSummary } from '@string-os/protocol'
import { expect } from 'vitest'
import { beginTurn, giveProfile, webhookOf } from '../../packages/stringd/test/support/turns.ts'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { randomBelow } from '../support/random.ts'
import { tempDir } from '../support/temp.ts'
import { type Stringd, startStringd } from './support/stringd.ts'

/**
 * Tells in files where it is, and goes on when nothing holds it there. As long as one of them, or anything that it
 * started, is alive it holds the lock of its session: another one that finds it taken says so.
 */
const SIGNALLING = `exec 9>"lock-$AGENT_SESSION_NAME"
flock -n 9 || echo "$AGENT_MESSAGE" >> overlaps
echo "$AGENT_MESSAGE" >> started
while [ -e hold-started ]; do sleep 0.01; done
sleep "0.0$((RANDOM % 4))"
echo "done with $AGENT_MESSAGE"
echo "$AGENT_MESSAGE" >> answered
while [ -e hold-answered ]; do sleep 0.01; done`

export interface TurnPlace {
  readonly home: string
  /** The next daemon on what the one before left. */
  readonly start: () => Promise<Stringd>
  /** What an agent has written into a file, line by line. */
  readonly lines: (file: string) => string[]
}

/** A data folder whose agent is woken by events, and homes for it. */
export async function turnPlace(): Promise<TurnPlace> {
  const dir = tempDir()
  const home = join(dir, 'home')
  mkdirSync(home)
  giveProfile(home, SIGNALLING, 'wake: events\n')
  const daemon = await startStringd({ dir })
  expect((await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'default', home } })).status).toBe(200)
  await daemon.kill()
  return {
    home,
    start: () => startStringd({ dir }),
    lines: (file) => {
      const path = join(home, file)
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
    },
  }
}

export async function allTurns(port: number): Promise<TurnSummary[]> {
  const all: TurnSummary[] = []
  for (;;) {
    const before = all.at(-1)?.turn_id
    const query = `?limit=200${before === undefined ? '' : `&before=${before}`}`
    const { json } = await call(port, 'GET', `/agents/default/turns${query}`)
    const { turns } = json as { turns: TurnSummary[] }
    if (turns.length === 0) return all
    all.push(...turns)
  }
}

/** Waits until every event is dealt with: each has one turn, which succeeded, and is acknowledged. */
export async function expectDealtWith(port: number, events: readonly string[]): Promise<void> {
  const open = async (): Promise<number> =>
    (await allTurns(port)).filter(({ state }) => state === 'queued' || state === 'running').length
  const pending = async (): Promise<unknown> => (await exec(port, '/events')).head.data?.pending
  await expect.poll(pending, { timeout: 60_000 }).toBe(0)
  await expect.poll(open, { timeout: 60_000 }).toBe(0)
  const turns = (await allTurns(port)).filter(({ event_id }) => event_id !== null)
  expect(turns.map(({ event_id }) => String(event_id)).toSorted()).toEqual(events.toSorted())
  for (const turn of turns)
    expect(turn, turn.turn_id).toMatchObject({ state: 'done', result: { ok: true }, attempt: 1 })
}

/**
 * Kills the daemon again and again while events come and a person asks. Both are sent until they are answered for, under
 * keys of their own. In the end every event has one turn that succeeded, and no message of a person ran twice.
 */
export async function killUnderTurns({ kills }: { kills: number }): Promise<void> {
  const { start, lines } = await turnPlace()
  const current: { daemon: Stringd } = { daemon: await start() }
  const events = new Map<string, string>()
  const asked = new Map<string, Set<string>>()
  let isOver = false
  const posting = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const id = await postUntilTaken(current, `event-${index}`)
      events.set(`event-${index}`, id)
      await aMoment(5, 120)
    }
  })()
  const asking = (async () => {
    for (let index = 0; !isOver; index += 1) {
      asked.set(`person-${index}`, await askUntilAnswered(current, `person-${index}`))
      await aMoment(5, 120)
    }
  })()
  for (let index = 0; index < kills; index += 1) {
    // Also while it is still about to take up what the one before left.
    await aMoment(0, randomBelow(4) === 0 ? 5 : 200)
    await current.daemon.kill()
    current.daemon = await start()
  }
  isOver = true
  await Promise.all([posting, asking])
  const { port } = current.daemon
  await expectDealtWith(port, [...events.values()])
  expect(lines('overlaps')).toEqual([])
  const runs = lines('started')
  for (const [message, ids] of asked) {
    expect(ids.size, message).toBe(1)
    expect(runs.filter((line) => line === message).length, message).toBeLessThanOrEqual(1)
  }
  const people = (await allTurns(port)).filter(({ event_id }) => event_id === null)
  expect(people).toHaveLength(asked.size)
  for (const { state } of people) expect(['done', 'interrupted']).toContain(state)
  expect(await current.daemon.end()).toBe(0)
}

async function postUntilTaken(current: { readonly daemon: Stringd }, text: string): Promise<string> {
  const headers = { 'Idempotency-Key': text }
  for (;;) {
    try {
      const { port } = current.daemon
      const { status, json } = await call(port, 'POST', await webhookOf(port), { body: text, headers })
      if (status === 202) return (json as { event_id: string }).event_id
    } catch {
      // The daemon was killed, or starts.
    }
    await aMoment(5, 20)
  }
}

/** The ids of all turns that the message was said to be. */
async function askUntilAnswered(current: { readonly daemon: Stringd }, message: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for (;;) {
    const heard = beginTurn(current.daemon.port, { message, request_id: message })
    await heard.ended
    for (const event of heard.events) if (event.type === 'queued' || event.type === 'start') ids.add(event.turn_id)
    if (heard.isDone()) return ids
    // The daemon was killed, or starts.
    await aMoment(5, 20)
  }
}

/** Holds agents at a place, or lets them go on. */
export function hold(home: string, place: 'started' | 'answered'): void {
  writeFileSync(join(home, `hold-${place}`), '')
}
