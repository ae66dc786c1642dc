import { describe, expect, it } from 'vitest'
import { AnswerPager } from '../../../src/cli/terminal/editor/answer-pager.ts'
import { Stage } from '../../../src/cli/terminal/editor/stage.ts'
import { isTaller, markedLine, moreText } from '../../../src/cli/terminal/pager.ts'
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
  const pager = new AnswerPager(
    () => lines,
    new Stage(output, { color: false, links: false }),
    () => {
      over = true
    },
  )
  return { terminal, pager, isOver: () => over }
}

describe('an answer that is taller than the window', () => {
  it('begins at its top; Space shows the next screen, Enter a line, and behind the last both leave it', () => {
    const { terminal, pager, isOver } = open(numbered(20))
    expect(terminal.text()).toMatch(/^line 1\n[\s\S]*line 9\n-- 11 more lines: Space, Enter, b, q --$/)
    expect(pager.press(ENTER)).toBe(true)
    expect(terminal.text()).toMatch(/line 10\n-- 10 more lines/)
    expect(pager.press(SPACE)).toBe(true)
    expect(terminal.text()).toMatch(/line 19\n-- 1 more line: /)
    pager.press(SPACE)
    expect(terminal.text()).toMatch(/line 19\nline 20\n-- end: b back, g top, q leaves --$/)
    expect(isOver()).toBe(false)
    expect(pager.press(SPACE)).toBe(true)
    expect(terminal.text().trimEnd()).toMatch(/line 19\nline 20$/)
    expect(isOver()).toBe(true)
  })

  it('goes back by screens and lines, to its top and to its end', () => {
    const { terminal, pager, isOver } = open(numbered(40))
    const seen = (): [string | undefined, string | undefined] => {
      const lines = terminal.text().split('\n').slice(-10)
      return [lines[0], lines.at(-2)]
    }
    const press = (sequence: string, name: string): void => expect(pager.press({ sequence, name })).toBe(true)
    press('b', 'b')
    expect(seen()).toEqual(['line 1', 'line 9'])
    for (const _ of [1, 2]) pager.press(SPACE)
    expect(seen()).toEqual(['line 19', 'line 27'])
    press('b', 'b')
    expect(seen()).toEqual(['line 10', 'line 18'])
    press('\x1b[A', 'up')
    expect(seen()).toEqual(['line 9', 'line 17'])
    pager.press(SPACE)
    expect(seen()).toEqual(['line 18', 'line 26'])
    press('g', 'g')
    expect(seen()).toEqual(['line 1', 'line 9'])
    expect(pager.press({ name: 'g', shift: true, sequence: 'G' })).toBe(true)
    expect(seen()).toEqual(['line 32', 'line 40'])
    press('\x1b[5~', 'pageup')
    expect(seen()).toEqual(['line 23', 'line 31'])
    expect(isOver()).toBe(false)
    press('q', 'q')
    expect(isOver()).toBe(true)
  })

  function typeInto(pager: AnswerPager, text: string): void {
    for (const letter of text)
      pager.press(letter === '\r' ? ENTER : { name: /[a-z]/.test(letter) ? letter : undefined, sequence: letter })
  }

  it('/ searches it, n and N go on and back, and what is not there is said', () => {
    const { terminal, pager, isOver } = open(
      numbered(40).map((line, index) => (index % 10 === 4 ? `${line} Here` : line)),
    )
    const top = (): string | undefined => terminal.text().split('\n').slice(-10)[0]
    const bar = (): string | undefined => terminal.text().split('\n').at(-1)
    typeInto(pager, '/her')
    expect(bar()).toBe('/her')
    typeInto(pager, 'e\r')
    expect(top()).toBe('line 5 Here')
    typeInto(pager, 'n')
    expect(top()).toBe('line 15 Here')
    typeInto(pager, 'nn')
    expect(terminal.text()).toContain('line 35 Here')
    typeInto(pager, 'n')
    expect(bar()).toMatch(/^-- not found below: here \(N goes/)
    typeInto(pager, 'NN')
    expect(top()).toBe('line 15 Here')
    // Capital letters are meant.
    typeInto(pager, '/HERE\r')
    expect(bar()).toBe('-- not found: HERE --')
    expect(top()).toBe('line 15 Here')
    typeInto(pager, '/x')
    pager.press({ name: 'escape', sequence: '\x1b' })
    expect(bar()).toMatch(/^-- 17 more lines/)
    expect(isOver()).toBe(false)
  })

  it('j and k go a line, d and u as Ctrl-D and Ctrl-U half a screen, and none of them leaves it at its end', () => {
    const { terminal, pager, isOver } = open(numbered(20))
    const last = (): string | undefined => terminal.text().split('\n').at(-2)
    typeInto(pager, 'j')
    expect(last()).toBe('line 10')
    typeInto(pager, 'd')
    expect(last()).toBe('line 14')
    typeInto(pager, 'k')
    expect(last()).toBe('line 13')
    typeInto(pager, 'u')
    expect(last()).toBe('line 9')
    for (const _ of [1, 2, 3, 4]) expect(pager.press({ name: 'd', ctrl: true, sequence: '\x04' })).toBe(true)
    expect(last()).toBe('line 20')
    typeInto(pager, 'jd')
    expect(isOver()).toBe(false)
    expect(pager.press({ name: 'u', ctrl: true, sequence: '\x15' })).toBe(true)
    expect(last()).toBe('line 16')
  })

  it('? searches back, n goes on so, and N the other way', () => {
    const lines = numbered(60).map((line, index) => (index % 10 === 4 ? `${line} Here` : line))
    const { terminal, pager } = open(lines)
    const top = (): string | undefined => terminal.text().split('\n').slice(-10)[0]
    for (const _ of [1, 2, 3]) pager.press(SPACE)
    typeInto(pager, '?here')
    expect(terminal.text().split('\n').at(-1)).toBe('?here')
    typeInto(pager, '\r')
    expect(top()).toBe('line 25 Here')
    typeInto(pager, 'n')
    expect(top()).toBe('line 15 Here')
    typeInto(pager, 'N')
    expect(top()).toBe('line 25 Here')
    typeInto(pager, 'nnn')
    expect(terminal.text().split('\n').at(-1)).toMatch(/^-- not found above: here \(N goes on/)
  })

  it('marks what was sought, whatever is painted around and in it', () => {
    expect(markedLine('a \x1b[1mbo\x1b[22mld Bold', 'bold')).toBe(
      'a \x1b[1m\x1b[7mbo\x1b[27m\x1b[22m\x1b[7mld\x1b[27m \x1b[7mBold\x1b[27m',
    )
    expect(markedLine('a bold', 'Bold')).toBe('a bold')
  })

  it('says what keys do, as far as there is room', () => {
    expect(moreText(3, 4, 80)).toBe('-- 3 more lines: Space next, Enter a line, b back, g top, G end, q leaves --')
    expect(moreText(3, 4, 84)).toBe(
      '-- 3 more lines (25%): Space next, Enter a line, b back, g top, G end, q leaves --',
    )
    expect(moreText(3, 4, 100)).toContain(', G end, / searches, q leaves --')
    expect(moreText(12_345, 20_000, 45)).toBe('-- 12345 more lines: Space, Enter, b, q --')
    expect(moreText(12_345, 20_000, 60)).toBe('-- 12345 more lines (38%): Space, Enter, b, q --')
    expect(moreText(0, 20, 30)).toBe('-- end: b, q --')
  })

  it.each([
    ['q', { name: 'q', sequence: 'q' }, true],
    ['Ctrl-C', { name: 'c', ctrl: true, sequence: '\x03' }, true],
    ['a letter, which begins the next command', { name: 'x', sequence: 'x' }, false],
    ['n, as long as nothing is sought', { name: 'n', sequence: 'n' }, false],
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

describe('a window that changes while an answer is paged', () => {
  const words = Array.from({ length: 120 }, (_, index) => `w${index}`.padEnd(7, '.'))

  /** As prose is laid out: so many words a row, as there is room for. */
  function laidOut(width: number): string[] {
    const each = Math.floor(width / 8)
    return Array.from({ length: Math.ceil(words.length / each) }, (_, row) =>
      words.slice(row * each, (row + 1) * each).join(' '),
    )
  }

  function opened(columns: number, rows: number) {
    let terminal = new VirtualTerminal(columns, rows)
    const output = {
      columns,
      rows,
      write: (text: string) => terminal.write(text.replaceAll(/(?<!\r)\n/g, '\r\n')),
    }
    const stage = new Stage(output, { color: false, links: false })
    const pager = new AnswerPager(
      () => laidOut(output.columns),
      stage,
      () => undefined,
    )
    const resize = (width: number, height: number): void => {
      terminal = new VirtualTerminal(width, height)
      Object.assign(output, { columns: width, rows: height })
      pager.resize()
    }
    return { pager, resize, rows: () => terminal.text().trimEnd().split('\n').slice(-output.rows) }
  }

  it('lays it out for the new size and shows the same place, narrower and wider, lower and higher', () => {
    const { pager, resize, rows } = opened(40, 10)
    pager.press(SPACE)
    expect(rows()[0]).toMatch(/^w45\./)
    resize(24, 10)
    expect(rows()[0]).toMatch(/^w45\./)
    expect(rows()).toHaveLength(10)
    expect(rows().at(-1)).toMatch(/^-- 16 more/)
    resize(80, 6)
    expect(rows()[0]).toMatch(/^w40\./)
    expect(rows()).toHaveLength(6)
    pager.press({ sequence: 'b', name: 'b' })
    expect(rows()[0]).toMatch(/^w0\./)
  })

  it('what was at the end stays there, and a window that has room for all shows all', () => {
    const { pager, resize, rows } = opened(40, 10)
    pager.press({ sequence: 'G', name: 'g' })
    resize(24, 10)
    expect(rows().at(-2)).toMatch(/w119/)
    expect(rows().at(-1)).toMatch(/^-- end/)
    resize(80, 30)
    expect(rows()[0]).toMatch(/^w0\./)
    expect(rows()).toHaveLength(13)
  })
})
