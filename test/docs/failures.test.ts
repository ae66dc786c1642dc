import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { STRING, stringPlace } from '../support/cli.ts'
import { blocksOf, pages } from './pages.ts'

interface Told {
  readonly kind: string
  readonly agent_id: string | null
  readonly reason: string | null
}

/** Where failures are posted, and those that were. */
async function listener(): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      told.push(JSON.parse(body) as Told)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told }
}

it('the line of docs/turns.md passes on what fails from now on, also after a restart of the daemon', async () => {
  const recipe = pages
    .flatMap(blocksOf)
    .find((block) => block.page === 'docs/turns.md' && block.text.includes('TELL_URL'))
  const place = stringPlace()
  const bin = join(place.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'string'), `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  const profile = writeAgent(place.dir, 'echo "no space $AGENT_MESSAGE" >&2; exit 3')
  await place.string(['agent', 'add', 'bot', '--profile', profile])
  await place.string(['chat', 'bot', '-m', 'before'])
  const { url, told } = await listener()
  const env = {
    ...place.env,
    PATH: `${bin}:${process.env.PATH}`,
    TELL_URL: url,
    STRING_PORT: String(place.daemonPort()),
  }
  // What it starts ends with it.
  const telling = spawn('/bin/sh', ['-c', recipe?.text ?? 'false'], { env, detached: true, stdio: 'ignore' })
  onTestFinished(() => void process.kill(-(telling.pid ?? 0), 'SIGKILL'))
  const isTold = async (message: string): Promise<void> => {
    // Until it listens, what fails is nobody's news.
    await expect
      .poll(
        async () => {
          await place.string(['chat', 'bot', '-m', message], { env })
          return told.filter(({ reason }) => reason === `no space ${message}`)
        },
        { timeout: 30_000, interval: 500 },
      )
      .not.toEqual([])
  }
  await isTold('one')
  expect(told[0]).toMatchObject({ kind: 'turn', agent_id: 'bot' })
  await place.string(['restart'], { env })
  await isTold('two')
})
