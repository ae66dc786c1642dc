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
    ['wk', ['wa', 'a'], null],
    ['p', ['q', 'pp'], 'pp'],
    ['kw', ['wk'], 'wk'],
    ['lss', ['ls'], 'ls'],
    ['stat', ['stop'], null],
  ])(
    '%j among %j is %j: of short names most letters are the same, and those two letters apart begin alike',
    (word, names, meant) => {
      expect(nearest(word, names)).toBe(meant)
    },
  )
})
