import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { createLog, logFileWriter } from '../src/log.ts'

describe('the log', () => {
  it('S25: is one JSON object per line, with control characters escaped', () => {
    const lines: string[] = []
    createLog((line) => lines.push(line)).info('a\nb\x1b[31m', { topic: 'x\u2028' })
    expect(lines).toHaveLength(1)
    for (const character of ['\n', '\x1b']) expect(lines[0]?.trimEnd()).not.toContain(character)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', message: 'a\nb\x1b[31m' })
  })

  it.skipIf(!existsSync('/dev/full'))('R5: holds no descriptor of a disk that is full', () => {
    const write = logFileWriter('/dev/full')
    const before = readdirSync('/proc/self/fd').length
    for (let index = 0; index < 100; index += 1) write('line\n')
    expect(readdirSync('/proc/self/fd').length).toBe(before)
  })

  it('S25: begins a new line behind one that a killed process left torn', () => {
    const path = join(tempDir(), 'daemon.log')
    writeFileSync(path, '{"whole":1}\n{"to')
    logFileWriter(path)('{"next":1}\n')
    logFileWriter(path)('{"last":1}\n')
    expect(readFileSync(path, 'utf8')).toBe('{"whole":1}\n{"to\n{"next":1}\n{"last":1}\n')
  })

  it('R5: never throws when a full file cannot be put aside, and goes on once it can', () => {
    const path = join(tempDir(), 'daemon.log')
    mkdirSync(join(`${path}.1`, 'in-the-way'), { recursive: true })
    mkdirSync(join(`${path}.2`, 'in-the-way'), { recursive: true })
    const write = logFileWriter(path)
    for (let index = 0; index < 15; index += 1) write(`${'x'.repeat(1 << 20)}\n`)
    for (const number of [1, 2]) rmSync(`${path}.${number}`, { recursive: true })
    write('after\n')
    expect(readFileSync(path, 'utf8')).toMatch(/after\n$/)
  })

  it('S25: starts a new file when one is full, and keeps as many as the limit says', () => {
    const path = join(tempDir(), 'daemon.log')
    const write = logFileWriter(path)
    const line = `${'x'.repeat(1 << 20)}\n`
    for (let index = 0; index < 45; index += 1) write(line)
    write('last\n')
    expect(readdirSync(join(path, '..')).sort()).toEqual(['daemon.log', 'daemon.log.1', 'daemon.log.2'])
    expect(readFileSync(path, 'utf8').endsWith('last\n')).toBe(true)
    expect(LIMITS.logFiles).toBe(3)
  })
})
