import type { ExecResult } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { homeNote } from '../../../src/cli/run/explained-text.ts'

const answered = (content: string): ExecResult =>
  ({ ok: true, code: null, content, topic: 'main', format: 'text', meta: null, data: null }) as unknown as ExecResult

describe('where ~ is', () => {
  it('is said where an answer names it, and of an action that is given a path there, whose answer need not', () => {
    const told = '~ is /agents/a here'
    expect(homeNote(answered('Written: ~/a.md (1 line)'), '/write ~/a.md', '/agents/a')).toBe(told)
    for (const typed of ['/act.save --to "~/o.txt"', '/act.save --to=~/o.txt', "/tool:x '~/a'", '//act.save ~/a'])
      expect(homeNote(answered('ok'), typed, '/agents/a'), typed).toBe(told)
    for (const typed of ['/act.save --to o.txt', '/exec ls ~/a', '/act.save "a~/b"'])
      expect(homeNote(answered('ok'), typed, '/agents/a'), typed).toBe(null)
    expect(homeNote(answered('ok'), '/act.save ~/a', null)).toBe(null)
  })
})
