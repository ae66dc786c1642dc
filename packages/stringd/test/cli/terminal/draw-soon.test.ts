import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DrawSoon } from '../../../src/cli/terminal/editor/draw-soon.ts'

describe('what is typed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is drawn with the first and the last of keys that come together', () => {
    const draw = vi.fn()
    const drawing = new DrawSoon(draw)
    for (let keys = 0; keys < 115; keys += 1) drawing.soon()
    expect(draw).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(5)
    expect(draw).toHaveBeenCalledTimes(2)
    for (let keys = 0; keys < 3; keys += 1) drawing.soon()
    drawing.flush()
    expect(draw).toHaveBeenCalledTimes(4)
    drawing.soon()
    drawing.soon()
    drawing.stop()
    vi.advanceTimersByTime(1_000)
    expect(draw).toHaveBeenCalledTimes(5)
  })

  it('waits while the window changes, and is drawn with each size that is told', () => {
    const draw = vi.fn()
    const drawing = new DrawSoon(draw)
    drawing.resized()
    expect(draw).toHaveBeenCalledTimes(1)
    drawing.soon()
    vi.advanceTimersByTime(200)
    expect(draw).toHaveBeenCalledTimes(1)
    drawing.resized()
    expect(draw).toHaveBeenCalledTimes(2)
    drawing.soon()
    vi.advanceTimersByTime(310)
    expect(draw).toHaveBeenCalledTimes(3)
  })
})
