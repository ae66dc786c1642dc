import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openInTerminal, openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { COUNTING, writeAgent } from '../support/agent.ts'
import { isRunning, type Place, STRING, stringPlace } from '../support/cli.ts'

const UP = '\x1b[A'
const CTRL_C = '\x03'
const CTRL_D = '\x04'

async function openChat(place: Place, profile: string, ...args: string[]) {
  const terminal = openTerminal(place, ['chat', '--profile', profile, ...args])
  await terminal.shows(/>$/)
  return terminal
}

/** Appears in the process table and stays until it is ended. */
const FOREVER = `trap '' TERM; echo $$ > pid; echo 'AGENT_PARTIAL:"begun"'; while :; do sleep 0.1; done`

async function pidIn(place: Place): Promise<number> {
  const path = join(place.dir, 'pid')
  await vi.waitFor(() => expect(existsSync(path) && readFileSync(path, 'utf8')).toMatch(/\d+\n/), { timeout: 20_000 })
  return Number(readFileSync(path, 'utf8'))
}

describe('string chat in a terminal', () => {
  it('shows partials as they are printed, before the turn is over', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      `echo 'AGENT_PARTIAL:"first, "'; until [ -e go ]; do sleep 0.05; done; echo 'AGENT_PARTIAL:"second"'`,
    )
    const chat = await openChat(place, profile)
    chat.type('hello\r')
    await chat.shows(/^first,$/m)
    writeFileSync(join(place.dir, 'go'), '')
    await chat.shows(/^first, second\ndefault>$/m)
  })

  it('Ctrl-C cancels the running turn and all its processes, and not the chat', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      `if [ "$AGENT_MESSAGE" = again ]; then echo still here; exit; fi; ${FOREVER}`,
      'kill_grace_secs: 0.2\n',
    )
    const chat = await openChat(place, profile)
    chat.type('hello\r')
    await chat.shows('begun')
    const pid = await pidIn(place)
    chat.type(CTRL_C)
    await chat.shows(/\(cancelled\)\ndefault>$/)
    expect(isRunning(pid)).toBe(false)
    chat.type('again\r')
    await chat.shows(/still here\ndefault>$/)
  })

  it('a second Ctrl-C does not wait for an agent that ignores the first', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, FOREVER, 'kill_grace_secs: 3600\n')
    const chat = await openChat(place, profile)
    chat.type('hello\r')
    await chat.shows('begun')
    const pid = await pidIn(place)
    chat.type(CTRL_C)
    chat.type(CTRL_C)
    await chat.shows(/\(cancelled\)\ndefault>$/)
    expect(isRunning(pid)).toBe(false)
  })

  it('keeps sessions apart by name, shows them, and begins one anew', async () => {
    const place = stringPlace()
    const chat = await openChat(place, writeAgent(place.dir, COUNTING))
    const say = async (text: string, answer: string) => {
      chat.type(`${text}\r`)
      await chat.shows(answer)
    }
    await say('/session', 'Session default: not begun')
    await say('a', 'turn 1 of default: a')
    await say('b', 'turn 2 of default: b')
    await say('/session', 'Session default: turn-2')
    await say('/session work', 'Session work: not begun\nwork>')
    await say('c', 'turn 1 of work: c')
    await say('/session', 'Session work: turn-1\nOthers: default')
    await say('/session default', 'Session default: goes on')
    await say('/new', 'Session default begins anew')
    await say('d', 'turn 1 of default: d')
    await say('/help', '/session [NAME]')
    await say('/nope', 'Unknown command: /nope')
    await say('//nope', 'turn 2 of default: /nope')
    chat.type('/quit\r')
    expect(await chat.exited).toBe(0)
  })

  it('goes on with its session and its history after a restart', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    const first = await openChat(place, profile, '--session', 'work')
    first.type('remember me\r')
    await first.shows('turn 1 of work: remember me')
    first.type(CTRL_D)
    expect(await first.exited).toBe(0)
    expect(statSync(join(place.dataDir, 'chat-history')).mode & 0o777).toBe(0o600)
    const second = await openChat(place, profile, '--session', 'work')
    second.type(UP)
    await second.shows('remember me')
    second.type('\r')
    await second.shows('turn 2 of work: remember me')
    second.type('/quit\r')
    await second.exited
    const third = await openChat(place, profile, '--session', 'work', '--new')
    third.type('x\r')
    await third.shows('turn 1 of work: x')
  })

  it('Ctrl-C empties a line; at an empty prompt it says how to leave, and the second one leaves', async () => {
    const place = stringPlace()
    const chat = await openChat(place, writeAgent(place.dir, COUNTING))
    chat.type('never sent')
    await chat.shows('never sent')
    chat.type(CTRL_C)
    await chat.shows(/\^C\ndefault>$/)
    chat.type(CTRL_C)
    await chat.shows(/Ctrl-C again leaves.*\ndefault>$/)
    chat.type('hello\r')
    await chat.shows('turn 1 of default: hello')
    chat.type(CTRL_C)
    await chat.shows('Ctrl-C again leaves')
    chat.type(CTRL_C)
    expect(await chat.exited).toBe(0)
  })

  it('takes several pasted lines as one message', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `printf '[%s]\\n' "$AGENT_MESSAGE"`)
    const chat = await openChat(place, profile)
    chat.type('\x1b[200~one\rtwo\rthree\x1b[201~')
    await chat.shows('three')
    chat.type(' four\r')
    await chat.shows(/^\[one\ntwo\nthree four\]$/m)
  })

  it('what is typed while a turn runs is the next message', async () => {
    const place = stringPlace()
    const chat = await openChat(
      place,
      writeAgent(place.dir, `echo "heard $AGENT_MESSAGE"; until [ -e go ]; do sleep 0.05; done`),
    )
    chat.type('one\r')
    await chat.shows('one')
    chat.type('two\rthr')
    writeFileSync(join(place.dir, 'go'), '')
    await chat.shows(/heard one\ndefault> two\nheard two\ndefault> thr$/)
  })

  it('shows below the answer what is typed meanwhile, and Ctrl-C gives it back', async () => {
    const place = stringPlace()
    const chat = await openChat(
      place,
      writeAgent(
        place.dir,
        `[ "$AGENT_MESSAGE" = one ] || { echo "[$AGENT_MESSAGE]"; exit; }
echo 'AGENT_PARTIAL:"first "'; until [ -e go ]; do sleep 0.05; done; echo 'AGENT_PARTIAL:"second"'; ${FOREVER}`,
        'kill_grace_secs: 0.2\n',
      ),
    )
    chat.type('one\r')
    await chat.shows(/^first$/m)
    chat.type('two\r\x1b[200~thr\x1b[201~')
    await chat.shows(/waits: two\ndefault> thr$/)
    writeFileSync(join(place.dir, 'go'), '')
    await expect.poll(() => chat.shown()).toMatch(/first second.*\nwaits: two\ndefault> thr$/)
    chat.type(CTRL_C)
    const said = /\(cancelled\)\n\(what waited before it is in the history: Up\)\ndefault> thr$/
    await expect.poll(() => chat.shown()).toMatch(said)
    chat.type('ee\r')
    await chat.shows(/\[three\]\ndefault>$/)
    // Each is a message of its own.
    chat.type('\x1b[A\x1b[A\r')
    await chat.shows(/\[two\]\ndefault>$/)
  })

  it('goes on after it was stopped with Ctrl-Z', async () => {
    const place = stringPlace()
    writeAgent(place.dir, COUNTING)
    const shell = openInTerminal(place, '/bin/bash', ['--norc', '--noprofile', '-i'])
    // As under npx, a program stands between the shell and ours.
    shell.type(`sh -c '"${process.execPath}" "${STRING}" chat --profile agent.yaml; true'\r`)
    await shell.shows(/default>$/)
    shell.type('typed so far\x1a')
    await shell.shows(/Stopped.*\n.*[$#]$/)
    shell.type('jobs\r')
    await shell.shows(/\+ {2}Stopped .*\n.*[$#]$/)
    shell.type('fg\r')
    await shell.shows(/default> typed so far$/)
    shell.type(' and more\r')
    await shell.shows('turn 1 of default: typed so far and more')
    shell.type('/quit\r')
    await shell.shows(/[$#]$/)
    shell.type('exit\r')
    await shell.exited
  })

  it('S24: shows errors, and control characters of the agent as text', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      `case $AGENT_MESSAGE in
fail) echo 'AGENT_ERROR:"No more credit.\\u001b[2J"';;
crash) exit 3;;
long) seq -f '- row %g' 80;;
*) printf 'a\\033]0;title\\007b\\n';;
esac`,
    )
    const chat = await openChat(place, profile)
    // What comes whole, and is taller than the window, begins at its top.
    chat.type('long\r')
    await chat.shows(/^• row 1\n[\s\S]*\n-- \d+ more lines \(\d+%\): .*--$/m)
    chat.type('/row 40\r')
    await chat.shows(/^• row 40\n[\s\S]*\n-- \d+ more lines \(\d+%\): .*--$/m)
    chat.type('great, now the next')
    await chat.shows(/^default> great, now the next$/m)
    chat.type('\x03')
    await chat.shows(/default>$/)
    chat.type('fail\r')
    await chat.shows('error: No more credit.\\x1b[2J\n')
    chat.type('crash\r')
    await chat.shows(/error: .*3/)
    chat.type('title\r')
    await chat.shows('a\\x1b]0;title\\x07b\n')
  })

  it('shows dimmed what a failed agent left on standard error, and what a cancelled one had printed', async () => {
    const place = stringPlace()
    const profile = writeAgent(
      place.dir,
      `echo half; printf 'bad \\033[2J key\\n' >&2; if [ "$AGENT_MESSAGE" = fail ]; then exit 3; fi; ${FOREVER}`,
      'kill_grace_secs: 0.2\n',
    )
    const chat = await openChat(place, profile)
    chat.type('fail\r')
    await chat.shows(
      /^error: [^:]+\.\nstderr of the agent:\n {2}bad \\x1b\[2J key\nprinted before it failed:\n {2}half\n/m,
    )
    expect(chat.raw()).toContain('\x1b[2mstderr of the agent:')
    chat.type('wait\r')
    await chat.shows('begun')
    chat.type(CTRL_C)
    await chat.shows(/^\nhalf\n\(cancelled\)\ndefault>$/)
  })

  it('asks whether an agent may use a tool, and only a yes allows it; what is neither yes nor no is asked again', async () => {
    const place = stringPlace()
    const profile = join(import.meta.dirname, '../../examples/agents/node/profile.yaml')
    writeFileSync(join(place.dir, 'seen.txt'), '')
    const chat = await openChat(place, profile)
    chat.type('list\r')
    await chat.shows(`The agent asks to use list_folder: {"path":"${place.dir}"}\nAllow it? [y/N]`)
    chat.type(' why?\r')
    await chat.shows(/Allow it\? \[y\/N\] {2}why\?\n\(y allows it, n or Enter denies it\)\nAllow it\? \[y\/N\]$/)
    chat.type('\r')
    await chat.shows(/\n\(denied\)\n[\s\S]*I may not look\./)
    chat.type('list\r')
    await chat.shows(/Allow it\? \[y\/N\]$/)
    chat.type('y\r')
    await chat.shows(/\n\(allowed\)\n[\s\S]*I see: .*seen\.txt.*\ndefault>$/)
    chat.type(UP)
    await chat.shows('default> list')
    chat.type(`${CTRL_C}list\r`)
    await chat.shows('Allow it? [y/N]')
    chat.type(CTRL_C)
    await chat.shows('(cancelled)')
  })

  it('cuts nothing of what an agent asks for without saying how much, and shows all of it when asked', async () => {
    const place = stringPlace()
    const request = `{"type":"permission_request","request_id":"a","tool_name":"shell","input":"BEGIN${'-'.repeat(6_000)}HIDDEN${'-'.repeat(6_000)}END"}`
    const profile = writeAgent(
      place.dir,
      `read -r turn; echo '${request}'; read -r one
printf '{"type":"result","text":"%s"}\\n' "$(grep -o 'deny\\|allow' <<< "$one")"`,
      'wire: "0.4"\npermission: true\n',
    )
    const chat = await openChat(place, profile)
    chat.type('x\r')
    await chat.shows(
      /BEGIN[-\s]+\(… 10016 of 12016 characters are not shown …\)\s+[-\s]+END"\s+Allow it\? \[y\/N, a shows all of it\]$/,
    )
    chat.type('a\r')
    await chat.shows(/BEGIN[-\s]+HIDDEN[-\s]+END"\s+Allow it\? \[y\/N, a shows all of it\]$/)
    chat.type('y\r')
    await chat.shows(/^allow/m)
  })

  it('asks one question after the other when an agent has several, and Ctrl-D at one cancels the turn and leaves', async () => {
    const place = stringPlace()
    const request = (id: string) =>
      `{"type":"permission_request","request_id":"${id}","tool_name":"tool-${id}","input":{}}`
    const profile = writeAgent(
      place.dir,
      `read -r turn; echo '${request('a')}'; echo '${request('b')}'; read -r one; read -r two
printf '{"type":"result","text":"%s"}\\n' "$(grep -o 'deny\\|allow' <<< "$one $two" | tr '\\n' ' ')"`,
      'wire: "0.4"\npermission: true\n',
    )
    const chat = await openChat(place, profile)
    chat.type('x\r')
    await chat.shows(/tool-a: \{\}\nAllow it\? \[y\/N\]$/)
    chat.type('n\r')
    await chat.shows(/tool-b: \{\}\nAllow it\? \[y\/N\]$/)
    chat.type('yes\r')
    await chat.shows(/^deny allow/m)
    chat.type('x\r')
    await chat.shows(/tool-a: \{\}\nAllow it\? \[y\/N\]$/)
    chat.type(CTRL_D)
    expect(await chat.exited).toBe(0)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the chat, the turn and its processes', async (signal, status) => {
    const place = stringPlace()
    const chat = await openChat(place, writeAgent(place.dir, FOREVER, 'kill_grace_secs: 0.2\n'))
    chat.type('hello\r')
    await chat.shows('begun')
    const pid = await pidIn(place)
    process.kill(chat.pid, signal)
    expect(await chat.exited).toBe(status)
    expect(isRunning(pid)).toBe(false)
  })

  it('a terminal that is closed ends the chat, the turn and its processes', async () => {
    const place = stringPlace()
    const chat = await openChat(place, writeAgent(place.dir, FOREVER, 'kill_grace_secs: 0.2\n'))
    chat.type('hello\r')
    await chat.shows('begun')
    const pid = await pidIn(place)
    chat.hangUp()
    await vi.waitFor(() => expect([chat.pid, pid].filter(isRunning)).toEqual([]), { timeout: 20_000 })
  })
})

describe('string chat in a pipe', () => {
  it('takes every line as a message or a command, without a prompt', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    const input = 'a\n\nb\n/session other\nc\n/new\nd'
    expect(await place.string(['chat', '--profile', profile], { input })).toEqual({
      status: 0,
      stdout: [
        'turn 1 of default: a',
        'turn 2 of default: b',
        'Session other: not begun',
        'turn 1 of other: c',
        'Session other begins anew',
        'turn 1 of other: d\n',
      ].join('\n'),
      stderr: '',
    })
  })

  it('exits 1 when a turn failed, and goes on nevertheless', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, 'if [ "$AGENT_MESSAGE" = bad ]; then exit 1; fi; echo good')
    const { status, stdout, stderr } = await place.string(['chat', '--profile', profile], { input: 'bad\nx\n' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'good\n' })
    expect(stderr).toMatch(/^error: /)
  })

  it('stops at /quit', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, COUNTING)
    const { stdout } = await place.string(['chat', '--profile', profile], { input: 'a\n/quit\nb\n' })
    expect(stdout).toBe('turn 1 of default: a\n')
  })
})
