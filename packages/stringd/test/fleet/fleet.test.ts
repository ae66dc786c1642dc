import type { FleetView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { DefaultNames } from '../../src/store/default-names.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { beginTurn, giveProfile } from '../support/turns.ts'

describe('a daemon with a store of its own', () => {
  it('is a fleet of one, which can be drained and resumed', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'echo ok')
    const { nodes, node } = (await call(port, 'GET', '/fleet')).json as FleetView
    expect(nodes).toMatchObject([{ name: node, state: 'up', heartbeat_age_s: 0, agents: 1, running: 0, here: true }])
    expect((await call(port, 'GET', '/agents?all=1')).json).toMatchObject({ agents: [{ id: 'default', node }] })
    expect((await call(port, 'POST', '/fleet/drain')).json).toMatchObject({ nodes: [{ state: 'draining' }] })
    const asked = beginTurn(port, { message: 'x' })
    await asked.turnId
    expect((await call(port, 'GET', '/fleet')).json).toMatchObject({ nodes: [{ running: 0, waiting: 1 }] })
    expect((await call(port, 'POST', '/fleet/resume')).json).toMatchObject({ nodes: [{ state: 'up' }] })
    await asked.ended
    expect(asked.events.at(-1)).toMatchObject({ type: 'result', ok: true })
  })

  it('has nobody to bring an agent from', async () => {
    const { port } = await startTestDaemon()
    const moved = await call(port, 'POST', '/fleet/move', { body: { agent_id: 'bob' } })
    expect([moved.status, moved.json]).toEqual([
      404,
      { error: 'Unknown agent: bob', next: 'GET /agents lists all, POST /agents makes one' },
    ])
    for (const body of [{}, { agent_id: 'bob', home: 'relative' }, { agent_id: 'bob', now: 1 }, { agent_id: '../bob' }])
      expect((await call(port, 'POST', '/fleet/move', { body })).status).toBe(400)
  })
})

describe('the agent default', () => {
  it('is called so on its own node, and by its node everywhere else', async () => {
    const first = new DefaultNames('n1', () => Promise.resolve('n1'))
    const second = new DefaultNames('n2', () => Promise.resolve('n1'))
    const idle = { boot: '', version: '', heartbeatAgeMs: 0, agents: 0, running: 0, waiting: 0, oldestWaitingMs: null }
    const nodes = ['n1', 'n2'].map((id) => ({ ...idle, id, name: `web${id.slice(1)}`, state: 'up' as const }))
    for (const names of [first, second]) {
      await names.known()
      names.learn(nodes)
    }
    expect([first, second].map((names) => names.stored('default'))).toEqual(['default', 'default/n2'])
    expect([first, second].map((names) => names.shown('default'))).toEqual(['default', 'default@web1'])
    expect([first, second].map((names) => names.shown('default/n2'))).toEqual(['default@web2', 'default'])
    expect([first, second].map((names) => names.stored('bob') + names.shown('bob'))).toEqual(['bobbob', 'bobbob'])
  })
})
