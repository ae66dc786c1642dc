import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const { spawn: spawnPty } = createRequire(new URL('../../packages/stringd/package.json', import.meta.url))(
  '@lydell/node-pty',
)

const ENVIRONMENT = { PATH: process.env.PATH, HOME: '/', TERM: 'dumb' }

/** A bash behind a terminal; `run` resolves when what stands behind the command in the same line has been printed. */
export async function bashOnTerminal() {
  const pty = spawnPty('/bin/bash', ['--noediting', '--norc', '-i'], { env: ENVIRONMENT, cols: 160, rows: 50 })
  const run = runner(
    (text) => pty.write(text),
    (listen) => pty.onData(listen),
  )
  await run('stty -echo; PS1=')
  return { pid: pty.pid, run, stop: () => pty.kill('SIGKILL') }
}

/** The same over pipes. */
export function bashOnPipes() {
  const child = spawn('/bin/bash', ['--norc'], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdout.setEncoding('latin1')
  const run = runner(
    (text) => child.stdin.write(text),
    (listen) => child.stdout.on('data', listen),
  )
  return { pid: child.pid, run, stop: () => child.kill('SIGKILL') }
}

function runner(write, onText) {
  let text = ''
  let waiting = null
  onText((chunk) => {
    text += chunk
    if (waiting === null || !text.includes(waiting.mark)) return
    text = ''
    waiting.resolve()
  })
  let count = 0
  return (command) =>
    new Promise((resolve) => {
      count += 1
      // What is typed may be echoed; only what is printed has the mark in one piece.
      waiting = { mark: `<${count}:0>`, resolve }
      write(`${command}; printf '<%s>' ${count}:$?\n`)
    })
}
