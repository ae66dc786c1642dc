import { describe, it } from 'vitest'
import { manySubscribers } from '../faults/many-subscribers.ts'

describe('event streams under load', () => {
  it('R9, R10: 2,000 subscribers get each event once and in order, and leave nothing behind', async () => {
    await manySubscribers({ subscribers: 2_000, events: 50 })
  }, 300_000)
})
