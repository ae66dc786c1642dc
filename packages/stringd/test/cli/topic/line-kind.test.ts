import { describe, expect, it } from 'vitest'
import { fitsTopic } from '../../../src/cli/topic/line-kind.ts'

const PAGE = { type: 'tab', commands: ['/open', '/find', '/quit'] } as const
const SHELL = { type: 'bash', commands: ['//open', '//close'] } as const

describe('a line that was typed before', () => {
  it.each([
    ['/open a.md', true, false],
    ['/find\nx', true, false],
    ['/opne a.md', false, false],
    ['//open a.md', false, true],
    ['//opne a.md', false, false],
    ['ls -la', false, true],
    ['/usr/bin/env', false, true],
    ['//srv/share/run', false, true],
  ])('%j means something to a page: %s, to a shell: %s', (line, onPage, inShell) => {
    expect(fitsTopic(line, PAGE)).toBe(onPage)
    expect(fitsTopic(line, SHELL)).toBe(inShell)
  })

  it('means something as long as nobody knows the commands', () => {
    expect(fitsTopic('/opne a.md', { ...PAGE, commands: [] })).toBe(true)
  })
})
