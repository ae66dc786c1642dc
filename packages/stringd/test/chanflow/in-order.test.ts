import { expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { runInOrder } from '../../src/chanflow/in-order.ts'

it('runs jobs that share a key in order, never more than so many at once, and answers in the order of the jobs', async () => {
  const keys = fc.subarray(['a', 'b', 'c', 'd'])
  const jobs = fc.array(fc.record({ keys, turns: fc.nat(4) }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 1, max: 4 }), async (plan, width) => {
      const running = new Set<number>()
      const begun: number[] = []
      const values = await runInOrder(
        plan.map(({ keys: mine, turns }, index) => ({
          keys: mine,
          run: async () => {
            running.add(index)
            begun.push(index)
            expect(running.size).toBeLessThanOrEqual(width)
            const others = [...running].filter((other) => other !== index)
            for (const other of others) expect(plan[other]?.keys.some((key) => mine.includes(key))).toBe(false)
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            running.delete(index)
            return index
          },
        })),
        width,
      )
      expect(values).toEqual(plan.map((_, index) => index))
      for (const key of ['a', 'b', 'c', 'd']) {
        const order = begun.filter((index) => plan[index]?.keys.includes(key))
        expect(order).toEqual(order.toSorted((one, other) => one - other))
      }
    }),
    { numRuns: 300 },
  )
})

it('what one job throws is thrown, and the others run on', async () => {
  const ran: string[] = []
  const job = (name: string, fails: boolean) => ({
    keys: [name],
    run: async () => {
      ran.push(name)
      if (fails) throw new Error(name)
    },
  })
  await expect(runInOrder([job('a', true), job('b', false)], 1)).rejects.toThrow('a')
  await expect.poll(() => ran).toEqual(['a', 'b'])
})
