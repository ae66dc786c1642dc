import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
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
  const loads: number[] = []
  const refresher = new Refresher(async () => {
    loads.push(performance.now())
  })
  const wishes = setInterval(() => refresher.wish(), 5)
  await expect.poll(() => loads.length, { timeout: 10_000 }).toBe(6)
  clearInterval(wishes)
  const pauses = loads.slice(1).map((at, index) => at - (loads[index] ?? 0))
  // Timers come late, never early: each pause is longer than the shortest of the one before.
  for (const [index, wait] of pauses.entries())
    expect(wait).toBeGreaterThanOrEqual(150 * 1.5 ** Math.max(0, index - 1) - 1)
  refresher.close()
})
