import { StringClient, type WatchMessage } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { keyHeader } from '../../../../test/support/keys.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, beginTurn, giveProfile, postEvent, textOf } from '../support/turns.ts'

interface Watching {
  readonly heard: WatchMessage[]
  readonly changes: () => string[]
  readonly stop: () => void
}

function watch(port: number, options: Parameters<StringClient['watch']>[0] = {}): Watching {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const client = new StringClient({ port, key: keyHeader(port)['X-String-Key'] ?? '' })
  const heard: WatchMessage[] = []
  const listen = async (): Promise<void> => {
    for await (const news of client.watch({ ...options, signal: stop.signal })) heard.push(news)
  }
  listen().catch(() => undefined)
  const changes = (): string[] =>
    heard.flatMap((news) =>
      news.type === 'change' ? [`${news.kind} ${news.id}${news.deleted === true ? ' deleted' : ''}`] : [],
    )
  return { heard, changes, stop: () => stop.abort() }
}

const isReady = ({ heard }: Watching): boolean => heard.some(({ type }) => type === 'ready')

describe('GET /watch', () => {
  it('tells of agents, topics, turns, events, webhooks and their ends, each place once and in order', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo hello')
    const all = watch(port)
    await expect.poll(() => isReady(all)).toBe(true)
    await call(port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    await exec(port, '/ls', { topic: 'notes' })
    const event = await postEvent(port, 'something happened')
    const { turnId } = await askTurn(port, { message: 'hi' })
    await exec(port, `/events.ack ${event}`)
    await call(port, 'POST', '/agents/bob/pause')
    const wanted = ['agent bob', 'topic notes', 'webhook default', `event ${event}`, `turn ${turnId}`]
    // Many changes of one thing are one: what is to be heard of is waited for.
    await expect.poll(all.changes).toEqual(expect.arrayContaining(wanted))
    await call(port, 'DELETE', '/sessions/default/notes')
    await call(port, 'DELETE', '/agents/bob')
    await expect.poll(all.changes).toEqual(expect.arrayContaining(['topic notes deleted', 'agent bob deleted']))
    const places = all.heard.flatMap((news) => (news.type === 'change' ? [news.seq] : []))
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
  })

  it('tells the text of a turn by its bytes, and what was said before on request', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(
      home,
      `echo '{"type":"partial","text":"grö"}'; read -r _ < <(until [ -e go ]; do sleep 0.02; done; echo)
       echo '{"type":"partial","text":"ße"}'; echo '{"type":"result","text":""}'`,
      'wire: "0.4"\n',
    )
    const asked = beginTurn(port, { message: 'hi' })
    const turnId = await asked.turnId
    await expect.poll(() => textOf(asked.events)).toBe('grö')
    const all = watch(port, { follow: new Map([[turnId, 2]]) })
    await expect.poll(() => isReady(all)).toBe(true)
    await exec(port, '/exec touch ~/go; touch go')
    await asked.ended
    const texts = (): unknown[] => all.heard.filter(({ type }) => type === 'text')
    await expect.poll(() => texts().length).toBe(2)
    expect(texts()).toEqual([
      { type: 'text', turn_id: turnId, offset: 2, text: 'ö' },
      { type: 'text', turn_id: turnId, offset: 4, text: 'ße' },
    ])
  })

  it('a restart goes on above all places, says that everything is to be looked at, and the client comes back by itself', async () => {
    const first = await startTestDaemon()
    const all = watch(first.port)
    await expect.poll(() => isReady(all)).toBe(true)
    await call(first.port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    await expect.poll(all.changes).toContain('agent bob')
    const last = all.heard.findLast((news) => news.type === 'change')
    await first.stop()
    await expect.poll(() => all.heard.some(({ type }) => type === 'lost')).toBe(true)
    all.stop()
    const { port } = await startTestDaemon({ dir: first.dir })
    const again = watch(port, { since: last?.type === 'change' ? last.seq : 0 })
    await expect.poll(() => again.heard.some(({ type }) => type === 'reset')).toBe(true)
    const reset = again.heard.find((news) => news.type === 'reset')
    expect(reset?.type === 'reset' && last?.type === 'change' && reset.seq > last.seq).toBe(true)
  })

  it('refuses what is no place, no turn or too many', async () => {
    const { port } = await startTestDaemon()
    for (const query of [
      'since=soon',
      'follow=bob',
      `follow=${Array.from({ length: 101 }, (_, id) => `trn_${id}`).join(',')}`,
    ]) {
      expect(await call(port, 'GET', `/watch?${query}`), query).toMatchObject({ status: 400 })
    }
  })
})
