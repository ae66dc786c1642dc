import { describe, expect, it, vi } from 'vitest'
import { PartsHere } from '../../../src/cli/topic/parts-here.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'open #': ['#install'],
  'open @': ['@site'],
  'act ': ['send'],
}

describe('a line that names a part of a document', () => {
  it('means something where the open one has it, as soon as that is known', async () => {
    const parts = new PartsHere(async (command) => NAMES[command] ?? [])
    expect(parts.has('/open #install')).toBe(false)
    await vi.waitFor(() => expect(parts.has('/open #install')).toBe(true))
    expect(parts.has('//open @site')).toBe(true)
    expect(parts.has('/act.send --to kim')).toBe(true)
    expect(parts.has('/act send')).toBe(true)
    for (const line of ['/open #elsewhere', '/edit @other', '/act.gone', '/act gone'])
      expect(parts.has(line)).toBe(false)
    parts.forget()
    expect(parts.has('/open #install')).toBe(false)
  })

  it('any other line is not looked at', () => {
    const parts = new PartsHere(() => Promise.reject(new Error('not asked')))
    for (const line of ['/open a.md#x', '/find #tag', 'echo #x', '/open', '/act --help'])
      expect(parts.has(line)).toBe(true)
  })
})
