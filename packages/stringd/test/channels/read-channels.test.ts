import { describe, expect, it } from 'vitest'
import type { Channel } from '../../src/channels/channel.ts'
import { type MisreadChannel, readChannels } from '../../src/channels/read-channels.ts'

const ENVIRONMENT = { SMTP_PASSWORD: 'p@ss word', HOOK: 'https://hooks.example/T0/secret' }

function channel(text: string, name = 'email'): Channel | MisreadChannel | undefined {
  const file = readChannels(text, ENVIRONMENT)
  const found = file.ok ? file.channels.get(name) : file
  return found?.ok === true ? found.channel : found
}

describe('channels.yaml', () => {
  it('reads the channels of the documentation', () => {
    const text = `email:
  type: smtp
  url: smtp://127.0.0.1:2525
  from: agent@company.com
  allow: ["*@company.com"]
slack:
  type: webhook
  targets: { dev-team: "\${HOOK}" }
`
    expect(channel(text)).toMatchObject({ type: 'smtp', from: 'agent@company.com', allow: ['*@company.com'] })
    expect(channel(text, 'slack')).toEqual({
      type: 'webhook',
      targets: new Map([['dev-team', new URL(ENVIRONMENT.HOOK)]]),
      template: { text: '{text}' },
      secrets: [ENVIRONMENT.HOOK],
    })
  })

  it('an empty file has no channels, and the agent channel needs no type', () => {
    expect(readChannels('# nothing\n', {})).toEqual({ ok: true, channels: new Map() })
    expect(channel('agent: { allow: [bob, "team-*"] }', 'agent')).toEqual({
      type: 'agent',
      allow: ['bob', 'team-*'],
      secrets: [],
    })
  })

  it('keeps the shape of a template and fills its texts from the environment', () => {
    const template = '{ content: "{text}", tts: false, k: ["$' + '{HOOK}"] }'
    const text = `hook: { type: webhook, targets: { a: "http://h/" }, template: ${template} }`
    expect(channel(text, 'hook')).toMatchObject({
      template: { content: '{text}', tts: false, k: [ENVIRONMENT.HOOK] },
    })
  })

  it.each([
    ['email: [', 1, 8, '[ is not closed. Write ] behind the last item'],
    ['email:\n\ttype: smtp', 2, 1, 'a tab stands where blanks indent. Indent with blanks'],
    ['email:\n  type: "smtp\n', 2, 9, 'a quote " is not closed'],
    ['- a', 1, 1, 'Channels are named'],
    ['a: 1\na: 2', 2, 1, 'unique'],
    ['email: 5', 1, 8, 'email needs fields'],
    ['email:\n  url: x', 2, 3, 'The field type is missing'],
    ['email:\n  type: pigeon', 2, 3, 'There is no type pigeon'],
    ['email:\n  type: smpt', 2, 3, 'There is no type smpt: smtp, webhook or agent. Did you mean smtp?'],
    ['email:\n  type: smtp\n  url: http://x\n  from: a@b', 3, 8, 'url must be an address that begins with smtp://'],
    ['email:\n  type: smtp\n  url: smtp://x\n  from: "a@b, c@d"', 4, 9, 'from must be one mail address'],
    ['email:\n  type: smtp\n  url: smtp://x\n  from: a@b\n  allow: x', 5, 10, 'allow must be a list'],
    [
      'email:\n  type: smtp\n  url: smtp://x\n  from: a@b\n  alow: [x]',
      5,
      9,
      'Unknown field: alow. Did you mean allow?',
    ],
    ['email: { type: agent, prot: 5 }', 1, 29, 'Unknown field: prot. It takes type, allow'],
    ['email:\n  type: smtp\n  url: smtp://u:\u0024{NO}@x\n  from: a@b', 3, 8, 'NO is not set'],
    ['email:\n  type: smtp\n  url: smtp://u:%zz@x\n  from: a@b', 3, 8, 'write it as %25'],
    ['email: { type: webhook, targets: { a: ftp://x } }', 1, 39, 'a must be an address that begins with http://'],
    ['email: { type: webhook, targets: 3 }', 1, 34, 'targets must name each target'],
  ])('says where the mistake is and what is wrong: %j', (text, line, column, message) => {
    const mistake = channel(text) as MisreadChannel
    expect(mistake).toMatchObject({ line, column })
    expect(mistake.problem).toContain(message)
  })

  it('a mistake in one channel leaves the others usable', () => {
    const text = 'email: 5\nslack: { type: webhook, targets: {} }'
    expect(channel(text, 'slack')).toMatchObject({ type: 'webhook' })
  })

  it('S30: thousands of names are read each by itself, and nothing is nested deeper than a person writes', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `c${index}:\n  type: agent`)
    const many = readChannels(names.join('\n'), {})
    expect(many.ok && many.channels.size).toBe(5_000)
    expect(readChannels(`a: ${'['.repeat(60_000)}`, {})).toMatchObject({ ok: false })
  })

  it('a name that stands twice is refused where it stands again', () => {
    expect(readChannels('agent: {}\nagent: {}', {})).toEqual({
      ok: false,
      line: 2,
      column: 1,
      problem: 'Map keys must be unique',
    })
  })

  it('no channel is called string, and aliases are not taken', () => {
    expect(channel('string: { type: agent }', 'string')).toMatchObject({ problem: 'No channel can be called string' })
    expect(channel('a: &a { type: agent }\nemail: *a')).toMatchObject({ line: 2 })
  })

  it('a mistake never shows what came from the environment', () => {
    const mistake = channel('email: { type: smtp, url: "\u0024{SMTP_PASSWORD}", from: x }') as MisreadChannel
    expect(mistake.problem).toContain('url must be')
    expect(mistake.problem).not.toContain(ENVIRONMENT.SMTP_PASSWORD)
  })

  it('takes nothing from the prototype of the environment', () => {
    expect(channel('email: { type: "\u0024{constructor}" }')).toMatchObject({ column: 16 })
  })
})
