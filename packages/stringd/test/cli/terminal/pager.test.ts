import { describe, expect, it } from 'vitest'
import { AnswerPager } from '../../../src/cli/terminal/editor/answer-pager.ts'
import { Stage } from '../../../src/cli/terminal/editor/stage.ts'
import { isTaller } from '../../../src/cli/terminal/pager.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

const SPACE = { name: 'space', sequence: ' ' }
const ENTER = { name: 'return', sequence: '\r' }

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`)
}

function open(lines: readonly string[]): { terminal: VirtualTerminal; pager: AnswerPager; isOver: () => boolean } {
  const terminal = new VirtualTerminal(40, 10)
  const output = {
    columns: 40,
    rows: 10,
    write: (text: string) => terminal.write(text.replaceAll(/(?<!\r)\n/g, '\r\n')),
  }
  let over = false
  const pager = new AnswerPager(lines, new Stage(output, { color: false, links: false }), () => {
    over = true
  })
  return { terminal, pager, isOver: () => over }
}

describe('an answer that is taller than the window', () => {
  it('begins at its top; Space shows the next screen, Enter a line, and it is over with the last', () => {
    const { terminal, pager, isOver } = open(numbered(20))
    expect(terminal.text()).toMatch(/^line 1\n[\s\S]*line 9\n-- 11 more lines: Space, Enter, q --$/)
    expect(pager.press(ENTER)).toBe(true)
    expect(terminal.text()).toMatch(/line 10\n-- 10 more lines/)
    expect(pager.press(SPACE)).toBe(true)
    expect(terminal.text()).toMatch(/line 19\n-- 1 more line: /)
    expect(isOver()).toBe(false)
    pager.press(SPACE)
    expect(terminal.text().trimEnd()).toMatch(/line 19\nline 20$/)
    expect(isOver()).toBe(true)
  })

  it.each([
    ['q', { name: 'q', sequence: 'q' }, true],
    ['Ctrl-C', { name: 'c', ctrl: true, sequence: '\x03' }, true],
    ['a letter, which begins the next command', { name: 'x', sequence: 'x' }, false],
    ['a slash, which begins the next command', { sequence: '/' }, false],
  ])('is left by %s', (_name, key, isTaken) => {
    const { terminal, pager, isOver } = open(numbered(20))
    expect(pager.press(key)).toBe(isTaken)
    expect(isOver()).toBe(true)
    expect(terminal.text()).not.toContain('more lines')
  })

  it('is one of few lines that are broken by the window, too; what fits is not', () => {
    expect(isTaller(numbered(9), { width: 40, height: 10 })).toBe(false)
    expect(isTaller(numbered(10), { width: 40, height: 10 })).toBe(true)
    expect(isTaller(['x'.repeat(400)], { width: 40, height: 10 })).toBe(true)
    expect(isTaller([`\x1b[1m${'x'.repeat(360)}\x1b[22m`], { width: 40, height: 10 })).toBe(false)
  })
})
