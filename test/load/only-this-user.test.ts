import { describe, expect, it } from 'vitest'
import { startStringd } from '../faults/support/stringd.ts'
import { call, raw } from '../support/http.ts'
import { canBeOther, OTHER_UID, sendAs } from '../support/other-user.ts'

const GET = 'GET /agents HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const body = '{"agent_id":"evil"}'
const POST = `POST /agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`

describe.runIf(canBeOther)('S29: a burst of 2,000 connections', () => {
  it('of two users at once: all of ours are served, none of theirs is', async () => {
    const stringd = await startStringd()
    const others = sendAs(
      OTHER_UID,
      stringd.port,
      Array.from({ length: 1000 }, () => ({ text: POST })),
      { atOnce: true },
    )
    const own = await Promise.all(Array.from({ length: 1000 }, () => raw(stringd.port, GET)))
    expect(own.filter((answer) => !answer.startsWith('HTTP/1.1 200 '))).toEqual([])
    expect((await others).filter((answer) => !answer.startsWith('HTTP/1.1 403 '))).toEqual([])
    expect((await call(stringd.port, 'GET', '/health')).json).toMatchObject({ agents: 0 })
    expect(await stringd.end()).toBe(0)
  })

  it('that leave at once have no effect, wave after wave', async () => {
    const stringd = await startStringd()
    for (let wave = 0; wave < 4; wave += 1) {
      const leaving = Array.from({ length: 500 }, () => ({ text: POST, leaves: true }))
      await sendAs(OTHER_UID, stringd.port, leaving, { atOnce: true })
    }
    expect(await raw(stringd.port, GET)).toContain('{"agents":[]}')
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled|A request failed/)
  })
})
