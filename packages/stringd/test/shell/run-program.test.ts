import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { livingProcess } from '@string-os/bridge/reap'
import { describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { type ProgramEnd, type ProgramRun, runProgram } from '../../src/shell/run-program.ts'

function start(args: readonly string[], limits: Partial<ProgramRun> = {}): Promise<ProgramEnd> {
  const cwd = tempDir()
  const owner = `test:program/${Math.floor(performance.now())}/`
  return runProgram({
    file: 'bash',
    args,
    cwd,
    env: { PATH: process.env.PATH ?? '', STRING_OWNER: owner },
    owner,
    limitMs: 20_000,
    signal: new AbortController().signal,
    outputBytes: 10_000,
    fileBytes: 100_000,
    ...limits,
  })
}

describe('a program of the daemon', () => {
  it('gets its arguments as they are, and both outputs come apart', async () => {
    const end = await start(['-c', 'printf "%s|" "$@"; echo wrong >&2; exit 3', 'x', '$(id)', "a'b", '-x'])
    expect(end).toMatchObject({ kind: 'exited', status: 3, errors: 'wrong\n' })
    expect(end.kind === 'exited' && end.output.toString()).toBe("$(id)|a'b|-x|")
  })

  it('is ended when it prints or writes more than it may', async () => {
    expect(await start(['-c', 'yes'])).toEqual({ kind: 'too-large' })
    expect(await start(['-c', 'exec head -c 300000 /dev/zero > file'])).toEqual({ kind: 'too-large' })
  })

  it('is ended with all it started when it takes too long, and says when there is none', async () => {
    const cwd = tempDir()
    const script = 'setsid sleep 600 & echo $! > pid.new; mv pid.new pid; wait'
    expect(await start(['-c', script], { cwd, limitMs: 2_000 })).toEqual({ kind: 'timeout' })
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    await vi.waitFor(() => expect(livingProcess(pid)).toBeNull(), { timeout: 10_000 })
    expect(await start(['-c', 'sleep 600'], { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' })
    expect(await start([], { file: 'no-such-program' })).toMatchObject({ kind: 'exited', status: 127 })
  })
})
