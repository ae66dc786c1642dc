import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { runOneShot } from '../../src/shell/one-shot.ts'
import { Output } from '../../src/shell/output/output.ts'
import { OutputRoom } from '../../src/shell/output/output-room.ts'

it('ends a script whose caller was gone before it began', async () => {
  const output = new Output(null, new OutputRoom())
  const env = { PATH: process.env.PATH ?? '', STRING_OWNER: 'test:one-shot/' }
  const run = { script: 'sleep 600', cwd: tempDir(), env, owner: env.STRING_OWNER, limitMs: 20_000 }
  expect(await runOneShot({ ...run, signal: AbortSignal.abort() }, output, null)).toEqual({ kind: 'cancelled' })
})
