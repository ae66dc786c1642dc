import { expect, it } from 'vitest'
import type { NewEvent } from '../../../src/store/groups/events.ts'
import { AppendLane } from '../../../src/store/postgres/append-lane.ts'
import { eventFor } from './opened.ts'

it('sends what comes at any step behind an answer, and lets nothing wait for the next', async () => {
  const placed = (events: readonly NewEvent[]) =>
    events.map(({ text }) => ({ appended: { id: text, event: null }, after: '' }))
  const lane = new AppendLane({
    append: async (events) => placed(events),
    appendLocked: async (events) => placed(events),
    onPlaced: () => undefined,
  })
  for (let steps = 0; steps < 12; steps += 1) {
    await lane.append(eventFor('ann', 'first'))
    for (let step = 0; step < steps; step += 1) await Promise.resolve()
    expect(await lane.append(eventFor('ann', `behind ${steps}`))).toMatchObject({ id: `behind ${steps}` })
    await lane.idle()
  }
})
