import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { INITIALIZE, INITIALIZED, type LineClient, lineClient, toolCall } from '../support/mcp-lines.ts'

/** Everything that some topic of this daemon started and that lives. */
function alive({ dataDir }: Place): number[] {
  return familyMembers({ owner: `${readFileSync(join(dataDir, 'id'), 'utf8')}:` })
}

function ready(place: Place): LineClient {
  const client = lineClient(place)
  client.send(INITIALIZE)
  client.send(INITIALIZED)
  return client
}

const answerTo = (client: LineClient, id: number): string =>
  JSON.stringify(client.messages.find((message) => message.id === id)?.result ?? null)

describe('string --mcp', () => {
  it.each([
    ['/exec sleep 300', 'main'],
    ['sleep 300', 'bash:dev'],
  ])('a cancelled call of %s ends the command, frees the topic and gets no answer', async (cmd, topic) => {
    const place = stringPlace()
    const client = ready(place)
    client.send(toolCall(1, 'true', 'bash:dev'))
    await expect.poll(() => answerTo(client, 1)).toContain('exit: 0')
    client.send(toolCall(2, cmd, topic))
    await expect.poll(() => alive(place).length).toBeGreaterThan(1)
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'Esc' } })
    await expect.poll(() => alive(place).length).toBe(1)
    client.send(toolCall(3, topic === 'main' ? '/exec echo free' : 'echo free', topic))
    await expect.poll(() => answerTo(client, 3)).toContain('free')
    expect(client.messages.filter(({ id }) => id === 2)).toEqual([])
  })

  it('lines up two calls at once to one topic, in their order', async () => {
    const place = stringPlace()
    const client = ready(place)
    client.send(toolCall(1, '/exec sleep 0.3; echo first', 'main'))
    client.send(toolCall(2, '/exec echo second', 'main'))
    client.send(toolCall(3, '/open bash:dev', 'main'))
    await expect.poll(() => answerTo(client, 2)).toContain('second')
    expect(answerTo(client, 1)).toContain('first')
    await expect.poll(() => answerTo(client, 3)).toContain('Opened bash:dev')
  })

  it('a client that is killed leaves nothing running', async () => {
    const place = stringPlace()
    const client = ready(place)
    client.send(toolCall(1, '/exec sleep 300', 'main'))
    await expect.poll(() => alive(place).length).toBeGreaterThan(0)
    client.child.kill('SIGKILL')
    await expect.poll(() => alive(place)).toEqual([])
  })
})
