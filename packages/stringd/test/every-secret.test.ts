import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseProfile, runTurn } from '@string-os/bridge'
import { spellings } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { webhookSender } from '../src/channels/webhook.ts'
import { action, startService } from './support/action.ts'
import { openPackaged } from './support/packaged.ts'
import { startServer } from './web/page-server.ts'

const SECRET = `s3cr3t "Väl&ue"/<42>'+ %41`
const SPELLED = [...new Set(spellings(SECRET))]
/** A program or server that says the secret in every way, a line each. */
const SAID = SPELLED.map((text, index) => `${index}: ${text} .`).join('\n')

/** What leaves a call whose service or command says all that. */
async function called(declaration: (origin: string, file: string) => string, response?: string, status = 200) {
  const service = await startService((_request, answer) => {
    answer.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(SAID)
  })
  const file = join(tempDir(), 'said.txt')
  writeFileSync(file, SAID)
  const { run, home, log } = await openPackaged(action(declaration(service.origin, file), response), { TOKEN: SECRET })
  const { body } = await run('/packaged')
  return { body, home, log: JSON.stringify(log), variables: (await run('/set')).body }
}

/** The turn of an agent that says it on both outputs and fails. */
async function turned() {
  const dir = tempDir()
  writeFileSync(join(dir, 'said.txt'), SAID)
  const script = `cat ${dir}/said.txt; cat ${dir}/said.txt >&2; exit 1`
  const env = { KEY: '${TOKEN}' }
  const yaml = JSON.stringify({ command: ['sh', '-c', script], env, include_stderr_in_reply: true })
  const reading = parseProfile(yaml, join(dir, 'profile.yaml'))
  if (!reading.ok) throw new Error('The profile is refused')
  const request = { message: 'x', sessionId: null, sessionName: '', fromUser: '', attachments: [] }
  return runTurn(reading.profile, request, { cwd: dir, environment: { PATH: process.env.PATH, TOKEN: SECRET } })
}

/** The reasons for which a delivery failed, one for each spelling: a reason is short. */
async function reasons(): Promise<string> {
  const said: string[] = []
  for (const text of SPELLED) {
    const { origin } = await startServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(`bad ${text} .`))
    })
    const targets = new Map([['team', new URL(origin)]])
    const send = webhookSender({ type: 'webhook', targets, template: '{text}', secrets: [SECRET] })
    const tried = await send(
      { id: 'dlv_1', target: 'team', text: 'x', createdAt: new Date(0) },
      AbortSignal.timeout(9_000),
    )
    said.push(tried.kind === 'sent' ? 'sent' : tried.reason)
  }
  return said.join('\n')
}

const keeps = '{v} = {Response.body}\nsave: Response.body\nto: kept.txt\n{Response.body}'
const EXITS: readonly (readonly [name: string, leave: () => Promise<string>])[] = [
  ['the answer of a request', async () => (await called((origin) => `GET ${origin}/?k=$TOKEN`)).body],
  ['the error of a request', async () => (await called((origin) => `GET ${origin}/?k=$TOKEN`, undefined, 400)).body],
  ['the output of a command', async () => (await called((_, file) => `CLI cat ${file}; test -n "$TOKEN"`)).body],
  ['the error of a command', async () => (await called((_, file) => `CLI cat ${file}; test -z "$TOKEN"`)).body],
  ['the text of a template', async () => (await called((origin) => `GET ${origin}/?k=$TOKEN`, keeps)).body],
  ['a variable', async () => (await called((origin) => `GET ${origin}/?k=$TOKEN`, keeps)).variables],
  [
    'a saved file',
    async () =>
      readFileSync(join((await called((origin) => `GET ${origin}/?k=$TOKEN`, keeps)).home, 'kept.txt'), 'utf8'),
  ],
  ['the standard error of an agent', async () => (await turned()).stderr],
  ['the error of a turn', async () => (await turned()).error ?? ''],
  ['what a failed agent printed', async () => (await turned()).body],
  ['the reason of a delivery', reasons],
]

describe('a secret', () => {
  it.each(EXITS)('is hidden in every spelling in %s', async (_name, leave) => {
    const text = await leave()
    expect(text.match(/\*\*\*|•••/g)?.length).toBeGreaterThanOrEqual(SPELLED.length)
    expect(SPELLED.filter((spelled) => text.includes(spelled))).toEqual([])
    expect(text).not.toContain('s3cr3t')
  })

  it('is hidden in every spelling in the log', async () => {
    const { log } = await called((origin) => `GET ${origin}/?k=$TOKEN`, undefined, 500)
    expect(SPELLED.filter((spelled) => log.includes(JSON.stringify(spelled).slice(1, -1)))).toEqual([])
  })
})
