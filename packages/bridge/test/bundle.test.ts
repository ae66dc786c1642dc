import { describe, expect, it } from 'vitest'
import { bundleOf } from '../../../test/support/bundle.ts'

describe('the bridge package', () => {
  it('brings in nothing but itself, the protocol, node and yaml', async () => {
    const { inputs, imports } = await bundleOf(new URL('../src/index.ts', import.meta.url), ['yaml'])
    for (const input of inputs) expect(input).toMatch(/^packages\/(bridge|protocol)\/src\//)
    expect(imports.filter((path) => !path.startsWith('node:') && path !== 'yaml')).toEqual([])
  })
})
