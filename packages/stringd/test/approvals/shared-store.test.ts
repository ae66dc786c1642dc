import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { hasPostgres, postgresServer } from '../../../../test/support/postgres.ts'
import { ASKING_AGENT, ASKING_KEYS, answerApproval, approvalsOf, waitingApproval } from '../support/approvals.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { answered, beginTurn, giveProfile } from '../support/turns.ts'

describe.skipIf(!hasPostgres)('approvals of daemons that share a store', () => {
  const server = postgresServer()

  it('are answered at any of them, and the agent hears it where it lives', async () => {
    const store = { kind: 'postgres', url: server.url(await server.database()) } as const
    const { port, home } = await startTestDaemon({ store })
    const other = await startTestDaemon({ store, register: false })
    giveProfile(home, ASKING_AGENT, ASKING_KEYS)
    const asked = beginTurn(port, { message: 'ls' })
    const approval = await waitingApproval(port)
    // Each has a `default` of its own.
    const agent_id = expect.stringMatching(/^default@/)
    expect(await approvalsOf(other.port, '?state=waiting')).toEqual([{ ...approval, agent_id }])
    const answers = await Promise.all([
      answerApproval(other.port, approval.id, { answer: 'allow', by: 'ann' }),
      answerApproval(other.port, approval.id, { answer: 'deny', by: 'bob' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    await asked.ended
    const won = answers.find(({ status }) => status === 200)?.json as { answer: string }
    expect((await answered(asked)).result.reply).toBe(won.answer)
    expect((await call(port, 'GET', `/approvals/${approval.id}`)).json).toEqual({ ...won, agent_id: 'default' })
  })
})
