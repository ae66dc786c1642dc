import type { Key } from 'node:readline'
import type { Line, Paint } from '../styled-text.ts'
import { CompletionMenu } from './completion-menu.ts'
import { Keyboard } from './keyboard.ts'
import { nameOf } from './keys.ts'
import { Screen } from './screen.ts'

/** Something to choose, by its place in the list. */
export interface Choice {
  readonly name: string
  readonly about: string
}

const STEPS: ReadonlyMap<string, 1 | -1> = new Map([
  ['down', 1],
  ['tab', 1],
  ['ctrl-n', 1],
  ['j', 1],
  ['up', -1],
  ['shift-tab', -1],
  ['ctrl-p', -1],
  ['k', -1],
])
const ENDS: ReadonlyMap<string, Left> = new Map([
  ['escape', 'left'],
  ['ctrl-c', 'interrupted'],
  ['ctrl-d', 'left'],
  ['q', 'left'],
])

/** How a person went away who would rather not choose. */
type Left = 'left' | 'interrupted'

/** Lets a person choose one of a list with the arrow keys. */
export function pick(title: string, choices: readonly Choice[], style: Paint): Promise<number | Left> {
  const screen = new Screen(process.stdout, style)
  const items = choices.map(({ name, about }) => ({ text: name, kind: 'value' as const, about }))
  const menu = new CompletionMenu(items, 0, '')
  menu.move(1)
  const head: Line = [{ text: title }, { text: '  ↑ ↓ choose, Enter talks, Esc leaves', styles: ['dim'] }]
  const draw = (): void => {
    screen.draw({ rows: [head, ...menu.lines(screen.width, screen.height - 2)], cursor: { row: 0, column: 0 } })
  }
  return new Promise((resolve) => {
    const end = (chosen: number | Left): void => {
      keyboard.end()
      process.stdout.off('resize', draw)
      screen.erase()
      resolve(chosen)
    }
    const onKey = (_text: string | undefined, key: Key): void => {
      const name = nameOf(key)
      const step = STEPS.get(name)
      const left = ENDS.get(name)
      if (name === 'return' && menu.selected !== null) end(menu.items.indexOf(menu.selected))
      else if (left !== undefined) end(left)
      else if (name === 'ctrl-z') keyboard.suspend()
      else if (step !== undefined) {
        menu.move(step)
        draw()
      }
    }
    const onBack = (): void => {
      screen.forget()
      draw()
    }
    const keyboard = new Keyboard({ onKey, onEnd: () => end('left'), onGone: () => end('left'), onBack })
    process.stdout.on('resize', draw)
    draw()
  })
}
