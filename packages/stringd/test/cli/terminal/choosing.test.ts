import { describe, expect, it } from 'vitest'
import { Choosing } from '../../../src/cli/terminal/editor/choosing.ts'
import { Screen } from '../../../src/cli/terminal/editor/screen.ts'
import { keysOf } from '../../support/editor.ts'
import { VirtualTerminal } from '../../support/virtual-terminal.ts'

const DOWN = '\x1b[B'

const AGENTS = [
  { name: 'counter', about: 'count.sh · lives in the daemon', command: 'count.sh' },
  { name: 'reviewer', about: 'claude -p · lives in the daemon', command: 'claude -p' },
  { name: 'jake', about: 'echo · a profile in this folder', command: 'echo' },
]

function opened(columns = 80) {
  const choosing = new Choosing('Talk to which agent?', AGENTS)
  const terminal = new VirtualTerminal(columns, 10)
  const screen = new Screen(terminal, { color: false, links: false })
  const draw = () => screen.draw(choosing.frame(terminal.columns, terminal.rows))
  draw()
  return {
    type: (bytes: string) => {
      const last = keysOf(bytes).map(([text, key]) => choosing.press(text, key))
      draw()
      return last.at(-1) ?? null
    },
    // Alone it is told from the beginning of other keys by the time that passes.
    pressEscape: () => {
      const chosen = choosing.press(undefined, { name: 'escape', meta: true, sequence: '\x1b' })
      draw()
      return chosen
    },
    rows: () => terminal.text().trimEnd().split('\n'),
    cursor: () => terminal.cursor,
  }
}

describe('choosing one of a list', () => {
  it('what is typed narrows it by name and by command, and stands behind the question', () => {
    const { type, rows, cursor } = opened()
    expect(rows()[0]).toBe('Talk to which agent?   type to filter, ↑ ↓ choose, Enter talks, Esc leaves')
    expect(rows()[1]).toMatch(/^> counter /)
    type('j')
    expect(rows()).toHaveLength(2)
    expect(rows()[0]).toMatch(/^Talk to which agent\? j {2}.*Esc clears$/)
    expect(cursor()).toMatchObject({ row: 0, column: 22 })
    expect(rows()[1]).toMatch(/^> jake /)
    type('\x7fCLAUDE')
    expect(rows()[1]).toMatch(/^> reviewer /)
    expect(type('\r')).toBe(1)
  })

  it('who is called so comes before what is run so, and the arrows go through what is left', () => {
    const { type, rows } = opened()
    type('c')
    expect(
      rows()
        .slice(1)
        .map((row) => row.slice(2, 10).trimEnd()),
    ).toEqual(['counter', 'reviewer', 'jake'])
    expect(type(`${DOWN}\r`)).toBe(1)
  })

  it('says that nothing matches, and Enter does nothing then; Esc clears, and leaves when there is nothing to clear', () => {
    const { type, pressEscape, rows } = opened()
    type('zzz')
    expect(rows().slice(1)).toEqual(['  nothing matches: Backspace, or Esc shows all'])
    expect(type('\r')).toBeNull()
    expect(type(`${DOWN}\t\r`)).toBeNull()
    expect(type('\x15')).toBeNull()
    expect(rows()).toHaveLength(4)
    type('q')
    expect(pressEscape()).toBeNull()
    expect(rows()).toHaveLength(4)
    expect(pressEscape()).toBe('left')
    expect(type('\x03')).toBe('interrupted')
  })

  it('a paste with line ends chooses nothing', () => {
    const { type, rows } = opened()
    expect(type('\x1b[200~ja\rke\r\x1b[201~')).toBeNull()
    expect(rows()[1]).toMatch(/^> jake /)
  })

  it('fits a narrow window, whatever is typed', () => {
    expect(opened(40).rows()[0]).toBe('Talk to which agent?   type, Enter, Esc')
    const { type, rows, cursor } = opened(24)
    type('jakejakejake漢字')
    for (const row of rows()) expect(row.length).toBeLessThanOrEqual(24)
    expect(rows()).toHaveLength(2)
    expect(cursor().row).toBe(0)
  })
})
