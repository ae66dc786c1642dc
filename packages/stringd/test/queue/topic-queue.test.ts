import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { type JobEnd, TopicQueue } from '../../src/queue/topic-queue.ts'

/** A job that ends when it is told to. */
class Gate {
  isBegun = false
  end: (value?: string) => void = () => undefined
  fail: (error: Error) => void = () => undefined
  readonly #over = new Promise<string>((resolve, reject) => {
    this.end = (value = 'done') => resolve(value)
    this.fail = reject
  })

  readonly job = (): Promise<string> => {
    this.isBegun = true
    return this.#over
  }
}

const leaveSoon = (gone: () => void) => {
  queueMicrotask(gone)
  return () => undefined
}

const quick = async () => 'quick'
const kinds = async (ends: readonly Promise<JobEnd<string>>[]) => (await Promise.all(ends)).map(({ kind }) => kind)

describe('the queue of a topic', () => {
  it('runs a job at once where nothing runs, and answers with its value', async () => {
    const queue = new TopicQueue()
    expect(await queue.run(quick)).toEqual({ kind: 'ran', value: 'quick' })
    expect(queue).toMatchObject({ running: false, length: 0 })
  })

  it('runs one job at a time, the others in the order they came', async () => {
    const queue = new TopicQueue()
    const gates = [new Gate(), new Gate(), new Gate()]
    const ends = gates.map(({ job }) => queue.run(job))
    expect(gates.map(({ isBegun }) => isBegun)).toEqual([true, false, false])
    expect(queue).toMatchObject({ running: true, length: 2 })
    gates[0]?.end()
    await ends[0]
    await Promise.resolve()
    expect(gates.map(({ isBegun }) => isBegun)).toEqual([true, true, false])
    for (const gate of gates) gate.end()
    expect(await kinds(ends)).toEqual(['ran', 'ran', 'ran'])
  })

  it('lets nobody slip in between a job that ends and the one that waits', async () => {
    const queue = new TopicQueue()
    const order: string[] = []
    const job = (name: string) => async () => void order.push(name)
    const first = queue.run(job('first'))
    const second = queue.run(job('second'))
    const third = first.then(() => queue.run(job('third')))
    await Promise.all([second, third])
    expect(order).toEqual(['first', 'second', 'third'])
  })

  it('throws what a job throws to whoever asked for it, and goes on with the next', async () => {
    const queue = new TopicQueue()
    const gate = new Gate()
    const broken = queue.run(gate.job)
    const next = queue.run(quick)
    gate.fail(new Error('broken'))
    await expect(broken).rejects.toThrow('broken')
    expect(await next).toEqual({ kind: 'ran', value: 'quick' })
    expect(queue.running).toBe(false)
  })

  it('refuses a job when as many wait as may', async () => {
    const queue = new TopicQueue()
    const gate = new Gate()
    const running = queue.run(gate.job)
    const waiting = Array.from({ length: LIMITS.queueWaiting }, () => queue.run(quick))
    expect(await queue.run(quick)).toEqual({ kind: 'full' })
    gate.end()
    expect(await kinds([running, ...waiting])).toEqual(Array(LIMITS.queueWaiting + 1).fill('ran'))
  })

  it('refuses at once a job that would not wait, and runs it where it need not', async () => {
    const queue = new TopicQueue()
    const gate = new Gate()
    const running = queue.run(gate.job)
    expect(await queue.run(quick, { whenBusy: 'refuse' })).toEqual({ kind: 'busy' })
    gate.end()
    await running
    expect(await queue.run(quick, { whenBusy: 'refuse' })).toEqual({ kind: 'ran', value: 'quick' })
  })

  it('never begins a job that has waited too long', async () => {
    const queue = new TopicQueue()
    const [gate, late] = [new Gate(), new Gate()]
    const running = queue.run(gate.job)
    expect(await queue.run(late.job, { waitMs: 1 })).toEqual({ kind: 'timeout' })
    expect(queue.length).toBe(0)
    gate.end()
    await running
    expect(late.isBegun).toBe(false)
  })

  it('never begins a job whose caller went away, and watches callers only while they wait', async () => {
    const queue = new TopicQueue()
    const [gate, left] = [new Gate(), new Gate()]
    const leave: (() => void)[] = []
    let watched = 0
    const watchCaller = (gone: () => void) => {
      leave.push(gone)
      watched += 1
      return () => {
        watched -= 1
      }
    }
    const running = queue.run(gate.job, { watchCaller })
    expect(watched).toBe(0)
    const ends = [queue.run(left.job, { watchCaller }), queue.run(quick, { watchCaller })]
    expect(watched).toBe(2)
    leave[0]?.()
    expect(await ends[0]).toEqual({ kind: 'left' })
    gate.end()
    expect(await kinds([running, ...ends])).toEqual(['ran', 'left', 'ran'])
    expect(watched).toBe(0)
    expect(left.isBegun).toBe(false)
  })

  it('ends all who wait when it is told to, but not the one that runs', async () => {
    const queue = new TopicQueue()
    const gate = new Gate()
    const running = queue.run(gate.job)
    const waiting = [queue.run(quick), queue.run(quick)]
    expect(queue.cancelWaiting()).toBe(2)
    expect(await kinds(waiting)).toEqual(['cancelled', 'cancelled'])
    expect(queue).toMatchObject({ running: true, length: 0 })
    gate.end('whole')
    expect(await running).toEqual({ kind: 'ran', value: 'whole' })
    expect(queue.cancelWaiting()).toBe(0)
  })

  it('runs no two jobs at once and keeps their order, whatever comes, fails and goes', async () => {
    const steps = fc.array(fc.constantFrom('run', 'fail', 'leave', 'cancel', 'pause'), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const queue = new TopicQueue()
        const begun: number[] = []
        const ends: Promise<unknown>[] = []
        let atOnce = 0
        const job = (index: number, fails: boolean) => async () => {
          begun.push(index)
          atOnce += 1
          expect(atOnce).toBe(1)
          await Promise.resolve()
          atOnce -= 1
          if (fails) throw new Error('broken')
        }
        for (const [index, step] of sequence.entries()) {
          if (step === 'cancel') queue.cancelWaiting()
          else if (step === 'pause') await Promise.resolve()
          else if (step === 'leave') ends.push(queue.run(job(index, false), { watchCaller: leaveSoon }))
          else ends.push(queue.run(job(index, step === 'fail')))
        }
        await Promise.allSettled(ends)
        expect(begun).toEqual(begun.toSorted((a, b) => a - b))
        expect(queue).toMatchObject({ running: false, length: 0 })
      }),
    )
  })
})
