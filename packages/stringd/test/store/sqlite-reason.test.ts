import { describe, expect, it } from 'vitest'
import { storeReason } from '../../src/store/sqlite/sqlite-reason.ts'

describe('why a store cannot be used', () => {
  it.each([
    ['EACCES', 'no permission (EACCES)'],
    ['SQLITE_CANTOPEN', 'its database cannot be opened (SQLITE_CANTOPEN)'],
    ['SQLITE_READONLY_DIRECTORY', 'its database can only be read (SQLITE_READONLY_DIRECTORY)'],
    ['UNKNOWN_SQLITE_ERROR_1544', 'its database can only be read (SQLITE_READONLY)'],
    ['UNKNOWN_SQLITE_ERROR_14', 'its database cannot be opened (SQLITE_CANTOPEN)'],
    ['SQLITE_MISUSE', 'its database cannot be used (SQLITE_MISUSE)'],
    ['UNKNOWN_SQLITE_ERROR_199', 'its database cannot be used (UNKNOWN_SQLITE_ERROR_199)'],
  ])('is told in words, with the name of its code: %s', (code, words) => {
    expect(storeReason(code)).toBe(words)
  })
})
