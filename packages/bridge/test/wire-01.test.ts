import { parseProfile } from '@string-os/bridge'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { LineSplitter } from '../src/lines.ts'
import { LINE_WIRE } from '../src/wire-01.ts'

function newWire(yaml = '') {
  const reading = parseProfile(`command: x\n${yaml}`, '/p/profile.yaml')
  if (!reading.ok) throw new Error('unexpected')
  const partials: string[] = []
  const warnings: string[] = []
  const none = (): void => {}
  const partial = (text: string): void => void partials.push(text)
  const wire = LINE_WIRE.newReader(reading.profile, {
    partial,
    warn: (text) => void warnings.push(text),
    permission: none,
    answered: none,
  })
  return { wire, partials, warnings }
}

/** What comes of an output that arrives at once, and line by line. */
function both(output: string, yaml?: string) {
  const [together, single] = [newWire(yaml), newWire(yaml)]
  const splitter = new LineSplitter(1_000_000, together.wire)
  splitter.write(Buffer.from(output))
  splitter.end()
  for (const line of output.split('\n').slice(0, -1)) single.wire.line(line.replace(/\r$/, ''), false)
  return [together, single].map(({ wire, partials, warnings }) => ({ ...wire.outcome(), partials, warnings }))
}

const pieces = fc.constantFrom(
  'AGENT_PARTIAL:"a"',
  'AGENT_PARTIAL:"b c"',
  'AGENT_PARTIAL:""',
  'AGENT_PARTIAL:"a\tb"',
  'AGENT_PARTIAL:"a"b"',
  'AGENT_PARTIAL:"\\ud83d\\ude00é"',
  'AGENT_PARTIAL:"a","b"',
  'AGENT_PARTIAL:["a"',
  'AGENT_PARTIAL:"b"]',
  'AGENT_PARTIAL:"open',
  'AGENT_PARTIAL:close"',
  'AGENT_PARTIAL:',
  'AGENT_PARTIAL:1',
  'AGENT_PARTIAL:"a"\r',
  'AGENT_PARTIAL:"AGENT_PARTIAL:"',
  ',"b"',
  '"a"',
  'AGENT_ERROR:"e"',
  'AGENT_SESSION:s',
  'body',
  'body\r',
  'a\rb\r\r',
  '',
  '\r',
  'é😀',
)

/** What soon runs out, and what has room for all. */
const limits = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(1_000))

describe('the reader of lines', () => {
  it('reads many partials at once as it reads each alone', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 6 }), limits, (all, limit) => {
        const [together, single] = both(`${all.join('\n')}\n`, `max_reply_chars: ${limit}`)
        expect(together).toEqual(single)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['a body line between that looks like a value', 'AGENT_PARTIAL:"a"\n,"b"\n', ['a'], ',"b"'],
    ['two values in one line and none in another', 'AGENT_PARTIAL:"a","b"\nAGENT_PARTIAL:\n', ['"a","b"'], ''],
    ['a string over two lines', 'AGENT_PARTIAL:"a\nAGENT_PARTIAL:b"\n', ['"a', 'b"'], ''],
  ])('is not misled by %s', (_, output, partials, reply) => {
    for (const outcome of both(output)) expect(outcome).toMatchObject({ partials, reply })
  })

  it('forwards 100,000 partials and keeps none of them', () => {
    const { wire, partials } = newWire('max_reply_chars: 50000000')
    let count = 0
    const splitter = new LineSplitter(100_000, wire)
    const line = Buffer.from('AGENT_PARTIAL:"some words of an answer"\n')
    for (let index = 0; index < 1_000; index += 1) {
      splitter.write(Buffer.concat(Array.from({ length: 100 }, () => line)))
      wire.settle()
      count += partials.length
      partials.length = 0
      expect(wire.retainedBytes + splitter.retainedBytes).toBe(0)
    }
    expect(count).toBe(100_000)
  })

  it('keeps of 10 MB of body what it will show, and not the chunks it came in', () => {
    const { wire } = newWire('max_reply_chars: 8000')
    const splitter = new LineSplitter(100_000, wire)
    const chunk = Buffer.from(`${'x'.repeat(99)}\n`.repeat(650))
    for (let index = 0; index < 160; index += 1) {
      splitter.write(chunk)
      wire.settle()
      expect(wire.retainedBytes + splitter.retainedBytes).toBeLessThan(8_100)
    }
    expect(wire.outcome()).toMatchObject({ isReplyCut: true })
    expect(wire.outcome().reply).toHaveLength(8_000 + '\n\n…(truncated)'.length)
  })

  it('decodes the beginning of a partial whose line was cut', () => {
    const { wire, partials, warnings } = newWire('max_reply_chars: 1000')
    wire.line('AGENT_PARTIAL:"abc\\u00', true)
    wire.line('AGENT_PARTIAL:"def\\', true)
    expect([partials, warnings]).toEqual([['abc', 'def'], []])
  })

  it('an error ends the body: what came before it is no reply, and what comes after it is not kept', () => {
    const { wire } = newWire()
    wire.line('body', false)
    wire.settle()
    wire.line('AGENT_ERROR:"e"', false)
    wire.line('more', false)
    expect(wire.retainedBytes).toBe('body'.length)
    expect(wire.outcome()).toMatchObject({ error: 'e', reply: '', body: 'body' })
  })
})
