import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isRunning, type Place, run, STRING, stringPlace } from '../support/cli.ts'
import { queueLength } from '../support/http.ts'
import { ERAS, httpClient, stdioClient } from '../support/mcp.ts'
import { INITIALIZE, INITIALIZED, toolCall } from '../support/mcp-lines.ts'

/** Gives lines to a `string --mcp`, ends its input, and reads every line that it wrote as JSON. */
async function converse(place: Place, lines: readonly (object | string)[]): Promise<Record<string, unknown>[]> {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { status, stdout, stderr } = await place.string(['--mcp'], { input: `${input}\n` })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/\n$/)
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe.each(ERAS)('string --mcp with the official client, %s era', (era) => {
  it('starts the daemon, registers its agent, and serves the one tool', async () => {
    const place = stringPlace()
    const { client, call } = await stdioClient(place, era, ['--agent', 'stdio-agent', '--create'])
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['string'])
    expect((await call('/info', 'file:docs')).text).toMatch(/^<𝒞=string:file:docs>\nSession info\n---\n[\s\S]*\n<\/𝒞>$/)
    expect((await call('/info')).text).toContain('agent: stdio-agent')
    expect(await call('/open none.md')).toMatchObject({
      isError: true,
      text: expect.stringContaining('ERROR(NOT_FOUND)'),
    })
    expect(await call('/info', 'a b')).toMatchObject({
      isError: true,
      text: expect.stringContaining('ERROR(INVALID_TARGET)'),
    })
    await expect(client.callTool({ name: 'other' })).rejects.toMatchObject({ code: -32_602 })
    expect(JSON.parse((await place.string(['agent', 'list', '--json'])).stdout)).toMatchObject([{ id: 'stdio-agent' }])
  })

  it('takes ./ for its own working directory, or for what --cwd names', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'work'))
    mkdirSync(join(place.dir, 'other'))
    writeFileSync(join(place.dir, 'work/README.md'), '# Work\n')
    writeFileSync(join(place.dir, 'other/README.md'), '# Other\n')
    const here = await stdioClient(place, era, [], join(place.dir, 'work'))
    expect((await here.call('/open ./README.md')).text).toBe('<𝒞=string:main>\nOpened ./README.md\n---\n# Work\n\n</𝒞>')
    const there = await stdioClient(place, era, ['--cwd', join(place.dir, 'other')], join(place.dir, 'work'))
    expect((await there.call('/open ./README.md', 'second')).text).toContain('# Other')
    expect((await there.call('/exec pwd', 'second')).text).toContain(`\n${join(place.dir, 'other')}\n`)
    // Where a topic has a shell, its folder is meant.
    mkdirSync(join(place.dir, 'work/docs'))
    writeFileSync(join(place.dir, 'work/docs/README.md'), '# Docs\n')
    await here.call('cd docs', 'bash:x')
    expect((await here.call('//open ./README.md', 'bash:x')).text).toContain('# Docs')
    await here.call('cd ../../other', 'bash:x')
    expect((await here.call('//open ./README.md', 'bash:x')).text).toContain('Outside the workspace')
  })

  it('shares topics with /mcp and the command line, and lines up where /mcp answers BUSY', async () => {
    const place = stringPlace()
    const { call } = await stdioClient(place, era)
    await call('/set {color} = "red"')
    const overHttp = await httpClient(place.daemonPort(), era)
    expect((await overHttp.call('/set')).text).toContain('red')
    const slow = call('/exec until test -e go; do sleep 0.05; done; echo went', 'work')
    await vi.waitFor(async () => expect((await overHttp.call('/info', 'work')).text).toContain('ERROR(BUSY)'), 20_000)
    const next = call('/info', 'work')
    await expect.poll(() => queueLength(place.daemonPort(), 'work')).toBe(1)
    writeFileSync(join(place.dir, 'go'), '')
    expect((await slow).text).toContain('went')
    expect((await next).isError).toBe(false)
  })

  it('survives a restart of the daemon, on another port, and one that was killed', async () => {
    const place = stringPlace()
    const { call } = await stdioClient(place, era)
    expect((await call('/info')).isError).toBe(false)
    const pid = place.daemonPid()
    await place.string(['--daemon', 'stop'])
    await place.string(['--daemon', 'start'])
    expect((await call('/info')).isError).toBe(false)
    expect(place.daemonPid()).not.toBe(pid)
    const second = place.daemonPid() ?? 0
    process.kill(second, 'SIGKILL')
    await vi.waitFor(() => expect(isRunning(second)).toBe(false), 20_000)
    expect((await call('/info')).isError).toBe(false)
  })

  it('answers a call under which the daemon was killed with an error, and the next one as ever', async () => {
    const place = stringPlace()
    const { call } = await stdioClient(place, era)
    const slow = call('/exec touch begun; sleep 300', 'work')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'begun'))).toBe(true), 20_000)
    process.kill(place.daemonPid() ?? 0, 'SIGKILL')
    expect(await slow).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^<𝒞=string:work>\nERROR\((UNREACHABLE|STREAM_INCOMPLETE)\): /),
    })
    expect((await call('/info', 'work')).isError).toBe(false)
  })

  it('serves many topics at once, with answers as large as they get', async () => {
    const place = stringPlace()
    const { call } = await stdioClient(place, era)
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        call(`/exec echo ${index}; head -c 25000 /dev/zero | tr '\\0' ${index % 10}`, `t${index}`),
      ),
    )
    for (const [index, { text, isError }] of replies.entries()) {
      expect(isError).toBe(false)
      expect(text).toMatch(
        new RegExp(`^<𝒞=string:t${index}>\nexit: 0 [^\n]*\n---\n${index}\n${index % 10}{25000}\n</𝒞>$`),
      )
    }
  })

  it('works while the daemon is stopping', async () => {
    const place = stringPlace()
    const { call } = await stdioClient(place, era)
    await call('/info')
    const stopped = place.string(['--daemon', 'stop'])
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => call('/info', `topic-${index}`)))
    for (const { text } of replies) expect(text).toMatch(/Session info|ERROR\(/)
    await stopped
    expect((await call('/info')).isError).toBe(false)
  })
})

describe('the built programs', () => {
  it('carry the SDK in a file of its own, so that only those who use it load it', () => {
    const program = (name: string): string => readFileSync(join(STRING, '../../dist', name), 'utf8')
    expect(program('mcp.cjs')).toContain('io.modelcontextprotocol/protocolVersion')
    for (const name of ['cli.cjs', 'daemon.cjs']) expect(program(name)).not.toContain('io.modelcontextprotocol')
  })
})

describe('string --mcp', () => {
  it('writes nothing but protocol, one message a line, and ends when its input does', async () => {
    const place = stringPlace()
    const replies = await converse(place, [
      INITIALIZE,
      INITIALIZED,
      toolCall(1, '/exec echo; echo "{"; echo noise >&2'),
    ])
    expect(replies.map(({ id, jsonrpc }) => [id, jsonrpc])).toEqual([
      ['init', '2.0'],
      [1, '2.0'],
    ])
    expect(replies[0]).toMatchObject({
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, experimental: { 'claude/channel': {} } },
        serverInfo: { name: 'string' },
      },
    })
  })

  it('S27: answers what is no message with an error, and goes on', async () => {
    const place = stringPlace()
    const replies = await converse(place, [
      INITIALIZE,
      INITIALIZED,
      'garbage',
      '{',
      '',
      '   ',
      '\r',
      [],
      [toolCall(9, '/info')],
      'null',
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'nope' },
      { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { _meta: 5 } },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'other' } },
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'string', arguments: { cmd: 5 } } },
      { jsonrpc: '2.0', id: 6, result: {} },
      { jsonrpc: '2.0', method: 'notifications/unknown', params: { _meta: 5 } },
      'x'.repeat(11 * 1024 * 1024),
      { jsonrpc: '2.0', id: 7, method: 'ping' },
    ])
    const codes = replies.map(({ id, error }) => [id, (error as { code: number } | undefined)?.code ?? 'ok'])
    const sorted = codes.sort((a, b) => String(a).localeCompare(String(b)))
    expect(sorted).toEqual(
      [
        ['init', 'ok'],
        [null, -32_700],
        [null, -32_700],
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
        [2, -32_601],
        [3, -32_602],
        [4, -32_602],
        [5, -32_602],
        [7, 'ok'],
      ].sort((a, b) => String(a).localeCompare(String(b))),
    )
  })

  it('answers messages that come in pieces, several at once and without a last line end', async () => {
    const place = stringPlace()
    const text = [INITIALIZE, INITIALIZED, toolCall(1, '/help'), toolCall(2, '/info é𝒞')].map((line) =>
      JSON.stringify(line),
    )
    const child = spawn(process.execPath, [STRING, '--mcp'], {
      cwd: place.dir,
      env: place.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    const ended = new Promise((resolve) => {
      child.on('close', resolve)
    })
    const bytes = Buffer.from(text.join('\n'))
    for (let at = 0; at < bytes.length; at += 37) {
      child.stdin.write(bytes.subarray(at, at + 37))
      await new Promise(setImmediate)
    }
    child.stdin.end()
    expect(await ended).toBe(0)
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id)
    expect(new Set(ids)).toEqual(new Set([1, 2, 'init']))
  })

  it('ends when the reader of its output is gone', async () => {
    const place = stringPlace()
    const script = `printf '%s\\n' '${JSON.stringify(INITIALIZE)}' | "${process.execPath}" "${STRING}" --mcp | true; echo ended`
    expect(await run('/bin/bash', ['-c', script], { cwd: place.dir, env: place.env })).toMatchObject({
      stdout: 'ended\n',
    })
  })

  it('refuses a command, a malformed agent and a folder that is not there, with status 2 and an empty output', async () => {
    const place = stringPlace()
    for (const args of [
      ['--mcp', 'main'],
      ['--mcp', '--agent', '../x'],
      ['--mcp', '--cwd', '/no/such/folder'],
    ]) {
      const { status, stdout, stderr } = await place.string(args, { input: '' })
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^string: /)
    }
    expect(place.daemonPid()).toBeNull()
  })

  it('refuses an agent that nobody has, with the one that may be meant; --create makes it', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'helper'])
    for (const args of [
      ['--mcp', '--agent', 'helpr'],
      ['mcp', '--agent', 'helpr'],
      ['mcp-config', 'claude-code', '--agent', 'helpr'],
    ]) {
      const { status, stdout, stderr } = await place.string(args, { input: '' })
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain('There is no agent helpr. Did you mean helper? --create makes it')
    }
    expect((await place.string(['mcp-config', 'claude-code', '--agent', 'helpr', '--create'])).stdout).toContain(
      '--create',
    )
    expect((await place.string(['agent', 'list'])).stdout).not.toContain('helpr')
    expect((await place.string(['mcp', '--agent', 'helpr', '--create'], { input: '' })).status).toBe(0)
    expect((await place.string(['agent', 'list'])).stdout).toContain('helpr')
  })

  it('says on standard error why there is no daemon, and ends with status 3', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'file'), '')
    const { status, stdout, stderr } = await place.string(['--mcp'], {
      input: '',
      env: { STRING_DATA_DIR: join(place.dir, 'file/data') },
    })
    expect([status, stdout]).toEqual([3, ''])
    expect(stderr).toContain('Cannot use the data folder')
  })
})
