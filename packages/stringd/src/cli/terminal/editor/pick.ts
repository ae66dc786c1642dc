import type { Key } from 'node:readline'
import type { Paint } from '../styled-text.ts'
import { type Choice, Choosing, type Left } from './choosing.ts'
import { Keyboard } from './keyboard.ts'
import { Screen } from './screen.ts'

/** Lets a person choose one of a list: what is typed narrows it, the arrow keys go through it. */
export function pick(title: string, choices: readonly Choice[], style: Paint): Promise<number | Left> {
  const screen = new Screen(process.stdout, style)
  const choosing = new Choosing(title, choices)
  const draw = (): void => screen.draw(choosing.frame(screen.width, screen.height))
  return new Promise((resolve) => {
    const end = (chosen: number | Left): void => {
      keyboard.end()
      process.stdout.off('resize', draw)
      screen.erase()
      resolve(chosen)
    }
    const onKey = (text: string | undefined, key: Key): void => {
      const chosen = choosing.press(text, key)
      if (chosen === 'suspend') keyboard.suspend()
      else if (chosen === null) draw()
      else end(chosen)
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
