import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { profile, turn } from './support/turn.ts'

const WIRE = 'wire: "0.4"'
const say = (lines: readonly (object | string)[], more = '') =>
  turn(
    profile(
      'speak-json.mjs',
      lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
      `${WIRE}\n${more}`,
    ),
  )

describe('the later wire', () => {
  it('gives the turn as one line of JSON, and then the end of input', async () => {
    const attachments = [{ type: 'image', url: 'https://example.com/a.png', name: null }] as const
    const { result } = await turn(profile('speak-json.mjs', [], WIRE), {
      message: 'two\nlines',
      sessionId: 's1',
      sessionName: 'work',
      attachments,
    })
    expect(result.reply.endsWith('}\n')).toBe(true)
    expect(JSON.parse(result.reply)).toEqual({
      type: 'turn',
      message: 'two\nlines',
      session_id: 's1',
      session_name: 'work',
      attachments: [{ kind: 'image', type: 'image', url: 'https://example.com/a.png', name: null }],
      permission: false,
      protocol_version: '0.4',
    })
  })

  it('is chosen by the number 0.4 too; a new session has no id', async () => {
    const { result } = await turn(profile('speak-json.mjs', [], 'wire: 0.4'))
    expect(JSON.parse(result.reply)).toMatchObject({ session_id: '', session_name: 'default', attachments: [] })
    expect(result.session_id).toBeNull()
  })

  it('takes a message of 200 KB', async () => {
    const message = 'x'.repeat(200_000)
    const { result } = await turn(profile('speak-json.mjs', [], `${WIRE}\nmax_reply_chars: 1000000`), { message })
    expect(JSON.parse(result.reply)).toMatchObject({ message })
  })

  it('forwards partials, and the reply is empty then', async () => {
    const { result, partials } = await say([
      { type: 'partial', text: 'one ' },
      { type: 'partial', text: 'two', role: 'assistant' },
      { type: 'result', text: 'one two', usage: { tokens: 3 } },
    ])
    expect([partials, result.reply, result.ok]).toEqual([['one ', 'two'], '', true])
  })

  it('warns where it ended in the midst of its result', async () => {
    const half = '{"type":"result","text":"It is 5 deg'
    const { result, warnings } = await say([{ type: 'partial', text: 'It is ' }, half])
    expect(result.ok).toBe(true)
    expect(warnings).toEqual([
      `A line of output that is no JSON object was ignored: ${half}`,
      'It ended without a result: what it said before may not be all of its answer',
    ])
  })

  it('warns of a result that the partials do not hold, and tells it, since it is not shown', async () => {
    const partials = [
      { type: 'partial', text: 'I look.\n' },
      { type: 'partial', text: 'All is\nwell.' },
    ]
    const warned = async (text: string): Promise<readonly string[]> =>
      (await say([...partials, { type: 'result', text }])).warnings
    for (const text of ['', 'All is well.', 'I look.\n\nAll is well.\n']) expect(await warned(text)).toEqual([])
    expect(await warned('Deployed.\n')).toEqual([
      'The text of the result was not shown, because partials were (send it as a partial, too): Deployed.',
    ])
    expect((await warned('long '.repeat(500)))[0]).toMatch(/ long …$/)
  })

  it('replies with the text of the result where nothing was forwarded', async () => {
    const lines = [
      { type: 'partial', text: 'p' },
      { type: 'result', text: 'all' },
    ]
    expect((await say(lines.slice(1))).result.reply).toBe('all')
    const { result, partials } = await say(lines, 'streaming: false')
    expect([result.reply, partials]).toEqual(['all', []])
  })

  it('fails with the first error, also when the process exits 0', async () => {
    const { result, partials } = await say([
      { type: 'error', message: 'limit reached', session_id: 'kept' },
      { type: 'error', message: 'second' },
      { type: 'partial', text: 'late' },
      { type: 'result', text: 'late' },
    ])
    expect(result).toMatchObject({ ok: false, reply: '', error: 'limit reached', exit_code: 1, session_id: 'kept' })
    expect(partials).toEqual([])
  })

  it.each([
    ['no message', { type: 'error' }],
    ['a number for a message', { type: 'error', message: 42 }],
    ['null for a message', { type: 'error', message: null }],
  ])('fails with an error that has %s, which is empty then', async (_, error) => {
    const { result, partials, warnings } = await say([
      { type: 'result', text: 'done' },
      { ...error, session_id: 'kept' },
      { type: 'partial', text: 'late' },
    ])
    expect(result).toMatchObject({ ok: false, reply: '', error: '', exit_code: 1, session_id: 'kept' })
    expect([partials, warnings]).toEqual([[], []])
  })

  it('counts the first result, and ignores later ones with a warning, but for a session id', async () => {
    const { result, warnings } = await say([
      { type: 'result', text: 'first' },
      { type: 'result', text: 'second', session_id: 's' },
      { type: 'result', text: 'third' },
    ])
    expect([result.reply, result.session_id, warnings.length]).toEqual(['first', 's', 2])
  })

  it('counts a first result without a text, too', async () => {
    const { result } = await say([{ type: 'result' }, { type: 'result', text: 'second' }])
    expect(result).toMatchObject({ ok: true, reply: '' })
  })

  it('takes a session id from whatever has a known type', async () => {
    const { result } = await say([
      { type: 'news', session_id: 'no' },
      { type: 'partial', session_id: 'yes' },
    ])
    expect(result.session_id).toBe('yes')
  })

  it('keeps the first session id that is not empty, as it is', async () => {
    const { result } = await say([
      { type: 'partial', text: 'p', session_id: '' },
      { type: 'partial', text: 'p', session_id: ' a: b ' },
      { type: 'result', text: '', session_id: 'second' },
    ])
    expect(result.session_id).toBe(' a: b ')
  })

  it('ignores a session id that could be a path, with a warning', async () => {
    const { result, warnings } = await say([{ type: 'result', text: 'x', session_id: '../up' }])
    expect([result.session_id, warnings.length]).toEqual([null, 1])
  })

  it('ignores everything else with a warning', async () => {
    const odd = [
      'hello',
      '[1]',
      '"text"',
      'null',
      '{"type":"partial"}',
      '{"type":"partial","text":1}',
      '{"type":"news"}',
      '{',
    ]
    const { result, warnings } = await say(['', '  ', ...odd, { type: 'result', text: 'fine' }])
    expect(result).toMatchObject({ ok: true, reply: 'fine' })
    expect(warnings).toHaveLength(odd.length)
  })

  it('cuts partials and result at max_reply_chars', async () => {
    const more = 'max_reply_chars: 3\ntruncation_suffix: "…"'
    expect((await say([{ type: 'result', text: '😀😀😀😀' }], more)).result).toMatchObject({
      reply: '😀😀😀…',
      truncated: true,
    })
    const { partials, result } = await say(
      [
        { type: 'partial', text: 'ab' },
        { type: 'partial', text: 'cd' },
        { type: 'partial', text: 'e' },
      ],
      more,
    )
    expect([partials, result.truncated]).toEqual([['ab', 'c…'], true])
  })

  it('does not split the command', async () => {
    const { result } = await turn(`command: ./print-lines.sh a\n${WIRE}`)
    expect(result).toMatchObject({ exit_code: 127 })
    expect(result.error).toContain('print-lines.sh a')
  })

  it('fails when the process does, like the other', async () => {
    const { result } = await turn(`command: [sh, -c, "exit 3"]\n${WIRE}`)
    expect(result).toMatchObject({ ok: false, exit_code: 3 })
  })
})

describe('requests for permission', () => {
  const asking = (count: number, more = '') =>
    profile('ask-permission.mjs', [String(count)], `${WIRE}\npermission: true\n${more}`)

  it('are denied by default, and allowed where the profile says so', async () => {
    expect((await turn(asking(2))).result).toMatchObject({ ok: true, reply: 'r0 deny, r1 deny', session_id: 's 1' })
    expect((await turn(asking(1, 'permission_policy: allow'))).result.reply).toBe('r0 allow')
  })

  it('are asked of the caller, who sees what for', async () => {
    const { result } = await turn(asking(2, 'permission_policy: deny'), {
      onPermission: async ({ request_id, tool_name, input }) => {
        expect([tool_name, input]).toEqual(['shell', { command: 'ls' }])
        return request_id === 'r0' ? 'allow' : 'deny'
      },
    })
    expect(result.reply).toBe('r0 allow, r1 deny')
  })

  it('are asked one after the other', async () => {
    let open = 0
    const seen: number[] = []
    await turn(asking(3), {
      onPermission: async () => {
        open += 1
        await sleep(20)
        seen.push(open)
        open -= 1
        return 'allow'
      },
    })
    expect(seen).toEqual([1, 1, 1])
  })

  it('are denied when asking fails, or when too many wait', async () => {
    const { result, warnings } = await turn(asking(1), { onPermission: () => Promise.reject(new Error('no terminal')) })
    expect([result.reply, warnings[0]]).toEqual(['r0 deny', expect.stringContaining('no terminal')])
    let asked = 0
    const many = await turn(asking(100), {
      onPermission: async () => {
        asked += 1
        return 'allow'
      },
    })
    expect(many.result.reply.match(/allow/g)).toHaveLength(asked)
    expect(many.result.ok).toBe(true)
  })

  it('are taken back when the turn ends before the answer', async () => {
    const stop = new AbortController()
    let over: AbortSignal | null = null
    const { result } = await turn(asking(1, 'kill_grace_secs: 0.2'), {
      signal: stop.signal,
      onPermission: (_, signal) => {
        over = signal
        stop.abort()
        return new Promise(() => {})
      },
    })
    expect(result.exit_code).toBe(130)
    expect(over).toMatchObject({ aborted: true })
  })

  it('are ignored with a warning where the profile does not have permission: true', async () => {
    const request = { type: 'permission_request', request_id: 'r', tool_name: 't', input: {} }
    const { result, warnings } = await say([request, { type: 'result', text: 'x' }])
    expect([result.reply, warnings.length]).toEqual(['x', 1])
  })
})

it('quotes the first line that is no JSON, and asks whether the wire is right where no result came', async () => {
  const { result, warnings } = await say(['Error: not logged in', 'and more'])
  expect(result).toMatchObject({ ok: true, reply: '' })
  expect(warnings).toEqual([
    'A line of output that is no JSON object was ignored: Error: not logged in',
    'A line of output that is no JSON object was ignored',
    expect.stringMatching(
      /^It ended without a result, .* is `wire` right\? Text alone is an answer with wire: "0\.1"$/,
    ),
  ])
})
