import { describe, it } from 'vitest'
import { killUnderTurns } from '../faults/kill-under-turns.ts'

describe('turns under SIGKILL', () => {
  it('200 kills at any moment lose no event, and none has two turns that succeeded', async () => {
    await killUnderTurns({ kills: 200 })
  }, 1_800_000)
})
