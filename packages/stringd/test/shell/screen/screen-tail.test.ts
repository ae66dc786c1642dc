import { describe, expect, it } from 'vitest'
import { ScreenTail } from '../../../src/shell/screen/screen-tail.ts'

function after(typed: string, ...printed: readonly string[]): string {
  const tail = new ScreenTail()
  tail.add(Buffer.from('> '))
  tail.type(typed)
  for (const piece of printed) tail.add(Buffer.from(piece))
  return tail.text()
}

describe('the end of what a shell shows', () => {
  it.each([
    ['1+1', ['2\r\n', '> '], '> 1+1\n2\n>'],
    ['1+1', ['1', '+', '1', '\r\r\n', '\x1b[33m2\x1b[39m\r\n', '\x1b[1G\x1b[0J> \x1b[3G'], '> 1+1\n2\n>'],
    ['1+1', [], '> 1+1'],
    ['', ['0\r\n', '> '], '>\n0\n>'],
    ['', ['\r\r\n', '> '], '>\n>'],
    ['1+1', ['.'.repeat(3)], '> 1+1\n...'],
    ['x', Array.from({ length: 1_000 }, () => '.'), `> x\n${'.'.repeat(1_000)}`],
  ])('has %j as it was typed, once, where %j is printed behind it', (typed, printed, shown) => {
    expect(after(typed, ...printed).trimEnd()).toBe(shown)
  })
})
