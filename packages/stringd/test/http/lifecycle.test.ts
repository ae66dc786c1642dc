import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec, queueLength } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

describe('GET /health', () => {
  it('answers ok, agents and sessions, and adds the version', async () => {
    const { port } = await startTestDaemon()
    await exec(port, '/info', { topic: 'a' })
    await exec(port, '/info', { topic: 'b' })
    const { status, json } = await call(port, 'GET', '/health')
    expect(status).toBe(200)
    expect(json).toMatchObject({ ok: true, agents: 1, sessions: 2, version: expect.any(String) as string })
  })
})

describe('daemon.json', () => {
  it('records pid, port and version for the owner alone, and is gone after a stop', async () => {
    const { port, dataDir, stop } = await startTestDaemon()
    const path = join(dataDir, 'daemon.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      pid: process.pid,
      port,
      version: expect.any(String) as string,
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await stop()
    expect(existsSync(path)).toBe(false)
  })
})

describe('POST /shutdown', () => {
  it('sends a final JSON response and stops accepting', async () => {
    const daemon = await startTestDaemon()
    expect(await call(daemon.port, 'POST', '/shutdown')).toMatchObject({
      status: 200,
      json: { ok: true, message: 'stringd shutting down' },
    })
    await daemon.stop()
    await expect(call(daemon.port, 'GET', '/health')).rejects.toThrow('ECONNREFUSED')
  })

  it('R17: ends running and waiting requests with a code and done', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    const waiting = exec(daemon.port, '/info')
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    await call(daemon.port, 'POST', '/shutdown')
    expect((await running).head.code).toBe('CANCELLED')
    expect((await waiting).head.code).toBe('CANCELLED')
    await daemon.stop()
  })

  it('R17: finishes the writes that have begun: the new file or the old one, and nothing beside it', async () => {
    const daemon = await startTestDaemon()
    const text = 'x'.repeat(5_000_000)
    // Heard from the start: under load a connection may be cut before its answer has left.
    const writing = Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        exec(daemon.port, `/write f${index}.md\n${text}`, { topic: `t${index}` }),
      ),
    )
    await expect.poll(() => readdirSync(daemon.home).length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0)
    await daemon.stop()
    const left = readdirSync(daemon.home)
    expect(left.filter((name) => name.includes('string-tmp'))).toEqual([])
    for (const name of left) expect(readFileSync(join(daemon.home, name)).length).toBe(5_000_001)
    await writing
  })

  it('R17: finishes what a client began that was cut off meanwhile', async () => {
    const daemon = await startTestDaemon()
    const release = holdFileThreads(daemon.dir)
    const home = join(daemon.dir, 'late')
    const registering = call(daemon.port, 'POST', '/agents', { body: { agent_id: 'late', home } })
    const answer = registering.catch(() => 'cut off')
    await expect.poll(() => existsSync(home)).toBe(true)
    const stopped = daemon.stop()
    expect(await answer).toBe('cut off')
    release()
    await stopped
    expect(readFileSync(join(daemon.dataDir, 'agents.json'), 'utf8')).toContain('"late"')
    expect(readdirSync(daemon.dataDir).filter((name) => name.includes('string-tmp'))).toEqual([])
  })

  it('R17: is not held up by idle and half-open connections', async () => {
    const daemon = await startTestDaemon()
    const sockets = Array.from({ length: 5 }, () => connect(daemon.port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).write('GET /health HTTP/1.1\r\n')
    await call(daemon.port, 'GET', '/health')
    await daemon.stop()
  })
})

/** No file is opened or written any more, as on a disk that does not answer, until what this answers is called. */
function holdFileThreads(dir: string): () => void {
  const pipes = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, (_, index) =>
    join(dir, `pipe${index}`),
  )
  execFileSync('mkfifo', pipes)
  const opened = pipes.map((path) => open(path, 'r'))
  return () => {
    for (const path of pipes) closeSync(openSync(path, 'r+'))
    for (const file of opened) void file.then((handle) => handle.close())
  }
}
