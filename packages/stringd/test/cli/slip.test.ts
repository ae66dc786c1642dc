import { didYouMean } from '@string-os/protocol'
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

describe('a name that nobody has', () => {
  it.each([
    ['bto', 'Did you mean bot?'],
    ['revi', 'Did you mean reviewer?'],
    ['reviewing', 'Did you mean reviewer?'],
    ['clod', 'Did you mean claude-code or claude-desktop?'],
    ['CLAUDE', 'Did you mean claude-code or claude-desktop?'],
    ['x', ''],
    ['nobody', ''],
    ['wo', ''],
  ])('%s: %s', (written, meant) => {
    const names = ['bot', 'reviewer', 'claude-code', 'claude-desktop', 'work1', 'work2', 'work3', 'work4']
    expect(didYouMean(written, names)).toBe(meant)
  })
})
