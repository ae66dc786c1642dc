import { fail, ok, type Result, replyBody } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { BESIDE_BYTES, bounded } from '../../src/runtime/bounded.ts'

const LIMIT = 32 * 1024

/** The result as its answer holds it, and what was kept of it. */
function boundedHere(result: Result): { result: Result; kept: string[] } {
  const kept: string[] = []
  const keep = (text: string) => {
    kept.push(text)
    return '/kept/1'
  }
  return { result: bounded(result, LIMIT, keep), kept }
}

describe('a bounded result', () => {
  it('is the result itself where there is room for it', () => {
    const result = ok('Opened', 'text')
    expect(boundedHere(result)).toEqual({ result, kept: [] })
    expect(boundedHere(result).result).toBe(result)
  })

  it('shows both ends of what is too long, and says where the whole is', () => {
    const text = `start ${'x'.repeat(2 * LIMIT)} end`
    const { result, kept } = boundedHere(ok('Opened', text))
    expect(kept).toEqual([text])
    expect(result.content).toMatch(/^start x+.*\/kept\/1.*x+ end$/s)
  })

  it('keeps nothing of what may hold secrets', () => {
    const { result, kept } = boundedHere({ ...ok('Ran', 'x'.repeat(2 * LIMIT)), isPrivate: true })
    expect(kept).toEqual([])
    expect(result.content).toContain('not kept, because it may hold secrets')
  })

  it('leaves content whole that was made to fit', () => {
    const result: Result = { ...ok('Opened', 'x'.repeat(2 * LIMIT)), isWhole: true }
    expect(boundedHere(result).result).toBe(result)
  })

  it('gives an answer within the limit, whatever is in it', () => {
    const text = fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat(9000))
      .map(([unit, times]) => unit.repeat(times))
    fc.assert(
      fc.property(text, fc.option(text), fc.boolean(), (system, content, isOk) => {
        const given = isOk ? ok(system, content) : { ...fail('NOT_FOUND', system, 'Try again'), content }
        const room = isOk ? LIMIT : LIMIT + BESIDE_BYTES
        expect(Buffer.byteLength(replyBody(boundedHere(given).result))).toBeLessThanOrEqual(room)
      }),
      { numRuns: 60 },
    )
  })
})
