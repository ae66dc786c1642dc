import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, stringPlace } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'
import { DIFFERENCES } from './agentproc-differences.ts'
import { ADAPTER, fixtures, installAgentproc, ours, type RunAgent, theirs } from './agentproc-package.ts'

/** What needs the package registry is skipped without it, and says so. */
const folder = await installAgentproc()
if (folder === null) console.warn('SKIPPED: agentproc cannot be had from the registry, so no public agent was run')
const python = (await run('python3', ['--version']).catch(() => ({ status: 1 }))).status === 0
if (!python) console.warn('SKIPPED: there is no python3, which the public echo-agent needs')

interface Scenario {
  readonly name: string
  readonly lines: readonly string[]
  readonly streaming?: boolean
  readonly profile_overrides?: object
  readonly expect: {
    readonly reply: string
    readonly session_id: string
    readonly error: string
    readonly exit_code: number
    readonly partials: readonly string[]
    readonly partials_any_of?: readonly (readonly string[])[]
  }
}

interface LineCase {
  readonly line: string
  readonly expect: { readonly kind: string; readonly value: unknown }
}

const scenarios = fixtures<{ scenarios: Scenario[] }>(folder, 'scenarios.json')?.scenarios ?? []
const cases = fixtures<{ cases: LineCase[] }>(folder, 'cases.json')?.cases ?? []
if (scenarios.length === 0)
  console.warn('SKIPPED: agentproc does not ship scenarios.json; AGENTPROC_CONFORMANCE=DIR names those of a checkout')
if (cases.length === 0)
  console.warn('SKIPPED: agentproc does not ship cases.json; AGENTPROC_CONFORMANCE=DIR names those of a checkout')

interface Said {
  readonly lines: readonly string[]
  readonly streaming?: boolean
  readonly keys?: object
}

/** What comes of an agent that prints these lines. */
async function say(runAgent: RunAgent, { lines, streaming = true, keys = {} }: Said) {
  const file = join(tempDir(), 'lines')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  const [partials, notes]: [string[], string[]] = [[], []]
  const { reply, sessionId, error, exitCode } = await runAgent(
    { command: '/bin/cat', args: [file], ...keys },
    { message: 'hi', streaming, onPartial: (text) => partials.push(text), onStderr: (text) => notes.push(text) },
  )
  return { shown: { reply, sessionId, error, exitCode, partials }, notes }
}

/** The same as the package's own classifier tells it, by what we do with the line alone. */
async function kindOf(line: string): Promise<{ kind: string; value: unknown }> {
  const { shown, notes } = await say(ours, { lines: [line] })
  const [partial] = shown.partials
  if (shown.exitCode !== 0) return { kind: 'error', value: shown.error }
  if (partial !== undefined) return { kind: 'partial', value: partial }
  return notes.length > 0 || line.trim() === ''
    ? { kind: 'malformed', value: line }
    : { kind: 'result', value: shown.reply }
}

const LINES = [
  '{"type":"partial","text":"one ","session_id":"s-partial"}',
  '{"type":"partial","text":"two","role":"thinking"}',
  '{"type":"result","text":"first"}',
  '{"type":"result","text":"second","session_id":"s-result"}',
  '{"type":"result","session_id":"a: b"}',
  '{"type":"result","text":7}',
  '{"type":"error","message":"no credit","session_id":"s-error"}',
  '{"type":"error","message":"again"}',
  '{"type":"error"}',
  '{"type":"error","message":42}',
  '{"type":"partial","text":"three","session_id":"../up"}',
  '{"type":"session","id":"old"}',
  '{"type":"permission_request","request_id":"r","tool_name":"t","input":{},"session_id":"s-asked"}',
  '{"no":"type"}',
  '[1]',
  'AGENT_PARTIAL:"of another wire"',
  '',
]

describe.skipIf(folder === null)('the public agentproc package', () => {
  const home = folder ?? ''

  it.skipIf(!python)('its echo-agent runs through our bridge, from its own profile', async () => {
    const place = stringPlace()
    const profile = join(home, 'hub/echo-agent/profile.yaml')
    expect(await place.string(['bridge', 'check', profile])).toMatchObject({ status: 0 })
    const message = 'hello "there"\nünicode $(touch x) {{MESSAGE}}'
    expect(await place.string(['bridge', 'run', '--profile', profile, '-m', message])).toEqual({
      status: 0,
      stdout: `You said: ${message}\n`,
      stderr: '',
    })
    const { stdout } = await place.string(['bridge', 'run', '--profile', profile, '-m', 'x', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'result', ok: true, reply: 'You said: x', exit_code: 0 })
  })

  it.skipIf(!python)('has no profile that we refuse', async () => {
    const place = stringPlace()
    const names = readdirSync(join(home, 'hub')).filter((name) => !name.startsWith('_') && !name.includes('.'))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const { status, stderr } = await place.string(['bridge', 'check', join(home, 'hub', name, 'profile.yaml')])
      expect({ status, name }, stderr).toEqual({ status: 0, name })
    }
  })

  it('has tests of its runner that our bridge passes, but for those with a reason', async () => {
    const args = ['--require', ADAPTER, '--test', '--test-reporter=tap', join(home, 'src/runner.test.js')]
    const env = { ...process.env, NODE_OPTIONS: '', AGENTPROC_RUNNER: join(home, 'src/runner.js') }
    const { stdout } = await run(process.execPath, args, { cwd: tempDir(), env })
    const results = [...stdout.matchAll(/^ {4}(not )?ok \d+ - (.*)$/gm)]
    const failed = results.filter(([, not]) => not !== undefined).map(([, , name = '']) => name.replaceAll('\\', ''))
    expect(results.length).toBeGreaterThan(80)
    expect(new Set(failed)).toEqual(new Set(Object.keys(DIFFERENCES)))
  })

  it.each(LINES)('and we take the line %j for the same', async (line) => {
    const { kind, value } = theirs(home).classifyLine(line)
    // It is nothing to whoever did not ask for it.
    expect(await kindOf(line)).toEqual(
      kind === 'permission_request' ? { kind: 'malformed', value: line } : { kind, value },
    )
  })

  it.each([true, false])('and we make the same of every two lines in a row, streaming %s', async (streaming) => {
    const { run: theirRun, classifyLine } = theirs(home)
    for (const lines of LINES.flatMap((first) => LINES.map((second) => [first, second]))) {
      const expected = (await say(theirRun, { lines, streaming })).shown
      const hasFailed = lines.some((line) => classifyLine(line).kind === 'error')
      // A turn that failed has no reply here, and one with an error without words has failed.
      const [reply, exitCode] = hasFailed ? ['', 1] : [expected.reply, expected.exitCode]
      expect((await say(ours, { lines, streaming })).shown, lines.join('\n')).toEqual({ ...expected, reply, exitCode })
    }
  })

  it.each([
    'async_string',
    'async_result',
    'async_none_partial',
    'async_protocol_error',
    'async_send_error_then_return',
    'async_partial_with_role',
    'sync_string',
    'sync_partial_bare',
    'async_permission_roundtrip',
  ])('and its SDK makes an agent (%s) that both run alike', async (handler) => {
    const profile = { command: process.execPath, args: [join(home, 'src/sdk_harness.js'), handler], permission: true }
    const outcome = async (runAgent: RunAgent) => {
      const partials: [string, string | undefined][] = []
      const { reply, sessionId, error, exitCode } = await runAgent(profile, {
        message: 'hi',
        onPartial: (text, role) => partials.push([text, role]),
        onPermission: () => ({ behavior: 'allow' }),
      })
      return { reply: exitCode === 0 ? reply : '', sessionId, error, exitCode, partials }
    }
    expect(await outcome(ours)).toEqual(await outcome(theirs(home).run))
  })
})

describe.skipIf(scenarios.length === 0)('the public scenarios of the later wire', () => {
  it.each(scenarios)('$name', async ({ lines, streaming = true, profile_overrides: keys = {}, expect: expected }) => {
    const { shown } = await say(ours, { lines, streaming, keys })
    const { partials, partials_any_of: anyOf = [partials] } = expected
    expect(shown).toMatchObject({
      reply: expected.reply,
      sessionId: expected.session_id,
      error: expected.error,
      exitCode: expected.exit_code,
    })
    expect(anyOf).toContainEqual(shown.partials)
  })
})

describe.skipIf(cases.length === 0)('the public cases of the later wire', () => {
  it.each(cases)('$line', async ({ line, expect: { kind, value } }) => {
    // An empty piece is nothing to show, as is a request where nobody may ask.
    const isNothing = kind === 'permission_request' || (kind === 'partial' && value === '')
    if (!isNothing) return expect(await kindOf(line)).toEqual({ kind, value })
    expect((await say(ours, { lines: [line] })).shown).toMatchObject({ reply: '', exitCode: 0, partials: [] })
  })
})
