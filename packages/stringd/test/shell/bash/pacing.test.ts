import { LIMITS } from '@string-os/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Pacing } from '../../../src/shell/bash/pacing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FAR = LIMITS.shellAheadBytes + 1

function paced(): { pacing: Pacing; isHeld: () => boolean } {
  let isHeld = false
  const pacing = new Pacing({
    pause: () => {
      isHeld = true
    },
    resume: () => {
      isHeld = false
    },
  })
  return { pacing, isHeld: () => isHeld }
}

it('holds what prints back while its reader is far behind, and lets go when they have read on', () => {
  const { pacing, isHeld } = paced()
  pacing.readTo(0, 0)
  pacing.printed(FAR - 1)
  expect(isHeld()).toBe(false)
  pacing.printed(FAR)
  expect(isHeld()).toBe(true)
  pacing.readTo(10, FAR)
  expect(isHeld()).toBe(false)
  pacing.printed(FAR + 20)
  expect(isHeld()).toBe(true)
})

it('waits for nobody who is not there, who leaves, or who does not come back', () => {
  const { pacing, isHeld } = paced()
  pacing.printed(FAR)
  expect(isHeld()).toBe(false)
  pacing.readTo(0, FAR)
  expect(isHeld()).toBe(true)
  pacing.end()
  expect(isHeld()).toBe(false)
  pacing.readTo(0, FAR)
  vi.advanceTimersByTime(LIMITS.shellPatienceMs - 1)
  pacing.readTo(0, FAR)
  vi.advanceTimersByTime(LIMITS.shellPatienceMs - 1)
  expect(isHeld()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isHeld()).toBe(false)
  pacing.printed(2 * FAR)
  expect(isHeld()).toBe(false)
})
