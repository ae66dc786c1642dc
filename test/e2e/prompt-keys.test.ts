import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, stringPlace } from '../support/cli.ts'

async function open(place: Place, ...args: string[]): Promise<Terminal> {
  const terminal = openTerminal(place, args)
  await terminal.shows(/[>$]$/)
  return terminal
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type('\x04')
  expect(await terminal.exited).toBe(0)
}

describe('keys at the prompt', () => {
  it('are drawn together where they come so, for the size that the window has by then', async () => {
    const terminal = await open(stringPlace(), 'main')
    const before = terminal.raw().length
    terminal.type(`/open ./${'long'.repeat(27)}`)
    terminal.resize(60, 20)
    await terminal.shows(/(long){10}$/)
    expect(terminal.raw().slice(before).split('/open ./').length).toBeLessThan(10)
    terminal.type('\x03')
    await leave(terminal)
  })

  it('a shell has the history of the prompt: Alt-., !! and !$, history, and Ctrl-X Ctrl-E in an editor', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'editor'), '#!/bin/sh\ngrep -q fail "$1" && exit 4\nsed -i s/before/behind/ "$1"\n', {
      mode: 0o755,
    })
    const terminal = await open({ ...place, env: { ...place.env, VISUAL: join(place.dir, 'editor') } }, 'bash:keys')
    terminal.type('echo one two\r')
    await terminal.shows(/^one two\nbash:keys \S+\$$/m)
    // What is written out is seen first.
    terminal.type('echo again !!\r')
    await terminal.shows(/\$ echo again echo one two$/)
    terminal.type('\r')
    await terminal.shows(/^again echo one two\nbash:keys \S+\$$/m)
    terminal.type('echo last \x1b.\r')
    await terminal.shows(/^last two\nbash:keys \S+\$$/m)
    terminal.type('history 2\r')
    await terminal.shows(/^ {2}\d {2}echo last two\n {2}\d {2}history 2\nbash:keys \S+\$$/m)
    terminal.type('echo before')
    await terminal.shows(/echo before$/)
    terminal.type('\x18\x05')
    await terminal.shows(/\$ echo behind$/)
    terminal.type('\r')
    await terminal.shows(/^behind\nbash:keys \S+\$$/m)
    terminal.type('echo fail\x18\x05')
    await terminal.shows(/Not changed: \S+editor has ended with status 4\nbash:keys \S+\$ echo fail$/)
    terminal.type('\x03')
    await terminal.shows(/\$$/)
    await leave(terminal)
  })

  it('Ctrl-C right behind Ctrl-D is for what runs, which has got the text', async () => {
    const terminal = await open(stringPlace(), 'bash:keys')
    terminal.type('cat; echo "ended with $?"\r')
    await terminal.shows(/running>$/)
    terminal.type('half\x04')
    // While it is on its way.
    await terminal.shows(/half\^D/)
    terminal.type('\x03')
    await terminal.shows(/ended with 130|bash:keys \S+\$$/)
    expect(terminal.shown()).not.toContain('dropped before it began')
    await leave(terminal)
  })

  it('what is in the home of the person, and not of the agent, is named as it can be opened', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'mine.md'), '# Mine\n')
    const terminal = await open(place, 'main')
    terminal.type('/open ~/mine.md\r')
    await terminal.shows(/Did you mean \/open \S+\/mine\.md\? ~ is\s+\S+ here\n.*>$/)
    await leave(terminal)
  })

  it('Tab finds names in another case and within them, and what a program may be told', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'README.md'), '# Read\n')
    writeFileSync(join(place.dir, 'troubleshooting.md'), '# Trouble\n')
    mkdirSync(join(place.dir, '.git/refs/heads'), { recursive: true })
    writeFileSync(join(place.dir, '.git/refs/heads/trunk'), '')
    const terminal = await open(place)
    terminal.type('/open rea\t')
    await terminal.shows(/> \/open README\.md$/)
    terminal.type('\x15/open shoot\t')
    await terminal.shows(/> \/open troubleshooting\.md$/)
    terminal.type('\x15/open zzz\t')
    await terminal.shows(/> \/open zzz$/)
    await expect.poll(() => terminal.raw().endsWith('\x07')).toBe(true)
    terminal.type('\x15/topic bash:tab\r')
    await terminal.shows(/bash:tab \S+\$$/)
    terminal.type('git checkout tr\t')
    await terminal.shows(/\$ git checkout trunk$/)
    terminal.type('\x15')
    await leave(terminal)
  })

  it('a block is suggested where the open document has it, and nowhere else', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'guide.md'), '# Guide\n\n## First Steps\n\nGo.\n')
    writeFileSync(join(place.dir, 'notes.md'), 'Plain.\n')
    const terminal = await open(place)
    terminal.type('/open guide.md\r')
    await terminal.shows(/main guide\.md>$/)
    terminal.type('/open #first-steps\r')
    await terminal.shows(/main guide\.md#first-steps>$/)
    terminal.type('/open #')
    await terminal.shows(/> \/open #first-steps$/)
    terminal.type('\x15/open notes.md\r')
    await terminal.shows(/main notes\.md>$/)
    terminal.type('/open #f')
    await terminal.shows(/> \/open #f$/)
    terminal.type('x\x7f')
    await terminal.shows(/f$/)
    expect(terminal.shown()).toMatch(/> \/open #f$/)
    terminal.type('\x15')
    await leave(terminal)
  })

  it('Ctrl-C interrupts what runs whatever is typed, which is dropped, at once as later', async () => {
    const terminal = await open(stringPlace(), 'bash:keys')
    terminal.type('sleep 61\r')
    await terminal.shows(/running>$/)
    terminal.type('abc')
    await terminal.shows(/running> abc$/)
    terminal.type('\x03')
    await terminal.shows(/running> abc\^C\nbash:keys \S+\$$/)
    terminal.type('sleep 62\rabc')
    await terminal.shows(/ abc$/)
    terminal.type('\x03')
    await terminal.shows(/bash:keys \S+\$$/)
    // What is asked for a secret as well.
    terminal.type('read -s -p "Password: " x\r')
    await terminal.shows(/Password:$/)
    terminal.type('abc')
    await terminal.shows(/Password: •••$/)
    terminal.type('\x03')
    await terminal.shows(/bash:keys \S+\$$/)
    terminal.type('echo "[$x]"\r')
    await terminal.shows(/^\[\]\nbash:keys \S+\$$/m)
    await leave(terminal)
  })

  it('what says something at Ctrl-C and goes on is ended by the next one that comes after that was said', async () => {
    const terminal = await open(stringPlace(), 'bash:keys')
    terminal.type('kept=yes\r')
    await terminal.shows(/\$ kept=yes\nbash:keys \S+\$$/)
    terminal.type(`bash -c 'trap "echo not today" INT TERM; while :; do sleep 0.1; done'\r`)
    await terminal.shows(/running>$/)
    terminal.type('\x1a')
    await terminal.shows(/Stopped[\s\S]*bash:keys \S+\$$/)
    terminal.type('fg\r')
    await terminal.shows(/running>$/)
    // The second of two quick ones is nobody's answer to what was not said yet.
    terminal.type('\x03')
    terminal.type('\x03')
    await terminal.shows(/(not today\n\(it goes on: Ctrl-C again ends it for good.*\n){2}bash:keys running>$/)
    terminal.type('\x03')
    await terminal.shows(/bash:keys \S+\$$/)
    terminal.type('echo "$kept"\r')
    await terminal.shows(/^yes\nbash:keys \S+\$$/m)
    // A shell that must be ended says so, and nobody is put out of its prompt.
    terminal.type(`trap '' INT TERM HUP; while :; do :; done\r`)
    await terminal.shows(/running>$/)
    terminal.type('\x03')
    await terminal.shows(/Ctrl-C again ends it for good.*\nbash:keys running>$/)
    terminal.type('\x03')
    await terminal.shows(
      /^\(the shell itself went on[\s\S]*\(the next line runs in a fresh shell in [\s\S]*\)\nbash:keys \S+\$$/m,
    )
    terminal.type('echo "[$kept]"\r')
    await terminal.shows(/^\[\]\nbash:keys \S+\$$/m)
    await leave(terminal)
  })

  it('Tab behind a command that is typed below an answer completes it at once, and what follows waits for that', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'long.md'), Array.from({ length: 70 }, (_, at) => `- item ${at}\n`).join(''))
    writeFileSync(join(place.dir, 'guide.md'), 'A guide.\n')
    const terminal = await open(place, 'main')
    for (const keys of ['/open gui\t', '/open gui\t\r']) {
      terminal.type('/open long.md\r')
      await terminal.shows(/-- \d+ more lines/)
      terminal.type(keys)
      if (keys.endsWith('\t')) {
        await terminal.shows(/> \/open guide\.md$/)
        terminal.type('\r')
      }
      await terminal.shows(/^A guide\.\nmain guide\.md>$/m)
    }
    await leave(terminal)
  })

  it('Ctrl-C on a flood is answered without the rest of it, and says how much that is', async () => {
    const place = stringPlace()
    const terminal = await open(place, 'bash:keys')
    terminal.type('yes | head -c 2000000; touch printed; sleep 64\r')
    // All of it is there long before it is shown.
    await expect.poll(() => existsSync(join(place.dir, 'printed')), { timeout: 20_000 }).toBe(true)
    terminal.type('\x03')
    await terminal.shows(
      /^\(what it had printed before Ctrl-C is not shown: [\d.]+ [KM]iB\)\n(\^C\n)?bash:keys \S+\$$/m,
    )
    terminal.type('echo "it is $?"\r')
    await terminal.shows(/^it is 130\nbash:keys \S+\$$/m)
    await leave(terminal)
  })

  it('what is typed to a program is not completed; Tab rings', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'CONTRIBUTING.md'), '')
    const terminal = await open(place, 'bash:keys')
    terminal.type('cat\r')
    await terminal.shows(/running>$/)
    for (const text of ['import ti', 'ech', 'cat ./CON', 'echo $HO']) {
      terminal.type(`${text}\t`)
      await expect.poll(() => terminal.raw().endsWith('\x07')).toBe(true)
      terminal.type('!\r')
      await terminal.shows(`\n${text}!\n`)
    }
    // A command of ours is none of the program's.
    terminal.type('//inter\t')
    await terminal.shows(/running> \/\/interrupt$/)
    terminal.type('\x03')
    await terminal.shows(/bash:keys \S+\$$/)
    await leave(terminal)
  })

  it('the second Ctrl-D leaves what runs at once, also before the first is answered', async () => {
    const terminal = await open(stringPlace(), 'bash:keys')
    terminal.type('sleep 63\r')
    await terminal.shows(/running>$/)
    terminal.type('\x04')
    await terminal.shows(/running> \^D/)
    await leave(terminal)
    expect(terminal.shown()).toContain('(sleep 63 goes on: ')
    expect(terminal.shown()).not.toContain('it goes on: Ctrl-D again')
  })

  it('what is sent in one piece with the q that leaves a page is typed behind it, and nothing of the page stays', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'long.md'), `# Long\n\n${'- item\n'.repeat(70)}`)
    const terminal = await open(place)
    terminal.type('/open long.md\r')
    await terminal.shows(/-- 44 more lines/)
    terminal.type('q/info')
    await terminal.shows(/main long\.md> \/info$/)
    terminal.type('\r')
    await terminal.shows(/main long\.md>$/)
    terminal.type('/open long.md\r')
    await terminal.shows(/-- 44 more lines/)
    terminal.type(' q/topics\r')
    await terminal.shows(/main long\.md> \/topics\n[\s\S]*main[\s\S]*\nmain long\.md>$/)
    await leave(terminal)
  })

  it('Ctrl-D in a page goes on in it, and does not leave', async () => {
    const place = stringPlace()
    const lines = Array.from({ length: 70 }, (_, index) => `- item ${index + 1}`)
    writeFileSync(join(place.dir, 'long.md'), `# Long\n\n${lines.join('\n')}\n`)
    const terminal = await open(place)
    terminal.type('/open long.md\r')
    await terminal.shows(/item 26\n-- 44 more lines/)
    terminal.type('\x04')
    await terminal.shows(/item 40\n-- 30 more lines/)
    terminal.type('just a word')
    await terminal.shows(/main long\.md> just a word$/)
    terminal.type('\x15')
    await leave(terminal)
  })
})
