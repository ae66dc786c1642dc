import { LIMITS, parseTopic } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { loadCases } from './cases.ts'

const { cases } = loadCases<{
  cases: { cites: string; raw: string | null; type?: string; canonical: string | null }[]
}>('topics')

describe('a topic', () => {
  it.each(cases)('$cites: $raw', ({ raw, type, canonical }) => {
    const topic = parseTopic(raw)
    if (canonical === null) expect(topic).toBeNull()
    else expect(topic).toEqual({ type, canonical, written: raw === null || raw === '' ? 'main' : raw })
  })

  it('S11: is refused when it is longer than the limit', () => {
    expect(parseTopic('a'.repeat(LIMITS.topicChars))).not.toBeNull()
    expect(parseTopic('a'.repeat(LIMITS.topicChars + 1))).toBeNull()
  })
})
