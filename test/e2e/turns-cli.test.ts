import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { StringClient, type TurnEvent, type TurnSummary, type TurnView, type UsageView } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { isRunning, killDaemon, type Place, type Ran, STRING, stringPlace } from '../support/cli.ts'
import { startForeground } from '../support/foreground.ts'

/** Does what its message says. */
const OBEDIENT = `
case "$AGENT_MESSAGE" in
  fail*) printf 'disk \\033[2Jfull\\n' >&2; exit 3 ;;
  speak) for word in Grüße 𝒞 an alle; do echo "AGENT_PARTIAL:\\"$word \\""; sleep 0.3; done ;;
  ask) echo AGENT_PARTIAL:'"Hm. "'; echo "key $MODEL_KEY"; printf 'Delete all of it? [y/N] '; sleep 60 ;;
  serve) sleep 60 & echo 'started the server' ;;
  hang) echo 'connecting to the model' >&2; sleep 60 ;;
  wait) echo $$ > pid; trap '' TERM; while :; do sleep 0.05; done ;;
  *) echo 'AGENT_PARTIAL:"Well, "'; echo "you said $AGENT_MESSAGE" ;;
esac`

const SPEECH = 'Grüße 𝒞 an alle '

interface Bot {
  readonly place: Place
  readonly client: StringClient
  /** The verbs of the command line, which must succeed. */
  readonly string: (...args: string[]) => Promise<string>
}

async function startBot(keys = '', env: NodeJS.ProcessEnv = {}): Promise<Bot> {
  const place = stringPlace(env)
  const profile = writeAgent(place.dir, OBEDIENT, `kill_grace_secs: 0.2\n${keys}`)
  const string = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await place.string(args)
    expect({ status, stderr }, args.join(' ')).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  await string('agent', 'add', 'bot', '--home', place.dir, '--profile', profile)
  return { place, string, client: new StringClient({ port: place.daemonPort(), agent: 'bot' }) }
}

async function take(client: StringClient, message: string, session = 'default'): Promise<string> {
  let id = ''
  for await (const event of client.turn(message, { session, from: 'ada' }))
    if (event.type === 'start') id = event.turn_id
  return id
}

/** Begins a turn, and leaves it when it runs. */
async function begin(client: StringClient, message: string): Promise<string> {
  for await (const event of client.turn(message)) if (event.type === 'start') return event.turn_id
  throw new Error('The turn did not start')
}

/** The id of the turn that was asked for last. */
async function lastOf(place: Place): Promise<string> {
  const { stdout } = await place.string(['turns', '--limit', '1', '--json'])
  return (JSON.parse(stdout) as TurnSummary[])[0]?.turn_id ?? ''
}

const refused = async (place: Place, ...args: string[]): Promise<Ran> => place.string(args)

describe('a turn that hangs', () => {
  it('shows what it wrote on standard error, how long it is silent, and when it is ended', async () => {
    const { string, client } = await startBot('timeout_secs: 900\n')
    const id = await begin(client, 'hang')
    await expect.poll(async () => (await client.turns.get(id)).stderr).toBe('connecting to the model\n')
    const page = await string('turn', 'show', id)
    expect(page).toMatch(/\nstate: running\n/)
    expect(page).toMatch(/\nsilent for: \d\S* ?\w*\nends: at .*\d\d:\d\d.* \(timeout_secs 900\)\n/)
    expect(page).toContain('\nstderr:\n  connecting to the model\n')
    const { progress } = JSON.parse(await string('turn', 'show', id, '--json')) as TurnView
    expect(progress).toMatchObject({ ends_by: 'timeout_secs', ends_secs: 900, stderr_line: 'connecting to the model' })
    const status = await string('agent', 'status', 'bot')
    expect(status).toMatch(
      new RegExp(
        `\\nrunning: ${id.slice(-8)} for .*, silent for .*, ends at .*\\(timeout_secs 900\\); string turn cancel`,
      ),
    )
    expect(status).toContain('\nstderr: connecting to the model\n')
    expect(JSON.parse(await string('agent', 'status', 'bot', '--json'))).toMatchObject({
      turn: { turn_id: id, progress: { ends_by: 'timeout_secs', stderr_line: 'connecting to the model' } },
    })
    await string('turn', 'cancel', id)
    expect(await client.turns.get(id)).not.toHaveProperty('progress')
  })

  it('shows what it printed that nobody heard yet, also a question without a newline, and no secret', async () => {
    const { string, client } = await startBot('env: { MODEL_KEY: "${MODEL_KEY}" }\n', { MODEL_KEY: 'k3y-0f-the-model' })
    const id = await begin(client, 'ask')
    const printed = 'key •••\nDelete all of it? [y/N] '
    await expect.poll(async () => (await client.turns.get(id)).stdout).toBe(printed)
    expect((await client.turns.get(id)).partial).toBe('Hm. ')
    expect(await string('turn', 'show', id)).toContain('\nstdout so far:\n  key •••\n  Delete all of it? [y/N]\n')
    expect(await string('agent', 'status', 'bot')).toContain('\nstdout: Delete all of it? [y/N]\n')
    expect(JSON.parse(await string('agent', 'status', 'bot', '--json'))).toMatchObject({
      turn: { progress: { stdout_line: 'Delete all of it? [y/N]', stderr_line: null } },
    })
    await string('turn', 'cancel', id)
    expect(await client.turns.get(id)).not.toHaveProperty('stdout')
  })

  it('is no event that waits', async () => {
    const { string, client } = await startBot('wake: events\n')
    const address = (await string('webhook', 'show', 'bot')).trim()
    await fetch(address, { method: 'POST', body: 'hang' })
    await expect.poll(async () => (await client.turns.list()).at(0)?.state, { timeout: 20_000 }).toBe('running')
    const status = await string('agent', 'status', 'bot')
    expect(status).toContain('\nturns: 1 running, 0 waiting\n')
    expect(status).not.toContain('\nwaiting: ')
    await string('agent', 'stop', 'bot')
  })

  it('that waits for its next try is run at once by retry, which says what holds while the agent is paused', async () => {
    const { string, client } = await startBot('wake: events\n')
    const address = (await string('webhook', 'show', 'bot')).trim()
    await fetch(address, { method: 'POST', body: 'fail' })
    const attempt = async (): Promise<string> => {
      const turn = (await client.turns.list()).at(0)
      return `${turn?.state} ${turn?.attempt}`
    }
    await expect.poll(attempt, { timeout: 20_000 }).toBe('queued 2')
    const id = (await client.turns.list()).at(0)?.turn_id.slice(-8) ?? ''
    expect(await string('turn', 'show', id)).toContain(`string turn retry ${id} runs it again at once\n`)
    await string('agent', 'pause', 'bot')
    expect(await string('turn', 'retry', id)).toContain(
      `${id} waits while its agent is paused (string agent resume bot); string turn show ${id} tells how it goes\n`,
    )
    await string('agent', 'resume', 'bot')
    await expect.poll(attempt, { timeout: 20_000 }).toBe('queued 3')
    expect(await string('turn', 'retry', id)).toContain(`${id} runs again; string turn show ${id}`)
    await expect.poll(attempt, { timeout: 20_000 }).toBe('failed 3')
  })

  it('that is tried again says which run it is and how the last ended, and is said to be missing in the sums of usage', async () => {
    const { place, string, client } = await startBot('wake: events\ntimeout_secs: 1.5\n')
    const address = (await string('webhook', 'show', 'bot')).trim()
    await fetch(address, { method: 'POST', body: 'hang' })
    const turn = async (): Promise<TurnSummary | undefined> => (await client.turns.list()).at(0)
    await expect.poll(async () => (await turn())?.attempt, { timeout: 20_000 }).toBe(2)
    const id = (await turn())?.turn_id ?? ''
    expect(await string('turn', 'show', id)).toMatch(/\nstate: \w+, try 2 of 3; try 1 ended with TIMEOUT\n/)
    const usage = await place.string(['usage'])
    expect(usage.stdout).toMatch(/^AGENT.*\nbot +0 /)
    expect(usage.stderr).toBe('1 turn not over yet, counted when over; what the runs so far used is in the sums\n')
  })
})

describe('string turns', () => {
  it('shows what agents did, the newest last: all of it, or what was asked for', async () => {
    const { place, string, client } = await startBot()
    expect(await string('turns')).toBe(
      'No turns yet; string agent add ID --profile FILE makes an agent that takes them\n',
    )
    await take(client, 'hello\nthere', 'work')
    const failed = await take(client, 'fail')
    const [head = '', first = '', second = '', ...none] = (await string('turns')).split('\n')
    expect(head.split(/ +/)).toEqual(['ID', 'TIME', 'AGENT', 'SESSION', 'STATE', 'TOOK', 'FROM', 'MESSAGE'])
    expect(first).toMatch(/^\w{8} {2}[\d:]{8} {2}bot {4}work {5}done {2} +\S+ {2}ada {3}hello there$/)
    expect(second).toMatch(/^\w{8} {2}[\d:]{8} {2}bot {4}default {2}failed EXIT_3 {2} *\S+ {2}ada {3}fail$/)
    expect(none).toEqual(['    disk \\x1b[2Jfull', ''])
    const rows = async (...args: string[]): Promise<string[]> =>
      (await string('turns', ...args))
        .trimEnd()
        .split('\n')
        .slice(1)
        .filter((line) => !line.startsWith(' '))
        .map((line) => line.split(/ {2,}/).at(-1) ?? '')
    expect(await rows('--failed')).toEqual(['fail'])
    expect(await string('agent', 'status', 'bot')).toMatch(
      new RegExp(`^bot: failing\\nwhy: \\S.*; string turn show ${failed.slice(-8)} tells all\\nprofile: `),
    )
    expect(await rows('--session', 'work')).toEqual(['hello there'])
    expect(await rows('--agent', 'bot', '--since', '1h')).toEqual(['hello there', 'fail'])
    expect(await rows('--limit', '1')).toEqual(['fail'])
    expect(await string('turns', '--since', '0s')).toMatch(/^No turns since [\d:]+; string turns shows all\n$/)
    const list = JSON.parse(await string('turns', '--json', '--failed')) as TurnSummary[]
    expect(list).toMatchObject([
      { turn_id: failed, agent_id: 'bot', state: 'failed', code: 'EXIT_3', reason: 'disk \x1b[2Jfull' },
    ])
    expect(await string('agent', 'status', 'bot')).toMatch(/ {2}failed EXIT_3 .* fail\n {4}disk /)
    expect(await refused(place, 'turns', '--agent', 'bto')).toMatchObject({
      status: 1,
      stderr: 'string: There is no agent bto. Did you mean bot? string agent list shows all\n',
    })
    for (const args of [['--faild'], ['--since', 'soon'], ['--limit', '0'], ['--limit', 'x'], ['bot', 'x']])
      expect((await refused(place, 'turns', ...args)).status, args.join(' ')).toBe(2)
    expect((await refused(place, 'turns', '--faild')).stderr).toContain('did you mean --failed?')
    expect((await refused(place, 'turns', '--state', 'don')).stderr).toContain('did you mean done?')
    expect((await refused(place, 'turns', '--failed', '--state', 'done')).stderr).toContain(
      'Either --failed or --state',
    )
    const done = JSON.parse(await string('turns', '--state', 'done', '--json')) as TurnSummary[]
    expect(new Set(done.map(({ state }) => state))).toEqual(new Set(['done']))
    expect((await refused(place, 'turns', '--tail', '3')).stderr).toContain('Unknown flag --tail; here it is --limit')
    expect((await refused(place, 'turns', 'b')).stderr).toContain('There is no agent b. string agent list')
    expect((await refused(place, 'turns', 'show', 'abcd')).stderr).toContain('Of one turn: string turn show abcd')
    for (const verb of ['turns', 'logs'])
      expect((await refused(place, verb, failed.slice(-8))).stderr).toContain(
        `It is a turn: string turn show ${failed.slice(-8)}; string agent list`,
      )
    await string('agent', 'add', 'lim')
    expect(await string('turns', 'lim', '--failed')).toBe(
      'No failed turns of lim; string turns shows all, string logs lim --failed what was refused, too\n',
    )
    expect((await refused(place, 'logs', 'trn_1')).stderr).toContain('It looks like a turn: string turn show trn_1')
  })

  it('--follow goes on with what agents do, over a restart of the daemon, and ends with Ctrl-C', async () => {
    const { place, string, client } = await startBot()
    await take(client, 'before')
    const follower = spawn(process.execPath, [STRING, 'turns', '--follow', '--json'], { env: place.env })
    onTestFinished(() => void follower.kill('SIGKILL'))
    let output = ''
    follower.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    const lines = (): string[] =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as TurnSummary)
        .map(({ message, state }) => `${message} ${state}`)
    await expect.poll(lines).toEqual(['before done'])
    await take(client, 'one')
    await expect.poll(lines).toContain('one done')
    await begin(client, 'wait')
    await string('--daemon', 'stop')
    await string('--daemon', 'start')
    await expect.poll(lines, { timeout: 15_000 }).toContain('wait interrupted')
    await take(new StringClient({ port: place.daemonPort(), agent: 'bot' }), 'two')
    await expect.poll(lines).toContain('two done')
    expect(new Set(lines()).size).toBe(lines().length)
    const ended = new Promise((resolve) => follower.on('exit', resolve))
    follower.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('--follow shows none of the past that was not asked for, and why a turn failed', async () => {
    const { place, client } = await startBot()
    await take(client, 'hello')
    await take(client, 'fail')
    const follow = (...args: string[]): { lines: () => string[] } => {
      const follower = spawn(process.execPath, [STRING, 'turns', '--follow', ...args], { env: place.env })
      onTestFinished(() => void follower.kill('SIGKILL'))
      let output = ''
      follower.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
      return { lines: () => output.split('\n').slice(0, -1) }
    }
    const future = follow('--since', new Date(Date.now() + 60_000).toISOString())
    const past = follow()
    await expect.poll(() => past.lines().length).toBe(4)
    await expect.poll(() => future.lines().length).toBe(1)
    await take(client, 'fail again')
    await expect.poll(() => future.lines().at(-1)).toMatch(/^ {4}disk /)
    await expect.poll(() => past.lines().at(-1)).toMatch(/^ {4}disk /)
    expect(future.lines().filter((line) => / (?:hello|fail)$/.test(line))).toEqual([])
    // One column begins where its title does, in what was and in what comes.
    const rows = past.lines().filter((line) => !line.startsWith('    '))
    const at = rows[0]?.indexOf('MESSAGE') ?? 0
    expect(new Set(rows.slice(1).map((row) => row.slice(at)))).toEqual(new Set(['hello', 'fail', 'fail again']))
  })
})

describe('string turn', () => {
  it('show tells why a turn failed, with the end of stderr, and knows it by the end of its id', async () => {
    const { place, string, client } = await startBot()
    const id = await take(client, 'fail \x1b[31mnow')
    const other = await take(client, 'hello')
    const page = await string('turn', 'show', id.slice(-8))
    const profile = join(place.dir, 'agent.yaml')
    expect(page).toContain(
      `turn: ${id}\nagent: bot\nprofile: ${profile}\nsession: default\nfrom: ada\nstate: failed EXIT_3\n`,
    )
    expect(page).toContain('error:\n  The agent failed with exit code 3.')
    expect(page).toContain('stderr:\n  disk \\x1b[2Jfull\n')
    expect(page).toContain('message:\n  fail now\n')
    expect(page).toContain(`string turn retry ${id.slice(-8)} runs it again\n`)
    expect(await string('turn', 'show', id)).toBe(page)
    expect(await string('turn', 'show', other.slice(-8))).toContain('reply:\n  you said hello\n')
    const view = JSON.parse(await string('turn', 'show', id, '--json')) as TurnView
    expect(view).toMatchObject({
      turn_id: id,
      stderr: 'disk \x1b[2Jfull\n',
      result: { exit_code: 3 },
      reason: 'disk \x1b[2Jfull',
    })
    // It answers with nothing where it would take too long.
    for (const [typed, offered] of [
      ['', id.slice(-8)],
      ['trn_', id],
    ] as const)
      await expect
        .poll(() => string('__complete', '--', 'turn', 'show', typed), { timeout: 20_000 })
        .toContain(`${offered}\tbot, failed\n`)
    expect(await refused(place, 'turn', 'show', 'trn_')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        `more than one turn; write more of the ID:\n  ${other.slice(-8)}  done  hello\n  ${id.slice(-8)}  failed  fail \\x1b[31mnow\n`,
      ) as string,
    })
    const short = [1, 2, 3].map((chars) => id.slice(-chars)).find((end) => !other.includes(end))
    expect(await refused(place, 'turn', 'show', short ?? '')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${short} is too short: write at least 4 characters of the ID`) as string,
    })
    for (const unknown of ['nope', id.replace(/.$/, '~'), `trn_${'0'.repeat(26)}`])
      expect(await refused(place, 'turn', 'show', unknown)).toMatchObject({
        status: 1,
        stderr: `string: There is no turn ${unknown}; string turns shows the latest\n`,
      })
  })

  it('show, a chat and the log say that a program which its agent left behind was ended', async () => {
    const { place, string } = await startBot()
    const warning = 'Ended 1 program that the agent left behind; string bash:NAME COMMAND runs one that is to go on'
    expect(await place.string(['chat', 'bot', '-m', 'serve'])).toEqual({
      status: 0,
      stdout: 'started the server\n',
      stderr: `warning: ${warning}\n`,
    })
    const [turn] = JSON.parse(await string('turns', '--json')) as TurnSummary[]
    expect(turn?.result).toMatchObject({ ok: true, warnings: [warning] })
    expect(await string('turn', 'show', turn?.turn_id ?? '')).toContain(`warnings:\n  ${warning}\n`)
    expect(await string('logs', 'bot')).toMatch(/ done in \S+, 1 warning: serve\n/)
  })

  it('show has what each block was answered that failed', async () => {
    const { place, string, client } = await startBot()
    const blocks =
      '<𝒞=string:bash:t>echo fine</𝒞>\n<𝒞=string:bash:t>ls /nowhere; false</𝒞>\n<𝒞=string:main>/open ./nope.md</𝒞>'
    writeAgent(
      place.dir,
      `case "$AGENT_MESSAGE" in *go) cat <<'EOF'\n${blocks}\nEOF\n;; *) echo over; exit 1 ;; esac`,
      'chanflow: true\n',
    )
    const page = await string('turn', 'show', await take(client, 'go'))
    expect(page).toMatch(/\n {2}✓ string:bash:t echo fine\n {2}✗ EXIT_1 string:bash:t ls \/nowhere; false\n/)
    expect(page).toMatch(/\n {6}ls: cannot access '\/nowhere': No such file or directory\n/)
    expect(page).toMatch(
      /\n {2}✗ NOT_FOUND string:main \/open \.\/nope\.md\n {6}✗ NOT_FOUND: File not found: \.\/nope\.md\n/,
    )
    expect(await string('turns', 'bot', '--failed')).toContain('\n    The last that it printed: over\n')
  })

  it('cancel ends a turn with its process, and leaves one that is over as it is', async () => {
    const { place, string, client } = await startBot()
    const id = await begin(client, 'wait')
    const pid = async (): Promise<number> => {
      await expect.poll(() => Number(readFileSync(join(place.dir, 'pid'), 'utf8'))).toBeGreaterThan(0)
      return Number(readFileSync(join(place.dir, 'pid'), 'utf8'))
    }
    const agent = await pid()
    expect(await string('turns')).toContain('  running  ')
    expect(await string('turn', 'show', id)).toContain(`string turn cancel ${id.slice(-8)} ends it\n`)
    expect(await string('turn', 'show', id.slice(-8, -3))).toContain(`turn: ${id}\n`)
    expect(await string('turn', 'cancel', id.slice(-8))).toBe(`Cancelled ${id.slice(-8)}\n`)
    expect(isRunning(agent)).toBe(false)
    expect(await string('turn', 'cancel', id)).toBe(`${id.slice(-8)} is over: cancelled\n`)
    const why = 'The turn was cancelled: by hand (string turn cancel, chat, the page or HTTP).'
    const shown = await string('turn', 'show', id)
    expect(shown).toContain('\nstate: cancelled\n')
    expect(shown.replace(/\s+/g, ' ')).toContain(` error: ${why} `)
    expect(JSON.parse(await string('turn', 'show', id, '--json'))).toMatchObject({ reason: why })
    expect(JSON.parse(await string('turns', '--json'))).toMatchObject([{ reason: why }])
    expect(await string('turns')).toContain(`\n    ${why}\n`)
    expect(await string('logs')).toMatch(/· turn \w{8} cancelled in .*: wait\n {4}The turn was cancelled: by hand /)
    const stopped = await begin(client, 'wait')
    await string('agent', 'stop', 'bot')
    const byStop = 'The turn was cancelled: its agent was stopped (string agent stop).'
    expect(JSON.parse(await string('turn', 'show', stopped, '--json'))).toMatchObject({ reason: byStop })
    expect(await string('turns', '--failed')).toBe(
      'No failed turns; string turns shows all, string logs --failed what was refused, too\n',
    )
  })

  it('retry runs a failed one again, a message as a new turn', async () => {
    const { place, string, client } = await startBot()
    const id = await take(client, 'fail')
    const said = await string('turn', 'retry', id.slice(-8))
    const [latest] = await client.turns.list()
    const again = latest?.turn_id ?? ''
    const short = again.slice(-8)
    expect(said).toBe(`${id.slice(-8)} runs again as ${short}; string turn show ${short} tells how it goes\n`)
    await expect.poll(async () => (await client.turns.get(again)).state).toBe('failed')
    expect((await refused(place, 'turn', short, 'retry')).stderr).toContain(
      `Did you mean 'string turn retry ${short}'?`,
    )
    expect(JSON.parse(await string('turn', 'retry', id, '--json'))).toMatchObject({ agent_id: 'bot', message: 'fail' })
    const done = await take(client, 'hello')
    const { status, stderr } = await refused(place, 'turn', 'retry', done)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `string: Turn ${done.slice(-8)} has succeeded, so there is nothing to mend; string turn retry ${done.slice(-8)} --again runs it once more\n`,
    })
    expect(await string('turn', 'retry', done, '--again')).toContain('runs again as')
    expect(await string('turn', done.slice(-8))).toBe(await string('turn', 'show', done))
  })

  it('retry of one that was run again already asks first, and what was run again says as what', async () => {
    const { place, string, client } = await startBot()
    const failed = await take(client, 'fail')
    await string('turn', 'retry', failed)
    const [once] = await client.turns.list()
    await expect.poll(async () => (await client.turns.list())[0]?.state).toBe('failed')
    expect(await string('turns', '--failed')).toContain(`retried as ${once?.turn_id.slice(-8)} (failed)\n`)
    // A retry that failed mends nothing; one that runs may.
    const id = await begin(client, 'wait')
    await string('turn', 'cancel', id)
    const said = await string('turn', 'retry', id)
    const [, short = ''] = /runs again as (\w{8})/.exec(said) ?? []
    expect(await refused(place, 'turn', 'retry', id)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(`^string: Turn ${id.slice(-8)} was retried as ${short} \\(`) as string,
    })
    const page = await string('turn', 'show', id)
    expect(page).toContain(`\nretried: as ${short} (`)
    expect((await refused(place, 'turn', 'retry', id)).stderr).toContain(
      `, which is not over: string turn show ${short} tells how it goes; string turn retry ${id.slice(-8)} --again runs it once more\n`,
    )
    expect(page).toContain(
      `string turn show ${short} shows what it was retried as\nstring turn retry ${id.slice(-8)} --again `,
    )
    expect(await string('turn', 'show', short)).toContain(`\nretry of: ${id}\n`)
    await string('turn', 'cancel', short)
  })

  it('retry --follow ends as a chat does that was given the message', async () => {
    const { place, string, client } = await startBot()
    const id = await take(client, 'fail')
    const failed = await refused(place, 'turn', 'retry', id, '--follow')
    expect(failed).toMatchObject({ status: 1, stdout: '' })
    expect(failed.stderr).toMatch(/ runs again as \w{8}; .*\nerror: The agent failed with exit code 3\./)
    const data = JSON.parse((await refused(place, 'turn', 'retry', id, '-f', '--json')).stdout) as object
    expect(data).toMatchObject({ ok: false, code: 'EXIT_3', turn_id: await lastOf(place) })
    const done = await take(client, 'hello')
    const well = await refused(place, 'turn', 'retry', done, '--again', '--follow')
    expect(well).toMatchObject({ status: 0, stdout: 'Well, \nyou said hello\n' })
    expect((await refused(place, 'turn', 'show', done, '--follow')).stderr).toContain(
      '--follow is for string turn retry',
    )
    expect(await string('turns', '--failed')).toContain('retried as')
  })

  it('that flooded standard error shows the end of it, and who has the rest', async () => {
    const { place, string } = await startBot()
    const profile = writeAgent(place.dir, 'seq -f "line %g" 1 500 >&2; exit 1', '', 'flood')
    await string('agent', 'add', 'flood', '--profile', profile)
    const { stderr } = await refused(place, 'chat', 'flood', '-m', 'hello')
    const short = (await lastOf(place)).slice(-8)
    expect(stderr).toContain(
      `stderr of the agent:\n  (more before this; string turn show ${short} has what is kept of it)\n  line 481\n`,
    )
    expect(stderr).toMatch(/\n {2}line 500\n$/)
    expect((await refused(place, 'bridge', 'run', '--profile', profile, '-m', 'hello')).stderr).toContain(
      '  (more before this; --json has what is kept of it)\n',
    )
  })

  it('that did well with a warning is marked: an answer without its end is one', async () => {
    const { place, string } = await startBot()
    const half = `printf '{"type":"partial","text":"half"}\\n{"type":"result","te'`
    const profile = writeAgent(place.dir, half, 'wire: "0.4"\n', 'half')
    await string('agent', 'add', 'half', '--profile', profile)
    await place.string(['chat', 'half', '-m', 'hello'])
    expect(await string('turns', 'half')).toMatch(/ done, \d warnings? /)
    expect(await string('logs', 'half')).toMatch(/ done in \S+, \d warnings?: hello\n$/)
  })

  it('without an answer is told as that, with the end of its standard error', async () => {
    const { place, string } = await startBot()
    const quiet = writeAgent(place.dir, 'echo "Error: no api key" >&2', '', 'quiet')
    await string('agent', 'add', 'mute', '--profile', quiet)
    const { status, stdout, stderr } = await place.string(['chat', 'mute', '-m', 'hello'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(
      /^warning: The agent said nothing; its standard error ends: Error: no api key\n\(no answer\)\n\(string turn show \w{8} shows all of the turn\)\n$/,
    )
    expect(await string('turns', 'mute')).toContain(' done, no answer ')
    const [turn] = JSON.parse(await string('turns', 'mute', '--json')) as TurnSummary[]
    expect(turn).toMatchObject({ state: 'done', result: { ok: true, silent: true } })
    const page = await string('turn', 'show', turn?.turn_id ?? '')
    expect(page).toContain('\nstderr:\n  Error: no api key\n')
    expect(page).toContain('\nreply:\n  (no answer)')
  })

  it('that lacked a variable which is set says how its agent gets it', async () => {
    const { place, string } = await startBot()
    const profile = writeAgent(place.dir, 'echo "NEWS_API_KEY is not set" >&2; exit 1', '', 'news')
    writeFileSync(join(place.dataDir, 'env'), 'NEWS_API_KEY=k-123456\nOTHER_KEY=k-654321\n', { mode: 0o600 })
    await string('agent', 'add', 'news', '--profile', profile)
    await place.string(['chat', 'news', '-m', 'hello'])
    const line = 'env: { NEWS_API_KEY: "${NEWS_API_KEY}" }'
    expect((await string('turn', 'show', await lastOf(place))).replace(/\s+/g, ' ')).toContain(
      `NEWS_API_KEY is set in ${place.dataDir}/env, and the agent does not get it: write ${line} into ${profile}`,
    )
    expect(await string('bridge', 'check', profile)).toMatch(/ {2}not given +NEWS_API_KEY OTHER_KEY of /)
    const { stdout } = await place.string(['doctor'])
    expect(stdout).toContain('; no agent gets NEWS_API_KEY, OTHER_KEY: that takes env: { NEWS_API_KEY: ')
    writeFileSync(profile, `${readFileSync(profile, 'utf8')}${line}\n`)
    expect(await string('turn', 'show', await lastOf(place))).not.toContain('does not get')
    expect(await string('bridge', 'check', profile)).toMatch(/ {2}not given +OTHER_KEY of /)
  })

  it('that lacked a variable which is set nowhere says what to write where, until it is written', async () => {
    const { place, string } = await startBot()
    const profile = writeAgent(place.dir, 'echo "KeyError: \'SLACK_TOKEN\'" >&2; exit 1', '', 'news')
    await string('agent', 'add', 'news', '--profile', profile)
    await place.string(['chat', 'news', '-m', 'hello'])
    const next = async (): Promise<string> =>
      /\nnext:\n(.*?)\n\n/s.exec(await string('turn', 'show', await lastOf(place)))?.[1]?.trim() ?? ''
    const [inFile, inProfile] = [`SLACK_TOKEN=… into ${place.dataDir}/env`, 'env: { SLACK_TOKEN: "${SLACK_TOKEN}" }']
    expect(await next()).toBe(`SLACK_TOKEN is set nowhere: write ${inFile}, and ${inProfile} into ${profile}`)
    writeFileSync(profile, `${readFileSync(profile, 'utf8')}${inProfile}\n`)
    expect(await next()).toBe(`SLACK_TOKEN is set nowhere: write ${inFile}`)
    writeFileSync(join(place.dataDir, 'env'), 'SLACK_TOKEN=k-123456\n', { mode: 0o600 })
    expect(await next()).toBe('')
  })

  it('says how it is used', async () => {
    const place = stringPlace()
    for (const args of [[], ['show'], ['show', 'a', 'b'], ['show', '--nope', 'a'], ['shwo', 'a']])
      expect((await refused(place, 'turn', ...args)).status, args.join(' ')).toBe(2)
    expect((await refused(place, 'turn', 'shwo', 'a')).stderr).toContain("Did you mean 'string turn show'?")
    const alone = await refused(place, 'turn')
    expect(alone).toMatchObject({ status: 2, stderr: '' })
    expect(alone.stdout).toBe((await place.string(['help', 'turn'])).stdout)
    expect(place.daemonPid()).toBeNull()
  })
})

describe('string usage', () => {
  it('sums what turns have cost, by agent, session or day', async () => {
    const { place, string, client } = await startBot()
    expect(await string('usage')).toBe('No turns have ended yet\n')
    await take(client, 'one', 'a')
    await take(client, 'two', 'b')
    await take(client, 'fail', 'b')
    const [head = '', row = ''] = (await string('usage')).split('\n')
    expect(head.split(/ +/)).toEqual(['AGENT', 'TURNS', 'FAILED', 'IN', 'OUT', 'TOKENS', 'USD', 'TOOK'])
    expect(row).toMatch(/^bot {8}3 +1 +- +- +- +- {2}\S+$/)
    await string('turn', 'cancel', await begin(client, 'wait'))
    const [summed] = JSON.parse(await string('usage', '--json')) as object[]
    // One that somebody ended has not failed, and what no agent has said is not nothing.
    expect(summed).toMatchObject({ turns: 4, failed: 1, input_tokens: null, total_tokens: null, cost_usd: null })
    expect(JSON.parse(await string('turns', '--failed', '--json'))).toHaveLength(1)
    const sessions = JSON.parse(await string('usage', '--by', 'session', '--since', '1d', '--json')) as UsageView[]
    expect(sessions.map(({ agent_id, session, turns, failed }) => [agent_id, session, turns, failed])).toEqual([
      ['bot', 'a', 1, 0],
      ['bot', 'b', 2, 1],
      ['bot', 'default', 1, 0],
    ])
    expect((await string('usage', '--by', 'session')).split('\n').at(-2)).toMatch(/^all +- +4 +1 /)
    expect((await string('usage', '--by', 'day')).split('\n')).toHaveLength(3)
    expect(JSON.parse(await string('usage', '--agent', 'default', '--json'))).toEqual([])
    expect((await refused(place, 'usage', '--by', 'agnet')).stderr).toContain('did you mean agent?')
    for (const args of [
      ['--by', 'x'],
      ['--since', 'x'],
      ['x', 'y'],
      ['--by', 'day', '--agent', 'bot'],
    ])
      expect((await refused(place, 'usage', ...args)).status, args.join(' ')).toBe(2)
  })
})

describe('string agent', () => {
  it('pause, stop, start and resume say what holds from now on; status tells it, with the last turns', async () => {
    const { place, string, client } = await startBot('wake: events\n')
    expect(await string('agent', 'status', 'bot')).toMatch(
      /^bot: ready\nprofile: .*\nwoken by: events\nturns: 0 running, 0 waiting\n$/,
    )
    expect(await string('agent', 'pause', 'bot')).toBe(
      'Paused bot: events wait until string agent resume bot; people may still ask\n',
    )
    expect(await string('agent', 'status', 'bot')).toMatch(/^bot: paused\n/)
    await take(client, 'still there?')
    expect(await string('agent', 'status', 'bot')).toMatch(/\n\w{8} .* still there\?\n$/)
    expect(await string('agent', 'resume', 'bot')).toBe('bot goes on\n')
    expect(await string('agent', 'resume', 'bot')).toBe('bot is not paused\n')
    await begin(client, 'wait')
    expect(await string('agent', 'status', 'bot')).toMatch(/^bot: running\n.*\n.*\nturns: 1 running, 0 waiting\n/)
    expect(await string('agent', 'stop', 'bot')).toBe(
      'Stopped bot: 1 turn ended, events wait until string agent start bot; people may still ask\n',
    )
    expect(JSON.parse(await string('agent', 'start', 'bot', '--json'))).toEqual({
      agent_id: 'bot',
      paused: false,
      cancelled: 0,
    })
    expect(JSON.parse(await string('agent', 'status', 'bot', '--json'))).toMatchObject({
      id: 'bot',
      paused: false,
      problem: null,
    })
    expect(await refused(place, 'agent', 'pause', 'nobody')).toMatchObject({
      status: 1,
      stderr: 'string: There is no agent nobody. string agent list shows all\n',
    })
    expect((await refused(place, 'agent', 'pasue', 'bot')).stderr).toContain("Did you mean 'string agent pause'?")
    for (const args of [[], ['stop'], ['status', 'a', 'b']])
      expect((await refused(place, 'agent', ...args)).status, args.join(' ')).toBe(2)
  })

  it('status, list and events say why an event waits that nobody takes, and what runs it again', async () => {
    const { place, string } = await startBot('wake: events\nlimits: { turns_per_hour: 1 }\n')
    const address = (await string('webhook', 'show', 'bot')).trim()
    const post = async (body: string): Promise<unknown> => (await fetch(address, { method: 'POST', body })).json()
    await post('wait')
    await expect.poll(() => string('events', 'bot')).toMatch(/ running +wait\n$/)
    const lost = /\n {2}1 event cancelled; string turn retry \w{8} runs it again\n$/
    expect(await string('agent', 'stop', 'bot')).toMatch(lost)
    expect(await string('agent', 'start', 'bot')).toMatch(lost)
    await post('and this?')
    const status = await string('agent', 'status', 'bot')
    const [, id] = /^ {2}1 event cancelled; string turn retry (\w{8}) runs it again$/m.exec(status) ?? []
    expect(status).toMatch(/^bot: limited \(1 turns per hour\) until [\d: -]+\n/)
    expect(status).toMatch(new RegExp(`^${id} .* cancelled .* wait$`, 'm'))
    expect(await string('agent', 'list')).toMatch(
      / limited .* 1 turns per hour, until .*; waiting: 1 event; 1 event cancelled; string turn retry /,
    )
    expect(status).toMatch(/^limits: 1 of 1 turns per hour \(opens at [\d: -]+\)$/m)
    expect(JSON.parse(await string('agent', 'status', 'bot', '--json'))).toMatchObject({
      limits: [{ name: 'turns_per_hour', used: 1, most: 1, opens_at: expect.stringMatching(/Z$/) as string }],
    })
    expect(await string('events', 'bot')).toMatch(/ cancelled +wait\n.* limited +and this\?\n$/)
    expect(JSON.parse(await string('events', 'bot', '--json'))).toMatchObject([
      { preview: 'and this?', waits: { reason: 'limit', until: expect.stringMatching(/Z$/) as string } },
      { preview: 'wait', waits: { reason: 'cancelled', tries: 1, until: null } },
    ])
    const asked = await refused(place, 'chat', 'bot', '-m', 'hello', '--json')
    const said = JSON.parse(asked.stdout) as object
    expect(said).toMatchObject({ ok: false, code: 'LIMIT_REACHED', error: expect.stringMatching(/ at \S+Z$/) })
    expect((await refused(place, 'chat', 'bot', '-m', 'hello')).stderr).toMatch(
      / again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d\nAsk again then, or raise `limits` in the profile of the agent\n$/,
    )
    await string('agent', 'pause', 'bot')
    expect(await string('events', 'bot')).toMatch(/ cancelled +wait\n.* paused +and this\?\n$/)
    await string('agent', 'start', 'bot')
    expect(JSON.parse(await string('agent', 'list', '--json'))).toMatchObject([
      { limit: { what: '1 turns per hour' }, event_waits: [{ reason: 'limit' }, { reason: 'cancelled' }] },
    ])
  })
})

describe('an event from before events woke its agent', () => {
  it('is run by the line that status says', async () => {
    const { place, string } = await startBot()
    const address = (await string('webhook', 'show', 'bot')).trim()
    const post = async (body: string): Promise<unknown> => (await fetch(address, { method: 'POST', body })).json()
    await post('early')
    // What holds for an event is the profile as it is when the daemon looks at it: long before a program has asked something.
    await string('agent', 'status', 'bot')
    writeAgent(place.dir, OBEDIENT, 'kill_grace_secs: 0.2\nwake: events\n')
    await string('agent', 'status', 'bot')
    await post('late')
    await expect.poll(() => string('agent', 'status', 'bot')).toMatch(/ 1 event from before events woke it; /)
    const line = /; (string events retry \w{8} --agent bot) runs it again$/m.exec(
      await string('agent', 'status', 'bot'),
    )
    await string(...(line?.[1] ?? '').split(' ').slice(1))
    await expect.poll(() => string('events', 'bot', '--all')).toMatch(/ acked +early/)
  })
})

describe('string status', () => {
  it('says how agents are, and what to type about those that fail', async () => {
    const { string, client, place } = await startBot()
    const agents = async (): Promise<string | undefined> => /^agents: .*$/m.exec(await string('status'))?.[0]
    const states = async (): Promise<unknown> =>
      (JSON.parse(await string('status', '--json')) as { agent_states: unknown }).agent_states
    expect(await agents()).toBe('agents: 1')
    await take(client, 'fail')
    expect(await agents()).toBe('agents: 1 (1 failing: string agent status bot)')
    expect(await states()).toEqual({ running: 0, waiting: 0, failing: 1, idle: 0, paused: 0 })
    await string('agent', 'add', 'other', '--home', place.dir, '--profile', `${place.dir}/agent.yaml`)
    await begin(new StringClient({ port: place.daemonPort(), agent: 'other' }), 'hang')
    await string('agent', 'pause', 'other')
    expect(await agents()).toBe('agents: 2 (1 running, 1 paused, 1 failing: string agent status bot)')
    expect(await states()).toEqual({ running: 1, waiting: 0, failing: 1, idle: 0, paused: 1 })
    await string('agent', 'stop', 'other')
    writeAgent(place.dir, OBEDIENT, 'wake: [\n')
    expect(await agents()).toBe('agents: 2 (1 paused, 2 broken: string agent list)')
  })

  it('and doctor tell of an agent whose last turn was cut off, and of the daemon that was killed', async () => {
    const { string, client, place } = await startBot()
    const id = await begin(client, 'hang')
    await killDaemon(place)
    await place.string(['start'])
    await expect
      .poll(async () => /^agents: .*$/m.exec((await place.string(['status'])).stdout)?.[0])
      .toBe('agents: 1 (1 cut off: string agent status bot)')
    const told = (await place.string(['doctor'])).stdout
    expect(told).toMatch(/^warn +turns +1 agent whose last turn was cut off: bot$/m)
    expect(told).toContain(`→ string turn retry ${id.slice(-8)}\n`)
    expect(told).toMatch(/^ok +log +no errors in the last day; stringd was killed once, or the machine went down$/m)
    expect(await string('agent', 'status', 'bot')).toContain(`; string turn retry ${id.slice(-8)} runs it again`)
  })

  it('and doctor say of a home that is gone that the next turn makes it anew', async () => {
    const { string, place } = await startBot()
    mkdirSync(join(place.dir, 'away'))
    await string('agent', 'add', 'away', '--home', join(place.dir, 'away'))
    rmSync(join(place.dir, 'away'), { recursive: true })
    const gone = `${join(place.dir, 'away')} is gone; its next turn makes it anew, empty`
    expect(await string('agent', 'status', 'away')).toContain(`\nhome: ${gone}\n`)
    expect((await place.string(['doctor'])).stdout).toContain(`away: its home ${gone}`)
  })
})

const kinds = (events: readonly TurnEvent[]): string[] => events.map(({ type }) => type)

/** Leads to a port, and cuts each connection when an answer has told a partial. */
async function cuttingProxy(port: number): Promise<{ port: number; cuts: () => number }> {
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const cut = (): void => {
      near.destroy()
      far.destroy()
    }
    near.on('error', cut).on('close', cut).pipe(far)
    far.on('error', cut).on('close', cut)
    far.on('data', (chunk) => {
      near.write(chunk, () => {
        if (!chunk.includes('event: partial')) return
        cuts += 1
        cut()
      })
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, cuts: () => cuts }
}

async function allOf(turn: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

describe('client.turn against the daemon', () => {
  it('tells what a turn says; one that is left goes on, and its result is found', async () => {
    const { client } = await startBot()
    const events = await allOf(client.turn('hello'))
    expect(kinds(events)).toEqual(['start', 'partial', 'result'])
    expect(events.at(-1)).toMatchObject({ ok: true, reply: 'you said hello' })
    const id = await begin(client, 'and again')
    await expect.poll(async () => (await client.turns.get(id)).state).toBe('done')
    expect(kinds(await allOf(client.turns.follow(id)))).toEqual(['start', 'partial', 'result'])
  })

  it('hears everything once, however often its connection is cut', async () => {
    const { client } = await startBot()
    const { port, cuts } = await cuttingProxy(client.port)
    const events = await allOf(new StringClient({ port, agent: 'bot' }).turn('speak'))
    expect(events.map((event) => (event.type === 'partial' ? event.text : '')).join('')).toBe(SPEECH)
    expect(kinds(events).filter((kind) => kind !== 'partial')).toEqual(['start', 'result'])
    expect(cuts()).toBeGreaterThan(2)
    expect(await client.turns.list()).toHaveLength(1)
  })

  it('the same request id is the same turn, from its beginning; other words under it are refused', async () => {
    const { client } = await startBot()
    const first = await allOf(client.turn('hello', { requestId: 'r1' }))
    expect(await allOf(client.turn('hello', { requestId: 'r1' }))).toEqual(first)
    expect(await client.turns.list()).toHaveLength(1)
    await expect(allOf(client.turn('bye', { requestId: 'r1' }))).rejects.toMatchObject({ status: 409 })
    await expect(allOf(client.turn(''))).rejects.toMatchObject({ status: 400 })
    const nobody = new StringClient({ port: client.port, agent: 'nobody' })
    await expect(allOf(nobody.turn('hello'))).rejects.toMatchObject({ status: 404, message: 'Unknown agent: nobody' })
    expect((await client.agents.list()).map(({ id }) => id)).not.toContain('nobody')
  })

  it('a turn whose daemon is killed ends as interrupted, when there is another daemon', async () => {
    const first = await startForeground()
    let { port } = first
    const client = new StringClient({ port, agent: 'bot', autoStart: async () => Promise.resolve(port) })
    await client.agents.register('bot', { home: first.dir, profile: writeAgent(first.dir, OBEDIENT) })
    const events: TurnEvent[] = []
    for await (const event of client.turn('wait')) {
      events.push(event)
      if (event.type !== 'start') continue
      first.child.kill('SIGKILL')
      await first.exited
      port = (await startForeground(first.dir)).port
    }
    expect(kinds(events)).toEqual(['start', 'result'])
    expect(events.at(-1)).toMatchObject({ ok: false })
    expect((await client.turns.list()).map(({ state }) => state)).toEqual(['interrupted'])
  })
})
