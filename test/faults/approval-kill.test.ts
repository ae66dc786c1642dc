import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import {
  ASKING_AGENT,
  ASKING_KEYS,
  answerApproval,
  approvalsOf,
} from '../../packages/stringd/test/support/approvals.ts'
import { beginTurn, giveProfile, postEvent, turnOf, untilState } from '../../packages/stringd/test/support/turns.ts'
import { call } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'
import { startStringd } from './support/stringd.ts'

describe('a daemon that is killed while agents wait for a person', () => {
  it('asks again under the same id where the turn comes back, keeps an answer, and withdraws the rest', async () => {
    const dir = tempDir()
    const home = join(dir, 'home')
    mkdirSync(home)
    giveProfile(home, ASKING_AGENT, `${ASKING_KEYS}wake: events\n`)
    const first = await startStringd({ dir })
    await call(first.port, 'POST', '/agents', { body: { agent_id: 'default', home } })
    const message = beginTurn(first.port, { message: 'of a person' })
    const person = await message.turnId
    await expect.poll(async () => (await approvalsOf(first.port, '?state=waiting')).length).toBe(1)
    await postEvent(first.port, 'of an event')
    await expect.poll(async () => (await approvalsOf(first.port, '?state=waiting')).length).toBe(2)
    const [ofPerson, ofEvent] = await approvalsOf(first.port, '?state=waiting')
    await first.kill()

    const second = await startStringd({ dir })
    await expect
      .poll(async () => (await call(second.port, 'GET', `/approvals/${ofPerson?.id}`)).json)
      .toMatchObject({ state: 'withdrawn' })
    expect(await turnOf(second.port, person)).toMatchObject({ state: 'interrupted' })
    await untilState(second.port, ofEvent?.turn_id ?? '', 'waiting')
    expect(await approvalsOf(second.port, '?state=waiting')).toEqual([ofEvent])

    // Two answer at once, and the daemon is killed as soon as one has been answered.
    const answers = await Promise.all(
      (['allow', 'deny'] as const).map((answer) =>
        answerApproval(second.port, ofEvent?.id ?? '', { answer, by: answer }),
      ),
    )
    await second.kill()
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)?.json as ApprovalView

    const third = await startStringd({ dir })
    expect((await call(third.port, 'GET', `/approvals/${won.id}`)).json).toEqual(won)
    // Whether the agent had heard of it nobody can know: then it has asked anew.
    await expect
      .poll(async () => {
        const [open] = await approvalsOf(third.port, '?state=waiting')
        if (open !== undefined) await answerApproval(third.port, open.id, { answer: won.answer ?? 'deny' })
        return (await turnOf(third.port, won.turn_id ?? '')).state
      })
      .toBe('done')
    expect(await turnOf(third.port, won.turn_id ?? '')).toMatchObject({ result: { reply: won.answer } })
    expect(await approvalsOf(third.port, '?state=waiting')).toEqual([])
    await third.kill()
  }, 60_000)
})
