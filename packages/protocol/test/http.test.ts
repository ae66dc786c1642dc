import { parseAgentRequest, parseExecRequest, parseSessionRequest } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'

describe('POST /exec', () => {
  it('takes cmd, topic, request_id, cwd, via, cancel_on_leave, wait_ms, styles, drawn and pagers, all but cmd optional', () => {
    expect(parseExecRequest({ cmd: '/help' })).toEqual({
      ok: true,
      value: {
        cmd: '/help',
        topic: { type: 'tab', canonical: 'main', written: 'main' },
        requestId: null,
        cwd: null,
        via: null,
        cancelOnLeave: false,
        waitMs: null,
        seen: null,
        styles: false,
        drawn: null,
        atPrompt: false,
        pagers: null,
      },
    })
    expect(parseExecRequest({ cmd: 'git log', pagers: { PAGER: 'most', LESS: null, EDITOR: 'vi' } })).toMatchObject({
      value: { pagers: { PAGER: 'most' } },
    })
    expect(parseExecRequest({ cmd: '/help', topic: null, request_id: 'r', cwd: '/tmp', via: 'mcp' })).toMatchObject({
      ok: true,
      value: { requestId: 'r', cwd: '/tmp', via: 'mcp' },
    })
  })

  it.each([
    [[], 'Invalid JSON body — expected { "cmd": "..." }'],
    ['x', 'Invalid JSON body — expected { "cmd": "..." }'],
    [null, 'Invalid JSON body — expected { "cmd": "..." }'],
    [{}, 'Empty command — provide non-empty "cmd" field'],
    [{ cmd: '' }, 'Empty command — provide non-empty "cmd" field'],
    [JSON.parse('{"__proto__":{"cmd":"/help"}}'), 'Empty command — provide non-empty "cmd" field'],
    [{ cmd: 7 }, '"cmd" must be a string'],
    [{ cmd: '/x', topic: 7 }, '"topic" must be a string'],
    [{ cmd: '/x', topic: 'a b' }, 'Invalid topic: a b'],
    [{ cmd: '/x', topic: 'a\u0000b' }, 'Invalid topic: a\\x00b'],
    [{ cmd: '/x', request_id: 7 }, '"request_id" must be a string'],
    [{ cmd: '/x', request_id: 'r'.repeat(257) }, '"request_id" is longer than 256 characters'],
    [{ cmd: '/x', cwd: 'relative' }, '"cwd" must be an absolute path'],
    [{ cmd: '/x', cwd: '/a\u0000' }, '"cwd" must be an absolute path'],
    [{ cmd: '/x', cwd: '/\ud800' }, '"cwd" must be an absolute path'],
    [{ cmd: '/x', cwd: ['/tmp'] }, '"cwd" must be a string'],
    [{ cmd: '/x', via: 'MCP' }, '"via" must be "mcp"'],
    [{ cmd: '/x', via: true }, '"via" must be "mcp"'],
    [{ cmd: '/x', cancel_on_leave: 'yes' }, '"cancel_on_leave" must be true or false'],
    [{ cmd: '/x', styles: 'yes' }, '"styles" must be true or false'],
    [{ cmd: '/x', drawn: true }, '"drawn" must be "over" or "all"'],
    [{ cmd: '/x', pagers: 'most' }, '"pagers" must be an object of texts of up to 128 printable characters'],
    [{ cmd: '/x', pagers: { PAGER: 'a\nb' } }, '"pagers" must be an object of texts of up to 128 printable characters'],
    [{ cmd: '/x', wait_ms: 0 }, '"wait_ms" must be a whole number from 1 to 30000'],
  ])('refuses %j', (body, error) => {
    expect(parseExecRequest(body)).toEqual({ ok: false, error })
  })
})

describe('POST /agents', () => {
  it.each([
    [{}, 'agent_id required'],
    [[], 'Invalid JSON body — expected { "agent_id": "..." }'],
    [{ agent_id: '' }, 'agent_id required'],
    [{ agent_id: 5 }, '"agent_id" must be a string'],
    [{ agent_id: 'a', home: 'x' }, '"home" must be an absolute path'],
    [{ agent_id: 'a', home: 5 }, '"home" must be a string'],
    [{ agent_id: 'a', allowed_paths: '/x' }, '"allowed_paths" must be a list of absolute paths'],
    [{ agent_id: 'a', allowed_paths: ['x'] }, '"allowed_paths" must be a list of absolute paths'],
    [{ agent_id: 'a', profile: 'x' }, '"profile" must be an absolute path'],
  ])('refuses %j', (body, error) => {
    expect(parseAgentRequest(body)).toEqual({ ok: false, error })
  })

  it.each(['..', '.', '.x', 'a/b', 'a b', 'é', 'a\n', '%2e', 'a'.repeat(129), '../../etc'])(
    'S9: refuses the id %j',
    (id) => {
      expect(parseAgentRequest({ agent_id: id })).toMatchObject({ ok: false })
    },
  )

  it.each(['default', 'bob@work', 'a+b', '__proto__', 'constructor', 'x.y', '-', '_', 'a'.repeat(128)])(
    'S9: takes the id %j',
    (id) => {
      expect(parseAgentRequest({ agent_id: id })).toMatchObject({ ok: true, value: { agentId: id } })
    },
  )
})

describe('POST /sessions', () => {
  it('checks the agent before the topic', () => {
    expect(parseSessionRequest({ topic: '<' })).toEqual({ ok: false, error: 'agent_id required' })
    expect(parseSessionRequest({ agent_id: 'a', topic: '<' })).toEqual({ ok: false, error: 'Invalid topic: <' })
    expect(parseSessionRequest({ agent_id: 'a' })).toMatchObject({ ok: true })
  })
})
