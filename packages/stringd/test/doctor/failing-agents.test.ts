import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoctorView, TurnSummary } from '@string-os/protocol'
import { expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, giveProfile, postEvent, turnOf, turnsOf } from '../support/turns.ts'

const DAY = 86_400_000

const turnsSeen = async (port: number): Promise<DoctorView['checks']> => {
  const { checks } = (await call(port, 'GET', '/doctor')).json as DoctorView
  return checks.filter(({ name }) => name === 'turns')
}

it('an agent whose last turn failed is told of, however long ago that was, until one succeeds', async () => {
  const clock = new TestClock()
  clock.advance(-3 * DAY)
  const { port, home } = await startTestDaemon({ clock })
  expect(await turnsSeen(port)).toMatchObject([{ state: 'ok', seen: 'none failed in the last day' }])
  giveProfile(home, 'case $AGENT_MESSAGE in fail) exit 3;; esac; echo well')
  await askTurn(port, { message: 'fail' })
  const failing = { state: 'warn', seen: '1 agent failing, whose last turn failed: default' }
  const [seen, ...more] = await turnsSeen(port)
  expect([seen, more]).toMatchObject([failing, []])
  expect(seen?.mend).toMatch(/^string logs --failed --since \d{4}-\d\d-\d\d; string agent status default$/)
  await call(port, 'POST', '/agents/default/pause')
  expect(await turnsSeen(port)).toMatchObject([{ state: 'ok' }])
  await call(port, 'POST', '/agents/default/resume')
  expect(await turnsSeen(port)).toMatchObject([failing])
  await askTurn(port, { message: 'mended' })
  expect(await turnsSeen(port)).toMatchObject([{ state: 'ok' }])
})

it('of one that was run again only the last is failing work, whichever of them somebody ran again', async () => {
  const { port, home } = await startTestDaemon()
  giveProfile(home, '[ -e mended ] || exit 3; echo well')
  const { turnId: id } = await askTurn(port, { message: 'a' })
  for (const _ of ['first', 'second']) {
    const { turn_id } = (await call(port, 'POST', `/turns/${id}/retry`)).json as TurnSummary
    await expect.poll(async () => (await turnOf(port, turn_id)).state).toBe('failed')
  }
  const ids = (await turnsOf(port)).map(({ turn_id, retry_of, retried_by }) => [turn_id, retry_of, retried_by?.turn_id])
  const [last, middle] = ids.map(([each]) => each)
  expect(ids).toEqual([
    [last, middle, undefined],
    [middle, id, last],
    [id, undefined, last],
  ])
  expect((await turnsSeen(port))[1]).toMatchObject({ seen: '1 failed in the last day, of default' })
  writeFileSync(join(home, 'mended'), '')
  await call(port, 'POST', `/turns/${id}/retry`)
  await expect.poll(async () => (await turnsSeen(port))[0]?.seen).toBe('none failed in the last day')
})

it('events that wait for their agent to go on are named, and are no fault', async () => {
  const { port, home } = await startTestDaemon()
  giveProfile(home, 'cat > /dev/null; echo well', 'wake: events\n')
  await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
  const events = async (): Promise<unknown> =>
    ((await call(port, 'GET', '/doctor')).json as DoctorView).checks.filter(({ name }) => name === 'events')
  expect(await events()).toMatchObject([{ state: 'ok', seen: 'all that wait are taken, or are for a reader' }])
  await call(port, 'POST', '/agents/default/pause')
  await postEvent(port, 'x')
  const seen = 'they wait for their time: default (1 event for when it is not paused)'
  expect(await events()).toMatchObject([{ state: 'ok', seen }])
})
