import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { StringClient, type TurnEvent } from '@string-os/client'
import type { ApprovalView } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ASKING_AGENT, ASKING_KEYS } from '../../packages/stringd/test/support/approvals.ts'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { giveProfile } from '../../packages/stringd/test/support/turns.ts'
import { type Place, STRING, stringPlace } from '../support/cli.ts'

/** Asks two things before it hears of the first. */
const ASKING_TWICE = `
read -r turn
for tool in a b; do printf '{"type":"permission_request","request_id":"%s","tool_name":"tool-%s","input":{}}\\n' $tool $tool; done
read -r one; read -r two
echo '{"type":"result","text":"both were answered"}'
`

/** A String with an agent that asks before it does what it was told. */
async function askingPlace(): Promise<{ place: Place; client: StringClient }> {
  const place = stringPlace()
  const home = join(place.dir, 'kim')
  mkdirSync(home)
  giveProfile(home, ASKING_AGENT, ASKING_KEYS)
  expect((await place.string(['agent', 'add', 'kim', '--home', home])).status).toBe(0)
  return { place, client: new StringClient({ port: place.daemonPort(), agent: 'kim' }) }
}

async function resultOf(turn: AsyncGenerator<TurnEvent>): Promise<TurnEvent | undefined> {
  let last: TurnEvent | undefined
  for await (const event of turn) last = event
  return last
}

async function waiting(client: StringClient): Promise<ApprovalView> {
  await expect.poll(async () => (await client.approvals.list({ state: 'waiting' })).length).toBe(1)
  const [approval] = await client.approvals.list({ state: 'waiting' })
  if (approval === undefined) throw new Error('None waits')
  return approval
}

describe('string approvals, approve and deny', () => {
  it('show what waits, decide, tell who comes later who was first, and are in the history of the turn', async () => {
    const { place, client } = await askingPlace()
    expect(await place.string(['approvals'])).toMatchObject({ status: 0, stdout: 'Nothing waits for you\n' })
    const follow = spawn(process.execPath, [STRING, 'approvals', '--follow', '--json'], {
      env: place.env,
      cwd: place.dir,
    })
    onTestFinished(() => void follow.kill())
    let followed = ''
    follow.stdout.setEncoding('utf8').on('data', (text: string) => {
      followed += text
    })
    const result = resultOf(client.turn('rm -rf ./build'))
    const { id, turn_id } = await waiting(client)
    const shown = (await place.string(['approvals'])).stdout
    expect(shown).toContain(`${id.slice(-8)}  kim: It asks to use bash`)
    expect(shown).toContain('"command": "rm -rf ./build"')
    expect(shown).toContain(`string approve ${id.slice(-8)}`)
    expect(shown).not.toContain('\x1b')
    expect(await place.string(['approvals', '--agent', 'kin'])).toMatchObject({ status: 1 })
    expect(await place.string(['approve', 'zzzzzzzz'])).toMatchObject({ status: 1 })
    expect(await place.string(['approve'])).toMatchObject({ status: 2 })
    const approved = await place.string(['approve', id.slice(-8), '--note', 'only once'])
    expect(approved).toMatchObject({ status: 0 })
    expect(approved.stdout).toMatch(/allowed by \S+ .*: only once/)
    expect(await result).toMatchObject({ type: 'result', reply: 'allow' })
    const late = await place.string(['deny', id])
    expect(late).toMatchObject({ status: 1, stdout: '' })
    expect(late.stderr).toMatch(/was allowed by \S+ at/)
    expect((await place.string(['turn', 'show', turn_id ?? ''])).stdout).toMatch(
      /rm -rf .\/build[\s\S]*allowed by .*only once/,
    )
    const [listed] = JSON.parse((await place.string(['approvals', '--all', '--json'])).stdout) as ApprovalView[]
    expect(listed).toMatchObject({ id, state: 'allowed', note: 'only once' })
    await expect.poll(() => followed.split('\n').length).toBe(3)
    expect(
      followed
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ApprovalView).state),
    ).toEqual(['waiting', 'allowed'])
  })

  it('string chat --agent asks where the person is, and says when somebody else was faster', async () => {
    const { place, client } = await askingPlace()
    const terminal = openTerminal(place, ['chat', '--agent', 'kim'])
    await terminal.shows('kim')
    terminal.type('make clean\r')
    await terminal.shows(/make clean[\s\S]*Allow it\?/)
    terminal.type('y\r')
    await terminal.shows(/\ballow\b/)
    terminal.type('make deploy\r')
    await terminal.shows(/make deploy[\s\S]*Allow it\?/)
    const { id } = await waiting(client)
    expect((await place.string(['deny', id])).status).toBe(0)
    await terminal.shows(/Allow it\? \[y\/N\]\n\(denied by .*\)\n/)
    await terminal.shows(/\bdeny\b/)
    const asked = await client.turns.list({ limit: 1 })
    const { stdout } = await place.string(['turn', 'show', asked[0]?.turn_id ?? ''])
    expect(stdout.match(/^asked:/gm)).toHaveLength(1)
    expect(stdout).toMatch(/^question:\n {2}\{\n {4}"command": "make deploy"/m)
    // Of several questions at once, each is answered by itself.
    const home = join(place.dir, 'two')
    mkdirSync(home)
    giveProfile(home, ASKING_TWICE, ASKING_KEYS)
    await place.string(['agent', 'add', 'two', '--home', home])
    terminal.type('/agents two\r')
    await terminal.shows(/Now with two\ntwo>$/)
    terminal.type('go\r')
    await terminal.shows(/It asks to use tool-a:\n[\s\S]*Allow it\? \[y\/N\]$/)
    terminal.type('y\r')
    await terminal.shows(/It asks to use tool-b:\n[\s\S]*Allow it\? \[y\/N\]$/)
    terminal.type('n\r')
    await terminal.shows(/^both were answered\ntwo>$/m)
    terminal.type('\x04')
    expect(await terminal.exited).toBe(0)
  }, 40_000)

  it('string page prints where the page is', async () => {
    const place = stringPlace({ DISPLAY: '', WAYLAND_DISPLAY: '' })
    const { stdout, status } = await place.string(['page'])
    expect({ stdout, status }).toEqual({ stdout: `http://127.0.0.1:${place.daemonPort()}/\n`, status: 0 })
  })
})
