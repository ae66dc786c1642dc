import { spawn } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { STRINGD } from '../support/cli.ts'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'
import { tempDir } from '../support/temp.ts'

interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** A daemon that is expected to end by itself. */
function runToEnd(store: string): Promise<Ended> {
  const dir = tempDir()
  const env = { ...process.env, HOME: dir, STRING_HOME: dir, STRING_DATA_DIR: join(dir, 'data'), STRING_STORE: store }
  const child = spawn(process.execPath, [STRINGD, '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code, stderr })))
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

describe('STRING_STORE', () => {
  it.each([
    ['mysql://u:geheim99@h/d'],
    ['sqlite:relative/geheim99'],
    ['geheim99'],
    ['sqlite:/somewhere/else/geheim99'],
  ])('that names no store is refused, and its text is not shown: %s', async (store) => {
    const { code, stderr } = await runToEnd(store)
    expect(code).toBe(1)
    expect(lastLine(stderr)).toMatch(/^stringd: STRING_STORE (cannot be used|names another folder)/)
    expect(stderr).not.toContain('geheim99')
  })

  it('may name the file that is used anyway, and /health says so', async () => {
    const dir = tempDir()
    const { port, dataDir } = await startForeground(dir, {
      environment: { STRING_STORE: `sqlite:${join(dir, 'data')}` },
    })
    const { status, json } = await call(port, 'GET', '/health')
    expect(status).toBe(200)
    expect(json).toMatchObject({ ok: true, store: { kind: 'sqlite', where: join(dataDir, 'state.db'), ok: true } })
  })

  it('P7: reaches no process that the daemon starts', async () => {
    const dir = tempDir()
    const { port } = await startForeground(dir, { environment: { STRING_STORE: `sqlite:${join(dir, 'data')}` } })
    await call(port, 'POST', '/agents', { body: { agent_id: 'a' } })
    for (const topic of ['main', 'bash:b']) {
      const command = topic === 'main' ? '/exec env' : 'env'
      const { content } = await exec(port, command, { agent: 'a', topic })
      expect(content).toContain('STRING_PORT=')
      expect(content).not.toContain('STRING_STORE')
    }
  })

  it('P5: a server that accepts and never answers: the daemon starts, stays, and says 503 with the reason', async () => {
    const open = new Set<Socket>()
    const silent = createServer((socket) => {
      open.add(socket.on('error', () => undefined))
    })
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve())
    })
    onTestFinished(() => {
      for (const socket of open) socket.destroy()
      silent.close()
    })
    const address = silent.address()
    const silentPort = typeof address === 'object' ? address?.port : 0
    const environment = { STRING_STORE: `postgres://u:geheim99@127.0.0.1:${silentPort}/d` }
    const { port, stderr } = await startForeground(undefined, { environment })
    const { status, json } = await call(port, 'GET', '/health')
    expect(status).toBe(503)
    const where = `postgres://u@127.0.0.1:${silentPort}/d`
    expect(json).toMatchObject({
      ok: false,
      store: {
        kind: 'postgres',
        where,
        ok: false,
        since: expect.stringMatching(/^2/),
        reason: expect.stringMatching(/./),
      },
    })
    await call(port, 'POST', '/agents', { body: { agent_id: 'a' } })
    const hook = (await call(port, 'GET', '/agents/a/webhook')).json as { webhook_url: string }
    const posted = await call(port, 'POST', new URL(hook.webhook_url).pathname, { body: 'x' })
    expect(posted.status).toBe(503)
    expect(posted.json).toMatchObject({ error: expect.stringContaining('nothing was stored') })
    for (const path of ['/deliveries', '/turns', '/usage']) expect((await call(port, 'GET', path)).status).toBe(503)
    // What needs no store is served.
    expect((await exec(port, '/info', { agent: 'a' })).content).toContain('agent: a')
    expect(stderr()).not.toContain('geheim99')
  }, 60_000)
})

describe.skipIf(!hasPostgres)('a daemon with a PostgreSQL', () => {
  const server = postgresServer()

  it('P5: starts while it is down, answers 503, and serves when it comes', async () => {
    const database = await server.database()
    await server.stop()
    const { port } = await startForeground(undefined, { environment: { STRING_STORE: server.url(database) } })
    expect((await call(port, 'GET', '/health')).status).toBe(503)
    await server.start()
    await expect.poll(async () => (await call(port, 'GET', '/health')).status, { timeout: 30_000 }).toBe(200)
    await call(port, 'POST', '/agents', { body: { agent_id: 'a' } })
    const { content } = await exec(port, '/events', { agent: 'a' })
    expect(content).toContain('0 pending, 0 acked')
  }, 60_000)

  it.each([
    ['a wrong password', (database: string) => server.tcpUrl(database, { password: 'wrong-geheim99' })],
    ['a database that is not there', () => server.tcpUrl('nothing_here')],
    ['a server of another machine without TLS', () => 'postgres://u:geheim99@db.example.invalid/d?sslmode=disable'],
  ])(
    'P7: ends with one line at %s',
    async (_what, url) => {
      const { code, stderr } = await runToEnd(url(await server.database()))
      expect(code).toBe(1)
      expect(lastLine(stderr)).toMatch(/^stringd: /)
      expect(stderr.match(/^stringd: /gm)).toHaveLength(1)
      expect(stderr).not.toContain('geheim99')
    },
    30_000,
  )

  it('P6: ends with one line when it turns out only later that a newer String has written it', async () => {
    const database = await server.database()
    const environment = { STRING_STORE: server.url(database) }
    const first = await startForeground(undefined, { environment })
    first.child.kill('SIGTERM')
    await first.exited
    await server.sql('UPDATE string.version SET version = 999', database)
    await server.stop()
    const { port, exited, stderr } = await startForeground(undefined, { environment })
    expect((await call(port, 'GET', '/health')).status).toBe(503)
    await server.start()
    expect(await exited).toBe(1)
    expect(lastLine(stderr())).toMatch(/^stringd: .*newer String/)
  }, 60_000)

  it('P6: ends with one line when a newer String has written it', async () => {
    const database = await server.database()
    const first = await startForeground(undefined, { environment: { STRING_STORE: server.url(database) } })
    first.child.kill('SIGTERM')
    await first.exited
    await server.sql('UPDATE string.version SET version = 999', database)
    const { code, stderr } = await runToEnd(server.url(database))
    expect(code).toBe(1)
    expect(lastLine(stderr)).toContain('newer String')
  }, 30_000)
})
