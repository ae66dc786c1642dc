import { describe, expect, it } from 'vitest'
import { bundleOf } from '../../../test/support/bundle.ts'

describe('the client package', () => {
  it('brings in nothing but itself, the protocol, node:http and what tells who listens', async () => {
    const { inputs, imports } = await bundleOf(new URL('../src/index.ts', import.meta.url))
    for (const input of inputs) expect(input).toMatch(/^packages\/(client|protocol)\/src\//)
    expect(new Set(imports)).toEqual(new Set(['node:http', 'node:fs']))
  })

  it('has an entry for browsers that brings in nothing of Node', async () => {
    const { inputs, imports } = await bundleOf(new URL('../src/browser.ts', import.meta.url))
    for (const input of inputs) expect(input).toMatch(/^packages\/(client|protocol)\/src\//)
    expect(imports).toEqual([])
  })

  it('has an entry that runs string, of which the others bring in nothing', async () => {
    const { inputs, imports } = await bundleOf(new URL('../src/start.ts', import.meta.url))
    for (const input of inputs) expect(input).toMatch(/^packages\/(client|protocol)\/src\//)
    expect(imports).toContain('node:child_process')
  })
})
