import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec, queueLength } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

describe('POST /sessions', () => {
  it('ensures a session exists: created is true the first time, false after', async () => {
    const { port } = await startTestDaemon()
    const body = { agent_id: 'default', topic: 'file:main' }
    const answer = { agent_id: 'default', topic: 'main', topic_type: 'tab' }
    expect((await call(port, 'POST', '/sessions', { body })).json).toEqual({ ...answer, created: true })
    expect((await call(port, 'POST', '/sessions', { body })).json).toEqual({ ...answer, created: false })
  })

  it.each([
    [{}, 400, 'agent_id required'],
    [[], 400, 'Invalid JSON body — expected { "agent_id": "...", "topic": "..." }'],
    [{ agent_id: 'nobody' }, 401, 'Unknown agent: nobody'],
    [{ agent_id: 'default', topic: 'a b' }, 400, 'Invalid topic: a b'],
    [{ agent_id: 'default', topic: 7 }, 400, '"topic" must be a string'],
  ])('answers %j with %d', async (body, status, error) => {
    const { port } = await startTestDaemon()
    expect(await call(port, 'POST', '/sessions', { body })).toMatchObject({ status, json: { error } })
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ sessions: 0 })
  })
})

describe('GET /sessions', () => {
  it('lists all sessions with their document, or null where none was opened', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'index.md'), '# Home\n')
    await exec(port, '/open index.md')
    await exec(port, '/info', { topic: 'bash:dev' })
    const main = {
      agent_id: 'default',
      topic: 'main',
      topic_type: 'tab',
      executing: false,
      queue_length: 0,
      running: null,
    }
    expect((await call(port, 'GET', '/sessions')).json).toEqual({
      sessions: [
        { ...main, doc: { uri: `file://${home}/index.md`, title: 'Home', current_block: null } },
        { ...main, topic: 'bash:dev', topic_type: 'bash', doc: null },
      ],
    })
  })

  it('has no topic in which nothing but refusals came of what was typed', async () => {
    const { port } = await startTestDaemon()
    const topics = async (): Promise<string[]> =>
      ((await call(port, 'GET', '/sessions')).json as { sessions: { topic: string }[] }).sessions.map(
        ({ topic }) => topic,
      )
    for (const [topic, command] of [
      ['app:shp', '/nav'],
      ['mian', '/opne x'],
      ['notes', '/open ./nowhere.md'],
    ] as const)
      expect((await exec(port, command, { topic })).head.ok).toBe(false)
    expect(await topics()).toEqual([])
    // What was printed, a shell, and what somebody made on purpose stay.
    await exec(port, '/exec echo a; exit 3', { topic: 'printed' })
    await exec(port, 'false', { topic: 'bash:x' })
    await call(port, 'POST', '/sessions', { body: { agent_id: 'default', topic: 'made' } })
    await exec(port, '/nav', { topic: 'made' })
    await exec(port, '/info', { topic: 'looked' })
    await exec(port, '/nav', { topic: 'looked' })
    expect((await topics()).sort()).toEqual(['bash:x', 'looked', 'made', 'printed'])
  })

  it('filters by agent_id, and takes it as optional', async () => {
    const { port } = await startTestDaemon()
    await call(port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    await exec(port, '/info', { agent: 'bob' })
    await exec(port, '/info')
    expect((await call(port, 'GET', '/sessions?agent_id=bob')).json).toMatchObject({ sessions: [{ agent_id: 'bob' }] })
    expect(((await call(port, 'GET', '/sessions')).json as { sessions: unknown[] }).sessions).toHaveLength(2)
    expect((await call(port, 'GET', '/sessions?agent_id=nobody')).json).toEqual({ sessions: [] })
    expect((await call(port, 'GET', '/sessions?agent_id=..')).status).toBe(400)
  })
})

describe('DELETE /sessions/:agent_id/:topic', () => {
  it('closes a session; deleted is false if it did not exist', async () => {
    const { port } = await startTestDaemon()
    await exec(port, '/info', { topic: 'app:weather:korea' })
    const answer = { agent_id: 'default', topic: 'app:weather:korea' }
    const path = '/sessions/default/app%3Aweather%3Akorea'
    expect((await call(port, 'DELETE', path)).json).toEqual({ ...answer, deleted: true })
    expect((await call(port, 'DELETE', path)).json).toEqual({ ...answer, deleted: false })
    expect((await call(port, 'DELETE', '/sessions/default/app:weather')).status).toBe(200)
  })

  it.each(['/sessions', '/sessions/default', '/sessions/default/'])(
    'answers 400 Expected /sessions/:agent_id/:topic to %s',
    async (path) => {
      const { port } = await startTestDaemon()
      expect(await call(port, 'DELETE', path)).toMatchObject({
        status: 400,
        json: { error: 'Expected /sessions/:agent_id/:topic' },
      })
    },
  )

  it.each([
    ['DELETE', '/sessions/default/main/cancel', 'POST, OPTIONS'],
    ['POST', '/sessions/default/main', 'GET, DELETE, OPTIONS'],
    ['DELETE', '/turns/watch', 'GET, OPTIONS'],
    ['POST', '/events/stream', 'GET, OPTIONS'],
  ])('answers 405 to %s %s, with the methods of that path alone', async (method, path, allow) => {
    const { port } = await startTestDaemon()
    expect(await call(port, method, path)).toMatchObject({ status: 405, headers: { allow } })
  })

  it.each(['/sessions/default/a%20b', '/sessions/default/%00', '/sessions/..%2F/main', '/sessions/default/%E0%A4'])(
    'answers 400 to %s',
    async (path) => {
      const { port } = await startTestDaemon()
      expect((await call(port, 'DELETE', path)).status).toBe(400)
    },
  )

  it('ends the running command and those waiting with CANCELLED, at once; the topic can be used again', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    const waiting = [exec(daemon.port, '/info'), exec(daemon.port, '/info')]
    await expect.poll(() => queueLength(daemon.port)).toBe(2)
    await call(daemon.port, 'DELETE', '/sessions/default/main')
    for (const reply of [await running, ...(await Promise.all(waiting))]) {
      expect(reply.head).toMatchObject({ ok: false, code: 'CANCELLED' })
    }
    expect((await exec(daemon.port, '/info')).head.ok).toBe(true)
  })
})
