import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'

function residentMiB(pid: number | undefined): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

describe('shells', () => {
  it('100 bash topics at once work, each for itself', async () => {
    const { child, exited, port } = await startForeground()
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const topics = Array.from({ length: 100 }, (_, index) => `bash:t${index}`)
    await Promise.all(topics.map((topic, index) => exec(port, `x=${index}; cd /tmp`, { topic })))
    const answers = await Promise.all(topics.map((topic) => exec(port, 'echo "I am $x"; (exit $((x % 7)))', { topic })))
    for (const [index, { body }] of answers.entries())
      expect(body).toBe(`exit: ${index % 7} | cwd: /tmp\n---\nI am ${index}`)
    child.kill()
    expect(await exited).toBe(0)
  })

  it('10,000 commands in one shell lose nothing and memory is flat', async () => {
    const { child, exited, port } = await startForeground()
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const run = async (index: number) => {
      const { body } = await exec(port, `n=$((n + 1)); echo "${index} $n"`, { topic: 'bash:dev' })
      expect(body).toMatch(new RegExp(`---\\n${index} ${index + 1}$`))
    }
    for (let index = 0; index < 1000; index += 1) await run(index)
    const before = residentMiB(child.pid)
    for (let index = 1000; index < 10_000; index += 1) await run(index)
    expect(residentMiB(child.pid) - before).toBeLessThan(64)
    child.kill()
    expect(await exited).toBe(0)
  })
})
