// Makes the pictures of the README: runs the built program in a real terminal, and draws what it showed. Run it after a build.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { picture } from './captures/picture.mjs'
import { SCENES } from './captures/scenes.mjs'
import { Screen } from './captures/screen.mjs'

const root = join(import.meta.dirname, '..')
// The terminal that the daemon itself uses.
const { spawn } = createRequire(join(root, 'packages/stringd/package.json'))('@lydell/node-pty')
const COLUMNS = 92
const dir = mkdtempSync(join(tmpdir(), 'd-'))
// What a picture shows of paths: as short as somebody's own.
const home = join(tmpdir(), 'ada')
const project = join(home, 'shop')
const env = {
  PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
  HOME: home,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  STRING_PORT: '0',
  PS1: '\\[\\e[32m\\]$\\[\\e[0m\\] ',
}
const chosen = process.argv.slice(2)

mkdirSync(home)
mkdirSync(join(dir, 'bin'))
cpSync(join(import.meta.dirname, 'captures/shop'), project, { recursive: true })
cpSync(join(import.meta.dirname, 'captures/agents'), join(home, 'agents'), { recursive: true })
writeFileSync(
  join(dir, 'bin/string'),
  `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'packages/stringd/bin/string.cjs')}" "$@"\n`,
)
chmodSync(join(dir, 'bin/string'), 0o755)
try {
  for (const scene of SCENES.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    const file = join(root, 'docs/pictures', `${scene.name}.svg`)
    writeFileSync(file, await shoot(scene))
    console.log(`wrote: docs/pictures/${scene.name}.svg`)
  }
} finally {
  spawnSync(join(dir, 'bin/string'), ['--daemon', 'stop'], { env })
  for (const made of [dir, home]) rmSync(made, { recursive: true, force: true })
}

/** Plays one scene in a shell of its own, and draws its screen. */
async function shoot({ name, title, before = '', steps, cursor = false }) {
  const prepared = spawnSync('bash', ['-c', before], { cwd: project, env, encoding: 'utf8' })
  if (prepared.status !== 0) throw new Error(`${name}: ${prepared.stdout}${prepared.stderr}`)
  const terminal = spawn('bash', ['--norc', '--noprofile'], { cols: COLUMNS, rows: 60, cwd: project, env })
  let shown = ''
  terminal.onData((data) => {
    shown += data
  })
  const exited = new Promise((resolve) => terminal.onExit(resolve))
  try {
    await until(
      () => shown.includes('$'),
      name,
      'the prompt',
      () => shown,
    )
    for (const [text, awaited] of steps) {
      const before = shown.length
      terminal.write(typeof text === 'string' ? text : text(stripVTControlCharacters(shown)))
      await until(
        () => stripVTControlCharacters(shown.slice(before)).includes(awaited),
        name,
        awaited,
        () => shown,
      )
      await sleep(250)
    }
    // Drawn as one text: what comes in pieces may be cut within a sequence, or a path.
    const screen = new Screen(COLUMNS)
    // Where the program is on this machine is nobody's business.
    screen.write(shown.replaceAll(root, '/opt/string'))
    const { rows } = screen
    // The prompt that waits for the next command says nothing.
    while (
      rows.length > 0 &&
      /^\$? *$/.test(
        rows
          .at(-1)
          .map(({ text }) => text)
          .join(''),
      )
    )
      rows.pop()
    const at = cursor ? { row: screen.row, column: screen.column } : null
    return picture(screen, { title, rows, cursor: at })
  } finally {
    terminal.kill()
    await exited
  }
}

async function until(isSo, name, what, shown) {
  for (const end = performance.now() + 30_000; !isSo(); await sleep(20)) {
    if (performance.now() > end) throw new Error(`${name}: ${JSON.stringify(what)} did not come:\n${shown()}`)
  }
}
