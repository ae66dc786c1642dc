import { lineWords } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { missingField, readCall } from '../../src/action/call/arguments.ts'
import { readDeclaration } from '../../src/action/declare/declaration.ts'
import { exampleCall } from '../../src/action/declare/example.ts'

function exampleOf(fields: readonly string[]): { example: string | null; problem: string | null } {
  const content = ['CLI true', ...fields.map((field) => `  ${field}`)].join('\n')
  const declaration = readDeclaration({ id: 'go', part: 'action', content, line: 1, start: 0, end: 0 })
  if (!declaration.ok) throw new Error(declaration.problem)
  const example = exampleCall(declaration)
  const line = (example ?? '/act.go').slice('/act.go'.length)
  const words = lineWords(line, { tooLong: 'x', unclosed: () => ['x'] })
  if (!words.ok) return { example, problem: words.system }
  const call = readCall(declaration, words.words, false, (value) => ({ ok: true, value }))
  const given = call.ok && fields.length === call.values.size && missingField(declaration, call) === null
  return { example, problem: call.ok ? (given ? null : 'a field is missing') : call.system }
}

describe('the example of an action', () => {
  it.each([
    [['city: string (required) "City name"', 'limit: number (max:50)'], '/act.go --city city --limit 1'],
    [['unit: string (celsius|fahrenheit)', 'dry: boolean'], '/act.go --unit celsius --dry'],
    [['file: path = "my notes.md"', 'n: number (min:3) = "7"'], "/act.go --file 'my notes.md' --n 7"],
    [['tags: tuple (min:3)', 'quiet: boolean = "false"'], '/act.go --tags a,b,c --quiet false'],
    [['key: string = "$KEY"', 'first_name: string (min:12)'], "/act.go --key key --first_name 'first namexx'"],
    [[], null],
  ])('%j is %s', (fields, example) => {
    expect(exampleOf(fields)).toEqual({ example, problem: null })
  })

  it('can be typed as it stands, whatever the fields are', () => {
    const bound = fc.option(fc.nat(30), { nil: null })
    const field = fc
      .record({
        name: fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/),
        type: fc.constantFrom('string', 'number', 'boolean', 'path', 'tuple'),
        min: bound,
        room: bound,
        choices: fc.option(fc.array(fc.stringMatching(/^[a-z0-9'.]{1,6}$/), { minLength: 2, maxLength: 3 }), {
          nil: null,
        }),
      })
      .map(({ name, type, min, room, choices }) => {
        const isText = type === 'string' && choices !== null
        const max = room === null ? null : Math.max(1, (min ?? 0) + room)
        const bounds = [...(min === null ? [] : [`min:${min}`]), ...(max === null ? [] : [`max:${max}`])]
        const words = isText ? [choices.join('|')] : type === 'boolean' ? [] : bounds
        return { name, line: `${name}: ${type} (${['required', ...words].join(', ')})` }
      })
    const fields = fc.uniqueArray(field, { selector: ({ name }) => name, maxLength: 5 })
    fc.assert(
      fc.property(fields, (list) => {
        expect(exampleOf(list.map(({ line }) => line)).problem).toBeNull()
      }),
    )
  })
})
