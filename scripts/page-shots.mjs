// Takes the pictures of docs/page: a real daemon with agents of its own, a real browser. `node scripts/page-shots.mjs [WORD…]`
// takes only those whose name contains one of the words.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const out = join(root, 'docs/page')
const actor = join(import.meta.dirname, 'page-shots/actor.mjs')
const words = process.argv.slice(2)
/** A picture that is larger is no picture of a calm page. */
const MOST_BYTES = 100 * 1024

const dir = mkdtempSync(join(tmpdir(), 'string-shots-'))
const home = join(dir, 'mila')
mkdirSync(out, { recursive: true })
let daemon = await start(0)
const browser = await chromium.launch({
  executablePath: process.env.STRING_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  await shots()
} finally {
  await browser.close()
  await stop(daemon)
  rmSync(dir, { recursive: true, force: true })
}

async function shots() {
  await shot('agents-empty', '#/')
  await shot('inbox-empty', '#/inbox')
  await fill()
  await shot('agents', '#/')
  await shot('agents-dark', '#/', { scheme: 'dark' })
  await shot('agents-phone', '#/', { width: 360 })
  await shot('conversation', '#/agents/ada')
  await shot('conversation-live', '#/agents/ada/sessions/night', { scheme: 'dark' })
  await shot('conversation-phone', '#/agents/ada', { width: 360, scheme: 'dark' })
  await shot('turn', `#/agents/worker/turns/${await turnOf('worker')}`)
  await shot('turn-failed', '#/agents/cyd')
  await shot('session-empty', '#/agents/nightly')
  await shot('topic', '#/agents/ada/topics/app%3Atasks')
  await shot('topic-action', '#/agents/ada/topics/app%3Atasks', {
    act: (page) => page.getByRole('button', { name: 'add', exact: true }).click(),
  })
  await shot('topic-shell', '#/agents/ada/topics/bash%3Abuild', { scheme: 'dark' })
  await shot('approvals', '#/approvals')
  await shot('approvals-phone', '#/approvals', { width: 360 })
  await shot('inbox', `#/inbox/${(await api('GET', '/events')).events[0].id}`)
  await shot('outbox', '#/outbox', { scheme: 'dark' })
  await shot('webhooks', '#/webhooks')
  await shot('system', '#/system')
  await shot('keys', '#/', { act: (page) => page.keyboard.press('?') })
  await shot('daemon-away', '#/', { act: () => stop(daemon, 'SIGKILL'), scheme: 'dark' })
  daemon = await start(daemon.port)
}

async function shot(name, hash, { width = 1280, scheme = 'light', act = async () => undefined } = {}) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) return
  const height = width === 360 ? 740 : 800
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${daemon.port}/${hash}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.waitForTimeout(700)
  await act(page)
  await page.waitForTimeout(700)
  const path = join(out, `${name}.png`)
  await page.screenshot({ path })
  await context.close()
  const { size } = statSync(path)
  console.log(`${name} ${Math.round(size / 1024)} KB`)
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes`)
}

async function fill() {
  for (const id of ['ada', 'bert', 'cyd', 'dora', 'mailroom', 'nightly', 'release-notes']) await agent(id)
  await agent('worker', 'chanflow: true\nprimer: false\nmax_steps: 1\n')
  await agent('watcher', null)
  await api('POST', '/agents/dora/pause')
  await ask('ada', 'What do you think of the change in live/tabs.ts?')
  await ask('cyd', 'Fetch the report of last week')
  await ask('bert', 'Publish version 2.1').then(answer('deny', 'not on a Friday'))
  await ask('worker', 'Look at the tests of the tabs')
  await ask('ada', 'Why was the night so slow?', { session: 'night', wait: false })
  await ask('bert', 'Clean the build folder', { wait: false })
  await post('mailroom', '{"ref":"refs/heads/main","commits":[{"message":"fix the queue"}]}')
  await post('dora', 'The certificate of example.com ends in nine days')
  writeFileSync(
    join(home, 'ada/.string/channels.yaml'),
    'mail: { type: webhook, targets: { team: "http://127.0.0.1:9/" } }',
  )
  await exec('ada', 'main', null, '/chanflow', { text: '<𝒞=mail:team>\nThe review is done.\n</𝒞>' })
  await exec('ada', 'main', `/install ${join(root, 'examples/apps/tasks')} --app`)
  await exec('ada', 'app:tasks', '/open')
  await exec('ada', 'app:tasks', '/act.add "write the page"')
  await exec('ada', 'app:tasks', '/act.add "look at it twice"')
  await exec('ada', 'app:tasks', '/open')
  await exec(
    'ada',
    'bash:build',
    'git --version; printf "%s\\n" "suite 1 passed" "suite 2 passed"; sleep 300',
    '/exec',
    { wait_ms: 800 },
  )
}

/** Without one it is registered all the same, and takes no messages. */
async function agent(id, keys = '') {
  const folder = join(home, id)
  mkdirSync(join(folder, '.string'), { recursive: true })
  writeFileSync(join(folder, 'notes.md'), '# Notes\n')
  const profile = `command: ${actor}\nwire: "0.4"\npermission: true\n${keys}`
  if (keys !== null) writeFileSync(join(folder, '.string/profile.yaml'), profile)
  await api('POST', '/agents', { agent_id: id, home: folder, allowed_paths: [root] })
}

async function ask(id, message, { session = 'default', wait = true } = {}) {
  const leave = new AbortController()
  const response = await fetch(`http://127.0.0.1:${daemon.port}/agents/${id}/turns`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, session }),
    signal: leave.signal,
  })
  if (wait && !message.startsWith('Publish')) return void (await response.text())
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  leave.abort()
}

function answer(given, note) {
  return async () => {
    const { approvals } = await api('GET', '/approvals?state=waiting')
    for (const { id } of approvals) await api('POST', `/approvals/${id}`, { answer: given, note, by: 'mila' })
  }
}

async function post(id, body) {
  const { webhook_url } = await api('GET', `/agents/${id}/webhook`)
  await fetch(webhook_url, { method: 'POST', body })
}

async function turnOf(id) {
  return (await api('GET', `/turns?agent_id=${id}`)).turns[0].turn_id
}

async function exec(id, topic, cmd, path = '/exec', fields = {}) {
  await fetch(`http://127.0.0.1:${daemon.port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Agent-Id': id },
    body: JSON.stringify({ ...(cmd === null ? {} : { cmd, topic }), ...fields }),
  }).then((response) => response.text())
}

async function api(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${daemon.port}${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const value = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
  return value
}

function start(port) {
  const child = spawn(process.execPath, [join(root, 'packages/stringd/bin/stringd.cjs'), '--port', String(port)], {
    env: { ...process.env, HOME: dir, STRING_HOME: join(dir, 'string'), STRING_DATA_DIR: join(dir, 'string/daemon') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const ready = /"stringd is ready","port":(\d+)/.exec(text)
      if (ready !== null) resolve({ child, port: Number(ready[1]) })
    })
  })
}

function stop({ child }, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return undefined
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}
