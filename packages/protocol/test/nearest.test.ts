import { nearest } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'

describe('what may be meant by a name', () => {
  it.each([
    ['statsu', ['status', 'start'], 'status'],
    ['txet', ['text'], 'text'],
    ['hepl', ['help'], 'help'],
    ['opne', ['open'], 'open'],
    ['isntal', ['install'], 'install'],
    ['wehater', ['weather'], 'weather'],
    ['nope', ['anode'], null],
    ['shop', ['chap'], null],
    ['ab', ['cd'], null],
  ])('%j among %j is %j: short names two letters apart are others, unless they begin alike', (word, names, meant) => {
    expect(nearest(word, names)).toBe(meant)
  })
})
