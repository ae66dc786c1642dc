import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { call } from '../../support/http.ts'
import type { PagePlace } from './place.ts'

const ATTACKS = [
  '<script>globalThis.hacked = 1</script>',
  '<img src=http://127.0.0.1:9/x onerror="globalThis.hacked = 1">',
  '<svg/onload="globalThis.hacked=1"><iframe srcdoc="<script>parent.hacked=1</script>">',
  '<style>*{display:none}</style><base href="http://127.0.0.1:9/"><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
  '[click](javascript:globalThis.hacked=1) [data](data:text/html,<script>hacked=1</script>)',
  '![pixel](http://127.0.0.1:9/pixel.png) <http://127.0.0.1:9/auto>',
  '"><input autofocus onfocus="globalThis.hacked=1">',
  '\u202eright to left \u2066isolated\u2069 \u200bzero\u200dwidth\ufeff',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0008\u0008\u0008',
  `Z${'\u0301'.repeat(400)}algo`,
  '{{constructor.constructor("hacked=1")()}} ${hacked=1}',
  '> '.repeat(200),
  `${'['.repeat(2_000)}(x)`,
]
const ATTACK = ATTACKS.join('\n\n')
/** Where little fits. */
const SHORT = '<img src=x onerror=hacked=1>\u202e"\'\u200b'
const FILE = '<img src=x onerror=hacked=1>\u202e.md'
const PROGRAM = '/none/<img/onerror=hacked=1>\u202e\u200b'
const LONG = 'M'.repeat(1_000_000)

/** An agent that attacks, and where its texts are seen. */
export interface Attacker {
  readonly id: string
  readonly session: string
  /** One whose profile attacks. */
  readonly broken: string
  /** One whose blocks attack, and the turn of them. */
  readonly worker: string
  readonly turn: string
  readonly stop: () => void
}

/** Everything that an agent, a document, a sender or a server can have a say in holds an attack. */
export async function attackEverywhere(place: PagePlace): Promise<Attacker> {
  const id = 'a@b.+-_x'.padEnd(128, 'x')
  const session = `<img src=x onerror=hacked=1> \u202e"'/%2e`
  const home = await place.agent(id)
  await talk(place, id, session)
  await write(place, id, home)
  await arrive(place, id)
  const stop = await send(place, id, home)
  const broken = await breakProfile(place)
  const { worker, turn } = await runBlocks(place)
  await ask(place, id)
  return { id, session, broken, worker, turn, stop }
}

async function talk(place: PagePlace, id: string, session: string): Promise<void> {
  await place.turn(id, `say ${ATTACK}`, session)
  await place.turn(id, `fail ${ATTACK}`)
  await place.turn(id, `say ${LONG} end`)
  await place.turn(id, `say \u202e${ATTACK}`)
  await call(place.port, 'POST', `/agents/${id}/turns`, { body: { message: `everywhere ${ATTACK}`, from: SHORT } })
  // One that goes on, so that what streams attacks too.
  void place.turn(id, `drip ${ATTACK}`, 'drips').catch(() => undefined)
}

/** Documents, with all that they offer, and a shell in a folder with such a name. */
async function write(place: PagePlace, id: string, home: string): Promise<void> {
  const action = `\`\`\`act.greet\nCLI echo {who} {how}\n  who: string (required) ${JSON.stringify(SHORT)} = ${JSON.stringify(SHORT)}\n  how: string (${'<b>x</b>'}|two) "how"\n\`\`\`\n`
  const links = `[@more ${SHORT}](long.md) and [@menu ${SHORT}](other.md)`
  mkdirSync(join(home, SHORT.replace('/', '')), { recursive: true })
  writeFileSync(
    join(home, FILE),
    `---\ntitle: ${JSON.stringify(ATTACK)}\n---\n# ${ATTACKS[0]}\n\n${links}\n\n${ATTACK}\n\n${action}`,
  )
  writeFileSync(join(home, 'long.md'), `# ${'T'.repeat(3_000)}\n\n${LONG.slice(0, 20_000)}\n`)
  const exec = (topic: string, cmd: string) =>
    call(place.port, 'POST', '/exec', { headers: { 'X-Agent-Id': id }, body: { cmd, topic, wait_ms: 1_000 } })
  await exec('desk', `/open '${FILE}'`)
  await exec('long', '/open long.md')
  await exec('bash:x', `printf '\\033[2J\\033]0;x\\007<img src=x onerror=hacked=1>\\n%0.s${'W'.repeat(500)}' 1`)
  await exec('bash:here', `cd '<img src=x onerror=hacked=1>'* && sleep 600 # <img src=x onerror=hacked=1> \u202e`)
}

async function arrive(place: PagePlace, id: string): Promise<void> {
  const { webhook_url } = await place.ask<{ webhook_url: string }>('GET', `/agents/${encodeURIComponent(id)}/webhook`)
  await fetch(webhook_url, { method: 'POST', body: `${ATTACK}\u0000` })
  await fetch(webhook_url, { method: 'POST', body: LONG.slice(0, 60_000) })
}

/** To a server that answers with an attack. */
async function send(place: PagePlace, id: string, home: string): Promise<() => void> {
  const server = createServer((_, response) => response.writeHead(400).end(ATTACK))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const target = 'x-onerror'
  const targets = JSON.stringify({ [target]: `http://127.0.0.1:${port}/` })
  writeFileSync(join(home, '.string/channels.yaml'), `hook: { type: webhook, targets: ${targets} }`)
  await call(place.port, 'POST', '/chanflow', {
    headers: { 'X-Agent-Id': id },
    body: { text: `<𝒞=hook:${target}>${ATTACK.replaceAll('𝒞', 'C')}</𝒞>` },
  })
  return () => server.close()
}

async function breakProfile(place: PagePlace): Promise<string> {
  const home = await place.agent('broken')
  writeFileSync(join(home, '.string/profile.yaml'), `command: ${JSON.stringify(PROGRAM)}\n`)
  return 'broken'
}

async function runBlocks(place: PagePlace): Promise<{ worker: string; turn: string }> {
  await place.agent('worker', 'chanflow: true\nprimer: false\n')
  await place.turn('worker', `run /open '${FILE}' | /${SHORT} | ${ATTACKS[1]}`)
  const { turns } = await place.ask<{ turns: { turn_id: string }[] }>('GET', '/turns?agent_id=worker')
  return { worker: 'worker', turn: turns[0]?.turn_id ?? '' }
}

/** One question waits, another was answered by somebody who attacks. */
async function ask(place: PagePlace, id: string): Promise<void> {
  void place.turn(id, `tool ${ATTACKS.slice(0, 8).join(' ')}`, 'tools').catch(() => undefined)
  for (let waiting: { id: string }[] = []; waiting.length === 0; ) {
    const { approvals } = await place.ask<{ approvals: { id: string }[] }>('GET', '/approvals?state=waiting')
    waiting = approvals
    for (const each of approvals)
      await place.ask('POST', `/approvals/${each.id}`, { answer: 'allow', note: ATTACK.slice(0, 1_000), by: SHORT })
  }
  void place.turn(id, `ask ${ATTACK}`, 'asks').catch(() => undefined)
}
