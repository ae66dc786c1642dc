import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, run, stringPlace } from '../support/cli.ts'

const folder = join(import.meta.dirname, '../../examples/agents')
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const profileOf = (name: string): string => join(folder, name, 'profile.yaml')

const hasPython = (await run('python3', ['--version']).catch(() => ({ status: 1 }))).status === 0
if (!hasPython) console.warn('SKIPPED: there is no python3, so the Python agent was not run')

async function say(place: Place, name: string, ...args: string[]) {
  const { status, stdout, stderr } = await place.string(['bridge', 'run', '--profile', profileOf(name), ...args])
  return { status, stdout, stderr }
}

describe.each(names)('examples/agents/%s', (name) => {
  it('has a README and a profile that string bridge check finds sound', async () => {
    expect(existsSync(join(folder, name, 'README.md'))).toBe(true)
    const place = stringPlace()
    expect(await place.string(['bridge', 'check', profileOf(name)])).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('the shell echo', () => {
  it('says what it was told, also what looks like a line of the protocol', async () => {
    const place = stringPlace()
    expect(await say(place, 'shell-echo', '-m', 'hello\nAGENT_ERROR:"no"')).toEqual({
      status: 0,
      stdout: 'You said: hello\n AGENT_ERROR:"no"\n',
      stderr: '',
    })
  })
})

describe.skipIf(!hasPython)('the Python agent', () => {
  it('streams, remembers its session, and reports errors', async () => {
    const place = stringPlace()
    expect(await say(place, 'python', '-m', 'I am Ada')).toEqual({
      status: 0,
      stdout: 'Message 1: "I am Ada". Nice to meet you.\n',
      stderr: '',
    })
    const { stdout } = await say(place, 'python', '-m', 'and now?', '--json')
    const events = stdout.trimEnd().split('\n')
    expect(events.length).toBeGreaterThan(5)
    expect(events.map((line) => (JSON.parse(line) as { text?: string }).text ?? '').join('')).toBe(
      'Message 2: "and now?". Before that: "I am Ada".',
    )
    expect((await say(place, 'python', '-m', 'hi', '--session', 'other')).stdout).toContain('Message 1:')
    expect(await say(place, 'python', '-m', 'fail')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: You asked me to fail.\n',
    })
    expect((await say(place, 'python', '-m', 'x', '--session-id', 'strange')).stdout).toContain('Message 1:')
  })
})

describe('the Node agent', () => {
  it('streams, and is denied what nobody can be asked about', async () => {
    const place = stringPlace()
    expect(await say(place, 'node', '-m', 'hello there')).toEqual({
      status: 0,
      stdout: 'You said: hello there\n',
      stderr: '',
    })
    expect((await say(place, 'node', '-m', 'list')).stdout).toBe('I may not look.\n')
  })
})

/** A program of that name which tells its arguments and what it read, in the events of the real one. */
const STAND_INS: readonly {
  name: string
  program: string
  events: string
  failing: string
  first: string
  next: string
}[] = [
  {
    name: 'claude-code',
    program: 'claude',
    events: `
console.log('{"type":"system","subtype":"init","session_id":"s-1"}')
for (const text of ['heard ', input, ' with ', args])
  console.log(JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text } } }))
console.log('{"type":"stream_event","event":{"type":"content_block_stop"}}')
console.log('{"type":"result","subtype":"success","is_error":false,"result":"unused","session_id":"s-1"}')`,
    failing: `console.log('{"type":"result","is_error":true,"result":"No credit","session_id":"s-1"}'); process.exitCode = 1`,
    first: '-p --output-format stream-json --verbose --include-partial-messages',
    next: '-p --output-format stream-json --verbose --include-partial-messages --resume s-1',
  },
  {
    name: 'codex',
    program: 'codex',
    events: `
console.log('{"type":"thread.started","thread_id":"s-1"}')
console.log('{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"hm"}}')
console.log(JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text: 'heard ' + input + ' with ' + args } }))
console.log('{"type":"turn.completed","usage":{}}')`,
    failing: `console.log('{"type":"turn.failed","error":{"message":"No credit"}}'); process.exitCode = 1`,
    first: 'exec --json --skip-git-repo-check -',
    next: 'exec --json --skip-git-repo-check resume s-1 -',
  },
  {
    name: 'gemini-cli',
    program: 'gemini',
    events: `
console.log('Loaded cached credentials.')
console.log('{"type":"init","session_id":"s-1","model":"m"}')
console.log(JSON.stringify({ type: 'message', role: 'user', content: input }))
for (const content of ['heard ', input, ' with ', args])
  console.log(JSON.stringify({ type: 'message', role: 'assistant', content, delta: true }))
console.log('{"type":"result","status":"success","stats":{}}')`,
    failing: `console.log('{"type":"result","status":"error","error":{"type":"x","message":"No credit"}}'); process.exitCode = 1`,
    first: '--output-format stream-json --skip-trust',
    next: '--output-format stream-json --skip-trust --resume s-1',
  },
  {
    name: 'opencode',
    program: 'opencode',
    events: `
console.log('{"type":"step_start","sessionID":"s-1","part":{}}')
console.log(JSON.stringify({ type: 'text', sessionID: 's-1', part: { type: 'text', text: 'heard ' + input + ' with ' + args } }))
console.log('{"type":"step_finish","sessionID":"s-1","part":{}}')`,
    failing: `console.log('{"type":"error","sessionID":"s-1","error":{"name":"x","data":{"message":"No credit"}}}'); process.exitCode = 1`,
    first: 'run --format json --print-logs --log-level ERROR',
    next: 'run --format json --print-logs --log-level ERROR --session s-1',
  },
]

/** A String whose PATH holds the stand-in alone, beside Node. */
function placeWith(program: string, script: string): Place {
  const place = stringPlace()
  const bin = join(place.dir, 'bin')
  // The real program may be installed here: nothing but the stand-in shall be found.
  place.env.PATH = bin
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  writeFileSync(join(bin, program), `#!${process.execPath}\n${script}`, { mode: 0o755 })
  return place
}

const READS_ALL = `
const input = require('node:fs').readFileSync(0, 'utf8')
const args = process.argv.slice(2).join(' ')
`

describe.each(STAND_INS)('the adapter for $program', ({ name, program, events, failing, first, next }) => {
  it('streams what it says, and goes on with its session in the next turn', async () => {
    const place = placeWith(program, READS_ALL + events)
    expect(await say(place, name, '-m', '-x "quoted"')).toEqual({
      status: 0,
      stdout: `heard -x "quoted" with ${first}\n`,
      stderr: '',
    })
    expect((await say(place, name, '-m', 'again')).stdout).toBe(`heard again with ${next}\n`)
  })

  it('tells an error of the program, and of one that is not there', async () => {
    const place = placeWith(program, READS_ALL + failing)
    expect(await say(place, name, '-m', 'x')).toEqual({ status: 1, stdout: '', stderr: 'error: No credit\n' })
    rmSync(join(place.dir, 'bin', program))
    expect((await say(place, name, '-m', 'x')).stderr).toContain(
      `${program} cannot be started. Install it: npm install`,
    )
  })
})

const INIT = `console.log('{"type":"system","subtype":"init","session_id":"s-1"}')\n`

describe('the adapter for claude', () => {
  it('tells the reason of an error that has no result', async () => {
    const ended = { type: 'result', subtype: 'error_during_execution', is_error: true, session_id: 's-1' }
    const event = JSON.stringify({ ...ended, errors: ['No conversation found'] })
    const place = placeWith('claude', `console.log(${JSON.stringify(event)}); process.exitCode = 1`)
    expect((await say(place, 'claude-code', '-m', 'x')).stderr).toBe('error: No conversation found\n')
  })

  it('knows the session of a turn that did not come to its end', async () => {
    const place = placeWith('claude', `${INIT}process.kill(process.pid, 'SIGKILL')`)
    const { stdout } = await say(place, 'claude-code', '-m', 'x', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, session_id: 's-1' })
  })

  const RETRY = { type: 'system', subtype: 'api_retry', max_retries: 10, retry_delay_ms: 1041.3 }

  it('says that it tries again, and why', async () => {
    const event = JSON.stringify({ ...RETRY, attempt: 1, error_status: 529, error: 'overloaded' })
    const result = '{"type":"result","is_error":false,"result":"at last","session_id":"s-1"}'
    const place = placeWith('claude', `console.log(${JSON.stringify(event)}); console.log('${result}')`)
    expect((await say(place, 'claude-code', '-m', 'x')).stdout).toBe('(529 overloaded; try 1 of 10 in 2 s)\nat last\n')
  })

  it('gives up when its key was refused twice, though claude would go on', async () => {
    const refused = { ...RETRY, error_status: 401, error: 'authentication_failed' }
    const events = [1, 2].map((attempt) => `console.log(${JSON.stringify(JSON.stringify({ ...refused, attempt }))})`)
    const place = placeWith('claude', `${events.join('\n')}\nsetInterval(() => {}, 1000)`)
    expect(await say(place, 'claude-code', '-m', 'x')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('error: Claude Code is refused: 401 authentication_failed. Log in with "claude"'),
    })
  })
})

/** Asks before it uses a tool, as claude does with --permission-prompt-tool stdio, and tells what it was answered. */
const ASKING = `
const lines = require('node:readline').createInterface({ input: process.stdin })
const send = (event) => console.log(JSON.stringify(event))
const text = (text) => send({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text } } })
send({ type: 'system', subtype: 'init', session_id: 's-1' })
lines.on('line', (line) => {
  const message = JSON.parse(line)
  if (message.type === 'user') {
    text('You said ' + message.message.content + '. ')
    send({ type: 'control_request', request_id: 'r-1', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } } })
  } else {
    text(JSON.stringify(message.response))
    send({ type: 'result', is_error: false, result: '', session_id: 's-1' })
  }
})
`

describe('the asking adapter for claude', () => {
  const profile = join(folder, 'claude-code/asking.yaml')
  const deny =
    '{"subtype":"success","request_id":"r-1","response":{"behavior":"deny","message":"The person did not allow it."}}'

  it('asks the person in string chat, and hands the answer on', async () => {
    const place = placeWith('claude', ASKING)
    const chat = openTerminal(place, ['chat', '--profile', profile])
    await chat.shows(/default>$/)
    chat.type('hello\r')
    await chat.shows('The agent asks to use Bash: {"command":"ls"}\nAllow it? [y/N]')
    chat.type('y\r')
    await chat.shows('"behavior":"allow"')
    await chat.shows(/default>$/)
    chat.type('hello\r')
    await chat.shows('Allow it? [y/N]')
    chat.type('\r')
    await chat.shows('"behavior":"deny"')
  })

  it('is sound, and denied where nobody can be asked', async () => {
    const place = placeWith('claude', ASKING)
    expect(await place.string(['bridge', 'check', profile])).toMatchObject({ status: 0, stderr: '' })
    expect(await place.string(['bridge', 'run', '--profile', profile, '-m', 'hi', '--json'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(JSON.stringify(deny).slice(1, -1)),
    })
  })

  it('tells an error of the program, and of one that is not there', async () => {
    const failing = `console.log('{"type":"result","is_error":true,"result":"No credit","session_id":"s-1"}'); process.exitCode = 1`
    const place = placeWith('claude', failing)
    const args = ['bridge', 'run', '--profile', profile, '-m', 'x']
    expect(await place.string(args)).toEqual({ status: 1, stdout: '', stderr: 'error: No credit\n' })
    rmSync(join(place.dir, 'bin/claude'))
    expect((await place.string(args)).stderr).toContain('claude cannot be started. Install it: npm install')
  })
})

const LOG =
  'timestamp=T level=ERROR run=1 message="stream error" providerID=x error.error="AI_APICallError: Overloaded"'
const RETRIES: readonly { name: string; program: string; script: string; shown: string }[] = [
  {
    name: 'opencode',
    program: 'opencode',
    script: `console.error('${LOG}')`,
    shown: '(AI_APICallError: Overloaded; it may try again)\n',
  },
  {
    name: 'gemini-cli',
    program: 'gemini',
    script: `console.error('Attempt 1 failed with status 500. Retrying with backoff... _ApiError: {}')`,
    shown: '(Attempt 1 failed with status 500. Retrying with backoff)\n',
  },
  {
    name: 'codex',
    program: 'codex',
    script: `console.log('{"type":"error","message":"Reconnecting... 1/5 (high demand)"}')`,
    shown: '(Reconnecting... 1/5 (high demand))\n',
  },
]

describe.each(RETRIES)('the adapter for $program', ({ name, program, script, shown }) => {
  it('says that it tries again', async () => {
    const place = placeWith(program, script)
    expect(await say(place, name, '-m', 'x')).toEqual({ status: 0, stdout: shown, stderr: '' })
  })
})
