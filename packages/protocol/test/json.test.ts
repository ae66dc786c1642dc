import { expect, it } from 'vitest'
import { isFields, parseJson } from '../src/json.ts'

it.each([
  ['{"a":1}', { a: 1 }],
  ['[]', []],
  ['null', null],
  ['"x"', 'x'],
  ['', undefined],
  ['{', undefined],
  ['undefined', undefined],
])('reads %s', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

it('takes objects for fields, and nothing else', () => {
  expect([{}, { a: 1 }].every(isFields)).toBe(true)
  expect([null, undefined, [], 'text', 1].some(isFields)).toBe(false)
})
