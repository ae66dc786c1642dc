import { ok } from '@string-os/protocol'
import { defineCommand } from './define.ts'

export const info = defineCommand({
  name: 'info',
  summary: 'Show where you are in this topic',
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: ['/info'],
  run(_args, { agent, topic, session, workspace }) {
    const { document } = session
    const lines = [
      `topic: ${topic.canonical} (${topic.type})`,
      `agent: ${agent.id}`,
      `home: ${agent.home}`,
      `cwd: ${workspace.start}`,
      `uri: ${document?.uri ?? '(no document)'}`,
      `since: ${session.since.toISOString()}`,
    ]
    return ok('Session info', lines.join('\n'))
  },
})
