import type { ExecResult } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { shownResult } from '../../../src/cli/topic/show-result.ts'

function shown(content: string, data: Record<string, unknown> | null = null): string {
  const result = { ok: true, code: null, topic: 'app:notes', content, format: 'text', data } as unknown as ExecResult
  return shownResult(result, { width: 40, color: false, links: false })
}

describe('an answer at a terminal', () => {
  it('has the lines of an action as they are, also one alone and those with a rule among them', () => {
    for (const output of ['a\nb\nc', 'alone', 'a\n---\nb']) expect(shown(output, { exit_code: 0, output })).toBe(output)
    expect(shown('{\n  "id": 1\n}', { status: 200, content_type: 'application/json' })).toBe('{\n  "id": 1\n}')
  })

  it('is laid out where a template made a page of it', () => {
    const result = { ok: true, code: null, topic: 'app:shop', content: '- @item-1 apple: **3**', format: 'markdown' }
    const answer = { ...result, data: { exit_code: 0, output: '3' } } as unknown as ExecResult
    expect(shownResult(answer, { width: 40, color: false, links: false })).toBe('• @item-1 apple: **3**')
  })

  it('has what String says above what it is about, without the rule between them', () => {
    expect(shown('Found 2\n---\na\nb')).toBe('Found 2\na\nb')
    expect(shown('Undone')).toBe('Undone')
  })

  it('never shows the end of a line as characters', () => {
    expect(shown('two\nlines')).toBe('two\nlines')
  })
})
