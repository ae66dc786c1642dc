import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { type ExecAnswer, LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { beginPost, call, exec, queueLength, sessions } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

/** Everything that some topic of this daemon started and that lives. */
function alive({ dataDir }: TestDaemon): number[] {
  return familyMembers({ owner: `${readFileSync(join(dataDir, 'id'), 'utf8')}:` })
}

const cancel = (port: number, topic = 'main', body?: object) =>
  call(port, 'POST', `/sessions/default/${encodeURIComponent(topic)}/cancel`, body === undefined ? {} : { body })

describe('POST /sessions/:agent_id/:topic/cancel', () => {
  it('answers 0 where nothing runs, and makes no session', async () => {
    const { port } = await startTestDaemon()
    expect((await cancel(port)).json).toEqual({ agent_id: 'default', topic: 'main', cancelled: 0 })
    expect(await sessions(port)).toEqual([])
    await exec(port, '/info')
    expect((await cancel(port, 'file:main')).json).toEqual({ agent_id: 'default', topic: 'main', cancelled: 0 })
  })

  it('ends what runs; those who wait have their turn, in the same session', async () => {
    const daemon = await startTestDaemon()
    await exec(daemon.port, '/set {kept} = "still here"')
    const running = exec(daemon.port, '/exec echo printed; sleep 300; true')
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    const waiting = exec(daemon.port, '/set')
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    expect((await cancel(daemon.port)).json).toMatchObject({ cancelled: 1 })
    const { head, body } = await running
    expect(head).toMatchObject({ ok: false, code: 'CANCELLED' })
    expect(body).toMatch(/^ERROR\(CANCELLED\): The command was stopped before it ended.*\n {2}.*\n---\nprinted$/)
    expect((await waiting).body).toContain('still here')
  })

  it('with all ends those who wait too', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/exec sleep 300')
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(0)
    const waiting = [exec(daemon.port, '/write ~/late.md\nnever'), exec(daemon.port, '/info')]
    await expect.poll(() => queueLength(daemon.port)).toBe(2)
    expect((await cancel(daemon.port, 'main', { all: true })).json).toMatchObject({ cancelled: 3 })
    for (const reply of [await running, ...(await Promise.all(waiting))]) expect(reply.head.code).toBe('CANCELLED')
    expect(existsSync(join(daemon.home, 'late.md'))).toBe(false)
    expect((await exec(daemon.port, '/info')).head.ok).toBe(true)
  })

  it('answers for a command that heeds nothing, after a while', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const cancelled = cancel(daemon.port)
    await vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 5, timeout: 20_000 })
    vi.advanceTimersByTime(LIMITS.stopMs)
    expect((await running).head.code).toBe('CANCELLED')
    expect((await cancelled).json).toMatchObject({ cancelled: 1 })
    vi.useRealTimers()
    expect((await exec(daemon.port, '/info')).head.ok).toBe(true)
    daemon.release()
  })

  it.each([{ all: 'yes' }, { all: 1 }, []])('refuses the body %j', async (body) => {
    const { port } = await startTestDaemon()
    expect((await cancel(port, 'main', body)).status).toBe(400)
  })

  it('tells who waits what runs and since when', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold a', { requestId: 'mine' })
    await expect.poll(daemon.held).toBe(1)
    expect(await sessions(daemon.port)).toMatchObject([
      { executing: true, running: { command: '/hold a', since: expect.stringMatching(/Z$/), request_id: 'mine' } },
    ])
    daemon.release()
    await running
    expect(await sessions(daemon.port)).toMatchObject([{ executing: false, running: null }])
  })
})

describe('a bash topic that is cancelled', () => {
  const bash = { topic: 'bash:dev' }

  it.each([
    ['a program', 'sleep 300'],
    ['a program that ignores Ctrl-C', 'bash -c \'trap "" INT TERM; sleep 300; sleep 300\''],
    ['a program that left the group', 'bash -c "setsid sleep 300 & sleep 300"'],
    ['a pipe', 'sleep 300 | sleep 301'],
    ['a loop of the shell', 'while :; do sleep 0.05; done'],
  ])('ends %s, keeps its state and what ran in the background before', async (_name, script) => {
    const daemon = await startTestDaemon()
    await exec(daemon.port, 'kept=yes; sleep 299 &', bash)
    const before = alive(daemon).length
    const running = exec(daemon.port, script, bash)
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(before)
    expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 1 })
    expect((await running).head.code).toBe('CANCELLED')
    expect(alive(daemon)).toHaveLength(before)
    expect((await exec(daemon.port, 'echo "$kept"; jobs', bash)).body).toMatch(/---\nyes\n.*Running +sleep 299/)
  })

  it('ends a shell that heeds nothing; the next input starts a fresh one', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, 'trap "" INT; touch ready; while :; do :; done', bash)
    await expect.poll(() => existsSync(join(daemon.home, 'ready'))).toBe(true)
    expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 1 })
    expect((await running).head.code).toBe('CANCELLED')
    expect(alive(daemon)).toEqual([])
    expect((await exec(daemon.port, 'echo afresh', bash)).body).toMatch(/---\nafresh$/)
  })

  it('answers CANCELLED, with what was printed since, whoever waits: the command itself, a look and a wait', async () => {
    const daemon = await startTestDaemon({ shellWaitMs: 100 })
    const ask = async (cmd: string, more: object = {}): Promise<ExecAnswer> => {
      const headers = { 'X-Agent-Id': 'default', Accept: 'application/json' }
      const { json } = await call(daemon.port, 'POST', '/exec', { headers, body: { ...bash, cmd, ...more } })
      return json as ExecAnswer
    }
    const waits = async (): Promise<boolean> => (await sessions(daemon.port))[0]?.executing === true
    const script = 'trap "echo bye; exit 3" INT; echo begun; sleep 300'
    const begin = (more: object): Promise<ExecAnswer> => ask(`bash -c '${script}'`, more)
    for (const kind of ['look', 'wait']) {
      const mine = kind === 'look' ? { seen: '', at_prompt: true } : {}
      const { data } = await begin(mine)
      expect(data).toMatchObject({ running: true })
      const place = kind === 'look' ? { ...mine, seen: data?.place } : {}
      const waiting = ask('//wait 30', place)
      if (kind === 'wait') await expect.poll(waits).toBe(true)
      expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 1 })
      let told = await waiting
      // What it prints at its end may come in a look of its own.
      while (kind === 'look' && told.data?.running === true)
        told = await ask('//wait 30', { ...mine, seen: told.data.place })
      expect(told).toMatchObject({ ok: false, code: 'CANCELLED', data: { exit: null, running: false } })
      expect(told.content).toMatch(/^ERROR\(CANCELLED\): The command was stopped before it ended\n {2}/)
      if (kind === 'wait')
        expect(told).toMatchObject({ content: expect.stringMatching(/---\nbye$/), data: { output: 'bye' } })
    }
    expect(await ask('echo free')).toMatchObject({ ok: true })
  })

  it('answers what was still waited for with what it had printed', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, `echo printed; sh -c 'touch begun; sleep 300'`, bash)
    // A program that says so itself has begun: a shell has processes of its own before it is given the command.
    await expect.poll(() => existsSync(join(daemon.home, 'begun'))).toBe(true)
    expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 1 })
    const { head, body } = await running
    expect(head).toMatchObject({ code: 'CANCELLED', data: { exit: null, running: false, output: 'printed' } })
    expect(body).toMatch(/^ERROR\(CANCELLED\): The command was stopped before it ended\n {2}.*\n---\nprinted$/)
  })

  it('ends what goes on after its command was answered', async () => {
    const daemon = await startTestDaemon({ shellWaitMs: 100 })
    expect((await exec(daemon.port, 'sleep 300', bash)).body).toMatch(/^running/)
    expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 1 })
    expect((await exec(daemon.port, '//info', bash)).body).toContain('running: (nothing)')
    expect((await cancel(daemon.port, 'bash:dev')).json).toMatchObject({ cancelled: 0 })
  })
})

describe('cancel_on_leave', () => {
  it('ends the command of a caller that goes away, with all that it started', async () => {
    const daemon = await startTestDaemon()
    const outgoing = beginPost(daemon.port, '/exec', { cmd: '/exec sleep 300 & sleep 301', cancel_on_leave: true })
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    outgoing.destroy()
    await expect.poll(() => alive(daemon)).toEqual([])
    expect((await exec(daemon.port, '/exec echo free')).body).toContain('free')
  })

  it('without it the command runs to its end', async () => {
    const daemon = await startTestDaemon()
    const outgoing = beginPost(daemon.port, '/exec', { cmd: '/exec touch begun; sleep 0.5; touch ended' })
    await expect.poll(() => existsSync(join(daemon.home, 'begun'))).toBe(true)
    outgoing.destroy()
    await expect.poll(() => existsSync(join(daemon.home, 'ended'))).toBe(true)
  })

  it('interrupts a bash topic, and leaves its shell', async () => {
    const daemon = await startTestDaemon()
    await exec(daemon.port, 'kept=yes', { topic: 'bash:dev' })
    const outgoing = beginPost(daemon.port, '/exec', { cmd: 'sleep 300', topic: 'bash:dev', cancel_on_leave: true })
    await expect.poll(() => alive(daemon).length).toBe(2)
    outgoing.destroy()
    await expect.poll(() => alive(daemon).length).toBe(1)
    expect((await exec(daemon.port, 'echo "$kept"', { topic: 'bash:dev' })).body).toMatch(/---\nyes$/)
  })

  it('//wait that is left ends the wait alone', async () => {
    const daemon = await startTestDaemon({ shellWaitMs: 100 })
    await exec(daemon.port, 'sleep 300', { topic: 'bash:dev' })
    const outgoing = beginPost(daemon.port, '/exec', { cmd: '//wait 300', topic: 'bash:dev', cancel_on_leave: true })
    await expect.poll(async () => (await sessions(daemon.port))[0]?.executing).toBe(true)
    outgoing.destroy()
    await expect.poll(async () => (await sessions(daemon.port))[0]?.executing).toBe(false)
    expect((await exec(daemon.port, '//info', { topic: 'bash:dev' })).body).toContain('running: sleep 300')
  })

  it('holds for the blocks of a text', async () => {
    const daemon = await startTestDaemon()
    const text = '<𝒞=string:a>/exec sleep 300</𝒞>\n<𝒞=string:b>/exec sleep 301</𝒞>'
    const outgoing = beginPost(daemon.port, '/chanflow', { text, cancel_on_leave: true })
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    outgoing.destroy()
    await expect.poll(() => alive(daemon)).toEqual([])
  })

  it('an MCP call whose connection is closed was cancelled', async () => {
    const daemon = await startTestDaemon()
    const params = { name: 'string', arguments: { cmd: '/exec sleep 300' } }
    const outgoing = beginPost(daemon.port, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(0)
    outgoing.destroy()
    await expect.poll(() => alive(daemon)).toEqual([])
    expect((await exec(daemon.port, '/info')).head.ok).toBe(true)
  })
})
