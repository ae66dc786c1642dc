import { ok, parseTopic, type Topic } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import type { CommandContext } from '../../src/command/core/context.ts'
import { type Command, defineCommand } from '../../src/command/core/define.ts'
import { createDispatch } from '../../src/command/dispatch.ts'

const row = { summary: '', params: {}, flags: {}, body: 'none', details: [], examples: [] } as const
const shows = (name: string, more: Pick<Command, 'suffix'> = {}): Command =>
  defineCommand({ ...row, ...more, name, run: ({ suffix }) => ok(`${name}(${suffix ?? ''})`) })
const TABLE = [shows('act', { suffix: '.' }), shows('tool', { suffix: ':' }), shows('events'), shows('events.read')]
const context = { session: { variables: new Map() } } as unknown as CommandContext

describe('names of commands', () => {
  it.each([
    ['/act', 'act()'],
    ['/act.search_city', 'act(search_city)'],
    ['/act.', 'act()'],
    ['/tool:git.status', 'tool(git.status)'],
    ['/events', 'events()'],
    ['/events.read', 'events.read()'],
  ])('reads %s as %s', async (text, answer) => {
    expect(await createDispatch(TABLE)(text, parseTopic('main') as Topic).run(context)).toMatchObject({
      system: answer,
    })
  })

  it.each(['/act:x', '/tool.x', '/events.raed', '/events:read', '/.x', '/:'])('does not know %s', async (text) => {
    const result = await createDispatch(TABLE)(text, parseTopic('main') as Topic).run(context)
    expect(result).toMatchObject({ ok: false, code: 'COMMAND_UNKNOWN' })
  })
})
