import { StringClient } from '@string-os/client'
import { describe, expect, it } from 'vitest'

/** As JavaScript passes them: names that no type has seen. */
function misspelt(name: string): object {
  return { [name]: 'x' }
}

describe('an option that there is not', () => {
  const client = new StringClient({ port: 1 })

  it('is refused with the name that was meant, before anything is sent', async () => {
    expect(() => client.turn('hello', misspelt('sesion'))).toThrow(
      new TypeError('turn: unknown option sesion; did you mean session?'),
    )
    expect(() => new StringClient(misspelt('agnet'))).toThrow('did you mean agent?')
    expect(() => client.events(misspelt('afer'))).toThrow('did you mean after?')
    expect(() => client.turns.watch(misspelt('agents'))).toThrow('did you mean agent?')
    const folder =
      'exec: unknown option folder; it takes requestId, cwd, via, signal, waitMs, seen, atPrompt, styles, drawn, pagers, cancelOnLeave'
    await expect(client.exec('main', '/close', misspelt('folder'))).rejects.toThrow(new TypeError(folder))
    for (const asked of [
      client.exec('main', '/close', misspelt('timeout')),
      client.run('bash:x', 'true', misspelt('timeoutMs')),
    ])
      await expect(asked).rejects.toThrow(/; signal: AbortSignal\.timeout\(ms\) ends it after that time$/)
    expect(() => new StringClient(misspelt('host'))).toThrow('listens on 127.0.0.1 alone: port says where')
    await expect(client.exec('main', '/close', misspelt('wait'))).rejects.toThrow('did you mean waitMs?')
    await expect(client.chanflow('', misspelt('CWD'))).rejects.toThrow('did you mean cwd?')
    await expect(client.complete('main', '/', misspelt('sinal'))).rejects.toThrow('did you mean signal?')
    await expect(client.usage(misspelt('since_'))).rejects.toThrow('did you mean since?')
    await expect(client.log(misspelt('levels'))).rejects.toThrow('did you mean level?')
    await expect(client.turns.list(misspelt('sate'))).rejects.toThrow('did you mean state?')
    await expect(client.sessions.cancel('main', misspelt('al'))).rejects.toThrow('did you mean all?')
    await expect(client.agents.register('bob', misspelt('allowedPath'))).rejects.toThrow('did you mean allowedPaths?')
    expect(() => client.watch(misspelt('folow'))).toThrow('did you mean follow?')
    for (const list of [client.agents.list, client.inbox.list, client.outbox.list, client.approvals.list])
      await expect(list(misspelt('limt'))).rejects.toThrow('did you mean limit?')
    await expect(client.agents.sessions('bob', misspelt('limt'))).rejects.toThrow('did you mean limit?')
    await expect(client.sessions.list('bob', misspelt('limt'))).rejects.toThrow('did you mean limit?')
    await expect(client.approvals.answer('a', 'deny', misspelt('notes'))).rejects.toThrow('did you mean note?')
  })
})

describe('an option that is something else', () => {
  const client = new StringClient({ port: 1 })
  const wrongly = (name: string, value: unknown): object => ({ [name]: value })

  it('is refused with what it must be, before anything is sent', async () => {
    for (const port of [0, 99_999, 1.5, Number.NaN])
      expect(() => new StringClient(wrongly('port', port))).toThrow(
        new TypeError(`new StringClient: port must be a whole number from 1 to 65535, not ${port}`),
      )
    expect(() => new StringClient(wrongly('port', '21004'))).toThrow('from 1 to 65535, not "21004" (a string)')
    expect(() => new StringClient(wrongly('agent', 5))).toThrow('agent must be the id of an agent, not 5')
    expect(() => new StringClient(wrongly('autoStart', true))).toThrow('autoStart must be a function, not boolean')
    for (const found of ['x', 0, 70_000, null, { port: '3923' }, { port: 3923, key: 5 }]) {
      const autoStart = () => Promise.resolve(found as number)
      await expect(new StringClient({ autoStart }).health()).rejects.toThrow(
        new TypeError('new StringClient: autoStart must give a port, or { port, key }, where port is 1 to 65535'),
      )
    }
    expect(client.as('bob')).toMatchObject({ agent: 'bob', port: 1 })
    expect(() => new StringClient(wrongly('create', 'yes'))).toThrow('create must be true or false, not yes')
    expect(() => client.turn('hello', wrongly('attachments', {}))).toThrow('attachments must be a list, not object')
    for (const [attachments, told] of [
      [['a.png'], 'turn: "attachments[0]" must be { "type", "url", "name"? }'],
      [
        [
          { type: 'file', url: 'a' },
          { type: 'pdf', url: 'a' },
        ],
        'turn: "attachments[1].type" must be image, file, audio or video',
      ],
      [[{ type: 'file' }], 'turn: "attachments[0].url" must be a string that is not empty'],
      [[{ type: 'file', url: 'a', name: 5 }], 'turn: "attachments[0].name" must be a string'],
    ] as const)
      expect(() => client.turn('hello', wrongly('attachments', attachments))).toThrow(new TypeError(told))
    expect(() => client.turns.follow('trn_1', wrongly('signl', 1))).toThrow(
      new TypeError('turns.follow: unknown option signl; did you mean signal?'),
    )
    expect(() => client.turns.follow('trn_1', wrongly('signal', 3))).toThrow(
      new TypeError('turns.follow: signal must be an AbortSignal, not 3'),
    )
    await expect(client.agents.register('bob', wrongly('allowedPaths', '/srv'))).rejects.toThrow(
      'agents.register: allowedPaths must be a list of paths, not /srv',
    )
    await expect(client.agents.register('bob', wrongly('allowedPaths', [5]))).rejects.toThrow('must be a list of paths')
    expect(() => client.events(wrongly('signal', 3))).toThrow('signal must be an AbortSignal, not 3')
    await expect(client.exec('main', '/ls', wrongly('waitMs', '5'))).rejects.toThrow('not "5" (a string)')
    await expect(client.exec('main', '/ls', { waitMs: 40_000 })).rejects.toThrow(
      new TypeError('exec: waitMs must be a whole number from 1 to 30000, not 40000'),
    )
    await expect(client.turns.list(wrongly('state', 'faild'))).rejects.toThrow(
      new TypeError(
        'turns.list: state must be one of queued, running, waiting, done, failed, cancelled, interrupted, not faild; did you mean failed?',
      ),
    )
    await expect(client.usage(wrongly('by', 'week'))).rejects.toThrow('by must be one of agent, session, day, not week')
    await expect(client.log(wrongly('level', 5))).rejects.toThrow(
      'level must be one of debug, info, warn, error, not 5',
    )
    await expect(client.turns.list({ limit: -1 })).rejects.toThrow('limit must be a whole number from 1, not -1')
    await expect(client.approvals.answer('apr_1', JSON.parse('"yes"'))).rejects.toThrow(
      new TypeError('approvals.answer: answer must be one of allow, deny, not yes'),
    )
    await expect(client.turns.list(wrongly('limit', '3'))).rejects.toThrow(
      'limit must be a whole number from 1, not "3" (a string)',
    )
    await expect(client.turns.list(wrongly('since', 5))).rejects.toThrow(
      'since must be a Date, or a time as text, not 5',
    )
    expect(() => client.events({ after: 'garbage' })).toThrow(
      'events: after must be the id of an event, evt_ and 26 characters (`inbox.list()` has them), not garbage',
    )
    expect(() => client.events({ after: 'evt_nonsense' })).toThrow('must be the id of an event')
    await expect(client.turns.list({ since: new Date('x') })).rejects.toThrow(
      new TypeError('turns.list: since must be a Date, or a time as text, not Invalid Date'),
    )
    for (const call of [() => new StringClient({ agent: '' }), () => client.as('')])
      expect(call).toThrow(new TypeError('new StringClient: agent must be the id of an agent, not empty'))
    for (const command of ['', ' \n'])
      await expect(client.run('bash:x', command)).rejects.toThrow(
        new TypeError('run(topic, command): command must be a shell command, not empty'),
      )
  })

  it('is one that is not given where it is undefined, whatever the call', async () => {
    const none = { port: undefined, agent: undefined, create: undefined, key: undefined, autoStart: undefined }
    expect(new StringClient(none).agent).toBe('default')
    const nobody = { name: 'UnreachableError' }
    const exec = { requestId: undefined, via: undefined, seen: undefined, styles: undefined, cancelOnLeave: undefined }
    await expect(client.exec('main', '/ls', exec)).rejects.toMatchObject(nobody)
    const turn = {
      session: undefined,
      from: undefined,
      attachments: undefined,
      requestId: undefined,
      signal: undefined,
    }
    await expect(client.turn('x', { ...turn, reopenMs: undefined, onLost: undefined }).next()).rejects.toMatchObject(
      nobody,
    )
    await expect(client.usage({ by: undefined, since: undefined })).rejects.toMatchObject(nobody)
    const agent = { home: undefined, allowedPaths: undefined, profile: undefined }
    await expect(client.agents.register('bob', agent)).rejects.toMatchObject(nobody)
    await expect(client.fleet.move('bob', { home: undefined, now: undefined })).rejects.toMatchObject(nobody)
    await expect(client.sessions.cancel('main', { all: undefined })).rejects.toMatchObject(nobody)
  })
})

describe('what a call cannot do without', () => {
  const client = new StringClient({ port: 1 })
  /** As JavaScript calls it: with whatever there is, or nothing. */
  const loosely = (call: unknown, ...args: unknown[]): unknown => Reflect.apply(call as () => unknown, client, args)
  const own = (name: keyof StringClient, ...args: unknown[]): unknown => loosely(client[name], ...args)

  it('is asked for by its name, at the call and before anything is sent', async () => {
    await expect(own('exec')).rejects.toThrow(new TypeError('exec(topic, cmd): topic must be a string, not undefined'))
    await expect(own('exec', 'main')).rejects.toThrow('exec(topic, cmd): cmd must be a string, not undefined')
    await expect(own('exec', 'main', ['/ls'])).rejects.toThrow('cmd must be a string, not object')
    await expect(own('exec', 'main', '/ls', './docs')).rejects.toThrow(
      'exec: its options must be an object, { requestId: … }, not ./docs',
    )
    await expect(own('chanflow')).rejects.toThrow('chanflow(text): text must be a string')
    await expect(own('exec', '/ls')).rejects.toThrow(
      new TypeError("exec(topic, cmd): /ls is a command, and the topic comes first: exec('main', …)"),
    )
    await expect(own('exec', '/ls', 'main')).rejects.toThrow('/ls is a command, and the topic comes first')
    expect(() => own('turn', { session: 'work' })).toThrow(
      'turn(message): message must be a string, not object; options come behind: turn(message, { … })',
    )
    expect(() => own('turn', 'hello', { agent: 'bob' })).toThrow(
      'turn: unknown option agent; it belongs to the client: new StringClient({ agent })',
    )
    expect(() => own('turn')).toThrow('turn(message): message must be a string, not undefined')
    expect(() => loosely(client.turns.follow)).toThrow('turns.follow(id): id must be a string')
    const { agents, turns, approvals, inbox, outbox, sessions } = client
    for (const group of [agents, turns, approvals, inbox, outbox, sessions])
      for (const [name, call] of Object.entries(group))
        if (!['list', 'watch', 'follow'].includes(name))
          await expect(loosely(call), name).rejects.toThrow(
            /\.\w+\((?:id|topic).*\): (?:id|topic) must be a string, not undefined$/,
          )
  })
})
