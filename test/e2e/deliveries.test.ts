import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'

it('string deliveries shows what became of messages, of this agent or of all', async () => {
  const place = stringPlace()
  expect((await place.string(['deliveries'])).stdout).toBe(
    'No deliveries yet; messages to channels such as mail make them. Those to other agents are their events\n',
  )
  const home = join(place.dir, 'string/agents/default')
  mkdirSync(join(home, '.string'), { recursive: true })
  const url = `http://127.0.0.1:${await freePort()}/s3cret`
  writeFileSync(join(home, '.string/channels.yaml'), `hook: { type: webhook, targets: { team: "${url}" } }`)
  const { stdout, status } = await place.string(['chanflow'], { input: '<𝒞=hook:team>Hello</𝒞>' })
  expect(stdout).toContain('✓ queued for team: the server refused the connection, next try in 1 min\n')
  expect(status).toBe(0)
  expect((await place.string(['deliveries'])).stdout.replace(/\S*\d\d:\d\d(?::\d\d)?/g, 'CLOCK')).toMatch(
    /^TIME +AGENT +TO +STATE +TRIES +NEXT TRY +REASON\nCLOCK +default +hook:team +waiting +1 +CLOCK +the server refused the connection\n$/,
  )
  const unknown = await place.string(['deliveries', '--agent', 'bob'])
  expect(unknown).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('There is no agent bob.') })
  await place.string(['agent', 'add', 'bob'])
  expect((await place.string(['deliveries', '--agent', 'bob'])).stdout).toBe(
    'No deliveries of bob; string deliveries shows all\n',
  )
  expect((await place.string(['deliveries', '--all', '--agent', 'bob'])).status).toBe(2)
  const list = JSON.parse((await place.string(['deliveries', '--json'])).stdout) as object[]
  expect(list).toMatchObject([{ agent_id: 'default', state: 'waiting', tries: 1 }])
  expect((await place.string(['deliveries', '--state', 'waiting'])).stdout).toContain('hook:team')
  expect((await place.string(['deliveries', '--all', '--state', 'failed'])).stdout).toBe(
    'No failed deliveries; string deliveries shows all\n',
  )
  expect(await place.string(['deliveries', '--state', 'lost'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--state is one of trying, waiting, sent, failed, not: lost'),
  })
  expect((await place.string(['deliveries', '--nope'])).status).toBe(2)
})

it('string chanflow refuses what it does not know, and a folder that is not there', async () => {
  const place = stringPlace()
  expect((await place.string(['chanflow', '--nope'], { input: '' })).status).toBe(2)
  expect((await place.string(['chanflow', '--cwd', '/no/such/folder'], { input: '' })).status).toBe(2)
  expect((await place.string(['chanflow'], { input: Buffer.from([0xff]) })).status).toBe(2)
  expect(place.daemonPid()).toBeNull()
  expect(await place.string(['chanflow'], { input: 'Just text\n' })).toEqual({ status: 0, stdout: '', stderr: '' })
  const json = await place.string(['chanflow', '--json'], { input: 'a\n<𝒞=string:x>hello</𝒞>' })
  expect(json.status).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    rest: 'a\n',
    blocks: [{ channel: 'string', topic: 'x', ok: false, code: 'COMMAND_UNSUPPORTED' }],
  })
  expect((await place.string(['chanflow', '/close'])).stdout).toBe('<𝒞=string:chanflow>\nClosed: chanflow\n</𝒞>\n')
})
