import { describe, expect, it } from 'vitest'
import { LineEditor } from '../../../src/cli/terminal/editor/line-editor.ts'
import { Stage } from '../../../src/cli/terminal/editor/stage.ts'
import { TypeAhead } from '../../../src/cli/terminal/editor/type-ahead.ts'
import { MarkdownStream } from '../../../src/cli/terminal/markdown/stream.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

const PLAIN = { color: false, links: false }

function open(columns = 40, rows = 12) {
  const terminal = new VirtualTerminal(columns, rows)
  const stage = new Stage(terminal, PLAIN)
  const stream = new MarkdownStream(stage, () => ({ ...PLAIN, width: terminal.columns }))
  const editor = new LineEditor({ history: [] })
  const waiting = new TypeAhead()
  const type = (text: string): void => {
    editor.insert(text)
    stage.type(waiting.above((width, height) => editor.frame([{ text: 'me> ' }], width, height)))
  }
  return { terminal, stage, stream, waiting, editor, type }
}

describe('what is typed while an answer comes', () => {
  it('stands below it, whatever is streamed, printed or said beside it', () => {
    const { terminal, stage, stream, type } = open()
    stream.push('One')
    type('hel')
    expect(terminal.text()).toBe('One\nme> hel')
    expect(terminal.cursor).toEqual({ row: 1, column: 7 })
    stream.push(' and **two**.\n\nThr')
    expect(terminal.text()).toBe('One and **two**.\n\nThr\nme> hel')
    type('lo 世界')
    stage.aside(() => terminal.write('(a note)\r\n'))
    stream.push('ee')
    expect(terminal.text()).toBe('One and **two**.\n\n(a note)\nThree\nme> hello 世界')
    stream.end()
    expect(terminal.text()).toBe('One and **two**.\n\n(a note)\nThree\nme> hello 世界')
    stage.type(null)
    expect(terminal.text()).toBe('One and **two**.\n\n(a note)\nThree')
  })

  it('fits the window together with it, however much there is of both', () => {
    const { terminal, stream, type } = open(20, 8)
    type('typed\n'.repeat(10))
    stream.push('word '.repeat(200))
    const shown = terminal.text().split('\n')
    expect(shown.length).toBeLessThanOrEqual(8)
    expect(shown.at(-1)).toBe('…')
    expect(shown[0]).toContain('word')
  })

  it('is cut where it does not fit, so that it can be drawn over', () => {
    const { terminal, stage } = open(10, 4)
    const rows = [[{ text: 'one ' }, { text: 'two three' }], [{ text: '0123456789' }], [{ text: '世界世界世界' }]]
    const tall = [...rows, ...rows]
    for (const row of [0, 5]) {
      stage.type(() => ({ rows: tall, cursor: { row, column: 30 } }))
      expect(terminal.text()).toBe(
        row === 0 ? 'one two t…\n0123456789\n世界世界…\none two t…' : '世界世界…\none two t…\n0123456789\n世界世界…',
      )
      expect(terminal.cursor).toEqual({ row: row === 0 ? 0 : 3, column: 9 })
    }
    stage.type(null)
    expect(terminal.text()).toBe('')
  })

  it('is laid out anew when the window changes', () => {
    const { terminal, stage, stream, type } = open()
    stream.push('one two three four five six seven')
    type('some words that are typed meanwhile')
    for (const columns of [17, 30, 60]) {
      terminal.resize(columns)
      stage.redraw()
      expect(terminal.text().replace(/\s+/g, '')).toBe('onetwothreefourfivesixsevenme>somewordsthataretypedmeanwhile')
    }
  })

  it('shows what was entered and waits, and gives all of it back as one text', () => {
    const { terminal, stream, waiting, type } = open()
    stream.push('Go on')
    for (const text of ['one', 'two\nlines', 'three', '', 'four', 'five']) waiting.add(text)
    type('six')
    expect(terminal.text()).toBe('Go on\nwaits: one\nwaits: two …\nwaits: three\nand 2 more\nme> six')
    expect(waiting.takeBack('six')).toEqual(['one', 'two\nlines', 'three', 'four', 'five', 'six'])
    expect(waiting.next()).toBeUndefined()
  })
})

describe('what was printed, and is drawn over', () => {
  const part = (...rows: string[]) => ({
    drawing: () => ({ rows: rows.map((text) => [{ text }]), cursor: { row: 0, column: 0 } }),
    text: rows.join('\n'),
  })

  it('is taken back with the hints below it, changes in place, and stays once', () => {
    const { terminal, stage, type } = open()
    type('x')
    stage.print('before')
    stage.print('a: 1\nb: 1')
    stage.print('(a hint)', true)
    stage.change({ back: 2, text: '', part: part('a: 2', 'b: 2') })
    expect(terminal.text()).toBe('before\na: 2\nb: 2\nme> x')
    stage.change({ back: 0, text: 'a: 3', part: part('b: 3') })
    expect(terminal.text()).toBe('before\na: 3\nb: 3\nme> x')
    stage.change({ back: 1, text: 'a: 4\nb: 4', part: null })
    expect(terminal.text()).toBe('before\na: 4\nb: 4\nme> x')
  })

  it('stays where it is when something is typed below it, or when it has left the window', () => {
    const { terminal, stage, editor, type } = open(40, 5)
    type('x')
    stage.change({ back: 0, text: '', part: part('menu') })
    stage.enter((width, height) => editor.frame([{ text: 'me> ' }], width, height, true))
    stage.change({ back: 1, text: 'after', part: null })
    expect(terminal.text()).toBe('menu\nme> x\nafter')
    stage.print('1\n2\n3\n4\n5\n6')
    stage.change({ back: 6, text: 'end', part: null })
    expect(terminal.text()).toMatch(/6\nend$/)
  })
})

describe('what changes at the lower end', () => {
  it('is written, and what stays is not: nothing flickers', () => {
    const { terminal, stream } = open()
    const written: string[] = []
    const write = terminal.write.bind(terminal)
    terminal.write = (text) => {
      written.push(text)
      write(text)
    }
    stream.push('- the first line\n- the second')
    written.length = 0
    stream.push(' line')
    expect(terminal.text()).toBe('• the first line\n• the second line')
    expect(written.join('')).toContain('the second line')
    expect(written.join('')).not.toContain('the first line')
  })

  it('is written as a whole where the window has another height, since rows may have gone', () => {
    const { terminal, stage, stream } = open()
    stream.push('- the first line\n- the second')
    const written: string[] = []
    terminal.rows = 8
    terminal.write = (text) => void written.push(text)
    stage.redraw()
    expect(written.join('')).toContain('the first line')
  })
})
