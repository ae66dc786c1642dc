import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { COUNTING, writeAgent } from '../support/agent.ts'
import { isRunning, killDaemon, type Place, stringPlace } from '../support/cli.ts'

const CTRL_C = '\x03'
const CTRL_D = '\x04'
const CTRL_Z = '\x1a'
const CTRL_R = '\x12'
const DOWN = '\x1b[B'

/** Draws what is typed in the middle of its screen. */
const PROGRAM = [
  'stty -icanon -echo',
  `printf '\\033[?1049h\\033[2;3Hasks: '`,
  `while IFS= read -rN1 k && [ "$k" != q ]; do printf '%s' "\${k/$'\\e'/Esc}"; done`,
  `printf '\\033[?1049l'`,
  'echo over',
  '(exit 3)',
].join('; ')

/** Goes on when it is interrupted, and asks again. */
const ASKING =
  `bash -c 'trap "echo; printf \\"in> \\"" INT; printf "in> "; ` +
  `while :; do read -r l; s=$?; [ $s = 1 ] && break; [ $s = 0 ] && printf "got $l\\nin> "; done; echo bye'`

async function open(place: Place, ...args: string[]): Promise<Terminal> {
  const terminal = openTerminal(place, args)
  await terminal.shows(/[>$]$/)
  return terminal
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_D)
  expect(await terminal.exited).toBe(0)
}

describe('string in a terminal', () => {
  it('opens a prompt in topic main, lays out the page that is opened, and names it from then on', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'README.md'), '# Hello\n\nSome **bold** text.\n\n| a | b |\n|--|--|\n| 1 | 2 |\n')
    const terminal = await open(place)
    expect(terminal.shown()).toMatch(/^main \S+>$/m)
    terminal.type('/open README.md\r')
    await terminal.shows(/^Hello\n\nSome bold text\.\n\na │ b\n──┼──\n1 │ 2\nmain README\.md>$/m)
    expect(terminal.raw()).toContain('\x1b[1mbold\x1b[22m')
    terminal.type('/open ./REDME.md\r')
    await terminal.shows(/File not found.*\n {2}Did you mean \.\/README\.md\?\n.*\nmain README\.md>$/)
    terminal.type('/open nope.md\r')
    await terminal.shows(/ERROR\(NOT_FOUND\).*\n.*\/ls shows what exists\nmain README\.md>$/)
    terminal.type('turns\r')
    await terminal.shows(/turns is a verb: type string turns in a shell\nmain README\.md>$/)
    terminal.type('open README.md\r')
    await terminal.shows(/Did you mean \/open README\.md\?\nmain README\.md>$/)
    terminal.type('opne README.md\r')
    await terminal.shows(/Did you mean \/open README\.md\?\nmain README\.md>$/)
    terminal.type('stauts\r')
    await terminal.shows(/Did you mean string status, in a shell\?\nmain README\.md>$/)
    terminal.type('/qiut\r')
    await terminal.shows(/Did you mean \/quit\?\nmain README\.md>$/)
    terminal.type('/help ls\r')
    await terminal.shows(/\n\nExamples:\n\n {4}\/ls\n[\s\S]*main README\.md>$/)
    // What other prompts know as bare words is understood.
    for (const word of ['help', '?']) {
      terminal.type(`${word}\r`)
      await terminal.shows(/\/open[\s\S]*more lines? \(\d+%\): /)
      terminal.type('\x1b')
      await terminal.shows(/main README\.md>$/)
    }
    for (const word of ['clear', '/clear']) {
      const cleared = terminal.raw().split('\x1b[2J').length
      terminal.type(`${word}\r`)
      await vi.waitFor(() => expect(terminal.raw().split('\x1b[2J')).toHaveLength(cleared + 1))
    }
    for (const line of ['status', 'string status', 'strg status']) {
      terminal.type(`${line}\r`)
      await terminal.shows(/\n {2}status is a verb: type string status in a shell\nmain README\.md>$/)
    }
    terminal.type('string some words\r')
    await terminal.shows(/"string some words" is text, which only a shell takes/)
    terminal.type('some words\r')
    await terminal.shows(/"some words" is text, which only a shell takes: \/topic bash:NAME goes to one\nmain/)
    terminal.type('/find bold\r')
    await terminal.shows(/README\.md:L3: Some \*\*bold\*\* text\.\nmain README\.md>$/)
    expect(terminal.raw()).toContain('\x1b[1m\x1b[31mbold\x1b[22m\x1b[39m')
    terminal.type('\x1b[200~/replace README.md:L3\nOther text.\x1b[201~\r')
    await terminal.shows(/\+│ Other text\.\n[\s\S]*main README\.md>$/)
    expect(terminal.raw()).toContain('\x1b[32m 3 +│ Other text.')
    await leave(terminal)
  })

  it('a page that is taller than the window begins at its top, and what is typed then is the next command', async () => {
    const place = stringPlace()
    const lines = Array.from({ length: 70 }, (_, index) => `- item ${index + 1}`)
    writeFileSync(join(place.dir, 'long.md'), `# Long\n\n${lines.join('\n')}\n`)
    const terminal = await open(place)
    terminal.type('/open long.md\r')
    await terminal.shows(/Long\n\n• item 1\n[\s\S]*\n-- 44 more lines \(\d+%\): Space next, .* b back, .* q leaves --$/)
    terminal.type(' ')
    await terminal.shows(/item 55\n-- 15 more lines \(\d+%\): Space next, .* b back, .* q leaves --$/)
    terminal.type('/info\r')
    await terminal.shows(/main long\.md> \/info\n[\s\S]*main long\.md>$/)
    expect(terminal.shown()).not.toContain('item 56')
    terminal.type('/open long.md\r')
    await terminal.shows(/-- 44 more lines \(\d+%\): /)
    terminal.type(' ')
    await terminal.shows(/item 55\n-- 15 more lines \(\d+%\): /)
    terminal.type('b')
    await terminal.shows(/Long\n\n• item 1\n[\s\S]*\n-- 44 more lines \(\d+%\): /)
    terminal.type('/item 33\r')
    await terminal.shows(/^• item 33\n[\s\S]*item 61\n-- 9 more lines \(\d+%\): /m)
    terminal.type('/nowhere\r')
    await terminal.shows(/-- not found: nowhere --$/)
    terminal.type('G')
    await terminal.shows(/item 70\n-- end: b back, g top, q leaves --$/)
    terminal.type('q')
    await terminal.shows(/main long\.md>$/)
    terminal.type('/open long.md\r')
    await terminal.shows(/-- 44 more lines \(\d+%\): /)
    terminal.type('quit')
    await terminal.shows(/main long\.md> quit$/)
    terminal.type(CTRL_C)
    await terminal.shows(/main long\.md>$/)
    await leave(terminal)
    const whole = await open(place, 'main', '--no-pager')
    whole.type('/open long.md\r')
    await whole.shows(/item 70\nmain long\.md>$/)
    await leave(whole)
  })

  it('string TOPIC opens that topic, where its document still is; without a terminal it is wrong usage as before', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'a.md'), '# A\n')
    await place.string(['notes', '/open ./a.md'])
    const terminal = await open(place, 'notes')
    expect(terminal.shown()).toMatch(/^notes a\.md>$/m)
    await leave(terminal)
    expect((await place.string(['notes'])).status).toBe(2)
    expect((await place.string([])).status).toBe(2)
  })

  it('a page is laid out for a single command, too, and without colours where none are wanted', async () => {
    const place = stringPlace({ NO_COLOR: '1' })
    writeFileSync(join(place.dir, 'a.md'), '# A\n\n- one\n')
    const once = openTerminal(place, ['/open ./a.md'])
    await once.shows(/^Opened \.\/a\.md\n# A\n\n• one$/m)
    expect(once.raw()).not.toContain('\x1b[')
    writeFileSync(join(place.dir, 'longer-name.md'), 'x'.repeat(2_000))
    const list = openTerminal(place, ['/ls'])
    await list.exited
    const [short = '', longer = ''] = list.shown().match(/^(?:a|longer-name)\.md .*$/gm) ?? []
    expect([short.length, short.endsWith(' B'), longer.endsWith(' KB')]).toEqual([longer.length, true, true])
    const lost = openTerminal(place, ['/open ~/none.md'])
    await lost.shows(/not found: ~\/none\.md\n[\s\S]*~ is \S+\/agents\/default here$/)
    const hub = openTerminal(place, ['/open system'])
    await hub.exited
    expect(hub.shown()).toMatch(/\n\(this is topic system now: string system COMMAND goes on there\)$/)
    // What is named can be typed where that was.
    for (const [args, said] of [
      [['notes', 'some words'], `"some words" is text, which only a shell takes: string bash:NAME 'some words'`],
      [['notes', 'opne', 'a.md'], "Did you mean string notes '/open a.md'?"],
      [['notes', 'turns'], 'turns is a verb: string turns'],
      [['notes', 'status'], 'status is a verb: string status'],
      [['notes', 'bar'], '(notes was taken for a topic: no'],
      [['notes', 'stauts'], 'Did you mean string status?'],
      [['opne', 'a.md'], "There is no verb 'opne'. Did you mean string '/open a.md'?"],
    ] as const) {
      const refused = openTerminal(place, args)
      await refused.exited
      expect(refused.shown()).toContain(said)
    }
    const long = openTerminal(place, ['/exec sleep 1000'])
    await long.shows('running (Ctrl-C stops it)')
    long.type(CTRL_C)
    expect(await long.exited).toBe(130)
    expect(long.shown()).not.toContain('running')
    const terminal = await open(place)
    terminal.type('/open a.md\r')
    await terminal.shows(/# A\n\n• one\nmain a\.md>$/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what must not be there
    expect(terminal.raw()).not.toMatch(/\x1b\[[\d;]*m/)
    await leave(terminal)
    const shell = await open(place, 'bash:n')
    shell.type(`printf '\\033[1;35mloud\\033[0m quiet\\n'\r`)
    await shell.shows(/^loud quiet\nbash:n \S+\$$/m)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
    expect(shell.raw()).not.toMatch(/\x1b\[[\d;]*m/)
    shell.type('false\r')
    await shell.shows(/false\nexit: 1\nbash:n \S+\$$/)
    await leave(shell)
    // Whoever knows all that need not read it.
    const terse = await open({ ...place, env: { ...place.env, STRING_HINTS: '0' } }, 'bash:n')
    expect(terse.shown()).not.toContain('/help')
    terse.type('false\r')
    await terse.shows(/false\nbash:n \S+\$$/)
    terse.type('sleep 2\r')
    await terse.shows(/sleep 2\nbash:n \S+\$$/)
    expect(terse.shown()).not.toContain('goes on')
    await leave(terse)
  })

  it('completes what the daemon knows: commands, paths, blocks', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'guide.md'), '# Guide\n\n## First Steps\n\nGo.\n')
    const terminal = await open(place)
    terminal.type('/ope')
    await terminal.shows('/open')
    terminal.type('\tgui\t')
    await terminal.shows(/> \/open guide\.md/)
    terminal.type('\r')
    await terminal.shows(/main guide\.md>$/)
    terminal.type('/open #fi\t')
    await terminal.shows('/open #first-steps')
    terminal.type('\r')
    await terminal.shows(/Go\.\nmain guide\.md#first-steps>$/)
    // What typing has left of a menu is what Enter means.
    terminal.type('/open #\tfi\r')
    await terminal.shows(/> \/open #first-steps\n[\s\S]*#first-steps>$/)
    terminal.type('/\t')
    await terminal.shows(/\/open .*Read a file.*\n[\s\S]*more/)
    terminal.type(CTRL_C)
    await terminal.shows(/#first-steps>$/)
    await leave(terminal)
  })

  it('takes lines behind a command that needs them, and what is pasted as one text', async () => {
    const place = stringPlace()
    const terminal = await open(place)
    terminal.type('/write typed.md\r')
    await terminal.shows('Enter sends it')
    terminal.type('one\rtwo\r\r')
    await terminal.shows(/Written: typed\.md/)
    expect(readFileSync(join(place.dir, 'typed.md'), 'utf8')).toBe('one\ntwo\n')
    // What `~` is, where that is not the home of who types: once.
    terminal.type('/write ~/home.md\rone\r\r')
    await terminal.shows(/Written: ~\/home\.md.*\n\(~ is \S+ here\)\nmain \S+>$/)
    terminal.type('/write ~/home.md\rtwo\r\r')
    await terminal.shows(/Written: ~\/home\.md.*replaced 1 line\nmain \S+>$/)
    terminal.type('\x1b[200~/write pasted.md\na\n\nb\x1b[201~\r')
    await terminal.shows(/Written: pasted\.md/)
    expect(readFileSync(join(place.dir, 'pasted.md'), 'utf8')).toBe('a\n\nb\n')
    // Several commands are that many, where none of them could take the others for its lines.
    terminal.type('\x1b[200~/open typed.md\n\n/nope\n/open pasted.md\x1b[201~\r')
    await terminal.shows(/takes no body: send one command at a time/)
    terminal.type('\x1b[200~/open typed.md\n\n/ls --bogus\n/open pasted.md\n\x1b[201~\r')
    await terminal.shows(
      /> \/open typed\.md\nOpened typed\.md\n[\s\S]*> \/ls --bogus\nERROR[\s\S]*> \/open pasted\.md\nOpened pasted\.md\n[\s\S]*main pasted\.md>$/,
    )
    await leave(terminal)
  })

  it('keeps what was typed for the next time, for its owner alone, and no line that stores a secret', async () => {
    const place = stringPlace()
    const first = await open(place)
    first.type('/exec echo remembered\r')
    await first.shows(/^remembered$/m)
    first.type('/set $TOKEN = "hush-hush"\r')
    await first.shows(/TOKEN.*\nmain \S+>$/)
    // Nor is it shown again while the prompt is open: not by the arrow, not as a suggestion.
    first.type('\x1b[A')
    await first.shows(/main \S+> \/exec echo remembered$/)
    first.type('\x15/set')
    await first.shows(/main \S+> \/set(?! \$TOKEN).*$/)
    first.type('\x15')
    // What was refused is found there, and never suggested.
    first.type('/open --bogus x\r')
    await first.shows(/INVALID_PARAMS.*\n[\s\S]*main \S+>$/)
    await leave(first)
    const path = join(place.dataDir, 'topic-history')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const kept = ['/exec echo remembered', '/open --bogus x', '{"refused":"/open --bogus x"}']
    expect(readFileSync(path, 'utf8')).toBe(`${kept.join('\n')}\n`)
    const second = await open(place)
    second.type('/op')
    await second.shows(/> \/open$/)
    second.type('\x15/open gone.md\r')
    await second.shows(/NOT_FOUND[\s\S]*main \S+>$/)
    second.type('/op')
    await second.shows(/> \/open$/)
    second.type('\x15')
    second.type(`${CTRL_R}remem`)
    await second.shows('search: remem · /exec echo remembered')
    second.type('\r')
    await second.shows(/^remembered$/m)
    await leave(second)
  })

  it('a program that Ctrl-C ended leaves a terminal that shows what is typed', async () => {
    const place = stringPlace()
    const terminal = await open(place, 'bash:x')
    terminal.type('echo began; sleep 1000\r')
    await terminal.shows(/^began$/m)
    terminal.type(CTRL_C)
    await terminal.shows(/\^C[\s\S]*\nbash:x \S+\$$/)
    terminal.type('stty -a | grep -oE " -?echo " | tr -d " "; echo told\r')
    await terminal.shows(/^-?echo\ntold\nbash:x \S+\$$/m)
    expect(terminal.shown()).toMatch(/^echo\ntold$/m)
  })

  it('Ctrl-C ends the command that runs and everything it started, and not the prompt', async () => {
    const place = stringPlace()
    const terminal = await open(place)
    terminal.type(`/exec echo printed; echo $$ > pid; sleep 1000\r`)
    const path = join(place.dir, 'pid')
    await vi.waitFor(() => expect(existsSync(path) && readFileSync(path, 'utf8')).toMatch(/\d+\n/), { timeout: 20_000 })
    const pid = Number(readFileSync(path, 'utf8'))
    terminal.type(CTRL_C)
    await terminal.shows(/ERROR\(CANCELLED\).*\n.*\nprinted\nmain \S+>$/)
    expect(isRunning(pid)).toBe(false)
    terminal.type(`half${CTRL_C}`)
    await terminal.shows(/half\^C\nmain \S+>$/)
    terminal.type(CTRL_C)
    await terminal.shows(/Ctrl-C again leaves.*\nmain \S+>$/)
    terminal.type(`a\x7f${CTRL_C}`)
    await terminal.shows(/Ctrl-C again leaves.*\nmain \S+>$/)
    terminal.type(CTRL_C)
    expect(await terminal.exited).toBe(0)
  })

  it('a second Ctrl-C leaves soon after the first alone, and never a shell, where it is a habit', async () => {
    const place = stringPlace()
    const terminal = await open(place)
    terminal.type(CTRL_C)
    await terminal.shows(/Ctrl-C again leaves.*\nmain \S+>$/)
    await sleep(2_500)
    terminal.type(CTRL_C)
    await terminal.shows(/Ctrl-C again leaves.*\nmain \S+>$/)
    terminal.type('/topic bash:x\r')
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type(CTRL_C.repeat(3))
    await terminal.shows(/\^C\n.*\^C\n.*\^C\nbash:x \S+\$$/)
    terminal.type('echo still here\r')
    await terminal.shows(/^still here\nbash:x/m)
    terminal.type(CTRL_D)
    expect(await terminal.exited).toBe(0)
  })

  it('a line at a page is for the document that the prompt shows: one that was opened elsewhere meanwhile is told first', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'code.py'), 'a\nb\n')
    writeFileSync(join(place.dir, 'notes.md'), 'one\ntwo\n')
    const terminal = await open(place, 'shared')
    terminal.type('/open ./code.py\r')
    await terminal.shows(/shared code\.py>$/)
    await place.string(['shared', '/open ./notes.md'])
    terminal.type('/replace :L1 --delete\r')
    await terminal.shows(
      /notes\.md is open here now; Enter runs this there[\s\S]*shared notes\.md> \/replace :L1 --delete$/,
    )
    expect(readFileSync(join(place.dir, 'notes.md'), 'utf8')).toBe('one\ntwo\n')
    terminal.type('\r')
    await terminal.shows(/Replaced [\s\S]*shared notes\.md>$/)
    expect(readFileSync(join(place.dir, 'notes.md'), 'utf8')).toBe('two\n')
    await place.string(['shared', '/open ./code.py'])
    terminal.type('\r')
    await terminal.shows(/shared code\.py>$/)
    // What does the same whatever is open needs no second Enter.
    await place.string(['shared', '/open ./notes.md'])
    terminal.type('/topics\r')
    await terminal.shows(/notes\.md is open here now[\s\S]*Topics[\s\S]*shared notes\.md>$/i)
  })

  it('a line for a shell is no slip of a command, and help NAME is that of the command', async () => {
    const terminal = await open(stringPlace())
    terminal.type('clear; echo x\r')
    await terminal.shows(/"clear; echo x" is text, which only a shell takes[\s\S]*main \S+>$/)
    terminal.type('help undo\r')
    await terminal.shows(/Take back the last edit[\s\S]*main \S+>$/i)
  })

  it('a bash topic shows where its shell is and what it prints; Ctrl-C interrupts what goes on there', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'sub'))
    const terminal = await open(place, 'bash:x')
    terminal.type('//help\r')
    await terminal.shows(/^• \/\/info: Show the shell: [\s\S]*ctrl-d[\s\S]*bash:x \S+\$$/m)
    terminal.type('cd sub; echo hello; false\r')
    await terminal.shows(/^hello\nexit: 1\nbash:x \S+\/sub\$$/m)
    // The colours of what programs print are seen, and nothing else that a terminal would obey.
    const evil = ['\x1b]0;title\x07', '\x1b]52;c;eA==\x07', '\x1b[5n', '\x1b[8m']
    const inShell = (text: string): string => text.replaceAll('\x1b', '\\033').replaceAll('\x07', '\\007')
    terminal.type(`printf '${inShell(`${evil.join('')}\x1b[1;35mloud\x1b[0m quiet`)}\\n'\r`)
    await terminal.shows(/^loud quiet\nbash:x/m)
    expect(terminal.raw()).toContain('\x1b[1;35mloud\x1b[0m quiet')
    for (const each of evil) expect(terminal.raw()).not.toContain(each)
    // What the prompt shows is where relative paths start, and no ~ that means something else there.
    writeFileSync(join(place.dir, 'sub/note.md'), 'in sub\n')
    terminal.type('//ls\r')
    await terminal.shows(/^note\.md .*\nbash:x \S+\/sub\$$/m)
    terminal.type('//open no\t')
    await terminal.shows(/\/\/open note\.md$/)
    terminal.type('\r')
    await terminal.shows(/^in sub\nbash:x \S+\/sub\$$/m)
    expect((await place.string(['bash:x', '//open note.md'])).stdout).toContain('in sub')
    expect((await place.string(['bash:x', '//open ./note.md', '--cwd', '.'])).stdout).toContain('File not found')
    terminal.type('//open ~/none.md\r')
    await terminal.shows(/File not found: ~\/none\.md\n {2}\/\/ls shows.*\n {2}~ is \S+\/agents\/default here\n/)
    // A line for the shell is completed as a shell does: its ~ is the person's home.
    terminal.type('prin\t')
    await terminal.shows(/\$ print/)
    terminal.type('\x15cat ~/su\tno\t')
    await terminal.shows(/\$ cat ~\/sub\/note\.md$/)
    terminal.type('\r')
    await terminal.shows(/^in sub\nbash:x \S+\/sub\$$/m)
    terminal.type('/find in\r')
    await terminal.shows(
      /No such file or directory\n\(commands have two slashes here: \/\/find in\)\nexit: 127\nbash:x/,
    )
    terminal.type('read -p "name? " x; echo "got $x"; until [ -e go ]; do sleep 0.1; done; echo over\r')
    await terminal.shows(/echo over\n\(it goes on: type to it, Ctrl-C interrupts, Ctrl-D ends its input\)\nname\?$/m)
    terminal.type('Ann\r')
    await terminal.shows(/^name\? Ann\ngot Ann\nbash:x running>$/m)
    writeFileSync(join(place.dir, 'sub/go'), '')
    await terminal.shows(/^over\nbash:x \S+\/sub\$$/m)
    expect(terminal.shown()).not.toContain('text is its input')
    expect(terminal.shown().match(/it goes on: /g)).toHaveLength(1)
    terminal.type(`printf '\\033[32mone\\n'; until [ -e lit ]; do sleep 0.1; done; printf '\\033[33mtwo\\n'\r`)
    await terminal.shows(/^one\nbash:x running>$/m)
    writeFileSync(join(place.dir, 'sub/lit'), '')
    await terminal.shows(/^two\nbash:x \S+\/sub\$$/m)
    for (const lit of ['\x1b[32mone\x1b[0m', '\x1b[33mtwo\x1b[0m']) expect(terminal.raw()).toContain(lit)
    terminal.type('read -p "Enter? " x; echo "[$x]"\r')
    await terminal.shows(/echo "\[\$x\]"\nEnter\?$/)
    terminal.type('\r')
    await terminal.shows(/^Enter\?\n\[\]\nbash:x \S+\/sub\$$/m)
    // What is offered while a program runs is what was typed to it, and forgotten with it.
    terminal.type('while read -r l; do [ "$l" = q ] && break; echo "got $l"; [ "$l" = s ] && echo "Password:"; done\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('\x1b[A')
    terminal.type('first\r')
    await terminal.shows(/running> first\ngot first\nbash:x running>$/)
    terminal.type('s\r')
    await terminal.shows(/Password:\nbash:x running>$/)
    terminal.type('unseen\r')
    await terminal.shows(/got unseen\nbash:x running>$/)
    terminal.type('\x1b[A\x1b[A\x1b[A')
    await terminal.shows(/running> first$/)
    terminal.type(`\x15${CTRL_R}irs`)
    await terminal.shows('search: irs · first')
    terminal.type('\r')
    await terminal.shows(/got first\nbash:x running>$/)
    terminal.type('q\r')
    await terminal.shows(/bash:x \S+\/sub\$$/)
    terminal.type('\x1b[A')
    await terminal.shows(/\$ while read -r l; [\s\S]*; done$/)
    terminal.type('\x15')
    // What a program asks for is neither shown nor kept where it is a secret, and never kept.
    terminal.type(`sh -c 'printf "Password: "; read p; echo "\${#p} letters"; printf "Name: "; read n; echo "[$n]"'\r`)
    await terminal.shows(/read n; echo "\[\$n\]"'\nPassword:$/)
    terminal.type('hushed')
    await terminal.shows(/^Password: ••••••$/m)
    terminal.type('\r')
    await terminal.shows(/^Password:\n6 letters\nName:$/m)
    terminal.type('Bertha\r')
    await terminal.shows(/^Name: Bertha\n\[Bertha\]\nbash:x \S+\/sub\$$/m)
    // What was typed before the program asked, too.
    terminal.type('read -s p; echo "[${#p}]"\rwhispered\r')
    await terminal.shows(/^\[9\]\nbash:x \S+\/sub\$$/m)
    terminal.type('\x1b[A')
    await terminal.shows(/\$ read -s p; echo "\[\$\{#p\}\]"$/)
    terminal.type(`\x15`)
    expect(terminal.raw()).not.toContain('hushed')
    const kept = readFileSync(join(place.dataDir, 'topic-history'), 'utf8')
    expect(kept).toContain('read -s p')
    expect(kept).not.toMatch(/Ann|hushed|Bertha|whispered|first|unseen/)
    // Programs end the line of what nobody saw, which the Enter has ended here.
    terminal.type('read -s -p "Password: " s; echo; echo "${#s} letters"\r')
    await terminal.shows(/letters"\nPassword:$/)
    terminal.type('mute\r')
    await terminal.shows(/^Password:\n4 letters\nbash:x \S+\/sub\$$/m)
    // What a program with its own editor shows of a line is there already.
    terminal.type(`PS1='in$ ' bash --norc\r`)
    await terminal.shows(/--norc\n\(it edits lines by itself: Ctrl-\] .*\)\nin\$$/)
    terminal.type('echo nest"ed"\r')
    await terminal.shows(/^in\$ echo nest"ed"\nnested\nin\$$/m)
    terminal.type('node -i\r')
    await terminal.shows(/\n>$/)
    terminal.type('1+1\r')
    await terminal.shows(/^> 1\+1\n2\n>$/m)
    terminal.type('.exit\r')
    await terminal.shows(/^> \.exit\nin\$$/m)
    terminal.type('exit\r')
    await terminal.shows(/^in\$ exit\nexit\nbash:x \S+\/sub\$$/m)
    // Ctrl-C does the same however soon it is pressed.
    terminal.type('echo "so$((1 + 1))n"; touch soon; sleep 1000\r')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'sub/soon'))).toBe(true), {
      timeout: 20_000,
      interval: 10,
    })
    terminal.type(CTRL_C)
    await terminal.shows(/\^C\nbash:x \S+\/sub\$$/)
    expect(terminal.shown()).toMatch(/^so2n$/m)
    expect(terminal.shown()).not.toContain('CANCELLED')
    terminal.type('sleep 1000\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type(CTRL_C)
    await terminal.shows(/bash:x \S+\/sub\$$/)
    // What was typed meanwhile, and nobody has read, does not run and is not lost.
    terminal.type('sleep 1000\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('touch ahead\r')
    await terminal.shows(/running> touch ahead\nbash:x running>$/)
    terminal.type(CTRL_C)
    await terminal.shows(/is given back: Enter runs it here\)\nbash:x \S+\/sub\$ touch ahead$/)
    expect(existsSync(join(place.dir, 'sub/ahead'))).toBe(false)
    terminal.type('\x15')
    // Also where the program has printed something since; what were several lines are so again.
    terminal.type('i=0; while :; do echo "tick $((i += 1))"; sleep 0.2; done\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('false\recho "of $((1 + 1))"\r')
    await terminal.shows(/running> echo "of [\s\S]*tick \d+\n(?:tick \d+\n)+bash:x running>$/)
    terminal.type(CTRL_C)
    await terminal.shows(/Enter runs it here\)\nbash:x \S+\/sub\$ false\n *… echo "of \$\(\(1 \+ 1\)\)"$/)
    terminal.type('\r')
    await terminal.shows(/\/sub\$ false\nexit: 1\nbash:x \S+\$ echo "of .*\nof 2\nbash:x \S+\/sub\$$/)
    // What is interrupted and asks again gets the next key, however soon that is pressed.
    terminal.type(`${ASKING}\r`)
    await terminal.shows(/\nin>$/)
    for (let round = 0; round < 3; round += 1) {
      terminal.type(CTRL_C)
      await terminal.shows(/^\S*in> \^C\nin>$/m)
    }
    terminal.type('word\r')
    await terminal.shows(/in> word\ngot word\nin>$/)
    terminal.type(`${CTRL_C}${CTRL_D}`)
    await terminal.shows(/in> \^C\nin> \^D\nbye\n.*has ended: this is the shell\)\nbash:x \S+\/sub\$$/)
    // Ctrl-D ends what a program reads, and the program says nothing; it leaves only what goes on all the same.
    terminal.type('cat > typed\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('a line\r')
    await terminal.shows(/a line\nbash:x running>$/)
    terminal.type(CTRL_D)
    await terminal.shows(/\^D\n\(cat > typed has ended: this is the shell\)\nbash:x \S+\/sub\$$/)
    expect(readFileSync(join(place.dir, 'sub/typed'), 'utf8')).toBe('a line\n')
    terminal.type("sh -c 'echo begun; read x; exit 0'\r")
    await terminal.shows(/^begun\nbash:x running>$/m)
    terminal.type('exit()\r')
    await terminal.shows(/exit\(\)\n\(?[\s\S]*has ended: this is the shell\)\nbash:x \S+\/sub\$$/)
    terminal.type('until [ -e end ]; do sleep 0.1; done\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type(CTRL_D)
    await terminal.shows(/Ctrl-D again leaves it running\)\nbash:x running>$/)
    writeFileSync(join(place.dir, 'sub/end'), '')
    await terminal.shows(/bash:x \S+\/sub\$$/)
    terminal.type('echo "$p$((1 + 1))"\r')
    await terminal.shows(/^whispered2\nbash:x/m)
    // What does not heed Ctrl-C is ended by the second; nobody is caught by what runs.
    terminal.type(`trap '' INT; (trap '' INT TERM; while :; do sleep 0.1; done)\r`)
    await terminal.shows(/bash:x running>$/)
    terminal.type(CTRL_C)
    await terminal.shows(/Ctrl-C again ends it for good, Ctrl-D leaves it running\)\nbash:x running>$/)
    terminal.type(CTRL_D)
    expect(await terminal.exited).toBe(0)
    expect(terminal.shown()).toMatch(
      /goes on: string\s+bash:x\s+comes\s+back\s+to\s+it, string bash:x \/\/close ends it\)$/,
    )
    const back = await open(place, 'bash:x')
    // What was printed last is there again.
    expect(back.shown()).toMatch(/\nwhispered2\n\$ trap /)
    expect(back.shown()).toMatch(
      /^\(trap .* runs here: what you type is its input,\sCtrl-D\sends\sthat,\sCtrl-C\sinterrupts\sit\)\nbash:x running>$/m,
    )
    back.type(CTRL_C)
    await back.shows(/Ctrl-C again ends it/)
    back.type(CTRL_C)
    await back.shows(/bash:x .*\$$/)
    back.type('sleep 1000\r')
    await back.shows(/running>$/)
    // Ctrl-Z is for what runs there; at the prompt of the shell it is for us, and stops nothing that nobody could continue.
    back.type(`typed${CTRL_Z}`)
    await back.shows(/running> typed\^Z\n\[1\]\+ {2}Stopped +sleep 1000\n\(fg goes on .*\)\nbash:x \S+\$$/)
    back.type(CTRL_Z)
    back.type('fg\r')
    await back.shows(/\$ fg\nsleep 1000\nbash:x running>$/)
    back.type('//close\r')
    await back.shows(/Closed: bash:x, with its shell and \S+\/note\.md\nbash:x \S+\$$/)
    // Also one that has just begun, and has not been answered for.
    back.type('touch begun; sleep 999\r')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'begun'))).toBe(true), { timeout: 20_000, interval: 10 })
    back.type(`${CTRL_D}${CTRL_D}`)
    expect(await back.exited).toBe(0)
    expect((await place.string(['bash:x', '//info'])).stdout).toContain('running: touch begun; sleep 999')
  })

  it('runs a line only in the shell that its prompt shows, and says what was cut off with another', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'sub'))
    const terminal = await open(place, 'bash:x')
    terminal.type('cd sub\r')
    await terminal.shows(/bash:x \S+\/sub\$$/)
    terminal.type('touch ')
    await terminal.shows(/\/sub\$ touch$/)
    await place.string(['bash:x', 'cd ..'])
    terminal.type('here\r')
    await terminal.shows(
      /\(the shell has gone\s+to\s+\S+\s+meanwhile;\s+Enter\s+runs\s+this\s+there\)\nbash:x \S+\$ touch here$/,
    )
    terminal.type('; cd sub\r')
    await terminal.shows(/bash:x \S+\/sub\$$/)
    expect(existsSync(join(place.dir, 'here'))).toBe(true)
    await place.string(['restart'])
    terminal.type('touch there\r')
    await terminal.shows(
      /\(The daemon was restarted: Enter\s+runs\s+this\s+in\s+a\s+fresh\s+shell\s+in\s+\S+\/sub\)\nbash:x \S+\/sub\$ touch there$/,
    )
    // It starts where the prompt said.
    const there = join(place.dir, 'sub/there')
    expect(existsSync(there)).toBe(false)
    terminal.type('\r')
    await vi.waitFor(() => expect(existsSync(there)).toBe(true), { timeout: 20_000, interval: 10 })
    await terminal.shows(/bash:x \S+\/sub\$$/)
    // What no program has read is the shell's.
    terminal.type('until [ -e go ]; do sleep 0.1; done\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('echo AHE""AD\r')
    await terminal.shows(/running> echo AHE""AD\nbash:x running>$/)
    terminal.type('echo "and $((1 + 1))"\r')
    await terminal.shows(/running> echo "and .*\nbash:x running>$/)
    writeFileSync(join(place.dir, 'sub/go'), '')
    await terminal.shows(/^AHEAD\n(?:.*\n)*and 2\nbash:x \S+\$$/m)
    // As long as bash would read on, a script does.
    terminal.type('if true; then\r')
    await terminal.shows(/bash:x \S+\$ if true; then\n *…$/)
    terminal.type('echo "a\rb"; fi\r')
    await terminal.shows(/^a\nb\nbash:x \S+\$$/m)
    terminal.type('cat <<E\rdocument\rE\r')
    await terminal.shows(/^document\nbash:x \S+\$$/m)
    terminal.type('sleep 1000\r')
    await terminal.shows(/bash:x running>$/)
    const given = await place.string(['bash:x', 'false'])
    expect(given.stderr).toContain('given to sleep 1000 as its input')
    await place.string(['bash:x', '//close'])
    await terminal.shows(
      /^The shell has been ended elsewhere: sleep 1000 was cut off; the next line\s+runs\s+in\s+a\s+fresh\s+shell\s+in\s+\S+\/sub\nbash:x \S+\/sub\$$/m,
    )
    terminal.type('sleep 1000\r')
    await terminal.shows(/bash:x running>$/)
    // A folder that is not there any more is no place to start in.
    rmSync(join(place.dir, 'sub'), { recursive: true })
    await place.string(['stop'])
    await terminal.shows(
      /^The daemon (?:has gone|was restarted): sleep 1000 was cut off; the next line\s+runs\s+in\s+a\s+fresh\s+shell\s+in\s+\S+\nbash:x \S+\$$/m,
    )
    expect(terminal.shown()).not.toMatch(/\/sub\$$/)
    // Who stops a daemon means it, whatever was looked at: the next line starts one.
    expect((await place.string(['status'])).status).toBe(3)
    terminal.type('echo "again: $((2 + 2))"\r')
    await terminal.shows(/^again: 4$/m)
    await leave(terminal)
  })

  it('two terminals in one shell both show all that is printed there, in order and once', async () => {
    const place = stringPlace({ PAGER: 'cat' })
    const one = await open(place, 'bash:x')
    const two = await open({ ...place, env: { ...place.env, PAGER: 'own-pager' } }, 'bash:x')
    one.type('for i in 1 2 3 4 5 6 7 8; do read -t 0.4 x; echo "line $i $x"; done; read x; echo "last $x"\r')
    await one.shows(/bash:x running>$/)
    // Who sits before an older prompt hears of it.
    await two.shows(/^\$ for i [\s\S]*\n\(for i .*… runs here:[\s\S]*\nline 1\s*\n[\s\S]*bash:x running>$/m)
    for (const terminal of [one, two]) await terminal.shows(/line 8\s*\nbash:x running>$/)
    two.type('word\r')
    await two.shows(/running> word\nlast word\nbash:x \S+\$$/)
    await one.shows(/^last word\nbash:x \S+\$$/m)
    const lines = Array.from({ length: 8 }, (_, index) => `line ${index + 1}`)
    for (const terminal of [one, two]) expect(terminal.shown().match(/^line \d/gm)).toEqual(lines)
    // Also where one of them has followed something to its end.
    one.type('read x; echo "[$x]"\r')
    await one.shows(/bash:x running>$/)
    two.type('\r')
    await two.shows(/\n\$ read x; .*\n\(read x; .* runs here: [\s\S]*\nbash:x running>$/)
    two.type('\r')
    for (const terminal of [one, two]) await terminal.shows(/^\[\]\nbash:x \S+\$$/m)
    // What the other runs is seen where nothing was typed, too.
    one.type('echo "of $((1 + 0))"\r')
    await one.shows(/^of 1\nbash:x \S+\$$/m)
    await expect.poll(() => two.shown()).toMatch(/^\$ echo "of \$\(\(1 \+ 0\)\)"\nof 1\nbash:x \S+\$$/m)
    expect(one.shown()).not.toMatch(/^\$ /m)
    two.type('echo "of $((1 + 1))"\r')
    await two.shows(/^of 2\nbash:x \S+\$$/m)
    for (const terminal of [one, two]) expect(terminal.shown().match(/^of 1$/gm)).toHaveLength(1)
    // The terminal of the shell is as large as that of who typed last.
    two.resize(70, 20)
    two.type('stty size\r')
    await two.shows(/^19 70\nbash:x/m)
    one.type('stty size\r')
    await one.shows(/^29 100\nbash:x/m)
    // Each has the pager of their own terminal, and who is not at one has none.
    two.type('echo "<$PAGER>"\r')
    await two.shows(/^<own-pager>\nbash:x \S+\$$/m)
    expect((await place.string(['bash:x', 'echo "<$PAGER>"'])).stdout).toContain('<cat>')
    // Half of a command is not shown.
    one.type('cat <<E\r1\r2\r3\r4\r5\rE\r')
    await one.shows(/^5\nbash:x \S+\$$/m)
    one.type('sleep 1000\r')
    await one.shows(/bash:x running>$/)
    two.type('touch here\r')
    await two.shows(
      /touch here\n\$ sleep 1000\n\(sleep 1000 runs here now; Enter gives it this line\)\nbash:x running> touch here$/,
    )
    two.type(`\x15${CTRL_C}`)
    for (const terminal of [one, two]) await terminal.shows(/\^C\nbash:x \S+\$$/)
    await leave(one)
    await leave(two)
  })

  it('a bash topic shows all that is printed, when it is, and also what comes while nothing runs', async () => {
    const place = stringPlace()
    const terminal = await open(place, 'bash:x')
    // All of it, however much; what fits into no answer is in several.
    terminal.type('seq -f "number %.0f" 1 20000\r')
    await terminal.shows(/^number 20000\nbash:x \S+\$$/m)
    const numbers = terminal.shown().match(/^number \d+$/gm)
    expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => `number ${index + 1}`))
    expect(terminal.shown()).not.toContain('left out')
    // Who wrote to a pager that was left has not failed.
    terminal.type('(exit 141)\r')
    await terminal.shows(/\(exit 141\)\nbash:x \S+\$$/)
    // What jobs print stands above what is typed, which stays; that they are over bash says with the next Enter.
    const job = (name: string): string => `(until [ -e ${name} ]; do sleep 0.1; done; echo "of ${name}"; echo end) &`
    terminal.type(`${job('one')}\r`)
    await terminal.shows(/^\[1\] \d+\nbash:x \S+\$$/m)
    terminal.type('echo typed')
    writeFileSync(join(place.dir, 'one'), '')
    await terminal.shows(/^of one\nend\nbash:x \S+\$ echo typed$/m)
    terminal.type('\x15')
    await vi.waitFor(
      () => {
        terminal.type('\r')
        expect(terminal.shown()).toMatch(/^\[1\]\+ {2}Done/m)
      },
      { timeout: 20_000, interval: 300 },
    )
    expect(terminal.shown().match(/^of one$/gm)).toHaveLength(1)
    // Enter alone is no command: the status stays.
    terminal.type('(exit 3)\r')
    await terminal.shows(/exit: 3\nbash:x \S+\$$/)
    terminal.type('\r')
    terminal.type('echo "was $?"\r')
    await terminal.shows(/^was 3\nbash:x \S+\$$/m)
    await leave(terminal)
  })

  it('gives a program that takes the whole screen the whole window and every key, until it ends or Ctrl-]', async () => {
    const place = stringPlace()
    const terminal = await open(place, 'bash:x')
    const draws = (text: string): Promise<void> =>
      vi.waitFor(() => expect(terminal.raw().includes(text), text).toBe(true), { timeout: 20_000, interval: 30 })
    terminal.type('tput -T xterm cols 2>/dev/null || stty size | cut -d" " -f2\r')
    await terminal.shows(/^100$/m)
    terminal.type(`${PROGRAM}\r`)
    await draws('  asks:')
    await draws('Ctrl-] goes back to the prompt')
    expect(terminal.raw()).toContain('\x1b[?1049h')
    terminal.type('ä b')
    await draws('  asks: ä b')
    terminal.type('\x1b:w\x1b[1;5C')
    await draws('  asks: ä bEsc:wEsc[1;5C')
    terminal.type('\x1d')
    await terminal.shows(/Enter shows it again, .*\nbash:x running>$/)
    terminal.type('\r')
    await terminal.shows('Ctrl-] goes back')
    terminal.type('q')
    await terminal.shows(/over\nexit: 3\nbash:x .*\$$/)
    terminal.type(`printf '\\033[?1049h\\033[36mtinted\\033[0m here'; read -rN1 k; printf '\\033[?1049l'\r`)
    await draws('\x1b[36mtinted\x1b[0m here')
    terminal.type('q')
    await terminal.shows(/bash:x \S+\$$/)
    // One that is stopped has not failed: bash says what it is.
    terminal.type(`bash -c 'printf "\\033[?1049hdrawn"; read -rN1 k; printf "\\033[?1049l"; kill -TSTP $$'\r`)
    await terminal.shows('Ctrl-] goes back')
    terminal.type('q')
    await terminal.shows(/\[1\]\+ {2}Stopped +bash -c .*\n(?:.*\n)?\(fg goes on .*\)\nbash:x \S+\$$/)
    expect(terminal.shown()).not.toContain('exit: 148')
    terminal.type('(exit 148)\r')
    await terminal.shows(/exit: 148\nbash:x \S+\$$/)
    // Nor does it keep the window when its daemon is killed.
    terminal.type(`${PROGRAM}\r`)
    await terminal.shows('Ctrl-] goes back')
    await killDaemon(place)
    await terminal.shows(
      /The daemon has gone: stty .* was cut off; the\s+next\s+line\s+runs\s+in\s+a\s+fresh\s+shell\s+in\s+\S+\nbash:x \S+\$$/m,
    )
    const raw = terminal.raw()
    expect(raw.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(raw.lastIndexOf('\x1b[?1049h'))
    expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'))
    // The same is said of what was cut off before it was answered for.
    terminal.type('touch begun; sleep 999\r')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'begun'))).toBe(true), { timeout: 20_000, interval: 10 })
    await killDaemon(place)
    await terminal.shows(/^The daemon has gone: touch begun; sleep 999 was cut off; [^$]*\nbash:x \S+\$$/m)
    await leave(terminal)
  })

  it('goes to other topics, and follows a command that leads into one', async () => {
    const place = stringPlace()
    const terminal = await open(place)
    terminal.type('/topic work\r')
    await terminal.shows(/work \S+>$/)
    terminal.type('/info\r')
    await terminal.shows(/work \S+>$/)
    terminal.type('/open system\r')
    await terminal.shows(/more lines? \(\d+%\): Space next, .* q leaves --$/)
    terminal.type('q')
    await terminal.shows(/\(this is topic system now; \/topic work goes back\)\nsystem system>$/)
    terminal.type('/topic\r')
    await terminal.shows('Which topic? /topic NAME')
    terminal.type('/topic bash:q q\r')
    await terminal.shows(/One topic, not bash:q q: \/topic NAME, for example/)
    terminal.type('/topic bsh:dev\r')
    await terminal.shows('Did you mean bash:dev?')
    terminal.type('/grep TODO\r')
    await terminal.shows('To search files: /find TODO')
    terminal.type('/topic work\r')
    await terminal.shows(/work \S+>$/)
    // What goes with a daemon is said once, and the command runs.
    writeFileSync(join(place.dir, 'a b.md'), '# One\n\n## Two\n\ntext\n')
    terminal.type('/open "a b.md#two"\r')
    await terminal.shows(/work a b\.md#two>$/)
    await killDaemon(place)
    terminal.type('/exec echo "on $((1 + 1))"\r')
    await terminal.shows(
      /\(The daemon had gone, and is there again: a b\.md#two was opened again; every\s+topic\s+has\s+lost\s+its\s+variables, history\s+and\s+undo, and\s+what\s+ran\s+in\s+shells\s+has\s+ended\)\n(?:.*\n)*on 2\nwork a b\.md#two>$/,
    )
    terminal.type('/info\r')
    await terminal.shows(/a b\.md#two[\s\S]*work a b\.md#two>$/)
    // Also of one that was lost in the middle of a command.
    terminal.type('/exec touch begun; sleep 999\r')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'begun'))).toBe(true), { timeout: 20_000, interval: 10 })
    await killDaemon(place)
    await terminal.shows(/STREAM_INCOMPLETE[^>]*\nwork a b\.md#two>$/)
    // What cannot be opened again is told with what to type.
    rmSync(join(place.dir, 'a b.md'))
    terminal.type('/exec echo "on $((1 + 2))"\r')
    await terminal.shows(
      /again: a b\.md#two is not open any more[^>]*; \/open\s+"a\s+b\.md#two"\s+opens\s+it\s+again\)\n(?:.*\n)*on 3\nwork \S+>$/,
    )
    terminal.type('/exec echo "on $((2 + 2))"\r')
    await terminal.shows(/on 4\nwork \S+>$/)
    expect(terminal.shown().match(/The daemon had gone/g)).toHaveLength(2)
    terminal.type('/topic wo\t\r')
    await terminal.shows(/work \S+>$/)
    terminal.type('/quit\r')
    expect(await terminal.exited).toBe(0)
  })

  it('S24: what a document or an output holds is shown, and never obeyed', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'evil.md'), '# a\x1b]0;title\x07\n\n&#27;[2J `\x1b[2J` \u202e\n')
    const terminal = await open(place)
    for (const command of ['/open evil.md', '/open --source']) {
      terminal.type(`${command}\r`)
      await terminal.shows(/\\x(1b|07)[\s\S]*>$/)
    }
    for (const evil of ['\x1b[2J', '\x1b]', '\x07', '\u202e']) expect(terminal.raw()).not.toContain(evil)
    await leave(terminal)
  })

  it('what is typed while a command runs is the next one', async () => {
    const place = stringPlace()
    const terminal = await open(place)
    terminal.type('/exec until [ -e go ]; do sleep 0.05; done; echo one\r')
    await terminal.shows('done; echo one')
    terminal.type('/exec echo two\r/exec ec')
    writeFileSync(join(place.dir, 'go'), '')
    await terminal.shows(/^one\nmain \S+> \/exec echo two\n.*\ntwo\nmain \S+> \/exec ec/m)
    terminal.type('\x15')
    // Of what is given back each line is a command, as it was.
    terminal.type('/exec touch begun; sleep 1000\r')
    await vi.waitFor(() => expect(existsSync(join(place.dir, 'begun'))).toBe(true), { timeout: 20_000, interval: 10 })
    terminal.type('/exec echo "a $((1 + 1))"\r/exec echo "b $((1 + 2))"\r')
    await terminal.shows(/waits: \/exec echo "a .*\nwaits: \/exec echo "b/)
    terminal.type(CTRL_C)
    await terminal.shows(/> \/exec echo "a .*\n *… \/exec echo "b .*$/)
    terminal.type('\r')
    await terminal.shows(/^a 2\nmain \S+> \/exec echo "b .*\n.*\nb 3\nmain \S+>$/m)
    await leave(terminal)
  })

  it('SIGTERM and a closed terminal end it', async () => {
    const place = stringPlace()
    const first = await open(place)
    process.kill(first.pid, 'SIGTERM')
    expect(await first.exited).toBe(143)
    const second = await open(place, 'bash:x')
    second.type('until [ -e go ]; do sleep 0.1; done; echo last words; (exit 7)\r')
    await second.shows(/bash:x running>$/)
    second.hangUp()
    await vi.waitFor(() => expect(isRunning(second.pid)).toBe(false), { timeout: 20_000 })
    // What has ended in between is told to whoever comes back, once.
    writeFileSync(join(place.dir, 'go'), '')
    const info = async (): Promise<string> => (await place.string(['bash:x', '//info'])).stdout
    await vi.waitFor(async () => expect(await info()).toContain('ended meanwhile'), { timeout: 20_000 })
    const third = await open(place, 'bash:x')
    expect(third.shown()).toMatch(
      /\$ until [^\n]*\nlast words\n\(until .* has\s+ended\s+meanwhile,\s+exit: 7\)\nbash:x \S+\$$/,
    )
    third.type('\r')
    await third.shows(/bash:x \S+\$$/)
    expect(third.shown().match(/last words$/gm)).toHaveLength(1)
    // Whoever comes to what another window has open sees what is there, too, and how it ended.
    third.type('until [ -e stop ]; do sleep 0.1; done; echo RESULT; false\r')
    await third.shows(/bash:x running>$/)
    const fourth = await open(place, 'bash:x')
    await fourth.shows(/bash:x running>$/)
    fourth.hangUp()
    writeFileSync(join(place.dir, 'stop'), '')
    await third.shows(/RESULT\n.*exit: 1.*\nbash:x \S+\$$/)
    const fifth = await open(place, 'bash:x')
    expect(fifth.shown()).toMatch(/\$ until [^\n]*\nRESULT\n\(until .* has\s+ended,\s+exit: 1\)\nbash:x \S+\$$/)
    await leave(fifth)
    // Whoever sits before a shell that another window ends hears of it at once.
    third.type('true\r')
    await third.shows(/\$ true\nbash:x \S+\$$/)
    expect((await place.string(['bash:x', 'exit 4'])).status).toBe(1)
    await third.shows(
      /The shell has been ended elsewhere; the next line\s+runs\s+in\s+a\s+fresh\s+shell\s+in\s+\S+\nbash:x \S+\$$/,
    )
    third.type('echo "fresh: $((1 + 1))"\r')
    await third.shows(/^fresh: 2$/m)
    // With the shell one leaves its prompt, too.
    third.type('exit 3\r')
    expect(await third.exited).toBe(3)
    expect(third.shown()).toMatch(/\$ exit 3\nexit\n\(the shell has ended, exit: 3\)$/)
  })
})

describe('string chat without a profile', () => {
  it('lets a person choose of the profiles that are there, and /agents goes to another', async () => {
    const place = stringPlace()
    writeAgent(place.dir, COUNTING)
    mkdirSync(join(place.dir, 'other'))
    writeAgent(join(place.dir, 'other'), `echo '**other** heard'`)
    writeFileSync(
      join(place.dir, 'b.yaml'),
      readFileSync(join(place.dir, 'other/agent.yaml'), 'utf8').replaceAll('./', './other/'),
    )
    writeFileSync(join(place.dir, 'no-profile.yaml'), 'a: b\n')
    const chat = openTerminal(place, ['chat'])
    await chat.shows(/Talk to which agent\?.*\n> \S*agent\.yaml.*\n {2}b .*/)
    expect(chat.shown()).not.toContain('no-profile')
    for (const [key, status] of [
      ['\x1b', 0],
      [CTRL_C, 130],
    ] as const) {
      const left = openTerminal(place, ['chat'])
      await left.shows('Talk to which agent?')
      left.type(key)
      expect(await left.exited).toBe(status)
      expect(left.shown()).not.toContain('string:')
    }
    chat.type(`${DOWN}\r`)
    await chat.shows(/default>$/)
    chat.type('hello\r')
    await chat.shows(/^other heard\ndefault>$/m)
    chat.type('/agents\r')
    await chat.shows(/agent\.yaml .*in this folder/)
    await chat.shows(/\/agents NAME talks to another\ndefault>$/)
    chat.type(`/agents ${/(\S*agent\.yaml) /.exec(chat.shown())?.[1]}\r`)
    await chat.shows('Now with')
    chat.type('x\r')
    await chat.shows('turn 1 of default: x')
    chat.type('several\x1b\rlines\r')
    await chat.shows(/turn 2 of default: several\nlines/)
    chat.type(CTRL_D)
    expect(await chat.exited).toBe(0)
    // Who lives in the daemon is listed although none ran; what is typed narrows the list.
    const narrowed = openTerminal(place, ['chat'])
    await place.string(['agent', 'add', 'counter', '--profile', join(place.dir, 'agent.yaml')])
    await place.string(['stop'])
    const stopped = openTerminal(place, ['chat'])
    await stopped.shows(/Talk to which agent\?.*\n> counter .*lives in the daemon/)
    stopped.type(CTRL_C)
    narrowed.type('zz\r')
    await narrowed.shows('nothing matches')
    narrowed.type('\x7f\x7fother\r')
    await narrowed.shows(/default>$/)
    narrowed.type('hello\r')
    await narrowed.shows(/^other heard\ndefault>$/m)
    // The list has let go of the terminal, too: nothing goes on with one that is gone.
    narrowed.hangUp()
    await vi.waitFor(() => expect(isRunning(narrowed.pid)).toBe(false), { timeout: 20_000 })
  })

  it('says how to name one where there is none, and where nobody can choose', async () => {
    const place = stringPlace()
    expect(await place.string(['chat'])).toMatchObject({
      status: 2,
      stderr:
        'string: There is no agent to talk to yet. Two lines make one, and string chat bob talks to it:\n' +
        '  string bridge init bob\n  string agent add bob --profile bob/agent.yaml\n',
    })
    for (const line of [
      ['bridge', 'init', 'bob'],
      ['agent', 'add', 'bob', '--profile', 'bob/agent.yaml'],
    ])
      expect((await place.string(line)).status).toBe(0)
    expect((await place.string(['chat', 'bob', '-m', 'hi'])).status).toBe(0)
  })
})
