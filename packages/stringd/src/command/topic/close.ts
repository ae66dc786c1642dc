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
    return ok(`Closed: ${session.document === null ? topic.canonical : reader.show(session.document.address)}`)
  },
})
