import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CheckView } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { exec } from '../support/http.ts'
import { canBeOther } from '../support/other-user.ts'

interface Report {
  readonly ok: boolean
  readonly checks: readonly (CheckView & { group: string })[]
}

async function doctor(place: Place): Promise<Report & { status: number | null }> {
  const { status, stdout, stderr } = await place.string(['doctor', '--json'])
  expect(stderr).toBe('')
  return { status, ...(JSON.parse(stdout) as Report) }
}

const found = ({ checks }: Report, name: string): string =>
  checks
    .filter((check) => check.name === name)
    .map(({ state, seen, mend }) => `${state}: ${seen}${mend === null ? '' : ` -> ${mend}`}`)
    .join('\n')

const wrong = ({ checks }: Report): string[] =>
  checks.filter(({ state }) => state === 'fail' || state === 'warn').map(({ name, state }) => `${name} ${state}`)

/** A program on a port of this machine that is no daemon of ours. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('string doctor', () => {
  it('finds nothing wrong without a daemon, and starts none', async () => {
    const place = stringPlace()
    const report = await doctor(place)
    expect(wrong(report)).toEqual([])
    expect(report).toMatchObject({ ok: true, status: 0 })
    expect(found(report, 'daemon')).toContain(`untried: none runs for ${place.dataDir}`)
    expect(report.checks.some(({ name }) => name === 'foreign page')).toBe(false)
    expect(place.daemonPid()).toBeNull()
  })

  it('tells of a file in the way of the data folder once, and how to end another stringd that has the port', async () => {
    const other = stringPlace()
    await other.string(['start'])
    const place = stringPlace({ STRING_PORT: String(other.daemonPort()) })
    writeFileSync(place.env.STRING_HOME ?? '', '')
    const report = await doctor(place)
    expect(wrong(report)).toEqual(['port fail', 'data folder fail'])
    expect(found(report, 'port')).toContain(`-> STRING_DATA_DIR=${other.dataDir} string stop, or export STRING_PORT=`)
  })

  it('attacks the daemon that runs, and prints a verdict for each', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const { status, stdout } = await place.string(['doctor'])
    expect(stdout).toMatch(/answers in \d+ ms, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d, /)
    expect(stdout).toMatch(/\nAll is well: \d+ checks(?:, \d not tried)?\n$/)
    expect(status).toBe(0)
    const lines = stdout.split('\n')
    for (const line of [
      'ok    foreign page     a page of https://evil.example is refused (403)',
      'ok    foreign form     a form that it posts is refused (403)',
      'ok    unmarked form    a form of a browser that marks nothing is refused (415)',
      'ok    foreign link     a link or picture in it is refused (403)',
      'ok    rebinding        a name that was led to this machine is refused (403)',
      'ok    guessed webhook  a webhook address that nobody was given is refused (401)',
      'ok    large body       a body over 10485760 bytes is refused (413)',
      canBeOther
        ? 'ok    other user       a program of user 65534 is refused (403)'
        : `-     other user       only root can become somebody else; as another user, this must print 403: curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${place.daemonPort()}/agents`,
    ])
      expect(lines).toContain(line)
    expect(lines.find((line) => line.includes(' stalled '))).toMatch(
      /^ok .*others are answered in \d+ ms while 32 never end$/,
    )
    const log = readFileSync(join(place.dataDir, 'daemon.log'), 'utf8')
    expect(log).not.toMatch(/"level":"(?:warn|error)"/)
  })

  it('raises no alarm about an attack that a daemon without its store cannot judge, and start says that it is away', async () => {
    const place = stringPlace({ STRING_STORE: 'postgres://nobody:secret@127.0.0.1:1/x' })
    for (const verb of ['start', 'restart'])
      expect((await place.string([verb])).stderr).toMatch(
        /^warning: the store is away, no agent takes a turn until it is back: postgres at postgres:\/\/nobody@127\.0\.0\.1:1\/x \(away since /,
      )
    const report = await doctor(place)
    expect(found(report, 'guessed webhook')).toBe(
      'untried: a webhook address that nobody was given could not be tried: the daemon answers 503',
    )
    expect(report.checks.filter(({ state }) => state === 'fail').map(({ name }) => name)).toEqual(['store'])
  })

  it('start does not wait for a daemon that hangs, and warns of it', async () => {
    const place = stringPlace()
    await place.string(['start'])
    const pid = place.daemonPid() ?? 0
    process.kill(pid, 'SIGSTOP')
    const { status, stdout, stderr } = await place.string(['start'])
    process.kill(pid, 'SIGCONT')
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'warning: it does not answer in 3 s; string doctor tells more\n',
    })
    expect(stdout).toMatch(/^stringd already runs on /)
  })

  it('names everything that is broken, with what to type about it, and exits 1', async () => {
    const port = await listen((_, response) => void response.end())
    const place = stringPlace({ STRING_PORT: String(port) })
    mkdirSync(place.dataDir, { recursive: true })
    chmodSync(place.dataDir, 0o777)
    const home = join(place.dir, 'gone')
    const profile = join(place.dir, 'p.yaml')
    writeFileSync(profile, 'command: no-such-program --x\n')
    const bob = { id: 'bob', home, allowedPaths: [], createdAt: '2026-01-01T00:00:00.000Z', profile }
    writeFileSync(join(place.dataDir, 'agents.json'), JSON.stringify({ agents: [bob] }), { mode: 0o600 })
    writeFileSync(join(place.dataDir, 'env'), 'TOKEN=verysecret\n')
    chmodSync(join(place.dataDir, 'env'), 0o644)
    writeFileSync(join(place.dataDir, 'channels.yaml'), 'mail:\n  type: smtp\n', { mode: 0o600 })
    writeFileSync(join(place.dataDir, 'config.yaml'), 'limits: { turn_per_hour: 1, cost_per_day: lots }\nlimts: {}\n')
    writeFileSync(join(place.dataDir, 'state.db'), 'this is no database'.repeat(100), { mode: 0o600 })
    const report = await doctor(place)
    expect(report).toMatchObject({ ok: false, status: 1 })
    const said = found(report, 'port') ?? ''
    const [, other = ''] = / or export STRING_PORT=(\d+)$/.exec(said) ?? []
    expect(said).toBe(
      `fail: ${port} is held by another program: pid ${process.pid} (${commandOf(process.pid)}) -> kill ${process.pid}, or export STRING_PORT=${other}`,
    )
    expect(Number(other)).toBeGreaterThan(port)
    expect(found(report, 'data folder')).toBe(
      `fail: ${place.dataDir} has mode 0777: others can write to it -> chmod 700 ${place.dataDir}`,
    )
    expect(found(report, 'secrets')).toContain(
      `env has mode 0644: others can read it -> chmod 600 ${place.dataDir}/env`,
    )
    expect(found(report, 'homes')).toBe(
      `warn: bob: its home ${home} is gone; its next turn makes it anew, empty -> put it back before that: mount it, or restore it; string agent add bob --home FOLDER gives it another`,
    )
    expect(found(report, 'profiles')).toMatch(/^fail: bob: .*no-such-program.* -> mend it, then string bridge check /)
    expect(found(report, 'channels')).toMatch(/^fail: .*channels\.yaml, line \d+, column \d+: .* -> mend /)
    const limits = report.checks
      .filter(({ name }) => name === 'limits')
      .map(({ state, seen }) => [state, seen.split(': ').slice(1).join(': ')])
    expect(limits).toEqual([
      ['fail', 'There is no key limts. Did you mean limits?'],
      ['fail', 'There is no limit turn_per_hour. Did you mean turns_per_hour?'],
      ['fail', '`cost_per_day` must be a number above 0, not lots. Write cost_per_day: 20'],
    ])
    expect(found(report, 'store')).toMatch(/fail: .*state\.db is damaged.* -> restore a backup/)
    expect(JSON.stringify(report)).not.toContain('verysecret')
    expect(place.daemonPid()).toBeNull()
    for (const { state, mend } of report.checks) expect(mend !== null).toBe(state === 'fail' || state === 'warn')
  })

  it('says what a killed daemon has left', async () => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const port = place.daemonPort()
    await place.string(['/info'])
    // Until it has left the terminal, the end of that would end it.
    const away = 'nohup setsid sh -c ": > away; exec sleep 600" >/dev/null 2>&1 &'
    await exec(port, `${away} until [ -e away ]; do sleep 0.05; done`, { topic: 'bash:x' })
    const pid = place.daemonPid() ?? 0
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(async () => found(await doctor(place), 'leftovers'), { timeout: 10_000 })
      .toMatch(
        new RegExp(
          `^warn: the daemon with pid ${pid} was killed and has left \\d+ programs?: pid [\\d, ]+ -> string start ends them$`,
        ),
      )
    const killed = `the daemon with pid ${pid} was killed and has left `
    const status = await place.string(['status'])
    expect(status.status).toBe(3)
    expect(status.stdout).toMatch(new RegExp(`^stringd is not running .*: ${killed}.*; string start starts it\n$`))
    expect(JSON.parse((await place.string(['status', '--json'])).stdout)).toMatchObject({
      running: false,
      problem: expect.stringContaining(killed) as string,
    })
    chmodSync(join(place.dataDir, 'agents.json'), 0o644)
    chmodSync(join(place.dataDir, 'state.db'), 0o644)
    const open = await doctor(place)
    expect(found(open, 'secrets')).toBe(
      `warn: ${place.dataDir}/agents.json has mode 0644: its folder alone keeps others out -> chmod 600 ${place.dataDir}/agents.json; the next daemon does it too`,
    )
    expect(open.checks.filter(({ seen }) => seen.includes('state.db can be read'))).toHaveLength(1)
    await place.string(['--daemon', 'start'])
    const closed = await doctor(place)
    expect(found(closed, 'leftovers')).toMatch(/^ok/)
    expect(wrong(closed)).toEqual([])
    await place.string(['stop'])
    expect((await place.string(['status'])).stdout).toMatch(/^stringd is not running \(data folder \S+\); string start/)
  })

  it('tells an old daemon from the program that asks it, and one that lets anybody in', async () => {
    const place = stringPlace()
    const port = await listen((request, response) => {
      request.resume()
      response.statusCode = request.url === '/doctor' ? 404 : 200
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ ok: true, agents: 0, sessions: 0, error: 'Not found' }))
    })
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const sleeper = spawn('sleep', ['600'])
    onTestFinished(() => void sleeper.kill('SIGKILL'))
    const record = {
      pid: sleeper.pid,
      port,
      version: '0.0.9',
      startedAt: '2026-01-01T00:00:00.000Z',
      processStart: null,
    }
    writeFileSync(join(place.dataDir, 'daemon.json'), JSON.stringify(record), { mode: 0o600 })
    const report = await doctor(place)
    expect(report).toMatchObject({ ok: false, status: 1 })
    expect(found(report, 'daemon')).toContain(`warn: pid ${sleeper.pid} is an older String: 0.0.9, this is `)
    expect(found(report, 'daemon')).toContain('warn: it is too old to tell about itself -> string restart')
    for (const name of ['foreign page', 'foreign form', 'unmarked form', 'foreign link', 'rebinding', 'hidden page'])
      expect(found(report, name), name).toMatch(/^fail: .* is answered 200, and must be refused .* -> string stop/)
    if (canBeOther) expect(found(report, 'other user')).toMatch(/^fail/)
    expect(found(report, 'bash')).toMatch(/^ok/)
  })

  it('does not wait for a daemon that never answers', async () => {
    const place = stringPlace()
    const port = await listen(() => undefined)
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const record = {
      pid: process.pid,
      port,
      version: '0.1.0',
      startedAt: '2026-01-01T00:00:00.000Z',
      processStart: null,
    }
    const path = join(place.dataDir, 'daemon.json')
    writeFileSync(path, JSON.stringify(record), { mode: 0o600 })
    const report = await doctor(place)
    writeFileSync(path, '')
    expect(report.status).toBe(1)
    expect(found(report, 'daemon')).toBe('fail: No answer within 5 s -> string restart')
    expect(found(report, 'bash')).toMatch(/^ok/)
  })
})

function commandOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return words
    .filter((word) => word !== '')
    .join(' ')
    .slice(0, 120)
}
