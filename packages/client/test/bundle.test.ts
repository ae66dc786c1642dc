import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

describe('the client package', () => {
  it('brings in nothing but itself, the protocol and node:http', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
    })
    for (const input of Object.keys(metafile.inputs)) expect(input).toMatch(/^packages\/(client|protocol)\/src\//)
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
    expect(new Set(outside)).toEqual(new Set(['node:http']))
  })
})
