import { encode } from 'gpt-tokenizer/encoding/o200k_base'

export const tokensHelp = {
  name: 'tokens: /help',
  unit: 'tokens',
  better: 'lower',
  bar: 900,
  dream: null,
  async measure(context) {
    const { connect } = await context.startDaemon()
    const { text } = await connect().exec({ cmd: '/help' })
    const [, content] = /^event: content\ndata: (.*)$/m.exec(text)
    return { base: null, ours: encode(JSON.parse(content)).length }
  },
}
