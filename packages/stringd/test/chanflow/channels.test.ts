import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChanFlowReply, type DeliveryView, decodeChanFlow, LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { call, exec } from '../../../../test/support/http.ts'
import { smtpError, startMailServer } from '../channels/mail-server.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'
import { startServer } from '../web/page-server.ts'

/** The reply blocks to a text: under which tag, and with what payload. */
async function run({ port }: TestDaemon, text: string, agent = 'default'): Promise<[tag: string, payload: string][]> {
  const { status, json } = await call(port, 'POST', '/chanflow', { headers: { 'X-Agent-Id': agent }, body: { text } })
  expect(status).toBe(200)
  const plain = (json as ChanFlowReply).text.replace(/ time="[^"]+"(?: mode=edit)?>/g, '>')
  return decodeChanFlow(plain).flatMap((item) =>
    item.type === 'block' ? [[`${item.channel}:${item.topic ?? ''}`, item.payload]] : [],
  )
}

function configure({ home }: TestDaemon, text: string): void {
  mkdirSync(join(home, '.string'), { recursive: true })
  writeFileSync(join(home, '.string/channels.yaml'), text)
}

async function deliveries({ port }: TestDaemon, query = ''): Promise<DeliveryView[]> {
  const { json } = await call(port, 'GET', `/deliveries${query}`)
  return (json as { deliveries: DeliveryView[] }).deliveries
}

const email = (port: number): string =>
  `email: { type: smtp, url: "smtp://127.0.0.1:${port}", from: agent@company.com, allow: ["*@company.com"] }\n`

describe('blocks of other channels', () => {
  it('String, Slack and mail in one turn, as the documentation shows', async () => {
    const daemon = await startTestDaemon()
    writeFileSync(join(daemon.home, 'report.md'), '# Report\n\n## Summary\nGood.\n')
    const { port, mails } = await startMailServer()
    const { origin, requests } = await startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200).end('ok'))
    })
    configure(daemon, `${email(port)}slack: { type: webhook, targets: { dev-team: "${origin}/T0" } }`)
    const text = `<𝒞=string:file:main>/open ~/report.md#summary</𝒞>

<𝒞=slack:dev-team>Here's the Q1 summary: ...</𝒞>

<𝒞=email:manager@company.com>Please review the attached Q1 report.</𝒞>`
    expect(await run(daemon, text)).toEqual([
      ['string:file:main', '## Summary\nGood.\n'],
      ['slack:dev-team', '✓ sent to dev-team'],
      ['email:manager@company.com', '✓ sent to manager@company.com'],
    ])
    expect(requests).toHaveLength(1)
    expect(mails[0]?.to).toEqual(['manager@company.com'])
  })

  it('a target outside the allow list is TARGET_FORBIDDEN, and nothing is stored or sent', async () => {
    const daemon = await startTestDaemon()
    const { port, mails } = await startMailServer()
    configure(
      daemon,
      `${email(port)}slack: { type: webhook, targets: {} }\nmute: { type: smtp, url: "smtp://x", from: a@b }`,
    )
    const text = '<𝒞=email:x@evil.org>a</𝒞><𝒞=slack:x>a</𝒞><𝒞=mute:a@b>a</𝒞><𝒞=email:a@company.com,x@evil.org>a</𝒞>'
    expect(await run(daemon, text)).toEqual([
      ['email:x@evil.org', '✗ TARGET_FORBIDDEN: email may not send to x@evil.org\n  Allowed: *@company.com'],
      ['slack:x', expect.stringMatching(/^✗ TARGET_FORBIDDEN: slack may not send to x\n {2}No target is allowed yet/)],
      ['mute:a@b', expect.stringMatching(/^✗ TARGET_FORBIDDEN/)],
      ['email:a@company.com,x@evil.org', expect.stringMatching(/^✗ INVALID_TARGET: Not a mail address/)],
    ])
    expect(await deliveries(daemon)).toEqual([])
    expect(mails).toEqual([])
  })

  it('a channel that nobody configured is CHANNEL_UNKNOWN, and says what exists', async () => {
    const daemon = await startTestDaemon()
    configure(daemon, email(1))
    expect(await run(daemon, '<𝒞=fax:1>a</𝒞>')).toEqual([
      [
        'fax:1',
        '✗ CHANNEL_UNKNOWN: There is no channel fax\n  There are: agent, email, string\n  A person adds one to .string/channels.yaml in the home of this agent; string agent show ID tells where that is',
      ],
    ])
  })

  it('a recipient that the server refuses is DELIVERY_FAILED with the reason', async () => {
    const daemon = await startTestDaemon()
    const { port } = await startMailServer({ onRcptTo: (_to, _session, done) => done(smtpError(550, 'No such user')) })
    configure(daemon, email(port))
    expect(await run(daemon, '<𝒞=email:x@company.com>a</𝒞>')).toEqual([
      [
        'email:x@company.com',
        '✗ DELIVERY_FAILED: email to x@company.com: 550 No such user\n  It is not tried again: mend the target or channels.yaml, then send it anew',
      ],
    ])
    expect(await deliveries(daemon)).toMatchObject([{ state: 'failed', reason: '550 No such user' }])
  })

  it('a server that cannot be reached leaves the message queued, which /deliveries and the system hub show', async () => {
    const daemon = await startTestDaemon()
    configure(daemon, email(await freePort()))
    const reason = 'the server refused the connection'
    expect(await run(daemon, '<𝒞=email:x@company.com>A secret text</𝒞>')).toEqual([
      ['email:x@company.com', `✓ queued for x@company.com: ${reason}, next try in 1 min`],
    ])
    const [delivery] = await deliveries(daemon, '?agent_id=default')
    expect(delivery).toMatchObject({ agent_id: 'default', channel: 'email', state: 'waiting', tries: 1, reason })
    expect(await deliveries(daemon, '?agent_id=other')).toEqual([])
    expect((await call(daemon.port, 'GET', '/deliveries?agent_id=../x')).status).toBe(400)
    const { body } = await exec(daemon.port, '/open system')
    expect(body).toContain(`email:x@company.com: waiting, ${reason}, next try ${delivery?.next_at}`)
    expect(JSON.stringify([delivery, body, daemon.log])).not.toContain('A secret text')
    await call(daemon.port, 'DELETE', '/agents/default')
    expect(await deliveries(daemon)).toEqual([])
  })

  it("the agent's file wins over that of the data folder, channel by channel", async () => {
    const daemon = await startTestDaemon()
    const { port, mails } = await startMailServer()
    const shared = `${email(port)}slack: { type: webhook, targets: { everyone: "http://127.0.0.1:1" } }\n`
    writeFileSync(join(daemon.dataDir, 'channels.yaml'), shared)
    expect(await run(daemon, '<𝒞=email:x@company.com>a</𝒞>')).toMatchObject([
      [expect.anything(), '✓ sent to x@company.com'],
    ])
    configure(daemon, email(port).replace('*@company.com', '*@only.org'))
    const [[, refused] = [], [, other] = []] = await run(daemon, '<𝒞=email:x@company.com>a</𝒞><𝒞=slack:nobody>a</𝒞>')
    expect(refused).toMatch(/TARGET_FORBIDDEN.*\n {2}Allowed: \*@only\.org/)
    expect(other).toContain('Allowed: everyone')
    expect(mails).toHaveLength(1)
  })

  it('S34: a link in the place of the file or of .string is not followed', async () => {
    for (const link of ['.string', '.string/channels.yaml']) {
      const daemon = await startTestDaemon()
      const outside = join(daemon.dir, 'outside')
      mkdirSync(outside)
      writeFileSync(join(outside, 'channels.yaml'), email(1))
      if (link !== '.string') mkdirSync(join(daemon.home, '.string'))
      symlinkSync(link === '.string' ? outside : join(outside, 'channels.yaml'), join(daemon.home, link))
      const [[, reply] = []] = await run(daemon, '<𝒞=email:x@company.com>a</𝒞>')
      expect(reply).toContain('A link leads to it, and links in a home are not followed')
    }
  })

  it('a mistake in the file is named with file, line and column', async () => {
    const daemon = await startTestDaemon()
    configure(daemon, 'email:\n  type: smtp\n  url: smtp://u:\u0024{NO_SUCH}@x\n  from: a@b')
    const [[, reply] = []] = await run(daemon, '<𝒞=email:x@company.com>a</𝒞>')
    const path = join(daemon.home, '.string/channels.yaml')
    expect(reply).toContain(`✗ LOAD_ERROR: ${path}, line 3, column 8: NO_SUCH is not set`)
  })

  it('secrets come from the env file of the data folder, and appear nowhere', async () => {
    const daemon = await startTestDaemon()
    writeFileSync(join(daemon.dataDir, 'env'), 'MAIL_PASSWORD=hunter2\n')
    const { port, mails } = await startMailServer({
      authOptional: false,
      onAuth: ({ password }, _session, done) =>
        password === 'hunter2' && mails.length === 0
          ? done(null, { user: 'u' })
          : done(smtpError(535, `no ${password}`)),
    })
    configure(daemon, email(port).replace('smtp://', 'smtp://u:\u0024{MAIL_PASSWORD}@'))
    const replies = [
      await run(daemon, '<𝒞=email:x@company.com>a</𝒞>'),
      await run(daemon, '<𝒞=email:x@company.com>b</𝒞>'),
    ]
    expect(replies.flat().map(([, payload]) => payload)).toEqual([
      '✓ sent to x@company.com',
      '✗ DELIVERY_FAILED: email to x@company.com: 535 no •••\n  It is not tried again: mend the target or channels.yaml, then send it anew',
    ])
    expect(JSON.stringify([await deliveries(daemon), daemon.log])).not.toContain('hunter2')
  })

  it('no file, however odd, holds anything up', async () => {
    const daemon = await startTestDaemon()
    const path = join(daemon.home, '.string/channels.yaml')
    const send = async (): Promise<string | undefined> => (await run(daemon, '<𝒞=email:x@company.com>a</𝒞>'))[0]?.[1]
    for (const text of ['['.repeat(60_000), '{a: '.repeat(15_000), '- '.repeat(30_000), '\0', '\ufeff', 'a: &a [*a]']) {
      configure(daemon, text)
      expect(await send(), text.slice(0, 8)).toMatch(/^✗ (?:LOAD_ERROR|CHANNEL_UNKNOWN)/)
    }
    configure(daemon, ' '.repeat(LIMITS.channelsFileBytes + 1))
    expect(await send()).toContain('It is larger than')
    rmSync(path)
    mkdirSync(path)
    expect(await send()).toContain('It is not a file')
    rmSync(path, { recursive: true })
    symlinkSync(path, path)
    expect(await send()).toContain('It cannot be read: ELOOP')
  })

  it('a target with half a character is no target', async () => {
    const daemon = await startTestDaemon()
    configure(daemon, email(1))
    expect(await run(daemon, '<𝒞=email:\ud835@company.com>a</𝒞>')).toMatchObject([
      [expect.anything(), expect.stringMatching(/^✗ INVALID_TARGET/)],
    ])
  })

  it('a message without a target, or without text, is refused', async () => {
    const daemon = await startTestDaemon()
    const replies = await run(daemon, '<𝒞=agent>a</𝒞><𝒞=agent:default> \n</𝒞><𝒞=email:x>')
    expect(replies.map(([, payload]) => payload.split(':')[0])).toEqual([
      '✗ INVALID_TARGET',
      '✗ COMMAND_UNSUPPORTED',
      '✗ BLOCK_UNCLOSED',
    ])
  })
})

describe('the agent channel', () => {
  const inbox = async (daemon: TestDaemon, agent: string): Promise<string> =>
    (await exec(daemon.port, '/events', { agent })).body

  it("appends an event to another agent's inbox, with its sender as the source", async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    expect(await run(daemon, '<𝒞=agent:bob>Hello <\\/𝒞> bob</𝒞>')).toEqual([['agent:bob', '✓ sent to bob']])
    expect(await inbox(daemon, 'bob')).toContain('agent:default')
    expect(await inbox(daemon, 'bob')).toContain('Hello </𝒞> bob')
    expect(await inbox(daemon, 'default')).not.toContain('Hello')
  })

  it('is on by default and restricted by allow; an unknown agent is NOT_FOUND', async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    expect(await run(daemon, '<𝒞=agent:nobody>a</𝒞>')).toMatchObject([
      ['agent:nobody', expect.stringMatching(/^✗ NOT_FOUND: Unknown agent: nobody/)],
    ])
    configure(daemon, 'agent: { allow: ["team-*"] }')
    expect(await run(daemon, '<𝒞=agent:bob>a</𝒞>')).toEqual([
      ['agent:bob', '✗ TARGET_FORBIDDEN: agent may not send to bob\n  Allowed: team-*'],
    ])
  })

  it('takes as much as a webhook', async () => {
    const daemon = await startTestDaemon()
    const text = (bytes: number): string => `<𝒞=agent:default>${'x'.repeat(bytes)}</𝒞>`
    expect(await run(daemon, text(LIMITS.webhookBodyBytes))).toMatchObject([[expect.anything(), '✓ sent to default']])
    const [[, reply] = []] = await run(daemon, text(LIMITS.webhookBodyBytes + 1))
    expect(reply).toMatch(/^✗ TOO_LARGE/)
  })
})
