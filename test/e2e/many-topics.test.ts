import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'

describe('many topics at once', () => {
  it('R8: each answer is that of its own topic, agent, document and variables', async () => {
    const { child, exited, port, dataDir } = await startForeground()
    const homeOf = (agent: string): string => join(dataDir, '..', agent)
    const agents = ['ann', 'bob']
    for (const agent of agents) await call(port, 'POST', '/agents', { body: { agent_id: agent, home: homeOf(agent) } })
    const places = agents.flatMap((agent) => Array.from({ length: 10 }, (_, index) => ({ agent, topic: `t${index}` })))
    for (const { agent, topic } of places) writeFileSync(join(homeOf(agent), `${topic}.md`), `I am ${agent} ${topic}`)
    await Promise.all(
      places.map(async ({ agent, topic }) => {
        await exec(port, `/set {me} = "${agent}-${topic}"`, { agent, topic })
        for (let round = 0; round < 5; round += 1) {
          const opened = await exec(port, `/open ${topic}.md`, {
            agent,
            topic,
            requestId: `${agent}/${topic}/${round}`,
          })
          expect(opened.head).toMatchObject({ agent_id: agent, topic, request_id: `${agent}/${topic}/${round}` })
          expect(opened.head.meta?.uri).toBe(`file://${homeOf(agent)}/${topic}.md`)
          expect(opened.body).toBe(`Opened ${topic}.md\n---\nI am ${agent} ${topic}`)
          expect((await exec(port, '/exec echo "$me"', { agent, topic })).body).toMatch(`---\n${agent}-${topic}`)
        }
      }),
    )
    child.kill()
    expect(await exited).toBe(0)
  })
})
