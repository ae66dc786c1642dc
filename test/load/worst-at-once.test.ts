import { describe, expect, it } from 'vitest'
import { startStringd } from '../faults/support/stringd.ts'
import { call } from '../support/http.ts'
import { worstAtOnce } from '../support/worst-at-once.ts'

describe('S31: a daemon with a heap of 512 MiB', () => {
  it('lives through the worst inputs of all commands at once', async () => {
    const { port, dir, child } = await startStringd({ env: { NODE_OPTIONS: '--max-old-space-size=512' } })
    const codes = await worstAtOnce(port, dir, 1)
    expect(codes).not.toContain('INTERNAL_ERROR')
    expect(child.exitCode).toBeNull()
    expect((await call(port, 'GET', '/health')).status).toBe(200)
  })
})
