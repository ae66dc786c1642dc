import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { root } from './pages.ts'

const hasPython = (await run('/bin/sh', ['-c', 'command -v python3'])).status === 0
if (!hasPython) console.warn('SKIPPED: no python3, so examples/python was not run')

/** Where the example runs, and finds the built command line. */
function python(place: Place): { cwd: string; env: NodeJS.ProcessEnv } {
  const wrapper = join(place.dir, 'string.sh')
  writeFileSync(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  return {
    cwd: join(root, 'examples/python'),
    env: { ...place.env, STRING: wrapper, PYTHONDONTWRITEBYTECODE: '1' },
  }
}

const TO_THE_END = `
from string_daemon import StringDaemon
string = StringDaemon()
told = []
ended = string.run("bash:x", "echo begun; sleep 1; echo; echo over; cd /tmp; (exit 3)", on_output=told.append)
print([ended[name] for name in ("ok", "code", "exit", "cwd", "output", "truncated", "whole")], "".join(told) == "begun\\n\\nover\\n", len(told) > 1)
long = string.run("bash:x", "seq 1 300000")
print(long["exit"], long["truncated"], len(open(long["whole"]).read()), long["output"][-6:], "left out; the whole is in " + long["whole"] in long["output"])
count = [0, ""]
def heard(text):
    lines = (count[1] + text).split("\\n")
    count[1] = lines.pop()
    for line in lines:
        count[0] += line == str(count[0] + 1)
print(string.run("bash:x", "seq 1 900000", on_output=heard)["output"][:4].split(), count[0])
print(repr(string.run("bash:x", "printf 'a\\\\tb'")["output"]), string.run("bash:y", "echo hi; exit 4")["output"])
string.exec("bash:x", "sleep 60", wait_ms=100)
print(string.run("bash:x", "echo DEPLOYING")["code"], string.exec("bash:x", "echo DEPLOYING", at_prompt=True)["code"])
string.cancel("bash:x")
for topic, command in (("main", "make"), ("bash:x", "//wait 3"), ("bash:x", "")):
    try:
        string.run(topic, command)
    except TypeError as error:
        print(error)
`

it.skipIf(!hasPython)('run of Python waits for the end, and types nothing into what still runs', async () => {
  const { cwd, env } = python(stringPlace())
  expect(await run('python3', ['-c', TO_THE_END], { cwd, env })).toMatchObject({
    stderr: '',
    stdout: `[False, 'EXIT_3', 3, '/tmp', 'begun\\n\\nover', False, None] True True
0 True 1988895 300000 True
['1', '2'] 900000
'a\\tb' hi
BUSY BUSY
run(topic, command): 'main' has no shell; name a topic bash:NAME
run(topic, command): '//wait 3' is no shell command: exec(topic, command) runs it
run(topic, command): command must be a shell command, not empty
`,
  })
})

const FROZEN = `
import os, signal, threading
from string_daemon import StringDaemon
string = StringDaemon()
print(string.run("bash:x", "echo before", timeout=30)["output"])
pid = string.health()["pid"]
os.kill(pid, signal.SIGSTOP)
try:
    for call in (string.run, string.exec):
        try:
            call("bash:x", "echo later", timeout=0.5)
        except TimeoutError as error:
            print(error)
    def told(call):
        try:
            call()
        except ConnectionError as error:
            said.append(f"{type(error).__name__} {error}".replace(str(string.port), "PORT"))
    said = []
    calls = [threading.Thread(target=told, args=[call]) for call in (string.health, string.agents)]
    for call in calls:
        call.start()
    told(StringDaemon)
    told(lambda: string.exec("main", "/topics"))
    for call in calls:
        call.join()
    print("\\n".join(sorted(said, reverse=True)))
finally:
    os.kill(pid, signal.SIGCONT)
`

/** A daemon that goes on when it was noticed that it hangs. */
const HANGS = `
import os, signal
import string_daemon
string_daemon.SILENT_SECS = 1
string = string_daemon.StringDaemon("waits")
pid = string.health()["pid"]
heard = []
for name, data in string.turn("hello"):
    heard.append(data["reason"] if name == "lost" else name)
    if name == "partial":
        os.kill(pid, signal.SIGSTOP)
    if name == "lost":
        os.kill(pid, signal.SIGCONT)
        open(MAY_END, "w").close()
print(heard, data["reply"])
heard = []
for name, data in string.events():
    heard.append(name)
    if name == "event":
        break
    if heard == ["ready"]:
        os.kill(pid, signal.SIGSTOP)
    elif heard == ["ready", "lost"]:
        os.kill(pid, signal.SIGCONT)
        import urllib.request
        urllib.request.urlopen(string.webhook(), data=b"news").close()
print(heard[:2], data["text"])
try:
    string.run("bash:x", "echo begun; sleep 60", timeout=1)
except TimeoutError as error:
    print(error, error.output, sep=" | ")
`

it.skipIf(!hasPython)(
  'a turn and the events of Python go on when a daemon that hung does, and what ran too long has its output',
  async () => {
    const place = stringPlace()
    const { cwd, env } = python(place)
    const mayEnd = join(place.dir, 'may-end')
    const program = `echo 'AGENT_PARTIAL:"Well"'; until [ -e '${mayEnd}' ]; do sleep 0.05; done; echo done`
    const waits = writeAgent(place.dir, program, 'wake: events\n')
    await place.string(['agent', 'add', 'waits', '--profile', waits])
    expect(await run('python3', ['-c', HANGS.replace('MAY_END', JSON.stringify(mayEnd))], { cwd, env })).toMatchObject({
      stderr: '',
      stdout: `['start', 'partial', 'The daemon has said nothing for 1 s', 'result'] done
['ready', 'lost'] news
run: 'echo begun; sleep 60' took longer than 1 s | begun
`,
    })
  },
)

it.skipIf(!hasPython)(
  'run and exec of Python end with their timeout, also where the daemon does not answer',
  async () => {
    const { cwd, env } = python(stringPlace())
    expect(await run('python3', ['-c', FROZEN], { cwd, env })).toMatchObject({
      stderr: '',
      stdout: `before
run: 'echo later' took longer than 0.5 s, and was not answered: it may go on
exec: 'echo later' took longer than 0.5 s, and was left: a daemon that answers ends it
Unreachable What listens on port PORT does not answer
Unreachable What listens on port PORT does not answer
Unreachable What listens on port PORT does not answer
Incomplete The daemon hangs at POST /exec: it may have been done
`,
    })
  },
)

const ALONE = `
import threading
from string_daemon import StringDaemon
string = StringDaemon()
ended = []
def runs(topic):
    return (string.exec(topic, "//info")["data"] or {}).get("running")
first = threading.Thread(target=lambda: ended.append(string.run("bash:x", "read line; echo one")))
first.start()
while not runs("bash:x"):
    pass
busy = string.run("bash:x", "echo two")
print(busy["code"], busy["output"] == "", "bash:x runs read line; echo one" in busy["content"], "topic bash:NAME of its own" in busy["content"])
string.exec("bash:x", "//key enter")
first.join()
print(ended[0]["output"].strip(), string.run("bash:x", "echo two")["output"])
string.exec("bash:x", "sleep 0.3; echo untold", wait_ms=50)
while runs("bash:x"):
    pass
print(string.run("bash:x", "echo three")["output"])
`

it.skipIf(!hasPython)('run of Python has its shell to itself, and tells nothing of before', async () => {
  const { cwd, env } = python(stringPlace())
  expect(await run('python3', ['-c', ALONE], { cwd, env })).toMatchObject({
    stderr: '',
    stdout: 'BUSY True True True\none two\nthree\n',
  })
})

const LEAVING = `
import signal, threading, time
from string_daemon import StringDaemon
string = StringDaemon()
def runs(topic):
    return string.exec(topic, "//info")["data"]["running"]
def ends(topic):
    while any(each["topic"] == topic and each["executing"] for each in string.call("GET", "/sessions")["sessions"]) or runs(topic):
        time.sleep(0.05)
    return True
for call in (string.exec, string.run):
    try:
        call("bash:x", "sleep 600", timeout=0.5)
    except TimeoutError as error:
        print("TimeoutError", ends("bash:x"))
try:
    string.exec("main", "/exec sleep 600", timeout=0.5)
except TimeoutError as error:
    print(error)
try:
    string.run("bash:x", "sleep 600", timeout=0.5, goes_on=True)
except TimeoutError:
    print(runs("bash:x"), string.cancel("bash:x"))
def interrupt():
    while not runs("bash:y"):
        time.sleep(0.05)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
for call, manner in ((string.exec, {}), (string.run, {}), (string.run, {"on_output": print})):
    threading.Thread(target=interrupt).start()
    try:
        call("bash:y", "sleep 600", **manner)
    except KeyboardInterrupt:
        print("KeyboardInterrupt", ends("bash:y"))
`

it.skipIf(!hasPython)('a Python program that stops waiting, or is interrupted, ends its command', async () => {
  const { cwd, env } = python(stringPlace())
  expect(await run('python3', ['-c', LEAVING], { cwd, env })).toMatchObject({
    stderr: '',
    stdout: `TimeoutError True
TimeoutError True
exec: '/exec sleep 600' took longer than 0.5 s, and was left: a daemon that answers ends it
True 1
KeyboardInterrupt True
KeyboardInterrupt True
KeyboardInterrupt True
`,
  })
})

const AS_NODE = `
import os, signal, subprocess, sys, threading, time
from string_daemon import StringDaemon
string = StringDaemon()
def info(topic):
    return string.exec(topic, "//info")["data"] or {}
def fails(_):
    raise OSError("mine")
for script in ("echo a; sleep 600", "sleep 0.8; echo a; sleep 600"):
    for goes_on in (False, True):
        try:
            string.run("bash:x", script, on_output=fails, goes_on=goes_on)
        except OSError as error:
            print(type(error).__name__, error, info("bash:x")["running"])
        if goes_on:
            string.cancel("bash:x")
topics = iter("abcdefgh")
def ends(seconds, work, manner):
    topic = "bash:" + next(topics)
    def wait():
        while not info(topic).get("running") or info(topic)["seconds"] < seconds:
            time.sleep(0.02)
        while "\\nbegun" not in string.call("GET", "/sessions/default/" + topic)["text"]:
            time.sleep(0.02)
        work(topic)
    info(topic)  # A daemon runs.
    other = threading.Thread(target=wait)
    other.start()
    ended = string.run(topic, "echo begun; sleep 600", **manner)
    other.join()
    print([ended[name] for name in ("ok", "code", "exit", "output")])
def kill(_):
    pid = string.health()["pid"]
    os.kill(pid, signal.SIGKILL)
    while os.system(f"kill -0 {pid} 2>/dev/null") == 0:
        pass
def stop(_):
    subprocess.run([os.environ["STRING"], "stop"], capture_output=True)
for manner in ({}, {"on_output": str}):
    for seconds, work in ((0, string.cancel), (1, string.cancel), (1, kill), (1, stop)):
        ends(seconds, work, manner)
busy = "import time; from string_daemon import StringDaemon; StringDaemon().run('bash:z', 'echo a; sleep 600', on_output=lambda _: (print('told', flush=True), time.sleep(600)))"
dies = subprocess.Popen([sys.executable, "-c", busy], stdout=subprocess.PIPE)
dies.stdout.readline()
print(info("bash:z")["running"])
dies.kill()
dies.wait()
while info("bash:z")["running"]:
    time.sleep(0.02)
print(string.run("bash:z", "echo next")["output"])
`

it.skipIf(!hasPython)(
  'run of Python ends and answers as that of Node does: a callback that fails, a command that is stopped, a daemon that dies',
  { timeout: 120_000 },
  async () => {
    const { cwd, env } = python(stringPlace())
    const failing = 'OSError mine False\nOSError mine True\n'.repeat(2)
    const broken = "[False, 'STREAM_INCOMPLETE', None, 'begun']\n"
    const stopped = "[False, 'CANCELLED', None, 'begun']\n"
    expect(await run('python3', ['-c', AS_NODE], { cwd, env })).toMatchObject({
      stderr: '',
      stdout: `${failing}${`${stopped.repeat(2)}${broken}${stopped}`.repeat(2)}True\nnext\n`,
    })
  },
)

const AFTER_ITS_DEATH = `
import os, signal, subprocess
from string_daemon import StringDaemon, Unreachable
string = StringDaemon()
pid = string.health()["pid"]
os.kill(pid, signal.SIGKILL)
while os.system(f"kill -0 {pid} 2>/dev/null") == 0:
    pass
print(string.exec("main", "/exec echo up")["data"]["output"])
subprocess.run([os.environ["STRING"], "stop"], capture_output=True)
print([name for name, _ in zip("x", string.events())], string.health()["pid"] != pid)
subprocess.run([os.environ["STRING"], "stop"], capture_output=True)
os.environ["STRING"] = "/nowhere/string"
try:
    string.exec("main", "/exec echo up")
except Unreachable as error:
    print(error)
`

it.skipIf(!hasPython)(
  'a Python program starts a daemon that died or was stopped again with its next call',
  async () => {
    const place = stringPlace()
    const { cwd, env } = python(place)
    expect(await run('python3', ['-c', AFTER_ITS_DEATH], { cwd, env })).toMatchObject({
      stderr: '',
      stdout: "up\n['x'] True\nCannot run /nowhere/string: No such file or directory\n",
    })
  },
)

const TAKEN = `
import http.server, os, subprocess, threading, time
from string_daemon import StringDaemon, StringError
string = StringDaemon()
try:
    string.run("bash:x", "read line", timeout=2)
except TimeoutError as error:
    print(error)
for kill in range(3):
    os.kill(string.health()["ok"] and string._pid, 9)
    time.sleep(0.05)
    print(string.exec("main", "/info")["ok"])
subprocess.run([os.environ["STRING"], "stop"], capture_output=True)
seen = []
class Stranger(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seen.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"ok": true}')
    do_POST = do_GET
server = http.server.ThreadingHTTPServer(("127.0.0.1", string.port), Stranger)
threading.Thread(target=server.serve_forever, daemon=True).start()
for ask in (string.health, lambda: string.exec("main", "/exec echo secret"), lambda: string.run("bash:y", "echo secret")):
    try:
        print(ask())
    except StringError as error:
        print(error.code, "is taken by pid" in str(error))
print(seen)
os.environ["STRING"] = "/bin/true"
try:
    string.health()
except StringError as error:
    print(error)
`

it.skipIf(!hasPython)(
  'Python sends nothing to who has taken the port, and starts a daemon again that was killed',
  async () => {
    const port = await freePort()
    const { cwd, env } = python(stringPlace({ STRING_PORT: String(port) }))
    expect(await run('python3', ['-c', TAKEN], { cwd, env })).toMatchObject({
      stderr: '',
      stdout: `run: 'read line' took longer than 2 s
True
True
True
UNREACHABLE True
UNREACHABLE True
UNREACHABLE True
[]
/bin/true does not tell where the daemon is: it is not String, or too old
`,
    })
  },
)

const STRANGERS = `
import socket, threading
from string_daemon import HttpError, StringDaemon, StringError
string = StringDaemon()
def stranger(text):
    listening = socket.create_server(("127.0.0.1", 0))
    def serve():
        while True:
            connection, _ = listening.accept()
            connection.sendall(text)
            connection.recv(65536)
            connection.close()
    threading.Thread(target=serve, daemon=True).start()
    return listening.getsockname()[1]
for text in (b"SSH-2.0-x\\r\\n", b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi", b"HTTP/1.1 404 Not Found\\r\\nContent-Length: 2\\r\\n\\r\\nhi"):
    other = StringDaemon()
    other.port = stranger(text)
    for ask in (other.health, lambda: other.exec("main", "/ls"), lambda: next(other.turn("hello"))):
        try:
            ask()
        except StringError as error:
            print(error.code, str(error).replace(str(other.port), "PORT"))
for given in (("GET", "health"), ("get", "/health"), ("GET", "/a b")):
    try:
        string.call(*given)
    except TypeError as error:
        print(error)
print(string.call("GET", "/health")["ok"])
try:
    next(string.turn("look", attachments=[{"type": "pdf", "url": "a"}]))
except HttpError as error:
    print(error, error.next, sep=" | ")
`

it.skipIf(!hasPython)('Python names a program that is no stringd, and what is wrong with a route', async () => {
  const { cwd, env } = python(stringPlace())
  const asks = 'FOREIGN_DAEMON What listens on port PORT is not stringd\n'.repeat(9)
  const path = 'call(method, path, body): path must be a route that begins with /, such as /health, not'
  expect(await run('python3', ['-c', STRANGERS], { cwd, env })).toMatchObject({
    stderr: '',
    stdout: `${asks}${path} 'health'
call(method, path, body): method must be GET, POST or DELETE, not 'get'
${path} '/a b'
True
"attachments[0].type" must be image, file, audio or video | Nothing was done: the message says what that takes
`,
  })
})

/** Under the eyes of Python's own checks: what is left open is an error. */
const CLEAN = `
import threading
from string_daemon import StringDaemon
string = StringDaemon()
outside = string.exec("main", "/open /etc/hostname")
print(outside["code"], outside["outside"], outside["data"])
string.run("bash:x", "echo begun; sleep 0.2", on_output=print)
stop = threading.Event()
for name, _ in string.events(stop=stop):
    print(name)
    threading.Timer(0.2, stop.set).start()
turn = next(string.turn("hello", agent="broken"))[1]["turn_id"]
print([name for name, _ in string.follow_turn(turn)][-1])
stop = threading.Event()
for name, data in string.turn("hello", agent="slow", stop=stop):
    stop.set()
print(name, string.cancel_turn(data["turn_id"])["state"])
for _ in range(3):
    list(string.turn("hello", agent="broken"))
import string_daemon
string_daemon.TURNS_MOST = 2
failed = list(string.failures())
print(len(failed), failed == sorted(failed, key=lambda each: each["turn_id"], reverse=True), {each["agent_id"] for each in string.failures("slow")})
try:
    string.run("bash:x", cmd="true")
except TypeError as error:
    print(error)
`

it.skipIf(!hasPython)(
  'Python leaves nothing open, ends a stream when it is told to, and lists all that failed',
  async () => {
    const place = stringPlace()
    const { cwd, env } = python(place)
    const broken = writeAgent(place.dir, 'exit 3', '', 'broken')
    const slow = writeAgent(place.dir, 'sleep 60', '', 'slow')
    await place.string(['agent', 'add', 'broken', '--profile', broken])
    await place.string(['agent', 'add', 'slow', '--profile', slow])
    const strict = ['-X', 'dev', '-W', 'error::ResourceWarning', '-c', CLEAN]
    expect(await run('python3', strict, { cwd, env })).toMatchObject({
      stderr: '',
      stdout: `INVALID_PATH /etc None
begun

ready
result
start cancelled
4 True set()
run: unknown argument 'cmd'; did you mean 'command'?
`,
    })
  },
)

const hasMypy = (await run('/bin/sh', ['-c', 'command -v mypy'])).status === 0
if (!hasMypy) console.warn('SKIPPED: no mypy, so the types of examples/python were not checked')

it.skipIf(!hasMypy)('mypy --strict has nothing to say of the Python client, also for Python 3.8', async () => {
  const cacheless = ['--strict', '--cache-dir=/dev/null', 'examples/python/string_daemon.py']
  for (const version of [[], ['--python-version', '3.8']])
    expect((await run('mypy', [...version, ...cacheless], { cwd: root })).stdout).toMatch(/^Success/)
})
