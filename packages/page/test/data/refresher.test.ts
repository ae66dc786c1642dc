import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { Refresher } from '../../src/data/refresher.ts'

it('loads one at a time, many wishes are one, and a wish while it loads is not lost', async () => {
  let loads = 0
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const refresher = new Refresher(async () => {
    loads += 1
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running -= 1
  })
  for (let wish = 0; wish < 10; wish += 1) refresher.wish()
  await expect.poll(() => loads).toBe(1)
  for (let wish = 0; wish < 10; wish += 1) refresher.wish()
  ends.shift()?.()
  await expect.poll(() => loads).toBe(2)
  ends.shift()?.()
  await pause(300)
  expect([loads, most]).toEqual([2, 1])
  refresher.close()
})

it('loads nothing more when it is closed', async () => {
  let loads = 0
  const refresher = new Refresher(async () => {
    loads += 1
  })
  refresher.wish()
  refresher.close()
  await pause(50)
  refresher.wish()
  await pause(50)
  expect(loads).toBe(0)
})

it('loads less and less often while wishes do not end, and at once again after a quiet time', async () => {
  // The time is the test's own: on a busy machine a wish that comes late would be a quiet time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  try {
    const loads: number[] = []
    const refresher = new Refresher(async () => {
      loads.push(performance.now())
    })
    const begin = performance.now()
    const wishes = setInterval(() => refresher.wish(), 5)
    await vi.advanceTimersByTimeAsync(6_000)
    clearInterval(wishes)
    const pauses = loads.slice(1).map((at, index) => at - (loads[index] ?? 0))
    expect(loads[0]).toBeLessThanOrEqual(begin + 6)
    // A pause begins where the load before it ended, and grows with the wish that found it: up to a second, and no longer.
    const grown = pauses.map((_, index) => Math.min(1_000, 150 * 1.5 ** index))
    for (const [index, wait] of pauses.entries()) {
      expect(wait).toBeGreaterThanOrEqual((grown[index] ?? 0) - 1)
      expect(wait).toBeLessThanOrEqual((grown[index] ?? 0) + 6)
    }
    expect(pauses.length).toBeGreaterThan(6)
    await vi.advanceTimersByTimeAsync(2_000)
    const before = loads.length
    refresher.wish()
    await vi.advanceTimersByTimeAsync(1)
    expect(loads.length).toBe(before + 1)
    refresher.wish()
    await vi.advanceTimersByTimeAsync(151)
    expect(loads.length).toBe(before + 2)
    refresher.close()
  } finally {
    vi.useRealTimers()
  }
})
