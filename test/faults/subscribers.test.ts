import { describe, it } from 'vitest'
import { manySubscribers } from './many-subscribers.ts'

describe('event streams', () => {
  it('R9, R10: 200 subscribers get each event once and in order, and leave nothing behind', async () => {
    await manySubscribers({ subscribers: 200, events: 50 })
  }, 120_000)
})
