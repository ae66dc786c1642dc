import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { serveLines } from '../../src/mcp/serve-lines.ts'
import type { McpExec } from '../../src/mcp/tool.ts'

const NO_EVENTS = async function* (): AsyncGenerator<never> {
  // Nothing ever happens.
}

interface Reply {
  readonly id: string | number | null
  readonly error?: { readonly code: number }
  readonly result?: { readonly content?: readonly { readonly text: string }[] }
}

/** Gives chunks to a server and ends its input; answers every line that came back. */
async function converse(chunks: readonly Uint8Array[], exec: McpExec): Promise<Reply[]> {
  const input = new PassThrough()
  const output = new PassThrough()
  const said = text(output)
  const served = serveLines({ input, output, version: '1', exec, events: NO_EVENTS, onEventsLost: () => undefined })
  for (const chunk of chunks) input.write(chunk)
  input.end()
  await served
  output.end()
  const lines = (await said).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Reply)
}

const echo: McpExec = async ({ topic, cmd }) => ({ ok: true, topic: topic === '' ? 'main' : topic, body: cmd })

const call = (id: string | number, cmd: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'string', arguments: { cmd } },
})

const initialize = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

describe('MCP over lines', () => {
  it('answers params of a wrong shape with an error about them', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 5 } }
    const lines = [initialize, list].map((message) => Buffer.from(`${JSON.stringify(message)}\n`))
    expect((await converse(lines, echo)).at(-1)).toMatchObject({ id: 1, error: { code: -32_602 } })
  })

  it('answers every request once and all that is no message with an error, however the bytes are cut', async () => {
    const command = fc.string({ unit: 'binary', minLength: 1 })
    const garbage = fc.constantFrom('x', '{', '[]', '[1]', 'null', '5', '{"jsonrpc":"2.0","id":null,"method":"ping"}')
    const lines = fc.array(
      fc.oneof(
        command.map((cmd) => ({ cmd })),
        garbage,
      ),
      { maxLength: 12 },
    )
    const property = fc.asyncProperty(lines, fc.integer({ min: 1, max: 97 }), async (given, size) => {
      const sent = given.map((line, id) => (typeof line === 'string' ? line : JSON.stringify(call(id, line.cmd))))
      const bytes = Buffer.from([JSON.stringify(initialize), ...sent].join('\n'))
      const count = Math.ceil(bytes.length / size)
      const chunks = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
      const replies = await converse(chunks, echo)
      const expected = given.map((line, id) => (typeof line === 'string' ? null : id))
      expect(replies.map(({ id }) => String(id)).toSorted(compare)).toEqual(
        ['initialize', ...expected.map(String)].toSorted(compare),
      )
      for (const { id, error } of replies) expect(error === undefined).toBe(id !== null)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it('waits for what is under way when the input ends', async () => {
    const slow: McpExec = async (given) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
      return echo(given)
    }
    const lines = [initialize, call(1, 'a'), call(2, 'b')].map((line) => JSON.stringify(line)).join('\n')
    const replies = await converse([Buffer.from(lines)], slow)
    expect(new Set(replies.map(({ id }) => id))).toEqual(new Set(['initialize', 1, 2]))
  })

  it('says what went wrong when running a command throws', async () => {
    const lines = [initialize, call(1, 'a')].map((line) => JSON.stringify(line)).join('\n')
    const replies = await converse([Buffer.from(lines)], () => Promise.reject(new Error('no')))
    expect(replies.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32_603 } })
  })
})

const RUNS = 50

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
