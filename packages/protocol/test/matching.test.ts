import { describe, expect, it } from 'vitest'
import { matching } from '../src/index.ts'

const NAMES = ['README.md', 'reading.md', 'docs/troubleshooting.md', 'docs/README.md', '/open', '#where-it-is', '@Next']

describe('what is typed finds', () => {
  it.each([
    ['what goes on as it', 'rea', ['reading.md']],
    ['else in any case', 'readm', ['README.md']],
    ['else what holds it', 'EAD', ['README.md', 'reading.md', 'docs/README.md']],
    ['behind the folders that were typed', 'docs/shoot', ['docs/troubleshooting.md']],
    ['behind the mark of its kind', '@ex', ['@Next']],
    ['blocks', '#it-is', ['#where-it-is']],
    ['commands', '/pen', ['/open']],
    ['nothing in other folders', 'doc/shoot', []],
    ['nothing by one letter within', 'w', []],
    ['all of them', '', NAMES],
  ])('%s', (_name, typed, found) => {
    expect(matching(NAMES, typed, (each) => each)).toEqual(found)
  })
})
