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
