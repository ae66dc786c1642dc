import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StringClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { killDaemon, type Place, STRING, stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'

const AGENT = `
case "$AGENT_MESSAGE" in
  fail*) printf 'starting\\nError: disk full\\n' >&2; exit 3 ;;
  *) echo "you said $AGENT_MESSAGE" ;;
esac`

async function turn(place: Place, message: string, agent = 'bot'): Promise<void> {
  const client = new StringClient({ port: place.daemonPort(), agent })
  for await (const event of client.turn(message)) void event
}

async function shown(place: Place, ...args: string[]): Promise<string[]> {
  const { status, stdout, stderr } = await place.string(['logs', ...args])
  expect({ status, stderr }, args.join(' ')).toEqual({ status: 0, stderr: '' })
  // Times and ids differ from run to run.
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/^(?:\d\d-\d\d )?[\d:]{5,8} +/, '')
        .replace(/turn \w{8}/, 'turn ID')
        .replace(/ in \S+$/, ''),
    )
    .map((line) => line.replace(/ in \S+?:/, ':').replace(/ \(\d+\.\d+\.\d+\)/, ''))
}

async function startBot(): Promise<Place> {
  const place = stringPlace()
  const profile = writeAgent(place.dir, AGENT)
  for (const id of ['bot', 'other']) await place.string(['agent', 'add', id, '--home', place.dir, '--profile', profile])
  return place
}

describe('string logs', () => {
  it('tells what happened in one timeline, the newest last, why something failed, and which words it does not understand', async () => {
    const place = await startBot()
    await turn(place, 'hello')
    await turn(place, 'fail')
    await turn(place, 'hi', 'other')
    expect(await shown(place)).toEqual([
      '-             · stringd is ready',
      'bot           · turn ID done: hello',
      'bot           ✗ turn ID failed EXIT_3: fail',
      '    Error: disk full',
      'other         · turn ID done: hi',
    ])
    expect(await shown(place, '--failed', '--since', '1d')).toEqual([
      'bot           ✗ turn ID failed EXIT_3: fail',
      '    Error: disk full',
    ])
    expect(await shown(place, 'other')).toEqual(['· stringd is ready', '· turn ID done: hi'])
    expect(await shown(place, '--limit', '1')).toEqual(['other         · turn ID done: hi'])
    expect(await shown(place, 'other', '--failed')).toEqual(['Nothing has failed'])
    const [failed] = JSON.parse((await place.string(['logs', '--failed', '--json'])).stdout) as object[]
    expect(failed).toMatchObject({
      kind: 'turn',
      agent_id: 'bot',
      failed: true,
      state: 'failed',
      reason: 'Error: disk full',
    })
    const said = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await place.string(['logs', ...args])
      return `${status} ${stderr.split('\n')[0]}`
    }
    expect(await said('bott')).toBe('1 string: There is no agent bott. Did you mean bot? string agent list shows all')
    expect(await said('bott', '--follow')).toContain('1 string: There is no agent bott. Did you mean bot?')
    for (const verb of ['turns', 'approvals'])
      expect(await place.string([verb, 'bott', '--follow'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('There is no agent bott.'),
      })
    expect(await said('bot', 'other')).toContain('2 string: Too many arguments: other')
    expect(await said('--since', 'tomorrow')).toContain('2 string: --since takes a span such as 30m')
    expect(await said('--limit', '0')).toBe('2 string: --limit needs a whole number from 1 on, not: 0')
    expect(await said('--follw')).toContain('2 string: Unknown flag --follw; did you mean --follow?')
  })

  it('goes on telling each try of an event that failed when a later one has succeeded', async () => {
    const place = stringPlace()
    const script = '[ -e mended ] || { echo "ConnectionError: 503" >&2; exit 1; }; echo fine'
    const profile = writeAgent(place.dir, script, 'wake: events\n')
    await place.string(['agent', 'add', 'bot', '--home', place.dir, '--profile', profile])
    const client = new StringClient({ port: place.daemonPort(), agent: 'bot' })
    const { webhook_url: url } = await client.webhook.show()
    await call(place.daemonPort(), 'POST', new URL(url).pathname, { body: 'look' })
    await expect.poll(async () => (await client.turns.list())[0]?.attempt).toBe(2)
    const failed = ['✗ turn ID failed EXIT_1 try 1 of 3: look', '    ConnectionError: 503']
    const waiting = await shown(place, 'bot', '--failed')
    expect([waiting[0]?.replace(/, tried again at \d\d:\d\d:\d\d/, ''), waiting[1]]).toEqual(failed)
    expect(waiting[0]).toContain(', tried again at ')
    writeFileSync(join(place.dir, 'mended'), '')
    const [event] = await client.inbox.list({ agent: 'bot' })
    await place.string(['events', 'retry', event?.id ?? '', '--agent', 'bot'])
    await expect.poll(async () => (await client.turns.list())[0]?.state).toBe('done')
    expect(await shown(place, 'bot', '--failed', '--since', '1h')).toEqual(failed)
    expect((await shown(place, 'bot')).at(-1)).toBe('· turn ID done, after 1 failed try: look')
    const said = async (...args: string[]): Promise<string> => (await place.string(args)).stdout
    expect(await said('turns', 'bot', '--failed')).toMatch(
      / done, after 1 failed try .*look\n {4}\S+ EXIT_1: ConnectionError: 503\n$/,
    )
    expect(JSON.parse(await said('turns', '--failed', '--json'))).toMatchObject([
      { state: 'done', reason: null, tries: [{ code: 'EXIT_1', attempt: 1, reason: 'ConnectionError: 503' }] },
    ])
    expect(await said('agent', 'list')).toMatch(/^bot .* done \S+, after 1 failed try /m)
    expect(await said('doctor')).toContain('1 had a failed try in the last day, of bot')
    expect((await place.string(['usage', 'bot'])).stderr).toContain('1 turn with a failed try, not FAILED by its state')
  })

  it('has what the daemon warns of, events, and messages that could not be sent', async () => {
    const place = await startBot()
    const line = (minutes: number, level: string, fields: object): string => {
      const time = new Date(Date.now() - minutes * 60_000).toISOString()
      return `${JSON.stringify({ time, level, ...fields })}\n`
    }
    appendFileSync(
      join(place.dataDir, 'daemon.log'),
      line(90, 'error', { message: 'long ago', agent: 'bot' }) +
        line(50, 'warn', { message: 'The store is away', reason: 'no route\u001b[2J' }) +
        line(40, 'info', { message: 'nothing of interest' }) +
        line(30, 'error', { message: 'of another', agent: 'other' }),
    )
    mkdirSync(join(place.dir, '.string'), { recursive: true })
    const port = await freePort()
    writeFileSync(
      join(place.dir, '.string/channels.yaml'),
      `hook:\n  type: webhook\n  targets:\n    home: http://127.0.0.1:${port}/\n`,
    )
    await place.string(['chanflow', '--agent', 'bot'], { input: '<𝒞=hook:home>hello</𝒞>' })
    const { webhook_url: url } = await new StringClient({ port: place.daemonPort(), agent: 'bot' }).webhook.show()
    await call(place.daemonPort(), 'POST', new URL(url).pathname, { body: 'it is dry\nand hot' })
    expect((await shown(place, 'bot', '--since', '1m')).at(-1)).toBe(
      '· event from local-webhook, not acknowledged yet: it is dry (…)',
    )
    const lines = await shown(place, 'bot', '--failed', '--since', '1h')
    expect(lines.slice(0, 2)).toEqual(['✗ daemon: The store is away', '    no route\\x1b[2J'])
    expect(lines[2]).toMatch(/^✗ message to hook:home (?:waiting|failed)/)
    expect(lines[3]).toMatch(/refused|ECONNREFUSED/i)
    expect(lines).toHaveLength(4)
    const day = new Date(Date.now() - 86_400_000).toISOString()
    expect(await shown(place, '--failed', '--since', day)).toContain('other         ✗ daemon: of another')
  })

  it('goes on when the daemon is stopped and comes back on another port, until it is told to end', async () => {
    const place = await startBot()
    const child = spawn(process.execPath, [STRING, 'logs', '--follow', '--limit', '1'], { env: place.env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    await expect.poll(() => text, { timeout: 10_000 }).toContain('stringd is ready')
    await turn(place, 'fail')
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/✗ turn \w{8} failed EXIT_3 .*\n {4}Error: disk full\n/)
    const pid = place.daemonPid()
    await place.string(['--daemon', 'restart'])
    expect(place.daemonPid()).not.toBe(pid)
    await turn(place, 'back again')
    await expect.poll(() => text, { timeout: 10_000 }).toMatch(/done in \S+: back again\n/)
    await expect.poll(() => text, { timeout: 10_000 }).toContain('stringd has stopped')
    // The end of the daemon is read from the log, later than turns are heard of.
    expect(text.indexOf('stringd has stopped')).toBeLessThan(text.indexOf('back again'))
    expect(text.split('Error: disk full')).toHaveLength(2)
    const ended = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('--failed tells while it follows that the daemon was killed, once, and goes on with the next', async () => {
    const place = await startBot()
    const args = ['logs', '--failed', '--follow', '--json', '--since', '1s']
    const child = spawn(process.execPath, [STRING, ...args], { env: place.env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    const told = (): { text: string; message: string | null }[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { text: string; message: string | null })
    // Until it listens, what fails is nobody's news.
    await expect
      .poll(
        async () => {
          await turn(place, 'fail')
          return told().length
        },
        { timeout: 10_000, interval: 500 },
      )
      .toBeGreaterThan(0)
    const pid = place.daemonPid()
    await killDaemon(place)
    const died = {
      kind: 'log',
      agent_id: null,
      failed: true,
      reason: expect.stringContaining(`(pid ${pid})`) as string,
    }
    await expect.poll(() => told().at(-1), { timeout: 10_000 }).toMatchObject(died)
    await place.string(['start'])
    await turn(place, 'fail again')
    await expect.poll(() => told().at(-1)?.message, { timeout: 10_000 }).toBe('fail again')
    expect(told().filter(({ text: said }) => /did not (?:say|end)/.test(said))).toHaveLength(1)
  })

  it('shows the log file where no daemon runs, says why there is no more, and starts none', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
    onTestFinished(() => void server.close())
    const place = stringPlace({ STRING_PORT: String(port) })
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const time = new Date().toISOString()
    writeFileSync(
      join(place.dataDir, 'daemon.log'),
      `${JSON.stringify({ time, level: 'error', message: 'It broke' })}\n`,
    )
    const { status, stdout, stderr } = await place.string(['logs'])
    expect(stdout).toContain('✗ daemon: It broke')
    expect(stderr).toBe(
      `string: stringd does not run; string start starts it. This is from ${place.dataDir}/daemon.log alone; turns are not in it: string turns shows them\n`,
    )
    writeFileSync(join(place.dataDir, 'daemon.log'), '')
    const failed = await place.string(['logs', 'bob', '--failed'])
    expect(failed).toMatchObject({ status: 3, stdout: 'daemon.log has no failure of bob\n' })
    expect(failed.stderr).toContain('turns are not in it: string turns bob --failed shows them')
    expect((await place.string(['logs'])).stdout).toBe('daemon.log has no line\n')
    expect(place.daemonPid()).toBeNull()
    expect(status).toBe(3)
    const createdAt = time
    writeFileSync(
      join(place.dataDir, 'agents.json'),
      JSON.stringify({ agents: [{ id: 'bob', home: place.dir, allowedPaths: [], createdAt }] }),
    )
    expect(await place.string(['logs', 'bbo'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no agent bbo. Did you mean bob? No daemon runs'),
    })
    expect(await place.string(['logs', 'bob'])).toMatchObject({ status: 3 })
  })

  it('finds what a daemon in the foreground logged, too', async () => {
    const place = stringPlace()
    const { startForeground } = await import('../support/foreground.ts')
    const { port, stderr } = await startForeground(join(place.dir, 'string'))
    expect(stderr()).toContain('stringd is ready')
    const { log } = (await (await fetch(`http://127.0.0.1:${port}/log`)).json()) as { log: { message: string }[] }
    expect(log[0]?.message).toBe('stringd is ready')
  })
})
