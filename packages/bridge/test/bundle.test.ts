import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

describe('the bridge package', () => {
  it('brings in nothing but itself, the protocol, node and yaml', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      external: ['yaml'],
    })
    for (const input of Object.keys(metafile.inputs)) expect(input).toMatch(/^packages\/(bridge|protocol)\/src\//)
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
    expect(outside.filter((path) => !path.startsWith('node:'))).toEqual(outside.filter((path) => path === 'yaml'))
  })
})
