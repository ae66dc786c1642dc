import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { startTestDaemon } from '../support/daemon.ts'

describe('a refusal', () => {
  it.each([
    ['GET', '/turns/x', 404],
    ['GET', '/events/x', 404],
    ['GET', '/approvals/x', 404],
    ['GET', '/deliveries/x', 404],
    ['GET', '/agents/nobody', 404],
    ['GET', '/agents/nobody/turns', 404],
    ['GET', '/agents/nobody/webhook', 404],
    ['POST', '/agents/nobody/pause', 404],
    ['GET', '/sessions/nobody/main', 404],
    ['POST', '/webhook/wh_x', 401],
    ['GET', '/nothing', 404],
    ['PUT', '/agents', 405],
    ['GET', '/turns/%', 400],
    ['POST', '/exec', 400],
    ['POST', '/agents/default/turns', 400],
    ['GET', '/agents/a%20b', 400],
    ['GET', '/sessions/default/a%20b', 400],
  ] as const)('says what to do: %s %s', async (method, path, status) => {
    const { port } = await startTestDaemon()
    const answer = await call(
      port,
      method,
      path,
      method === 'POST' ? { headers: { 'X-Agent-Id': 'default' }, body: {} } : {},
    )
    expect(answer).toMatchObject({ status, json: { error: expect.any(String), next: expect.any(String) } })
    // A route that it names is there.
    const { next } = answer.json as { next: string }
    for (const [, verb, route] of next.matchAll(/\b(GET|POST|DELETE) (\/[\w/:]+)/g))
      expect(ROUTES.some((row) => row.method === verb && row.path === route)).toBe(true)
  })

  it('whose reason says it already has no more', async () => {
    const { port } = await startTestDaemon()
    expect((await call(port, 'GET', '/turns?limit=0')).json).toEqual({ error: '"limit" is a number from 1 to 200' })
  })
})
