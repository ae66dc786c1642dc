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
  const text = `${pieces.map((piece) => piece.text).join('\n')}\n${end}\n`
  const { stdout, stderr, status } = await runProgram(place, page.replaceAll('/', '-'), text)
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout
}

async function runProgram(place: Place, name: string, text: string): ReturnType<typeof run> {
  // Where packages of this project are found by their names.
  const folder = join(root, 'node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `${name}-${process.pid}.mjs`)
  writeFileSync(program, text)
  onTestFinished(() => rmSync(program))
  return run(process.execPath, [program], { env: place.env, cwd: place.dir })
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
  const broken = writeAgent(place.dir, 'echo no key >&2; exit 3', '', 'broken')
  await place.string(['agent', 'add', 'broken', '--profile', broken])
  await place.string(['chat', 'broken', '-m', 'hello'])
  return place
}

it('the program in the README of the client, its pieces one after the other, does what it says', async () => {
  const stdout = await runPieces(await placeWithHelper(), 'packages/client/README.md', 'console.log(ok, content)')
  expect(stdout).toMatch(/^Well, you said hello to work\ndone 0 true\ntrue exit: 0 \| cwd: .*\n---\nhello\n$/)
})

it('the program in docs/client.md, its pieces one after the other, does what it says', async () => {
  const place = await placeWithHelper()
  const [first, ...rest] = (await runPieces(place, 'docs/client.md')).split('enough\n')
  expect(first).toMatch(/^true null exit: 0 \| cwd: .*\n---\nhello 0 hello\n$/)
  const [refused] = blocksOf('docs/client.md').filter(({ language }) => language === 'text')
  expect(rest).toEqual([
    `build failed\nfalse EXIT_2 2 build failed\nWell, you said hello to work\nlocal-webhook build 417 failed\n${refused?.text}`,
  ])
  expect((await runPieces(place, 'examples/node/README.md')).split('\n')).toEqual([
    'false []',
    'Well, you said hello to default',
    'Well, you said hello again to default',
    'done true',
    'It asks to use bash',
    'true',
    'deny',
    '0',
    'broken EXIT_3 no key',
    'false',
    'local-webhook build 417 failed',
    '| begun',
    '| built',
    'false 3 built',
    'HTTP_404: Unknown turn: trn_none. `turns.list()` has the latest turns, with their whole ids',
    '',
  ])
})

it('an error that a program does not catch is shown with lines of that program alone, or why there are none', async () => {
  const place = stringPlace()
  const begin = `import { StringClient } from '@string-os/client'
import { autoStart } from '@string-os/string'
const client = new StringClient({ autoStart })
`
  const refused = await runProgram(place, 'awaited', `${begin}await client.exec('a b', '/help')`)
  expect(refused.stderr).toMatch(/HttpError: Invalid topic: a b\n {4}at .*awaited-\d+\.mjs:4:\d+.* \{\n {2}code: /)
  const lost = await runProgram(place, 'lost', `${begin}void (async () => void client.exec('a b', '/help'))()`)
  expect(lost.stderr).toContain(
    'HttpError: Invalid topic: a b\n    at a call that no line awaits: is an await missing? {',
  )
  const port = `process.env.STRING_PORT = '3'\nawait client.health()`
  const away = await runProgram(place, 'away', `${begin}${port}`)
  expect(away.stderr).toMatch(
    /UnreachableError: The daemon of .*\n {4}at .*away-\d+\.mjs:5:\d+.* \{\n {2}code: 'UNREACHABLE'/,
  )
})

it('docs/client.md has every call of the client, and docs/reference/results.md every type that a result has', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
  const results = readFileSync(join(root, 'docs/reference/results.md'), 'utf8')
  expect(results).toContain(clientResultTable())
  const client = new StringClient({ port: 1 })
  const { agents, turns, approvals, inbox, outbox, sessions, webhook } = client
  const groups = { agents, turns, approvals, inbox, outbox, sessions, webhook }
  const calls = Object.entries(groups).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}(`))
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(client)))
  const others = [...own, 'as'].filter((name) => !['constructor', 'ready'].includes(name)).map((name) => `${name}(`)
  expect(
    [...calls, ...others].filter((call) => !page.includes(`\`${call}`) && !page.includes(`client.${call}`)),
  ).toEqual([])
  const types = [
    ...`${page}${readFileSync(join(root, 'docs/python.md'), 'utf8')}`.matchAll(
      /`([A-Z]\w+(?:View|Row|Item|Summary|Activity|Standing|Registered|Detail|Shown|Health))`/g,
    ),
  ]
  const told = new Set([...results.matchAll(/^### ([A-Z]\w+)$/gm)].map(([, name]) => name))
  expect(types.map(([, name]) => name).filter((name) => !told.has(name))).toEqual([])
})

it('docs/python.md has every call of the example, with each of its arguments, and every error', () => {
  const page = readFileSync(join(root, 'docs/python.md'), 'utf8')
  const file = readFileSync(join(root, 'examples/python/string_daemon.py'), 'utf8')
  const methods = [...file.matchAll(/^ {4}@_named\n {4}def (\w+)\(\s*self,?([\s\S]*?)\) ->/gm)]
  expect(methods.length).toBeGreaterThan(25)
  const missing = methods.flatMap(([, name = '', parameters = '']) => {
    const names = [...parameters.matchAll(/(\w+):/g)].map(([, parameter = '']) => parameter)
    const call = name === '__init__' ? 'StringDaemon' : name
    const told = new RegExp(`\\b${call}\\(([^)]*)\\)`).exec(page)
    return told === null ? [call] : names.filter((each) => !page.includes(each)).map((each) => `${call}(${each})`)
  })
  expect(missing).toEqual([])
  const errors = [...file.matchAll(/^class ([A-Z]\w+)\(.*(?:Error|Refused).*\):$/gm)].map(([, name = '']) => name)
  expect(errors.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const hasPython = (await run('/bin/sh', ['-c', 'command -v python3'])).status === 0
if (!hasPython) console.warn('SKIPPED: no python3, so docs/python.md was not run')

/** Where the example runs, and finds the built command line. */
function python(place: Place): { cwd: string; env: NodeJS.ProcessEnv } {
  const wrapper = join(place.dir, 'string.sh')
  writeFileSync(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  const env = { ...place.env, STRING: wrapper, PYTHONDONTWRITEBYTECODE: '1' }
  return { cwd: join(root, 'examples/python'), env }
}

/** What a program gets wrong itself, and a String that is not there. */
const UNCAUGHT = `
from string_daemon import StringDaemon
StringDaemon("helpr").exec("main", "/ls")
`

const TOO_LATE = `
from string_daemon import StringDaemon
string = StringDaemon()
for event, data in string.turn("please deploy", agent="asks"):
    if event == "approval" and data["state"] == "waiting":
        first = string.answer(data["id"], "deny")
        print(first["is_first"], first["message"], first["approval"]["state"])
        second = string.answer(data["id"], "allow", by="bob")
        print(second["is_first"], "was denied by" in second["message"], second["approval"]["state"])
`

const MISSPELT = `
import os
import pathlib
from string_daemon import Refused, StringDaemon, Unreachable
string = StringDaemon()
for call in (
    lambda: string.turn("hello", sesion="x"),
    lambda: string.turn("hello", **{"from": "ada"}),
    lambda: string.exec("main", "/close", folder="."),
    lambda: StringDaemon(agnet="x"),
    lambda: string.exec("/ls"),
    lambda: string.turn(agent="helper"),
    lambda: string.exec("main", 5),
    lambda: string.exec("main", "/close", timeout="5"),
    lambda: string.run("bash:x", "true", timeout=0),
    lambda: string.exec("bash:x", "true", wait_ms=30001),
    lambda: string.events("garbage"),
    lambda: string.turns(since=5),
    lambda: string.exec("main", "/close", cwd=5),
    lambda: string.register("opened", allowed_paths="/srv/project"),
    lambda: string.register("opened", allowed_paths=["/srv", 5]),
    lambda: string.register("opened", home=5),
    lambda: string.run("bash:x", "touch ran", on_output=5),
    lambda: string.run("bash:x", "touch ran", goes_on="no"),
    lambda: string.turns(limit="5"),
    lambda: string.turns(state="faild"),
    lambda: string.answer("apr_1", "yes"),
    lambda: string.usage(by="week"),
    lambda: string.webhook(rotate="no"),
    lambda: string.turn("hello", attachments="a.png"),
    lambda: string.call("POST", "/agents", "opened"),
    lambda: StringDaemon(5),
    lambda: print("cwd: /tmp" in string.exec("main", "/info", cwd=pathlib.Path("/tmp"))["content"]),
):
    try:
        call()
    except TypeError as error:
        print(error)
print("opened" in [agent["id"] for agent in string.agents()], "bash:x" in [each["topic"] for each in string.call("GET", "/sessions")["sessions"]])
try:
    string.register("opened", home="~/elsewhere")
except Refused as error:
    print(error)
try:
    StringDaemon("helpr").exec("main", "/ls")
except Refused as error:
    print(error.status, error, error.next, sep=" | ")
os.environ["STRING"] = "/nowhere/string"
print("without the program:", StringDaemon().exec("main", "/info")["ok"])
os.environ["STRING_DATA_DIR"] = "/nowhere"
try:
    StringDaemon()
except Unreachable as error:
    print(error, error.next, sep=" | ")
`

/** What the daemon may answer differently later, and what it will not. */
const REFUSED = `
import os
from string_daemon import HttpError, QueueError, Refused, StringDaemon, StringError, Unreachable
string = StringDaemon()
list(string.turn("hello", agent="capped"))
for agent in ("capped", "nobody", "default"):
    try:
        list(string.turn("hello", agent=agent))
    except Refused as error:
        kind = next(kind for kind in (QueueError, HttpError) if isinstance(error, kind))
        wait = error.retry_after and 3000 < error.retry_after <= 3600
        print(kind.__name__, error.status, error.code, wait, getattr(error, "unknown_agent", None), error.next, sep=" | ")
string.call("POST", "/shutdown", {})
os.environ["STRING"] = "/bin/false"
try:
    StringDaemon()
except StringError as error:
    print(error.code, isinstance(error, Unreachable), isinstance(error, ConnectionError))
`

/** What a program does with agents, from making one to reading what became of its turn. */
const WHOLE_LIFE = `
import urllib.request
from datetime import datetime, timedelta
from string_daemon import StringDaemon
string = StringDaemon("worker", create=True)
print(string.register("worker", profile=PROFILE)["created"], string.get_agent("worker")["has_profile"])
events = [(name, data) for name, data in string.turn("hello", session="s")]
turn_id = events[0][1]["turn_id"]
print(events[-1][0], [name for name, _ in string.follow_turn(turn_id)][-1], string.get_turn(turn_id)["state"])
day_ago = datetime.now() - timedelta(days=1)
print(string.turns(agent="worker", session="s", since=day_ago, limit=1)[0]["turn_id"] == turn_id, "s" in [row["session"] for row in string.usage(by="session")])
again = string.retry_turn(turn_id) if string.get_turn(turn_id)["state"] != "done" else string.cancel_turn(turn_id)
print(again["state"], string.approvals(agent="worker"), string.outbox(agent="worker"))
urllib.request.urlopen(string.webhook(), data=b"news").close()
event = string.inbox(agent="worker", state="pending")[0]
print(event["text"], string.ack(event["id"])["state"], string.webhook() != string.webhook(rotate=True))
print(string.pause("worker")["paused"], string.resume("worker")["paused"], string.health()["ok"])
print(string.chanflow("<𝒞=string:main>/close</𝒞>")["blocks"][0]["ok"])
print(StringDaemon().remove("worker"), "worker" in [agent["id"] for agent in StringDaemon().agents()])
`

/** Two events, and between them another daemon; then a turn that another daemon ends. */
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
    if name == "lost":
        continue
    if not steps:
        break
    steps.pop(0)()
heard = []
for name, data in string.turn("hello", agent="slow"):
    heard.append(name)
    if name == "partial":
        subprocess.run([os.environ["STRING"], "restart"], capture_output=True)
print(heard)
`

it.skipIf(!hasPython)(
  'docs/python.md, its pieces one after the other, and the tour with an agent, say what the agent said',
  {
    timeout: 120_000,
  },
  async () => {
    const place = await placeWithHelper()
    const { cwd, env } = python(place)
    const pieces = blocksOf('docs/python.md').filter(({ language }) => language === 'python')
    const profile = join(place.dir, 'agent.yaml')
    const program = await run('python3', ['-c', pieces.map(({ text }) => text).join('\n')], { cwd, env })
    expect(program).toMatchObject({ status: 0, stderr: '' })
    expect(program.stdout).toBe(`True hello
Well, you said hello to default
True []
False | NOT_FOUND | ERROR(NOT_FOUND): File not found: ./missing.md
| building
| built
False EXIT_3 3 built
Well, you said hello again to default
broken EXIT_3 no key
False
It asks to use bash
deny
local-webhook build 417 failed
404 | Unknown turn: trn_none | \`turns()\` has the latest turns, with their whole ids
`)
    const whole = await run('python3', ['-c', WHOLE_LIFE.replace('PROFILE', JSON.stringify(profile))], { cwd, env })
    expect(whole).toMatchObject({
      stderr: '',
      stdout: `False True
result result done
True True
done [] []
news acked True
True False True
True
True False
`,
    })
    const tour = await run('python3', ['tour.py', 'helper'], { cwd, env })
    expect(tour.stdout.split('\n').slice(-3)).toEqual(['partial: Well, ', 'reply: you said hello to default', ''])
    const late = await run('python3', ['-c', TOO_LATE], { cwd, env })
    expect(late).toMatchObject({ stderr: '', stdout: 'True None denied\nFalse True denied\n' })
    const wrong = await run('python3', ['-c', MISSPELT], { cwd, env })
    expect(wrong).toMatchObject({
      stderr: '',
      stdout: `turn: unknown argument 'sesion'; did you mean 'session'?
turn: unknown argument 'from'; did you mean 'from_'?
exec: unknown argument 'folder'; it takes topic, cmd, cwd, wait_ms, timeout, seen, at_prompt
StringDaemon: unknown argument 'agnet'; did you mean 'agent'?
exec(topic, cmd, cwd, wait_ms, timeout, seen, at_prompt): '/ls' is a command, and the topic comes first: exec('main', '/ls')
turn(message, agent, session, from_, attachments, request_id, stop): missing a required argument: 'message'
exec(topic, cmd, cwd, wait_ms, timeout, seen, at_prompt): cmd must be a string, not 5
exec(topic, cmd, cwd, wait_ms, timeout, seen, at_prompt): timeout must be a number of seconds above 0, at most 604800 (a week), not '5'
run(topic, command, cwd, timeout, goes_on, on_output): timeout must be a number of seconds above 0, at most 604800 (a week), not 0
exec(topic, cmd, cwd, wait_ms, timeout, seen, at_prompt): wait_ms must be a whole number of milliseconds, 1 to 30000, not 30001
events(after, stop): after must be the id of an event, evt_ and 26 characters (\`inbox()\` has them), not 'garbage'
turns(agent, session, state, since, limit, before): since must be a datetime, or a time as text, such as 2026-03-19T05:30:00Z, not 5
exec(topic, cmd, cwd, wait_ms, timeout, seen, at_prompt): cwd must be a path, not 5
register(agent_id, home, allowed_paths, profile): allowed_paths must be a list of paths, not '/srv/project'
register(agent_id, home, allowed_paths, profile): allowed_paths must be a list of paths, not ['/srv', 5]
register(agent_id, home, allowed_paths, profile): home must be a path, not 5
run(topic, command, cwd, timeout, goes_on, on_output): on_output must be a function, not 5
run(topic, command, cwd, timeout, goes_on, on_output): goes_on must be True or False, not 'no'
turns(agent, session, state, since, limit, before): limit must be a whole number from 1, not '5'
turns(agent, session, state, since, limit, before): state must be one of queued, running, waiting, done, failed, cancelled, interrupted, not 'faild'; did you mean 'failed'?
answer(approval_id, answer, note, by): answer must be one of allow, deny, not 'yes'
usage(by, since): by must be one of agent, session, day, not 'week'
webhook(rotate): rotate must be True or False, not 'no'
turn(message, agent, session, from_, attachments, request_id, stop): attachments must be a list of dicts, not 'a.png'
call(method, path, body): body must be a dict, not 'opened'
StringDaemon(agent, create): agent must be a string, not 5
True
False False
"home" must be an absolute path
401 | Unknown agent: helpr | Did you mean helper? \`agents()\` has all agents; \`register(agent_id)\` makes one, as does \`StringDaemon(agent_id, create=True)\`
without the program: True
Cannot run /nowhere/string: No such file or directory | Install String (docs/install.md), or name its program in the variable STRING
`,
    })
    // One that nobody catches points at the line that was wrong, not into the example.
    const caught = await run('python3', ['-c', UNCAUGHT], { cwd, env })
    expect(caught.status).toBe(1)
    expect(caught.stderr).toContain('Unknown agent: helpr')
    expect(caught.stderr.match(/File "/g)).toHaveLength(2)
    expect(caught.stderr).not.toContain('During handling')
  },
)

it.skipIf(!hasPython)('the events and turns of Python go on over a restart of the daemon, each once', async () => {
  const place = stringPlace()
  const { cwd, env } = python(place)
  const slow = writeAgent(place.dir, `echo 'AGENT_PARTIAL:"Well"'; sleep 60`)
  await place.string(['agent', 'add', 'slow', '--profile', slow])
  const follows = await run('python3', ['-c', OVER_A_RESTART], { cwd, env })
  expect(follows).toMatchObject({
    status: 0,
    stderr: '',
    stdout: "ready\none\nlost\nready\ntwo\n['start', 'partial', 'result']\n",
  })
})

it.skipIf(!hasPython)('a refusal in Python has the class, code, wait and next step that it has in Node', async () => {
  const place = stringPlace()
  const { cwd, env } = python(place)
  const capped = writeAgent(place.dir, 'echo hi', 'limits: { turns_per_hour: 1 }\n')
  await place.string(['agent', 'add', 'capped', '--profile', capped])
  const { stdout, stderr } = await run('python3', ['-c', REFUSED], { cwd, env })
  expect({ stdout, stderr }).toEqual({
    stderr: '',
    stdout: `QueueError | 429 | LIMIT_REACHED | True | None | Try again after \`retry_after\` seconds, or raise \`limits\` in the profile of the agent
HttpError | 404 | HTTP_404 | None | nobody | \`agents()\` has all agents; \`register(agent_id)\` makes one, as does \`StringDaemon(agent_id, create=True)\`
HttpError | 409 | NO_PROFILE | None | None | \`register(agent_id, profile=FILE)\` gives it one; \`string bridge init NAME\` writes one that works
UNREACHABLE True True
`,
  })
})
