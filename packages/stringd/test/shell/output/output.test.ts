import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { Output } from '../../../src/shell/output/output.ts'
import { OutputFile } from '../../../src/shell/output/output-file.ts'
import { OutputRoom } from '../../../src/shell/output/output-room.ts'

const piece = (letter: string, bytes = LIMITS.shellOutputBytes): Buffer => Buffer.alloc(bytes, letter)

describe('S31: outputs of commands that run', () => {
  it('have a total: when much is held, each keeps little, and gives it back at its end', () => {
    const room = new OutputRoom()
    const many = Array.from({ length: LIMITS.outputsBytes / LIMITS.shellOutputBytes }, () => new Output(null, room))
    for (const output of many) output.add(piece('a'))
    expect(room.eachBytes).toBe(LIMITS.tightOutputBytes)
    const late = new Output(null, room)
    for (let round = 0; round < 100; round += 1) late.add(piece('b', 1_000))
    late.end()
    many[0]?.end()
    many[0]?.end()
    expect(room.eachBytes).toBe(LIMITS.shellOutputBytes)
  })

  it('are whole in their files, however room came and went', () => {
    const home = tempDir()
    const room = new OutputRoom()
    const output = new Output(new OutputFile({ home, name: 'o.txt' }, () => undefined), room)
    const pieces = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => piece(letter, LIMITS.tightOutputBytes))
    for (const [index, each] of pieces.entries()) {
      if (index === 2) room.add(LIMITS.outputsBytes)
      if (index === 4) room.add(-LIMITS.outputsBytes)
      output.add(each)
    }
    output.end()
    expect(readFileSync(join(home, '.string/output/o.txt')).equals(Buffer.concat(pieces))).toBe(true)
    expect(output.text(LIMITS.shellOutputBytes)).toContain('the whole is in ~/.string/output/o.txt')
  })
})
