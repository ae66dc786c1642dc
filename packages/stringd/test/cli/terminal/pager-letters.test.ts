import { describe, expect, it } from 'vitest'
import { PagerLetters } from '../../../src/cli/terminal/editor/pager-letters.ts'
import { keysOf } from '../../support/editor.ts'

/** Types keys with a pause before each; the pager heeds all but the last, and `q` ends it. */
function typed(keys: string, pauseMs: number): string {
  let now = 0
  const letters = new PagerLetters(() => now)
  const all = keysOf(keys)
  for (const [text, key] of all.slice(0, -1)) {
    now += pauseMs
    letters.add(text, key, text === 'q')
  }
  now += pauseMs
  const [text, key = {}] = all.at(-1) ?? []
  return letters.before(text, key)
}

describe('letters that are keys of the pager', () => {
  it.each([
    ['gr', 'g'],
    ['qu', 'q'],
    ['bi', 'b'],
    ['Go', 'G'],
    [' h', ''],
    ['gb i', 'gb '],
    ['q/', ''],
    ['q\r', ''],
    ['g\x1b[6~r', ''],
  ])('of %j typed at once, %j was text', (keys, text) => {
    expect(typed(keys, 120)).toBe(text)
  })

  it('after a pause they were keys', () => {
    expect(typed('qu', 400)).toBe('')
    expect(typed('qh', 200)).toBe('')
    expect(typed('bqh', 200)).toBe('')
    expect(typed('gr', 700)).toBe('')
    expect(typed('gr', 400)).toBe('g')
    expect(typed('gr', 1_500)).toBe('')
  })
})
