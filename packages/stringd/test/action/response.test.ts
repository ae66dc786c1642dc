import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import type { Answered } from '../../src/action/run/perform.ts'
import { type Outcome, runResponse } from '../../src/action/run/response.ts'
import { parseResponse } from '../../src/action/run/response-template.ts'
import { Output } from '../../src/shell/output/output.ts'
import { OutputRoom } from '../../src/shell/output/output-room.ts'

const BODY = {
  text: 'hi',
  n: 5,
  no: null,
  yes: true,
  list: [
    { id: 'a', tags: ['x', 'y'] },
    { id: 'b', tags: [] },
  ],
  deep: { er: [[1, 2]] },
  __proto__: { inherited: 'never' },
}

function answered(body: unknown): Answered {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    ok: true,
    status: 201,
    text,
    bytes: Buffer.from(text),
    body,
    isCut: false,
    page: null,
    output: new Output(null, new OutputRoom()),
    errors: null,
  }
}

function run(template: string, body: unknown = BODY): Outcome {
  const parsed = parseResponse({ id: 'go', part: 'response', content: template, line: 1, start: 0, end: 0 })
  if (!parsed.ok) throw new Error(parsed.system)
  const outcome = runResponse(parsed, answered(body), (name) => (name === 'field' ? 'value' : null))
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.system}`)
  return outcome
}

const failureOf = (template: string): string => {
  const parsed = parseResponse({ id: 'go', part: 'response', content: template, line: 10, start: 0, end: 0 })
  return parsed.ok ? '' : parsed.system
}

describe('a response template', () => {
  it('says that text which is no JSON has no fields, once', () => {
    expect(run('[{Response.body.name}]\nfor: x in Response.body.name\n{x}\nend:', 'not here').output).toBe(
      '[]\n… the response is plain text (8 characters), which has no Response.body.name …',
    )
    expect(run('[{Response.body.name}]', '').output).toBe('[]')
  })

  it.each([
    ['{Response.body.text}!', 'hi!'],
    ['{Response.status} {Response.body.n} {Response.body.yes}', '201 5 true'],
    ['[{Response.body.no}{Response.body.missing.more[3]}{nothing}]', '[]'],
    ['{Response.body.deep.er[0][1]} {Response.body.deep}', '2 {"er":[[1,2]]}'],
    ['{Response.body.list.length} {Response.body.list[1].id}', '2 b'],
    ['{field} and { not } {a b} {"json": 1}', 'value and { not } {a b} {"json": 1}'],
    ['[{Response.body.inherited}{Response.body.toString}{Response.constructor}]', '[]'],
    ['\n\nfirst\n\n  indented\n\n', 'first\n\n  indented'],
    ['{v} = {Response.body.text}\n{v}{v}', 'hihi'],
    ['{v} = "x {Response.body.n} \\"y\\""\n{w} = {v}\n{w}', 'x 5 "y"'],
    ['{t} = ({Response.body.text}, {Response.body.n})\n{t[1]}|{t[0]}|{t[2]}', '5|hi|'],
    ['for: x in Response.body.list\n- {x.id}\nend:', '- a\n- b'],
    ['for: x in {Response.body.list}\nfor: t in x.tags\n{x.id}{t}\nend:\nend:', 'ax\nay'],
    ['for: x in Response.body.missing\n{x}\nend:\ndone', 'done'],
    [
      'for: x in Response.body.text\n{x}\nend:\ndone',
      'done\n… for: goes through lists, and Response.body.text is plain text (2 characters) …',
    ],
    [
      'for: x in Response.body.deep\n{x}\nend:',
      '… for: goes through lists, and Response.body.deep is an object with er …',
    ],
  ])('%j shows %j', (template, output) => {
    expect(run(template).output).toBe(output)
  })

  it('sets variables and values, of a loop one by one', () => {
    const { variables, shortcuts } = run(
      '{a} = "1"\n{@one} = {a}\nfor: x in Response.body.list\n{a} = {x.id}\n{@id} = {x.id}\n{@pair} = ({x.id}, "k")\nend:',
    )
    expect([...variables]).toEqual([['a', 'b']])
    expect([...shortcuts]).toEqual([
      ['one', '1'],
      ['id-1', 'a'],
      ['pair-1', ['a', 'k']],
      ['id-2', 'b'],
      ['pair-2', ['b', 'k']],
    ])
  })

  it('saves a part of the answer, decoded, or all of it', () => {
    const { saves } = run('save: Response.body.data\ndecode: base64\nto: {field}.bin\nsave: whole.json', {
      data: 'AAEC',
    })
    expect(saves.map(({ to, bytes }) => [to, Buffer.from(bytes)])).toEqual([
      ['value.bin', Buffer.from([0, 1, 2])],
      ['whole.json', Buffer.from('{"data":"AAEC"}')],
    ])
    expect(() => run('save: Response.body.missing\nto: x')).toThrow('ACTION_FAILED: The response has no')
  })

  it.each([
    ['save: list[1].id', 'b'],
    ['save: {deep.er[0]}', '[1,2]'],
    ['save: no', ''],
    ['save: Response.body.text', 'hi'],
    // What the template and the call name themselves keeps its meaning.
    ['{text} = "mine"\nsave: text', 'mine'],
    ['for: list in Response.body.deep.er\nsave: list[1]\nto: f\nend:', '2'],
    ['save: field', 'value'],
  ])('%j saves a part of the body, Response.body. or not', (template, saved) => {
    const { saves } = run(template.includes('to:') ? template : `${template}\nto: f`)
    expect(saves.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([saved])
  })

  it('saves an item of a body that is a list', () => {
    const { saves } = run('save: [1].x\nto: f', [{}, { x: 'second' }])
    expect(saves.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['second'])
  })

  it.each([
    ['for: x in Response.body.list', 'line 10: a for: has no end:'],
    ['a\nend:', 'line 11: end: without for:'],
    ['for: x in a b', 'line 10: a b is nothing to go through'],
    ['decode: base64', 'line 10: decode: and to: need a save:'],
    ['save: Response.body\ndecode: gzip\nto: x', 'decode: is base64 or none, not gzip'],
    ['save: Response.body.x\ndecode: base64', 'line 10: Response.body.x is a part of the response, and has no to:'],
    ['save: Response.body', 'line 10: Response.body is a part of the response, and has no to:'],
    ['{a-b} = "x"', 'line 10: {a-b} is no name of a variable'],
    [`${'for: x in y\n'.repeat(9)}`, 'more than 8 loops inside each other'],
    ['x'.repeat(LIMITS.actionChars + 1), 'longer than'],
  ])('%j is said to be wrong', (template, message) => {
    expect(failureOf(template)).toContain(message)
  })

  it('takes what only looks like a part for the name of a file', () => {
    for (const name of ['Response.txt', '{Response.body.x}', 'out/Response.body.x', 'items[0].data'])
      expect(run(`save: ${name}`, { x: 'a.json' }).saves).toHaveLength(1)
  })

  it('S20: does bounded work, whatever the answer holds', () => {
    const many = { list: Array.from({ length: 200_000 }, (_, index) => index), big: 'x'.repeat(2_000_000) }
    const loops = 'for: x in Response.body.list\n'.repeat(3)
    for (const template of [`${loops}{x}\n${'end:\n'.repeat(3)}`, `${loops}{Response.body}\n${'end:\n'.repeat(3)}`]) {
      const { output } = run(template, many)
      expect(output.length).toBeLessThan(2_000_000)
      expect(output).toMatch(/larger than what a template goes through …$/)
    }
    expect(() => run('{v} = {Response.body.big}', { big: 'x'.repeat(100_000) })).toThrow('TOO_LARGE')
    expect(run('for: x in Response.body.list\n{@v} = {x}\nend:', many).shortcuts.size).toBe(LIMITS.valueShortcuts)
  })

  it('takes every text, and every answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (template, body) => {
        const content = `${template}\n{x} = {Response.body}\n{Response.body[0].a}{x}`
        const parsed = parseResponse({ id: 'go', part: 'response', content, line: 1, start: 0, end: 0 })
        if (parsed.ok) expect(runResponse(parsed, answered(body), () => null).ok).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
