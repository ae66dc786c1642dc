import { describe, expect, it } from 'vitest'
import { expandedLine, historyCount, historyText } from '../../../src/cli/topic/shell-history.ts'

const BEFORE = ['/open a.md', '//close', "cp a 'b c'", 'ls']

describe('lines of a shell that were typed before', () => {
  it.each([
    ['sudo !!', "sudo cp a 'b c'"],
    ['!! | less', "cp a 'b c' | less"],
    ['cat !$', "cat 'b c'"],
    ['cat !$/x; !!', "cat 'b c'/x; cp a 'b c'"],
    ['echo \'!!\' "!!" \\!! wow!!', null],
    ['[ ! $x ] && !$cmd', null],
    ['echo a\n!!', null],
  ])('%j is written out as %j', (line, expanded) => {
    expect(expandedLine(line, BEFORE)).toBe(expanded)
  })

  it('there is nothing to write out where none was typed', () => {
    expect(expandedLine('sudo !!', ['/open a.md'])).toBe(null)
  })

  it('are listed with their numbers, the newest last, and nothing in them is obeyed', () => {
    expect(historyCount(' history ')).toBe(50)
    expect(historyCount('history 2')).toBe(2)
    expect(historyCount('history | grep x')).toBe(null)
    expect(historyText(BEFORE, 50)).toBe("  1  ls\n  2  cp a 'b c'")
    expect(historyText(['echo \x1b[2J', 'for x in a\ndo ls; done', 'ls'], 2)).toBe(
      '  2  for x in a\n     do ls; done\n  3  echo \\x1b[2J',
    )
  })
})
