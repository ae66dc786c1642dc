import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentProcessView } from '@string-os/bridge'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { hasPython, profile, turn } from './support/turn.ts'

const print = (lines: readonly string[], more = '') => turn(profile('print-lines.sh', lines, more))
const bytes = (text: string, more = '') => turn(profile('print-bytes.sh', [text], more))

describe('the reply', () => {
  it('is every line that is no protocol line, as it was printed', async () => {
    const { result } = await print(['  indented', '', 'tab\there', 'AGENT_SESSION:s1', 'last ü 😀'])
    expect(result).toMatchObject({ ok: true, reply: '  indented\n\ntab\there\nlast ü 😀', session_id: 's1' })
  })

  it('can hold a prefix behind a blank: one counts at the beginning of a line only', async () => {
    const lines = [' AGENT_ERROR:"no"', 'see AGENT_PARTIAL:"no"', 'agent_error:"no"']
    const { result, partials } = await print(lines)
    expect(result).toMatchObject({ ok: true, reply: lines.join('\n') })
    expect(partials).toEqual([])
  })

  it.each([
    ['no final newline', 'a\\nb', 'a\nb'],
    ['CRLF', 'a\\r\\nb\\r\\n', 'a\nb'],
    ['a carriage return inside a line', 'a\\rb\\n', 'a\rb'],
    ['only one of several newlines at the end is taken', 'a\\n\\n\\n', 'a\n\n'],
    ['nothing', '', ''],
    ['bytes that are no UTF-8', 'a\\0377b\\n\\0303\\0050', 'a\ufffdb\n\ufffd('],
    ['a character cut off by the end', 'a\\0303', 'a\ufffd'],
  ])('%s', async (_, printed, reply) => {
    expect((await bytes(printed)).result).toMatchObject({ ok: true, reply })
  })

  it('is cut at max_reply_chars characters, never through one, and the suffix follows once', async () => {
    const more = 'max_reply_chars: 5\ntruncation_suffix: "…"'
    expect((await print(['😀😀😀', '😀😀', 'more'], more)).result).toMatchObject({
      ok: true,
      reply: '😀😀😀\n😀…',
      truncated: true,
    })
    expect((await print(['12345'], more)).result).toMatchObject({ reply: '12345', truncated: false })
    expect((await print(['123456'], 'max_reply_chars: 5')).result.reply).toBe('12345\n\n…(truncated)')
  })
})

describe('session lines', () => {
  it('may stand anywhere, and the last one wins', async () => {
    const { result } = await print(['AGENT_SESSION:first', 'x', 'AGENT_PARTIAL:"p"', 'AGENT_SESSION: last '])
    expect(result).toMatchObject({ session_id: 'last', reply: 'x' })
  })

  it('without a usable id are ignored with a warning, and the previous one stays', async () => {
    for (const [id, reason] of [
      ['', '"" was ignored: it is empty'],
      ['   ', '"" was ignored: it is empty'],
      ['a b', '"a b" was ignored: it has " " in it. Write one without blanks, control characters, /, \\ and :'],
      ['a/b', 'it has "/" in it'],
      ['a\\b', 'it has "\\\\" in it'],
      ['a:b', '"a:b" was ignored: it has ":" in it'],
      ['a\u0001b', 'it has "\\u0001" in it'],
      ['x'.repeat(2_000), 'it has more than 1024 characters'],
    ] as const) {
      const { result, warnings } = await print(['AGENT_SESSION:good', `AGENT_SESSION:${id}`])
      expect(result.session_id).toBe('good')
      expect(warnings).toEqual([expect.stringContaining(reason)])
    }
  })

  it('may begin with a prefix of the profile, which replaces this one prefix only', async () => {
    const { result, partials } = await print(
      ['SID=abc', 'AGENT_SESSION:body now', 'AGENT_PARTIAL:"p"'],
      'session_line_prefix: "SID="',
    )
    expect(result).toMatchObject({ session_id: 'abc', reply: 'AGENT_SESSION:body now' })
    expect(partials).toEqual(['p'])
  })

  it('come before all others where prefixes are alike', async () => {
    const { result, partials } = await print(['AGENT_PARTIAL:abc'], 'session_line_prefix: "AGENT_PARTIAL:"')
    expect([result.session_id, partials]).toEqual(['abc', []])
  })

  it('leave the id as it was when there is none', async () => {
    expect((await turn(profile('print-lines.sh', ['x']), { sessionId: 'old' })).result.session_id).toBe('old')
    expect((await print(['x'])).result.session_id).toBeNull()
  })

  it.skipIf(!hasPython)('carry a conversation from turn to turn', async () => {
    const yaml = profile('remember.py')
    const first = await turn(yaml, { sessionName: 'work' })
    expect(first.partials).toEqual(['turn', '1', 'of', 'work'])
    const second = await turn(yaml, { sessionId: first.result.session_id })
    expect(second).toMatchObject({ partials: ['turn', '2', 'of', 'default'], result: { session_id: 'turn-2' } })
  })
})

describe('partials', () => {
  it('are JSON strings, forwarded in order and apart from the reply', async () => {
    const { result, partials } = await print(['AGENT_PARTIAL:"one\\n"', 'body', 'AGENT_PARTIAL: "two \\ud83d\\ude00" '])
    expect([result.reply, partials]).toEqual(['body', ['one\n', 'two 😀']])
  })

  it('reach the caller when they are printed, not when the process ends', async () => {
    const go = join(tempDir(), 'go')
    const seen: [string, boolean][] = []
    const { result } = await turn(profile('wait-for-file.mjs'), {
      message: go,
      onPartial: (text) => {
        seen.push([text, existsSync(go)])
        writeFileSync(go, '')
      },
    })
    expect(seen).toEqual([
      ['first', false],
      ['second', true],
    ])
    expect(result.reply).toBe('the body')
  })

  it('are ignored when the agent does not stream', async () => {
    const { result, partials } = await print(['AGENT_PARTIAL:"p"', 'body'], 'streaming: false')
    expect([result.reply, partials]).toEqual(['body', []])
  })

  it('that are no JSON string are taken as they stand, with a warning', async () => {
    const { partials, warnings } = await print([
      'AGENT_PARTIAL:  plain text ',
      'AGENT_PARTIAL:{"a":1}',
      'AGENT_PARTIAL:"a\tb"',
    ])
    expect(partials).toEqual(['plain text', '{"a":1}', '"a\tb"'])
    expect(warnings).toHaveLength(3)
  })

  it('are cut together at max_reply_chars, apart from the reply, and the suffix follows once', async () => {
    const lines = ['AGENT_PARTIAL:"123"', 'AGENT_PARTIAL:"4567"', 'AGENT_PARTIAL:"8"', '12345']
    const { result, partials } = await print(lines, 'max_reply_chars: 5\ntruncation_suffix: "…"')
    expect(partials).toEqual(['123', '45…'])
    expect(result).toMatchObject({ ok: true, reply: '12345', truncated: true })
  })
})

describe('an error line', () => {
  const lines = ['AGENT_PARTIAL:"before"', 'body', 'AGENT_ERROR:"Try again in 60s."', 'AGENT_PARTIAL:"after"', 'more']

  it('fails the turn although the process exits 0; partials end, the body is dropped', async () => {
    const { result, partials } = await print(lines)
    expect(result).toMatchObject({ ok: false, reply: '', error: 'Try again in 60s.', exit_code: 1 })
    expect(partials).toEqual(['before'])
  })

  it('counts whether or not the agent streams, and whatever send_error_reply says', async () => {
    const { result } = await print(lines, 'streaming: false\nsend_error_reply: false')
    expect(result).toMatchObject({ ok: false, error: 'Try again in 60s.' })
  })

  it('wins over later ones, and a session line is still honoured', async () => {
    const { result } = await print(['AGENT_ERROR:"first"', 'AGENT_ERROR:"second"', 'AGENT_SESSION:kept'])
    expect(result).toMatchObject({ error: 'first', session_id: 'kept' })
  })

  it('that is no JSON string is taken as it stands', async () => {
    const { result, warnings } = await print(['AGENT_ERROR: broken '])
    expect([result.error, warnings.length]).toEqual(['broken', 1])
  })
})

describe('warnings', () => {
  it('of one turn come to an end', async () => {
    const { warnings } = await print(Array.from({ length: 100 }, () => 'AGENT_SESSION:'))
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)).toBe('Further warnings of this turn are not shown')
  })
})

describe('a process that somebody looks at', () => {
  const seen = async (script: string, more = '') => {
    let view: AgentProcessView | null = null
    const options = { onProcess: (process: AgentProcessView) => (view = process) }
    const running = turn(`command: ["sh", "-c", ${JSON.stringify(`${script}; sleep 0.4`)}]\n${more}`, options)
    await expect.poll(() => view?.stdout ?? '').toContain('end')
    const { stdout = '' } = view ?? {}
    await running
    return stdout
  }

  it('shows the end of its output without partials that are forwarded', async () => {
    const script = `echo AGENT_PARTIAL:'"told"'; echo; printf 'the end'`
    expect(await seen(script, 'streaming: true')).toBe('\nthe end')
    expect(await seen(script, 'streaming: false')).toBe('AGENT_PARTIAL:"told"\n\nthe end')
  })

  it('shows no more of it than there is room for, from the beginning of a line', async () => {
    const stdout = await seen(`seq 100000 101000; printf 'the end'`)
    expect(stdout.length).toBeLessThanOrEqual(LIMITS.agentStdoutBytes)
    expect(stdout).toMatch(/^(\d{6}\n)+the end$/)
  })

  it('shows on the wire of JSON what is no partial', async () => {
    const script = `echo '{"type":"partial","text":"told"}'; echo '{"type":"result","text":"the end"}'`
    expect(await seen(script, 'wire: "0.4"\nstreaming: true')).toBe('{"type":"result","text":"the end"}\n')
  })
})

it('an agent that speaks the other wire is answered as it spoke, with what to write into its profile', async () => {
  const spoken = '{"type":"result","text":"hello"}'
  const says = (text: string): string => `command: [sh, -c, "printf '%s' '${text.replaceAll('"', '\\"')}'"]`
  const { result, warnings } = await turn(says(spoken))
  expect(result).toMatchObject({ ok: true, reply: spoken })
  expect(warnings).toEqual([expect.stringContaining('write `wire: "0.4"` into the profile')])
  expect((await turn(says('{"type":"cat"}'))).warnings).toEqual([])
})
