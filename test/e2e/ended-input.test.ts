import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, stringPlace } from '../support/cli.ts'

const CTRL_D = '\x04'
const pasted = (text: string): string => `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`

async function open(): Promise<{ readonly place: Place; readonly terminal: Terminal }> {
  const place = stringPlace()
  const terminal = openTerminal(place, ['bash:x'])
  await terminal.shows(/\$$/)
  return { place, terminal }
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_D)
  expect(await terminal.exited).toBe(0)
}

describe('Ctrl-D behind a text that is typed to a program', () => {
  it('sends lines that were pasted, and ends the input behind their end; what has no end goes as it is', async () => {
    const { place, terminal } = await open()
    const written = (name: string): string => readFileSync(join(place.dir, name), 'utf8')
    terminal.type('cat > whole\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type(pasted('one\n  two\nthree\n'))
    await terminal.shows('Enter sends it; Ctrl-D sends it and ends the input')
    terminal.type(CTRL_D)
    await terminal.shows(/\(cat > whole has ended: this is the shell\)\nbash:x \S+\$$/)
    expect(written('whole')).toBe('one\n  two\nthree\n')
    terminal.type('cat > open\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type(pasted('one\ntwo'))
    await terminal.shows(/two$/)
    terminal.type(CTRL_D)
    await terminal.shows(/\^D\nbash:x running>$/)
    terminal.type(CTRL_D)
    await terminal.shows(/has ended: this is the shell\)\nbash:x \S+\$$/)
    expect(written('open')).toBe('one\ntwo')
    // As soon as the program is there, also for what was typed before that.
    terminal.type(`cat > early\r${pasted('one\n')}${CTRL_D}`)
    await terminal.shows(/has ended: this is the shell\)\nbash:x \S+\$$/)
    expect(written('early')).toBe('one\n')
    await leave(terminal)
  })

  it('shows it once, deletes within the text, and does nothing at the prompt of the shell', async () => {
    const { terminal } = await open()
    terminal.type('cat\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type(`abc d${CTRL_D}`)
    await terminal.shows(/bash:x running> abc d\^D\nabc d$/)
    terminal.type('x\r')
    await terminal.shows(/abc dx\nx\n/)
    terminal.type(`abxc\x1b[D\x1b[D${CTRL_D}\r`)
    await terminal.shows(/abc\nabc\n/)
    terminal.type(CTRL_D)
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type(`echo typed${CTRL_D}`)
    await terminal.shows(/\$ echo typed$/)
    terminal.type('\r')
    await terminal.shows(/\ntyped\s+bash:x \S+\$$/)
    await leave(terminal)
  })
})
