import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DeliveryView } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startMailServer } from '../../packages/stringd/test/channels/mail-server.ts'
import { type Foreground, startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { tempDir } from '../support/temp.ts'

interface Place {
  readonly start: () => Promise<Foreground>
  readonly configure: (text: string) => void
}

function place(): Place {
  const dir = tempDir()
  const home = join(dir, 'home')
  mkdirSync(join(home, '.string'), { recursive: true })
  return {
    start: async () => {
      const daemon = await startForeground(dir)
      await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'default', home } })
      return daemon
    },
    configure: (text) => writeFileSync(join(home, '.string/channels.yaml'), text),
  }
}

async function deliveries(port: number): Promise<DeliveryView[]> {
  const { json } = await call(port, 'GET', '/deliveries')
  return (json as { deliveries: DeliveryView[] }).deliveries
}

const chanflow = (port: number, text: string) =>
  call(port, 'POST', '/chanflow', { headers: { 'X-Agent-Id': 'default' }, body: { text } })

describe('SIGKILL between the answer of the receiver and our commit', () => {
  it('costs one repeat at most, which a webhook knows by its Idempotency-Key', async () => {
    const keys: unknown[] = []
    let onPost: () => Promise<unknown> = async () => undefined
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      // By the time the answer leaves, nobody is there to hear it.
      void onPost().then(() => response.writeHead(200).end())
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { start, configure } = place()
    const { port } = server.address() as AddressInfo
    configure(`hook: { type: webhook, targets: { team: "http://127.0.0.1:${port}" } }`)
    const first = await start()
    onPost = () => {
      first.child.kill('SIGKILL')
      return first.exited
    }
    await expect(chanflow(first.port, '<𝒞=hook:team>Hello</𝒞>')).rejects.toThrow()
    await first.exited
    onPost = async () => undefined
    const second = await start()
    await expect.poll(async () => (await deliveries(second.port))[0]?.state).toBe('sent')
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
    second.child.kill()
    await second.exited
  })

  it('costs one repeat at most, which a mail server knows by its Message-ID', async () => {
    const { start, configure } = place()
    const ids: string[] = []
    let onMail: () => Promise<unknown> = async () => undefined
    const { port } = await startMailServer({
      onData(stream, _session, done) {
        let source = ''
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          source += chunk
        })
        stream.on('end', () => {
          ids.push(/^Message-ID: (\S+)/m.exec(source)?.[1] ?? '')
          void onMail().then(() => done())
        })
      },
    })
    configure(`email: { type: smtp, url: "smtp://127.0.0.1:${port}", from: a@company.com, allow: ["*"] }`)
    const first = await start()
    onMail = () => {
      first.child.kill('SIGKILL')
      return first.exited
    }
    await expect(chanflow(first.port, '<𝒞=email:x@company.com>Hello</𝒞>')).rejects.toThrow()
    await first.exited
    onMail = async () => undefined
    const second = await start()
    await expect.poll(async () => (await deliveries(second.port))[0]?.state).toBe('sent')
    expect(ids).toHaveLength(2)
    expect(ids[1]).toBe(ids[0])
    expect(ids[0]).toMatch(/^<dlv_[0-9a-f]{32}@company\.com>$/)
    second.child.kill()
    await second.exited
  })
})

describe('SIGKILL at any moment while messages are sent', () => {
  it('loses no message that was answered for, and none is sent under two keys', async () => {
    const { start, configure } = place()
    const received = new Map<string, Set<unknown>>()
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        const { text } = JSON.parse(body) as { text: string }
        received.set(text, (received.get(text) ?? new Set()).add(request.headers['idempotency-key']))
        response.writeHead(200).end()
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    configure(`hook: { type: webhook, targets: { team: "http://127.0.0.1:${port}" } }`)
    const answered: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const daemon = await start()
      const sending = (async () => {
        for (let index = 0; ; index += 1) {
          const text = `${round}-${index}`
          await chanflow(daemon.port, `<𝒞=hook:team>${text}</𝒞>`)
          answered.push(text)
        }
      })().catch(() => undefined)
      await aMoment(50, 200)
      daemon.child.kill('SIGKILL')
      await daemon.exited
      await sending
    }
    const last = await start()
    await expect
      .poll(async () => (await deliveries(last.port)).filter(({ state }) => state !== 'sent').length, {
        timeout: 20_000,
      })
      .toBe(0)
    for (const text of answered) expect(received.get(text)?.size, text).toBe(1)
    for (const [text, keys] of received) expect(keys.size, text).toBe(1)
    last.child.kill()
    await last.exited
  })
})
