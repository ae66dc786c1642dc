import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { STRINGD } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'

async function daemon(): Promise<{ client: StringClient; child: ChildProcess; home: string }> {
  const dir = tempDir()
  const home = join(dir, 'agents/default')
  const child = spawn(process.execPath, [STRINGD, '--port', '0'], {
    env: { ...process.env, STRING_HOME: dir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      const ready = /"stringd is ready","port":(\d+)/.exec(chunk)
      if (ready !== null) resolve(Number(ready[1]))
    })
  })
  const client = new StringClient({ port })
  await client.ready()
  return { client, child, home }
}

function residentMiB({ pid }: ChildProcess): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

describe('R8: many topics at once', () => {
  it('200 topics working at once all answer correctly without cross-talk', async () => {
    const { client, home } = await daemon()
    const topics = Array.from({ length: 200 }, (_, index) => `t${index}`)
    for (const topic of topics) writeFileSync(join(home, `${topic}.md`), `I am ${topic}`)
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.all(topics.map((topic) => client.exec(topic, `/open ~/${topic}.md`)))
      for (const [index, { content, topic, meta }] of results.entries()) {
        expect(content).toBe(`Opened ~/t${index}.md\n---\nI am t${index}`)
        expect(topic).toBe(`t${index}`)
        expect(meta?.uri).toBe(`file://${home}/t${index}.md`)
      }
    }
  })
})

describe('R13: memory is flat', () => {
  it('100,000 commands add less than 64 MiB', async () => {
    const { client, child, home } = await daemon()
    writeFileSync(join(home, 'a.md'), 'x'.repeat(1000))
    const work = (count: number) =>
      Promise.all(
        Array.from({ length: 8 }, async (_, topic) => {
          for (let index = 0; index < count / 8; index += 1)
            await client.exec(`t${topic}`, index % 2 === 0 ? '/info' : '/open ~/a.md')
        }),
      )
    await work(10_000)
    const before = residentMiB(child)
    await work(100_000)
    expect(residentMiB(child) - before).toBeLessThan(64)
  })

  it('4,000 topics opened and closed add less than 64 MiB and are forgotten', async () => {
    const { client, child, home } = await daemon()
    writeFileSync(join(home, 'a.md'), 'x'.repeat(1000))
    const before = residentMiB(child)
    for (let index = 0; index < 4000; index += 1) {
      await client.exec(`t${index}`, '/open ~/a.md')
      await client.exec(`t${index}`, '/close')
    }
    expect(residentMiB(child) - before).toBeLessThan(64)
    expect((await client.health()).sessions).toBe(0)
  })
})
