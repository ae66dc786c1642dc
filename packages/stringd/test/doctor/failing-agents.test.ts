import type { DoctorView } from '@string-os/protocol'
import { expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, giveProfile } from '../support/turns.ts'

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
