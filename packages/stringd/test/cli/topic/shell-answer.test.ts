import type { ExecResult } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { isStopped } from '../../../src/cli/topic/shell-answer.ts'

const ended = (exit: number): ExecResult => ({ data: { exit } }) as unknown as ExecResult

describe('a command that bash has stopped', () => {
  it.each([
    [148, '[1]+  Stopped                 sleep 9', true],
    // What bash says of a pipe whose other parts have ended.
    [128, '[1]+  Stopped                 seq 9 | less', true],
    [148, 'Stopped', false],
    [128, 'fatal: not a git repository', false],
    [1, '[1]+  Stopped                 sleep 9', false],
  ])('exit %d with %j: %s', (exit, output, is) => {
    expect(isStopped(ended(exit), output)).toBe(is)
  })
})
