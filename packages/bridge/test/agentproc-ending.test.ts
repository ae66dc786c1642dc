import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { hasPython, profile, type Turned, turn } from './support/turn.ts'

describe('exit codes', () => {
  it('0 without an error line is success', async () => {
    expect((await turn(profile('exit-with.sh', ['0']))).result).toMatchObject({
      ok: true,
      reply: 'a body',
      error: null,
      exit_code: 0,
      timed_out: false,
      truncated: false,
    })
  })

  it.each([1, 3, 124, 130, 143, 255])('%i without an error line is a failure the user is told of', async (code) => {
    const { result } = await turn(profile('exit-with.sh', [String(code)]))
    expect(result).toMatchObject({ ok: false, reply: '', exit_code: code, timed_out: false })
    expect(result.error).toContain(`exit code ${code}`)
  })

  it('nothing is sent for a failure with send_error_reply: false', async () => {
    const { result } = await turn(profile('exit-with.sh', ['3'], 'send_error_reply: false'))
    expect(result).toMatchObject({ ok: false, reply: '', error: null, exit_code: 3 })
  })

  it.each([
    ['INT', 130],
    ['TERM', 143],
    ['KILL', 137],
  ])('a process that SIG%s ended has exit code %i', async (signal, code) => {
    const { result } = await turn(profile('die-of-signal.sh', [signal]))
    expect(result).toMatchObject({ ok: false, exit_code: code })
    expect(result.error).toContain(`SIG${signal}`)
  })

  it('an error line keeps the exit code of a process that failed too', async () => {
    const yaml = `command: [sh, -c, "echo 'AGENT_ERROR:\\"limit\\"'; exit 7"]`
    expect((await turn(yaml)).result).toMatchObject({ ok: false, error: 'limit', exit_code: 7 })
  })

  it('a session id is kept although the turn failed', async () => {
    const yaml = 'command: [sh, -c, "echo AGENT_SESSION:new; exit 1"]'
    expect((await turn(yaml, { sessionId: 'old' })).result).toMatchObject({ ok: false, session_id: 'new' })
  })
})

describe('standard error', () => {
  it('is in the error with include_stderr_in_reply, and only then', async () => {
    const shown = await turn(profile('exit-with.sh', ['3'], 'include_stderr_in_reply: true'))
    expect(shown.result.error).toMatch(/exit code 3\.[^\n]*\n\nthe reason is on standard error$/)
    const hidden = await turn(profile('exit-with.sh', ['3']))
    expect(hidden.result.error).not.toContain('the reason is on')
  })

  it('is never a part of a reply', async () => {
    const { result } = await turn(profile('exit-with.sh', ['0'], 'include_stderr_in_reply: true'))
    expect(result.reply).toBe('a body')
  })

  it('shows only its end, cut between characters', async () => {
    const yaml = `command: [sh, -c, "yes üü | head -n 5000 >&2; exit 1"]\ninclude_stderr_in_reply: true`
    const { error } = (await turn(yaml)).result
    expect(Buffer.byteLength(error ?? '')).toBeLessThan(4_096 + 300)
    expect(error).not.toContain('\ufffd')
    expect(error).toMatch(/üü\nüü$/)
  })

  it('has its end in every result, control characters and all', async () => {
    const good = await turn(profile('exit-with.sh', ['0']))
    expect(good.result.stderr).toBe('the reason is on standard error\n')
    const script = 'printf "\\033[31mred\\r\\n" >&2; exit 1'
    expect((await turn(`command: ${JSON.stringify(['sh', '-c', script])}`)).result.stderr).toBe('\x1b[31mred\r\n')
    const much = await turn('command: [sh, -c, "yes üü | head -n 5000 >&2"]')
    expect(much.result.stderr).toMatch(/^(üü\n|ü\n|\n)(üü\n)+$/)
    expect(Buffer.byteLength(much.result.stderr)).toBeGreaterThan(4_090)
    expect(Buffer.byteLength(much.result.stderr)).toBeLessThanOrEqual(4_096)
  })

  it('is empty where nothing ran', async () => {
    expect((await turn('command: ./no-such-agent')).result).toMatchObject({ ok: false, stderr: '', body: '' })
  })

  it('reaches the caller as it comes', async () => {
    let text = ''
    await turn(profile('exit-with.sh', ['0']), { onStderr: (more) => (text += more) })
    expect(text).toBe('the reason is on standard error\n')
  })
})

describe('what the profile took from the environment', () => {
  const environment = { PATH: process.env.PATH, KEY: 'sk-1234567890', OTHER: '1234567890-abc', SHORT: '1234567' }
  const env = 'env: { KEY: "Bearer ${KEY}", OTHER: "${OTHER}", SHORT: "${SHORT}", OWN: written-here }\n'
  const complain = (script: string, more = ''): Promise<Turned> =>
    turn(`command: ${JSON.stringify(['sh', '-c', script])}\n${env}${more}`, { environment })

  it('is hidden in standard error and in the body of a failed turn, from 8 characters on', async () => {
    const { result } = await complain('line="$KEY, $OTHER, $SHORT, $OWN"; echo "$line"; echo "$line" >&2; exit 1')
    expect(result.stderr).toBe('Bearer •••, •••, 1234567, written-here\n')
    expect(result.body).toBe('Bearer •••, •••, 1234567, written-here')
  })

  it('is hidden in the error that shows standard error', async () => {
    const { result } = await complain('echo "$KEY" >&2; exit 1', 'include_stderr_in_reply: true')
    expect(result.error).toMatch(/\n\nBearer •••$/)
  })

  it('is hidden where values overlap, and where bytes are no text', async () => {
    const { result } = await complain(`printf 'sk-1234567890-abc\\377\\376' >&2`)
    expect(result.stderr).toBe('•••\ufffd\ufffd')
  })

  it.each([4_096 - 1, 4_096 - 5, 4_096 - 12, 4_096 - 13])(
    'is hidden when the end that is kept begins inside of it: %i bytes follow its beginning',
    async (more) => {
      const { result } = await complain(`printf 'x%.0s' $(seq 9000) >&2; printf '%s' "\${KEY#Bearer }" >&2
printf 'y%.0s' $(seq ${more}) >&2`)
      expect(result.stderr).toBe(`•••${'y'.repeat(more)}`)
    },
  )

  it('is in a reply as the agent wrote it', async () => {
    expect((await complain('echo "$KEY"')).result).toMatchObject({ ok: true, reply: 'Bearer sk-1234567890', body: '' })
  })
})

describe('what an agent printed before it failed', () => {
  const fail = (script: string, more = ''): Promise<Turned> =>
    turn(`command: ${JSON.stringify(['sh', '-c', script])}\n${more}`)

  it.each([
    ['its exit code', 'echo half; echo an answer; exit 3', 'half\nan answer'],
    ['an error line, up to that', `echo half; echo 'AGENT_ERROR:"no"'; echo more`, 'half'],
    ['a signal', 'echo half; kill -9 $$', 'half'],
  ])('is no reply but the body, when it failed by %s', async (_, script, body) => {
    expect((await fail(script)).result).toMatchObject({ ok: false, reply: '', body, cancelled: false })
  })

  it('is there after a timeout, and after cancelling, which is told', async () => {
    const limits = 'timeout_secs: 2\nkill_grace_secs: 0.2'
    expect((await fail('echo half; sleep 60', limits)).result).toMatchObject({ timed_out: true, body: 'half' })
    const stop = new AbortController()
    const yaml = profile('ignore-term.sh', [], 'kill_grace_secs: 0.2')
    const { result } = await turn(yaml, { signal: stop.signal, onPartial: () => stop.abort() })
    expect(result).toMatchObject({ ok: false, cancelled: true, timed_out: false })
  })

  it('is cut like a reply', async () => {
    const { result } = await fail('echo 123456; exit 1', 'max_reply_chars: 3\ntruncation_suffix: "…"')
    expect(result).toMatchObject({ body: '123…', truncated: false })
  })

  it('on the later wire is its result, and what was no JSON', async () => {
    const script = `echo Not logged in; echo '{"type":"result","text":"half"}'; echo '[1]'; exit 1`
    expect((await fail(script, 'wire: "0.4"')).result).toMatchObject({ reply: '', body: 'Not logged in\n[1]\nhalf' })
    const shown = `echo '{"type":"partial","text":"ha"}'; echo '{"type":"result","text":"ha"}'; exit 1`
    expect((await fail(shown, 'wire: "0.4"')).result.body, 'it was shown already').toBe('')
  })
})

describe('a timeout (R16)', () => {
  // Long enough for a shell to print its first line on a busy machine.
  const limits = 'timeout_secs: 2\nkill_grace_secs: 0.3'

  it('sends TERM, waits for the grace, then KILLs; partials that came stay', async () => {
    const { result, partials } = await turn(profile('ignore-term.sh', [], limits))
    expect(result).toMatchObject({ ok: false, reply: '', exit_code: 124, timed_out: true })
    expect(result.error).toContain('longer than 2 s')
    expect(partials).toEqual(['started'])
  })

  it('is 124 whatever else happened: an error line keeps its text', async () => {
    const yaml = `command: [sh, -c, "echo 'AGENT_ERROR:\\"limit\\"'; sleep 60"]\n${limits}`
    expect((await turn(yaml)).result).toMatchObject({ ok: false, error: 'limit', exit_code: 124, timed_out: true })
  })

  it('is not told to the user with send_error_reply: false', async () => {
    const { result } = await turn(profile('ignore-term.sh', [], `${limits}\nsend_error_reply: false`))
    expect(result).toMatchObject({ ok: false, error: null, exit_code: 124 })
  })

  it('with a grace of zero KILLs at once', async () => {
    const yaml = profile('ignore-term.sh', [], 'timeout_secs: 0.5\nkill_grace_secs: 0')
    expect((await turn(yaml)).result).toMatchObject({ exit_code: 124 })
  })
})

describe('cancelling', () => {
  it('ends the turn with 130 and keeps the session', async () => {
    const stop = new AbortController()
    const yaml = profile('ignore-term.sh', [], 'kill_grace_secs: 0.2')
    const { result } = await turn(yaml, { signal: stop.signal, sessionId: 'old', onPartial: () => stop.abort() })
    expect(result).toMatchObject({ ok: false, exit_code: 130, timed_out: false, session_id: 'old' })
    expect(result.error).toBe('The turn was cancelled.')
  })

  it.skipIf(!hasPython)('lets an agent that heeds TERM flush its partials; it is asked once', async () => {
    const stop = new AbortController()
    const partials: string[] = []
    const onPartial = (text: string) => {
      partials.push(text)
      stop.abort()
    }
    await turn(profile('flush-on-term.py', [], 'kill_grace_secs: 20'), { signal: stop.signal, onPartial })
    expect(partials).toEqual(['before', 'asked 1 times'])
  })

  it('before the start runs nothing', async () => {
    const { result, partials } = await turn(profile('ignore-term.sh'), { signal: AbortSignal.abort() })
    expect([result.exit_code, partials]).toEqual([130, []])
  })

  it('in the moment of the start is heard as well', async () => {
    const stop = new AbortController()
    const ending = turn(profile('ignore-term.sh', [], 'kill_grace_secs: 0.2\ntimeout_secs: 30'), {
      signal: stop.signal,
    })
    stop.abort()
    expect((await ending).result).toMatchObject({ exit_code: 130, cancelled: true, timed_out: false })
  })

  it('happens too when a callback throws, and the error comes through', async () => {
    const boom = turn(profile('ignore-term.sh', [], 'kill_grace_secs: 0.2'), {
      onPartial: () => {
        throw new Error('boom')
      },
    })
    await expect(boom).rejects.toThrow('boom')
  })
})

describe('a program that cannot run', () => {
  it.each([
    ['is missing', './no-such-agent', 127, 'no-such-agent'],
    ['is not on the PATH', 'no-such-program', 127, 'no-such-program'],
    ['is written without ./', 'print-lines.sh', 127, 'write ./print-lines.sh'],
    ['is a folder', '../agents', 126, 'agents'],
  ])('says which file %s', async (_, command, code, named) => {
    const { result } = await turn(`command: ${command}\nsend_error_reply: false`)
    expect(result).toMatchObject({ ok: false, exit_code: code })
    expect(result.error).toContain(named)
  })

  it.each([
    ['without the right to execute', '#!/bin/sh\necho no\n', 0o644, 126, 'chmod +x'],
    ['without #!, which the system would hand to a shell', 'echo no\n', 0o755, 126, '#!'],
    ['that is empty', '', 0o755, 126, '#!'],
    ['with an interpreter that is missing', '#!/no/such/python\n', 0o755, 127, '/no/such/python'],
    ['with CRLF behind its interpreter', '#!/bin/sh\r\necho no\r\n', 0o755, 126, 'CRLF'],
  ])('refuses a file %s', async (_, content, mode, code, named) => {
    const path = join(tempDir(), 'agent')
    writeFileSync(path, content)
    chmodSync(path, mode)
    const { result } = await turn(`command: ${path}`)
    expect(result).toMatchObject({ ok: false, exit_code: code, reply: '' })
    expect(result.error).toContain(named)
  })
})
