import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { Output } from '../../../src/shell/output/output.ts'
import { OutputRoom } from '../../../src/shell/output/output-room.ts'
import { Printed } from '../../../src/shell/output/printed.ts'

function printing(): Printed {
  return new Printed('s', () => new Output(null, new OutputRoom()))
}

describe('a line that has not ended', () => {
  it('is told with the place before it, as long as nobody has ended it', () => {
    const printed = printing()
    printed.add(Buffer.from('one\ntwo'))
    expect(printed.line).toMatchObject({ text: 'two' })
    expect(printed.positionOf(printed.line?.place ?? '')).toBe(4)
    printed.add(Buffer.from(' and more'))
    expect(printed.line).toMatchObject({ text: 'two and more' })
    printed.endLine()
    expect(printed.line).toBeNull()
  })

  it('is broken where it is too long, and not within a character', () => {
    const printed = printing()
    const long = 'é'.repeat(LIMITS.openLineBytes / 2)
    printed.add(Buffer.from(long))
    expect(printed.line?.text).toBe(long)
    // The first half of a character, and then the rest of it.
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
    printed.add(Buffer.concat([Buffer.from('x'), first]))
    printed.add(Buffer.concat([second, Buffer.from('y')]))
    expect(printed.line?.text).toBe('éy')
    const [start, end] = [printed.positionOf(printed.line?.place ?? ''), printed.total]
    expect(end - start).toBe(3)
  })
})
