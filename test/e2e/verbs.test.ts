import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exitTexts } from '../../packages/stringd/src/cli/help.ts'
import { VERBS } from '../../packages/stringd/src/cli/verbs.ts'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'

const STRG = join(STRING, '../strg.cjs')

describe('a working folder that was removed', () => {
  it('is named in one line with the next step, whatever was typed', async () => {
    const place = stringPlace()
    const inGone = (...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> => {
      const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
      return run('/bin/bash', ['-c', script, 'bash', process.execPath, STRING, ...args], {
        cwd: place.dir,
        env: place.env,
      })
    }
    const stderr = 'string: The folder that you are in does not exist any more; cd to a folder that exists\n'
    for (const line of [
      'main /ls',
      'agent add x --home y',
      'agent add x --allow y',
      'app init x',
      'app check .',
      'bridge init',
      'store backup x',
      'bridge run --profile x -m hi',
      'chat --profile x -m hi',
    ])
      expect({ line, ...(await inGone(...line.split(' '))) }).toEqual({ line, status: 2, stdout: '', stderr })
    expect((await inGone('main', '/ls', '--cwd', '/')).status).toBe(0)
    expect((await inGone('status')).status).toBe(0)
  })
})

describe('a word that is nearly a verb', () => {
  it('is refused with the verb and how to mean a topic, and no daemon is started', async () => {
    const place = stringPlace()
    for (const [line, verb] of [
      ['statsu', 'status'],
      ['agents', 'agent'],
      ['confg --json', 'config'],
      ['evnets --follow', 'events'],
      ['turms x', 'turns'],
    ] as const) {
      const args = line.split(' ')
      const { status, stdout, stderr } = await place.string(args)
      expect({ line, status, stdout: line.includes('--json') ? '' : stdout }).toEqual({ line, status: 2, stdout: '' })
      expect(stderr).toContain(`There is no verb '${args[0]}'. Did you mean '${verb}'?`)
      expect(stderr).toContain(`string --topic ${args[0]}\n`)
    }
    for (const [line, meant] of [
      ['retry fm3qeh47', 'string turn retry fm3qeh47'],
      ['retry', 'string turn retry or string events retry'],
      ['cancel trn_01m7hd010p0e4d2q6cyf9zp4n7', 'string turn cancel trn_01m7hd010p0e4d2q6cyf9zp4n7'],
      ['show tbfqr7rm', 'string turn show tbfqr7rm'],
      ['show a.md', "string '/open a.md'"],
      ['pause flaky', 'string agent pause flaky'],
      ['resume flaky', 'string agent resume flaky'],
      ['remove flaky', 'string agent remove flaky or string app remove flaky'],
      ['check flaky.yaml', 'string bridge check flaky.yaml'],
      ['tell flaky hi', 'string chat'],
    ] as const) {
      const { status, stderr } = await place.string(line.split(' '))
      expect({ line, status, said: stderr.split('\n')[0] }).toEqual({
        line,
        status: 2,
        said: `string: There is no verb '${line.split(' ')[0]}'. Did you mean ${meant}?`,
      })
    }
    expect((await place.string(['open', 'README.md'])).stderr).toContain(
      "There is no verb 'open'. Did you mean string '/open README.md'?\nFor a topic of that name: string --topic open\n",
    )
    expect((await place.string(['backup'])).stderr).toContain('Did you mean string store backup?')
    expect((await place.string(['schedule'])).stderr).toContain('docs/turns.md#on-a-schedule')
    expect((await place.string(['login'])).stderr).toContain(
      "There is no verb 'login'; as the name of a topic it needs a command, such as: string login /help; string login - reads it from standard input\n",
    )
    expect((await place.string(['restore'])).stderr).toContain('docs/operating.md#backup-and-restore')
    for (const word of ['update', 'upgrade'])
      expect((await place.string([word])).stderr).toContain('docs/operating.md#upgrade tells how String is upgraded')
    expect((await place.string(['help', 'not_found'])).stdout).toMatch(/^NOT_FOUND\n/)
    expect((await place.string(['help', 'usage'])).stdout).toMatch(/^string usage: /)
    expect((await place.string(['help', 'nowhere'])).stderr).toBe(
      "string: There is no verb 'nowhere'. string --help lists all\n",
    )
    expect((await place.string(['help', 'NOT_FOUND'])).stdout).toMatch(
      /^NOT_FOUND\n\n.*\n {2}cause: .*\n {2}next: \/ls/,
    )
    expect((await place.string(['help', 'EXIT_127'])).stdout).toContain(
      'cause: The agent’s program ended with status n',
    )
    for (const code of ['UNREACHABLE', 'HTTP_400', 'port-taken'])
      expect((await place.string(['help', code])).stdout).toMatch(new RegExp(`^${code}\\n\\n.*\\n {2}cause: `))
    expect((await place.string(['help', 'CANCELLED'])).stdout).toContain('string turn retry ID')
    expect((await place.string(['help', 'NO_SUCH'])).stderr).toContain("There is no verb 'NO_SUCH'")
    expect((await place.string(['help', 'NOT_FUOND'])).stderr).toContain("Did you mean 'NOT_FOUND'?")
    expect((await place.string(['agent', 'flaky'])).stderr).toContain('; of an agent: string agent status ID\n')
    expect((await place.string(['help', 'find'])).stderr).toContain("It is a command of topics: string '/help find'\n")
    expect(JSON.parse((await place.string(['statsu', '--json'])).stdout)).toEqual({
      ok: false,
      code: 'USAGE',
      error: "There is no verb 'statsu'. Did you mean 'status'?\nFor a topic of that name: string --topic statsu",
      hint: 'string --help shows how it is used',
    })
    for (const [args, reason] of [
      [[''], 'The name of the topic is empty'],
      [['turn', 'show', ''], 'Which turn?'],
      [['completion', 'tcsh'], 'It is one of: bash, zsh, fish'],
      [['turns', '--since', 'tomorrow'], 'today, yesterday'],
    ] as const)
      expect(await place.string(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
    expect(await place.string(['-v'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(place.daemonPid()).toBeNull()
  })

  it("a port that is not the daemon's is not passed over", async () => {
    const place = stringPlace()
    await place.string(['start'])
    for (const verb of ['status', 'stop', 'turns'])
      expect(await place.string(['--port', '1', verb])).toMatchObject({
        status: 3,
        stderr: expect.stringContaining(`runs on port ${place.daemonPort()}, not on 1`),
      })
    const unknown = await place.string(['turn', 'show', 'zz', '--json'])
    expect(unknown.status).toBe(1)
    expect(JSON.parse(unknown.stdout)).toMatchObject({
      ok: false,
      code: 'NOT_FOUND',
      hint: 'string turns shows the latest',
    })
    const nobody = await place.string(['agent', 'status', 'zz', '--json'])
    expect(JSON.parse(nobody.stdout)).toMatchObject({ code: 'NOT_FOUND', hint: 'string agent list shows all' })
  })

  it('is a topic when a command follows, when it is open, and behind --topic, as a verb is', async () => {
    const place = stringPlace()
    const topicOf = async (...args: string[]): Promise<string | undefined> =>
      /^<𝒞=string:(.*)>/.exec((await place.string(args)).stdout)?.[1]
    expect((await place.string(['statsu', 'x'])).status).toBe(2)
    expect(await topicOf('statsu', '/info')).toBe('statsu')
    expect(await topicOf('statsu', 'x')).toBe('statsu')
    expect(await topicOf('--topic', 'config', '/info')).toBe('config')
    expect(await topicOf('--topic=staus', 'x')).toBe('staus')
    expect(await topicOf('docs', 'x')).toBe('docs')
    expect(await topicOf('event', '/info')).toBe('event')
  })

  it('is told by what the word behind it names, and the name of an agent leads to a chat', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'flaky'])
    const meant = async (...line: string[]): Promise<string | undefined> =>
      (await place.string(line)).stderr.split('\n')[0]
    expect(await meant('remove', 'flaky')).toContain('Did you mean string agent remove flaky?')
    expect(await meant('agent', 'rename', 'flaky', 'x')).toContain('A name is kept: add it under the new one')
    expect(await meant('run', 'flaky')).toContain('Did you mean string chat flaky?')
    expect(await meant('tell', 'flaky', 'hi')).toContain('Did you mean string chat flaky?')
    expect(await meant('show', 'flaky')).toContain('Did you mean string agent show flaky or string webhook show flaky?')
    expect(await meant('flaky', 'hi')).toBe(
      "string: There is no verb 'flaky'. It is an agent: string chat flaky speaks to it",
    )
    expect(await meant('kill', '-9', 'flaky')).toContain('Did you mean string agent stop flaky?')
    expect(await meant('ps', 'flaky')).toContain('Did you mean string agent status flaky?')
    expect(await meant('rm', '-rf', 'x')).toContain('Did you mean string agent remove x or string app remove x?')
    expect(await meant('agent', 'restart', 'flaky')).toContain(
      "Did you mean 'string agent stop flaky, then string agent start flaky'?",
    )
    expect((await place.string(['flaky', '/info'])).status).toBe(0)
    expect((await meant('flaky', 'hi')) ?? '').not.toContain('It is an agent')
  })

  it('is named by the verbs of the daemon as one of an agent, also where no daemon runs', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'flaky'])
    const said = async (...line: string[]): Promise<string | undefined> =>
      (await place.string(line)).stderr.split('\n')[0]
    for (const runs of [true, false]) {
      if (!runs) await place.string(['stop'])
      for (const verb of ['start', 'status'])
        expect(await said(verb, 'flaky')).toBe(
          `string: Too many arguments: flaky (string ${verb}); of the agent: string agent ${verb} flaky`,
        )
      expect(await said('restart', 'flaky')).toMatch(
        /; of the agent: string agent stop flaky, then string agent start flaky$/,
      )
      expect(await said('status', 'nobody')).toBe('string: Too many arguments: nobody (string status)')
      expect(place.daemonPid() === null).toBe(!runs)
    }
  })

  it('is the plural of a topic that everybody has, unless a command follows', async () => {
    const place = stringPlace()
    for (const [line, meant] of [
      ['event', 'string events'],
      ['event list', 'string events'],
      ['event read zzz', 'string events read zzz'],
      ['event --all', 'string events --all'],
    ] as const)
      expect((await place.string(line.split(' '))).stderr).toContain(
        `There is no verb 'event'. Did you mean ${meant}?\nFor a topic of that name: string --topic event\n`,
      )
    expect((await place.string(['event', '/info'])).status).toBe(0)
    expect((await place.string(['tool', 'list'])).stdout).toContain('Commands must start with /')
  })

  it('is refused at a terminal, too', async () => {
    const terminal = openTerminal(stringPlace(), ['statsu'])
    await terminal.shows("Did you mean 'status'?")
    expect(await terminal.exited).toBe(2)
  })

  it('so are subverbs and flags', async () => {
    const place = stringPlace()
    for (const [line, reason] of [
      ['agent lits', "There is no 'string agent lits'. Did you mean 'string agent list'?"],
      ['agent logs x', "There is no 'string agent logs'. Did you mean 'string logs x'?"],
      ['agent ask x', "Did you mean 'string chat x'?"],
      ['agent kill x', "Did you mean 'string agent stop x'?"],
      ['bridge logs', "Did you mean 'string logs'?"],
      ['run', 'Did you mean string chat or string bridge run?'],
      ['list', 'Did you mean string agent list?'],
      ['delete x.yaml', 'Did you mean string agent remove x.yaml or string app remove x.yaml?'],
      [
        'turn abcd1234 efgh5678',
        "There is no 'string turn abcd1234'. It is one of: show, retry, cancel; an ID alone is shown, one at a time",
      ],
      ['turns --limit -3', '--limit needs a whole number from 1 on, not: -3\n'],
      ['events --since 1h', 'Unknown flag --since\nUsage: string events [AGENT]'],
      ['turn shwo x', "Did you mean 'string turn show'?"],
      ['webhook nope', 'It is one of: show, rotate; of an agent: string webhook show ID'],
      ['events raed 1', "There is no 'string events raed'. It is one of: read, ack, retry"],
      ['store chekc', "Did you mean 'string store check'?"],
      ['bridge inti', "Did you mean 'string bridge init'?"],
      ['--daemon statsu', "Did you mean 'status'?"],
      ['help stauts', "Did you mean 'status'?"],
      ['--jsno main /info', 'did you mean --json?'],
      ['main --plian /info', 'did you mean --plain?'],
      ['events --fllow', 'did you mean --follow?'],
      ['deliveries --al', 'did you mean --all?'],
      ['chanflow --rset', 'did you mean --rest?'],
      ['stop main --al', 'did you mean --all?'],
      ['logs --tail 5', 'Unknown flag --tail; here it is --limit\nUsage: string logs [AGENT]'],
      ['turns --watch', 'Unknown flag --watch; here it is --follow'],
      ['mcp-config clod', 'There is no client clod. Did you mean claude-code or claude-desktop?'],
      ['agent add bob bob.yaml', 'a flag says what it is: string agent add bob --profile bob.yaml'],
      ['agent add bob /', 'string agent add bob --home /'],
      ['agent add ../x', '../x cannot be the ID of an agent, which has letters, digits and . _ @ + -'],
      ['turns ../x', '../x cannot be the ID of an agent'],
      ['status --jsno', 'did you mean --json?'],
      ['config x', 'string config takes no x: it only shows all settings'],
      ['version x', 'Too many arguments: x\nUsage: string version\nstring version --help'],
      ['help turns x', "There is no 'string turns x'. string help turns shows what there is\nstring --help"],
      ['store backup', 'Where to? Give the FILE that the copy goes into\nUsage: string store backup FILE\n'],
      ['agent add', 'Usage: string agent add ID [--home DIR]'],
      ['usage --by week', '--by is one of agent, session, day, not: week\n'],
      ['usage --by dya', 'not: dya; did you mean day?'],
      ['deliveries --state faild', 'did you mean failed?'],
      ['turns --limit 0', '--limit needs a whole number from 1 on, not: 0'],
      ['turns --topic x', '--topic cannot be used here'],
    ] as const) {
      const { status, stdout, stderr } = await place.string(line.split(' '), { input: '' })
      expect({ line, status, stdout }).toEqual({ line, status: 2, stdout: '' })
      expect(stderr).toContain(reason)
    }
    expect(place.daemonPid()).toBeNull()
  })
})

describe('an agent that does not exist', () => {
  it('is not made by a slip in a pipe: --create or string agent add makes it', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'bob'])
    const ids = async (): Promise<string[]> =>
      (JSON.parse((await place.string(['agent', 'list', '--json'])).stdout) as { id: string }[]).map(({ id }) => id)
    for (const args of [['main', '/info'], ['webhook'], ['chanflow']]) {
      const { status, stdout, stderr } = await place.string(['--agent', 'bbo', ...args], { input: '' })
      expect({ args, status, stdout }).toEqual({ args, status: 1, stdout: '' })
      expect(stderr).toBe(
        'string: There is no agent bbo. Did you mean bob? --create makes it, as does string agent add bbo; string agent list shows all\n',
      )
    }
    expect((await place.string(['/info'], { env: { STRING_AGENT: 'bbo' } })).status).toBe(1)
    const known = {
      status: 1,
      stderr: 'string: There is no agent bbo. Did you mean bob? string agent list shows all\n',
    }
    for (const args of [
      ['deliveries'],
      ['usage'],
      ['turns'],
      ['events'],
      ['events', '--follow'],
      ['stop', 'main'],
      ['status'],
    ])
      expect(await place.string([...args, '--agent', 'bbo']), args.join(' ')).toMatchObject(known)
    for (const verb of ['turns', 'logs', 'chat', 'events'])
      expect(await place.string([verb, 'bbo'], { input: '' }), verb).toMatchObject(known)
    expect((await place.string(['events', 'bob'])).status).toBe(0)
    const { stdout: url } = await place.string(['webhook', 'show', '--agent', 'bob'])
    expect((await place.string(['webhook', 'show', 'bob'])).stdout).toBe(url)
    expect((await place.string(['turns', 'bob', '--agent', 'eve'])).stderr).toContain('either bob or --agent eve')
    expect(await ids()).toEqual(['bob'])
    expect((await place.string(['--plain', '/info'])).stdout).toContain('agent: default')
    expect((await place.string(['--agent', 'bbo', '--create', '--plain', '/info'])).stdout).toContain('agent: bbo')
    expect((await place.string(['webhook', '--agent', 'eve', '--create'])).status).toBe(0)
    expect((await ids()).sort()).toEqual(['bbo', 'bob', 'default', 'eve'])
  }, 60_000)

  it('is asked about at a terminal', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'bob'])
    const no = openTerminal(place, ['--agent', 'bbo', '/info'])
    await no.shows('There is no agent bbo. Did you mean bob? Make bbo? [y/N]')
    no.type('\r')
    expect(await no.exited).toBe(2)
    const yes = openTerminal(place, ['--agent', 'bbo', '/info'])
    await yes.shows('[y/N]')
    yes.type('y\r')
    await yes.shows('agent: bbo')
    expect(await yes.exited).toBe(0)
  })
})

describe('verbs of the daemon', () => {
  it('say the same as --daemon does, and start nothing to look', async () => {
    const place = stringPlace()
    const string = (args: readonly string[]) => place.string(args)
    // What tells how the daemon is, or needs none, starts none.
    for (const { name, daemon, hidden, ownFlags } of VERBS)
      if (daemon !== undefined && hidden !== true && ownFlags !== true) await string([name])
    expect((await string(['stop', 'main'])).status).toBe(0)
    expect(place.daemonPid()).toBeNull()
    expect(await string(['status'])).toEqual(await string(['--daemon', 'status']))
    expect((await string(['status'])).status).toBe(3)
    expect((await string(['start'])).stdout).toMatch(/^stringd started on /)
    expect(await string(['status'])).toEqual(await string(['--daemon', 'status']))
    expect((await string(['restart'])).stdout).toMatch(/^stringd restarted on /)
    expect((await string(['version'])).stdout).toMatch(/^string (\S+)\nstringd \1\nnode v/)
    expect((await string(['--daemon', 'status', 'x'])).status).toBe(2)
    expect((await string(['--daemon', 'stop', 'main'])).status).toBe(2)
    expect((await string(['status'])).status).toBe(0)
  })

  it('end with a status that their help tells', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'bob'])
    for (const [line, status] of [
      ['status', 0],
      ['status --agent nobody', 1],
      ['start', 0],
      ['logs', 0],
      ['logs nobody', 1],
      ['agent list', 0],
      ['agent show nobody', 1],
      ['agent remove bob', 2],
      ['chat nobody', 1],
      ['turns', 0],
      ['turns nobody', 1],
      ['turn show zzzz', 1],
      ['approvals', 0],
      ['approve zzzz', 1],
      ['usage', 0],
      ['events', 0],
      ['webhook show', 0],
      ['deliveries', 0],
      ['chanflow', 0],
      ['bridge check nothing.yaml', 2],
      ['app check nothing', 1],
      ['mcp-config claude-code', 0],
      ['store check', 0],
      ['config', 0],
      ['version', 0],
      ['completion bash', 0],
      ['stop main', 0],
      ['stop', 0],
      ['status', 3],
      ['logs', 3],
    ] as const) {
      const args = line.split(' ')
      const ran = await place.string(args, { input: '' })
      expect({ line, status: ran.status }).toEqual({ line, status })
      const row = VERBS.find(({ name }) => name === args[0])
      expect(row === undefined ? [] : exitTexts(row).map(([each]) => each)).toContain(status)
      // A program reads it, whatever it is.
      expect(ran.stdout + ran.stderr, line).not.toContain('\x1b')
    }
  }, 60_000)

  it('--follow starts none either: what it looks at is waited for', async () => {
    const place = stringPlace()
    const child = spawn(process.execPath, [STRING, 'logs', '--follow'], { env: place.env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text
      })
    await expect.poll(() => said.stderr).toBe('string: stringd does not run; waiting for it (string start starts it)\n')
    expect(place.daemonPid()).toBeNull()
    await place.string(['start'])
    await expect.poll(() => said.stdout, { timeout: 10_000 }).toContain('stringd is ready')
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('config tells what holds and where from, shows no password, and knows what the daemon has', async () => {
    const place = stringPlace({ STRING_EXEC_TIMEOUT_MS: '5000' })
    await place.string(['start'])
    mkdirSync(place.dataDir, { recursive: true })
    writeFileSync(join(place.dataDir, 'config.yaml'), 'limits: {}\n')
    const env = { STRING_EXEC_TIMEOUT_MS: '7000', STRING_PROT: '1' }
    const { stdout, stderr, status } = await place.string(['config'], { env })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^STRING_HOME +environment +\S+\/string$/m)
    expect(stdout).toMatch(/^STRING_AGENT +default +default$/m)
    expect(stdout).toMatch(/^STRING_EXEC_TIMEOUT_MS +environment +7000 {2}\(the daemon has another: string restart\)$/m)
    expect(stdout).toMatch(/^there +\S+config\.yaml /m)
    expect(stderr).toContain('STRING_PROT is set, but String knows no such variable; did you mean STRING_PORT?')
    writeFileSync(join(place.dataDir, 'config.yaml'), 'limit: {}\n')
    const mistaken = await place.string(['config'])
    expect(mistaken.stderr).toMatch(/^warning: no agent takes a turn: \S+config\.yaml:1:1: There is no key limit\./m)
    expect((await place.string(['config', '--json'])).stdout).toContain('"problems":["')
    for (const verb of ['start', 'status', 'restart'])
      expect((await place.string([verb])).stderr).toMatch(/^warning: no agent takes a turn: \S+config\.yaml:1:1: /m)
    const store = { STRING_STORE: 'postgres://me:S3cr3t@db/x?password=S3cr3t' }
    const secret = await place.string(['config', '--json'], { env: store })
    expect(secret.stdout + secret.stderr).not.toContain('S3cr3t')
    expect(secret.stdout).toContain('"STRING_STORE","value":"postgres://me@db/x"')
  })
})

describe('help', () => {
  it('is the same in every way to ask, loads little, and starts no daemon', async () => {
    const place = stringPlace()
    const hook = join(place.dir, 'hook.cjs')
    writeFileSync(hook, "process.on('exit', () => console.error(Object.keys(require.cache).length))")
    const env = { NODE_OPTIONS: `--require ${hook}` }
    const asked = await Promise.all(
      [
        ['help', 'agent', 'add'],
        ['agent', 'add', '--help'],
        ['agent', 'add', 'bob', '-h'],
        ['agent', '--help', 'add'],
      ].map((args) => place.string(args, { env })),
    )
    for (const ran of asked) expect(ran).toEqual({ ...asked[0], stderr: '3\n' })
    expect(asked[0]?.stdout).toMatch(/^string agent add: /)
    expect((await place.string(['help'])).stdout).toBe((await place.string(['--help'])).stdout)
    for (const word of ['foo', 'statsu', 'NOT_FOUND'])
      expect(await place.string([word, '--help']), word).toEqual(await place.string(['help', word]))
    expect(await place.string(['foo', '--help'])).toMatchObject({ status: 2, stdout: '' })
    for (const { name } of VERBS.filter((row) => row.subverbs !== undefined && row.actsAlone !== true)) {
      const alone = await place.string([name])
      expect({ name, ...alone }).toMatchObject({ status: 2, stderr: '' })
      expect(alone.stdout).toBe((await place.string([name, '--help'])).stdout)
    }
    expect((await place.string(['agent', '--json'])).stdout).toMatch(/^\{"ok":false,"code":"USAGE",/)
    expect((await place.string(['bridge', 'run', '-m', '--help'])).status).toBe(2)
    expect(place.daemonPid()).toBeNull()
  })
})

describe('strg', () => {
  const strg = (place: Place, args: readonly string[]) =>
    run(process.execPath, [STRG, ...args], { cwd: place.dir, env: place.env })

  it('is the same program, which calls itself so in help and errors', async () => {
    const place = stringPlace()
    expect((await strg(place, ['--help'])).stdout).toContain("  strg TOPIC 'COMMAND'")
    expect((await strg(place, ['agent', '--help'])).stdout).toMatch(/^strg agent: /)
    expect((await strg(place, ['statsu'])).stderr).toBe(
      "strg: There is no verb 'statsu'. Did you mean 'status'?\nFor a topic of that name: strg --topic statsu\nstrg --help shows how it is used\n",
    )
    expect((await strg(place, ['status'])).stdout).toContain('; strg start starts it\n')
    expect((await strg(place, ['agent', 'list'])).stdout).toBe('No agents yet; strg agent add ID makes one\n')
    expect((await strg(place, ['main', '/close'])).stdout).toBe('<𝒞=string:main>\nClosed: main\n</𝒞>\n')
  })

  it('is installed beside string', () => {
    const { bin } = JSON.parse(readFileSync(join(STRING, '../../package.json'), 'utf8')) as { bin: object }
    expect(bin).toMatchObject({ string: 'bin/string.cjs', strg: 'bin/strg.cjs' })
  })
})
