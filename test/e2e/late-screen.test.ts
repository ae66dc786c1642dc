import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal, type Terminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, stringPlace } from '../support/cli.ts'

const SLOW_HOOK = 'printf "#!/bin/sh\\nsleep 1.5\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit'

/** Takes the whole screen once the file `go` is there, and notes which keys it got. */
const DRAWING = [
  'until [ -e go ]; do sleep 0.1; done; rm go',
  `printf '\\033[?1049h\\033[2;3Hasks: '`,
  'stty -icanon -echo',
  `while IFS= read -rN1 k && [ "$k" != q ]; do printf '%s' "$k" | tee -a keys; done`,
  `printf '\\033[?1049l'`,
  'stty icanon echo',
  'echo over',
].join('\n')
const VISITED = 'Ctrl-] goes back to the prompt'

async function open(): Promise<{ readonly place: Place; readonly terminal: Terminal; readonly go: () => void }> {
  const place = stringPlace()
  writeFileSync(join(place.dir, 'draw'), `#!/bin/bash\n${DRAWING}\n`)
  chmodSync(join(place.dir, 'draw'), 0o755)
  const terminal = openTerminal(place, ['bash:x'])
  await terminal.shows(/\$$/)
  return { place, terminal, go: () => writeFileSync(join(place.dir, 'go'), '') }
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type('\x04')
  expect(await terminal.exited).toBe(0)
}

describe('a program that takes the whole screen late', () => {
  it('gets it at once, also in a shell within the shell, and where git opens an editor behind a slow hook', async () => {
    const { place, terminal, go } = await open()
    terminal.type('./draw\r')
    await terminal.shows(/bash:x running>$/)
    go()
    await terminal.shows(VISITED)
    terminal.type('abq')
    await terminal.shows(/over[\s\S]*\nbash:x \S+\$$/)
    expect(readFileSync(join(place.dir, 'keys'), 'utf8')).toBe('ab')
    terminal.type('bash --norc -i\r')
    await terminal.shows(/bash-\S+[$#]$/)
    terminal.type('./draw\r')
    await terminal.shows(/draw\n/)
    go()
    await terminal.shows(VISITED)
    terminal.type('q')
    await terminal.shows('over')
    terminal.type('exit\r')
    await terminal.shows(/bash:x \S+\$$/)
    terminal.type(`git init -q; ${SLOW_HOOK}\r`)
    await terminal.shows(/\n?bash:x \S+\$$/)
    go()
    const git = 'git -c user.name=a -c user.email=a@example.com -c core.editor=./draw commit --allow-empty'
    terminal.type(`${git}\r`)
    await terminal.shows(VISITED)
    terminal.type('q')
    await terminal.shows(/over[\s\S]*\nbash:x \S+\$$/)
    await leave(terminal)
  })

  it('has it at once for whoever comes back: nothing is typed blind', async () => {
    const { place, terminal, go } = await open()
    go()
    terminal.type('./draw\r')
    await terminal.shows(VISITED)
    terminal.hangUp()
    await terminal.exited
    const back = openTerminal(place, ['bash:x'])
    await back.shows(VISITED)
    back.type('xq')
    await back.shows(/over[\s\S]*\nbash:x \S+\$$/)
    expect(readFileSync(join(place.dir, 'keys'), 'utf8')).toBe('x')
    await leave(back)
  })

  it('gets it as soon as nothing is typed any more, and Enter shows it and keeps what is typed', async () => {
    const { place, terminal, go } = await open()
    terminal.type('./draw\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('ls')
    await terminal.shows(/running> ls$/)
    go()
    await terminal.shows(/\(it has the whole screen now: Enter shows it\)\nbash:x running> ls$/)
    // In one piece: the last two are typed into what is shown then.
    terminal.type('\x7f\x7fxq')
    await terminal.shows(/over[\s\S]*\nbash:x \S+\$$/)
    expect(readFileSync(join(place.dir, 'keys'), 'utf8')).toBe('x')
    terminal.type('./draw\r')
    await terminal.shows(/bash:x running>$/)
    terminal.type('echo kept')
    await terminal.shows(/running> echo kept$/)
    go()
    await terminal.shows('Enter shows it')
    terminal.type('\r')
    await terminal.shows(VISITED)
    terminal.type('q')
    await terminal.shows(/over[\s\S]*\nbash:x \S+\$ echo kept$/)
    terminal.type('\r')
    await terminal.shows(/\nkept\s+bash:x \S+\$$/)
    expect(readFileSync(join(place.dir, 'keys'), 'utf8')).toBe('x')
    expect(existsSync(join(place.dir, 'go'))).toBe(false)
    await leave(terminal)
  })
})
