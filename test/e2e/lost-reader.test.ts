import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { isRunning, type Place, type Ran, run, STRING, STRINGD, stringPlace } from '../support/cli.ts'
import { call } from '../support/http.ts'

const SIGPIPE = 141

/** Starts the program once the other end of its pipe is closed; what it prints on the other stream is what was shown. */
const UNREAD = {
  output: `{ until [ -e unread ]; do sleep 0.01; done; "$@"; echo $? > status; } | { exec <&-; touch unread; }`,
  error: `{ until [ -e unread ]; do sleep 0.01; done; "$@" 3>&1 1>&2 2>&3 3>&-; echo $? > status; } 2>&1 | { exec <&-; touch unread; }`,
}

async function unread(place: Place, script: string, command: readonly string[], input = ''): Promise<Ran> {
  for (const name of ['unread', 'status']) rmSync(join(place.dir, name), { force: true })
  const shell = ['-c', script, 'bash', process.execPath, ...command]
  const { stdout, stderr } = await run('/bin/bash', shell, { cwd: place.dir, env: place.env, input })
  return { status: Number(readFileSync(join(place.dir, 'status'), 'utf8')), stdout, stderr }
}

const PROFILE = 'agent.yaml'
const BLOCK = '<𝒞=string:main>/help</𝒞>'

const WITHOUT_DAEMON: readonly (readonly [args: readonly string[], input?: string])[] = [
  [['--help']],
  [['--version']],
  [['mcp-config']],
  [['bridge', '--help']],
  [['bridge', 'check', PROFILE]],
  [['bridge', 'init', 'new']],
  [['bridge', 'run', '--profile', PROFILE, '-m', 'x']],
  [['bridge', 'run', '--profile', PROFILE, '-m', 'x', '--json']],
  [['chat', '--help']],
  [['chat', '--profile', PROFILE], 'x\ny\n'],
]

const WITH_DAEMON: typeof WITHOUT_DAEMON = [
  [['main', '/help']],
  [['main', '--plain', '/exec seq 1 60000']],
  [['main', '--json', '/nope']],
  [['chanflow'], BLOCK],
  [['chanflow', '--json', '--rest'], BLOCK],
  [['agent', 'list']],
  [['events']],
  [['webhook', 'show']],
  [['deliveries']],
  [['turns']],
  [['usage']],
  [['agent', 'status', 'default']],
  [['--daemon', 'start']],
  [['--daemon', 'status']],
  [['--daemon', 'logs']],
  [['--mcp'], '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'],
]

describe('a program whose standard output nobody reads any more', () => {
  it.each([
    ['that needs no daemon', WITHOUT_DAEMON],
    ['that talks to the daemon', WITH_DAEMON],
  ])('ends without a word, as after SIGPIPE: every verb %s', async (_, commands) => {
    const place = stringPlace()
    writeAgent(place.dir, 'seq 1 50000', 'max_reply_chars: 1000000\n')
    if (commands === WITH_DAEMON) await place.string(['--daemon', 'start'])
    for (const [args, input] of commands) {
      const ran = await unread(place, UNREAD.output, [STRING, ...args], input)
      expect(ran, args.join(' ')).toEqual({ status: SIGPIPE, stdout: '', stderr: '' })
    }
  })

  it('string … | head -1 shows the first line and nothing else', async () => {
    const place = stringPlace()
    const script = '"$@" | head -1; echo "${PIPESTATUS[0]}"'
    // More than a pipe holds, so that somebody has to read it.
    writeFileSync(join(place.dir, 'long.txt'), 'a line of many\n'.repeat(100_000))
    const command = [process.execPath, STRING, 'main', '--plain', '/open --full ./long.txt']
    expect(await run('/bin/bash', ['-c', script, 'bash', ...command], { cwd: place.dir, env: place.env })).toEqual({
      status: 0,
      stdout: `Opened ./long.txt\n${SIGPIPE}\n`,
      stderr: '',
    })
  })

  it.each(['--help', '--version'])('stringd %s ends without a word', async (flag) => {
    const { stderr } = await unread(stringPlace(), UNREAD.output, [STRINGD, flag])
    expect(stderr).toBe('')
  })

  it('string events --follow ends with the first event that nobody reads', async () => {
    const place = stringPlace()
    const url = new URL((await place.string(['webhook', 'show'])).stdout.trim())
    const script = '"$1" "$2" events --follow 2> errors | head -1; echo "${PIPESTATUS[0]}"'
    const follower = spawn('/bin/bash', ['-c', script, 'bash', process.execPath, STRING], {
      cwd: place.dir,
      env: place.env,
    })
    onTestFinished(() => void follower.kill('SIGKILL'))
    let output = ''
    follower.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    // Until it listens, nothing comes; and the first line of an event is all that is read.
    while (!output.includes(`\n${SIGPIPE}\n`)) {
      expect((await call(Number(url.port), 'POST', url.pathname, { body: 'news' })).status).toBe(202)
    }
    expect(output).toMatch(new RegExp(`^\\w{8} .*\\n${SIGPIPE}\\n$`))
    expect(readFileSync(join(place.dir, 'errors'), 'utf8')).toBe('')
  })

  it.each([
    ['run', ['bridge', 'run', '--profile', PROFILE, '-m', 'x'], ''],
    ['chat', ['chat', '--profile', PROFILE], 'x\n'],
  ])('string bridge %s ends its agent first', async (_, args, input) => {
    const place = stringPlace()
    const script = `echo $$ > pid; trap '' TERM; while :; do echo 'AGENT_PARTIAL:"more"'; sleep 0.05; done`
    writeAgent(place.dir, script, 'kill_grace_secs: 0.2\n')
    expect(await unread(place, UNREAD.output, [STRING, ...args], input)).toEqual({
      status: SIGPIPE,
      stdout: '',
      stderr: '',
    })
    expect(isRunning(Number(readFileSync(join(place.dir, 'pid'), 'utf8')))).toBe(false)
  })
})

describe('a program whose standard error nobody reads any more', () => {
  it('ends as after SIGPIPE', async () => {
    const place = stringPlace()
    writeAgent(place.dir, 'exit 3')
    const commands: typeof WITHOUT_DAEMON = [
      [['--nope']],
      [['bridge', 'check', 'missing.yaml']],
      [['bridge', 'run', '--profile', PROFILE, '-m', 'x']],
      [['chat', '--profile', PROFILE], 'x\n'],
      [['chanflow', '--rest'], 'text'],
    ]
    for (const [args, input] of commands) {
      const { status } = await unread(place, UNREAD.error, [STRING, ...args], input)
      expect(status, args.join(' ')).toBe(SIGPIPE)
    }
  })
})

describe.runIf(existsSync('/dev/full'))('a program whose output cannot be written', () => {
  it.each([
    [STRING, 'string', ['--help']],
    [STRING, 'string', ['main', '/help']],
    [STRING, 'string', ['bridge', '--help']],
    [STRINGD, 'stringd', ['--help']],
  ])('%s says so in one line (%s %j)', async (program, name, args) => {
    const place = stringPlace()
    const script = '"$@" > /dev/full'
    const ran = await run('/bin/bash', ['-c', script, 'bash', process.execPath, program, ...args], {
      cwd: place.dir,
      env: place.env,
    })
    expect(ran).toEqual({
      status: 1,
      stdout: '',
      stderr: `${name}: Standard output cannot be written: no space is left on the disk (ENOSPC)\n`,
    })
  })

  it('ends an agent that would print into it', async () => {
    const place = stringPlace()
    writeAgent(place.dir, `echo $$ > pid; echo 'AGENT_PARTIAL:"one"'; sleep 300`, 'kill_grace_secs: 0.2\n')
    const script = '"$@" > /dev/full'
    const args = [STRING, 'bridge', 'run', '--profile', PROFILE, '-m', 'x']
    const { stderr } = await run('/bin/bash', ['-c', script, 'bash', process.execPath, ...args], {
      cwd: place.dir,
      env: place.env,
    })
    expect(stderr).toContain('Standard output cannot be written: no space is left on the disk (ENOSPC)')
    const pid = Number(readFileSync(join(place.dir, 'pid'), 'utf8'))
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 })
  })
})
