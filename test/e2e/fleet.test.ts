import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { DeliveryView, TurnView } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ASKING_AGENT,
  ASKING_KEYS,
  answerApproval,
  waitingApproval,
} from '../../packages/stringd/test/support/approvals.ts'
import {
  beginTurn,
  giveProfile,
  listen,
  postEvent,
  turnsOf,
  webhookOf,
} from '../../packages/stringd/test/support/turns.ts'
import { processesOf } from '../faults/support/fleet-time.ts'
import { failStringd } from '../faults/support/stringd.ts'
import { run as runProgram, STRING } from '../support/cli.ts'
import { addAgent, addPlainAgent, type Node, nodesOf, startNode, stateOf, turnOf } from '../support/fleet.ts'
import { freePort } from '../support/free-port.ts'
import { call, exec } from '../support/http.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'
import { tempDir } from '../support/temp.ts'

const SAYS_WHERE = 'echo "AGENT_PARTIAL: \\"on \\""; sleep 0.3; echo "$STRING_DATA_DIR"'

describe.skipIf(!hasPostgres)('several nodes on one PostgreSQL', () => {
  const server = postgresServer()

  it('know each other, have names of their own, and a copied data folder is refused', async () => {
    const store = server.url(await server.database())
    const a = await startNode('host', store)
    const b = await startNode('host', store)
    expect(await nodesOf(a)).toMatchObject([
      { name: 'host', state: 'up', agents: 0, running: 0, waiting: 0, oldest_waiting_s: null },
      { name: 'host-2', state: 'up' },
    ])
    const dir = tempDir()
    cpSync(a.dataDir, join(dir, 'data'), { recursive: true, filter: (path) => !path.endsWith('daemon.json') })
    const copy = await failStringd({ dir, env: { STRING_STORE: store, STRING_NODE: 'copy' } })
    expect(copy.status).toBe(1)
    expect(copy.stderr.trimEnd().split('\n').at(-1)).toMatch(/copy of that of node host/)
    expect(await b.end()).toBe(0)
    expect(await stateOf(a, 'host-2')).toBe('stopped')
    // The same folder again is the same node, at once, also after a kill.
    await a.kill()
    const again = await startNode('host', store, { dir: a.dir })
    expect((await nodesOf(again)).map(({ name, state }) => [name, state])).toContainEqual(['host', 'up'])
  }, 60_000)

  it('agents live on one of them, turns are asked for anywhere, and all of it is seen from everywhere', async () => {
    const store = server.url(await server.database())
    const a = await startNode('a', store)
    const b = await startNode('b', store)
    // One pair for all of them; each has agents of its own.
    await agentsLiveOnOneNode(a, b)
    await turnsRunWhereTheAgentLives(a, b)
    await sessionsStayInOrder(a, b)
    await turnsAreEndedFromAnywhere(a, b)
    await turnsAreTriedAgainFromAnywhere(a, b)
    await changesAreSeenEverywhere(a, b)
    await messagesAreSentWhereTheAgentLives(a, b)
    await nodesDrain(a, b)
    await agentsMove(a, b)
    await anyNodeMayRun(a, b)
    await theCommandLineShowsIt(a, b)
  }, 120_000)
})

/** Agents live on one node, and are known on all. */
async function agentsLiveOnOneNode(a: Node, b: Node): Promise<void> {
  expect((await addPlainAgent(a, 'ann')).status).toBe(200)
  const twice = await addPlainAgent(b, 'ann')
  expect(twice.status).toBe(409)
  expect(twice.text).toContain('lives on node a')
  expect(
    existsSync(join(b.dataDir, 'agents.json')) ? readFileSync(join(b.dataDir, 'agents.json'), 'utf8') : '',
  ).not.toContain('"ann"')
  const all = (await call(b.port, 'GET', '/agents?all=1')).json as { agents: { id: string; node: string }[] }
  expect(all.agents.map(({ id, node }) => [id, node])).toContainEqual(['ann', 'a'])
  for (const [method, path] of [
    ['POST', '/exec'],
    ['POST', '/chanflow'],
    ['GET', '/events/stream'],
  ] as const) {
    const body = path === '/exec' ? { cmd: '/info' } : { text: 'x' }
    const answer = await call(b.port, method, path, {
      headers: { 'X-Agent-Id': 'ann' },
      ...(method === 'POST' ? { body } : {}),
    })
    expect([path, answer.status]).toEqual([path, 409])
    expect(answer.text).toContain('lives on node a')
  }
  expect((await call(b.port, 'DELETE', '/agents/ann')).status).toBe(409)
  const tools = await call(b.port, 'POST', '/mcp', {
    headers: { 'X-Agent-Id': 'ann' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  expect([tools.status, tools.text]).toEqual([409, expect.stringContaining('lives on node a')])
  expect((await call(b.port, 'GET', '/agents/ann/webhook?peek=1')).json).toMatchObject({ webhook_url: null })

  // Its webhook is good everywhere, and a new token too.
  const path = await webhookOf(a.port, 'ann')
  expect((await call(b.port, 'POST', path, { body: 'from b' })).status).toBe(202)
  expect(await webhookOf(b.port, 'ann')).toBe(path)
  expect((await call(b.port, 'POST', '/agents/ann/webhook')).status).toBe(200)
  const renewed = await webhookOf(b.port, 'ann')
  expect(renewed).not.toBe(path)
  expect((await call(b.port, 'POST', path, { body: 'old' })).status).toBe(401)
  await expect
    .poll(async () => (await call(a.port, 'POST', path, { body: 'old' })).status, { timeout: 2_000 })
    .toBe(401)
  expect((await call(a.port, 'POST', renewed, { body: 'new' })).status).toBe(202)

  // `default` is each node's own.
  for (const node of [a, b]) await addPlainAgent(node, 'default')
  await call(a.port, 'POST', await webhookOf(a.port, 'default'), { body: 'for a' })
  await call(b.port, 'POST', await webhookOf(b.port, 'default'), { body: 'for b' })
  expect((await exec(a.port, '/events')).content).toContain('for a')
  expect((await exec(b.port, '/events')).content).not.toContain('for a')
  expect((await exec(b.port, '/events')).content).toContain('for b')
  const names = (await call(a.port, 'GET', '/agents?all=1')).json as { agents: { id: string; node: string }[] }
  expect(names.agents.filter(({ id }) => id.startsWith('default')).map(({ id, node }) => [id, node])).toEqual([
    ['default', 'a'],
    ['default@b', 'b'],
  ])

  // The channel `agent` reaches an agent wherever it lives.
  writeFileSync(join(b.dataDir, 'channels.yaml'), 'agent:\n  type: agent\n')
  const { json } = await call(b.port, 'POST', '/chanflow', {
    headers: { 'X-Agent-Id': 'default' },
    body: { text: '<𝒞=agent:ann>\nhello from b\n</𝒞>' },
  })
  expect(JSON.stringify(json)).toContain('sent to ann')
  expect((await exec(a.port, '/events --all', { agent: 'ann' })).content).toContain('hello from b')
}

/** Turns are asked for anywhere and run where the agent lives, with all that they say. */
async function turnsRunWhereTheAgentLives(a: Node, b: Node): Promise<void> {
  await addAgent(a, 'bob', SAYS_WHERE)
  const heard = beginTurn(b.port, { message: 'where?', request_id: 'r1' }, 'bob')
  await heard.ended
  expect(heard.isDone()).toBe(true)
  const texts = heard.events.filter(({ type }) => type === 'partial')
  expect(texts).toEqual([{ type: 'partial', text: 'on ' }])
  expect(heard.events.at(-1)).toMatchObject({ type: 'result', ok: true, reply: a.dataDir })
  const id = await heard.turnId
  expect(await turnOf(b, id)).toMatchObject({ state: 'done', node: 'a' })
  const again = beginTurn(b.port, { message: 'where?', request_id: 'r1' }, 'bob')
  expect(await again.turnId).toBe(id)
  expect((await call(a.port, 'GET', '/agents/bob/turns')).json).toMatchObject({ turns: [{ turn_id: id }] })
}

/** Turns of one session run in the order in which they were asked for, whoever was asked. */
async function sessionsStayInOrder(a: Node, b: Node): Promise<void> {
  const home = await addAgent(a, 'cid', 'echo "$AGENT_MESSAGE" >> order; sleep 0.05; echo ok')
  const asked = []
  for (let index = 0; index < 6; index += 1) {
    const heard = beginTurn(index % 2 === 0 ? b.port : a.port, { message: `m${index}` }, 'cid')
    await heard.turnId
    asked.push(heard)
  }
  await Promise.all(asked.map(({ ended }) => ended))
  expect(readFileSync(join(home, 'order'), 'utf8')).toBe('m0\nm1\nm2\nm3\nm4\nm5\n')
  for (const { events } of asked) expect(events.at(-1)).toMatchObject({ type: 'result', ok: true })
}

/** Are cancelled, stopped and paused from anywhere. */
async function turnsAreEndedFromAnywhere(a: Node, b: Node): Promise<void> {
  await addAgent(a, 'dan', 'echo started; exec sleep 100', 'wake: events\n')
  const runs = beginTurn(b.port, { message: 'one' }, 'dan')
  await expect.poll(() => runs.events.map(({ type }) => type)).toContain('start')
  const waits = beginTurn(b.port, { message: 'two' }, 'dan')
  const cancelled = await call(b.port, 'DELETE', `/turns/${await waits.turnId}`)
  expect(cancelled.json).toMatchObject({ state: 'cancelled' })
  const ended = await call(b.port, 'DELETE', `/turns/${await runs.turnId}`)
  const byHand = expect.stringMatching(/^The turn was cancelled: by hand /) as string
  expect(ended.json).toMatchObject({ state: 'cancelled', code: 'CANCELLED', result: { error: byHand } })
  await Promise.all([runs.ended, waits.ended])
  expect(runs.events.at(-1)).toMatchObject({ type: 'result', ok: false, code: 'CANCELLED' })
  expect((await call(b.port, 'POST', '/agents/dan/pause')).json).toMatchObject({ paused: true })
  await expect
    .poll(async () => ((await call(a.port, 'GET', '/agents/dan')).json as { paused: boolean }).paused, {
      timeout: 2_000,
    })
    .toBe(true)
  await call(b.port, 'POST', await webhookOf(b.port, 'dan'), { body: 'while paused' })
  expect((await call(b.port, 'POST', '/agents/dan/resume')).json).toMatchObject({ paused: false })
  await expect.poll(async () => (await call(b.port, 'GET', '/agents/dan')).json).toMatchObject({ running: 1 })
  expect((await call(b.port, 'POST', '/agents/dan/stop')).json).toMatchObject({ cancelled: 1, paused: true })
  expect((await call(a.port, 'GET', '/agents/dan')).json).toMatchObject({ running: 0, waiting: 0, node: 'a' })
  const [last] = await turnsOf(a.port, '', 'dan')
  const byStop = 'The turn was cancelled: its agent was stopped (string agent stop).'
  expect(last).toMatchObject({ state: 'cancelled', result: { error: byStop } })
}

/** A turn that failed, an event that waits for its next try, and one that was stopped are tried again from anywhere. */
async function turnsAreTriedAgainFromAnywhere(a: Node, b: Node): Promise<void> {
  const home = await addAgent(a, 'jon', 'test -e mended || { echo broken >&2; exit 3; }; echo well', 'wake: events\n')
  const failed = beginTurn(b.port, { message: 'now' }, 'jon')
  await failed.ended
  expect(failed.events.at(-1)).toMatchObject({ type: 'result', ok: false, code: 'EXIT_3' })
  const eventId = await postEvent(b.port, 'an event', 'jon')
  const eventTurn = async (): Promise<TurnView> => {
    const [turn] = await turnsOf(b.port, '?session=events', 'jon')
    return turnOf(b, turn?.turn_id ?? '')
  }
  await expect.poll(eventTurn).toMatchObject({ state: 'queued', attempt: 2, tries: [{ reason: 'broken' }] })

  writeFileSync(join(home, 'mended'), '')
  const again = await call(b.port, 'POST', `/turns/${await failed.turnId}/retry`)
  const { turn_id } = again.json as { turn_id: string }
  expect(turn_id).not.toBe(await failed.turnId)
  await expect.poll(() => turnOf(b, turn_id)).toMatchObject({ state: 'done', node: 'a', result: { reply: 'well' } })
  // Its next try would be later.
  expect((await call(b.port, 'POST', `/events/${eventId}/retry?agent_id=jon`)).status).toBe(200)
  await expect.poll(eventTurn).toMatchObject({ state: 'done', attempt: 2, tries: [{ reason: 'broken' }] })

  rmSync(join(home, 'mended'))
  await postEvent(b.port, 'another event', 'jon')
  await expect.poll(eventTurn).toMatchObject({ state: 'queued', attempt: 2 })
  await call(b.port, 'POST', '/agents/jon/stop')
  expect(await eventTurn()).toMatchObject({ state: 'cancelled' })
  writeFileSync(join(home, 'mended'), '')
  await call(b.port, 'POST', '/agents/jon/resume')
  expect((await call(b.port, 'POST', `/turns/${(await eventTurn()).turn_id}/retry`)).status).toBe(200)
  await expect
    .poll(eventTurn)
    .toMatchObject({ state: 'done', tries: [{ code: 'EXIT_3', reason: 'broken' }, { code: 'CANCELLED' }] })
}

/** Whoever watches one node hears of turns, questions and nodes of the others, and answers are heard there. */
async function changesAreSeenEverywhere(a: Node, b: Node): Promise<void> {
  await addAgent(a, 'kay', ASKING_AGENT, ASKING_KEYS)
  const watched = listen(b.port, 'GET', '/watch')
  const heard = (change: object): Promise<void> =>
    expect.poll(() => watched.events).toContainEqual(expect.objectContaining({ type: 'change', ...change }))
  await expect.poll(() => watched.events[0]).toMatchObject({ type: 'ready' })
  const states = listen(b.port, 'GET', '/turns/watch?agent_id=kay')
  await expect.poll(() => states.events[0]).toMatchObject({ type: 'ready' })
  const asked = beginTurn(a.port, { message: 'make all' }, 'kay')
  const { id } = await waitingApproval(b.port)
  await heard({ kind: 'turn', id: await asked.turnId, agent_id: 'kay' })
  await heard({ kind: 'approval', id, agent_id: 'kay' })
  expect(await turnOf(b, await asked.turnId)).toMatchObject({ state: 'waiting', approvals: [{ id }] })
  expect((await answerApproval(b.port, id, { answer: 'deny', by: 'kim' })).status).toBe(200)
  await asked.ended
  expect(asked.events.at(-1)).toMatchObject({ type: 'result', ok: true, reply: 'deny' })
  expect((await answerApproval(a.port, id, { answer: 'allow' })).status).toBe(409)
  await expect
    .poll(() => states.events.at(-1))
    .toMatchObject({ type: 'turn', state: 'done', result: { reply: 'deny' } })
  states.leave()
  watched.events.length = 0
  const path = await webhookOf(a.port, 'kay')
  await call(a.port, 'POST', path, { body: 'an event' })
  await call(a.port, 'POST', '/fleet/drain')
  await heard({ kind: 'node', id: 'a' })
  await call(a.port, 'POST', '/fleet/resume')
  await call(a.port, 'DELETE', '/agents/kay')
  await heard({ kind: 'event', agent_id: 'kay' })
  await heard({ kind: 'agent', id: 'kay' })
  watched.leave()
  await watched.ended
}

/** A message that could not be sent is sent by the node of its agent, whoever asks for it. */
async function messagesAreSentWhereTheAgentLives(a: Node, b: Node): Promise<void> {
  const home = await addAgent(a, 'lea', 'echo ok')
  const port = await freePort()
  const target = `hook: { type: webhook, targets: { team: "http://127.0.0.1:${port}/" } }\n`
  writeFileSync(join(home, '.string/channels.yaml'), target)
  const text = '<𝒞=hook:team>\nhello\n</𝒞>'
  await call(a.port, 'POST', '/chanflow', { headers: { 'X-Agent-Id': 'lea' }, body: { text } })
  const listed = async (): Promise<readonly DeliveryView[]> =>
    ((await call(b.port, 'GET', '/deliveries?agent_id=lea')).json as { deliveries: DeliveryView[] }).deliveries
  await expect.poll(listed).toMatchObject([{ state: 'waiting', tries: 1 }])
  const got: string[] = []
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => got.push(chunk))
    request.on('end', () => response.end())
  }).listen(port, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  const [delivery] = await listed()
  expect((await call(b.port, 'POST', `/deliveries/${delivery?.id}/retry`)).status).toBe(200)
  await expect.poll(listed).toMatchObject([{ state: 'sent', tries: 2 }])
  expect(got).toHaveLength(1)
}

/** Drain takes no new turns, and resume does. */
async function nodesDrain(a: Node, b: Node): Promise<void> {
  await addAgent(a, 'eve', 'echo ok')
  expect((await call(a.port, 'POST', '/fleet/drain')).json).toMatchObject({ node: 'a' })
  expect(await stateOf(b, 'a')).toBe('draining')
  const waiting = [beginTurn(b.port, { message: 'x' }, 'eve'), beginTurn(a.port, { message: 'y' }, 'eve')]
  for (const { turnId } of waiting) expect(await turnOf(a, await turnId)).toMatchObject({ state: 'queued' })
  expect((await nodesOf(b)).find(({ name }) => name === 'a')).toMatchObject({ running: 0, waiting: 2 })
  await call(a.port, 'POST', '/fleet/resume')
  for (const heard of waiting) {
    await heard.ended
    expect(heard.events.at(-1)).toMatchObject({ type: 'result', ok: true })
  }
}

/** An agent moves with its events, token, sessions and what waits. */
async function agentsMove(a: Node, b: Node): Promise<void> {
  const home = await addAgent(a, 'fay', 'echo "$AGENT_MESSAGE on $STRING_DATA_DIR"', 'wake: events\n')
  const path = await webhookOf(a.port, 'fay')
  await call(a.port, 'POST', '/agents/fay/pause')
  await call(b.port, 'POST', path, { body: 'pending' })
  const there = join(b.dir, 'fay')
  const early = await call(b.port, 'POST', '/fleet/move', { body: { agent_id: 'fay', home: there } })
  expect(early.status).toBe(409)
  expect(early.text).toContain('is not on this node')
  cpSync(home, there, { recursive: true })
  const moved = await call(b.port, 'POST', '/fleet/move', { body: { agent_id: 'fay', home: there } })
  expect(moved.json).toMatchObject({ agent_id: 'fay', from: 'a', to: 'b', home: there })
  expect((await exec(b.port, '/info', { agent: 'fay' })).content).toContain('agent: fay')
  await expect
    .poll(
      async () =>
        (await call(a.port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'fay' }, body: { cmd: '/info' } })).status,
    )
    .toBe(409)
  expect(await webhookOf(b.port, 'fay')).toBe(path)
  await call(b.port, 'POST', '/agents/fay/resume')
  await expect
    .poll(async () => (await call(a.port, 'GET', '/agents/fay/turns')).json)
    .toMatchObject({ turns: [{ state: 'done', message: 'pending' }] })
  expect((await call(b.port, 'GET', '/agents/fay')).json).toMatchObject({ node: 'b', running: 0 })
  const twice = await call(b.port, 'POST', '/fleet/move', { body: { agent_id: 'fay' } })
  expect(twice.json).toMatchObject({ from: 'b', to: 'b', home: there })
}

/** Turns of an agent that any node may run go where there is room, one at a time in a session. */
async function anyNodeMayRun(a: Node, b: Node): Promise<void> {
  const home = join(tempDir(), 'gus')
  mkdirSync(home)
  giveProfile(
    home,
    '[ "$AGENT_MESSAGE" = long ] && { echo \'AGENT_PARTIAL: "begun"\'; exec sleep 300; }; exec 9>"lock-$AGENT_SESSION_NAME"; flock -n 9 || echo overlap >> overlaps; echo "$STRING_DATA_DIR" >> nodes; sleep 0.5; echo ok',
    'placement: any\n',
  )
  expect((await call(a.port, 'POST', '/agents', { body: { agent_id: 'gus', home } })).status).toBe(200)
  const ran = (): string[] => readFileSync(join(home, 'nodes'), 'utf8').split('\n').filter(Boolean)
  const all = async (amount: number, from: (index: number) => Node): Promise<void> => {
    const asked = Array.from({ length: amount }, (_, index) =>
      beginTurn(from(index).port, { message: `m${index}`, session: `s${index % 10}` }, 'gus'),
    )
    await Promise.all(asked.map(({ ended }) => ended))
    for (const { events } of asked) expect(events.at(-1)).toMatchObject({ type: 'result', ok: true })
  }
  await all(12, () => a)
  expect(ran()).toHaveLength(12)
  // Its own node takes none: the other one has room.
  await call(a.port, 'POST', '/fleet/drain')
  await all(12, (index) => (index % 2 === 0 ? a : b))
  expect(ran().slice(12)).toEqual(Array(12).fill(b.dataDir))
  const long = beginTurn(a.port, { message: 'long' }, 'gus')
  await expect.poll(() => long.events, { timeout: 10_000 }).toContainEqual({ type: 'partial', text: 'begun' })
  expect((await call(a.port, 'DELETE', `/turns/${await long.turnId}`)).json).toMatchObject({
    state: 'cancelled',
    node: 'b',
  })
  await long.ended
  await call(a.port, 'POST', '/fleet/resume')
  expect(existsSync(join(home, 'overlaps'))).toBe(false)
}

/** `string fleet` shows it, and an answer to a question is heard wherever it was given. */
async function theCommandLineShowsIt(a: Node, b: Node): Promise<void> {
  const envOf = ({ dir, dataDir }: Node): NodeJS.ProcessEnv => ({
    ...process.env,
    HOME: dir,
    STRING_HOME: dir,
    STRING_DATA_DIR: dataDir,
  })
  const run = (node: Node, args: string[]): ReturnType<typeof runProgram> =>
    runProgram(process.execPath, [STRING, ...args], { cwd: node.dir, env: envOf(node) })
  const shown = await run(b, ['fleet'])
  expect(shown.stdout).toMatch(/^NODE +STATE +HEARTBEAT +AGENTS/)
  expect(shown.stdout).toMatch(/\nb \* +up /)
  const [first] = JSON.parse((await run(b, ['fleet', '--json'])).stdout) as object[]
  expect(Object.keys(first ?? {}).toSorted()).toEqual(
    [
      'name',
      'id',
      'state',
      'heartbeat_age_s',
      'agents',
      'running',
      'waiting',
      'oldest_waiting_s',
      'version',
      'here',
    ].toSorted(),
  )
  const following = spawn(process.execPath, [STRING, 'fleet', '--follow'], { cwd: b.dir, env: envOf(b) })
  let told = ''
  following.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    told += chunk
  })
  await expect.poll(() => told).toMatch(/^a +up /m)
  expect((await run(a, ['fleet', 'drain'])).status).toBe(0)
  expect(await stateOf(b, 'a')).toBe('draining')
  await expect.poll(() => told).toMatch(/^a +draining /m)
  following.kill('SIGINT')
  await once(following, 'close')
  expect((await run(a, ['fleet', 'resume', '--json'])).status).toBe(0)
  const wrong = await run(b, ['fleet', 'move', 'bob', 'a'])
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('This node is b')])
  const home = await addAgent(a, 'hal', 'echo begun; exec sleep 300')
  const ended = beginTurn(b.port, { message: 'for long' }, 'hal')
  await expect.poll(() => processesOf(home).length).toBe(1)
  const moved = await run(b, ['fleet', 'move', 'hal', 'b', '--home', home, '--now'])
  expect([moved.status, moved.stdout]).toEqual([0, expect.stringContaining('hal lives on b now')])
  await ended.ended
  expect(ended.events.at(-1)).toMatchObject({ type: 'result', ok: false, code: 'CANCELLED' })
  expect(await turnOf(b, await ended.turnId)).toMatchObject({ state: 'interrupted', lost_runs: [{ node: 'a' }] })
  expect((await call(b.port, 'GET', '/usage?by=agent')).json).toMatchObject({
    usage: expect.arrayContaining([expect.objectContaining({ agent_id: 'hal', turns: 1, failed: 1 })]) as unknown,
  })
  await expect.poll(() => processesOf(home)).toEqual([])
  expect((await call(a.port, 'GET', '/agents/hal')).json).toMatchObject({ node: 'b' })

  await addAgent(a, 'ida', ASKING_AGENT, ASKING_KEYS)
  const asked = beginTurn(b.port, { message: 'may I?' }, 'ida')
  const approval = await waitingApproval(b.port)
  expect((await answerApproval(b.port, approval.id, { answer: 'allow', by: 'kim' })).status).toBe(200)
  await asked.ended
  expect(asked.events.filter(({ type }) => type === 'approval')).not.toEqual([])
  expect(asked.events.at(-1)).toMatchObject({ type: 'result', ok: true, reply: 'allow' })
}
