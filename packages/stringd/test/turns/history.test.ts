import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, SseParser, type TurnSummary } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { keyHeader } from '../../../../test/support/keys.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import type { TurnRow } from '../../src/store/groups/turns.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { endedResult } from '../../src/turns/after-run.ts'
import { newTurn } from '../../src/turns/new-turn.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { ownTurns } from '../support/own-turns.ts'
import { askTurn, beginTurn, giveProfile, postEvent, turnOf, turnsOf, untilState } from '../support/turns.ts'

const DAY = 24 * 3_600_000

describe('the history of turns', () => {
  it('is there after a restart, with steps, text, reasons and what the agent said on standard error', async () => {
    const { port, home, dir, stop } = await startTestDaemon()
    const script = `echo "on stderr" >&2; echo 'AGENT_PARTIAL:"so far"'
[ "$AGENT_MESSAGE" = bad ] && exit 3
[ -z "$AGENT_SESSION_ID" ] && { echo AGENT_SESSION:x; printf 'text\\n<𝒞=string:main>\\n/info\\n</𝒞>\\n'; exit; }
echo answer`
    giveProfile(home, script, 'chanflow: true\nprimer: false\n')
    const good = await askTurn(port, { message: 'good', from: 'ada', request_id: 'r' })
    const bad = await askTurn(port, { message: 'bad' })
    const before = await Promise.all([good, bad].map(({ turnId }) => turnOf(port, turnId)))
    await stop()
    const again = await startTestDaemon({ dir })
    expect(await Promise.all([good, bad].map(({ turnId }) => turnOf(again.port, turnId)))).toEqual(before)
    const [one, other] = before
    expect(one).toMatchObject({
      agent_id: 'default',
      session: 'default',
      from: 'ada',
      source: 'person',
      event_id: null,
      request_id: 'r',
      message: 'good',
      state: 'done',
      code: null,
      attempt: 1,
      partial: 'so farso far',
      stderr: 'on stderr\n',
      result: { ok: true, reply: 'answer', session_id: 'x', exit_code: 0 },
    })
    expect(one?.steps.map(({ blocks }) => blocks.map(({ cmd }) => cmd))).toEqual([['/info']])
    expect(other).toMatchObject({ state: 'failed', code: 'EXIT_3', stderr: 'on stderr\n', result: { exit_code: 3 } })
    for (const { created_at, started_at, ended_at } of before) {
      expect(Date.parse(started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(created_at))
      expect(Date.parse(ended_at ?? '')).toBeGreaterThanOrEqual(Date.parse(started_at ?? ''))
    }
  })

  it('lists newest first, by session, state, time and place, without what only one turn shows', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, '[ "$AGENT_MESSAGE" = bad ] && exit 1; echo ok')
    const ids: string[] = []
    for (const [message, session] of [
      ['a', 'one'],
      ['bad', 'two'],
      ['c', 'one'],
    ] as const)
      ids.push((await askTurn(port, { message, session })).turnId)
    const listed = async (query: string): Promise<string[]> =>
      (await turnsOf(port, query)).map(({ turn_id }) => turn_id)
    const [first = '', second = '', third = ''] = ids
    expect(await listed('')).toEqual([third, second, first])
    expect(await listed('?session=one')).toEqual([third, first])
    expect(await listed('?state=failed')).toEqual([second])
    expect(await listed('?limit=1')).toEqual([third])
    expect(await listed(`?before=${second}`)).toEqual([first])
    expect(await listed(`?since=${(await turnOf(port, second)).created_at}`)).toEqual([third, second])
    const [turn] = await turnsOf(port)
    for (const key of ['steps', 'partial', 'stderr']) expect(turn).not.toHaveProperty(key)
    expect(((await call(port, 'GET', '/turns?agent_id=default')).json as { turns: TurnSummary[] }).turns).toHaveLength(
      3,
    )
    for (const query of ['?state=odd', '?limit=0', '?limit=201', '?since=odd'])
      expect((await call(port, 'GET', `/agents/default/turns${query}`)).status).toBe(400)
    expect((await call(port, 'GET', '/agents/nobody/turns')).status).toBe(404)
  })

  it('what waits survives a restart and runs; what ran is interrupted, and its process is gone', async () => {
    const { port, home, dir, stop } = await startTestDaemon()
    giveProfile(home, 'echo "$AGENT_MESSAGE" >> log; echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo ok')
    const ids = []
    const first = beginTurn(port, { message: 'a' })
    ids.push(await first.turnId)
    for (const message of ['b', 'c']) ids.push(await beginTurn(port, { message }).turnId)
    const [running = '', second = '', third = ''] = ids
    await untilState(port, running, 'running')
    await stop()
    await first.ended
    expect(first.events.at(-1)).toMatchObject({
      code: 'CANCELLED',
      error: 'The daemon was stopped while the turn ran.',
    })
    writeFileSync(join(home, 'go'), '')
    const again = await startTestDaemon({ dir })
    expect(await turnOf(again.port, running)).toMatchObject({
      state: 'interrupted',
      code: 'CANCELLED',
      result: { error: 'The daemon was stopped while the turn ran.' },
    })
    await untilState(again.port, third, 'done')
    await untilState(again.port, second, 'done')
    expect(readFileSync(join(home, 'log'), 'utf8')).toBe('a\nb\nc\n')
  })

  it('is bounded by age and by number', async () => {
    const dir = tempDir()
    const log = createLog(() => undefined)
    const clock = new TestClock()
    const store = openSqlite(join(dir, 'state.db'), { log, now: clock.now })
    onTestFinished(() => store.close())
    const agent = { id: 'a', home: dir, allowedPaths: [], createdAt: '' }
    giveProfile(dir, 'echo ok')
    const end = { result: endedResult('EXIT_1', 'it failed'), stderr: '', usage: { duration_ms: 0 } }
    const turns = ownTurns(store, clock, { agent, run: () => Promise.resolve(end) })
    await turns.start()
    onTestFinished(() => turns.stop())
    const ended = (id: number, endedAt: number): TurnRow => ({
      ...newTurn(`trn_${String(id).padStart(8, '0')}`, 'a', 's', ''),
      state: 'done',
      endedAt: new Date(endedAt).toISOString(),
    })
    const old = clock.now() - LIMITS.turnKeepMs
    for (let id = 0; id < 5; id += 1) await store.turns.add(ended(id, old - 1))
    await store.turns.add(ended(5, old))
    await turns.prune()
    expect(await store.turns.byId('trn_00000004')).toBeNull()
    expect(await store.turns.byId('trn_00000005')).not.toBeNull()
    await Promise.all(Array.from({ length: LIMITS.turnsKept }, (_, id) => store.turns.add(ended(id + 6, clock.now()))))
    const asked = { message: 'one more', session: '', from: '', attachments: [], requestId: null }
    const taken = await turns.ask(agent, asked)
    await expect.poll(async () => (await turns.get(taken.ok ? taken.turnId : ''))?.state).toBe('failed')
    await turns.prune()
    expect(await store.turns.byId('trn_00000006')).toBeNull()
    expect(await store.turns.byId('trn_00000007')).not.toBeNull()
  })

  it('is trimmed by the daemon itself when it has grown', async () => {
    const clock = new TestClock()
    const { port, home, dir, stop } = await startTestDaemon({ clock })
    giveProfile(home, 'echo ok')
    const { turnId } = await askTurn(port, { message: 'a' })
    await stop()
    clock.advance(LIMITS.turnKeepMs + DAY)
    const again = await startTestDaemon({ dir, clock })
    await expect.poll(async () => (await call(again.port, 'GET', `/turns/${turnId}`)).status).toBe(404)
  })
})

describe('secrets in the history', () => {
  const SECRET = 'k3y-of-the-model'

  it('what came from the environment is hidden wherever a turn is shown or stored', async () => {
    const { port, home, dataDir, log } = await startTestDaemon({ environment: { MODEL_KEY: SECRET } })
    const script = `echo "stderr $KEY" >&2
[ -n "$AGENT_SESSION_ID" ] && { printf 'AGENT_PARTIAL:"one %s"\\nAGENT_PARTIAL:"%s two"\\n' "\${KEY:0:6}" "\${KEY:6}"; echo "reply $KEY"; exit; }
echo AGENT_SESSION:s; printf 'text %s\\n<𝒞=string:main>\\n/open %s\\n</𝒞>\\n' "$KEY" "$KEY"`
    giveProfile(home, script, 'chanflow: true\nprimer: false\nenv: { KEY: "${MODEL_KEY}" }\n')
    const { events, turnId, text, result } = await askTurn(port, { message: 'go' })
    expect(text).toBe('one ••• two')
    expect(result.reply).toBe('reply •••')
    expect(JSON.stringify(events)).not.toContain(SECRET)
    const turn = await turnOf(port, turnId)
    expect(turn.stderr).toContain('stderr •••')
    expect(JSON.stringify(turn)).not.toContain(SECRET)
    expect(turn.steps[0]?.blocks[0]?.cmd).toBe('/open •••')
    giveProfile(home, 'echo "AGENT_ERROR:\\"the key $KEY is wrong\\""', 'env: { KEY: "${MODEL_KEY}" }\n')
    const failed = await askTurn(port, { message: 'go' })
    expect(failed.result.error).toBe('the key ••• is wrong')
    expect(log.join('')).not.toContain(SECRET)
    for (const file of readdirSync(dataDir).filter((name) => name.startsWith('state.db')))
      expect(readFileSync(join(dataDir, file)).includes(SECRET), file).toBe(false)
  })

  it('no part of one is shown where a text was cut', async () => {
    const { port, home } = await startTestDaemon({ environment: { MODEL_KEY: SECRET } })
    giveProfile(home, 'echo "0123$KEY"', 'max_reply_chars: 12\ntruncation_suffix: "…"\nenv: { KEY: "${MODEL_KEY}" }\n')
    const { result } = await askTurn(port, { message: 'go' })
    expect(result).toMatchObject({ ok: true, truncated: true, reply: '0123•••…' })
  })

  it('one at the end of a long first line of a block is hidden before that is cut', async () => {
    const { port, home } = await startTestDaemon({ environment: { MODEL_KEY: SECRET } })
    const script = `[ -n "$AGENT_SESSION_ID" ] && { echo ok; exit; }
echo AGENT_SESSION:s; printf '<𝒞=string:main>\\n/open %s%s\\n</𝒞>\\n' "$(printf 'x%.0s' $(seq 185))" "$KEY"`
    giveProfile(home, script, 'chanflow: true\nprimer: false\nenv: { KEY: "${MODEL_KEY}" }\n')
    const { steps } = await askTurn(port, { message: 'go' })
    expect(steps[0]?.blocks[0]?.cmd).not.toContain(SECRET.slice(0, 4))
  })
})

describe('the store', () => {
  it('is written to at most four times for a turn, of a person and of an event', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo AGENT_PARTIAL:"x"; echo ok', 'wake: events\nlimits: { turns_per_hour: 100 }\n')
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await askTurn(port, { message: 'the first makes what is made once' })
    const run = vi.spyOn(Connection.prototype, 'exec')
    onTestFinished(() => run.mockRestore())
    const commits = (): number => run.mock.calls.filter(([text]) => text === 'COMMIT').length
    await askTurn(port, { message: 'a', request_id: 'r' })
    expect(commits()).toBeLessThanOrEqual(4)
    run.mockClear()
    await postEvent(port, 'an event')
    await expect.poll(async () => (await turnsOf(port, '?session=events&state=done')).length).toBe(1)
    expect(commits()).toBeLessThanOrEqual(4)
  })
})

describe('whoever watches', () => {
  it('hears of every turn that changes its state, of all agents or of one', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo ok')
    const over = new AbortController()
    const states: string[] = []
    const open = await fetch(`http://127.0.0.1:${port}/turns/watch?agent_id=default`, {
      headers: keyHeader(port),
      signal: over.signal,
    })
    const reading = (async () => {
      const parser = new SseParser()
      const decoder = new TextDecoder()
      for await (const chunk of open.body ?? [])
        for (const { event, data } of parser.push(decoder.decode(chunk as Uint8Array, { stream: true })))
          states.push(event === 'turn' ? (JSON.parse(data) as TurnSummary).state : event)
    })().catch(() => undefined)
    await expect.poll(() => states).toEqual(['ready'])
    await askTurn(port, { message: 'a' })
    await expect.poll(() => states).toEqual(['ready', 'queued', 'running', 'done'])
    over.abort()
    await reading
  })

  it('the hub of agents shows the newest turns', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo ok')
    const { turnId } = await askTurn(port, { message: 'a message to see' })
    expect((await exec(port, '/open agent')).body).toContain(turnId)
  })
})

describe('messages of agents to each other', () => {
  it('carry the hops of the turn, so that two agents do not wake each other for ever', async () => {
    const { port, home, dir } = await startTestDaemon()
    const other = join(dir, 'other')
    for (const [place, to] of [
      [home, 'other'],
      [other, 'default'],
    ] as const) {
      const script = `echo run >> log; [ -n "$AGENT_SESSION_ID" ] && [ "$(cat last)" = step ] && { echo answer > last; echo done; exit; }
echo step > last; echo AGENT_SESSION:s; printf '<𝒞=agent:${to}>\\nYour turn\\n</𝒞>\\n'`
      giveProfile(place, script, 'wake: events\nchanflow: true\nprimer: false\n')
    }
    await call(port, 'POST', '/agents', { body: { agent_id: 'other', home: other } })
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    await postEvent(port, 'begin')
    const all = async (): Promise<number> =>
      (await turnsOf(port, '?state=done&limit=200')).length +
      (await turnsOf(port, '?state=done&limit=200', 'other')).length
    await expect.poll(all).toBe(LIMITS.agentHops + 1)
    const refused = (await Promise.all([turnsOf(port), turnsOf(port, '', 'other')])).flat()
    const details = await Promise.all(refused.map(({ turn_id }) => turnOf(port, turn_id)))
    expect(details.flatMap(({ steps }) => steps.flatMap(({ blocks }) => blocks)).filter(({ ok }) => !ok)).toMatchObject(
      [{ channel: 'agent', code: 'TARGET_FORBIDDEN' }],
    )
  })
})
