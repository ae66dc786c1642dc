import type { Key } from 'node:readline'
import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { type EditorOptions, LineEditor, type Wish } from '../../src/cli/terminal/editor/line-editor.ts'
import { Screen } from '../../src/cli/terminal/editor/screen.ts'
import { VirtualTerminal } from './virtual-terminal.ts'

export interface TestEditor {
  readonly editor: LineEditor
  readonly terminal: VirtualTerminal
  /** Bytes as a terminal sends them, each key of them followed by a drawing. Answers what was wished for. */
  readonly type: (bytes: string) => Wish[]
  /** What is seen, with `|` where the cursor is. */
  readonly seen: () => string
  readonly draw: () => void
}

/** The editor with a terminal around it, without any process. */
export function testEditor(options: Partial<EditorOptions> = {}, columns = 40, rows = 12): TestEditor {
  const editor = new LineEditor({ history: [], ...options })
  const terminal = new VirtualTerminal(columns, rows)
  const screen = new Screen(terminal, { color: false, links: false })
  const draw = (): void => screen.draw(editor.frame([{ text: '> ' }], terminal.columns, terminal.rows))
  draw()
  return {
    editor,
    terminal,
    draw,
    type: (bytes) => {
      const wishes: Wish[] = []
      for (const [text, key] of keysOf(bytes)) {
        const wish = editor.press(text, key)
        if (wish !== null) wishes.push(wish)
        draw()
      }
      return wishes
    },
    seen: () => {
      const { row, column } = terminal.cursor
      const lines = terminal.text().split('\n')
      const line = lines[row] ?? ''
      lines[row] = `${line.slice(0, column).padEnd(column)}|${line.slice(column)}`
      return lines.join('\n')
    },
  }
}

/** As Node reads them from a terminal. */
export function keysOf(bytes: string): [string | undefined, Key][] {
  const keys: [string | undefined, Key][] = []
  const stream = new PassThrough()
  emitKeypressEvents(stream)
  stream.on('keypress', (text: string | undefined, key: Key) => keys.push([text, key]))
  stream.emit('data', Buffer.from(bytes))
  return keys
}
