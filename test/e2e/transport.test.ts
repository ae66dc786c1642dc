import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { ChanFlowReply } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { call } from '../support/http.ts'

interface Turn {
  readonly text: string
  readonly reply: string
  readonly rest: string
  readonly blocks?: readonly (readonly [channel: string, topic: string, code: string | null])[]
}

interface Case {
  readonly cites: string
  readonly files?: Readonly<Record<string, string>>
  readonly pages?: Readonly<Record<string, string>>
  readonly turns: readonly Turn[]
}

type Run = (place: Place, agent: string, text: string) => Promise<ChanFlowReply>

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, '../../spec/cases/transport.json'), 'utf8')) as {
  cases: Case[]
}

/** Each for an agent of its own. */
const surfaces: [agent: string, run: Run][] = [
  ['over-http', overHttp],
  ['over-cli', overCli],
]

async function overHttp({ daemonPort, dir }: Place, agent: string, text: string): Promise<ChanFlowReply> {
  const headers = { 'X-Agent-Id': agent }
  const { status, json } = await call(daemonPort(), 'POST', '/chanflow', { headers, body: { text, cwd: dir } })
  expect(status).toBe(200)
  return json as ChanFlowReply
}

/** What it prints; the exit status must fit it. */
async function overCli(place: Place, agent: string, text: string): Promise<ChanFlowReply> {
  const { stdout, stderr, status } = await place.string(['chanflow', '--rest', '--agent', agent], { input: text })
  expect(status).toBe(/^✗ /m.test(stdout) ? 1 : 0)
  return { text: stdout.replace(/\n$/, ''), rest: stderr, blocks: [] }
}

function writeFiles(home: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
}

async function servePages(pages: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/markdown' }).end(pages[request.url ?? ''] ?? '')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('POST /chanflow and string chanflow', () => {
  it.each(cases)('$cites', async ({ files = {}, pages = {}, turns }) => {
    const place = stringPlace()
    const origin = await servePages(pages)
    for (const [agent, run] of surfaces) {
      await place.string(['--agent', agent, '--create', '/close'])
      writeFiles(join(place.dir, 'string/agents', agent), files)
      for (const { text, reply, rest, blocks } of turns) {
        const answer = await run(place, agent, text.replaceAll('ORIGIN', origin))
        const shown = answer.text.replace(/(?<= time=")\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d(?=")/g, 'TIME')
        expect(shown, agent).toBe(reply.replaceAll('CWD', place.dir))
        expect(answer.rest, agent).toBe(rest)
        const views = answer.blocks.map(({ channel, topic, code }) => [channel, topic, code])
        if (blocks !== undefined && run === overHttp) expect(views).toEqual(blocks)
        for (const { ok, code } of answer.blocks) expect(ok).toBe(code === null)
      }
    }
  })
})
