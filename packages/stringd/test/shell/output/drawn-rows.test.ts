import { describe, expect, it } from 'vitest'
import { DrawnRows } from '../../../src/shell/output/drawn-rows.ts'
import { Output } from '../../../src/shell/output/output.ts'
import { OutputRoom } from '../../../src/shell/output/output-room.ts'
import { Printed } from '../../../src/shell/output/printed.ts'

const SIZE = { columns: 20, rows: 4 }

function printing(): { printed: Printed; rows: DrawnRows; print: (text: string) => void } {
  const printed = new Printed('s', () => new Output(null, new OutputRoom()))
  printed.add(Buffer.from('of another command\n'))
  const rows = new DrawnRows(printed, SIZE)
  return { printed, rows, print: (text) => printed.add(Buffer.from(text)) }
}

describe('the rows that a program has drawn', () => {
  it('are told where it draws over what it printed, to each reader from where that is', () => {
    const { printed, rows, print } = printing()
    const began = printed.place
    print('first\r\na: 1\r\nb: 1\r\n')
    const read = printed.place
    expect(rows.part(read, 'over', true)).toBeNull()
    print('\x1b[2Aa: 2\r\nb: 2\r\n')
    const part = rows.part(read, 'over', true)
    expect(part?.view.lines).toEqual(['a: 2', 'b: 2', ''])
    expect(part).toMatchObject({ shown: 2, open: 3, isOver: true, place: 's:26:4', end: printed.place })
    expect(rows.part(part?.place ?? '', 'over', true)).toMatchObject({ shown: 0, open: 3 })
    const late = rows.part(began, 'over', true)
    expect(late?.view.lines).toEqual(['first', 'a: 2', 'b: 2', ''])
    expect(late).toMatchObject({ shown: 0, open: 3 })
    print('over\r\n')
    expect(rows.part(part?.place ?? '', 'over', false)).toMatchObject({ open: 0, place: printed.place })
  })

  it('are told where a line is written anew, until its reader has seen it as it is', () => {
    const { printed, rows, print } = printing()
    const began = printed.place
    print('first\r\n10%')
    expect(rows.part(began, 'over', true)).toBeNull()
    print('\r')
    expect(rows.part(began, 'over', true)).toBeNull()
    print('20%')
    const part = rows.part(began, 'over', true)
    expect(part?.view.lines).toEqual(['first', '20%'])
    expect(part).toMatchObject({ shown: 0, open: 1, isOver: false })
    print('\r\x1b[Kdone\r\nmore\r\n')
    expect(rows.part(part?.place ?? '', 'over', true)?.view.lines).toEqual(['done', 'more', ''])
    const read = printed.place
    print('still more\r\n')
    expect(rows.part(read, 'over', true)).toBeNull()
  })

  it('are told of any program where all are wanted: what may change is the row of the cursor', () => {
    const { rows, print, printed } = printing()
    const began = printed.place
    print('hello\r\n>>> ')
    const part = rows.part(began, 'all', true)
    expect(part?.view.lines).toEqual(['hello', '>>>'])
    expect(part).toMatchObject({ open: 1, isOver: false, place: 's:26:3', line: 's:26:3' })
    expect(part?.view.cursor).toEqual({ row: 1, column: 4 })
  })

  it('that have left the screen are there, and cannot change any more', () => {
    const { rows, print, printed } = printing()
    const began = printed.place
    print('1\r\n2\r\n\x1b[Atwo\r\n3\r\n4\r\n5\r\n6')
    const part = rows.part(began, 'over', true)
    expect(part?.view.lines).toEqual(['1', 'two', '3', '4', '5', '6'])
    expect(part?.open).toBe(4)
  })

  it('are none where what the reader has not seen is not kept, or is of another command', () => {
    const { rows, print, printed } = printing()
    print('\x1b[A')
    expect(rows.part('', 'all', true)).toBeNull()
    const place = printed.place
    for (let line = 0; line < 9_000; line += 1) print(`${line} of many\r\n`)
    print('\x1b[2Ax')
    expect(rows.part(place, 'over', true)).toBeNull()
  })

  it('are drawn anew where the terminal has another size', () => {
    const { rows, print, printed } = printing()
    const began = printed.place
    print('a'.repeat(30))
    expect(rows.part(began, 'all', true)?.view.lines).toEqual(['a'.repeat(20), 'a'.repeat(10)])
    const wider = rows.resized({ columns: 40, rows: 4 })
    expect(wider.part(began, 'all', true)?.view.lines).toEqual(['a'.repeat(30)])
  })
})
