import { encodeSse, parseSse, SSE_COMMENT, SseParser } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'

describe('SSE', () => {
  it('is written as event, data and an empty line, with the id first where there is one', () => {
    expect(encodeSse('head', { ok: true })).toBe('event: head\ndata: {"ok":true}\n\n')
    expect(encodeSse('event', 'x', 'evt_1')).toBe('id: evt_1\nevent: event\ndata: "x"\n\n')
  })

  it.each([
    ['CRLF line ends', 'event: a\r\ndata: 1\r\n\r\n', [{ event: 'a', data: '1', id: null }]],
    ['CR line ends', 'event: a\rdata: 1\r\r', [{ event: 'a', data: '1', id: null }]],
    ['several data lines', 'data: 1\ndata: 2\n\n', [{ event: 'message', data: '1\n2', id: null }]],
    ['comments', `${SSE_COMMENT}: hi\ndata:1\n\n`, [{ event: 'message', data: '1', id: null }]],
    ['a byte-order mark', '\ufeffdata: 1\n\n', [{ event: 'message', data: '1', id: null }]],
    ['an event without data', 'event: a\n\ndata: 1\n\n', [{ event: 'message', data: '1', id: null }]],
    ['an event that is not ended', 'data: 1\n\ndata: 2\n', [{ event: 'message', data: '1', id: null }]],
    [
      'an id that holds on',
      'id: 7\ndata: 1\n\ndata: 2\n\n',
      [
        { event: 'message', data: '1', id: '7' },
        { event: 'message', data: '2', id: '7' },
      ],
    ],
    ['a field without a colon', 'data\n\n', [{ event: 'message', data: '', id: null }]],
    ['only one leading space is dropped', 'data:  x\n\n', [{ event: 'message', data: ' x', id: null }]],
  ])('reads %s', (_name, text, events) => {
    expect(parseSse(text)).toEqual(events)
  })

  it('S22: gives back any event whatever its data holds and wherever the stream is cut', () => {
    const event = fc.record({ name: fc.constantFrom('head', 'content', 'done'), data: fc.jsonValue() })
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(40)), (events, cuts) => {
        const text = events.map(({ name, data }) => encodeSse(name, data)).join('')
        const parser = new SseParser()
        const seen = pieces(text, cuts).flatMap((piece) => parser.push(piece))
        expect(seen.map(({ event, data }) => ({ name: event, data: JSON.parse(data) as unknown }))).toEqual(
          events.map(({ name, data }) => ({ name, data: JSON.parse(JSON.stringify(data)) as unknown })),
        )
      }),
    )
  })

  it('remembers a CR over an empty chunk', () => {
    const parser = new SseParser()
    expect(['data: 1\r', '', '\n'].flatMap((piece) => parser.push(piece))).toEqual([])
    expect(parser.push('\r\n')).toEqual([{ event: 'message', data: '1', id: null }])
  })

  it('reads the same events from every cut of CR, LF and CRLF', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\r', '\n', 'data:1', 'x', ':') }),
        fc.array(fc.nat(5)),
        (text, cuts) => {
          const parser = new SseParser()
          expect(pieces(text, cuts).flatMap((piece) => parser.push(piece))).toEqual(parseSse(text))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

function pieces(text: string, lengths: readonly number[]): string[] {
  const result: string[] = []
  let at = 0
  for (const length of lengths) {
    result.push(text.slice(at, at + length))
    at += length
  }
  return [...result, text.slice(at)]
}
