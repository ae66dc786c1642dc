import { describe, expect, it } from 'vitest'
import { startParseProcess, startParseThread } from '../../src/library/parse-host.ts'
import { ParsePool } from '../../src/library/parse-pool.ts'

const document = (text: string) => ({ kind: 'markdown' as const, text })

describe('a pool of parsers', () => {
  it.each([
    ['threads', startParseThread],
    ['processes', () => startParseProcess()],
  ])('of %s answers each task with its own document', async (_name, start) => {
    const pool = new ParsePool({ start, size: 2 })
    const parsed = await Promise.all(['a', 'b', 'c'].map((title) => pool.run(document(`# ${title}`))))
    expect(parsed).toMatchObject([{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  })

  it('S31: says that a document needs too much memory, and goes on with the next', async () => {
    const pool = new ParsePool({ start: () => startParseProcess(48), size: 1 })
    const [large, small] = await Promise.all([
      pool.run(document('- a\n'.repeat(250_000))),
      pool.run(document('# small')),
    ])
    expect(large).toMatchObject({ ok: false, code: 'LOAD_ERROR' })
    expect(large).toMatchObject({ system: expect.stringContaining('more than 48 MiB of memory') })
    expect(small).toMatchObject({ ok: true, title: 'small' })
  })

  it.each([
    ['thread', startParseThread],
    ['process', () => startParseProcess()],
  ])('ends the %s of a parse that is stopped, forgets one that waits, and goes on', async (_name, start) => {
    const pool = new ParsePool({ start, size: 1 })
    const stop = new AbortController()
    const large = pool.run(document('- a\n'.repeat(60_000)), stop.signal)
    const waiting = pool.run(document('# waits'), stop.signal)
    const next = pool.run(document('# next'))
    stop.abort()
    const late = pool.run(document('# late'), stop.signal)
    expect(await Promise.all([large, waiting, late])).toMatchObject(Array(3).fill({ ok: false, code: 'CANCELLED' }))
    expect(await next).toMatchObject({ ok: true, title: 'next' })
  })
})
