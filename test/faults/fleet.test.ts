import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  ASKING_AGENT,
  ASKING_KEYS,
  approvalsOf,
  waitingApproval,
} from '../../packages/stringd/test/support/approvals.ts'
import { beginTurn, listen, webhookOf } from '../../packages/stringd/test/support/turns.ts'
import { addAgent, type Node, nodesOf, startNode, stateOf, turnOf } from '../support/fleet.ts'
import { call, type Reply } from '../support/http.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'
import { leasesPass, processesOf } from './support/fleet-time.ts'
import { failStringd } from './support/stringd.ts'

describe.skipIf(!hasPostgres)('a node that is lost', () => {
  const server = postgresServer()

  it('and only frozen finds its claims refused and ends its processes, and the history tells the story', async () => {
    const database = await server.database()
    const store = server.url(database)
    const a = await startNode('a', store)
    const b = await startNode('b', store)
    const home = await addAgent(
      a,
      'ann',
      'echo "$AGENT_MESSAGE" >> runs; [ "$(wc -l < runs)" -le 2 ] && exec sleep 300; echo done',
      'wake: events\n',
    )
    const asked = beginTurn(b.port, { message: 'a person asks' }, 'ann')
    const { json } = await call(b.port, 'POST', await webhookOf(a.port, 'ann'), { body: 'an event' })
    const eventId = (json as { event_id: string }).event_id
    const runs = (): string[] =>
      existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').split('\n').slice(0, -1) : []
    await expect.poll(() => runs().length).toBe(2)
    await expect.poll(() => processesOf(home).length).toBe(2)

    await addAgent(a, 'ida', ASKING_AGENT, ASKING_KEYS)
    const asking = beginTurn(b.port, { message: 'may I?' }, 'ida')
    const { id: question } = await waitingApproval(b.port)
    const watched = listen(b.port, 'GET', '/watch')
    await expect.poll(() => watched.events[0]).toMatchObject({ type: 'ready' })

    a.child.kill('SIGSTOP')
    await leasesPass(server, database, a.name)
    expect(await stateOf(b, 'a')).toBe('lost')
    await Promise.all([asked.ended, asking.ended])
    // Nobody waits for the answer any more, and whoever watches hears of all of it.
    await expect.poll(async () => (await approvalsOf(b.port))[0]).toMatchObject({ id: question, state: 'withdrawn' })
    await expect
      .poll(() => watched.events)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'change', kind: 'turn', id: await asked.turnId }),
          expect.objectContaining({ type: 'change', kind: 'approval', id: question }),
          expect.objectContaining({ type: 'reset' }),
        ]),
      )
    watched.leave()
    expect(asked.events.at(-1)).toMatchObject({ type: 'result', ok: false, code: 'CANCELLED' })
    const id = await asked.turnId
    await expect
      .poll(() => turnOf(b, id))
      .toMatchObject({ state: 'interrupted', node: 'a', lost_runs: [{ node: 'a' }] })
    const { turns } = (await call(b.port, 'GET', '/agents/ann/turns?session=events')).json as {
      turns: { turn_id: string }[]
    }
    const eventTurn = turns[0]?.turn_id ?? ''
    expect(await turnOf(b, eventTurn)).toMatchObject({ state: 'queued', event_id: eventId, attempt: 1 })
    // Nobody else runs it: it lives there.
    expect(runs()).toHaveLength(2)

    a.child.kill('SIGCONT')
    await expect
      .poll(() => turnOf(b, eventTurn))
      .toMatchObject({ state: 'done', node: 'a', lost_runs: [{ node: 'a' }] })
    expect(runs()).toEqual(expect.arrayContaining(['a person asks', 'an event', 'an event']))
    await expect.poll(() => processesOf(home)).toEqual([])
    expect(await turnOf(b, id)).toMatchObject({ state: 'interrupted' })
    await expect.poll(() => stateOf(b, 'a')).toBe('up')
  }, 120_000)

  it('gives its agents away: those that may run anywhere at once, others when they are moved', async () => {
    const database = await server.database()
    const store = server.url(database)
    const a = await startNode('a', store)
    const b = await startNode('b', store)
    const anywhere = await addAgent(
      a,
      'any',
      'echo "$STRING_DATA_DIR" >> where; echo ok',
      'wake: events\nplacement: any\n',
    )
    await addAgent(a, 'home', 'echo "$STRING_DATA_DIR"', 'wake: events\n')
    const paths = { any: await webhookOf(a.port, 'any'), home: await webhookOf(a.port, 'home') }
    await a.kill()
    await leasesPass(server, database, a.name)
    for (const path of Object.values(paths)) expect((await call(b.port, 'POST', path, { body: 'x' })).status).toBe(202)
    await expect
      .poll(() => existsSync(join(anywhere, 'where')) && readFileSync(join(anywhere, 'where'), 'utf8'))
      .toBe(`${b.dataDir}\n`)
    const moved = await call(b.port, 'POST', '/fleet/move', { body: { agent_id: 'home' } })
    expect(moved.json).toMatchObject({ from: 'a', to: 'b' })
    await expect
      .poll(async () => (await call(b.port, 'GET', '/agents/home/turns')).json)
      .toMatchObject({ turns: [{ state: 'done', result: { reply: b.dataDir } }] })
    // When the old node is back, it neither serves nor runs them.
    const again = await startNode('a', store, { dir: a.dir })
    expect((await call(again.port, 'GET', '/agents')).json).toEqual({ agents: [] })
    expect((await nodesOf(again)).find(({ name }) => name === 'b')).toMatchObject({ agents: 2 })
  }, 120_000)

  it('nodes are brought up to date one after the other: a newer schema is used, or refused with a reason', async () => {
    const database = await server.database()
    const store = server.url(database)
    const a = await startNode('a', store)
    await server.sql(
      'UPDATE string.version SET version = version + 1, oldest = version, oldest_of = version + 1',
      database,
    )
    const b = await startNode('b', store)
    expect(await stateOf(b, 'a')).toBe('up')
    await server.sql('UPDATE string.version SET oldest = version', database)
    const c = await failStringd({ env: { STRING_STORE: store } })
    expect(c.status).toBe(1)
    expect(c.stderr).toContain('written by a newer String')
    expect((await call(a.port, 'GET', '/health')).status).toBe(200)
  }, 120_000)

  it('is not needed for an update: nodes are drained and restarted one after the other under load, and no client sees an error', async () => {
    const store = server.url(await server.database())
    const nodes = new Map<string, Node>()
    for (const name of ['a', 'b', 'c']) {
      const node = await startNode(name, store)
      nodes.set(name, node)
      await addAgent(node, `on-${name}`, 'sleep 0.1; echo "did $AGENT_MESSAGE"', 'wake: events\n')
    }
    const names = [...nodes.keys()]
    const hooks = await Promise.all(names.map((name) => webhookOf(nodes.get(name)?.port ?? 0, `on-${name}`)))
    const portOf = (index: number): number => nodes.get(names[index % 3] ?? '')?.port ?? 0
    let isOver = false
    const events: string[] = []
    const answers: string[] = []
    const posting = (async () => {
      for (let index = 0; !isOver; index += 1) {
        const asked = (): Promise<Reply> =>
          call(portOf(index), 'POST', hooks[(index + 1) % 3] ?? '', {
            body: `e${index}`,
            headers: { 'Idempotency-Key': `e${index}` },
          })
        const { status, json } = await untilAnswered(asked)
        expect(status).toBe(202)
        events.push((json as { event_id: string }).event_id)
        await sleep(20)
      }
    })()
    const chatting = (async () => {
      for (let index = 0; !isOver; index += 1) answers.push(await chat(portOf, index, `on-${names[(index + 2) % 3]}`))
    })()
    for (const name of names) {
      const node = nodes.get(name)
      if (node === undefined) continue
      await call(node.port, 'POST', '/fleet/drain')
      await expect.poll(async () => (await nodesOf(node)).find(({ here }) => here)?.running).toBe(0)
      expect(await node.end()).toBe(0)
      nodes.set(name, await startNode(name, store, { dir: node.dir }))
    }
    isOver = true
    await Promise.all([posting, chatting])
    expect(answers.length).toBeGreaterThan(0)
    expect(answers).toEqual(answers.map((_, index) => `did m${index}`))
    const done = async (): Promise<string[]> => {
      const all = await Promise.all(
        names.map((name) => call(portOf(0), 'GET', `/agents/on-${name}/turns?session=events&state=done&limit=200`)),
      )
      return all.flatMap(({ json }) =>
        (json as { turns: { event_id: string }[] }).turns.map(({ event_id }) => event_id),
      )
    }
    await expect.poll(async () => (await done()).length, { timeout: 60_000 }).toBe(events.length)
    expect((await done()).toSorted()).toEqual(events.toSorted())
  }, 180_000)
})

/** As documented: a daemon that is not there, or says 503, is asked again under the same key. */
async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const answer = await ask().catch(() => null)
    if (answer !== null && answer.status !== 503) return answer
    await sleep(100)
  }
}

/** The reply to a message, on whichever node answers; a stream that breaks is asked for again under the same request. */
async function chat(portOf: (index: number) => number, index: number, agent: string): Promise<string> {
  for (let at = index; ; at += 1) {
    const heard = beginTurn(
      portOf(at),
      { message: `m${index}`, request_id: `r${index}`, session: `s${index % 5}` },
      agent,
    )
    await heard.ended
    const last = heard.events.at(-1)
    if (heard.isDone() && last?.type === 'result') return last.reply
    await sleep(100)
  }
}
