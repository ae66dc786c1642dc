import { describe, expect, it } from 'vitest'
import { checkValue } from '../../src/action/call/value.ts'
import type { Field } from '../../src/action/declare/field.ts'

const FIELD: Field = {
  ok: true,
  name: 'n',
  short: null,
  type: 'number',
  required: false,
  min: null,
  max: null,
  allowed: null,
  description: null,
  fallback: null,
}

function given(text: string, field: Field = FIELD): string | null {
  const read = checkValue(field, text)
  return read.ok ? read.text : null
}

describe('a number', () => {
  it('reaches a command in plain digits, with its sign', () => {
    for (const [typed, plain] of [
      ['1e3', '1000'],
      ['007', '7'],
      ['00', '0'],
      ['+5', '+5'],
      ['-007.10', '-7.10'],
      ['.5', '0.5'],
      ['5.', '5'],
      ['1.5e1', '15'],
      ['1.25e1', '12.5'],
      ['12e-1', '1.2'],
      ['1.5e-2', '0.015'],
      ['0.001e2', '0.1'],
      ['123456789012345678901234567890', '123456789012345678901234567890'],
    ] as const)
      expect(given(typed), typed).toBe(plain)
    expect(given('1e308')).toBe(`1${'0'.repeat(308)}`)
  })

  it('is what a number of double precision can be, and nothing else', () => {
    for (const typed of ['1e309', '1e-309', '.', 'e3', '1.e', '', '-', '0x10', '1 000'])
      expect(given(typed), typed).toBe(null)
  })

  it('of a choice stays as its author wrote it', () => {
    expect(given('007', { ...FIELD, allowed: ['007', '008'] })).toBe('007')
  })
})
