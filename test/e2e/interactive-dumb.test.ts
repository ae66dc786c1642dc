import { describe, expect, it } from 'vitest'
import { openInTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { writeAgent } from '../support/agent.ts'
import { type Place, STRING, stringPlace } from '../support/cli.ts'

const CTRL_D = '\x04'

function openDumb(place: Place, ...args: string[]): Terminal {
  return openInTerminal(place, '/usr/bin/env', ['TERM=dumb', process.execPath, STRING, ...args])
}

describe('a terminal that cannot move its cursor', () => {
  it('is told why there is no prompt', async () => {
    const terminal = openDumb(stringPlace(), 'main')
    await terminal.shows(/What should run in main\? string main \/help; no prompt, because TERM=dumb/)
    expect(await terminal.exited).toBe(2)
  })

  it('has a chat without a prompt: each line is a message, and what is written is text alone', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `echo 'AGENT_PARTIAL:"**some** "'; sleep 0.6; echo 'AGENT_PARTIAL:"words"'`)
    const chat = openDumb(place, 'chat', '--profile', profile)
    await chat.shows(/no prompt, because TERM=dumb .*each line is a\s+message\)/)
    chat.type('hello\r')
    await chat.shows(/^\*\*some\*\* words$/m)
    chat.type(CTRL_D)
    expect(await chat.exited).toBe(0)
    expect(chat.raw()).not.toContain('\x1b')
  })
})
