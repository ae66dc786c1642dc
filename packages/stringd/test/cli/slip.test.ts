import { describe, expect, it } from 'vitest'
import { isSlip } from '../../src/cli/slip.ts'

describe('a slip', () => {
  it.each([
    ['statsu', 'status'],
    ['staus', 'status'],
    ['Status', 'status'],
    ['agents', 'agent'],
    ['event', 'events'],
    ['delivery', 'deliveries'],
    ['versoin', 'version'],
    ['cofnig', 'config'],
    ['chta', 'chat'],
    ['sotp', 'stop'],
  ])('%s is one of %s', (word, name) => {
    expect(isSlip(word, name)).toBe(true)
  })

  it.each([
    ['docs', 'logs'],
    ['main', 'mcp'],
    ['notes', 'store'],
    ['work', 'turn'],
    ['status', 'status'],
    ['api', 'app'],
    ['', 'mcp'],
    ['test', 'start'],
    ['web', 'webhook'],
  ])('%s is none of %s', (word, name) => {
    expect(isSlip(word, name)).toBe(false)
  })
})
