import { expect, it } from 'vitest'
import { compileShell } from '../../src/action/bash/compile-shell.ts'

const FIELDS = new Set(['a'])

it.each([
  'find {a} -name x',
  'find -- {a} -name x',
  'find . {a} sh -c id \\;',
  'find . {a}',
  'find {a}',
  'find "{a}" -type f',
])('a field that find could take for -delete is refused: %s', (script) => {
  expect(compileShell(script, FIELDS, false)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('such as -delete'),
    instead: "Accepted: find ./{a} -name '*.md'  or  cd -- {a} && find . -name '*.md'  or  find . -name {a}",
  })
})

it.each([
  'find ./{a} -name x',
  'find "$STRING_CWD"/{a} -type f',
  'find /srv/{a}',
  'find . -name {a}',
  'find . -name "*{a}*"',
])('behind the beginning of a path, or behind a test, it is accepted: %s', (script) => {
  expect(compileShell(script, FIELDS, false)).toMatchObject({ ok: true })
})
