import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { isRunning, type Place, STRING, stringPlace } from '../support/cli.ts'

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

const RESULT = {
  type: 'result',
  ok: true,
  reply: '',
  error: null,
  session_id: null,
  exit_code: 0,
  timed_out: false,
  truncated: false,
  duration_ms: expect.any(Number),
  cancelled: false,
  stderr: '',
  body: '',
}

/** Starts a turn that writes the ids of its processes to a file, and waits until they are there. */
async function startLong(place: Place, script: string, args: readonly string[] = []) {
  const pidFile = join(place.dir, 'pids')
  const profile = writeAgent(place.dir, script.replaceAll('PIDS', pidFile), 'kill_grace_secs: 0.3\n')
  const child = spawn(process.execPath, [STRING, 'bridge', 'run', '--profile', profile, '-m', 'x', ...args], {
    cwd: place.dir,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  const count = script.split('PIDS').length - 1
  const pids = await vi.waitFor(
    () => {
      const found = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split('\n').map(Number) : []
      expect(found).toHaveLength(count)
      return found
    },
    { timeout: 20_000 },
  )
  return { child, exited, pids, stdout: () => stdout, stderr: () => stderr }
}

describe('string bridge run', () => {
  it('shows an error without its colours, and what else could move the cursor as text', async () => {
    const place = stringPlace()
    const script = String.raw`printf 'AGENT_ERROR:"\\u001b[1;31mNo\\u001b[0m credit\\u001b[2J"\n'`
    const profile = writeAgent(place.dir, script)
    expect((await place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])).stderr).toBe(
      'error: No credit\\x1b[2J\n',
    )
  })

  it('prints partials and the reply on standard output, and errors on standard error', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `echo 'AGENT_PARTIAL:"one "'; echo 'AGENT_PARTIAL:"two"'; echo body`)
    expect(await place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])).toEqual({
      status: 0,
      stdout: 'one two\nbody\n',
      stderr: '',
    })
    const failing = writeAgent(place.dir, `echo 'AGENT_ERROR:"Try again in 60 s."'`)
    expect(await place.string(['bridge', 'run', '--profile', failing, '-m', 'x'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: Try again in 60 s.\n',
    })
  })

  it('says below an answer that was cut which key of which profile allows more', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `echo "AGENT_PARTIAL:\\"one two\\""`, 'max_reply_chars: 5\n')
    const { stdout, stderr } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])
    expect(stdout).toBe('one t\n\n…(truncated)\n')
    const note = `(the answer was cut: a larger max_reply_chars in ${profile} allows more)\n`
    expect(stderr).toBe(note)
    expect(await place.string(['chat', '--profile', profile, '-m', 'x'])).toMatchObject({ stdout, stderr: note })
    await place.string(['agent', 'add', 'bob', '--profile', profile])
    expect(await place.string(['chat', 'bob', '-m', 'x'])).toMatchObject({ stdout, stderr: note })
    expect((await place.string(['chat', 'bob', '-m', 'x', '--json'])).stderr).toBe('')
  })

  it('--json prints a line per partial and at last one result', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `echo 'AGENT_PARTIAL:"a\\n"'; echo AGENT_SESSION:s1; echo body`)
    const { stdout, status } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', '--json'])
    expect(status).toBe(0)
    expect(lines(stdout)).toEqual([
      { type: 'partial', text: 'a\n' },
      { ...RESULT, reply: 'body', session_id: 's1' },
    ])
  })

  it('a failed turn shows the end of standard error and what was printed, on standard error', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      `echo half; printf 'Traceback\\n\\033[2J  key %s\\n\\n' "$KEY" >&2
case $AGENT_MESSAGE in fail) exit 3;; say) echo 'AGENT_ERROR:"No more credit."';; esac`,
      'env: { KEY: "${TEST_KEY}" }\n',
    )
    const say = (message: string, ...flags: string[]) =>
      place.string(['bridge', 'run', '--profile', profile, '-m', message, ...flags], {
        env: { TEST_KEY: 'sk-12345678' },
      })
    const traces = 'stderr of the agent:\n  Traceback\n  \\x1b[2J  key •••\nprinted before it failed:\n  half\n'
    const failed = await say('fail')
    expect(failed).toMatchObject({ status: 3, stdout: '' })
    expect(failed.stderr).toMatch(/^error: The agent failed with exit code 3\. .*\n/)
    expect(failed.stderr.replace(/^.*\n/, '')).toBe(traces)
    expect(await say('say')).toEqual({ status: 1, stdout: '', stderr: `error: No more credit.\n${traces}` })
    expect(await say('fine')).toEqual({ status: 0, stdout: 'half\n', stderr: '' })
    const stderr = 'Traceback\n\x1b[2J  key •••\n\n'
    expect(lines((await say('fail', '--json')).stdout)).toEqual([
      { ...RESULT, ok: false, exit_code: 3, error: expect.any(String), stderr, body: 'half' },
    ])
    expect(lines((await say('fine', '--json')).stdout)).toEqual([{ ...RESULT, reply: 'half', stderr }])
  })

  it('says that an agent failed without a word, and shows standard error once', async () => {
    const place = stringPlace()
    const run = (profile: string) => place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])
    const mute = writeAgent(place.dir, `echo '{"type":"error"}'`, 'wire: "0.4"\n')
    expect((await run(mute)).stderr).toBe('error: The agent says that it failed, and not why.\n')
    const told = writeAgent(place.dir, 'echo reason >&2; exit 3', 'include_stderr_in_reply: true\n')
    expect((await run(told)).stderr).toMatch(/^error: [^\n]*\n\nreason\n$/)
    const quiet = writeAgent(place.dir, 'echo reason >&2; exit 3', 'send_error_reply: false\n')
    expect(await run(quiet)).toEqual({ status: 3, stdout: '', stderr: 'stderr of the agent:\n  reason\n' })
  })

  it('exits with the exit code of the turn', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'exit 7')
    const { status, stderr } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x'])
    expect(status).toBe(7)
    expect(stderr).toMatch(/^error: ./)
    const slow = writeAgent(place.dir, 'sleep 60', 'timeout_secs: 0.2\nkill_grace_secs: 0.2\n')
    const late = await place.string(['bridge', 'run', '--profile', slow, '-m', 'x', '--json'])
    expect(late.status).toBe(124)
    expect(lines(late.stdout).at(-1)).toMatchObject({ ok: false, exit_code: 124, timed_out: true })
  })

  it.each(['$(touch pwned)', '-x', '--json', '{{SESSION_ID}} ${HOME}', `'";\n\\`, '; touch pwned'])(
    'hands the message %j on as it is',
    async (message) => {
      const place = stringPlace()
      const profile = writeAgent(place.dir, `printf '%s|%s' "$1" "$AGENT_MESSAGE"`, 'args: ["{{MESSAGE}}"]\n')
      const { stdout } = await place.string(['bridge', 'run', '--profile', profile, '-m', message])
      expect(stdout).toBe(`${message}|${message}\n`)
      expect(existsSync(join(place.dir, 'pwned'))).toBe(false)
    },
  )

  it('-m - reads the message from standard input', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'cat', 'stdin: message\n')
    const message = `${'a line of text\n'.repeat(100)}end`
    const { stdout } = await place.string(['bridge', 'run', '--profile', profile, '-m', '-'], { input: message })
    expect(stdout).toBe(`${message}\n`)
    const bad = await place.string(['bridge', 'run', '--profile', profile, '-m', '-', '--json'], {
      input: Buffer.from([0x61, 0xff]),
    })
    expect(bad.status).toBe(2)
    expect(lines(bad.stdout)).toEqual([
      { ...RESULT, ok: false, exit_code: 2, error: expect.stringContaining('Standard input is not UTF-8 text') },
    ])
  })

  it('tells the agent who speaks, in which session, with what attached, and where it runs', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'work'))
    const profile = writeAgent(
      place.dir,
      'echo "$AGENT_FROM_USER/$AGENT_SESSION_NAME/$AGENT_SESSION_ID/$AGENT_IMAGE_URL/$AGENT_FILE_URL/$PWD"',
    )
    const run = (...args: string[]) => place.string(['bridge', 'run', '--profile', profile, '-m', 'x', ...args])
    expect((await run()).stdout).toBe(`${userInfo().username}/default////${place.dir}\n`)
    const flags = [
      '--from',
      'ada',
      '--session',
      's',
      '--session-id',
      'i',
      '--image',
      'pic',
      '--file',
      'doc',
      '--cwd',
      'work',
    ]
    expect((await run(...flags)).stdout).toBe(`ada/s/i/pic/doc/${place.dir}/work\n`)
  })

  it.each([
    ['run', ['bridge', 'run', '--profile', 'agent.yaml', '-m', 'x', '--cwd', 'work'], ''],
    [
      'run, where the flag stands in front',
      ['--cwd', 'work', 'bridge', 'run', '--profile', 'agent.yaml', '-m', 'x'],
      '',
    ],
    ['chat', ['chat', '--profile', 'agent.yaml', '--cwd', 'work'], 'x\n'],
  ])('--cwd counts more than the folder of the profile: %s', async (_, args, input) => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'work'))
    writeAgent(place.dir, 'pwd', 'cwd: /\n')
    expect((await place.string(args, { input })).stdout).toBe(`${place.dir}/work\n`)
  })

  it.each([
    ['an empty message', 'command: ./agent.sh\n', ''],
    ['bad YAML', 'command: [', 'x'],
    ['an unknown type', 'command: ./agent.sh\nstreaming: maybe\n', 'x'],
  ])('refuses %s with exit 2, with --json as a result', async (_what, yaml, message) => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'touch ran')
    writeFileSync(profile, yaml)
    const plain = await place.string(['bridge', 'run', '--profile', profile, '-m', message])
    expect(plain).toMatchObject({ status: 2, stdout: '' })
    const { status, stdout } = await place.string(['bridge', 'run', '--profile', profile, '-m', message, '--json'])
    expect(status).toBe(2)
    expect(lines(stdout)).toEqual([{ ...RESULT, ok: false, exit_code: 2, error: expect.stringMatching(/./) }])
    expect(existsSync(join(place.dir, 'ran'))).toBe(false)
  })

  it('warns on standard error and goes on', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'echo hi', 'streeming: true\n')
    const { status, stdout, stderr } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', '--json'])
    expect(status).toBe(0)
    expect(lines(stdout)).toEqual([{ ...RESULT, reply: 'hi' }])
    expect(stderr).toMatch(/^warning: .*agent\.yaml:2:1: .*streaming/)
  })

  it.each([
    [['bridge', 'nope']],
    [['bridge', 'run']],
    [['bridge', 'run', '--profile', 'x.yaml']],
    [['bridge', 'run', '--nope']],
    [['bridge', 'run', '--profile', 'missing.yaml', '-m', 'x']],
    [['bridge', 'check']],
    [['chat']],
    [['chat', '--agent', 'bob', '--profile', 'p.yaml']],
    [['chat', '--profile', 'missing.yaml']],
  ])('%j is exit 2 with a reason, and starts no daemon', async (args) => {
    const place = stringPlace()
    const { status, stderr, stdout } = await place.string(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^string: ./)
    expect(place.daemonPid()).toBeNull()
  })

  it('ends its agent when nobody reads its output any more', async () => {
    const place = stringPlace()
    const { child, exited, pids } = await startLong(
      place,
      `echo $$ >> PIDS; while :; do echo 'AGENT_PARTIAL:"more"'; sleep 0.05; done`,
    )
    child.stdout.destroy()
    expect(await exited, 'as after SIGPIPE').toBe(141)
    expect(pids.filter(isRunning)).toEqual([])
  })
})

describe('the bridge and its libraries', () => {
  /** Whether a command reads the file that holds them. */
  async function readsBridge(args: readonly string[]): Promise<boolean> {
    const place = stringPlace()
    const hook = join(place.dir, 'hook.cjs')
    writeFileSync(hook, "process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')))")
    const { status, stderr } = await place.string(args, { env: { NODE_OPTIONS: `--require ${hook}` } })
    expect(status).toBe(0)
    expect(stderr).toContain('dist/cli.cjs')
    return stderr.includes('dist/cli-bridge.cjs')
  }

  it.each([[['bridge', 'init', 'a']]])('are read for %j', async (args) => {
    expect(await readsBridge(args)).toBe(true)
  })

  it.each([[['main', '/close']], [['--version']], [['bridge', '--help']], [['chat', '--help']]])(
    'are not read for %j',
    async (args) => {
      expect(await readsBridge(args)).toBe(false)
    },
  )
})

describe('a signal to string bridge run', () => {
  const STUBBORN = `
trap '' TERM HUP INT
echo $$ >> PIDS
(trap '' TERM; echo $BASHPID >> PIDS; sleep 300) &
setsid bash -c 'trap "" TERM HUP; echo $$ >> PIDS; sleep 300' &
while :; do sleep 1; done`

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the agent and everything that it started, and the exit status is %i', async (signal, status) => {
    const place = stringPlace()
    const { child, exited, pids, stdout } = await startLong(place, STUBBORN, ['--json'])
    expect(pids.filter(isRunning)).toEqual(pids)
    child.kill(signal)
    expect(await exited).toBe(status)
    expect(pids.filter(isRunning)).toEqual([])
    expect(lines(stdout()).at(-1)).toMatchObject({ type: 'result', ok: false, exit_code: status, cancelled: true })
  })

  it('shows no traces of a turn that it cancelled', async () => {
    const place = stringPlace()
    const script = `echo half; echo reason >&2; echo $$ >> PIDS; while :; do sleep 0.1; done`
    const { child, exited, stdout, stderr } = await startLong(place, script)
    child.kill('SIGINT')
    expect(await exited).toBe(130)
    expect([stdout(), stderr()]).toEqual(['', 'error: The turn was cancelled.\n'])
  })
})
