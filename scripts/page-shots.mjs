// Takes the pictures of docs/page: a real daemon with agents of its own, a real browser. `node scripts/page-shots.mjs [WORD…]`
// takes only those whose name contains one of the words.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startPostgres } from '../bench/lib/postgres.mjs'
import { smallPng } from './page-shots/small-png.mjs'

const root = join(import.meta.dirname, '..')
const out = join(root, 'docs/page')
const actor = join(import.meta.dirname, 'page-shots/actor.mjs')
const words = process.argv.slice(2)
/** A picture that is larger is no picture of a calm page. */
const MOST_BYTES = 60 * 1024
/** What a daemon answers whose store is away. */
const AWAY = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ error: 'The store cannot be reached: the server refused the connection' }),
}

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

/** Every place at both widths: with nothing in it, with much, and when what it shows cannot be had. */
async function shots() {
  for (const place of ['agents', 'approvals', 'inbox', 'outbox', 'webhooks'])
    await both(`${place}-empty`, hashOf(place))
  await both('system-empty', '#/system')
  await both('fleet-empty', '#/fleet')
  await fill()
  for (const [name, hash] of await filled()) await both(name, hash)
  await both('session-empty', '#/agents/nightly')
  await both('topic-empty', '#/agents/nightly/topics/desk')
  await both('turn-failed', '#/agents/cyd')
  for (const [name, hash, path] of broken()) await both(`${name}-broken`, hash, { refuse: path })
  await both('agent-broken', '#/agents/eve')
  await both('agent-unknown', '#/agents/nobody')
  await both('nowhere', '#/no/such/place')
  await both('keys', '#/', { act: (page) => page.keyboard.press('?') })
  await both('add-agent', '#/', { act: typeAgent })
  await both('topic-action', '#/agents/ada/topics/app%3Atasks', {
    act: (page) => page.getByRole('button', { name: 'add', exact: true }).click(),
  })
  await shot('agents-dark', '#/', { scheme: 'dark' })
  await shot('conversation-live', '#/agents/ada/sessions/night', { scheme: 'dark' })
  await both('daemon-away', '#/', { act: () => stop(daemon, 'SIGKILL') })
  if (isWanted('fleet-agents')) await fleetShots()
}

/** Four nodes on one store: this one, one that works, one that takes nothing more and one that is gone. */
async function fleetShots() {
  const closing = []
  const server = await startPostgres({ folder: dir, onClose: (close) => closing.push(close) })
  if (server === null) throw new Error('There is no PostgreSQL for the pictures of a fleet')
  const store = await server.database('shots')
  await stop(daemon)
  const nodes = []
  for (const node of ['north', 'south', 'west', 'old-laptop'])
    nodes.push(await start(0, join(dir, node), { STRING_STORE: store, STRING_NODE: node }))
  const agents = ['ada bert', 'cyd dora mailroom', 'nightly', 'watcher']
  for (const [index, names] of agents.entries()) {
    daemon = nodes[index]
    for (const id of names.split(' ')) await agent(id)
  }
  daemon = nodes[1]
  await ask('cyd', 'Why was the night so slow?', { session: 'night', wait: false })
  daemon = nodes[2]
  await api('POST', '/fleet/drain')
  await stop(nodes[3])
  daemon = nodes[0]
  await both('fleet', '#/fleet')
  await both('fleet-agents', '#/')
  for (const node of nodes) await stop(node)
  for (const close of closing) close()
}

async function both(name, hash, options = {}) {
  await shot(name, hash, options)
  await shot(`${name}-phone`, hash, { width: 360, scheme: 'dark', ...options })
}

function hashOf(place) {
  return place === 'agents' ? '#/' : `#/${place}`
}

async function filled() {
  return [
    ['agents', '#/'],
    ['conversation', '#/agents/ada'],
    ['turn', `#/agents/worker/turns/${await turnOf('worker')}`],
    ['topic', '#/agents/ada/topics/app%3Atasks'],
    ['topic-shell', '#/agents/ada/topics/bash%3Abuild'],
    ['approvals', '#/approvals'],
    ['inbox', `#/inbox/${(await api('GET', '/events')).events[0].id}`],
    ['outbox', '#/outbox'],
    ['webhooks', '#/webhooks'],
    ['system', '#/system'],
  ]
}

/** What is refused there, as a daemon whose store is away refuses it. */
function broken() {
  return [
    ['agents', '#/', '/agents'],
    ['conversation', '#/agents/ada', '/turns'],
    ['turn', '#/agents/ada/turns/trn_none', null],
    ['topic', '#/agents/ada/topics/app%3Atasks', '/sessions/ada/app%3Atasks'],
    ['approvals', '#/approvals/apr_none', '/approvals'],
    ['inbox', '#/inbox/evt_none', '/events'],
    ['outbox', '#/outbox', '/deliveries'],
    ['webhooks', '#/webhooks', '/agents'],
    ['system', '#/system', '/doctor'],
    ['fleet', '#/fleet', '/fleet'],
  ]
}

async function typeAgent(page) {
  const profile = join(dir, 'typo.yaml')
  writeFileSync(profile, 'comand: ./agent.sh\n')
  await page.keyboard.press('n')
  await page.getByRole('dialog').getByLabel('Name').fill('frank')
  await page.getByRole('dialog').getByLabel('Profile').fill(profile)
  await page.getByText('typo.yaml:1').waitFor()
}

function isWanted(name) {
  return words.length === 0 || words.some((word) => name.includes(word))
}

async function shot(name, hash, { width = 1280, scheme = 'light', act = async () => undefined, refuse = null } = {}) {
  if (!isWanted(name)) return
  if (daemon.child.exitCode !== null || daemon.child.signalCode !== null) daemon = await start(daemon.port)
  const height = width === 360 ? 740 : 800
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  if (refuse !== null)
    await page.route(
      (url) => url.pathname === refuse,
      (route) => route.fulfill(AWAY),
    )
  await page.goto(`http://127.0.0.1:${daemon.port}/${hash}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.waitForTimeout(500)
  await act(page)
  await page.waitForTimeout(500)
  const path = join(out, `${name}.png`)
  const bytes = smallPng(await pixelsOf(await page.screenshot()))
  writeFileSync(path, bytes)
  await context.close()
  console.log(`${name} ${Math.round(bytes.length / 1024)} KB`)
  if (bytes.length > MOST_BYTES) throw new Error(`${path} has ${bytes.length} bytes`)
}

/** The browser that took a picture knows how to read it. */
async function pixelsOf(png) {
  const page = await browser.newPage()
  const { width, height, text } = await page.evaluate(
    async (source) => {
      const image = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height)
      const brush = canvas.getContext('2d')
      brush.drawImage(image, 0, 0)
      const { data } = brush.getImageData(0, 0, image.width, image.height)
      const parts = []
      for (let at = 0; at < data.length; at += 32_768)
        parts.push(String.fromCharCode(...data.subarray(at, at + 32_768)))
      return { width: image.width, height: image.height, text: btoa(parts.join('')) }
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await page.close()
  return { width, height, pixels: Buffer.from(text, 'base64') }
}

async function fill() {
  for (const id of ['ada', 'bert', 'cyd', 'dora', 'mailroom', 'nightly', 'release-notes']) await agent(id)
  await agent('worker', 'chanflow: true\nprimer: false\nmax_steps: 1\n')
  await agent('watcher', null)
  await agent('eve')
  writeFileSync(join(home, 'eve/.string/profile.yaml'), 'comand: ./agent.sh\n')
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

function start(port, folder = join(dir, 'string'), env = {}) {
  const child = spawn(process.execPath, [join(root, 'packages/stringd/bin/stringd.cjs'), '--port', String(port)], {
    env: { ...process.env, HOME: dir, STRING_HOME: folder, STRING_DATA_DIR: join(folder, 'daemon'), ...env },
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
