import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { isTooWide, parseAnswerJson } from '../../src/action/run/json.ts'
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
