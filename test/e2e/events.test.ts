import { spawn } from 'node:child_process'
import { StringClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { STRING, stringPlace } from '../support/cli.ts'
import { startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'

describe('events on the command line', () => {
  it('string webhook show tells where to post, rotate tells another place', async () => {
    const place = stringPlace()
    const shown = (await place.string(['webhook', 'show'])).stdout.trim()
    expect(shown).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/wh_/)
    expect((await place.string(['webhook'])).stdout.trim()).toBe(shown)
    expect((await place.string(['webhook', 'rotate', 'default'])).stderr).toContain('The old address is refused')
    const rotated = JSON.parse((await place.string(['webhook', 'rotate', '--json'])).stdout) as { webhook_url: string }
    expect(rotated).toEqual({ agent_id: 'default', webhook_url: expect.not.stringContaining(shown) as string })
    expect((await place.string(['webhook', 'turn'])).status).toBe(2)
    expect((await place.string(['config', 'get', 'x'])).stderr).toContain('string config takes no get: it only shows')
    const { port, pathname } = new URL(rotated.webhook_url)
    expect((await call(Number(port), 'POST', pathname, { body: 'disk almost full' })).status).toBe(202)
    expect((await place.string(['events'])).stdout).toMatch(
      /^ID +TIME +SOURCE +STATE +TEXT\n\w{8} +\d\d:\d\d:\d\d +local-webhook +pending +disk almost full\n$/,
    )
    expect((await place.string(['events', 'read', 'zz', '--json'])).stdout).toMatch(/^\{"ok":false,"code":"NOT_FOUND"/)
    expect((await place.string(['events', '--all', '--plain'])).stdout).toContain('1 pending, 0 acked')
    expect((await place.string(['events', '--what'])).status).toBe(2)
    await call(Number(port), 'POST', pathname, { body: 'disk full' })
    const list = openTerminal(place, ['events'])
    await list.shows(
      /^ID +TIME[^\n]*\n.*disk almost full\n.* disk full\n2 pending, 0 acked; string events read ID shows/m,
    )
    const [, id = ''] = /^(\w{8}) +\d\d:\d\d:\d\d .* disk full$/m.exec(list.shown()) ?? []
    for (const part of [id, id.slice(0, 5), id.slice(-5)])
      expect((await place.string(['events', 'read', part])).stdout).toMatch(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d from .*\n\ndisk full/m,
      )
    expect((await place.string(['events', 'ack', id])).stdout).toContain('Acked: evt_')
    expect((await place.string(['events', 'retry', id])).stdout).toContain(
      'string events default lists those that are not',
    )
    for (const verb of ['read', 'ack', 'retry']) {
      const unknown = await place.string(['events', verb, "it's"])
      expect(unknown.stderr).toContain("There is no event it's; string events --all lists them")
      expect(unknown).toMatchObject({ status: 1, stdout: '' })
      const nameless = await place.string(['events', verb])
      expect(nameless.stderr).toContain(`Which event? Give its ID: string events ${verb} ID; string events lists them`)
      expect(nameless.status).toBe(2)
    }
    expect((await place.string(['events', '--plain'])).stdout).toContain('1 pending, 1 acked')
  })

  it('read and ack find an event of another agent by its id, and that none is there is told of all', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'ash'])
    const { port, pathname } = new URL((await place.string(['webhook', 'show', 'ash'])).stdout.trim())
    const { json } = await call(Number(port), 'POST', pathname, { body: 'for ash' })
    const id = (json as { event_id: string }).event_id.slice(-8)
    expect((await place.string(['events', 'read', id])).stdout).toContain('for ash')
    expect((await place.string(['events', 'ack', id])).stdout).toContain('Acked: evt_')
    expect((await place.string(['events', 'ash', '--plain'])).stdout).toContain('0 pending, 1 acked')
  })

  it('/events.ack of several marks them all, and they stay marked when the daemon has started again', async () => {
    const place = stringPlace()
    const { port, pathname } = new URL((await place.string(['webhook', 'show'])).stdout.trim())
    const ids: string[] = []
    for (const body of ['one', 'two', 'three', 'four']) {
      const { json } = await call(Number(port), 'POST', pathname, { body })
      ids.push((json as { event_id: string }).event_id)
    }
    const acked = ids.slice(0, 3)
    const { stdout } = await place.string(['main', `/events.ack ${acked.join(' ')}`])
    expect(stdout).toContain(`Acked: ${acked.join(', ')}`)
    expect((await place.string(['events', '--plain'])).stdout).toContain('1 pending, 3 acked')
    await place.string(['--daemon', 'stop'])
    const list = (await place.string(['events', '--plain'])).stdout
    expect(list).toContain('1 pending, 3 acked')
    expect(list.match(/evt_\w{26}/g)).toEqual(ids.slice(3))
  })

  it('ack takes several ids; a part of an id that only one has will do, also in topics', async () => {
    const place = stringPlace()
    const url = (await place.string(['webhook', 'show'])).stdout.trim()
    const ids: string[] = []
    for (const body of ['one', 'two', 'three']) {
      const answer = (await (await fetch(url, { method: 'POST', body })).json()) as { event_id: string }
      ids.push(answer.event_id)
    }
    const [first = '', second = '', third = ''] = ids
    const short = (id: string): string => id.slice(-8)
    const acked = await place.string(['events', 'ack', short(first), short(second)])
    expect(acked).toMatchObject({ status: 0, stdout: expect.stringContaining(`Acked: ${first}, ${second}`) as string })
    expect((await place.string(['main', `/events.read ${short(third)}`])).stdout).toContain('three')
    expect((await place.string(['main', '/events.ack evt_'])).stdout).toMatch(
      /INVALID_PARAMS.*: evt_ may be more than one event: evt_.*Write more of the ID/s,
    )
    expect((await place.string(['main', `/events.ack ${short(third)} nope`])).stdout).toContain('Event not found: nope')
    expect((await place.string(['events', '--plain'])).stdout).toContain('1 pending, 2 acked')
    const read = await place.string(['events', 'read', short(first), short(second)])
    expect(read).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('string events read takes one ID') as string,
    })
  })

  it('string events --follow shows events as they come, over a restart of the daemon, and ends with Ctrl-C', async () => {
    const place = stringPlace()
    const post = async (text: string): Promise<void> => {
      const { port, pathname } = new URL((await place.string(['webhook', 'show'])).stdout.trim())
      expect((await call(Number(port), 'POST', pathname, { body: text })).status).toBe(202)
    }
    await post('before')
    const follower = spawn(process.execPath, [STRING, 'events', '--follow', '--json'], { env: place.env })
    onTestFinished(() => void follower.kill('SIGKILL'))
    let output = ''
    follower.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    const texts = (): string[] =>
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { text: string }).text)
    let sent = 0
    // Until it listens, nothing comes: only new events are shown.
    while (texts().length === 0) {
      sent += 1
      await post(`hello ${sent}`)
    }
    expect(JSON.parse(output.split('\n')[0] ?? '')).toMatchObject({
      agent_id: 'default',
      received_at: expect.stringContaining('T') as string,
    })
    await place.string(['--daemon', 'stop'])
    await post('after the restart')
    await expect.poll(texts).toContain('after the restart')
    expect(texts()).not.toContain('before')
    expect(new Set(texts()).size).toBe(texts().length)
    const ended = new Promise((resolve) => follower.on('exit', (code) => resolve(code)))
    follower.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('the client gives each event once and in order, over a SIGKILL of the daemon', async () => {
    const first = await startForeground()
    const over = new AbortController()
    let port = first.port
    const client = new StringClient({ port, autoStart: async () => Promise.resolve(port) })
    await client.ready()
    const { webhook_url: url } = await client.webhook.show()
    const { pathname } = new URL(url)
    const texts: string[] = []
    const reading = (async () => {
      for await (const { text } of client.events({ signal: over.signal })) texts.push(text)
    })()
    let sent = 0
    const postNext = async (): Promise<void> => {
      sent += 1
      expect((await call(port, 'POST', pathname, { body: String(sent) })).status).toBe(202)
    }
    while (texts.length === 0) await postNext()
    const began = Number(texts[0])
    for (let index = 0; index < 20; index += 1) await postNext()
    first.child.kill('SIGKILL')
    await first.exited
    const second = await startForeground(first.dir)
    port = second.port
    for (let index = 0; index < 20; index += 1) await postNext()
    const expected = Array.from({ length: sent - began + 1 }, (_, index) => String(began + index))
    await expect.poll(() => texts).toEqual(expected)
    over.abort()
    await reading
    second.child.kill('SIGTERM')
    await second.exited
  })
})
