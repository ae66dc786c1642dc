import { encode } from 'gpt-tokenizer/encoding/o200k_base'

export const tokensMcp = {
  name: 'tokens: MCP tools/list',
  unit: 'tokens',
  better: 'lower',
  bar: 250,
  dream: null,
  async measure(context) {
    const { connect } = await context.startDaemon()
    const { text } = await connect().send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return { base: null, ours: encode(text).length }
  },
}
