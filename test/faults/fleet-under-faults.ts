import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { beginTurn, webhookOf } from '../../packages/stringd/test/support/turns.ts'
import { addAgent, addPlainAgent, type Node, startNode } from '../support/fleet.ts'
import { call } from '../support/http.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { numbersFrom } from '../support/random.ts'
import { leasesPass, processesOf } from './support/fleet-time.ts'

/**
 * As long as one of them, or anything that it started, is alive it holds the lock of its session: another one that finds
 * it taken says so.
 */
const AGENT = `exec 9>"lock-$AGENT_SESSION_NAME"
flock -n 9 || echo "$AGENT_MESSAGE" >> overlaps
echo "$AGENT_MESSAGE" >> started
[ $((RANDOM % 4)) = 0 ] && sleep 0.2
echo "ok $AGENT_MESSAGE"`

const NAMES = ['a', 'b', 'c']
const FAULTS = ['kill', 'freeze', 'restart', 'cut'] as const
type Fault = (typeof FAULTS)[number]

export interface RoundSize {
  readonly events: number
  readonly wakes: number
  readonly chats: number
  readonly faults: number
}

/** Three daemons on one database. */
export class FleetUnderFaults {
  readonly #server: PostgresServer
  readonly #database: string
  readonly #nodes = new Map<string, Node>()
  readonly #hooks: Record<string, string> = {}
  readonly #homes: string[] = []

  constructor(server: PostgresServer, database: string) {
    this.#server = server
    this.#database = database
  }

  async begin(): Promise<void> {
    for (const name of NAMES) {
      const node = await this.#start(name)
      this.#homes.push(await addAgent(node, `wakes-${name}`, AGENT, 'wake: events\n'))
      await addPlainAgent(node, `reads-${name}`)
      for (const kind of ['wakes', 'reads'])
        this.#hooks[`${kind}-${name}`] = await webhookOf(node.port, `${kind}-${name}`)
    }
  }

  /** Events and chats to any node while faults come; in the end nothing that was answered is lost, and all is quiet. */
  async round(seed: number, size: RoundSize): Promise<void> {
    const began = performance.now()
    const random = numbersFrom(seed)
    const events = new Map<string, string>()
    const wakes = new Set(
      Array.from({ length: size.wakes }, (_, index) => Math.floor((index * size.events) / size.wakes)),
    )
    // So that all faults come while events are under way: each part of them waits for its fault.
    const begun = Array.from({ length: size.faults }, gate)
    const posting = inLanes(24, size.events, random, async (index, draw) => {
      await begun[Math.floor((index * (size.faults + 1)) / size.events) - 1]?.opened
      const agent = `${wakes.has(index) ? 'wakes' : 'reads'}-${pick(NAMES, draw)}`
      events.set(`${seed}-${index}`, `${agent} ${await this.#post(agent, `${seed}-${index}`, draw)}`)
    })
    const asked = new Map<string, string>()
    const asking = inLanes(4, size.chats, random, async (index, draw) => {
      const session = `s${index % 4}`
      asked.set(`chat-${seed}-${index}`, await this.#ask(session, `chat-${seed}-${index}`, draw))
    })
    for (let index = 0; index < size.faults; index += 1) {
      await sleep(100 + Math.floor(random() * 400))
      begun[index]?.open()
      await this.#fault(FAULTS[(seed + index) % FAULTS.length] ?? 'kill', pick(NAMES, random))
    }
    const last = performance.now()
    await Promise.all([posting, asking])
    await this.#quiet(last)
    await this.#check(seed, events, asked)
    if (process.env.STRING_TEST_TIMES !== undefined)
      console.log(`seed ${seed}: ${Math.round(performance.now() - began)} ms`)
  }

  async #start(name: string, dir?: string): Promise<Node> {
    const node = await startNode(name, this.#server.url(this.#database), dir === undefined ? {} : { dir })
    this.#nodes.set(name, node)
    return node
  }

  #port(draw: () => number): number {
    return this.#nodes.get(pick(NAMES, draw))?.port ?? 0
  }

  async #fault(fault: Fault, name: string): Promise<void> {
    const node = this.#nodes.get(name)
    if (fault === 'kill' && node !== undefined) {
      await node.kill()
      await this.#start(name, node.dir)
    } else if (fault === 'freeze' && node !== undefined) {
      node.child.kill('SIGSTOP')
      try {
        await leasesPass(this.#server, this.#database, name)
      } finally {
        node.child.kill('SIGCONT')
      }
    } else if (fault === 'restart') await this.#server.restart('immediate')
    else await this.#server.cut(this.#database)
  }

  /** As documented: until it is answered for, under a key of its own, on whichever node answers. */
  async #post(agent: string, key: string, draw: () => number): Promise<string> {
    for (;;) {
      try {
        const { status, json } = await withLimit(
          call(this.#port(draw), 'POST', this.#hooks[agent] ?? '', { body: key, headers: { 'Idempotency-Key': key } }),
        )
        if (status === 202) return (json as { event_id: string }).event_id
        expect(status).toBe(503)
      } catch (error) {
        if (!isConnection(error)) throw error
      }
      await sleep(100)
    }
  }

  async #ask(session: string, message: string, draw: () => number): Promise<string> {
    const agent = `wakes-${NAMES[Number(session.slice(1)) % NAMES.length] ?? 'a'}`
    for (;;) {
      const heard = beginTurn(this.#port(draw), { message, session, request_id: message }, agent)
      const id = await withLimit(heard.turnId).catch(() => null)
      heard.leave()
      if (id !== null) return id
      await sleep(100)
    }
  }

  async #quiet(last: number): Promise<void> {
    const open = async (): Promise<unknown> => {
      const text = `SELECT (SELECT count(*) FROM string.turns WHERE state IN ('queued', 'running', 'waiting'))
        + (SELECT count(*) FROM string.events WHERE acked_at IS NULL AND agent_id LIKE 'wakes-%') AS open`
      return Number((await this.#server.sql(text, this.#database))[0]?.open)
    }
    try {
      await expect.poll(open, { timeout: 60_000 - (performance.now() - last), interval: 200 }).toBe(0)
    } catch (error) {
      throw new Error(await this.#story(), { cause: error })
    }
    await expect.poll(() => this.#homes.flatMap(processesOf), { timeout: 10_000 }).toEqual([])
  }

  /** What is not over, for whoever wants to know why. */
  async #story(): Promise<string> {
    const turns = `SELECT id, agent_id, session, state, event_id, claim, ran_on, lease_until, now() AS now, next_at FROM string.turns
      WHERE state IN ('queued', 'running', 'waiting')`
    const events = `SELECT agent_id, id, received_at FROM string.events WHERE acked_at IS NULL AND agent_id LIKE 'wakes-%' LIMIT 20`
    const rows = [await this.#server.sql(turns, this.#database), await this.#server.sql(events, this.#database)]
    const logs = [...this.#nodes.values()].map(({ name, stderr }) => `${name}: ${stderr().slice(-3_000)}`)
    return [JSON.stringify(rows, null, 1), ...logs].join('\n')
  }

  async #check(seed: number, events: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>): Promise<void> {
    const stored = await this.#server.sql(
      `SELECT agent_id || ' ' || id AS event FROM string.events WHERE convert_from(text, 'UTF8') LIKE '${seed}-%'`,
      this.#database,
    )
    expect(stored.map(({ event }) => String(event)).toSorted()).toEqual([...events.values()].toSorted())
    const turns = await this.#server.sql(
      `SELECT id, state, event_id, attempt, convert_from(message, 'UTF8') AS message FROM string.turns ORDER BY id`,
      this.#database,
    )
    const ofEvents = turns.filter(
      ({ event_id, message }) => event_id !== null && String(message).startsWith(`${seed}-`),
    )
    const woken = [...events.values()].filter((event) => event.startsWith('wakes-')).map((event) => event.split(' ')[1])
    expect(ofEvents.map(({ event_id }) => String(event_id)).toSorted()).toEqual(woken.map(String).toSorted())
    for (const turn of ofEvents) expect(turn).toMatchObject({ state: 'done', attempt: 1 })
    const people = turns.filter(({ message }) => asked.has(String(message)))
    expect(people.map(({ message, id }) => `${String(message)} ${String(id)}`).toSorted()).toEqual(
      [...asked].map((pair) => pair.join(' ')).toSorted(),
    )
    for (const { state } of people) expect(['done', 'interrupted']).toContain(state)
    for (const home of this.#homes) this.#checkHome(home, seed)
  }

  /** No message of a person ran twice or before one that was asked for earlier; no two of a session ran at once. */
  #checkHome(home: string, seed: number): void {
    const lines = (file: string): string[] =>
      existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8').split('\n').slice(0, -1) : []
    expect(lines('overlaps')).toEqual([])
    const begun = lines('started').filter((line) => line.startsWith(`chat-${seed}-`))
    for (let session = 0; session < 4; session += 1) {
      const numbers = begun.map((line) => Number(line.split('-')[2])).filter((number) => number % 4 === session)
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    }
  }
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Several side by side; what has the same place in a lane comes one after the other. */
async function inLanes(
  lanes: number,
  amount: number,
  random: () => number,
  work: (index: number, draw: () => number) => Promise<void>,
): Promise<void> {
  const all = Array.from({ length: lanes }, async (_, lane) => {
    const draw = numbersFrom(Math.floor(random() * 2 ** 31))
    for (let index = lane; index < amount; index += lanes) await work(index, draw)
  })
  await Promise.all(all)
}

function pick<T>(from: readonly T[], random: () => number): T {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new Error('There is nothing to choose from')
  return found
}

/** A node that is frozen answers nobody: then another one is asked. */
async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' })), 6_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

function isConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ECONN|EPIPE|ETIMEDOUT)/.test(String(error.code))
}
