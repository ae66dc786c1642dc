import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentRow, DeliveryDetail, DeliveryView, InboxItem, OverviewView, SessionShown } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, beginTurn, giveProfile, postEvent } from '../support/turns.ts'

async function get<T>(port: number, path: string): Promise<T> {
  const { status, json, text } = await call(port, 'GET', path)
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`)
  return json as T
}

async function agentRow(port: number, id = 'default'): Promise<AgentRow | undefined> {
  return (await get<{ agents: AgentRow[] }>(port, '/agents')).agents.find((agent) => agent.id === id)
}

describe('GET /agents', () => {
  it('tells of each agent what it does: idle, running which turn since when, failing, silent since, what waits', async () => {
    const { port, home } = await startTestDaemon()
    expect(await agentRow(port)).toMatchObject({ state: 'idle', has_profile: false, turn: null, silent_since: null })
    giveProfile(home, 'read -r message < <(echo "$AGENT_MESSAGE"); [ "$AGENT_MESSAGE" = fail ] && exit 3; sleep 30')
    const running = beginTurn(port, { message: 'go on' })
    const turnId = await running.turnId
    await expect.poll(async () => (await agentRow(port))?.state).toBe('running')
    expect(await agentRow(port)).toMatchObject({
      running: 1,
      waiting: 0,
      turn: { turn_id: turnId, session: 'default', state: 'running', message: 'go on' },
      silent_since: null,
    })
    await postEvent(port, 'something')
    await call(port, 'POST', '/agents/default/stop')
    await running.ended
    giveProfile(home, 'exit 3')
    const { turnId: failed } = await askTurn(port, { message: 'fail' })
    const row = await agentRow(port)
    expect(row).toMatchObject({ state: 'failing', paused: true, pending_events: 1, approvals: 0, has_profile: true })
    expect(row?.last_turn).toMatchObject({ turn_id: failed, state: 'failed', code: 'EXIT_3' })
    expect(row?.silent_since).toBe(row?.last_turn?.ended_at)
    expect(await get(port, '/agents/default')).toMatchObject({ ...row, wake: null, problem: null })
  })

  it('has windows: the last ones, and those before one', async () => {
    const { port } = await startTestDaemon()
    for (const id of ['a', 'b', 'c']) await call(port, 'POST', '/agents', { body: { agent_id: id } })
    const ids = async (query: string): Promise<string[]> =>
      (await get<{ agents: AgentRow[] }>(port, `/agents${query}`)).agents.map(({ id }) => id)
    expect(await ids('')).toEqual(['default', 'a', 'b', 'c'])
    expect(await ids('?limit=2')).toEqual(['b', 'c'])
    expect(await ids('?limit=2&before=b')).toEqual(['default', 'a'])
    expect(await ids('?limit=2&before=nobody')).toEqual([])
    expect((await call(port, 'GET', '/agents?limit=0')).status).toBe(400)
  })

  it('puts first who needs somebody, finds by a part of the name and by the state, and counts over all', async () => {
    const { port, home } = await startTestDaemon()
    const profile = giveProfile(
      home,
      '[ "$AGENT_MESSAGE" = fail ] && exit 3; [ "$AGENT_MESSAGE" = hold ] && sleep 30; exit 0',
    )

    for (const id of ['zoe', 'Ann', 'bob', 'cid'])
      await call(port, 'POST', '/agents', { body: { agent_id: id, profile } })
    const list = async (query: string): Promise<AgentRow[]> =>
      (await get<{ agents: AgentRow[] }>(port, `/agents?order=state${query}`)).agents
    const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id)
    const seen = (): Promise<OverviewView> => get<OverviewView>(port, '/overview')
    expect(await seen()).toMatchObject({ agents: { all: 5, idle: 5, running: 0 }, running: [], failing: [] })
    const running = beginTurn(port, { message: 'hold' }, 'zoe')
    await running.turnId
    await askTurn(port, { message: 'fail' }, 'cid')
    await postEvent(port, 'something', 'bob')
    await call(port, 'POST', '/agents/bob/pause')
    await expect.poll(() => ids('')).toEqual(['zoe', 'cid', 'Ann', 'bob', 'default'])
    expect(await ids('&limit=2')).toEqual(['zoe', 'cid'])
    expect(await ids('&limit=2&before=cid')).toEqual(['Ann', 'bob'])
    expect(await ids('&before=nobody')).toEqual([])
    expect(await ids('&named=an')).toEqual(['Ann'])
    expect(await ids('&state=paused')).toEqual(['bob'])
    expect(await ids('&state=idle&named=B')).toEqual(['bob'])
    expect(await ids('&all=1')).toEqual(['zoe', 'cid', 'Ann', 'bob', 'default'])
    const some = (await get<{ agents: AgentRow[] }>(port, '/agents?state=idle&limit=2')).agents
    expect(some.map(({ id }) => id)).toEqual(['Ann', 'bob'])
    const overview = await seen()
    expect(overview).toMatchObject({
      agents: { all: 5, waiting: 0, running: 1, failing: 1, idle: 3, paused: 1 },
      approvals: 0,
      pending_events: 1,
      running: [{ id: 'zoe', turn: { message: 'hold' } }],
      failing: [{ id: 'cid', last_turn: { code: 'EXIT_3' } }],
    })
    expect(overview.running).toEqual(await list('&state=running'))
    // What changes is seen at once, also of agents that were looked at before.
    await askTurn(port, { message: 'well' }, 'cid')
    await call(port, 'POST', '/agents/zoe/stop')
    await running.ended
    expect(await seen()).toMatchObject({ agents: { running: 0, failing: 0, idle: 5, paused: 2 }, failing: [] })
    await call(port, 'DELETE', '/agents/bob')
    expect(await seen()).toMatchObject({ agents: { all: 4 }, pending_events: 0 })
    const byName = (await get<{ agents: AgentRow[] }>(port, '/agents?order=name&limit=2&before=Ann')).agents
    expect(byName.map(({ id }) => id)).toEqual(['cid', 'default'])
    for (const wrong of ['order=age', 'state=asleep', 'order=state&limit=0'])
      expect((await call(port, 'GET', `/agents?${wrong}`)).status).toBe(400)
  })

  it('checks what would be registered, and registers nothing', async () => {
    const { port, dir } = await startTestDaemon()
    const profile = join(dir, 'p.yaml')
    writeFileSync(profile, 'comand: x\n')
    const body = { agent_id: 'new', profile, check: true }
    expect(await call(port, 'POST', '/agents', { body })).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining(':1:') as string },
    })
    writeFileSync(profile, 'command: /bin/cat\n')
    expect((await call(port, 'POST', '/agents', { body })).json).toMatchObject({ agent_id: 'new', created: true })
    expect(await agentRow(port, 'new')).toBeUndefined()
    expect((await call(port, 'POST', '/agents', { body: { ...body, check: 'yes' } })).status).toBe(400)
  })
})

describe('the inbox', () => {
  it('is listed over all agents, read, acknowledged, and given to the agent again', async () => {
    const { port, home } = await startTestDaemon()
    await call(port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    const first = await postEvent(port, 'x'.repeat(1_000))
    const second = await postEvent(port, 'for bob', 'bob')
    const third = await postEvent(port, 'the last')
    const list = async (query: string): Promise<readonly InboxItem[]> =>
      (await get<{ events: InboxItem[] }>(port, `/events${query}`)).events
    const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id)
    expect(await ids('')).toEqual([third, second, first])
    expect(await ids('?agent_id=default&limit=1')).toEqual([third])
    expect(await ids(`?before=${third}&limit=1`)).toEqual([second])
    const [item] = await list(`?before=${second}`)
    expect(item).toMatchObject({ id: first, agent_id: 'default', source: 'local-webhook', bytes: 1_000, turn: null })
    expect(item?.text.length).toBeLessThan(300)
    expect((await get<InboxItem>(port, `/events/${first}`)).text).toHaveLength(1_000)
    const acked = await call(port, 'POST', `/events/${first}/ack`)
    expect(acked.json).toMatchObject({ id: first, state: 'acked', acked_at: expect.any(String) as string })
    expect(await ids('?state=acked')).toEqual([first])
    expect(await ids('?state=pending')).toEqual([third, second])
    expect(await call(port, 'POST', `/events/${third}/retry`)).toMatchObject({
      status: 409,
      json: { error: 'NO_PROFILE' },
    })
    giveProfile(home, 'echo done')
    expect((await call(port, 'POST', `/events/${third}/retry`)).status).toBe(200)
    await expect.poll(async () => (await get<InboxItem>(port, `/events/${third}`)).turn?.state).toBe('done')
    expect(await get<InboxItem>(port, `/events/${third}`)).toMatchObject({
      state: 'acked',
      turn: { attempt: 1, code: null },
    })
    expect((await call(port, 'GET', '/events/evt_none')).status).toBe(404)
    expect((await call(port, 'GET', `/events/${second}?agent_id=default`)).status).toBe(404)
    for (const query of ['state=odd', 'limit=1000', 'agent_id=a/b'])
      expect((await call(port, 'GET', `/events?${query}`)).status, query).toBe(400)
  })
})

describe('the outbox', () => {
  it('is listed from a place on, read, and tried again', async () => {
    const { port, home } = await startTestDaemon()
    mkdirSync(join(home, '.string'))
    writeFileSync(
      join(home, '.string/channels.yaml'),
      'hook: { type: webhook, targets: { x: "http://127.0.0.1:1/" } }\n',
    )
    for (const text of ['one', 'two'])
      await call(port, 'POST', '/chanflow', {
        headers: { 'X-Agent-Id': 'default' },
        body: { text: `<𝒞=hook:x>${text}</𝒞>` },
      })
    const list = async (query = ''): Promise<readonly DeliveryView[]> =>
      (await get<{ deliveries: DeliveryView[] }>(port, `/deliveries${query}`)).deliveries
    const [newest, oldest] = await list()
    expect(await list(`?before=${newest?.id}`)).toEqual([oldest])
    expect(await list('?limit=1')).toEqual([newest])
    expect(await list('?state=waiting')).toEqual([newest, oldest])
    expect(await list('?state=failed')).toEqual([])
    expect(await call(port, 'GET', '/deliveries?state=lost')).toMatchObject({
      status: 400,
      json: { error: '"state" is one of trying, waiting, sent, failed' },
    })
    expect(await get<DeliveryDetail>(port, `/deliveries/${oldest?.id}`)).toEqual({ ...oldest, text: 'one' })
    expect(oldest).toMatchObject({ state: 'waiting', tries: 1 })
    expect((await call(port, 'POST', `/deliveries/${oldest?.id}/retry`)).status).toBe(200)
    await expect.poll(async () => (await get<DeliveryDetail>(port, `/deliveries/${oldest?.id}`)).tries).toBe(2)
    expect((await call(port, 'POST', '/deliveries/dlv_none/retry')).status).toBe(404)
  })
})

describe('GET /sessions/:agent_id/:topic', () => {
  it('shows what the topic shows: the page with its tokens, and changes nothing', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '# Title\n\nHello *you* <b>\n')
    await exec(port, '/open a.md')
    await exec(port, '/exec true')
    const shown = await get<SessionShown>(port, '/sessions/default/main')
    expect(shown).toMatchObject({ topic: 'main', format: 'markdown', meta: { title: 'Title' }, screen: null })
    expect(shown.text).toContain('Hello *you*')
    expect(shown.tokens?.map(({ type }) => type)).toEqual([
      'heading_open',
      'inline',
      'heading_close',
      'paragraph_open',
      'inline',
      'paragraph_close',
    ])
    expect(shown.tokens?.[4]?.children).toContainEqual({ type: 'text', nesting: 0, content: ' <b>' })
    expect((await exec(port, '/back')).head.ok).toBe(false)
    expect((await call(port, 'GET', '/sessions/default/none')).status).toBe(404)
    expect((await call(port, 'GET', '/sessions/nobody/main')).status).toBe(404)
    expect(await get(port, '/sessions/default/main')).toEqual(shown)
  })

  it('of bash is the screen, also while something runs that nobody waits for', async () => {
    const { port } = await startTestDaemon({ shellWaitMs: 300 })
    await exec(port, 'echo first; cd /', { topic: 'bash:b' })
    await exec(port, 'echo begun; sleep 30', { topic: 'bash:b' })
    const shown = await get<SessionShown>(port, '/sessions/default/bash:b')
    expect(shown.text).toBe('$ echo first; cd /\nfirst\n$ echo begun; sleep 30\nbegun\n'.trimEnd())
    expect(shown).toMatchObject({
      format: 'text',
      tokens: null,
      screen: { cwd: '/', running: { command: 'echo begun; sleep 30' } },
    })
    await call(port, 'DELETE', '/sessions/default/bash:b')
  })

  it('the list has windows', async () => {
    const { port } = await startTestDaemon()
    for (const topic of ['a', 'b', 'c']) await call(port, 'POST', '/sessions', { body: { agent_id: 'default', topic } })
    const topics = async (query: string): Promise<string[]> =>
      (await get<{ sessions: { topic: string }[] }>(port, `/sessions${query}`)).sessions.map(({ topic }) => topic)
    expect(await topics('?limit=2')).toEqual(['b', 'c'])
    expect(await topics('?agent_id=default&limit=1&before=default/c')).toEqual(['b'])
  })
})

describe('GET /agents/:id/webhook?peek=1', () => {
  it('makes none and shows no secret', async () => {
    const { port } = await startTestDaemon()
    const peek = '/agents/default/webhook?peek=1'
    expect(await get(port, peek)).toEqual({ agent_id: 'default', webhook_url: null, masked: true })
    const { webhook_url } = await get<{ webhook_url: string }>(port, '/agents/default/webhook')
    const masked = await get<{ webhook_url: string }>(port, peek)
    expect(masked.webhook_url).toMatch(/\/webhook\/wh_…[\w-]{4}$/)
    expect(webhook_url).not.toBe(masked.webhook_url)
    expect((await call(port, 'GET', '/agents/nobody/webhook?peek=1')).status).toBe(404)
  })
})
