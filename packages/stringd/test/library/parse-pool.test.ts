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
})
