import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Module } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { run, STRINGD } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'

const dist = join(STRINGD, '../../dist')

describe('what V8 made of the daemon at the build', () => {
  it('is taken by the V8 that made it', () => {
    const source = Module.wrap(readFileSync(join(dist, 'daemon.cjs'), 'utf8'))
    const script = new Script(source, { cachedData: readFileSync(join(dist, 'daemon.cache')) })
    expect(script.cachedDataRejected).toBe(false)
  })

  it('is not needed: without it, or with that of another V8, the daemon runs as ever', async () => {
    const copy = join(tempDir(), 'dist')
    cpSync(dist, copy, { recursive: true })
    symlinkSync(join(STRINGD, '../../../../node_modules'), join(copy, '../node_modules'))
    const cache = readFileSync(join(copy, 'daemon.cache'))
    // Its first words are the number of its form, and the version that made it.
    cache.fill(7, 0, 8)
    writeFileSync(join(copy, 'daemon.cache'), cache)
    const version = (): Promise<unknown> => run(process.execPath, [join(copy, 'stringd.cjs'), '--version'])
    const said = { status: 0, stderr: '', stdout: (await run(process.execPath, [STRINGD, '--version'])).stdout }
    expect(said.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await version()).toMatchObject(said)
    rmSync(join(copy, 'daemon.cache'))
    expect(await version()).toMatchObject(said)
  })
})
