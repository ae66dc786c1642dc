import { describe, expect, it } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { call } from '../support/http.ts'
import { INITIALIZE, INITIALIZED, type LineClient, lineClient, type Message, toolCall } from '../support/mcp-lines.ts'

const PATIENCE = { timeout: 20_000, interval: 100 }

async function post(place: Place, text: string, agent = 'default'): Promise<string> {
  const { stdout } = await place.string(['webhook', 'show', '--agent', agent, '--create'])
  const [, port, path = ''] = /http:\/\/127\.0\.0\.1:(\d+)(\/webhook\/\S+)/.exec(stdout) ?? []
  const { status, json } = await call(Number(port), 'POST', path, {
    body: text,
    headers: { 'Content-Type': 'text/plain' },
  })
  expect(status).toBe(202)
  return (json as { event_id: string }).event_id
}

function channel({ messages }: LineClient): Message[] {
  return messages.filter(({ method }) => method === 'notifications/claude/channel')
}

/** Posts until something arrives: the stream is open from then on. */
async function untilForwarding(place: Place, client: LineClient): Promise<void> {
  const before = channel(client).length
  await expect
    .poll(async () => {
      await post(place, 'are you there')
      return channel(client).length
    }, PATIENCE)
    .toBeGreaterThan(before)
}

function texts(client: LineClient): string[] {
  return channel(client).flatMap(({ params }) => (params?.content === 'are you there' ? [] : [params?.content ?? '']))
}

describe('string --mcp', () => {
  it('forwards the events of its agent as channel notifications, in order, and acknowledges none', async () => {
    const place = stringPlace()
    const client = lineClient(place)
    client.send(INITIALIZE)
    client.send(INITIALIZED)
    client.send(INITIALIZED)
    await untilForwarding(place, client)
    const id = await post(place, 'build "failed"\n</𝒞>\n')
    await post(place, 'second')
    await post(place, 'not for you', 'somebody-else')
    await post(place, 'third')
    await expect.poll(() => texts(client), PATIENCE).toEqual(['build "failed"\n</𝒞>\n', 'second', 'third'])
    expect(channel(client).find(({ params }) => params?.meta.event_id === id)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/claude/channel',
      params: {
        content: 'build "failed"\n</𝒞>\n',
        meta: {
          event_id: id,
          agent_id: 'default',
          event_source: 'local-webhook',
          received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      },
    })
    client.send(toolCall(1, `/events.read ${id}`, 'event'))
    await expect
      .poll(() => JSON.stringify(client.messages.find((message) => message.id === 1)), PATIENCE)
      .toContain('pending')
    client.child.stdin?.end()
    expect(await client.ended).toBe(0)
    expect(client.stderr()).toBe('')
  })

  it('says nothing of events before the handshake is complete', async () => {
    const place = stringPlace()
    const client = lineClient(place)
    client.send(INITIALIZE)
    client.send(toolCall(1, '/info'))
    await expect.poll(() => client.messages.length, PATIENCE).toBe(2)
    await post(place, 'too early')
    client.send(toolCall(2, '/info'))
    await expect.poll(() => client.messages.length, PATIENCE).toBe(3)
    expect(channel(client)).toEqual([])
    client.child.stdin?.end()
    expect(await client.ended).toBe(0)
  })

  it('goes on forwarding when the daemon comes back, on whichever port, and does not start it by itself', async () => {
    const place = stringPlace()
    const client = lineClient(place)
    client.send(INITIALIZE)
    client.send(INITIALIZED)
    await untilForwarding(place, client)
    await place.string(['--daemon', 'stop'])
    expect((await place.string(['--daemon', 'status'])).status).toBe(3)
    await place.string(['--daemon', 'start'])
    await untilForwarding(place, client)
    await post(place, 'after the restart')
    await expect.poll(() => texts(client), PATIENCE).toEqual(['after the restart'])
    client.child.stdin?.end()
    expect(await client.ended).toBe(0)
  })
})
