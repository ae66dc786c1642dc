import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, stringPlace } from '../support/cli.ts'

const CTRL_D = '\x04'
const HAND_OVER = '\x1d'
const DOWN = '\x1b[B'

/** A menu as libraries draw it: raw, its cursor hidden, over itself. */
const MENU = `
import { emitKeypressEvents } from 'node:readline'
const names = ['red', 'green', 'blue']
let at = 0
const up = '\\x1b[' + (names.length + 1) + 'A'
const draw = () => process.stdout.write('\\x1b[2K? Which\\n' + names.map((name, i) => '\\x1b[2K' + (i === at ? '❯ ' : '  ') + name + '\\n').join(''))
process.stdin.setRawMode(true)
emitKeypressEvents(process.stdin)
process.stdout.write('\\x1b[?25l')
draw()
process.stdin.on('keypress', (_text, key) => {
  if (key.name === 'down') at += 1
  process.stdout.write(up)
  if (key.name !== 'return') return draw()
  process.stdout.write('\\x1b[J? Which: ' + names[at] + '\\n\\x1b[?25h')
  process.exit(0)
})
`

async function open(place: Place): Promise<Terminal> {
  const terminal = openTerminal(place, ['bash:x'])
  await terminal.shows(/\$$/)
  return terminal
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_D)
  expect(await terminal.exited).toBe(0)
}

describe('a program that reads keys, at the prompt of a bash topic', () => {
  it('gets them where it draws a menu, also one that comes later, and what it showed last stays once', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'menu.mjs'), MENU)
    const terminal = await open(place)
    terminal.type('node menu.mjs\r')
    await terminal.shows(/\? Which\n❯ red\n {2}green\n {2}blue\s+bash:x: keys go to the program/)
    terminal.type(DOWN)
    await terminal.shows('❯ green')
    terminal.type(DOWN)
    await terminal.shows('❯ blue')
    terminal.type('\r')
    await terminal.shows(/\? Which: blue\s+bash:x \S+\$/)
    terminal.type('sleep 2; node menu.mjs; (exit 3)\r')
    await terminal.shows('❯ red')
    await terminal.shows('keys go to the program')
    // Ctrl-] takes the keys back, and gives them again.
    terminal.type(HAND_OVER)
    await terminal.shows(/Ctrl-\] gives it the keys again/)
    terminal.type(HAND_OVER)
    await terminal.shows('keys go to the program')
    terminal.type('\r')
    await terminal.shows(/\? Which: red\s+exit: 3\s+bash:x \S+\$/)
    await leave(terminal)
  })

  it('and changes its lines in place where it draws over them, keys or not', async () => {
    const terminal = await open(stringPlace())
    terminal.type('for i in 1 2 3 4; do printf "a: $i\\nb: $i\\n"; sleep 1; printf "\\e[2A"; done\r')
    await terminal.shows(/a: 4\nb: 4\nbash:x \S+\$/)
    // What was drawn over is not to be seen any more.
    expect(terminal.shown()).not.toMatch(/a: [123]/)
    await leave(terminal)
  })

  it('gets them by Ctrl-], with what was typed so far; it is said once, and Tab indents a line that is typed without', async () => {
    const terminal = await open(stringPlace())
    terminal.type('node -i\r')
    await terminal.shows(/\(it edits lines by itself: Ctrl-\] gives it the keys, .*\)\n>$/)
    terminal.type('\t1+1\r')
    await terminal.shows(/^> {5}1\+1\n2\n>$/m)
    terminal.type(`Math.ma${HAND_OVER}`)
    await terminal.shows(/^> Math\.ma[\s\S]*\n bash:x: keys go to the program/m)
    terminal.type('\t')
    await terminal.shows('Math.max')
    terminal.type('(4,5)\r')
    await terminal.shows(/^5\n>/m)
    terminal.type(HAND_OVER)
    await terminal.shows(/Ctrl-\] gives it the keys again/)
    terminal.type('6+1\r')
    await terminal.shows(/^> 6\+1\n7\n>$/m)
    terminal.type('.exit\r')
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type('node -i\r')
    await terminal.shows(/information\.\n>$/)
    terminal.type('.exit\r')
    await terminal.shows(/bash:x \S+\$$/)
    // One that leaves lines to the terminal gets a tab.
    terminal.type('cat | od -c\r')
    await terminal.shows(/running>$/)
    terminal.type('\tx\r')
    terminal.type(CTRL_D)
    await terminal.shows(/\\t +x +\\n[\s\S]*bash:x \S+\$$/)
    await leave(terminal)
  })
})
