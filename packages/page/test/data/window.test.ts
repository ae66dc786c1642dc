import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/data/answer.ts'
import { loadWindow } from '../../src/data/window.ts'

interface Asked {
  readonly limit: number
  readonly before?: string
}

/** A list of so many rows, which notes what it is asked for. */
function listOf(size: number): { asked: Asked[]; list: (span: Asked) => Promise<Answer<string[]>> } {
  const all = Array.from({ length: size }, (_, index) => `row ${index}`)
  const asked: Asked[] = []
  return {
    asked,
    list: async (span) => {
      asked.push(span)
      const begin = span.before === undefined ? 0 : all.indexOf(span.before) + 1
      return { ok: true, value: all.slice(begin, begin + span.limit) }
    },
  }
}

const idOf = (row: string): string => row

describe('a window over a list', () => {
  it.each([
    [0, false],
    [49, false],
    [50, false],
    [51, true],
    [1_000, true],
  ])('of %i rows knows whether there are more than fifty', async (size, hasMore) => {
    const { asked, list } = listOf(size)
    const answer = await loadWindow({ list, idOf }, 50)
    expect(answer).toMatchObject({ ok: true, value: { hasMore } })
    expect(answer.ok && answer.value.rows).toHaveLength(Math.min(size, 50))
    expect(asked).toEqual([{ limit: 51 }])
  })

  it('that is wider than an answer is asked for in parts', async () => {
    const { asked, list } = listOf(1_000)
    const answer = await loadWindow({ list, idOf }, 450)
    expect(answer.ok && new Set(answer.value.rows).size).toBe(450)
    expect(asked).toEqual([{ limit: 200 }, { limit: 200, before: 'row 199' }, { limit: 51, before: 'row 399' }])
  })

  it('has each row once, also where the list moves between two requests, and ends', async () => {
    const list = async ({ limit }: Asked): Promise<Answer<string[]>> => ({
      ok: true,
      value: Array.from({ length: limit }, (_, index) => (index % 2 === 0 ? 'a' : 'b')),
    })
    const answer = await loadWindow({ list, idOf }, 300)
    expect(answer).toEqual({ ok: true, value: { rows: ['a', 'b'], hasMore: false } })
  })

  it('says why it could not be had', async () => {
    const refusal = { ok: false, status: 503, reason: 'away' } as const
    expect(await loadWindow({ list: async () => refusal, idOf }, 50)).toEqual(refusal)
  })
})
