import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { StringClient } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { writeAgent } from '../../../../test/support/agent.ts'
import { STRING, stringPlace } from '../../../../test/support/cli.ts'

/** What the command line prints on a real terminal. */
function onTerminal(place: ReturnType<typeof stringPlace>, args: readonly string[], cols = 200): Promise<string> {
  return new Promise((resolve) => {
    let shown = ''
    // Node 20 may lose the end of what a process prints right before it ends: the shell around it waits.
    const script = `"$@"; sleep 0.3; echo END`
    const pty = spawn('/bin/bash', ['-c', script, 'bash', process.execPath, STRING, ...args], {
      cwd: place.dir,
      env: { ...place.env, NO_COLOR: '1' },
      cols,
    })
    pty.onData((data) => {
      shown += data
    })
    pty.onExit(() => resolve(shown))
  })
}

describe('S24: on a terminal', () => {
  it('the command line prints what would control it in a visible form', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'evil.md'), 'before \x1b]0;title\x07\x1b[2J\u202e\x9b31m after\n')
    await place.string(['/info'])
    for (const args of [['/open ./evil.md'], ['/open ./evil.md', '--plain'], ['/open "./no\x1b[2Jthing.md"']]) {
      const shown = await onTerminal(place, args)
      expect(shown).toContain('END')
      expect(shown, args.join(' ')).toSatisfy(
        (text: string) => !['\x1b', '\x07', '\u202e', '\x9b'].some((evil) => text.includes(evil)),
      )
      expect(shown).toContain('\\x1b')
    }
  })

  it('turns are shown so too, and their list fits it', async () => {
    const place = stringPlace()
    const evil = 'before \x1b]0;title\x07\x1b[2J\u202e\x9b31m after, and then much more of what somebody said'
    const profile = writeAgent(place.dir, 'cat >&2; exit 3', 'stdin: message\n')
    await place.string(['agent', 'add', 'bot', '--profile', profile])
    const client = new StringClient({ port: place.daemonPort(), agent: 'bot' })
    for await (const _ of client.turn(evil, { session: evil.slice(0, 20), from: evil }));
    const [turn] = await client.turns.list()
    for (const args of [['turns'], ['turn', 'show', turn?.turn_id ?? ''], ['agent', 'status', 'bot']]) {
      const shown = await onTerminal(place, args, 80)
      expect(shown).toContain('END')
      expect(shown, args.join(' ')).toSatisfy(
        (text: string) => !['\x1b', '\x07', '\u202e', '\x9b'].some((each) => text.includes(each)),
      )
      expect(shown).toContain('\\x1b')
      if (args[0] !== 'turn') for (const line of shown.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80)
    }
    rmSync(join(place.dir, 'agent.sh'))
    const list = (await onTerminal(place, ['agent', 'list'], 80)).split('\r\n')
    for (const line of list) expect(line.length).toBeLessThanOrEqual(80)
    expect(list.join(' ').replace(/ +/g, ' ')).toContain(
      ` The program ${place.dir}/agent.sh was not found. Install it, or mend \`command\` in the profile.`,
    )
  })
})
