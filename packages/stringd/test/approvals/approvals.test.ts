import type { ApprovalView, TurnEvent } from '@string-os/protocol'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { ASKING_AGENT, ASKING_KEYS, answerApproval, approvalsOf, waitingApproval } from '../support/approvals.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import {
  answered,
  askTurn,
  beginTurn,
  cancelTurn,
  giveProfile,
  postEvent,
  turnOf,
  turnsOf,
  untilState,
} from '../support/turns.ts'

const isApproval = (event: TurnEvent): boolean => event.type === 'approval'

describe('a permission that an agent asks for', () => {
  it('waits for a person: the turn is waiting, who is asked sees what will run, and the first answer counts', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, ASKING_AGENT, ASKING_KEYS)
    const asked = beginTurn(port, { message: 'rm -rf ./build \u202e\u0007' })
    const approval = await waitingApproval(port)
    const turnId = await asked.turnId
    expect(approval).toMatchObject({ agent_id: 'default', turn_id: turnId, kind: 'permission', state: 'waiting' })
    expect(approval.question).toBe('It asks to use bash')
    expect(approval.detail).toContain('rm -rf ./build')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(approval.detail).not.toMatch(/[\u202e\u0007]/)
    expect(Date.parse(approval.expires_at) - Date.parse(approval.created_at)).toBe(LIMITS.approvalMs)
    await untilState(port, turnId, 'waiting')
    expect(await turnOf(port, turnId)).toMatchObject({ approvals: [approval] })
    expect((await call(port, 'GET', '/agents')).json).toMatchObject({ agents: [{ state: 'waiting', approvals: 1 }] })
    const answers = await Promise.all(
      ['ann', 'bob', 'eve'].map((by) => answerApproval(port, approval.id, { answer: 'allow', by, note: `from ${by}` })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const first = answers.find(({ status }) => status === 200)?.json as ApprovalView
    expect(first).toMatchObject({ state: 'allowed', answer: 'allow', note: `from ${first.answered_by}` })
    for (const { status, json } of answers)
      if (status === 409)
        expect(json).toMatchObject({
          error: 'ANSWERED',
          message: expect.stringContaining(`by ${first.answered_by}`) as string,
          approval: first,
        })
    await asked.ended
    const { result, events } = await answered(asked)
    expect(result).toMatchObject({ ok: true, reply: 'allow' })
    expect(events.filter(isApproval)).toMatchObject([{ state: 'waiting' }, { id: approval.id, state: 'allowed' }])
    expect(await turnOf(port, turnId)).toMatchObject({ state: 'done', approvals: [first] })
    expect(await approvalsOf(port, `?turn_id=${turnId}`)).toEqual([first])
    expect(await approvalsOf(port, '?state=waiting')).toEqual([])
  })

  it('that is denied is a no to the agent, and nothing else', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, ASKING_AGENT, ASKING_KEYS)
    const asked = beginTurn(port, { message: 'ls' })
    const { id } = await waitingApproval(port)
    expect((await answerApproval(port, id, { answer: 'deny' })).json).toMatchObject({
      state: 'denied',
      answered_by: 'person',
    })
    await asked.ended
    expect((await answered(asked)).result).toMatchObject({ ok: true, reply: 'deny' })
    for (const body of [{}, { answer: 'maybe' }, { answer: 'allow', note: 3 }, { answer: 'allow', by: 'a\0b' }])
      expect((await answerApproval(port, id, body)).status).toBe(400)
    expect((await answerApproval(port, 'apr_none', { answer: 'allow' })).status).toBe(404)
    expect((await call(port, 'GET', '/approvals/apr_none')).status).toBe(404)
    expect((await call(port, 'GET', `/approvals/${id}`)).json).toMatchObject({ state: 'denied' })
  })

  it('is answered by the profile where that says so, and asks nobody', async () => {
    const { port, home } = await startTestDaemon()
    for (const policy of ['allow', 'deny']) {
      giveProfile(home, ASKING_AGENT, `${ASKING_KEYS}permission_policy: ${policy}\n`)
      expect((await askTurn(port, { message: 'ls' })).result.reply).toBe(policy)
    }
    expect(await approvalsOf(port)).toEqual([])
  })

  it('expires when nobody answers, which is a no; and the time of the turn does not pass meanwhile', async () => {
    const clock = new TestClock()
    const { port, home } = await startTestDaemon({ clock })
    giveProfile(
      home,
      ASKING_AGENT,
      `${ASKING_KEYS}timeout_secs: 0.6\nturn_timeout_secs: 0.6\napproval_timeout_secs: 90\n`,
    )
    const asked = beginTurn(port, { message: 'ls' })
    const { id, created_at, expires_at } = await waitingApproval(port)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(90_000)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await turnOf(port, await asked.turnId)).toMatchObject({ state: 'waiting' })
    clock.advance(90_000)
    await asked.ended
    expect((await answered(asked)).result).toMatchObject({ ok: true, reply: 'deny' })
    expect(await answerApproval(port, id, { answer: 'allow' })).toMatchObject({
      status: 409,
      json: { approval: { state: 'expired', answer: 'deny', answered_by: 'string' } },
    })
  })

  it('is withdrawn when its turn is cancelled', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, ASKING_AGENT, ASKING_KEYS)
    const asked = beginTurn(port, { message: 'ls' })
    const { id } = await waitingApproval(port)
    expect(await cancelTurn(port, await asked.turnId)).toMatchObject({ state: 'cancelled' })
    await expect.poll(async () => (await approvalsOf(port))[0]?.state).toBe('withdrawn')
    expect((await answerApproval(port, id, { answer: 'allow' })).status).toBe(409)
  })

  it('that is too long to be shown whole is denied, and says so', async () => {
    const { port, home } = await startTestDaemon()
    const long = `x=$(head -c ${LIMITS.approvalDetailChars + 10} /dev/zero | tr '\\0' a); printf '{"type":"permission_request","request_id":"r","tool_name":"t","input":"%s"}\\n' "$x"; read -r answer; echo '{"type":"result","text":"ok"}'`
    giveProfile(home, `read -r turn; ${long}`, ASKING_KEYS)
    await askTurn(port, { message: 'go' })
    const [approval] = await approvalsOf(port)
    expect(approval).toMatchObject({
      state: 'denied',
      answered_by: 'string',
      note: expect.stringContaining('too long') as string,
    })
    expect(approval?.detail).toContain('characters are not shown')
  })

  it('of an event goes on under its id over a restart, and that of a message is withdrawn', async () => {
    const first = await startTestDaemon()
    giveProfile(first.home, ASKING_AGENT, `${ASKING_KEYS}wake: events\n`)
    const message = beginTurn(first.port, { message: 'of a person' })
    const ofMessage = await waitingApproval(first.port)
    await call(first.port, 'POST', '/agents/default/resume')
    await postEvent(first.port, 'of an event')
    await expect.poll(async () => (await approvalsOf(first.port, '?state=waiting')).length).toBe(2)
    const ofEvent = (await approvalsOf(first.port, '?state=waiting')).find(({ id }) => id !== ofMessage.id)
    await first.stop()
    await message.ended
    const { port } = await startTestDaemon({ dir: first.dir, register: false })
    const waiting = await waitingApproval(port)
    expect(waiting).toEqual(ofEvent)
    expect((await call(port, 'GET', `/approvals/${ofMessage.id}`)).json).toMatchObject({ state: 'withdrawn' })
    await untilState(port, waiting.turn_id ?? '', 'waiting')
    await answerApproval(port, waiting.id, { answer: 'allow', by: 'ann' })
    const turn = await untilState(port, waiting.turn_id ?? '', 'done')
    expect(turn).toMatchObject({ result: { reply: 'allow' }, approvals: [{ id: waiting.id, answered_by: 'ann' }] })
    expect(await approvalsOf(port)).toHaveLength(2)
    expect(await turnsOf(port)).toHaveLength(2)
  })
})
