import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRunning, run, STRINGD, stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'
import { startStringd } from './support/stringd.ts'

/** Twenty `stringd` at once; resolves with what the others said once all but one have left. */
async function twentyAtOnce(dir: string, port: number): Promise<{ left: string[]; serving: number[] }> {
  const env = { ...process.env, HOME: dir, STRING_HOME: dir, STRING_DATA_DIR: join(dir, 'data') }
  const left: string[] = []
  const children = Array.from({ length: 20 }, () => {
    const child = spawn(process.execPath, [STRINGD, '--port', String(port)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    child.on('close', () => left.push(said))
    return child
  })
  await expect.poll(() => left.length, { timeout: 80_000 }).toBe(19)
  return { left, serving: children.filter(({ exitCode }) => exitCode === null).map(({ pid }) => pid ?? 0) }
}

describe('R14: twenty starts at once', { timeout: 90_000 }, () => {
  it.each(['one port', 'ports of their own'])(
    'on %s: exactly one serves, the others leave with one clear line',
    async (kind) => {
      const dir = tempDir()
      const { left, serving } = await twentyAtOnce(dir, kind === 'one port' ? await freePort() : 0)
      expect(serving).toHaveLength(1)
      for (const line of left)
        expect(line).toMatch(
          /^stringd: (?:Port \d+ is taken by another program|stringd already serves \S+(?: \(pid \d+, port \d+\))?)\n$/,
        )
      const record = JSON.parse(readFileSync(join(dir, 'data/daemon.json'), 'utf8')) as { pid: number; port: number }
      expect(record.pid).toBe(serving[0])
      expect((await call(record.port, 'GET', '/health')).json).toMatchObject({ ok: true, pid: record.pid })
      expect((await call(record.port, 'POST', '/agents', { body: { agent_id: 'a' } })).status).toBe(200)
    },
  )
})

describe('R14: a second stringd', () => {
  it.each(['the same port', 'another port'])('on %s says that the first one runs, with its pid', async (kind) => {
    const first = await startStringd()
    const port = kind === 'the same port' ? first.port : 0
    const env = { ...process.env, HOME: first.dir, STRING_HOME: first.dir, STRING_DATA_DIR: first.dataDir }
    const { status, stderr } = await run(process.execPath, [STRINGD, '--port', String(port)], { env })
    const where = `(pid ${first.child.pid}, port ${first.port})`
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `stringd: stringd already serves ${first.dataDir} ${where}\n`,
    })
    expect(await first.end()).toBe(0)
  })
})

describe('R14: a record of the daemon', () => {
  const claim = (pid: number | undefined, port: number, processStart: string | null = null) =>
    JSON.stringify({ pid, port, version: '0.0.1', startedAt: '', processStart })

  it('that others may write is not believed: no command is sent to the stranger it names', async () => {
    const asked: string[] = []
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('{"ok":true}')
    })
    await new Promise<void>((resolve) => {
      stranger.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void stranger.close())
    const place = stringPlace()
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const path = join(place.dataDir, 'daemon.json')
    writeFileSync(path, claim(process.pid, (stranger.address() as AddressInfo).port))
    chmodSync(path, 0o666)
    expect((await place.string(['/info'])).status).toBe(0)
    expect(asked).toEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(place.daemonPid()).not.toBe(process.pid)
  })

  it('of another process that has its pid now blocks no start and gets no signal', async () => {
    const bystander = spawn('sleep', ['60'])
    onTestFinished(() => void bystander.kill())
    for (const processStart of ['1', '99999999999']) {
      const dir = tempDir()
      mkdirSync(join(dir, 'data'), { mode: 0o700 })
      writeFileSync(join(dir, 'data/daemon.json'), claim(bystander.pid, 1, processStart), { mode: 0o600 })
      const stringd = await startStringd({ dir })
      expect((await call(stringd.port, 'GET', '/health')).json).toMatchObject({ pid: stringd.child.pid })
      expect(await stringd.end()).toBe(0)
    }
    expect(isRunning(bystander.pid ?? 0)).toBe(true)
  })

  it('that is missing on a port of a stranger leaves the data folder unwritten', async () => {
    const stranger = createServer((_request, response) => response.end())
    await new Promise<void>((resolve) => {
      stranger.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void stranger.close())
    const { port } = stranger.address() as AddressInfo
    const dir = tempDir()
    const env = { ...process.env, HOME: dir, STRING_HOME: dir, STRING_DATA_DIR: join(dir, 'data') }
    const { status, stderr } = await run(process.execPath, [STRINGD, '--port', String(port)], { env })
    expect({ status, stderr }).toEqual({ status: 1, stderr: `stringd: Port ${port} is taken by another program\n` })
    expect(existsSync(join(dir, 'data'))).toBe(false)
  })
})

describe('S8: whatever the environment', () => {
  it('only 127.0.0.1 is listened on', async () => {
    const hosts = { HOST: '0.0.0.0', STRING_HOST: '::', STRING_BIND: '0.0.0.0', HOSTNAME: '0.0.0.0', LISTEN: '[::]:0' }
    const { port, end } = await startStringd({ env: hosts })
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const rows = ['/proc/net/tcp', '/proc/net/tcp6']
      .filter(existsSync)
      .flatMap((path) => readFileSync(path, 'latin1').split('\n'))
    const listening = rows
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[1]?.endsWith(`:${hex}`) && row[3] === '0A')
    expect(listening.map((row) => row[1])).toEqual([`0100007F:${hex}`])
    expect(await end()).toBe(0)
  })
})
