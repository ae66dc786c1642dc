import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyMembers } from '@string-os/bridge/reap'
import { encodeBlock } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec, readExec } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

type Send = (text: string, topic?: string) => Promise<string>

async function withBash(shellWaitMs?: number): Promise<TestDaemon & { send: Send; alive: () => number[] }> {
  const daemon = await startTestDaemon(shellWaitMs === undefined ? {} : { shellWaitMs })
  return {
    ...daemon,
    send: async (text, topic = 'bash:dev') => (await exec(daemon.port, text, { topic })).body,
    alive: () => familyMembers({ owner: `${readFileSync(join(daemon.dataDir, 'id'), 'utf8')}:` }),
  }
}

/** The answer of a command that still runs: its output, and what can be typed. */
function running(output: string | null): RegExp {
  const printed = output === null ? '' : `${output.replace('?', '\\?')}\n`
  return new RegExp(
    `^running \\| cwd: .*\n---\n${printed}\\(text is its input; also //wait SECONDS, //interrupt, //key NAME, //send TEXT\\)$`,
  )
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1))

describe('a bash topic', () => {
  it('keeps its folder, variables, functions, options and jobs, and shares them with no other', async () => {
    const { send, home } = await withBash()
    mkdirSync(join(home, 'sub'))
    expect(await send('cd sub; x=5; f() { echo "f $x"; }; set -o noclobber; sleep 300 &')).toMatch(
      new RegExp(`^exit: 0 \\| cwd: ${home}/sub`),
    )
    expect(await send('pwd; f; set -o | grep noclobber; jobs')).toMatch(
      new RegExp(`---\\n${home}/sub\\nf 5\\nnoclobber\\s+on\\n\\[1\\].*Running +sleep 300 &$`),
    )
    expect(await send('echo "[$x]"; pwd', 'bash:other')).toBe(`exit: 0 | cwd: ${home}\n---\n[]\n${home}`)
    // What bash says of jobs at its prompt is part of an answer, once, and changes no status.
    expect(await send('false')).toBe(`exit: 1 | cwd: ${home}/sub`)
    const told = [await send('set -e; kill %1; true'), await send('sleep 0.2; echo "$?"'), await send('true')].join(
      '\n',
    )
    expect(told.match(/^\[1\]\+ {2}Terminated +sleep 300$/gm)).toHaveLength(1)
    expect(told).toMatch(/^0$/m)
    expect(await send('sleep 0.01 & wait $!; true')).toMatch(/---\n\[1\] \d+\n\[1\]\+ {2}Done +sleep 0.01$/)
  })

  it.each([
    ['false', 1, ''],
    ['(exit 3)', 3, ''],
    ['bash -c "exit 7"', 7, ''],
    ['if then', 2, 'syntax error'],
    ['echo "open', 2, 'unexpected EOF'],
    ['no-such-command-here', 127, 'command not found'],
    ['cat <<EOF\nhere $((1+1))\nEOF', 0, 'here 2'],
    ['g() {\n  echo in g\n  return 4\n}\ng', 4, 'in g'],
    ['for i in 1 2 3; do\n  echo "$i"\ndone', 0, '1\n2\n3'],
    ['true; false; true', 0, ''],
    ["printf '\\033]7771;0123456789abcdef01234567;end;0;/forged\\007'; false", 1, ''],
    ["PS1='> '; PROMPT_COMMAND='echo noise'; false", 1, ''],
    ['unset PROMPT_COMMAND; cd /; false', 1, ''],
    ["PS1='$ '; PS0='ran '; true", 0, ''],
    ['stty echo', 0, ''],
    ['stty sane; (exit 3)', 3, ''],
    ['set -eu; trap "echo caught" ERR; unset PS1; true', 0, ''],
    ['sleep 0.01 & sleep 0.1', 0, '[1] '],
  ])('tells the status of %j', async (script, status, output) => {
    const { send } = await withBash()
    const answer = await send(script)
    expect(answer).toMatch(new RegExp(`^exit: ${status} \\| cwd: /`))
    expect(answer).not.toContain('forged')
    if (output === '') expect(answer).not.toContain('---')
    else expect(answer).toContain(output)
    expect(await send('echo still here')).toMatch(/^exit: 0 \| cwd: \/.*\n---\nstill here$/)
  })

  it.each([
    'PROMPT_COMMAND="history -a"',
    'PROMPT_COMMAND="history -a"; PS1="me\\$ " PS0=ran PS2="more "',
    'PROMPT_COMMAND=("true" "history -a")',
    'PROMPT_COMMAND+=("history -a"); readonly PROMPT_COMMAND',
    'unset PROMPT_COMMAND; PS1="(v) ${PS1-}"; set -eu; trap "echo caught" ERR',
  ])('tells the end of what was typed ahead, and what it printed alone, after %j', async (set) => {
    const { send, home } = await withBash(300)
    await send(set)
    expect(await send('until [ -e go ]; do sleep 0.05; done; echo waited')).toMatch(/^running/)
    await send('echo ahead')
    await send('for i in 1 2; do\n  echo "$i"\ndone')
    await send('cd /; (exit 3) || echo last')
    writeFileSync(join(home, 'go'), '')
    let told = ''
    while (!told.includes('exit: ')) told += await send('//wait 9')
    const printed = told.replaceAll(/^.*\| cwd: .*\n---\n|\(text is its input.*/gm, '')
    expect(printed).toMatch(/^waited\nahead\n1\n2\nlast$/)
    expect(printed).not.toMatch(/me\$|\(v\)|more|7771|caught/)
    expect(told).toMatch(/exit: 0 \| cwd: \/\n/)
    expect(await send('false || (exit 4) || echo "[${PS0-}]"')).toMatch(/---\n\[(ran)?\]$/)
  })

  it('comes back where what was typed ahead took its hooks', async () => {
    const { send, home } = await withBash(300)
    await send('until [ -e go ]; do sleep 0.05; done')
    await send('PROMPT_COMMAND="history -a"; PS1="me "')
    await send('cd /; false')
    writeFileSync(join(home, 'go'), '')
    let told = ''
    while (!told.includes('exit: ')) told += await send('//wait 9')
    expect(told).toMatch(/exit: 1 \| cwd: \/$/)
    expect(told).not.toContain('me ')
  })

  it('is interrupted where what was typed ahead left no hook', async () => {
    const { send, home } = await withBash(300)
    await send('until [ -e go ]; do sleep 0.05; done')
    await send('unset PROMPT_COMMAND; PS1="me "')
    writeFileSync(join(home, 'go'), '')
    await expect.poll(() => send('//wait 0')).toMatch(/\nme\n/)
    expect(await send('//interrupt')).toMatch(/^exit: 130 /)
    expect(await send('(exit 3)')).toMatch(/^exit: 3 \| cwd: \S+$/)
  })

  it('keeps the status of what runs while its input is ended, and of what was typed ahead', async () => {
    const { send, home } = await withBash(300)
    const wait = 'until [ -e go ]; do sleep 0.05; done'
    await send(`trap "echo caught" ERR; ${wait}; (exit 7)`)
    await send('//key ctrl-d')
    writeFileSync(join(home, 'go'), '')
    let told = ''
    while (!told.includes('exit: ')) told += await send('//wait 9')
    expect(told).toMatch(/exit: 7 \| cwd: \S+\n---\ncaught$/)
    await send(`trap - ERR; rm go; ${wait}; (exit 8)`)
    await send('echo "before: $?"')
    writeFileSync(join(home, 'go'), '')
    told = ''
    while (!told.includes('exit: ')) told += await send('//wait 9')
    expect(told).toContain('before: 8')
  })

  it('remembers the status of the command before, which no trap takes for a failure of its own', async () => {
    const { send } = await withBash()
    await send("trap 'echo caught' ERR; (exit 3)")
    expect(await send('echo "before: $?"')).toMatch(/---\nbefore: 3$/)
    expect(await send('echo "before: $?"')).toMatch(/---\nbefore: 0$/)
  })

  it('tells its end whatever separates words there', async () => {
    const { send, home } = await withBash(5_000)
    expect(await send('IFS=0123456789')).toBe(`exit: 0 | cwd: ${home}`)
    expect(await send('(exit 10)')).toBe(`exit: 10 | cwd: ${home}`)
    expect(await send('echo "é $?"')).toBe(`exit: 0 | cwd: ${home}\n---\né 10`)
  })

  it('is given every character as it is', async () => {
    const { send } = await withBash()
    const text = "a\u0001b\u007fc\td\\n é 😀 'x'"
    expect(await send(`printf %s "${text}" | od -An -c | tr -d ' \\n'`)).toContain('a001b177c\\td\\n303251')
  })

  it('runs what it was told last and nothing of what was before, also when the file between them was removed', async () => {
    const { send, dataDir } = await withBash()
    expect(await send(`echo ${'long '.repeat(5_000)}| wc -w`)).toMatch(/---\n5000$/)
    expect(await send('echo short')).toMatch(/---\nshort$/)
    // A line of ASCII is typed; only others go by the file.
    expect(await send('echo kürzer')).toMatch(/---\nkürzer$/)
    rmSync(join(dataDir, 'shell'), { recursive: true })
    expect(await send('echo äh')).toMatch(/---\näh$/)
    expect(await send('echo again')).toMatch(/---\nagain$/)
    expect(await send(`echo ${"'".repeat(893)}x'`)).toMatch(/---\nx$/)
    expect(await send('true')).toMatch(/^exit: 0 \| cwd: [^\n]*$/)
  })

  it('says how a command is typed here to who typed it with one slash, where no program has that name', async () => {
    const { send, port } = await withBash()
    expect(await send('/info')).toMatch(
      /^exit: 127 .*\n---\n.*No such file.*\n\(commands have two slashes here: \/\/info\)$/,
    )
    expect(await send('/open ./a.md | cat -u; /act.x 1')).toMatch(/two slashes here: \/\/open \.\/a\.md \| cat/)
    expect(await send('/nothing')).not.toContain('two slashes')
    expect(await send('nothing')).not.toContain('two slashes')
    const { head } = await exec(port, '/info', { topic: 'bash:dev' })
    expect(head.data).toMatchObject({ exit: 127, output: expect.not.stringContaining('two slashes') as string })
  })

  it('is not trapped by a pager, unless somebody set one', async () => {
    const { send, port, home, dataDir } = await withBash()
    const shown = 'printf "%s " "$PAGER" "$GIT_PAGER" "$MANPAGER" "$SYSTEMD_PAGER"'
    expect(await send(shown)).toContain('---\ncat cat cat cat')
    expect((await exec(port, `/exec ${shown}`)).body).toContain('---\ncat cat cat cat')
    const log = 'git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "the subject"'
    expect(await send(`${log} && git log`)).toMatch(/^exit: 0 .*the subject/s)
    // A person at a terminal has theirs, or the one that the program chooses, for that line; nobody else has.
    const all =
      'printf "%s|" "${PAGER-}" "${GIT_PAGER-}" "${MANPAGER-}" "${SYSTEMD_PAGER-}" "${LESS-}" "${SYSTEMD_LESS-}"'
    const typed = async (text: string, pagers = {}, topic = 'bash:dev'): Promise<string> =>
      (await exec(port, text, { topic, pagers })).body
    expect(await typed(all)).toContain('---\n||||FR|FRSMK|')
    expect(await typed(all, { PAGER: "it's", MANPAGER: 'most', LESS: 'iX' })).toContain(
      "---\nit's||most||iX -+X|FRSMK|",
    )
    expect(await typed(`${all} # ${'é'.repeat(600)}`, { PAGER: "'".repeat(128) })).toContain(`---\n${"'".repeat(128)}|`)
    expect(await send(all)).toContain('---\ncat|cat|cat|cat|||')
    expect(await typed('set -u; (exit 3)')).toMatch(/^exit: 3 /)
    expect(await send(`set +u; ${all}`, 'bash:dev')).toContain('---\ncat|cat|cat|cat|||')
    expect(await typed('exec bash --norc', { PAGER: 'most' })).toMatch(/^exit: 0 /)
    expect(await send(all)).toContain('---\ncat|cat|cat|cat|||')
    // What they assign themselves is the shell's from then on, and so is what the shell was given before.
    expect(await typed('export PAGER=own GIT_PAGER=cat; unset LESS')).toMatch(/^exit: 0 /)
    expect(await typed(all, { PAGER: 'most', GIT_PAGER: 'most' })).toContain('---\nown|cat||||FRSMK|')
    expect(await send(all)).toContain('---\nown|cat|cat|cat|||')
    expect(await send('export LESS=RX MANPAGER=x; readonly SYSTEMD_PAGER')).toMatch(/^exit: 0 /)
    expect(await typed(all)).toContain('---\nown|cat|x|cat|RX|FRSMK|')
    writeFileSync(join(dataDir, 'env'), 'PAGER=my-pager\n', { mode: 0o600 })
    expect((await exec(port, `/exec ${shown}`)).body).toMatch(/---\nmy-pager\s*$/)
    writeFileSync(join(home, '.bashrc'), 'export GIT_PAGER=from-rc LESS=RX\n')
    expect(await send(shown, 'bash:rc')).toContain('---\nmy-pager from-rc')
    expect(await typed(all, { PAGER: 'most' }, 'bash:rc')).toContain('---\nmy-pager|from-rc|||RX -+X|FRSMK|')
  })

  it('says what can be typed while something runs', async () => {
    const { send } = await withBash(300)
    expect(await send('echo first; read -r line; echo "got $line"')).toMatch(running('first'))
    expect(await send('//wait 0')).toMatch(running(null))
    expect(await send('hello')).toMatch(/---\ngot hello$/)
  })

  it('goes on after exec bash, with status and folder', async () => {
    const { send } = await withBash()
    expect(await send('cd /tmp; exec bash --norc')).toMatch(/^exit: 0 \| cwd: \/tmp/)
    expect(await send('cd /; (exit 5)')).toMatch(/^exit: 5 \| cwd: \/$/)
    expect(await send('echo fine')).toBe('exit: 0 | cwd: /\n---\nfine')
  })

  it('says that exit ended the shell; the next input starts a fresh one', async () => {
    const { send } = await withBash()
    await send('x=1')
    expect(await send('exit 4')).toMatch(
      /^exit: 4 \| cwd: .*\n---\n[\s\S]*\(the shell has ended; the next input starts a fresh one\)$/,
    )
    expect(await send('echo "[$x]"')).toMatch(/---\n\[\]$/)
    expect(await send('set -e\nfalse\necho not here')).toMatch(/^exit: 1 \|[\s\S]*the shell has ended/)
    expect(await send('echo again')).toMatch(/---\nagain$/)
  })

  it('reads ~/.bashrc first, and works when that sets traps, prompts and colours', async () => {
    const { send, home } = await withBash()
    writeFileSync(
      join(home, '.bashrc'),
      "export FROM_RC=yes\nPS1='\\[\\e[31m\\]$ '\nPROMPT_COMMAND='echo rc'\nalias ll='echo aliased'\n",
    )
    expect(await send('echo $FROM_RC; ll')).toMatch(/---\nyes\naliased$/)
    expect(await send('false')).toMatch(/^exit: 1 \| cwd: \S+$/)
  })

  it('shows what a person would see: no echo, no colours, progress at its last state, wide characters, head and tail', async () => {
    const { send, home } = await withBash()
    expect(await send("printf '\\033[32mgreen\\033[0m\\n10%%\\r50%%\\r100%%\\n漢字 e\\u0301\\n'")).toMatch(
      /---\ngreen\n100%\n漢字 e\u0301$/,
    )
    const large = await send('seq 1 200000')
    expect(large.length).toBeLessThan(300 * 1024)
    expect(large).toMatch(
      /---\n1\n2\n[\s\S]*bytes left out; the whole is in \/\S+\/\.string\/output\/[\s\S]*\n199999\n200000$/,
    )
    // As it is typed here, where `~` is another home; the line ends of the terminal are not the program's.
    const [, path = '', command = ''] = /the whole is in (\S+), (\S+) reads it/.exec(large) ?? []
    expect(path).toContain(home)
    expect(await send(`${command} ${path}`)).toMatch(/\n---\n1\n2\n/)
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([...numbers(200_000), ''])
    await send('//close')
    expect(existsSync(path)).toBe(false)
  })

  it('R16: is never wedged by a program that waits for input', async () => {
    const { send, port } = await withBash(800)
    expect(await send('read -p "name? " n; echo "hi $n"')).toMatch(running('name?'))
    expect(await send('Ada')).toMatch(/^exit: 0 \| cwd: .*\n---\nhi Ada$/)
    let shown = await send('python3 -q')
    expect(shown).toMatch(/^running \|/)
    while (!shown.includes('>>>')) shown += await send('//wait 1')
    expect(await send('a = 6 * 7')).toMatch(running('>>>'))
    expect(await send('print(a)')).toMatch(running('42\n>>>'))
    // Who comes later sees what was typed, too.
    const { text } = (await call(port, 'GET', '/sessions/default/bash%3Adev')).json as { text: string }
    expect(text).toMatch(/\$ python3 -q\n>>> a = 6 \* 7\n>>> print\(a\)\n42\n>>> ?$/)
    expect(await send('//info')).toMatch(/running: python3 -q \(\d+ seconds?\)/)
    expect(await send('//key ctrl-d')).toMatch(/^exit: 0 \|/)
    expect(await send('read -s p; echo "got $(printf %s "$p" | wc -c)"')).toMatch(/^running \|/)
    expect(await send('secret')).toMatch(/---\ngot 6$/)
    expect(await send('cat')).toMatch(/^running \|/)
    expect(await send('typed once')).toMatch(running('typed once'))
    expect(await send('//send no newline')).toMatch(/^running \|/)
    expect(await send('//key enter')).toMatch(running('no newline'))
    expect(await send('//key ctrl-d')).toMatch(/^exit: 0 \|/)
  })

  it('a program that takes the whole screen is answered for at once, with what it shows and the keys it takes', async () => {
    const { send, port } = await withBash()
    const script = `stty -icanon -echo; echo before; printf '\\033[?1049h\\033[2;3Hasks: '; while IFS= read -rN1 k && [ "$k" != q ]; do printf '%s' "$k"; done; printf '\\033[?1049l'; stty size`
    const first = await exec(port, script, { topic: 'bash:dev' })
    expect(first.head).toMatchObject({ data: { running: true, screen: { lines: 2, row: 1, column: 8 } } })
    expect(first.body).toMatch(
      /^running \|.*\n---\nbefore\n\n {2}asks:\n\(it has the whole screen, as shown; \/\/key NAME…/,
    )
    let drawn = await send('//key h space ä')
    while (!drawn.includes('asks: h ä')) drawn = await send('//wait 1')
    expect(drawn).toMatch(/---\n\n {2}asks: h ä\n\(/)
    expect(await send('//key x nope')).toContain('Unknown key: nope')
    expect(await send('//size 0 40')).toContain('ERROR(INVALID_PARAMS): No size of a terminal: 0 × 40')
    expect(await send('//size 120 40')).toBe('Terminal: 120 × 40')
    expect(await send('//key q')).toMatch(/^exit: 0 .*\n---\n40 120$/)
    await send('//size 90 30', 'bash:new')
    expect(await send('stty size', 'bash:new')).toMatch(/---\n30 90$/)
  })

  it('//interrupt ends what runs, while the command is waited for, and does not queue', async () => {
    const { send, port, home } = await withBash()
    await send('true')
    const running = send('sleep 300')
    await expect.poll(async () => send('//info')).toContain('running: sleep 300')
    expect(await send('//interrupt')).toMatch(/^exit: 130 \|/)
    expect(await running).toMatch(/^exit: 130 \|/)
    const stubborn = send('bash -c \'trap "" INT; touch ready; sleep 300\'')
    await expect.poll(() => existsSync(join(home, 'ready'))).toBe(true)
    expect(await send('//interrupt')).toMatch(/^running \|/)
    await call(port, 'DELETE', '/sessions/default/bash%3Adev')
    expect(await stubborn).toContain('CANCELLED')
  })

  it('a cancel ends what fg brought back, with all that it started, and leaves its shell and other jobs', async () => {
    const { send, port, home, alive } = await withBash(300)
    // It says nothing of its own children that are killed before it.
    const stubborn = `exec 2>/dev/null; trap '' INT TERM HUP; setsid sh -c 'trap "" TERM; sleep 302' & while :; do sleep 0.1; done`
    writeFileSync(join(home, 'stubborn.sh'), `${stubborn}\n`)
    await send('kept=yes; set +H; sleep 301 &')
    expect(await send('bash stubborn.sh')).toMatch(/^running \|/)
    expect(await send('//key ctrl-z')).toMatch(/Stopped +bash stubborn.sh$/)
    expect(await send('fg')).toMatch(/^running \|/)
    await expect.poll(() => alive().length).toBeGreaterThan(4)
    await call(port, 'POST', '/sessions/default/bash%3Adev/cancel')
    expect(await send('echo "$kept"; jobs')).toMatch(/---\n(Killed\n)?yes\n\[1\].*Running +sleep 301 &$/)
    expect(alive()).toHaveLength(2)
  })

  it('says of a shell that had to be ended why, once to whoever asks next and to each who had read there', async () => {
    const { send, port } = await withBash(300)
    const { head } = await exec(port, `trap '' INT TERM HUP; echo begun; while :; do :; done`, {
      topic: 'bash:dev',
      seen: '',
    })
    expect(head.data?.running).toBe(true)
    await call(port, 'POST', '/sessions/default/bash%3Adev/cancel')
    const told =
      /^ERROR\(CANCELLED\)[\s\S]*\(the shell itself went on with trap .*: it was ended, .*\)\n\(the shell has ended; the next/
    expect(await send('//wait 0')).toMatch(told)
    expect(await send('//wait 0')).toContain('No shell runs in this topic')
    const seen = typeof head.data?.place === 'string' ? head.data.place : ''
    expect((await exec(port, '//wait 0', { topic: 'bash:dev', seen })).body).toMatch(told)
    expect(await send('echo fresh')).toMatch(/---\nfresh$/)
    expect(await send('exit 3')).toContain('(the shell has ended')
    expect(await send('//interrupt')).toContain('No shell runs in this topic')
  })

  it('gives each reader that has a place of its own all that came after it, and the others what is new', async () => {
    const { port, send } = await withBash(300)
    const read = async (cmd: string, seen?: string): Promise<{ text: string; place: unknown }> => {
      const { head, body } = await exec(port, cmd, { topic: 'bash:dev', ...(seen === undefined ? {} : { seen }) })
      const [, printed = ''] = /^[^\n]*\n---\n([\s\S]*)$/.exec(body) ?? []
      return { text: printed.replace(/\n?\([^()]*\)$/, ''), place: head.data?.place }
    }
    const end = async (): Promise<string> => String((await read('//info')).place)
    const asked = 'echo one; read x; echo "two $x"; read y; echo "three $y"; read z; seq 1 40000; echo end; read'
    const first = await read(asked, '')
    expect(first).toMatchObject({ text: 'one', place: expect.stringMatching(/^[0-9a-f]+:5:\d+$/) })
    const place = String(first.place)
    const second = await read('a', place)
    expect(second.text).toBe('two a')
    // Nobody else has taken it from this one, and what is without a place is as it was.
    expect(await read('//wait 0', place)).toEqual(second)
    expect(await read('//wait 0')).toEqual({ text: '', place: undefined })
    expect(await read('b')).toEqual({ text: 'three b', place: undefined })
    const third = await read('//wait 0', place)
    expect(third.text).toBe('two a\nthree b')
    expect(await read('//wait 0', 'of-another:3')).toEqual({ ...third, text: 'one\ntwo a\nthree b' })
    expect((await exec(port, '//info', { topic: 'bash:dev' })).head.data?.place).toBe(third.place)
    // What an answer does not hold comes with the next ones, in order.
    await read('c')
    expect(await send('echo ignored')).toMatch(/^exit: 0/)
    const all: string[] = []
    for (let at = place, isMore = true; isMore; ) {
      const { head, body } = await exec(port, '//wait 9', { topic: 'bash:dev', seen: at })
      all.push(body.replace(/^[^\n]*\n---\n/, ''))
      at = typeof head.data?.place === 'string' ? head.data.place : ''
      isMore = head.data?.more === true
    }
    expect(all.length).toBeGreaterThan(2)
    expect(all.join('\n')).toBe(['two a', 'three b', ...numbers(40_000), 'end'].join('\n'))
    // Of what is too far back the end is there, and what is missing is told, with where it is.
    const before = await end()
    await exec(port, 'seq 1 1000000', { topic: 'bash:dev', seen: before })
    while ((await exec(port, '//info', { topic: 'bash:dev' })).head.data?.running === true) await send('//wait 9')
    const late = await exec(port, '//wait 0', { topic: 'bash:dev', seen: before })
    const [, path = ''] =
      /---\n\(\d+ bytes before this are not kept any more; the whole is in (\S+), \/\/open reads it\)\n\d+\n/.exec(
        late.body,
      ) ?? []
    expect(late.body).toMatch(/\n999999\n1000000$/)
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1_000_000)
    expect(await read('//wait 0', await end())).toMatchObject({ text: '' })
    // A line that has not ended is told apart, as it looks; what is typed ends it.
    const begun = await end()
    const lineOf = async (cmd: string, seen: string): Promise<unknown> =>
      (await exec(port, cmd, { topic: 'bash:dev', seen })).head.data?.line
    const name = await lineOf('echo a; printf "1%%\\r2%%\\rName: "; read n; printf "Age: "; read a; printf over', begun)
    expect(name).toEqual({ text: 'Name: ', place: expect.stringMatching(/^[0-9a-f]+:\d+:\d+$/) })
    expect(await lineOf('//wait 0', await end())).toEqual(name)
    expect(await lineOf('Ann', await end())).toMatchObject({ text: 'Age: ' })
    expect(await read('//wait 0')).toEqual({ text: '', place: undefined })
    expect(await lineOf('7', await end())).toBeUndefined()
    expect((await read('//wait 0', begun)).text).toBe('a\nName: Age: over')
  })

  it('tells what is drawn over as rows to whoever asks, and the same text to everybody', async () => {
    const { port } = await withBash(300)
    const look = async (cmd: string, more: object): Promise<{ body: string; data: Record<string, unknown> | null }> => {
      const { head, body } = await exec(port, cmd, { topic: 'bash:dev', seen: '', ...more })
      return { body, data: head.data }
    }
    await look('printf "a: 1\\nb: 1\\n\\e[2A\\e[32ma: 2\\e[0m\\n"; stty -icanon; printf "\\e[?25l"; read x', {})
    const plain = await look('//wait 0', {})
    const drawn = await look('//wait 0', { drawn: 'over', styles: true })
    expect(drawn.body).toBe(plain.body)
    expect(plain.data).not.toHaveProperty('drawn')
    expect(drawn.data).toMatchObject({ raw: true, hidden: true })
    expect(drawn.data?.drawn).toMatchObject({
      lines: ['\x1b[32ma: 2\x1b[0m', 'b: 1'],
      row: 1,
      column: 0,
      open: 2,
      over: true,
    })
    await look('//key enter', {})
    expect((await look('echo line; read x', { drawn: 'over' })).data).not.toHaveProperty('drawn')
    expect((await look('//wait 0', { drawn: 'all', seen: drawn.data?.place })).data?.drawn).toMatchObject({
      over: false,
    })
    const refused = await exec(port, 'true', { topic: 'bash:dev', drawn: 'yes' }).catch((error: unknown) => error)
    expect(String(refused)).toContain('must be')
  })

  it('tells what comes behind the end of a command that drew over its lines as it comes', async () => {
    const { port, home } = await withBash(3000)
    const look = async (cmd: string, seen: unknown): Promise<Record<string, unknown> | null> =>
      (await exec(port, cmd, { topic: 'bash:dev', seen: String(seen), drawn: 'over' })).head.data
    const job = '(until [ -e go ]; do sleep 0.05; done; echo behind) &'
    const over = await look(`${job} printf 'a: 1\\n\\e[Aa: 2\\n'`, '')
    expect(over?.drawn).toMatchObject({ open: 0, over: true })
    writeFileSync(join(home, 'go'), '')
    const { head, body } = await exec(port, '//wait 30', {
      topic: 'bash:dev',
      seen: String(over?.place),
      drawn: 'over',
    })
    expect(body).toMatch(/---\nbehind$/)
    expect(head.data).not.toHaveProperty('drawn')
  })

  it.each([
    'PS1="(v) ${PS1-}"',
    `PS1='\\[\\e[31m\\]$ '`,
    `PROMPT_COMMAND='PS1="[$?] "'`,
    'PROMPT_COMMAND="echo noise"; PS1="me "',
  ])(
    'tells what comes in the background behind a prompt that somebody has set, and not that, after %j',
    async (set) => {
      const { port, home } = await withBash(3000)
      const send = async (cmd: string, seen = ''): Promise<Awaited<ReturnType<typeof exec>>> =>
        exec(port, cmd, { topic: 'bash:dev', seen })
      await send(set)
      await send('true')
      const begun = await send('(until [ -e go ]; do sleep 0.05; done; echo behind) & echo begun')
      expect(begun.body).toMatch(/---\n(\[1\] \d+\n)?begun$/)
      writeFileSync(join(home, 'go'), '')
      const place = begun.head.data?.place
      const seen = typeof place === 'string' ? place : ''
      const { body } = await send('//wait 30', seen)
      expect(body).toMatch(/---\nbehind$/)
      const after = await send('wait; echo end', seen)
      expect(after.body).toMatch(/\nend$/)
      expect(`${body}${after.body}`).not.toMatch(/\(v\)|me |noise|\[0\]|7771|__string/)
      // What it says there of jobs is told as well, at the latest when Enter asks for it.
      for (let round = 0; round < 4; round += 1) {
        const begun = (await send('sleep 300 &')).head.data?.place
        const from = typeof begun === 'string' ? begun : ''
        await send('kill %1', from)
        await sleep(100)
        await send(' ', from)
        const said = (await send('//wait 0', from)).body
        expect(said.match(/^\[1\]\+ {2}Terminated +sleep 300$/gm)).toHaveLength(1)
      }
    },
  )

  it('echoes what is typed for the programs of a person, and for nobody else; no line is there twice', async () => {
    const { port, send } = await withBash(3000)
    const person = async (cmd: string): Promise<string> =>
      (await exec(port, cmd, { topic: 'bash:dev', seen: '', pagers: {} })).body
    const echo = "stty -a | tr ' ' '\\n' | grep -x -e '-\\?echo'"
    expect(await person(echo)).toMatch(/---\necho$/)
    expect(await send(echo)).toMatch(/---\n-echo$/)
    expect(await person(`false; ${echo}`)).toMatch(/---\n(?:.*\n)*echo$/)
    await person('(for i in 1 2 3 4 5 6 7 8; do echo job; sleep 0.05; done) & true')
    for (let round = 0; round < 4; round += 1) expect(await person(`echo ${round}`)).not.toContain('__string')
    await person('wait')
    // Whoever types into a program of theirs sees what that prints.
    await exec(port, 'cat', { topic: 'bash:dev', seen: '', pagers: {} })
    expect(await send('word')).toMatch(/---\nword\n\(text is its input/)
    expect(await send('//interrupt')).toMatch(/^interrupted[^\n]*$|^exit[^\n]*$/)
    expect(await send('echo end')).toMatch(/---\nend$/)
  })

  it('answers a reader with a place as soon as there is something new, while nobody waits behind it', async () => {
    const { port, send, home } = await withBash(300)
    const look = (seen: unknown): ReturnType<typeof exec> =>
      exec(port, '//wait 30', { topic: 'bash:dev', seen: String(seen) })
    const asked = 'echo one; until [ -e go ]; do sleep 0.05; done; echo two; read'
    const begun = await exec(port, asked, { topic: 'bash:dev', seen: '' })
    const next = look(begun.head.data?.place)
    // What others send has its turn.
    expect(await send('//size 90 30')).toBe('Terminal: 90 × 30')
    writeFileSync(join(home, 'go'), '')
    const { head, body } = await next
    expect(body).toContain('---\ntwo\n')
    expect(head.data).toMatchObject({ running: true })
    // So is the end of it, and what is printed while nothing runs.
    const end = look(head.data?.place)
    await send('word')
    const over = await end
    expect(over.head.data).toMatchObject({ running: false, exit: 0 })
    await send('(until [ -e late ]; do sleep 0.05; done; echo behind) & echo')
    const rested = look((await exec(port, '//info', { topic: 'bash:dev' })).head.data?.place)
    writeFileSync(join(home, 'late'), '')
    expect((await rested).body).toContain('---\nbehind')
    // Nothing was taken from who has no place: an agent hears of it with the next command.
    expect(await send('echo next')).toMatch(/---\nbehind\n(?:\[1\]\+ {2}Done[\s\S]*\n)?next/)
    // A prompt is no output, whoever sets one.
    await send("PS1='mine$ '")
    await send('(until [ -e last ]; do sleep 0.05; done; echo unheard > told) & true')
    writeFileSync(join(home, 'last'), '')
    await expect.poll(() => existsSync(join(home, 'told'))).toBe(true)
    expect(await send('echo end')).not.toContain('mine$')
  })

  it('//interrupt of what goes on is answered when it asks again, and tells what it had not read', async () => {
    const { port, send } = await withBash(300)
    const interrupt = async (): Promise<unknown> =>
      (await exec(port, '//interrupt', { topic: 'bash:dev', seen: '' })).head.data
    const asks = `trap "echo; printf 'again> '; sleep 0.9; printf late" INT; printf 'first> '; while :; do read -r x; done`
    expect(await send(`bash -c ${JSON.stringify(asks)}`)).toMatch(/first>/)
    expect(await interrupt()).toMatchObject({ running: true, line: { text: 'again> ' } })
    expect(await interrupt()).not.toHaveProperty('unread')
    await call(port, 'DELETE', '/sessions/default/bash%3Adev')
    // Who waits less than for its quiet has what is typed answered in the same way.
    expect(await send(`printf 'in> '; while read -r x; do printf 'in> '; sleep 0.7; printf late; done`)).toMatch(/in>/)
    const soon = { cmd: 'word', topic: 'bash:dev', wait_ms: 999, seen: '' }
    const { text } = await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'default' }, body: soon })
    expect(readExec(text).head.data).toMatchObject({ running: true, line: { text: 'in> ' } })
    await call(port, 'DELETE', '/sessions/default/bash%3Adev')
    expect(await send('for i in $(seq 1000); do echo "tick $i"; sleep 0.1; done')).toMatch(/tick 1/)
    await send('one "line"')
    expect(await send('ünd another')).toMatch(/tick/)
    expect(await interrupt()).toMatchObject({ running: false, exit: 130, unread: 'one "line"\nünd another\n' })
    expect(await send('head -1; sleep 100')).toMatch(/^running/)
    await send('read')
    await send('left')
    expect(await interrupt()).toMatchObject({ running: false, unread: 'left\n' })
    expect(await send('echo "$((1 + 1))"')).toMatch(/---\n2$/)
  })

  it('//interrupt that ended something is ok, whatever status that left', async () => {
    const { send, port } = await withBash()
    await send('true')
    const running = send('sleep 300')
    await expect.poll(async () => send('//info')).toContain('running: sleep 300')
    expect(await exec(port, '//interrupt', { topic: 'bash:dev' })).toMatchObject({
      head: { ok: true, code: null },
      body: expect.stringMatching(/^exit: 130 \| cwd: /),
    })
    await running
  })

  it('a shell that was killed says so in its status', async () => {
    const { port } = await withBash()
    const { head, body } = await exec(port, 'kill -9 $$', { topic: 'bash:dev' })
    expect(head).toMatchObject({ ok: false, code: 'EXIT_137' })
    expect(body).toContain('the shell has ended')
  })

  it('//interrupt is not lost, however early it comes', async () => {
    const { send } = await withBash()
    await send('true')
    for (let round = 0; round < 30; round += 1) {
      const running = send('sleep 300')
      await expect.poll(async () => send('//info'), { interval: 1, timeout: 10_000 }).toContain('running: sleep 300')
      expect(await send('//interrupt')).toMatch(/^exit: 130 \|/)
      expect(await running).toMatch(/^exit: 130 \|/)
    }
  })

  it('takes // commands with one slash removed: help, and those of every topic', async () => {
    const { send } = await withBash()
    expect(await send('//help')).toMatch(/^Bash Session\n---\n[\s\S]*`\/\/close`/)
    expect(await send('//hlp')).toContain('Unknown command: //hlp\n  Did you mean //help?\n  //help lists')
    expect(await send('//key')).toContain('Usage: //key NAME')
    expect(await send('//topics')).toMatch(/^Topics\n---\n- bash:dev \(bash\)/)
    expect(await send('//key nope')).toContain('ERROR(INVALID_PARAMS): Unknown key: nope')
    expect(await send('//interrupt')).toContain('ERROR(NOT_FOUND): No shell runs in this topic')
    expect(await send('//wait x')).toContain('ERROR(INVALID_PARAMS)')
    expect(await send('/bin/echo a path is shell input')).toMatch(/---\na path is shell input$/)
  })

  it('means by a relative path the folder of its shell, unless the request says where it starts', async () => {
    const { send, home, port } = await withBash()
    mkdirSync(join(home, 'sub/docs'), { recursive: true })
    writeFileSync(join(home, 'a.md'), 'at home\n')
    writeFileSync(join(home, 'sub/a.md'), 'in sub\n')
    writeFileSync(join(home, 'sub/docs/a.md'), 'in docs\n')
    expect(await send('//open ./a.md')).toContain('at home')
    await send('cd sub')
    expect(await send('//open ./a.md')).toContain('in sub')
    expect(await send('//ls')).toMatch(/docs\//)
    expect(await send('//ls .')).toMatch(/docs\//)
    expect(await send('//find "in sub" .')).toContain('a.md:L1')
    expect(await send('//exec pwd')).toContain(`---\n${home}/sub`)
    expect(await send('//write new.md\nhere')).toContain('Written: new.md')
    expect(existsSync(join(home, 'sub/new.md'))).toBe(true)
    await send('//open docs/a.md')
    expect(await send('//open a.md')).toContain('in sub')
    const said = await exec(port, '//open ./a.md', { topic: 'bash:dev', cwd: home })
    expect(said.body).toContain('at home')
    const headers = { 'X-Agent-Id': 'default' }
    const asked = { headers, body: { topic: 'bash:dev', text: '//open ./d' } }
    expect((await call(port, 'POST', '/complete', asked)).text).toContain('"text":"./docs/"')
    const text = encodeBlock({ channel: 'string', topic: 'bash:dev', payload: '//open ./a.md' })
    const flow = await call(port, 'POST', '/chanflow', { headers, body: { text, cwd: home } })
    expect(flow.text).toContain('in sub')
    // Where it went by itself is not opened to file commands by that.
    await send('cd /usr')
    expect(await send('//ls .')).toContain('ERROR(INVALID_PATH): Outside the workspace')
  })

  it('names commands in its next steps as they are typed there', async () => {
    const { send } = await withBash()
    expect(await send('//open nope.md')).toMatch(/\n {2}\/\/ls shows what exists$/)
    expect(await send('//refresh now')).toContain('Usage: //refresh')
    expect(await send('//wait 1 2')).toContain('Usage: //wait [SECONDS]')
    expect(await send('/open nope.md', 'main')).toMatch(/\n {2}\/ls shows what exists$/)
  })

  it('S16: sees no descriptor of the daemon and no other terminal', async () => {
    const { send } = await withBash()
    await send('true', 'bash:other')
    const answer = await send(
      'ls -l /proc/$$/fd /proc/self/fd | grep -v "/dev/pts/\\|/proc/\\|^total\\|^$"; ls -l /proc/$$/fd | grep -o "/dev/pts/[0-9]*" | sort -u | wc -l',
    )
    expect(answer).toMatch(/\n1$/)
    expect(answer).not.toMatch(/socket:|daemon\.|ptmx/)
  })

  it('R16: a shell that is killed, stopped or closes its descriptors does not wedge its topic', async () => {
    const { send, port } = await withBash()
    expect(await send('kill -9 $$')).toContain('the shell has ended')
    expect(await send('echo back')).toMatch(/---\nback$/)
    expect(await send('exec 0<&- 1>&- 2>&-', 'bash:closed')).toContain('the shell has ended')
    const stopped = send('kill -STOP $$', 'bash:stopped')
    await expect.poll(async () => send('//info', 'bash:stopped')).toContain('running: kill')
    await call(port, 'DELETE', '/sessions/default/bash%3Astopped')
    expect(await stopped).toContain('CANCELLED')
    expect(await send('echo afresh', 'bash:stopped')).toMatch(/---\nafresh$/)
  })

  it.each([
    ['ignore TERM', "trap '' TERM HUP INT; (trap '' TERM HUP; sleep 300) & sleep 300"],
    ['double-fork', '(setsid bash -c "sleep 300 & sleep 300" &); sleep 300'],
    ['run in the background', 'nohup sleep 300 >/dev/null 2>&1 & sleep 300'],
  ])('R15: nothing is alive after the topic is closed: children that %s', async (_name, script) => {
    const { send, alive, port } = await withBash()
    await send('true')
    const running = send(script)
    await expect.poll(() => alive().length).toBeGreaterThan(2)
    await call(port, 'DELETE', '/sessions/default/bash%3Adev')
    expect(alive()).toEqual([])
    expect(await running).toContain('CANCELLED')
  })

  it('R15: nor after the daemon has stopped', async () => {
    const { send, alive, stop } = await withBash()
    await send('sleep 300 & setsid sleep 300 & true')
    await send('true', 'bash:two')
    expect(alive().length).toBeGreaterThan(3)
    await stop()
    expect(alive()).toEqual([])
  })

  it('is started without ~/.bashrc when that does not come to an end, and says so', async () => {
    const { send, home } = await withBash()
    writeFileSync(join(home, '.bashrc'), 'while :; do sleep 1; done\n')
    expect(await send('echo here')).toMatch(
      /---\nhere\n\(~\/\.bashrc did not come to an end, so the shell was started without it\)$/,
    )
    expect(await send('echo next')).toMatch(/---\nnext$/)
  })

  it('is listed by its hub with its folder and what runs', async () => {
    const { send, port } = await withBash()
    expect((await exec(port, '/open bash:dev')).body).toMatch(/^Opened bash:dev\n---\nNo shell runs here yet/)
    await send('cd /tmp')
    expect((await exec(port, '/open bash:dev')).body).toBe('Opened bash:dev\n---\ncwd: /tmp\nrunning: (nothing)')
    const running = send('sleep 300')
    await expect.poll(async () => (await exec(port, '/open bash')).body).toContain('- bash:dev · /tmp · runs sleep 300')
    await send('//interrupt')
    await running
  })
})
