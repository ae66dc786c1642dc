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
