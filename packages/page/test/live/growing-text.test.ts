import { describe, expect, it } from 'vitest'
import { GrowingText } from '../../src/live/growing-text.ts'

const piece = (offset: number, text: string) => ({ turn_id: 'trn_1', offset, text })

describe('the text of a turn', () => {
  it('grows by pieces, whose places are bytes', () => {
    const growing = new GrowingText()
    expect([growing.add(piece(0, 'grün ')), growing.add(piece(6, '😀 ')), growing.add(piece(11, 'end'))]).toEqual([
      true,
      true,
      true,
    ])
    expect(growing.text).toBe('grün 😀 end')
  })

  it('does not take a piece before which something is missing', () => {
    const growing = new GrowingText()
    growing.set('abc')
    expect(growing.add(piece(4, 'e'))).toBe(false)
    expect(growing.text).toBe('abc')
  })

  it('begins anew where a piece says so, as when the turn runs again', () => {
    const growing = new GrowingText()
    growing.set('grün und rot')
    expect(growing.add(piece(6, 'blau'))).toBe(true)
    expect(growing.text).toBe('grün blau')
    expect(growing.add(piece(0, 'neu'))).toBe(true)
    expect(growing.text).toBe('neu')
  })
})
