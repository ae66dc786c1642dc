import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ASKING_AGENT,
  ASKING_KEYS,
  answerApproval,
  waitingApproval,
} from '../../packages/stringd/test/support/approvals.ts'
import { beginTurn, giveProfile, webhookOf } from '../../packages/stringd/test/support/turns.ts'
import { failStringd } from '../faults/support/stringd.ts'
import { run as runProgram, STRING } from '../support/cli.ts'
import { addAgent, addPlainAgent, type Node, nodesOf, startNode, stateOf, turnOf } from '../support/fleet.ts'
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
    await nodesDrain(a, b)
    await agentsMove(a, b)
    await anyNodeMayRun(a)
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
  expect(ended.json).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
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
}

/** Turns of an agent that any node may run go where there is room, one at a time in a session. */
async function anyNodeMayRun(a: Node): Promise<void> {
  const home = join(tempDir(), 'gus')
  mkdirSync(home)
  giveProfile(
    home,
    'exec 9>"lock-$AGENT_SESSION_NAME"; flock -n 9 || echo overlap >> overlaps; basename "$(dirname "$STRING_DATA_DIR")" >> nodes; sleep 2; echo ok',
    'placement: any\n',
  )
  expect((await call(a.port, 'POST', '/agents', { body: { agent_id: 'gus', home } })).status).toBe(200)
  const asked = Array.from({ length: 12 }, (_, index) =>
    beginTurn(a.port, { message: `m${index}`, session: `s${index % 10}` }, 'gus'),
  )
  await Promise.all(asked.map(({ ended }) => ended))
  for (const { events } of asked) expect(events.at(-1)).toMatchObject({ type: 'result', ok: true })
  expect(existsSync(join(home, 'overlaps'))).toBe(false)
  expect(readFileSync(join(home, 'nodes'), 'utf8').split('\n').filter(Boolean)).toHaveLength(12)
}

/** `string fleet` shows it, and an answer to a question is heard wherever it was given. */
async function theCommandLineShowsIt(a: Node, b: Node): Promise<void> {
  const run = (node: Node, args: string[]): ReturnType<typeof runProgram> =>
    runProgram(process.execPath, [STRING, ...args], {
      cwd: node.dir,
      env: { ...process.env, HOME: node.dir, STRING_HOME: node.dir, STRING_DATA_DIR: node.dataDir },
    })
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
  expect((await run(a, ['fleet', 'drain'])).status).toBe(0)
  expect(await stateOf(b, 'a')).toBe('draining')
  expect((await run(a, ['fleet', 'resume', '--json'])).status).toBe(0)
  const wrong = await run(b, ['fleet', 'move', 'bob', 'a'])
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('This node is b')])

  await addAgent(a, 'ida', ASKING_AGENT, ASKING_KEYS)
  const asked = beginTurn(b.port, { message: 'may I?' }, 'ida')
  const approval = await waitingApproval(b.port)
  expect((await answerApproval(b.port, approval.id, { answer: 'allow', by: 'kim' })).status).toBe(200)
  await asked.ended
  expect(asked.events.filter(({ type }) => type === 'approval')).not.toEqual([])
  expect(asked.events.at(-1)).toMatchObject({ type: 'result', ok: true, reply: 'allow' })
}
