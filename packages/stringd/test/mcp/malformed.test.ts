import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { call, type Reply, raw } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

function post(port: number, body: object | string | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> {
  return call(port, 'POST', '/mcp', { body, headers: { ...JSON_TYPE, ...headers } })
}

async function agentIds(port: number): Promise<string[]> {
  const { json } = await call(port, 'GET', '/agents')
  return (json as { agents: { id: string }[] }).agents.map(({ id }) => id)
}

/** As many agents as there may be. */
function fillRegistry(dataDir: string): void {
  const agents = Array.from({ length: LIMITS.agents }, (_, index) => ({
    id: `a${index}`,
    home: join(dataDir, '../home'),
    allowedPaths: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  }))
  writeFileSync(join(dataDir, 'agents.json'), JSON.stringify({ agents }))
}

describe('POST /mcp', () => {
  it('S27: answers malformed JSON with a parse error, and registers nobody', async () => {
    const { port } = await startTestDaemon({ register: false })
    for (const body of ['', '{', 'null,', '{"jsonrpc":"2.0"', '\u0000', '['.repeat(LIMITS.jsonDepth + 1)]) {
      const { status, json } = await post(port, body)
      expect([body, status]).toEqual([body, 400])
      expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } })
    }
    expect(await agentIds(port)).toEqual([])
  })

  it.each([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])('S9: serves %j, which asks nothing of an agent, and registers nobody', async (body) => {
    const { port } = await startTestDaemon({ register: false })
    expect((await post(port, body, { 'X-Agent-Id': 'nobody' })).status).toBeLessThan(300)
    expect(await agentIds(port)).toEqual([])
  })

  it('S9: registers no more agents than the limit says, and says so', async () => {
    const { port, dir } = await startTestDaemon({ register: false, prepare: fillRegistry })
    const reached = 'There are 10000 agents already'
    expect(await post(port, LIST, { 'X-Agent-Id': 'one-more' })).toMatchObject({
      status: 503,
      json: { error: `LIMIT_REACHED: ${reached}` },
    })
    const tool = { ...LIST, method: 'tools/call', params: { name: 'string', arguments: { cmd: '/info' } } }
    const answer = await post(port, tool, { 'X-Agent-Id': 'one-more' })
    expect(answer.text).toContain(`ERROR(LIMIT_REACHED): ${reached}`)
    expect(await call(port, 'POST', '/agents', { body: { agent_id: 'one-more' } })).toMatchObject({ status: 503 })
    expect((await post(port, LIST, { 'X-Agent-Id': 'a0' })).status).toBe(200)
    expect((await agentIds(port)).includes('one-more')).toBe(false)
    expect(existsSync(join(dir, 'string/agents/one-more'))).toBe(false)
  })

  it('S27: answers invalid UTF-8 with a parse error', async () => {
    const { port } = await startTestDaemon()
    const reply = await post(port, Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]))
    expect(reply).toMatchObject({ status: 400, json: { error: { code: -32_700 } } })
  })

  it.each([
    null,
    5,
    'tools/list',
    true,
    {},
    { id: 1, method: 'tools/list' },
    { jsonrpc: '1.0', id: 1, method: 'tools/list' },
    { jsonrpc: 2, id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: 5 },
    { jsonrpc: '2.0', id: 1, method: null },
    { jsonrpc: '2.0', result: {} },
  ])('S27: answers %j, which is no message, with an invalid request error', async (body) => {
    const { port } = await startTestDaemon({ register: false })
    const reply = await post(port, JSON.stringify(body))
    expect(reply).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code: -32_600 } } })
    expect(await agentIds(port)).toEqual([])
  })

  it.each([[[]], [[LIST]], [[LIST, LIST]], [[1, 2]], [Array.from({ length: 500 }, () => LIST)]])(
    'S27: answers a batch with an invalid request error',
    async (batch) => {
      const { port } = await startTestDaemon({ register: false })
      const reply = await post(port, JSON.stringify(batch))
      expect(reply).toMatchObject({ status: 400, json: { id: null, error: { code: -32_600 } } })
      expect(await agentIds(port)).toEqual([])
    },
  )

  it.each([null, 1.5, true, {}, [1], 2 ** 60])('S27: refuses the odd id %j', async (id) => {
    const { port } = await startTestDaemon()
    const reply = await post(port, { ...LIST, id })
    expect(reply).toMatchObject({ status: 400, json: { id: null, error: { code: -32_600 } } })
  })

  it('S27: echoes every id that is a string or a whole number', async () => {
    const { port } = await startTestDaemon()
    for (const id of [0, -1, '', 'a', '__proto__', '\u2028', 'x'.repeat(10_000)])
      expect(await post(port, { ...LIST, id })).toMatchObject({ status: 200, json: { id, result: {} } })
  })

  it.each(['nope', 'tools/cal', '', 'prompts/list', 'resources/list', '__proto__', 'constructor', 'toString'])(
    'S27: answers the unknown method %j with method not found, and registers nobody',
    async (method) => {
      const { port } = await startTestDaemon({ register: false })
      const reply = await post(port, { jsonrpc: '2.0', id: 7, method })
      expect(reply.status).toBeLessThan(500)
      expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_601 } })
      expect(await agentIds(port)).toEqual([])
    },
  )

  it.each([
    { name: 'other', arguments: { cmd: '/info' } },
    { name: 'constructor', arguments: { cmd: '/info' } },
    { name: 5 },
    {},
    { name: 'string' },
    { name: 'string', arguments: null },
    { name: 'string', arguments: [] },
    { name: 'string', arguments: 'cmd' },
    { name: 'string', arguments: { cmd: null } },
    { name: 'string', arguments: { cmd: ['/info'] } },
    { name: 'string', arguments: { cmd: '/info', topic: 5 } },
    { name: 'string', arguments: { cmd: '/info', topic: {} } },
  ])('S27: answers tools/call of %j with invalid params, and registers nobody', async (params) => {
    const { port } = await startTestDaemon({ register: false })
    const reply = await post(port, { jsonrpc: '2.0', id: 7, method: 'tools/call', params })
    expect(reply.status).toBeLessThan(500)
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_602 } })
    expect(await agentIds(port)).toEqual([])
  })

  it.each([5, null, [], 'x', { _meta: 5 }, { _meta: [] }, { _meta: { progressToken: {} } }])(
    'S27: answers the odd params %j with an error, never silence',
    async (params) => {
      const { port } = await startTestDaemon()
      const reply = await post(port, { ...LIST, params })
      expect(reply.status).toBeLessThan(500)
      expect(reply.json).toHaveProperty('error.code')
    },
  )

  it.each([
    ['tools/list', { cursor: 5 }],
    ['tools/call', { name: 5 }],
    ['initialize', undefined],
    ['initialize', { protocolVersion: 5 }],
  ])('S27: answers %s with the params %j with an error about them, in a sentence', async (method, params) => {
    const { port } = await startTestDaemon()
    const { json } = await post(port, { jsonrpc: '2.0', id: 1, method, params })
    expect(json).toMatchObject({ id: 1, error: { code: -32_602, message: expect.not.stringContaining('{') as string } })
  })

  it('takes notifications and responses with 202 and says nothing', async () => {
    const { port } = await startTestDaemon()
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
    ])
      expect(await post(port, body)).toMatchObject({ status: 202, text: '' })
  })

  it.each([undefined, '*/*', 'application/json', 'text/event-stream', 'text/html', ''])(
    'answers JSON whatever the Accept header says, %j included',
    async (accept) => {
      const { port } = await startTestDaemon()
      const reply = await post(port, LIST, accept === undefined ? {} : { Accept: accept })
      expect(reply).toMatchObject({ status: 200, json: { id: 1, result: { tools: [{ name: 'string' }] } } })
    },
  )

  it.each(['2025-06-18', '2025-03-26'])('serves the protocol version %s', async (version) => {
    const { port } = await startTestDaemon()
    expect((await post(port, LIST, { 'MCP-Protocol-Version': version })).status).toBe(200)
  })

  it.each(['1999-01-01', '2999-01-01', 'x', '2026-07-28'])(
    'refuses a request of the protocol version %s that it does not serve, or that lacks what it demands',
    async (version) => {
      const { port } = await startTestDaemon()
      const reply = await post(port, LIST, { 'MCP-Protocol-Version': version })
      expect(reply.status).toBe(400)
      expect(reply.json).toHaveProperty('error.code')
    },
  )

  it('S27: answers GET and DELETE with 405', async () => {
    const { port } = await startTestDaemon()
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await call(port, method, '/mcp', { headers: { Accept: 'text/event-stream' } })
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    }
  })

  it('S2, S3, S4, S5, S27: the guard stands in front of it, and a body must be JSON', async () => {
    const { port } = await startTestDaemon({ register: false })
    expect((await post(port, LIST, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(port, LIST, { Host: 'evil.example' })).status).toBe(403)
    expect((await post(port, LIST, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await post(port, JSON.stringify(LIST), { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post(port, LIST, { 'Content-Encoding': 'gzip' })).status).toBe(415)
    expect(await agentIds(port)).toEqual([])
  })

  it.each(['..', '.x', 'a/b', 'a b', 'x'.repeat(129), 'é', 'a, b'])(
    'S9: refuses the agent id %j and registers nothing',
    async (agent) => {
      const { port } = await startTestDaemon({ register: false })
      const line = Buffer.from(agent, 'utf8').toString('latin1')
      const body = JSON.stringify(LIST)
      const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n`
      const reply = await raw(port, `${head}X-Agent-Id: ${line}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      expect(reply).toMatch(/^HTTP\/1\.1 400 /)
      expect(await agentIds(port)).toEqual([])
    },
  )

  it('S27: whatever JSON comes, the answer is below 500 and is JSON-RPC or nothing', async () => {
    const { port } = await startTestDaemon()
    const part = fc.oneof(
      fc.constantFrom(
        '2.0',
        'tools/list',
        'tools/call',
        'initialize',
        'ping',
        'server/discover',
        'subscriptions/listen',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const message = fc.record(
      { jsonrpc: part, id: part, method: part, params: part, result: part, error: part },
      { requiredKeys: [] },
    )
    const modern = fc.record({ name: part, arguments: part, _meta: fc.dictionary(fc.constantFrom(...META_KEYS), part) })
    const inputs = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      message,
      fc.tuple(message, modern).map(([base, params]) => ({ ...base, jsonrpc: '2.0', params })),
    )
    await fc.assert(
      fc.asyncProperty(
        inputs,
        fc.constantFrom({}, { 'MCP-Protocol-Version': '2026-07-28' }),
        async (input, headers) => {
          const { status, text } = await post(port, JSON.stringify(input), headers)
          expect(status).toBeLessThan(500)
          if (text !== '') expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
        },
      ),
      { numRuns: RUNS },
    )
  })
})

const RUNS = 100
const META_KEYS = [
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
] as const
