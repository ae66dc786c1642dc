import type { DeliveryView, TurnSummary } from '@string-os/protocol'
import { tellingReason } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { deliveryEntry, logEntry, turnEntry } from '../../../src/cli/logs/entry.ts'
import { entryText } from '../../../src/cli/logs/show-entry.ts'

const TURN: TurnSummary = {
  turn_id: 'trn_01m7hd010p0e4d2q6cyf9zp4n7',
  agent_id: 'bot',
  session: 'default',
  from: 'ada',
  source: 'person',
  event_id: null,
  request_id: null,
  message: 'hello\nthere',
  state: 'done',
  code: null,
  attempt: 1,
  created_at: '2026-03-19T05:30:00.000Z',
  started_at: '2026-03-19T05:30:01.000Z',
  ended_at: '2026-03-19T05:30:03.500Z',
  next_at: null,
  result: null,
  usage: null,
}

const plain = { color: false, width: null, isOfOneAgent: true, now: Date.parse('2026-03-19T12:00:00Z') }
const shown = (entry: Parameters<typeof entryText>[0], look = {}): string =>
  entryText(entry, { ...plain, ...look }).replace(/^[\d:]{8}/, 'TIME')

describe('an entry of the timeline', () => {
  it('of a turn stands where it ended, with how long it took and the end of its id', () => {
    const entry = turnEntry(TURN)
    expect(entry).toMatchObject({ time: TURN.ended_at, isFailure: false, id: TURN.turn_id })
    expect(shown(entry)).toBe('TIME     · turn yf9zp4n7 done in 2.5s: hello (…)')
    expect(turnEntry({ ...TURN, state: 'running', ended_at: null }).time).toBe(TURN.started_at)
  })

  it('of a turn that failed has what it was asked, and the reason on a line of its own, which shows what would control a terminal', () => {
    const result = {
      ok: false,
      reply: '',
      code: 'EXIT_3',
      session_id: null,
      exit_code: 3,
      timed_out: false,
      truncated: false,
      duration_ms: 1,
      error: 'disk \u001b[2Jfull\nmore',
    }
    const failed = turnEntry({ ...TURN, state: 'failed', code: 'EXIT_3', result })
    expect(shown(failed)).toBe('TIME     ✗ turn yf9zp4n7 failed EXIT_3 in 2.5s: hello (…)\n    disk \\x1b[2Jfull (…)')
    for (const width of [60, 40, 30, 20])
      for (const line of shown(failed, { width, isOfOneAgent: false }).split('\n').slice(0, 1)) {
        expect(line, `the id at ${width} columns`).toContain('✗ turn yf9zp4n7')
        expect(line.length).toBeLessThanOrEqual(width)
      }
    expect(turnEntry({ ...TURN, state: 'interrupted' })).toMatchObject({ isFailure: true })
    expect(turnEntry({ ...TURN, state: 'queued', attempt: 2, started_at: null, ended_at: null })).toMatchObject({
      isFailure: true,
    })
  })

  it('fits the columns there are, and names the agent where there are several', () => {
    const entry = turnEntry({ ...TURN, message: 'x'.repeat(200), agent_id: 'an-agent-with-a-long-name' })
    const text = entryText(entry, { ...plain, width: 80, isOfOneAgent: false })
    expect(text).toHaveLength(80)
    expect(text).toContain('  an-agent-wi…  · turn yf9zp4n7')
  })

  it('of a message says where it went, and what keeps it', () => {
    const delivery: DeliveryView = {
      id: 'dlv_1',
      agent_id: 'bot',
      channel: 'email',
      target: 'ada@example.org',
      state: 'failed',
      tries: 3,
      created_at: TURN.created_at,
      next_at: null,
      reason: 'connection refused',
    }
    expect(shown(deliveryEntry(delivery))).toBe(
      'TIME     ✗ message to email:ada@example.org failed after 3 tries\n    connection refused',
    )
    expect(deliveryEntry({ ...delivery, state: 'sent', reason: null })).toMatchObject({ isFailure: false })
  })

  it('of the log is what is urgent, and where the daemon began and ended', () => {
    const line = { time: TURN.created_at, level: 'warn', message: 'The store is away', fields: {} } as const
    const fields = { agent: 'bot', turn: TURN.turn_id, cause: 'Error: x\n  at y' }
    expect(shown(logEntry({ ...line, fields }) ?? turnEntry(TURN))).toBe(
      'TIME     ✗ daemon: The store is away\n    Error: x (…)',
    )
    expect(logEntry({ ...line, fields })).toMatchObject({ agent: 'bot', id: TURN.turn_id, isFailure: true })
    expect(logEntry({ ...line, level: 'info', message: 'stringd is ready' })).toMatchObject({ isFailure: false })
    const more = { code: 'BUSY', count: 2, first: '2026-03-19T05:29:00.000Z', last: '2026-03-19T05:29:07.000Z' }
    const refused = logEntry({ ...line, message: 'A message was refused', fields: more })
    expect(refused).toMatchObject({ time: more.last })
    expect(refused?.text).toMatch(/^daemon: A message was refused: BUSY, 2 more since \S+/)
    expect(logEntry({ ...line, level: 'info', message: 'A command failed' })).toBeNull()
    expect(logEntry({ ...line, message: 'A delivery failed' })).toBeNull()
  })
})

describe('what a program said before it failed', () => {
  it.each([
    ['', null],
    ['just this\n', 'just this'],
    ['Traceback:\n  File "x"\nValueError: bad key\n', 'ValueError: bad key'],
    ['TypeError: x is not a function\n    at y (z.js:1)\n\nNode.js v20.20.2\n', 'TypeError: x is not a function'],
    ['loading\nready\n', 'ready'],
    ['TypeError: cannot read config\n  at line 3\n', 'TypeError: cannot read config'],
    ['It went wrong\n  in step 3\n', 'It went wrong'],
    ['  in step 3\n', 'in step 3'],
  ])('%j is told by %j', (stderr, line) => {
    expect(tellingReason({ code: 'EXIT_1', error: null, stderr, said: '' })).toBe(line)
  })

  it.each([
    ['EXIT_3', 'loading\n', 'loading'],
    ['EXIT_3', '', 'The agent ended.'],
    ['EXIT_137', 'loading\n', 'The agent ended. The last that it printed: loading'],
    ['EXIT_137', '', 'The agent ended.'],
    ['EXIT_139', 'loading\nboom at line 42\n', 'The agent ended. It said: boom at line 42'],
    ['EXIT_139', 'loading\nfatal: no memory\n', 'The agent ended. It said: fatal: no memory'],
    ['TIMEOUT', 'loading\nwaiting for lock…\n', 'The agent ended. The last that it printed: waiting for lock…'],
    ['TIMEOUT', '\n', 'The agent ended.'],
    ['TIMEOUT', 'Error: no answer\nstill trying\n', 'The agent ended. It said: Error: no answer'],
    ['AGENT_ERROR', 'loading\n', 'The agent ended.'],
    ['MAX_STEPS', 'The agent failed\n', 'The agent ended. It said: The agent failed'],
  ])('counts more than how it ended where it ended by itself: %s, %j', (code, stderr, reason) => {
    expect(tellingReason({ code, error: 'The agent ended.', stderr, said: '' })).toBe(reason)
  })
})

it.each([
  ['EXIT_1', 'Working\nError: not logged in\n\n', 'The last that it printed: Error: not logged in'],
  ['TIMEOUT', 'Delete it? [y/N] ', 'It ended. The last that it printed: Delete it? [y/N]'],
  ['EXIT_137', 'Working', 'It ended. The last that it printed: Working'],
  ['AGENT_ERROR', 'Working', 'It ended.'],
])('what a program printed tells why it failed where it wrote no error: %s', (code, said, reason) => {
  expect(tellingReason({ code, error: 'It ended.', stderr: '', said })).toBe(reason)
})
