import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'

describe('POST /mcp', () => {
  it('ends a shell command after 50 s, before clients give up at 60', async () => {
    const { port } = await startForeground()
    const params = { name: 'string', arguments: { cmd: '/exec echo begun; sleep 90' } }
    const { json } = await call(port, 'POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
    expect(json).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringMatching(/exit: 124[\s\S]*begun\n\(ended after 50 s/) }],
      },
    })
  })
})
