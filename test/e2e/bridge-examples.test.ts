import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    first: '--output-format stream-json',
    next: '--output-format stream-json --resume s-1',
  },
  {
    name: 'opencode',
    program: 'opencode',
    events: `
console.log('{"type":"step_start","sessionID":"s-1","part":{}}')
console.log(JSON.stringify({ type: 'text', sessionID: 's-1', part: { type: 'text', text: 'heard ' + input + ' with ' + args } }))
console.log('{"type":"step_finish","sessionID":"s-1","part":{}}')`,
    failing: `console.log('{"type":"error","sessionID":"s-1","error":{"name":"x","data":{"message":"No credit"}}}'); process.exitCode = 1`,
    first: 'run --format json',
    next: 'run --format json --session s-1',
  },
]

describe.each(STAND_INS)('the adapter for $program', ({ name, program, events, failing, first, next }) => {
  /** A String whose PATH holds the stand-in alone, beside Node. */
  function placeWith(script: string): Place {
    const place = stringPlace()
    const bin = join(place.dir, 'bin')
    // The real program may be installed here: nothing but the stand-in shall be found.
    place.env.PATH = bin
    const lines = [
      `#!${process.execPath}`,
      "const input = require('node:fs').readFileSync(0, 'utf8')",
      "const args = process.argv.slice(2).join(' ')",
      script,
    ]
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    writeFileSync(join(bin, program), lines.join('\n'), { mode: 0o755 })
    return place
  }

  it('streams what it says, and goes on with its session in the next turn', async () => {
    const place = placeWith(events)
    expect(await say(place, name, '-m', '-x "quoted"')).toEqual({
      status: 0,
      stdout: `heard -x "quoted" with ${first}\n`,
      stderr: '',
    })
    expect((await say(place, name, '-m', 'again')).stdout).toBe(`heard again with ${next}\n`)
  })

  it('tells an error of the program, and of one that is not there', async () => {
    const place = placeWith(failing)
    expect(await say(place, name, '-m', 'x')).toEqual({ status: 1, stdout: '', stderr: 'error: No credit\n' })
    rmSync(join(place.dir, 'bin', program))
    expect((await say(place, name, '-m', 'x')).stderr).toContain(
      `${program} cannot be started. Install it: npm install`,
    )
  })
})
