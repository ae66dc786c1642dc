import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

describe.skipIf(!existsSync('/proc/self'))('a home in which nothing can be made', () => {
  it('gives errors to commands that write, and holds nobody up', async () => {
    const { port } = await startTestDaemon()
    await call(port, 'POST', '/agents', { body: { agent_id: 'odd', home: '/proc' } })
    const codes = ['/write new/deep/file.md\ntext', '/exec head -c 400000 /dev/zero', '/set $V = "x"'].map(
      async (cmd) => (await exec(port, cmd, { agent: 'odd', topic: cmd.slice(1, 4) })).head.code,
    )
    const [written, , stored] = await Promise.all(codes)
    expect(written).not.toBeNull()
    // Variables are kept in the data folder, whatever the home is.
    expect(stored).toBeNull()
    expect((await exec(port, 'echo hello', { agent: 'odd', topic: 'bash:x' })).head.topic).toBe('bash:x')
    expect((await exec(port, '/info')).head.ok).toBe(true)
  })
})
