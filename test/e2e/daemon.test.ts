import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRunning, run, STRING, STRINGD, stringPlace } from '../support/cli.ts'
import { startForeground } from '../support/foreground.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { canBeOther, OTHER_UID } from '../support/other-user.ts'
import { tempDir } from '../support/temp.ts'

/** Some machines give every port to everybody. */
const UNPRIVILEGED = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
const FIRST_FREE_PORT = existsSync(UNPRIVILEGED) ? Number(readFileSync(UNPRIVILEGED, 'utf8')) : 0

describe('string --daemon', () => {
  it('starts, reports, restarts and stops the daemon', async () => {
    const place = stringPlace()
    expect((await place.string(['--daemon', 'status'])).status).toBe(3)
    expect((await place.string(['--daemon', 'start'])).stdout).toMatch(
      /^stringd started on 127\.0\.0\.1:\d+ \(pid \d+\)\n$/,
    )
    const first = place.daemonPid() ?? 0
    expect((await place.string(['--daemon', 'start'])).stdout).toContain(`already runs`)
    const { stdout, status } = await place.string(['--daemon', 'status'])
    expect(status).toBe(0)
    expect(stdout).toContain(`pid: ${first}`)
    const json: unknown = JSON.parse((await place.string(['--daemon', 'status', '--json'])).stdout)
    expect(json).toMatchObject({ running: true, pid: first, data_dir: place.dataDir, agents: 0, sessions: 0 })
    await place.string(['--daemon', 'restart'])
    const second = place.daemonPid() ?? 0
    expect(second).not.toBe(first)
    expect(isRunning(first)).toBe(false)
    expect((await place.string(['--daemon', 'logs'])).stdout).toContain('"message":"stringd is ready"')
    expect((await place.string(['--daemon', 'stop'])).stdout).toMatch(`stringd stopped (pid ${second}): the daemon`)
    expect(isRunning(second)).toBe(false)
    expect((await place.string(['--daemon', 'stop'])).stdout).toBe('stringd is not running\n')
    expect((await place.string(['--daemon', 'stop', '--json'])).stdout).toBe('{"running":false}\n')
  })

  it('S15, S25: keeps its folder to its owner, whatever the umask, and logs one JSON object per line', async () => {
    const place = stringPlace()
    await run(
      '/bin/bash',
      ['-c', `umask 0; exec "${process.execPath}" "${join(STRINGD, '../string.cjs')}" /open nope`],
      { env: place.env },
    )
    expect(statSync(place.dataDir).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(place.dataDir))
      expect(statSync(join(place.dataDir, name)).mode & 0o077, name).toBe(0)
    const lines = readFileSync(join(place.dataDir, 'daemon.log'), 'utf8').trimEnd().split('\n')
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records.find(({ message }) => message === 'A command failed')).toMatchObject({
      agent: 'default',
      topic: 'main',
      command: '/open',
      code: 'NOT_FOUND',
    })
  })

  it('a daemon that is started from inside a shell is not swept away with it', async () => {
    const outer = stringPlace()
    const inner = stringPlace()
    const script = `STRING_HOME=${inner.env.STRING_HOME} STRING_DATA_DIR=${inner.dataDir} STRING_PORT=0 string --daemon start`
    expect((await outer.string(['bash:dev', script])).stdout).toContain('stringd started on')
    const pid = inner.daemonPid() ?? 0
    expect((await outer.string(['bash:dev', '//close'])).stdout).toContain('Closed: bash:dev')
    expect(isRunning(pid)).toBe(true)
    expect((await inner.string(['/info'])).status).toBe(0)
  })

  it('removes the owner mark when it starts a daemon from inside a shell or turn', async () => {
    const place = stringPlace()
    await place.string(['/info'], { env: { STRING_OWNER: 'someone' } })
    const environ = readFileSync(`/proc/${place.daemonPid()}/environ`, 'utf8')
    expect(environ).not.toContain('STRING_OWNER')
  })
})

describe('R14: one daemon', () => {
  it('twenty string main /info at once with no daemon leave exactly one daemon and twenty right answers', async () => {
    const place = stringPlace({ STRING_PORT: String(await freePort()) })
    const runs = await Promise.all(Array.from({ length: 20 }, () => place.string(['main', '/info', '--plain'])))
    for (const { status, stdout, stderr } of runs) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toContain('topic: main (tab)')
    }
    expect(daemonsOf(place.dataDir)).toHaveLength(1)
  })

  it('twenty at once on ports that the system chooses are one daemon too', async () => {
    const place = stringPlace()
    const runs = await Promise.all(Array.from({ length: 20 }, () => place.string(['main', '/info', '--plain'])))
    for (const { status } of runs) expect(status).toBe(0)
    expect(daemonsOf(place.dataDir)).toHaveLength(1)
  })

  it('a port held by a stranger gives one clear line and exit 3, and nothing is written', async () => {
    const port = await strangerPort()
    const place = stringPlace({ STRING_PORT: String(port) })
    const { status, stderr, stdout } = await place.string(['main', '/info'])
    expect(status).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      new RegExp(`^string: Port ${port} is taken by pid ${process.pid} \\(.*\\); set STRING_PORT to another port\\n$`),
    )
    expect(JSON.parse((await place.string(['start', '--json'])).stdout)).toMatchObject({
      code: 'UNREACHABLE',
      hint: 'set STRING_PORT to another port',
    })
    const told = await place.string(['status'])
    expect(told).toMatchObject({ status: 3, stdout: expect.stringContaining(`. Port ${port} is taken by pid`) })
    expect(JSON.parse((await place.string(['status', '--json'])).stdout)).toMatchObject({
      running: false,
      problem: expect.stringContaining('set STRING_PORT to another port'),
    })
    expect(existsSync(place.dataDir)).toBe(false)
    const direct = await run(process.execPath, [STRINGD], { env: place.env })
    expect(direct).toMatchObject({ status: 1, stderr: `stringd: Port ${port} is taken by another program\n` })
    expect(existsSync(place.dataDir)).toBe(false)
  })

  it.runIf(canBeOther && FIRST_FREE_PORT > 80)(
    'a port that this user may not use is not said to be taken',
    async () => {
      const env = { ...stringPlace().env, STRING_PORT: '80' }
      const said = (...args: string[]): ReturnType<typeof run> =>
        run(process.execPath, [STRING, ...args], { env, cwd: '/', uid: OTHER_UID })
      expect(await said('start')).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(
          /^string: Port 80 may not be used by this user .*; set STRING_PORT to another port\n$/,
        ),
      })
      expect((await said('doctor')).stdout).toMatch(/^FAIL +port +80 may not be used by this user/m)
    },
  )

  it('one whose data folder was removed is ended by what is advised, typed as it stands, and by a restart', async () => {
    const place = stringPlace({ STRING_PORT: String(await freePort()) })
    for (const removed of [place.env.STRING_HOME ?? '', join(place.dataDir, 'daemon.json')]) {
      await place.string(['start'])
      const pid = place.daemonPid() ?? 0
      rmSync(removed, { recursive: true })
      const { status, stderr } = await place.string(['main', '/info'])
      expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining(`taken by pid ${pid} `) })
      const [, folder = ''] = /: STRING_DATA_DIR=(\S+) string stop\n$/.exec(stderr) ?? []
      const elsewhere = { STRING_HOME: join(place.dir, 'other'), STRING_DATA_DIR: folder }
      const { stdout } = await place.string(['stop'], { env: elsewhere })
      expect(stdout).toMatch(`stringd stopped (pid ${pid}), of which ${place.dataDir} has no record`)
      expect(isRunning(pid)).toBe(false)
      expect((await place.string(['stop'])).stdout).toBe('stringd is not running\n')
    }
    await place.string(['start'])
    const lost = place.daemonPid() ?? 0
    rmSync(place.dataDir, { recursive: true })
    expect((await place.string(['restart'])).status).toBe(0)
    expect([isRunning(lost), isRunning(place.daemonPid() ?? 0)]).toEqual([false, true])
  })

  it('a program that only looks like a daemon of the data folder is never signalled', async () => {
    const place = stringPlace()
    const script = join(place.dir, 'stringd-like.cjs')
    writeFileSync(script, 'setInterval(() => undefined, 1000)')
    const bystander = spawn(process.execPath, [script, 'stringd.cjs'], {
      env: { ...place.env, STRING_DATA_DIR: place.dataDir },
    })
    onTestFinished(() => void bystander.kill())
    expect((await place.string(['stop'])).stdout).toBe('stringd is not running\n')
    expect(isRunning(bystander.pid ?? 0)).toBe(true)
  })

  it('a second daemon on the data folder leaves with a line that names the first', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const second = await run(process.execPath, [STRINGD, '--port', '0'], { env: place.env })
    expect(second.status).toBe(1)
    expect(second.stderr).toMatch(
      new RegExp(`^stringd: stringd already serves ${place.dataDir} \\(pid ${place.daemonPid()}, port \\d+\\)\\n$`),
    )
    expect((await place.string(['/info'])).status).toBe(0)
  })

  it('a stale daemon.json never blocks a start, and the pid in it is never signalled', async () => {
    const place = stringPlace()
    const bystander = spawn('sleep', ['60'])
    onTestFinished(() => void bystander.kill())
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const stale = { pid: bystander.pid, port: 1, version: '0.0.1', startedAt: '', processStart: '12345' }
    writeFileSync(join(place.dataDir, 'daemon.json'), JSON.stringify(stale), { mode: 0o600 })
    expect((await place.string(['--daemon', 'stop'])).stdout).toBe('stringd is not running\n')
    expect((await place.string(['/info'])).status).toBe(0)
    expect(isRunning(bystander.pid ?? 0)).toBe(true)
  })

  it('starts again after SIGKILL, with what was stored', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'bob'])
    const pid = place.daemonPid() ?? 0
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect((await place.string(['agent', 'list'])).stdout).toContain('bob')
    expect(place.daemonPid()).not.toBe(pid)
  })

  it('says when the running daemon has another version', async () => {
    const place = stringPlace()
    await place.string(['/info'])
    const path = join(place.dataDir, 'daemon.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":"[^"]*"/, '"version":"9.9.9"'))
    const { status, stderr } = await place.string(['/info'])
    expect(status).toBe(0)
    expect(stderr).toMatch(/^string: the running daemon is 9\.9\.9, this is .*; string restart replaces it\n$/)
  })

  it('says so when the daemon of the data folder runs on another port than asked for', async () => {
    const place = stringPlace()
    await place.string(['/info'])
    const { status, stderr } = await place.string(['/info'], { env: { STRING_PORT: String(await freePort()) } })
    expect(status).toBe(3)
    expect(stderr).toContain('runs on port')
  })
})

describe('R6: a data folder that cannot be used', () => {
  it('is one line that names it, and exit 3', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'file'), '')
    const place = stringPlace({ STRING_DATA_DIR: join(dir, 'file') })
    const { status, stderr } = await place.string(['/info'])
    expect(status).toBe(3)
    expect(stderr).toBe(
      `string: Cannot use the data folder ${join(dir, 'file')}: a file is where a folder has to be; string doctor tells how to mend it\n`,
    )
  })

  it.runIf(existsSync('/proc/self'))('is so too where no folder can be made at all', async () => {
    const place = stringPlace({ STRING_DATA_DIR: '/proc/string/daemon' })
    const { status, stderr } = await place.string(['/info'])
    expect(status).toBe(3)
    expect(stderr).toBe(
      'string: Cannot use the data folder /proc/string/daemon: it, or a folder above it, does not exist (ENOENT); string doctor tells how to mend it\n',
    )
  })
})

describe('R17: stringd in the foreground', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s with status 0 and removes its record', async (signal) => {
    const { child, exited, dataDir } = await startForeground()
    child.kill(signal)
    expect(await exited).toBe(0)
    expect(existsSync(join(dataDir, 'daemon.json'))).toBe(false)
  })

  it('ends on POST /shutdown with status 0, and what was acknowledged is there after the restart', async () => {
    const { port, exited, dataDir } = await startForeground()
    await call(port, 'POST', '/agents', { body: { agent_id: 'bob', home: dataDir } })
    const reply = await call(port, 'POST', '/shutdown')
    expect(reply.json).toEqual({ ok: true, message: 'stringd shutting down' })
    expect(await exited).toBe(0)
    expect(readFileSync(join(dataDir, 'agents.json'), 'utf8')).toContain('"bob"')
  })

  it('R12: goes on when whoever read its log is gone', async () => {
    const { child, exited, port } = await startForeground()
    child.stderr?.destroy()
    for (let index = 0; index < 20; index += 1) {
      expect((await call(port, 'POST', '/agents', { body: { agent_id: 'default', home: tempDir() } })).status).toBe(200)
      const reply = await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'default' }, body: { cmd: '/nope' } })
      expect(reply.status).toBe(200)
    }
    child.kill()
    expect(await exited).toBe(0)
  })

  it('R4: sets aside what stands in the place of its files, and starts', async () => {
    for (const name of ['id', 'agents.json', 'daemon.json']) {
      const dir = tempDir()
      mkdirSync(join(dir, 'data', name), { recursive: true, mode: 0o700 })
      const { child, exited, dataDir } = await startForeground(dir)
      expect(readdirSync(dataDir).some((entry) => entry.startsWith(`${name}.damaged-`))).toBe(true)
      child.kill()
      expect(await exited).toBe(0)
    }
  })

  it('R14: removing the id of a data folder lets no second daemon in', async () => {
    const { child, exited, dataDir } = await startForeground()
    rmSync(join(dataDir, 'id'))
    const second = await run(process.execPath, [STRINGD, '--port', '0'], {
      env: { ...process.env, STRING_HOME: join(dataDir, '..'), STRING_DATA_DIR: dataDir },
    })
    expect(second.status).toBe(1)
    expect(second.stderr).toContain('already serves')
    child.kill()
    await exited
  })

  it('S8: takes no other interface, and says so', async () => {
    const { status, stderr } = await run(process.execPath, [STRINGD, '--host', '0.0.0.0'], { env: stringPlace().env })
    expect(status).toBe(1)
    expect(stderr).toBe('stringd: stringd binds 127.0.0.1 only; --host is not an option\n')
  })

  it('refuses a port that is none', async () => {
    const { status, stderr } = await run(process.execPath, [STRINGD], { env: stringPlace({ STRING_PORT: 'http' }).env })
    expect(status).toBe(1)
    expect(stderr).toBe('stringd: STRING_PORT must be a number from 0 to 65535, not "http"\n')
  })
})

describe('R3: SIGKILL during registrations', () => {
  it('never leaves agents.json torn, and loses nothing that was acknowledged', async () => {
    const dir = tempDir()
    const acknowledged = new Set<string>()
    for (let round = 0; round < 8; round += 1) {
      const { child, exited, port, dataDir } = await startForeground(dir)
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; ; index += 1) {
          const id = `r${round}-w${writer}-${index}`
          const { status } = await call(port, 'POST', '/agents', { body: { agent_id: id, home: join(dir, 'home') } })
          if (status === 200) acknowledged.add(id)
        }
      })
      const ended = Promise.allSettled(writers)
      const before = acknowledged.size
      // However slow the machine is: in the midst of them.
      await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThan(before + 1)
      await aMoment(0, 60)
      child.kill('SIGKILL')
      await exited
      await ended
      const { agents } = JSON.parse(readFileSync(join(dataDir, 'agents.json'), 'utf8')) as { agents: { id: string }[] }
      const stored = new Set(agents.map(({ id }) => id))
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    }
    expect(acknowledged.size).toBeGreaterThan(8)
    const { child, exited, dataDir } = await startForeground(dir)
    child.kill()
    await exited
    expect(readdirSync(dataDir).filter((name) => name.includes('string-tmp') || name.includes('damaged'))).toEqual([])
  })

  it('R4: a damaged agents.json does not stop the daemon: it is set aside and named', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'data'), { mode: 0o700 })
    writeFileSync(join(dir, 'data/agents.json'), '{"agents": [{"id": "bo')
    const { child, exited, port, stderr } = await startForeground(dir)
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 0 })
    expect(stderr()).toContain(
      'agents.json was damaged: it holds no list of agents, so all agents are lost; it is kept as',
    )
    child.kill()
    await exited
  })
})

function daemonsOf(dataDir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isDaemon = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stringd.cjs')
      return isDaemon && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`STRING_DATA_DIR=${dataDir}\0`)
    } catch {
      // Not a process, or gone.
      return false
    }
  })
}

async function strangerPort(): Promise<number> {
  const server = createHttpServer((_request, response) => response.end('{"ok":true}'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}
