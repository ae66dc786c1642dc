import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { isTooWide, jsonFaultAt, parseAnswerJson } from '../../src/action/run/json.ts'
import { parseJsonBody } from '../../src/http/serve/body.ts'

describe('S30: JSON from outside', () => {
  const list = (values: number): string => `[${'1,'.repeat(values - 1)}1]`

  it('is counted before it is parsed: text of more values than the limit stays text', () => {
    expect(parseAnswerJson(list(1_000))).toHaveLength(1_000)
    expect(parseAnswerJson(list(LIMITS.jsonValues + 1))).toBeUndefined()
    expect(isTooWide(list(LIMITS.jsonValues + 1))).toBe(true)
    expect(isTooWide(`["${','.repeat(LIMITS.jsonValues + 1)}"]`)).toBe(false)
  })

  it('is refused as a request, however small each value is', () => {
    expect(parseJsonBody(Buffer.from(list(1_000)), '{}').ok).toBe(true)
    expect(parseJsonBody(Buffer.from(list(LIMITS.jsonValues + 2)), '{}').ok).toBe(false)
    expect(parseJsonBody(Buffer.from(`["${','.repeat(LIMITS.jsonValues + 1)}"]`), '{}').ok).toBe(true)
  })
})

it('the place where JSON stops being some is found, whatever is written there', () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)), { minLength: 1 })
  fc.assert(
    fc.property(texts, fc.nat(), fc.boolean(), (values, place, isLong) => {
      const text = JSON.stringify(isLong ? [...values, 'x'.repeat(100)] : values)
      const at = 1 + (place % text.length)
      expect(jsonFaultAt(text)).toBeNull()
      expect(jsonFaultAt(`${text.slice(0, at)}\u0001${text.slice(at)}`)).toEqual({ line: 1, column: at + 1 })
      expect(jsonFaultAt(`\n${text.slice(0, -1)}`)).toEqual({ line: 2, column: text.length })
    }),
  )
  expect(jsonFaultAt('{"a":\n at position 3}')).toEqual({ line: 2, column: 2 })
  expect(jsonFaultAt('not JSON')).toBeNull()
})
