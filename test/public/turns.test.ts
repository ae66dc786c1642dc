import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askTurn, beginTurn, cancelTurn, turnOf } from '../../packages/stringd/test/support/turns.ts'
import { call } from '../support/http.ts'
import { rememberKey } from '../support/keys.ts'
import { isSleeping, oddSeconds } from '../support/sleeping.ts'
import type { AgentClient } from './clients/agent-client.ts'
import { installed } from './clients/install.ts'
import type { ModelReply, ToolArguments } from './clients/model/dialect.ts'
import type { Script } from './clients/model/server.ts'
import { AGENT_CLIENTS } from './clients/programs.ts'
import { createWorld, type World } from './clients/world.ts'

const PATIENCE = { timeout: 60_000, interval: 100 }

const CANDIDATES: { client: AgentClient; bin: string | null }[] = []
for (const client of AGENT_CLIENTS.filter(({ id }) => id === 'claude-code' || id === 'codex'))
  CANDIDATES.push({ client, bin: await installed(client) })

/** What a profile says beside its flags for the scripted model, so that its String is that of the agent. */
const OWN_STRING: Readonly<Record<string, string>> = { codex: 'mcp_servers.string.env_vars=["STRING_AGENT"]' }

/** As the comment in the example shows it. */
function letAgentThrough({ client, profile }: World): void {
  const setting = OWN_STRING[client.id]
  if (setting === undefined) return
  const lines = readFileSync(profile, 'utf8')
  expect(lines).toContain(`# args: ["-c", '${setting}']`)
  const args = [...client.profileArgs, '-c', setting]
  writeFileSync(profile, lines.replace(/^args: .*$/m, `args: ${JSON.stringify(args)}`))
}

const text = (words: string): ModelReply => ({ kind: 'text', text: words })

/** A call first, and a last word when it was answered. */
function calling(args: ToolArguments, last: string): Script {
  let hasCalled = false
  return () => {
    if (hasCalled) return text(last)
    hasCalled = true
    return { kind: 'calls', calls: [args] }
  }
}

/** What a turn has started is marked with its id, whatever became of its parents. */
function startedBy(turnId: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(turnId)
    } catch {
      // It ended while we looked.
      return false
    }
  })
}

describe.each(CANDIDATES)('$client.name in the daemon', ({ client, bin }) => {
  let world: World
  let port = 0
  beforeAll(async () => {
    if (bin === null) return
    world = await createWorld(client, bin)
    port = Number(world.env.STRING_PORT)
    rememberKey(port, world.env.STRING_DATA_DIR ?? '')
    letAgentThrough(world)
    const body = { agent_id: 'coder', home: world.project, profile: world.profile }
    expect(await call(port, 'POST', '/agents', { body })).toMatchObject({ status: 200, json: { created: true } })
  })
  afterAll(() => world?.close())

  it.skipIf(bin === null)('runs a turn of its profile, and uses String in it as that agent', async () => {
    world.model.play(calling({ topic: 'from-turn', cmd: '/info' }, 'I looked around'))
    const { result, text: partials, turnId } = await askTurn(port, { message: 'look around', session: 'a' }, 'coder')
    expect(result).toMatchObject({ ok: true, code: null, session_id: expect.stringMatching(/./) })
    expect(`${partials}${result.reply}`).toContain('I looked around')
    expect(world.model.requests().at(-1)?.results.at(-1)).toContain('topic: from-turn (tab)')
    const { sessions } = (await call(port, 'GET', '/sessions')).json as {
      sessions: { agent_id: string; topic: string }[]
    }
    expect(sessions).toContainEqual(expect.objectContaining({ agent_id: 'coder', topic: 'from-turn' }))
    expect(await turnOf(port, turnId)).toMatchObject({ state: 'done', agent_id: 'coder' })
    expect(startedBy(turnId)).toEqual([])
  })

  it.skipIf(bin === null)('goes on with the session in its second turn, and begins anew in another', async () => {
    world.model.play(() => text('hello Ada'))
    const first = await askTurn(port, { message: 'my name is Ada', session: 'b' }, 'coder')
    world.model.play(() => text('you said it'))
    const second = await askTurn(port, { message: 'what is my name?', session: 'b' }, 'coder')
    expect(second.result).toMatchObject({ ok: true })
    expect(`${second.text}${second.result.reply}`).toContain('you said it')
    expect(second.result.session_id).toBe(first.result.session_id)
    expect(world.model.requests()[0]?.said.join('\n')).toMatch(/my name is Ada[\s\S]*what is my name\?/)
    world.model.play(() => text('no idea'))
    const other = await askTurn(port, { message: 'who am I?', session: 'c' }, 'coder')
    expect(other.result.session_id).not.toBe(first.result.session_id)
    expect(world.model.requests()[0]?.said.join('\n')).not.toContain('Ada')
  })

  it.skipIf(bin === null)('is dead after a cancel, with all that it started, and can be asked again', async () => {
    const seconds = oddSeconds()
    world.model.play(calling({ topic: 'bash:turn', cmd: `sleep ${seconds}` }, 'never'))
    const heard = beginTurn(port, { message: 'wait', session: 'd' }, 'coder')
    const turnId = await heard.turnId
    await expect.poll(() => isSleeping(seconds), PATIENCE).toBe(true)
    expect(startedBy(turnId).length).toBeGreaterThan(0)
    expect(await cancelTurn(port, turnId)).toMatchObject({ state: 'cancelled', code: 'CANCELLED' })
    expect(startedBy(turnId)).toEqual([])
    await expect.poll(() => isSleeping(seconds)).toBe(false)
    await heard.ended
    world.model.play(() => text('back again'))
    const { result, text: partials } = await askTurn(port, { message: 'and now?', session: 'd' }, 'coder')
    expect(`${partials}${result.reply}`).toContain('back again')
  })
})
