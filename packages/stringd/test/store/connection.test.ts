import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { Connection, type Row } from '../../src/store/sqlite/connection.ts'
import type { ColumnValue } from '../../src/store/sqlite/value.ts'

const ROWS = 'FROM letters WHERE letter = ?'
const INSERT = 'INSERT INTO letters (letter, number) VALUES (?, ?)'

function open(path = join(tempDir(), 'test.db')): Connection {
  const connection = new Connection(path)
  onTestFinished(() => connection.close())
  return connection
}

function openLetters(): Connection {
  const connection = open()
  connection.exec('CREATE TABLE letters (letter TEXT UNIQUE, number INTEGER)')
  for (const [index, letter] of ['a', 'b', 'c'].entries()) connection.run(INSERT, letter, index + 1)
  return connection
}

const letters = (connection: Connection): unknown[] =>
  connection.select(['letter'], 'FROM letters ORDER BY letter').map(({ letter }) => letter)

const echo = (connection: Connection, value: ColumnValue): Row | undefined =>
  connection.select(['value', 'type'], 'FROM (SELECT value, typeof(value) AS type FROM (SELECT ? AS value))', value)[0]

/** What can be done with one statement that gives rows; only the first is an answer. */
const READS: Record<string, (connection: Connection, letter: string) => unknown> = {
  select: (connection, letter) => connection.select(['letter'], ROWS, letter).map((row) => row.letter),
  'a run that is refused': (connection, letter) => attempt(() => connection.run(`SELECT letter ${ROWS}`, letter)),
  'a run without its value': (connection) => attempt(() => connection.run(`SELECT letter ${ROWS}`)),
  'a select without its value': (connection) => attempt(() => connection.select(['letter'], ROWS)),
  'a select with a value too many': (connection, letter) =>
    attempt(() => connection.select(['letter'], ROWS, letter, letter)),
  'a select with what is no text': (connection) => attempt(() => connection.select(['letter'], ROWS, 'c\0')),
}

const WRITES: Record<string, (connection: Connection, letter: string) => unknown> = {
  run: (connection, letter) => attempt(() => connection.run('DELETE FROM letters WHERE letter = ?', letter)),
  'a run without its value': (connection) => attempt(() => connection.run('DELETE FROM letters WHERE letter = ?')),
  'a run with what is no text': (connection) =>
    attempt(() => connection.run('DELETE FROM letters WHERE letter = ?', 'b\0')),
}

const REFUSED = /for select|values for 1 places|NUL in a text/
const found = (letter: string): string[] => (letter === 'none' ? [] : [letter])

function attempt(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return String(error)
  }
}

const pairs = (kinds: Record<string, unknown>): [string, string][] =>
  Object.keys(kinds).flatMap((first) => Object.keys(kinds).map((second): [string, string] => [first, second]))

describe('one statement, used again and again', () => {
  it.each(pairs(READS))('%s, then %s, then select: each answers for its own value', (first, second) => {
    const connection = openLetters()
    for (const one of ['c', 'none', 'a'])
      for (const other of ['b', 'a', 'none']) {
        READS[first]?.(connection, one)
        expect(READS[second]?.(connection, other)).toEqual(
          second === 'select' ? found(other) : expect.stringMatching(REFUSED),
        )
        for (const letter of ['a', 'none', 'b']) expect(READS.select?.(connection, letter)).toEqual(found(letter))
      }
  })

  it.each(pairs(WRITES))('%s, then %s, then run: what is changed is that of the last value', (first, second) => {
    const connection = openLetters()
    WRITES[first]?.(connection, 'none')
    WRITES[second]?.(connection, 'none')
    expect(connection.run('DELETE FROM letters WHERE letter = ?', 'none')).toBe(0)
    expect(connection.run('DELETE FROM letters WHERE letter = ?', 'a')).toBe(1)
    expect(letters(connection)).toEqual(['b', 'c'])
  })

  it('what was refused as a change can be asked for, bytes too', () => {
    const connection = open()
    expect(() => connection.run('SELECT bytes FROM (SELECT ? AS bytes)')).toThrow()
    const rows = connection.select(['bytes'], 'FROM (SELECT ? AS bytes)', Buffer.from('bytes'))
    expect(rows).toEqual([{ bytes: Buffer.from('bytes') }])
  })

  it('a value that is missing is not taken from the call before', () => {
    const connection = openLetters()
    connection.run(INSERT, 'd', 4)
    expect(() => connection.run(INSERT, 'e')).toThrow('1 values for 2 places')
    expect(() => connection.run(INSERT, 'e', 5, 6)).toThrow('3 values for 2 places')
    expect(letters(connection)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('works again after it failed over a row that exists already', () => {
    const connection = openLetters()
    const outcomes = ['a', 'd', 'd', 'e'].map((letter) => attempt(() => connection.run(INSERT, letter, 9)))
    expect(outcomes).toEqual([expect.stringContaining('UNIQUE'), 1, expect.stringContaining('UNIQUE'), 1])
    expect(letters(connection)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('works again after the file was locked by another, which stored what it wanted', () => {
    const connection = openLetters()
    const other = open(connection.path)
    other.exec('BEGIN IMMEDIATE')
    expect(() => connection.run(INSERT, 'd', 4)).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    other.run(INSERT, 'x', 9)
    other.exec('COMMIT')
    expect(connection.run(INSERT, 'e', 5)).toBe(1)
    expect(letters(connection)).toEqual(['a', 'b', 'c', 'e', 'x'])
  })

  it('works again after it failed between two rows, and keeps nothing locked', () => {
    const connection = openLetters()
    const rest = 'FROM (SELECT abs(CASE letter WHEN ? THEN -9223372036854775808 ELSE number END) AS n FROM letters)'
    expect(() => connection.select(['n'], rest, 'b')).toThrow('integer overflow')
    expect(connection.select(['n'], rest, 'none')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    expect(() => connection.select(['n'], rest, 'c')).toThrow('integer overflow')
    connection.exec('DROP TABLE letters')
  })

  it('gives the columns by their names while its table changes', () => {
    const connection = openLetters()
    const select = (): Row[] => connection.select(['letter', 'number'], ROWS, 'b')
    expect(select()).toEqual([{ letter: 'b', number: 2 }])
    connection.exec('ALTER TABLE letters ADD COLUMN other DEFAULT 7')
    expect(select()).toEqual([{ letter: 'b', number: 2 }])
    connection.exec(
      "DROP TABLE letters; CREATE TABLE letters (number, other, letter); INSERT INTO letters VALUES (5, 6, 'b')",
    )
    expect(select()).toEqual([{ letter: 'b', number: 5 }])
    connection.exec('ALTER TABLE letters DROP COLUMN number')
    expect(select).toThrow('no such column')
    connection.exec('ALTER TABLE letters RENAME COLUMN other TO number')
    expect(select()).toEqual([{ letter: 'b', number: 6 }])
    connection.exec('DROP TABLE letters')
    expect(select).toThrow('no such table')
  })

  it('sees what is changed while its rows are gone through', () => {
    const connection = openLetters()
    const seen = connection.select(['letter'], 'FROM letters WHERE number > ? ORDER BY number', 0).map(({ letter }) => {
      connection.run('DELETE FROM letters WHERE letter = ?', letter ?? null)
      return [letter, connection.select(['letter'], 'FROM letters WHERE number > ? ORDER BY number', 2).length]
    })
    expect(seen).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
  })

  it.each([1, 99, 100, 101, 200, 1_000])('gives all of %i rows, in their order', (count) => {
    const connection = open()
    const series = 'FROM (WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ?) SELECT n FROM s)'
    const rows = connection.select(['n'], series, count)
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })
})

describe('a value that goes in and comes out', () => {
  it.each<[ColumnValue, string]>([
    [null, 'null'],
    [0, 'integer'],
    [-1, 'integer'],
    [Number.MAX_SAFE_INTEGER, 'integer'],
    [2n ** 53n + 1n, 'integer'],
    [-(2n ** 63n), 'integer'],
    [0.1, 'real'],
    [-1.5e-300, 'real'],
    ['', 'text'],
    ['plain text', 'text'],
    ['true', 'text'],
    ['\ufeffb\u007f\t\r\n', 'text'],
    ['𝒞 é \ufffd', 'text'],
    [Buffer.alloc(0), 'blob'],
    [Buffer.from('t\0b\xff', 'latin1'), 'blob'],
    [Buffer.from('some bytes').subarray(2, 7), 'blob'],
    [new Uint8Array([1, 0, 255]).subarray(1), 'blob'],
  ])('%o is the same, and %s for SQLite', (value, type) => {
    const expected = value instanceof Uint8Array ? Buffer.from(value) : value
    expect(echo(open(), value)).toEqual({ value: expected, type })
  })

  it.each<[string, ColumnValue]>([
    ['a NUL in a text', 'a\0b'],
    ['half a character', 'a\ud800b'],
    ['an integer that is not exact', 2 ** 53],
    ['no number', Number.NaN],
    ['no end', Number.POSITIVE_INFINITY],
    ['an integer that SQLite cannot hold', 2n ** 63n],
    // @ts-expect-error: the driver would end the process
    ['a boolean', true],
    // @ts-expect-error: the driver would make a NULL of it
    ['nothing', undefined],
    // @ts-expect-error: the driver would take its elements for values
    ['a list', ['a', 'b']],
  ])('%s is refused, in a change as in a query', (_what, value) => {
    const connection = openLetters()
    expect(() => echo(connection, value)).toThrow()
    expect(() => connection.run(INSERT, 'd', value)).toThrow()
    expect(letters(connection)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['ff41', '\ufffdA'],
    ['41ff', 'A\ufffd'],
    ['c3', '\ufffd'],
    ['80', '\ufffd'],
    ['eda080', '\ufffd\ufffd\ufffd'],
    ['610062', 'a\0b'],
    ['00', '\0'],
    ['6100ff', 'a\0\ufffd'],
  ])('a text with the bytes %s, as damage can make it, is %j', (bytes, text) => {
    const connection = openLetters()
    connection.exec(`INSERT INTO letters VALUES (CAST(x'${bytes}' AS TEXT), 9)`)
    expect(connection.select(['letter'], 'FROM letters WHERE number = ?', 9)).toEqual([{ letter: text }])
  })

  it('may be long', () => {
    const text = 'twelve signs'.repeat(30_000)
    const connection = open()
    expect([text, `${text}é`].map((value) => echo(connection, value)?.value)).toEqual([text, `${text}é`])
  })

  it('stays as it was when the statement has gone on', () => {
    const connection = open()
    const kept = echo(connection, Buffer.from('kept'))
    for (let count = 0; count < 500; count += 1) echo(connection, Buffer.from('over'))
    expect(kept?.value).toEqual(Buffer.from('kept'))
  })
})

describe('a change', () => {
  it('tells how many rows it changed, whatever was done before', () => {
    const connection = openLetters()
    expect(connection.run('UPDATE letters SET number = 5 WHERE number > ?', 1)).toBe(2)
    connection.select(['letter'], ROWS, 'a')
    expect(connection.run('UPDATE letters SET number = 5 WHERE number > ?', 9)).toBe(0)
    expect(connection.run('INSERT OR REPLACE INTO letters VALUES (?, ?)', 'a', 7)).toBe(1)
    expect(connection.run('INSERT OR IGNORE INTO letters VALUES (?, ?)', 'a', 8)).toBe(0)
    expect(connection.run('CREATE TABLE other (x)')).toBe(0)
    expect(connection.run('DELETE FROM letters')).toBe(3)
    expect(connection.run('DELETE FROM letters')).toBe(0)
  })

  it('that gives rows is refused, and changes nothing', () => {
    const connection = openLetters()
    expect(() => connection.run("INSERT INTO letters VALUES ('d', ?) RETURNING letter", 4)).toThrow('for select')
    expect(letters(connection)).toEqual(['a', 'b', 'c'])
  })
})

describe('a connection that was closed', () => {
  it('answers nothing and writes nothing, and is asked whether it is in a transaction without harm', () => {
    const connection = openLetters()
    letters(connection)
    connection.close()
    expect(connection.isOpen).toBe(false)
    expect(connection.inTransaction).toBe(false)
    expect(() => letters(connection)).toThrow('not open')
    expect(() => connection.run(INSERT, 'd', 4)).toThrow('not open')
    expect(() => connection.exec('DELETE FROM letters')).toThrow('not open')
    connection.close()
    expect(letters(open(connection.path))).toEqual(['a', 'b', 'c'])
  })
})

it('a transaction that SQLite itself has ended is over', () => {
  const connection = openLetters()
  connection.exec('BEGIN IMMEDIATE')
  expect(connection.inTransaction).toBe(true)
  expect(() => connection.run("INSERT OR ROLLBACK INTO letters VALUES ('a', ?)", 1)).toThrow('UNIQUE')
  expect(connection.inTransaction).toBe(false)
})

it('a value of bytes alone is bound too, as the driver alone could not', () => {
  const connection = openLetters()
  expect(connection.run('UPDATE letters SET number = ?', Buffer.from('x'))).toBe(3)
  expect(connection.run('UPDATE letters SET number = ?', null)).toBe(3)
  const copy = join(tempDir(), 'copy.db')
  connection.run('VACUUM INTO ?', copy)
  expect(existsSync(copy) && readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3')
})
