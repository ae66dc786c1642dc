import { ok } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'

export const close = defineCommand({
  name: 'close',
  summary: 'End this session and forget its state',
  params: {},
  flags: {},
  body: 'none',
  details: ['The topic can be used again at once; it starts afresh.'],
  examples: ['/close'],
  run(_args, { session, topic, reader }) {
    session.closed = true
    const { canonical, type } = topic
    if (session.document === null) return ok(`Closed: ${canonical}`)
    const shown = reader.show(session.document.address)
    // More ends there than the page.
    return ok(`Closed: ${type === 'bash' ? `${canonical}, with its shell and ${shown}` : shown}`)
  },
})
