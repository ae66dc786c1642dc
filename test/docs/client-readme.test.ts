import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'
import { blocksOf, root } from './pages.ts'

/** Runs the pieces of JavaScript on a page one after the other, as one program. */
async function runPieces(page: string, end: string): Promise<string> {
  const place = await placeWithHelper()
  const pieces = blocksOf(page).filter(({ language }) => language === 'js')
  // Where packages of this project are found by their names.
  const folder = join(root, 'node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `${basename(page)}-${process.pid}.mjs`)
  writeFileSync(program, `${pieces.map(({ text }) => text).join('\n')}\n${end}\n`)
  onTestFinished(() => rmSync(program))
  const { stdout, stderr, status } = await run(process.execPath, [program], { env: place.env })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout
}

async function placeWithHelper(): Promise<Place> {
  const place = stringPlace()
  const profile = writeAgent(
    place.dir,
    `echo 'AGENT_PARTIAL:"Well, "'; echo "you said $AGENT_MESSAGE to $AGENT_SESSION_NAME"`,
  )
  await place.string(['agent', 'add', 'helper', '--profile', profile])
  return place
}

it('the program in the README of the client, its pieces one after the other, does what it says', async () => {
  const stdout = await runPieces('packages/client/README.md', 'console.log(ok, content)')
  expect(stdout).toMatch(/^Well, you said hello to work\ndone 0 true\ntrue exit: 0 \| cwd: .*\n---\nhello\n$/)
})

it('the program in docs/client.md, its pieces one after the other, does what it says', async () => {
  const [first, ...rest] = (await runPieces('docs/client.md', '')).split('enough\n')
  expect(first).toMatch(/^true null exit: 0 \| cwd: .*\n---\nhello 0\n$/)
  expect(rest).toEqual(['Well, you said hello to work\nlocal-webhook build 417 failed\n'])
})

const hasPython = (await run('/bin/sh', ['-c', 'command -v python3'])).status === 0
if (!hasPython) console.warn('SKIPPED: no python3, so the Python of docs/client.md was not run')

/** Where the example runs, and finds the built command line. */
function python(place: Place): { cwd: string; env: NodeJS.ProcessEnv } {
  const wrapper = join(place.dir, 'string.sh')
  writeFileSync(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  const env = { ...place.env, STRING: wrapper, PYTHONDONTWRITEBYTECODE: '1' }
  return { cwd: join(root, 'examples/python'), env }
}

/** Two events, and between them another daemon. */
const OVER_A_RESTART = `
import os, subprocess, urllib.request
from string_daemon import StringDaemon
string = StringDaemon()
def post(text):
    url = string.call("GET", "/agents/default/webhook")["webhook_url"]
    urllib.request.urlopen(url, data=text).close()
steps = [lambda: post(b"one"), lambda: subprocess.run([os.environ["STRING"], "restart"], capture_output=True), lambda: post(b"two")]
for name, data in string.events():
    print(data["text"] if name == "event" else name)
    if not steps:
        break
    steps.pop(0)()
`

it.skipIf(!hasPython)('the Python of docs/client.md, and the tour with an agent, say what the agent said', async () => {
  const { cwd, env } = python(await placeWithHelper())
  const [piece] = blocksOf('docs/client.md').filter(({ language }) => language === 'python')
  const snippet = await run('python3', ['-c', piece?.text ?? ''], { cwd, env })
  expect(snippet).toMatchObject({ status: 0, stderr: '' })
  expect(snippet.stdout).toBe(`exit: 0 | cwd: ${cwd}\n---\nhello\nWell, you said hello to default\n`)
  const tour = await run('python3', ['tour.py', 'helper'], { cwd, env })
  expect(tour.stdout.split('\n').slice(-3)).toEqual(['partial: Well, ', 'reply: you said hello to default', ''])
})

it.skipIf(!hasPython)('the events of Python go on over a restart of the daemon, each once', async () => {
  const { cwd, env } = python(stringPlace())
  const follows = await run('python3', ['-c', OVER_A_RESTART], { cwd, env })
  expect(follows).toMatchObject({ status: 0, stdout: 'ready\none\nready\ntwo\n' })
})
