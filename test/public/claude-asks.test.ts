import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { installed } from './clients/install.ts'
import type { ModelReply } from './clients/model/dialect.ts'
import { AGENT_CLIENTS } from './clients/programs.ts'
import { createWorld } from './clients/world.ts'

const [client] = AGENT_CLIENTS.filter(({ id }) => id === 'claude-code')
const bin = client === undefined ? null : await installed(client)
const example = join(import.meta.dirname, '../../examples/agents/claude-code')

describe.skipIf(client === undefined || bin === null)('Claude Code in string chat', () => {
  it('asks before it uses a tool, and does what it is answered', async () => {
    if (client === undefined || bin === null) return
    const world = await createWorld(client, bin)
    onTestFinished(() => world.close())
    const profile = join(world.project, 'asking.yaml')
    const text = readFileSync(join(example, 'asking.yaml'), 'utf8')
    writeFileSync(profile, `${text.replace('./asking-adapter.mjs', `${example}/asking-adapter.mjs`)}env_inherit: all\n`)
    const answers: string[] = []
    const turn = (): void => {
      let hasCalled = false
      world.model.play(({ results }): ModelReply => {
        if (hasCalled) answers.push(results.at(-1) ?? '')
        if (hasCalled) return { kind: 'text', text: 'So be it' }
        hasCalled = true
        return { kind: 'calls', calls: [{ topic: 'asked', cmd: '/info' }] }
      })
    }
    const chat = openInTerminal({ dir: world.project, env: world.env }, 'string', ['chat', '--profile', profile])
    await chat.shows(/default>$/)
    for (const answer of ['y', 'n']) {
      turn()
      chat.type('look around\r')
      await chat.shows('The agent asks to use mcp__string__string: {"topic":"asked","cmd":"/info"}\nAllow it? [y/N]')
      chat.type(`${answer}\r`)
      await chat.shows(/So be it\n+default>$/)
    }
    chat.type('/quit\r')
    expect(await chat.exited).toBe(0)
    expect(answers).toEqual([expect.stringContaining('topic: asked (tab)'), 'The person did not allow it.'])
  })
})
