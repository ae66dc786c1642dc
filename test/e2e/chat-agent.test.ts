import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TurnSummary } from '@string-os/client'
import { describe, expect, it, vi } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { killDaemon, type Place, type Ran, stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { tempDir } from '../support/temp.ts'

/** Looks where it is when it is told to, and says back everything else. It remembers how often it was asked in a session. */
const AGENT = `
count=$(( \${AGENT_SESSION_ID:-0} + 1 ))
echo "AGENT_SESSION:$count"
case "$AGENT_MESSAGE" in
  *look*) printf 'AGENT_PARTIAL:"I look. "\\n<𝒞=string:main>\\n/info\\n</𝒞>\\n' ;;
  *'agent: kim'*) echo "I am kim" ;;
  *silent*) ;;
  *streamed*) echo 'AGENT_PARTIAL:"all of it was streamed"' ;;
  *crash*) echo 'no key in the environment' >&2; exit 3 ;;
  *plain*) echo 'printed so far'; echo 'AGENT_PARTIAL:"streamed"'; sleep 60 ;;
  *hang*) trap '' TERM INT; echo 'AGENT_PARTIAL:"hanging "'; while :; do sleep 60; done ;;
  *slow*) echo 'AGENT_PARTIAL:"working "'; sleep 60 ;;
  *) echo "$AGENT_MESSAGE ($count)" ;;
esac
`

async function placeWithAgent(overrides: NodeJS.ProcessEnv = {}): Promise<Place> {
  const place = stringPlace(overrides)
  const home = tempDir()
  mkdirSync(join(home, '.string'))
  writeFileSync(join(home, 'agent.sh'), AGENT)
  writeFileSync(
    join(home, '.string/profile.yaml'),
    'command: ["bash", "../agent.sh"]\ncwd: .\nchanflow: true\nprimer: false\n',
  )
  await place.string(['agent', 'add', 'kim', '--home', home])
  return place
}

describe('string chat --agent', () => {
  it('one message is laid out at a terminal as in a chat, and stays as it was written in a pipe', async () => {
    const place = await placeWithAgent()
    const message = '- **one**\n- two'
    const terminal = openTerminal(place, ['chat', 'kim', '-m', message, '--new'])
    expect(await terminal.exited).toBe(0)
    expect(terminal.shown()).toMatch(/^• one\n• two \(1\)$/m)
    const { stdout } = await place.string(['chat', 'kim', '-m', message, '--new'])
    expect(stdout).toBe(`${message} (1)\n`)
  })

  it('talks to an agent in the daemon: its blocks run as its own, and every turn is in its history', async () => {
    const place = await placeWithAgent()
    const { stdout, stderr, status } = await place.string(['chat', '--agent', 'kim'], {
      input: 'hello\nlook around\nhello\n/new\nagain\n',
    })
    expect(stdout).toContain('hello (1)\n')
    expect(stdout).toContain('I look.')
    expect(stdout).toContain('I am kim\n')
    expect(stderr).toContain('(step 1) string:main /info: ok')
    // Two runs of the process were one turn.
    expect(stdout).toContain('hello (4)\n')
    expect(stdout).toContain('again (1)\n')
    expect(status).toBe(0)
    const { stdout: listed } = await place.string(['turns', '--agent', 'kim', '--json'])
    expect(listed.match(/"state":"done"/g)).toHaveLength(4)
  }, 60_000)

  it('goes on in the session that is named, and says who is not there', async () => {
    const place = await placeWithAgent()
    const say = (session: string, text: string): ReturnType<Place['string']> =>
      place.string(['chat', '--agent', 'kim', '--session', session], { input: text })
    expect((await say('one', 'a')).stdout).toContain('a (1)')
    expect((await say('two', 'b')).stdout).toContain('b (1)')
    expect((await say('one', 'c\n/session')).stdout).toMatch(/c \(2\)[\s\S]*Others: two/)
    const unknown = await place.string(['chat', '--agent', 'nobody'], { input: 'x' })
    expect(unknown).toMatchObject({
      status: 1,
      stderr: 'string: There is no agent nobody. string agent list shows all\n',
    })
    const once = await place.string(['chat', 'kim', '-m', '/hi', '--session', 'three'])
    expect(once).toMatchObject({ status: 0, stdout: '/hi (1)\n' })
    const data = await place.string(['chat', 'kim', '-m', 'look around', '--session', 'four', '--json'])
    expect(JSON.parse(data.stdout)).toMatchObject({
      ok: true,
      turn_id: expect.stringMatching(/^trn_/) as string,
      reply: expect.stringContaining('I am kim') as string,
      error: null,
    })
    expect((await place.string(['chat', 'kim', '--json'], { input: 'x' })).stderr).toContain(
      '--json is for one message',
    )
    expect((await place.string(['chat', 'nobody', '-m', 'x', '--json'])).stdout).toContain('"code":"NOT_FOUND"')
    const piped = await place.string(['chat', 'kim', '-m', '-', '--session', 'three'], { input: 'one\n/two\n' })
    expect(piped).toMatchObject({ status: 0, stdout: 'one\n/two (2)\n' })
    const empty = await place.string(['chat', 'kim', '-m', '-'], { input: ' \n' })
    expect(empty).toMatchObject({ status: 2, stderr: expect.stringContaining('standard input is empty') })
    const slip = await say('three', '/histroy\n/hist\n/history 1\n/history x\n/agents kin\n/exit\nnever said')
    expect(slip.stdout.split('\n')).toEqual([
      'Unknown command: /histroy; did you mean /history?',
      'Unknown command: /hist; did you mean /history?',
      '> one',
      '/two',
      'one',
      '/two (2)',
      'Not a number of messages: x; /history 20 shows the last 20',
      'No agent is called kin; did you mean /agents kim?',
      '',
    ])
    for (const id of ['default', 'bare']) {
      if (id === 'bare') await place.string(['agent', 'add', id])
      const silent = await place.string(['chat', id, '-m', 'x'])
      expect(silent).toMatchObject({ status: 1, stdout: '' })
      expect(silent.stderr).toContain(`${id} has no profile`)
      expect(silent.stderr).toContain(`string agent add ${id} --profile DIR/agent.yaml`)
    }
    const refused = await place.string(['logs', 'bare', '--failed'])
    expect(refused.stdout).toMatch(/✗ daemon: A message was refused: NO_PROFILE/)
    // Who shares a profile is not left out, nor is who cannot answer.
    const shared = join(tempDir(), 'agent.yaml')
    writeFileSync(shared, 'command: ["cat"]\n')
    for (const id of ['lee', 'mia', 'zoe']) await place.string(['agent', 'add', id, '--profile', shared])
    const nobody = await place.string(['chat'], { input: 'x' })
    expect(nobody).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/In the daemon: kim, lee, mia(?:,| and) zoe$/m),
    })
    writeFileSync(shared, 'command: 3\n')
    const broken = await place.string(['chat', 'lee', '-m', 'x', '--json'])
    expect(JSON.parse(broken.stdout)).toMatchObject({
      ok: false,
      turn_id: null,
      code: 'NO_PROFILE',
      error: expect.stringContaining('lee cannot answer, because its profile cannot be used') as string,
    })
    expect((await place.string(['logs', 'lee', '--failed'])).stdout).toMatch(/A message was refused: NO_PROFILE/)
    const picked = openTerminal(place, ['chat'])
    await picked.shows(/^> kim .*\n {2}lee .*\n {2}mia +cannot answer: .*\n {2}zoe /m)
    picked.type('mi\r')
    expect(await picked.exited).toBe(1)
    expect(picked.shown()).toContain('mia cannot answer, because its profile cannot be used')
  }, 60_000)

  it('lets a turn go on when its person leaves; Ctrl-C cancels it', async () => {
    const place = await placeWithAgent()
    const states = async (): Promise<string[]> => {
      const { stdout } = await place.string(['turns', 'kim', '--json'])
      return (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state)
    }
    const first = openTerminal(place, ['chat', 'kim'])
    await first.shows(/^kim>$/m)
    first.type('slow one\r')
    await first.shows('working')
    first.type('\x04')
    expect(await first.exited).toBe(0)
    const [, id = ''] = /The turn goes on: string turn show (\w{8})/.exec(first.shown().replaceAll('\n', ' ')) ?? []
    expect(await states()).toEqual(['running'])
    expect((await place.string(['turn', id])).stdout).toContain('state: running')
    const second = openTerminal(place, ['chat', 'kim', '--session', 'other'])
    await second.shows(/^kim\/other>$/m)
    second.type('slow two\r')
    await second.shows('working')
    second.hangUp()
    await second.exited
    expect(await states()).toEqual(['running', 'running'])
    const third = openTerminal(place, ['chat', 'kim', '--session', 'third'])
    await third.shows(/>$/m)
    third.type('slow three\r')
    await third.shows('working')
    third.type('\x03')
    await third.shows('(cancelled)')
    expect(await states()).toEqual(['cancelled', 'running', 'running'])
    // Who comes back sees what is being answered, and Ctrl-C means it.
    const back = openTerminal(place, ['chat', 'kim'])
    await back.shows(/^kim> slow one \(.*\)\n\(asked .* ago; Ctrl-C cancels it\)\nworking/m)
    back.type('meanwhile')
    await back.shows(/^kim> meanwhile$/m)
    back.type('\x15\x03')
    await back.shows(/\(cancelled\)\nkim>$/)
    expect(await states()).toEqual(['cancelled', 'running', 'cancelled'])
    // What was printed and not marked as partial is the reply, which has not come; it is shown all the same.
    back.type('a plain one\r')
    await back.shows(/^streamed/m)
    back.type('\x03')
    await back.shows(/^printed so far\n\(cancelled\)\nkim>$/m)
    const [plain] = JSON.parse((await place.string(['turns', 'kim', '--json'])).stdout) as TurnSummary[]
    expect((await place.string(['turn', plain?.turn_id ?? ''])).stdout).toContain('printed so far')
    back.type('silent\r')
    await back.shows(/^\(no answer\)\nkim>$/m)
    back.type('hello **you**\r')
    await back.shows(/^hello you \(\d\)\nkim>$/m)
    back.type('/session other\r')
    await back.shows(/^Session other: its first turn is not over\nkim\/other> slow two .*\n.*\nworking/m)
    back.type('x')
    await back.shows(/^kim\/other> x$/m)
    back.type('\x7f\x04')
    expect(await back.exited).toBe(0)
    expect(back.shown().replaceAll('\n', ' ')).toContain('string chat kim --session other comes back to it')
  }, 60_000)

  it('says at once that Ctrl-C was heard, and a second one waits for nobody', async () => {
    const place = await placeWithAgent()
    const { stdout } = await place.string(['agent', 'list', '--json'])
    const { home } = (JSON.parse(stdout) as { id: string; home: string }[]).find(({ id }) => id === 'kim') ?? {
      home: '',
    }
    const path = join(home, '.string/profile.yaml')
    writeFileSync(path, `${readFileSync(path, 'utf8')}kill_grace_secs: 600\n`)
    const inDaemon = openTerminal(place, ['chat', 'kim'])
    const ownAgent = openTerminal(place, ['chat', '--profile', path])
    for (const [chat, prompt] of [
      [inDaemon, 'kim'],
      [ownAgent, 'default'],
    ] as const) {
      await chat.shows(new RegExp(`${prompt}>$`))
      chat.type('hang\r')
      await chat.shows('hanging')
      chat.type('\x03')
      await chat.shows(/^(?:. )?cancelling; Ctrl-C again ends it now/m)
      chat.type('\x03')
      await chat.shows(new RegExp(`^\\(cancelled\\)\\n${prompt}>$`, 'm'))
      chat.type('\x04')
      expect(await chat.exited).toBe(0)
    }
  })

  it('says of a turn that was cancelled elsewhere that it was, with its code for programs', async () => {
    const place = await placeWithAgent()
    const cancelled = async (...flags: string[]): Promise<Ran> => {
      const talk = place.string(['chat', 'kim', '-m', 'slow', ...flags])
      let id = ''
      await vi.waitFor(
        async () => {
          const [turn] = JSON.parse(
            (await place.string(['turns', '--json', '--state', 'running'])).stdout,
          ) as TurnSummary[]
          id = turn?.turn_id ?? ''
          expect(id).not.toBe('')
        },
        { timeout: 20_000 },
      )
      await place.string(['turn', 'cancel', id])
      return talk
    }
    const { status, stdout } = await cancelled('--json')
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({
      status: 1,
      ok: false,
      code: 'CANCELLED',
      cancelled: true,
    })
    const told = await cancelled()
    expect(told).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('error: The turn was cancelled: by hand (string turn cancel, chat,'),
    })
  })

  it('what waited behind a turn that somebody else ended is not sent: it stands at the prompt again', async () => {
    const place = await placeWithAgent()
    const chat = openTerminal(place, ['chat', 'kim'])
    await chat.shows(/^kim>$/m)
    chat.type('slow one\r')
    await chat.shows('working')
    chat.type('and then this\r')
    await chat.shows('waits: and then this')
    await place.string(['agent', 'stop', 'kim'])
    await chat.shows(/kim> and then this$/)
    expect(JSON.parse((await place.string(['turns', '--json'])).stdout)).toHaveLength(1)
  })

  it('shows what was said last to whoever comes back, more with /history, and that events wait for a paused agent', async () => {
    const place = await placeWithAgent()
    const lines = Array.from({ length: 30 }, (_, index) => `- item ${index}`).join('\n')
    await place.string(['chat', 'kim', '-m', 'first'])
    await place.string(['chat', 'kim', '-m', 'streamed'])
    await place.string(['chat', 'kim', '-m', '-'], { input: `- second\n${lines}` })
    const failing = openTerminal(place, ['chat', 'kim', '--session', 'sad'])
    await failing.shows(/kim\/sad>$/)
    failing.type('crash\r')
    await failing.shows(/no key in the environment\nkim\/sad>$/)
    failing.type('/history\r')
    await failing.shows(
      /^kim\/sad> crash \(.*\)\nerror: The agent failed with exit code 3\.[^>]*\n {2}no key in the environment\n\(string turn show \w{8} shows all of it\)\nkim\/sad>$/m,
    )
    failing.type('/agents\r')
    await failing.shows(/^kim {2}\w+, last turn failed EXIT_3 \d\d:\d\d:\d\d · /m)
    failing.type('/quit\r')
    await failing.exited
    const listed = openTerminal(place, ['turns', 'kim'])
    await listed.exited
    expect(listed.shown()).toMatch(/failed EXIT_3 .*\n {4}no key in the environment\n/)
    expect((await place.string(['turns', 'kim'])).stdout).toMatch(/failed EXIT_3 .*\n {4}no key in the environment\n/)
    await place.string(['agent', 'stop', 'kim'])
    const back = openTerminal(place, ['chat', 'kim'])
    await back.shows(/kim is paused: events wait for string agent start kim; you are answered\n/)
    await back.shows(
      /^kim> - second\n… - item 0[\s\S]*\n\(… \d+ more lines: \/history 1\)[\s\S]*• second\n• item 0\n[\s\S]*kim>$/m,
    )
    expect(back.shown()).not.toContain('first')
    back.type('/history\r')
    await back.shows(/^kim> first \(.*\)\nfirst \(1\)\nkim> streamed \(.*\)\nall of it was streamed\nkim> - second\n/m)
    back.type('q/new\r')
    await back.shows('Session default begins anew')
    back.type('/quit\r')
    await back.exited
    const anew = openTerminal(place, ['chat', 'kim'])
    await anew.shows(/^kim>$/m)
    expect(anew.shown()).not.toContain('second')
  }, 60_000)

  it('notices a daemon that was killed, and says how to learn what became of the turn', async () => {
    const place = await placeWithAgent()
    const asked = place.string(['chat', 'kim', '-m', 'slow'])
    const onDisk = (): string => readFileSync(join(place.dataDir, 'state.db-wal'), 'latin1')
    await vi.waitFor(() => expect(onDisk().includes('working ')).toBe(true), { timeout: 20_000, interval: 50 })
    await killDaemon(place)
    const { status, stderr } = await asked
    expect(status).toBe(1)
    const [, id = ''] = /stringd ended while turn \w+ ran; string turn show (\w{8})/.exec(stderr) ?? []
    const shown = (await place.string(['turn', 'show', id])).stdout
    expect(shown).toContain('state: interrupted\n')
    expect(shown).toContain('error:\n  The daemon died while the turn ran. When it ended is known to within 10 s.')
    expect(shown).toContain('said before it ended:\n  working')
    const [cut] = JSON.parse((await place.string(['turns', 'kim', '--json'])).stdout) as TurnSummary[]
    expect(cut?.result?.duration_ms).toBe(Date.parse(cut?.ended_at ?? '') - Date.parse(cut?.started_at ?? ''))
    expect(cut?.result?.duration_ms).toBeGreaterThan(0)
    expect((await place.string(['turns', 'kim'])).stdout).toMatch(/ interrupted +[\d.]+m?s /)
    const { stdout: used } = await place.string(['usage', '--json'])
    expect(JSON.parse(used)).toMatchObject([{ turns: 1, failed: 1, duration_ms: cut?.result?.duration_ms }])
    expect((await place.string(['logs'])).stdout).toContain('The last stringd did not end in order')
    // One that is stopped ends its turns; whoever waited is told so, and not that somebody cancelled.
    const again = place.string(['chat', 'kim', '-m', 'slow'])
    await vi.waitFor(async () => expect((await place.string(['turns', 'kim'])).stdout).toContain('running'), {
      timeout: 20_000,
    })
    await place.string(['restart'])
    const stopped = await again
    expect(stopped).toMatchObject({ status: 1, stdout: 'working \n' })
    expect(stopped.stderr).toMatch(/^error: The daemon was stopped while the turn ran; string turn show \w{8} /m)
    expect(stopped.stderr).not.toContain('ECONNREFUSED')
  }, 60_000)

  it('names nothing to do with a turn that went with its agent', async () => {
    const place = await placeWithAgent()
    const asked = place.string(['chat', 'kim', '-m', 'slow'])
    await vi.waitFor(async () => expect((await place.string(['turns', 'kim'])).stdout).toContain('running'), {
      timeout: 20_000,
    })
    await place.string(['agent', 'remove', 'kim', '--yes'])
    const { status, stderr } = await asked
    expect(status).toBe(1)
    expect(stderr).toBe('error: The turn was cancelled: its agent was removed (string agent remove).\n')
  }, 60_000)

  it('starts a daemon that has gone with the next message, and gives back what nobody takes', async () => {
    const port = await freePort()
    const place = await placeWithAgent({ STRING_PORT: String(port) })
    const chat = openTerminal(place, ['chat', 'kim'])
    await chat.shows(/^kim>$/m)
    await killDaemon(place)
    chat.type('hello\r')
    await chat.shows(/^kim> hello\n\(the daemon had gone, and is there again\)\nhello \(1\)\nkim>$/m)
    chat.type('slow\r')
    await chat.shows('working')
    await killDaemon(place)
    await chat.shows(
      /^working\nerror: The turn was cut off: stringd ended while turn (\w{8}) ran; string turn show \1\s+has\s+what\s+is\s+kept\s+of\s+it, string turn retry \1 runs it again\nkim>$/m,
    )
    chat.type('once more\r')
    await chat.shows(/^\(the daemon had gone, and is there again\)\nonce more \(2\)\nkim>$/m)
    await place.string(['stop'])
    const stranger = createServer().listen(port, '127.0.0.1')
    await once(stranger, 'listening')
    chat.type('precious\r')
    await chat.shows(/; the\s+message\s+was\s+not\s+sent\n\(it stands at the prompt again: Enter[^>]*\nkim> precious$/)
    stranger.close()
    await once(stranger, 'close')
    chat.type('\r')
    await chat.shows(/^precious \(3\)\nkim>$/m)
    await place.string(['stop'])
    chat.type('/history 1\r')
    await chat.shows(/^kim> precious \(.*\)\nprecious \(3\)\nkim>$/m)
    chat.type('/quit\r')
    expect(await chat.exited).toBe(0)
  }, 60_000)
})
