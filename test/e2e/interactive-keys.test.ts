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

/** The same as it is written by hand: its cursor stays, and it goes up only when a key was pressed. */
const PLAIN_MENU = MENU.replace("process.stdout.write('\\x1b[?25l')\n", '').replace('\\x1b[?25h', '')

async function open(place: Place): Promise<Terminal> {
  const terminal = openTerminal(place, ['bash:x'])
  await terminal.shows(/\$$/)
  return terminal
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_D)
  expect(await terminal.exited).toBe(0)
}

describe('what else is typed at the prompt of a bash topic', () => {
  it('right behind Enter is for what that begins', async () => {
    const terminal = await open(stringPlace())
    terminal.type('sleep 300\r\x1a')
    await terminal.shows(/Stopped\s+sleep 300[\s\S]*bash:x \S+\$$/)
    terminal.type('kill %1; wait\r')
    await terminal.shows(/bash:x \S+\$$/)
    await leave(terminal)
  })

  it('in another window of the same topic is shown here, and the prompt goes along; a line half typed stays', async () => {
    const place = stringPlace()
    const [first, second] = [await open(place), await open(place)]
    second.type('echo ha')
    await second.shows(/\$ echo ha$/)
    first.type('echo from the first\r')
    await first.shows(/\nfrom the first\s+bash:x \S+\$$/)
    await second.shows(/\nfrom the first\n[\s\S]*bash:x \S+\$ echo ha$/)
    first.type('cd /usr\r')
    await first.shows(/bash:x \/usr\$$/)
    // It was begun elsewhere: it does not go along unseen.
    second.type('lf; pwd\r')
    await second.shows(
      /\(the shell has gone to \/usr meanwhile; Enter runs this there\)\nbash:x \/usr\$ echo half; pwd$/,
    )
    second.type('\r')
    await second.shows(/\nhalf\n\/usr\s+bash:x \/usr\$$/)
    await first.shows(/\nhalf\n\/usr\n/)
    first.type('cd /tmp\r')
    await second.shows(/bash:x \/tmp\$$/)
    await leave(second)
    await leave(first)
  })
})

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

  it.each([
    ['short', 40],
    ['nearly as long as the window', 94],
  ])('a line that is drawn anew stays one line however long that takes: one that is %s', async (_, length) => {
    const place = stringPlace()
    const bar = `for i in $(seq 1 ${length}); do printf '\\r[%-${length}s]' "$(printf '%.0s#' $(seq 1 $i))"; sleep .03; done; echo`
    const end = new RegExp(`\\n\\[#{${length}}\\]\\n`)
    const terminal = await open(place)
    terminal.type(`${bar}\r`)
    await terminal.shows(end)
    await terminal.shows(/bash:x \S+\$$/)
    expect(terminal.shown()).not.toMatch(/^\[#+ /m)
    await leave(terminal)
    const once = openTerminal(place, ['bash:x', bar])
    expect(await once.exited).toBe(0)
    expect(once.shown()).toMatch(new RegExp(`^\\[#{${length}}\\]\\s+exit: 0`))
  })

  it('a line that grows is broken where the window ends, and is there once, whoever waits for it', async () => {
    const place = stringPlace()
    const dots = 'for i in $(seq 250); do printf .; sleep .01; done; echo'
    const terminal = await open(place)
    terminal.type(`${dots}\r`)
    await terminal.shows(/\n\.{250}\nbash:x \S+\$$|\n\.{100}\n\.{100}\n\.{50}\nbash:x \S+\$$/)
    expect(terminal.shown()).not.toMatch(/^\.{1,49}\n/m)
    await leave(terminal)
    const once = openTerminal(place, ['bash:x', dots])
    expect(await once.exited).toBe(0)
    expect(once.shown()).not.toMatch(/^\.{1,49}\n/m)
  })

  it('Ctrl-C at a program that writes its line anew leaves that there once', async () => {
    const place = stringPlace()
    const program = `trap 'printf "\\r\\033[Kwords\\nover\\n"; exit' INT\nprintf words\nwhile :; do sleep .1; done\n`
    writeFileSync(join(place.dir, 'words.sh'), program)
    const terminal = await open(place)
    terminal.type('bash words.sh\r')
    await terminal.shows(/words$/)
    terminal.type('\x03')
    await terminal.shows(/over\nbash:x \S+\$$/)
    expect(terminal.shown().match(/^words/gm)).toHaveLength(1)
    await leave(terminal)
  })

  it("our own prompts get a line by one Enter, and the topic's own shell is no place for its prompt", async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'a.md'), '# Page A\n')
    const terminal = await open(place)
    terminal.type('string main\r')
    await terminal.shows(/main \S+>$/)
    terminal.type('/open a.md\r')
    await terminal.shows(/Page A\s+main a\.md>$/)
    terminal.type(CTRL_D)
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type('string bash:x\r')
    await terminal.shows(
      /You are in the shell of bash:x already: type here what it is to run\s+exit: 2\s+bash:x \S+\$$/,
    )
    await leave(terminal)
  })

  it('gets them where its cursor is shown: a menu, a pager, and a shell that reads one; what edits lines gets lines behind it', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'menu.mjs'), PLAIN_MENU)
    writeFileSync(join(place.dir, 'many'), Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n'))
    const terminal = await open(place)
    terminal.type('node menu.mjs\r')
    await terminal.shows(/❯ red\n {2}green\n {2}blue\s+bash:x: keys go to the program/)
    terminal.type(DOWN)
    await terminal.shows('❯ green')
    terminal.type('\r')
    await terminal.shows(/\? Which: green\s+bash:x \S+\$/)
    terminal.type('more many\r')
    await terminal.shows(/--More--.*\s+bash:x: keys go to the program/)
    terminal.type(' ')
    await terminal.shows('line 50')
    terminal.type('q')
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type('read -n1 -p "Go? (y/n) " x; read -s -n1 y; echo "[$x$y]"; node -i\r')
    await terminal.shows(/Go\? \(y\/n\)\s+bash:x: keys go to the program/)
    terminal.type('yz')
    await terminal.shows(/\[yz\][\s\S]*information\.\n[\s\S]*^>$/m)
    terminal.type('1+1\r')
    await terminal.shows(/^> 1\+1\n2\n(?:\(it edits lines by itself.*\n)?>$/m)
    terminal.type('.exit\r')
    await terminal.shows(/bash:x \S+\$$/)
    await leave(terminal)
  })

  it('is told of where its terminal does not say whether it wants keys or lines', async () => {
    const place = stringPlace()
    const ask = "createInterface({ input: process.stdin, output: process.stdout }).question('Name? ', (name) => {"
    const script = `import { createInterface } from 'node:readline'\n${ask} console.log('hi ' + name); process.exit() })`
    writeFileSync(join(place.dir, 'ask.mjs'), script)
    const terminal = await open(place)
    for (const name of ['bob', 'eve']) {
      terminal.type('node ask.mjs\r')
      await terminal.shows(/\(if it waits for a single key: Ctrl-\] gives it the keys\)\nName\?$/)
      terminal.type(`${name}\r`)
      await terminal.shows(new RegExp(`hi ${name}\\s+bash:x \\S+\\$$`))
    }
    await leave(terminal)
  })

  it('shows nothing of what it reads where it has turned the echo off, whatever it asks', async () => {
    const place = stringPlace()
    writeFileSync(
      join(place.dir, 'ask.sh'),
      'stty -echo\nprintf "Gib> "\nread x\nstty echo\necho\nprintf "Name> "\nread y\necho "${#x} $y"\n',
    )
    const terminal = await open(place)
    terminal.type('sh ask.sh\r')
    await terminal.shows(/^Gib>$/m)
    terminal.type('hunter2')
    await terminal.shows('•••••••')
    terminal.type('\r')
    await terminal.shows(/^Name>$/m)
    terminal.type('bob\r')
    await terminal.shows(/^Name> bob\n7 bob\s+bash:x \S+\$$/m)
    expect(terminal.shown()).not.toContain('hunter2')
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
