import type { TurnView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { turnPage as pageOf } from '../../../src/cli/turns/turn-page.ts'
import { hasFailed } from '../../../src/cli/turns/turn-reason.ts'
import { layTurns } from '../../../src/cli/turns/turn-table.ts'

const at = (seconds: number): string => new Date(2026, 2, 19, 14, 30, seconds).toISOString()
const NOW = new Date(2026, 2, 19, 14, 31, 0).getTime()

/** Whatever the zone of this machine is. */
const turnPage = (...given: Parameters<typeof pageOf>): string =>
  pageOf(...given).replaceAll(/ [+-]\d\d:\d\d\b/g, ' ZONE')

const PLAIN = { color: false, profile: null }

const RESULT = {
  ok: false,
  reply: '',
  error: 'The agent failed with exit code 3.',
  code: 'EXIT_3',
  session_id: 'turn-1',
  exit_code: 3,
  timed_out: false,
  truncated: false,
  duration_ms: 2_500,
}

const TURN: TurnView = {
  turn_id: 'trn_01hzzzzzzz0000000000000001',
  agent_id: 'bot',
  session: 'default',
  from: 'ada',
  source: 'person',
  event_id: null,
  request_id: null,
  message: 'Do it\nnow',
  state: 'failed',
  code: 'EXIT_3',
  attempt: 1,
  created_at: at(0),
  started_at: at(1),
  ended_at: at(3),
  next_at: null,
  result: RESULT,
  usage: { input_tokens: 120, output_tokens: 7, total_tokens: 127, cost_usd: 0.0123, duration_ms: 2_000 },
  steps: [
    {
      index: 1,
      text: 'I run the tests.',
      blocks: [
        { channel: 'string', topic: 'main', cmd: '/open todo.md', ok: true, code: null },
        { channel: 'string', topic: 'bash:dev', cmd: 'npm test', ok: false, code: 'EXIT_1' },
      ],
      duration_ms: 1_200,
    },
  ],
  partial: 'Half an answer',
  approvals: [],
  stderr: 'limit reached\n',
}

describe('the page of a turn', () => {
  it('of one that waits for its next try does not say that it runs', () => {
    const waits = { ...TURN, state: 'queued', attempt: 2, ended_at: null, result: null, next_at: at(40) } as const
    expect(turnPage(waits, NOW, PLAIN)).not.toContain('runs for')
    expect([waits, { ...waits, attempt: 1 }, TURN].map(hasFailed)).toEqual([true, false, true])
  })

  it('tells of a failed one why, with the steps and the end of stderr, and how to run it again', () => {
    expect(turnPage(TURN, NOW, { ...PLAIN, profile: '/home/ada/bot.yaml' })).toMatchInlineSnapshot(`
      "turn: trn_01hzzzzzzz0000000000000001
      agent: bot
      profile: /home/ada/bot.yaml
      session: default
      from: ada
      state: failed EXIT_3
      asked: 2026-03-19 14:30:00 ZONE
      started: 2026-03-19 14:30:01 ZONE, after 1.0s
      ended: 2026-03-19 14:30:03 ZONE, after 2.0s
      exit code: 3
      usage: 120 tokens in, 7 out, 127 in all, $0.0123
      session id: turn-1

      error:
        The agent failed with exit code 3.

      stderr:
        limit reached

      message:
        Do it
        now

      step 1 (2 blocks, 1.2s):
        I run the tests.
        ✓ string:main /open todo.md
        ✗ EXIT_1 string:bash:dev npm test

      said before it ended:
        Half an answer

      string turn retry 00000001 runs it again"
    `)
  })

  it('tells of one that an event began where it came from, and when it is tried again', () => {
    const event = { event_id: 'evt_1', from: 'local-webhook', source: 'local-webhook' }
    const waiting = {
      state: 'queued',
      code: null,
      attempt: 2,
      started_at: null,
      ended_at: null,
      next_at: at(59),
    } as const
    const page = turnPage({ ...TURN, ...event, ...waiting, result: null, usage: null, steps: [] }, NOW, PLAIN)
    expect(page).toContain(
      '\nfrom: local-webhook\nstate: queued, try 2 of 3\nasked: 2026-03-19 14:30:00 ZONE\nnext try: 2026-03-19 14:30:59 ZONE\nevent: evt_1\n',
    )
    expect(page).toContain(
      `string events read evt_1 --agent bot shows the event\nstring turn retry ${TURN.turn_id.slice(-8)} runs it again at once\nstring turn cancel ${TURN.turn_id.slice(-8)} ends it`,
    )
  })

  it('tells of one that succeeded its reply alone', () => {
    const result = { ...RESULT, ok: true, reply: 'Done.', error: null, code: null, exit_code: 0 }
    const done = { ...TURN, state: 'done', code: null, result, stderr: '', steps: [] } as const
    expect(turnPage(done, NOW, PLAIN)).toMatch(/\n\nmessage:\n {2}Do it\n {2}now\n\nreply:\n {2}Done\.$/)
    const tries = [{ ended_at: at(1), code: 'EXIT_3', reason: 'disk full' }]
    expect(turnPage({ ...done, tries }, NOW, PLAIN)).toContain(
      '\n\nfailed before:\n  2026-03-19 14:30:01 ZONE EXIT_3: disk full\n\nmessage:',
    )
  })

  it('has a reason also where nobody gave one', () => {
    const silent = turnPage({ ...TURN, result: { ...RESULT, error: null } }, NOW, PLAIN)
    expect(silent).toContain('error:\n  The agent ended with exit code 3 and said nothing about it.')
    const cut = turnPage({ ...TURN, state: 'interrupted', code: 'INTERRUPTED', result: null }, NOW, PLAIN)
    expect(cut).toContain('state: interrupted\n')
    expect(cut).toContain('error:\n  It was cut off: the daemon ended while it ran.')
  })

  it('S24: makes visible what would control a terminal, wherever it stands', () => {
    const evil = '\x1b]0;title\x07\x1b[2J\u202e\x9b31m\r'
    const turn: TurnView = {
      ...TURN,
      session: evil,
      from: evil,
      source: evil,
      request_id: evil,
      message: evil,
      code: evil,
      result: { ...RESULT, error: evil, session_id: evil },
      steps: [
        {
          index: 1,
          text: evil,
          blocks: [{ channel: evil, topic: evil, cmd: evil, ok: false, code: evil }],
          duration_ms: 1,
        },
      ],
      partial: evil,
      stderr: evil,
    }
    const { line } = layTurns([turn], { isOfOneAgent: false, look: { color: false, width: null } })
    for (const shown of [turnPage(turn, NOW, PLAIN), line(turn)]) {
      for (const each of ['\x1b', '\x07', '\u202e', '\x9b', '\r']) expect(shown).not.toContain(each)
      expect(shown).toContain('\\x1b')
    }
  })

  it('says of an answer that was cut what allows more', () => {
    const cut: TurnView = { ...TURN, state: 'done', result: { ...RESULT, ok: true, error: null, truncated: true } }
    const note = '\n(the answer was cut: a larger max_reply_chars in /p/agent.yaml allows more)'
    expect(turnPage(cut, NOW, { color: false, profile: '/p/agent.yaml' })).toContain(note)
    expect(turnPage(cut, NOW, PLAIN)).not.toContain('max_reply_chars')
    expect(turnPage(TURN, NOW, { color: false, profile: '/p/agent.yaml' })).not.toContain('max_reply_chars')
  })

  it('cuts what is very long, and says where the rest is', () => {
    const page = turnPage({ ...TURN, message: 'x'.repeat(5_000) }, NOW, PLAIN)
    expect(page).toContain('xx…\n  (3000 more characters; --json has all)\n')
  })
})

it('turns are lines that begin with the end of the id', () => {
  const { head, line } = layTurns([TURN], { isOfOneAgent: false, look: { color: false, width: null } })
  expect(head.split(/ +/)).toEqual(['ID', 'TIME', 'AGENT', 'SESSION', 'STATE', 'TOOK', 'FROM', 'MESSAGE'])
  expect(line(TURN)).toMatch(/^00000001 {2}\S.* {2}bot {4}default {2}failed EXIT_3 {2}2\.0s {2}ada {3}Do it now$/)
})
