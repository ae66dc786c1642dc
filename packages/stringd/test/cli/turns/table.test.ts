import { describe, expect, it } from 'vitest'
import { columnsOf, fitColumns } from '../../../src/cli/terminal/columns.ts'
import { type Column, layTable } from '../../../src/cli/terminal/table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'ID', most: 4 },
  { title: 'FROM', most: 8, drop: 2 },
  { title: 'TOOK', most: 6, isNumber: true, drop: 1 },
  { title: 'TEXT', most: 100 },
]

function lines(rows: readonly string[][], width: number | null, isOpen = false): string[] {
  const { head, line } = layTable(COLUMNS, rows, { width, isOpen })
  return [head, ...rows.map((row) => line(row))]
}

describe('a table', () => {
  const rows = [
    ['a1', 'ada', '1.2s', 'a text that goes on and on and on'],
    ['b2', 'a very long name', '350ms', 'x'],
  ]

  it('is as wide as it needs in a pipe, and nothing is cut there', () => {
    expect(lines(rows, null)).toEqual([
      'ID  FROM               TOOK  TEXT',
      'a1  ada                1.2s  a text that goes on and on and on',
      'b2  a very long name  350ms  x',
    ])
  })

  it('fits a terminal: the last column is cut, and where it would be too short others are left out', () => {
    expect(lines(rows, 45)).toEqual([
      'ID  FROM       TOOK  TEXT',
      'a1  ada        1.2s  a text that goes on and…',
      'b2  a very …  350ms  x',
    ])
    expect(lines(rows, 35)).toEqual(['ID   TOOK  TEXT', 'a1   1.2s  a text that goes on and…', 'b2  350ms  x'])
    expect(lines(rows, 30)).toEqual(['ID  TEXT', 'a1  a text that goes on and o…', 'b2  x'])
    for (let width = 1; width < 80; width += 1)
      for (const line of lines(rows, width).slice(1)) expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(width, 4))
  })

  it('leaves no room empty that a column could have: a long name is cut before its column goes', () => {
    const columns: readonly Column[] = [
      { title: 'ID', most: 4 },
      { title: 'AGENT', most: 16, drop: 1 },
      { title: 'FROM', most: 14, drop: 3 },
      { title: 'TOOK', most: 6, isNumber: true, drop: 2 },
      { title: 'TEXT', most: 100 },
    ]
    const row = ['a1', 'a-long-agent-name', 'somebody', '1.2s', 'hello']
    const at = (width: number): string => layTable(columns, [row], { width }).line(row)
    expect(at(50)).toBe('a1  a-long-agent-na…  somebody  1.2s  hello')
    expect(at(36)).toBe('a1  a-long-agent-na…  1.2s  hello')
    expect(at(30)).toBe('a1  a-long-agent-na…  hello')
    expect(at(22)).toBe('a1  a-long-age…  hello')
    expect(at(16)).toBe('a1  1.2s  hello')
    expect(at(12)).toBe('a1  hello')
  })

  it('that others are added to has its widest columns from the start', () => {
    expect(lines([], 80, true)).toEqual(['ID    FROM        TOOK  TEXT'])
  })
})

describe('columns of a terminal', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['né', 2],
    ['ne\u0301', 2],
    ['日本', 4],
    ['𝒞', 1],
    ['👍', 2],
  ])('%j takes %i', (text, columns) => expect(columnsOf(text)).toBe(columns))

  it('a line is cut between characters, never past the room', () => {
    expect(fitColumns('日本語', 6)).toBe('日本語')
    expect(fitColumns('日本語', 5)).toBe('日本…')
    expect(fitColumns('日本語', 4)).toBe('日…')
    expect(fitColumns('abc', 1)).toBe('…')
    expect(fitColumns('abc', 0)).toBe('')
    expect(fitColumns('abc', -3)).toBe('')
  })
})
