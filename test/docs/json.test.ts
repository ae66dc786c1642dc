import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringClient } from '@string-os/client'
import { expect, it } from 'vitest'
import { VERBS } from '../../packages/stringd/src/cli/verbs.ts'
import { writeAgent } from '../support/agent.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'
import { call } from '../support/http.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/json.md'), 'utf8')
const sections = page.split(/^## /m).slice(1)

/** They print no data: one serves, one prints a script. */
const WITHOUT_DATA = ['mcp', 'completion']

interface Sample {
  readonly title: string
  /** What is said around it; names a field that may be null or missing in backquotes. */
  readonly prose: string
  readonly example: unknown
  /** `COMMAND --json | jq …` */
  readonly line: string
}

/** An example belongs to the next line below it. */
function samplesOf(section: string): Sample[] {
  const [title = ''] = section.split('\n')
  const blocks = [...section.matchAll(/^```(json|sh)\n([\s\S]*?)^```$/gm)]
  const prose = section.replace(/^```[\s\S]*?^```$/gm, '')
  let example: unknown
  return blocks.flatMap(([, kind, text = '']) => {
    if (kind === 'sh') {
      const sample = { title, prose, example, line: text.trim() }
      example = undefined
      return [sample]
    }
    example = JSON.parse(text)
    return []
  })
}

/** Where a value has another shape than the example. */
function differences(example: unknown, real: unknown, path: string, prose: string): string[] {
  if (Array.isArray(example) && Array.isArray(real))
    return real.flatMap((each, at) =>
      example.length === 0 ? [] : differences(example[0], each, `${path}[${at}]`, prose),
    )
  if (isRecord(example) && isRecord(real)) {
    const keys = new Set([...Object.keys(example), ...Object.keys(real)])
    return [...keys].flatMap((key) => {
      const isLoose = prose.includes(`\`${key}\``)
      if (isLoose && (example[key] == null || real[key] == null)) return []
      return differences(example[key], real[key], `${path}.${key}`, prose)
    })
  }
  const isSame = kindOf(example) === kindOf(real)
  return isSame ? [] : [`${path}: ${kindOf(example)} in the page, ${kindOf(real)} in truth`]
}

/** Fields that are written otherwise than all others. */
function otherNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(otherNames)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) => [
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [name]),
    ...otherNames(each),
  ])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object'
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** A String in which something happened. */
async function busyPlace(): Promise<{ place: Place; env: NodeJS.ProcessEnv }> {
  const place = stringPlace()
  mkdirSync(join(place.dir, 'bin'))
  writeFileSync(join(place.dir, 'bin/string'), `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, {
    mode: 0o755,
  })
  writeAgent(place.dir, 'echo "you said $AGENT_MESSAGE"', '', 'bob')
  mkdirSync(join(place.dir, 'home/.string'), { recursive: true })
  const channels = 'hook: { type: webhook, targets: { team: "http://127.0.0.1:1/x" } }'
  writeFileSync(join(place.dir, 'home/.string/channels.yaml'), channels)
  await place.string(['agent', 'add', 'bob', '--home', 'home', '--profile', 'bob.yaml'])
  const client = new StringClient({ port: place.daemonPort(), agent: 'bob' })
  for await (const event of client.turn('hello')) if (event.type === 'result') break
  const { webhook_url: url } = await client.webhook.show()
  const headers = { 'Content-Type': 'text/plain' }
  await call(place.daemonPort(), 'POST', new URL(url).pathname, { body: 'it is dry', headers })
  await client.chanflow('<𝒞=hook:team>Hello</𝒞>')
  return { place, env: { ...place.env, PATH: `${place.dir}/bin:${process.env.PATH}` } }
}

/** Two questions that wait, of an agent beside bob. */
async function askTwice(place: Place): Promise<void> {
  const ask = '{"type":"permission_request","request_id":"1","tool_name":"bash","input":{"command":"make deploy"}}'
  writeAgent(
    place.dir,
    `read -r turn; echo '${ask}'; read -r answer; echo '{"type":"result","text":"ok"}'`,
    'wire: "0.4"\npermission: true\n',
    'eve',
  )
  await place.string(['agent', 'add', 'eve', '--profile', 'eve.yaml'])
  const eve = new StringClient({ port: place.daemonPort(), agent: 'eve' })
  for (const session of ['a', 'b'])
    for await (const event of eve.turn('deploy', { session })) if (event.type === 'approval') break
}

it('every verb that prints data has its place in the page', () => {
  const titles = sections.map((section) => section.split('\n')[0])
  const verbs = VERBS.filter(({ hidden, name }) => hidden !== true && !WITHOUT_DATA.includes(name))
  expect(verbs.filter(({ name }) => !titles.includes(name)).map(({ name }) => name)).toEqual([])
})

it('the page shows what --json prints, and its lines for jq find something', async () => {
  const { place, env } = await busyPlace()
  const hasJq = spawnSync('jq', ['--version']).status === 0
  if (!hasJq) process.stderr.write('SKIPPED: there is no jq here, so its lines are not tried\n')
  for (const { title, prose, example, line } of sections.flatMap(samplesOf)) {
    // A daemon that was restarted has withdrawn what a message asked.
    if (title === 'approvals') await askTwice(place)
    const at = line.lastIndexOf(' | jq ')
    expect(line.slice(0, at), title).toContain(' --json')
    if (!hasJq && line.slice(0, at).includes('jq')) continue
    const script = `${line.slice(0, at)} | tee printed${hasJq ? line.slice(at) : ''}`
    const { stdout, stderr } = await run('bash', ['-c', script], { env, cwd: place.dir })
    const printed = readFileSync(join(place.dir, 'printed'), 'utf8')
    expect({ line, lines: printed.split('\n').length, stderr }).toEqual({ line, lines: 2, stderr: '' })
    expect(otherNames(JSON.parse(printed)), line).toEqual([])
    if (example !== undefined) expect(differences(example, JSON.parse(printed), title, prose)).toEqual([])
    expect(stdout, line).toMatch(/^(?!null\n)./)
  }
}, 120_000)
