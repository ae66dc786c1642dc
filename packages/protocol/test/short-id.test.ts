import { describe, expect, it } from 'vitest'
import { isMeantBy, shortId, tooShortAnId } from '../src/short-id.ts'

const ID = 'trn_01hx3v9k2m4n6p8q0r2s4t6v8w'

describe('what a person writes of an id', () => {
  it.each([ID, '01hx', 'trn_01hx', '6v8w', 'T6V8W', shortId(ID), '2s4t', '2s4t6v'])('%s means it', (written) => {
    expect(isMeantBy(ID, written)).toBe(true)
    expect(tooShortAnId(written)).toBeNull()
  })

  it.each(['4t6v', '8w01', `${ID}x`])('%s means another', (written) => {
    expect(isMeantBy(ID, written)).toBe(false)
    expect(tooShortAnId(written)).toBeNull()
  })

  it.each(['', '8', 'v8w', 'trn_', 'trn_01h'])('%j is too short to mean one', (written) => {
    expect(isMeantBy(ID, written)).toBe(false)
    expect(tooShortAnId(written)).toContain('too short: write at least 4 characters of the ID')
  })
})
