import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createChannels } from '../../src/channels/channels.ts'
import { Inbox } from '../../src/events/inbox.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'

it('two agents cannot wake each other for ever: a message carries the hops of the turn that sent it, plus one', async () => {
  const dir = tempDir()
  const lines: string[] = []
  const log = createLog((line) => void lines.push(line))
  const store = openSqlite(join(dir, 'state.db'), { log })
  onTestFinished(() => store.close())
  const inbox = new Inbox(store)
  const agents = new Map(['ada', 'bob'].map((id) => [id, { id, home: dir, allowedPaths: [], createdAt: '' }]))
  const agent = (id: string) => agents.get(id)
  const { deliver } = createChannels({ dataDir: dir, store, holder: 'h', inbox, agent, environment: () => ({}), log })
  let sent = 0
  let hops = 0
  for (;;) {
    const [from, to] = sent % 2 === 0 ? ['ada', 'bob'] : ['bob', 'ada']
    const sender = agents.get(from ?? '')
    if (sender === undefined) throw new Error('No such agent')
    const result = await deliver({ agent: sender, channel: 'agent', target: to ?? '', text: 'Your turn', hops })
    if (!result.ok) {
      expect(result.code).toBe('TARGET_FORBIDDEN')
      break
    }
    sent += 1
    const [event] = await inbox.newest(to ?? '', true, 1)
    expect(event).toMatchObject({ source: `agent:${from}`, text: 'Your turn', hops: sent })
    // The turn that the event wakes writes the next message.
    hops = event?.hops ?? 0
  }
  expect(sent).toBe(LIMITS.agentHops)
  // Whoever looks for what was lost finds it.
  expect(lines.join('')).toMatch(/"A message was not sent".*"code":"TARGET_FORBIDDEN"/)
})
