import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'
import { aMoment } from '../support/moment.ts'
import { tempDir } from '../support/temp.ts'

describe('SIGKILL at any moment of a write', () => {
  it('leaves the old or the new file, never a part, and nothing of it is ever listed', async () => {
    const dir = tempDir()
    const home = join(dir, 'home')
    const version = (index: number) => `version ${index}\n${`line of ${index}\n`.repeat(20_000)}`
    let latest = 0
    for (let round = 0; round < 10; round += 1) {
      const { child, exited, port } = await startForeground(dir)
      await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
      if (round === 0) writeFileSync(join(home, 'a.md'), version(0))
      const writing = (async () => {
        for (;;) {
          await exec(port, `/write --force a.md\n${version(latest + 1)}`)
          latest += 1
        }
      })().catch(() => undefined)
      await aMoment(10, 90)
      child.kill('SIGKILL')
      await exited
      await writing
      const text = readFileSync(join(home, 'a.md'), 'utf8')
      const [, found = ''] = /^version (\d+)\n/.exec(text) ?? []
      expect([latest, latest + 1]).toContain(Number(found))
      expect(text).toBe(version(Number(found)))
      latest = Number(found)
    }
    const { child, exited, port } = await startForeground(dir)
    expect((await exec(port, '/ls --all')).body).not.toContain('string-tmp')
    expect(readdirSync(home).filter((name) => name.includes('string-tmp'))).toEqual([])
    child.kill()
    await exited
  })
})
