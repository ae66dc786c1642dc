import { describe, expect, it } from 'vitest'
import { meantBy, shortId } from '../src/short-id.ts'

const ID = 'trn_01hx3v9k2m4n6p8q0r2s4t6v8w'
const OTHER = 'trn_01hx3v9k2m4n6p8q0r2s4t6v9x'

const meant = (written: string, ids = [ID]) => meantBy(written, ids, (id) => id)

describe('what a person writes of an id', () => {
  it.each([ID, '01hx', 'trn_01hx', '6v8w', 'T6V8W', shortId(ID), '2s4t', '2s4t6v'])('%s means it', (written) => {
    expect(meant(written)).toEqual({ kind: 'one', found: ID })
  })

  it.each(['4t6v', '8w01', `${ID}x`, 'zz', 'x'])('%s means another', (written) => {
    expect(meant(written)).toEqual({ kind: 'none' })
  })

  it.each(['', 'w', 'v8w', 'trn_', 'trn_01h'])(
    '%j is too short to mean one, and names none where there is none',
    (written) => {
      expect(meant(written)).toMatchObject({
        kind: 'too-short',
        reason: expect.stringContaining('too short: write at least 4 characters of the ID') as string,
      })
      expect(meant(written, [])).toEqual({ kind: 'none' })
    },
  )

  it.each(['', 'trn_', '01hx3v', '2s4t6v'])('%j means several, however long it is', (written) => {
    expect(meant(written, [ID, OTHER])).toEqual({ kind: 'several', found: [ID, OTHER] })
  })
})
