import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringClient } from '@string-os/client'
import { expect, it, onTestFinished } from 'vitest'
import { ASKING_AGENT, ASKING_KEYS } from '../../packages/stringd/test/support/approvals.ts'
import { clientResultTable } from '../../scripts/api/client-results.ts'
import { writeAgent } from '../support/agent.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'
import { blocksOf, root } from './pages.ts'

/** Runs the pieces of JavaScript on a page one after the other, as one program. */
async function runPieces(place: Place, page: string, end = ''): Promise<string> {
  const pieces = blocksOf(page).filter(({ language }) => language === 'js')
  // Where packages of this project are found by their names.
  const folder = join(root, 'node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `${page.replaceAll('/', '-')}-${process.pid}.mjs`)
  writeFileSync(program, `${pieces.map(({ text }) => text).join('\n')}\n${end}\n`)
  onTestFinished(() => rmSync(program))
  const { stdout, stderr, status } = await run(process.execPath, [program], { env: place.env, cwd: place.dir })
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
  const asks = writeAgent(place.dir, ASKING_AGENT, ASKING_KEYS, 'asks')
  await place.string(['agent', 'add', 'asks', '--profile', asks])
  return place
}

it('the program in the README of the client, its pieces one after the other, does what it says', async () => {
  const stdout = await runPieces(await placeWithHelper(), 'packages/client/README.md', 'console.log(ok, content)')
  expect(stdout).toMatch(/^Well, you said hello to work\ndone 0 true\ntrue exit: 0 \| cwd: .*\n---\nhello\n$/)
})

it('the program in docs/client.md, its pieces one after the other, does what it says', async () => {
  const place = await placeWithHelper()
  const [first, ...rest] = (await runPieces(place, 'docs/client.md')).split('enough\n')
  expect(first).toMatch(/^true null exit: 0 \| cwd: .*\n---\nhello 0\n$/)
  const [refused] = blocksOf('docs/client.md').filter(({ language }) => language === 'text')
  expect(rest).toEqual([`Well, you said hello to work\nlocal-webhook build 417 failed\n${refused?.text}`])
  expect((await runPieces(place, 'examples/node/README.md')).split('\n')).toEqual([
    'false []',
    'Well, you said hello to default',
    'Well, you said hello again to default',
    'done true',
    'It asks to use bash',
    'true',
    'deny',
    '0',
    'local-webhook build 417 failed',
    'HTTP_404: Unknown turn. `turns.list()` has the latest turns, with their whole ids',
    '',
  ])
})

it('docs/client.md has every call of the client, and every type that a result has', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
  expect(page).toContain(clientResultTable())
  const client = new StringClient({ port: 1 })
  const { agents, turns, approvals, inbox, outbox, sessions, webhook } = client
  const groups = { agents, turns, approvals, inbox, outbox, sessions, webhook }
  const calls = Object.entries(groups).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}(`))
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(client)))
  const others = own.filter((name) => !['constructor', 'ready', 'deliveries'].includes(name)).map((name) => `${name}(`)
  expect(
    [...calls, ...others].filter((call) => !page.includes(`\`${call}`) && !page.includes(`client.${call}`)),
  ).toEqual([])
  const types = [
    ...page.matchAll(/`([A-Z]\w+(?:View|Row|Item|Summary|Activity|Standing|Registered|Detail|Shown|Health))`/g),
  ]
  const told = new Set([...page.matchAll(/^\| `([A-Z]\w+)` \| /gm)].map(([, name]) => name))
  expect(types.map(([, name]) => name).filter((name) => !told.has(name))).toEqual([])
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

/** What a program gets wrong itself, and a String that is not there. */
const MISSPELT = `
import os
from string_daemon import StringDaemon, Unreachable
string = StringDaemon()
for call in (
    lambda: string.turn("hello", sesion="x"),
    lambda: string.turn("hello", **{"from": "ada"}),
    lambda: string.exec("main", "/close", folder="."),
    lambda: StringDaemon(agnet="x"),
):
    try:
        call()
    except TypeError as error:
        print(error)
os.environ["STRING"] = "/nowhere/string"
try:
    StringDaemon()
except Unreachable as error:
    print(error, error.next, sep=" | ")
`

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
  const [piece, asking] = blocksOf('docs/client.md').filter(({ language }) => language === 'python')
  const snippet = await run('python3', ['-c', piece?.text ?? ''], { cwd, env })
  expect(snippet).toMatchObject({ status: 0, stderr: '' })
  expect(snippet.stdout).toBe(`exit: 0 | cwd: ${cwd}\n---\nhello\nWell, you said hello to default\n`)
  const tour = await run('python3', ['tour.py', 'helper'], { cwd, env })
  expect(tour.stdout.split('\n').slice(-3)).toEqual(['partial: Well, ', 'reply: you said hello to default', ''])
  const asked = await run('python3', ['-c', asking?.text ?? ''], { cwd, env })
  const unknown = '404 | Unknown turn | `call("GET", "/turns")` has the latest turns, with their whole ids'
  expect(asked).toMatchObject({ stderr: '', stdout: `It asks to use bash\ndeny\n${unknown}\n` })
  const wrong = await run('python3', ['-c', MISSPELT], { cwd, env })
  expect(wrong).toMatchObject({
    stderr: '',
    stdout: `turn: unknown argument 'sesion'; did you mean 'session'?
turn: unknown argument 'from'; did you mean 'from_'?
exec: unknown argument 'folder'; it takes topic, cmd, cwd
__init__: unknown argument 'agnet'; did you mean 'agent'?
Cannot run /nowhere/string: No such file or directory | Install String (docs/install.md), or name its program in the variable STRING
`,
  })
})

it.skipIf(!hasPython)('the events of Python go on over a restart of the daemon, each once', async () => {
  const { cwd, env } = python(stringPlace())
  const follows = await run('python3', ['-c', OVER_A_RESTART], { cwd, env })
  expect(follows).toMatchObject({ status: 0, stdout: 'ready\none\nready\ntwo\n' })
})
