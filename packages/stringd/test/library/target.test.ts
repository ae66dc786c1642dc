import { describe, expect, it } from 'vitest'
import { parseTarget, splitBlock, splitLineRange } from '../../src/library/target.ts'

describe('a target', () => {
  it.each([
    ['@guide', { kind: 'shortcut', name: 'guide', block: null }],
    ['@page.guide#next', { kind: 'shortcut', name: 'page.guide', block: 'next' }],
    ['@Not a name', { kind: 'shortcut', name: null, block: null }],
    ['@guide#', { kind: 'shortcut', name: null, block: '' }],
    ['#intro', { kind: 'block', block: 'intro' }],
    ['HTTPS://example.com/a#b', { kind: 'web' }],
    ['ftp://example.com', { kind: 'foreign' }],
    ['mailto:a@b.c', { kind: 'foreign' }],
    ['docs/a.md', { kind: 'path', path: 'docs/a.md', block: null }],
    ['docs/a.md#b', { kind: 'path', path: 'docs/a.md', block: 'b' }],
    ['c#/a.md#b', { kind: 'path', path: 'c#/a.md', block: 'b' }],
  ])('%s is read the same wherever it stands', (typed, target) => {
    expect(parseTarget(typed)).toEqual(target)
  })

  it('has a block behind its last #, and lines behind its last :L', () => {
    expect(splitBlock('a#b#c')).toEqual({ path: 'a#b', block: 'c' })
    expect(splitLineRange('a:L2:L5-L10')).toEqual({ path: 'a:L2', from: 5, to: 10 })
    expect(splitLineRange('a:L5')).toEqual({ path: 'a', from: 5, to: 5 })
    expect(splitLineRange('a:5')).toBeNull()
  })
})
