import { fillTyped, splitTyped, variableIn } from '@string-os/protocol'
import { expect, it } from 'vitest'
import { joinCommand } from '../../src/cli/arguments.ts'

/** What an action is given of a word that a shell has handed over, where {x} is 1. */
function given(word: string): string {
  const [, , typed = ''] = splitTyped(joinCommand(['/act.go', '--text', word])) ?? []
  expect(variableIn(typed)).toBeNull()
  return fillTyped(typed, (whole, name) => (name === 'x' ? '1' : whole))
}

it.each([
  ['cost $USD', 'cost $USD'],
  ['$HOME', '$HOME'],
  ['${x}', '${x}'],
  ["it's $5 and $A", "it's $5 and $A"],
  ['\\$A "b"', '\\$A "b"'],
  ['{x}', '1'],
  ['a {x}', 'a 1'],
  ['a \\{x}', 'a {x}'],
  ['a\\{2\\}', 'a\\{2\\}'],
  ['', ''],
  ['two\nlines', 'two\nlines'],
  ["\n\r\nit's {x}\n$A\n", "\n\r\nit's 1\n$A\n"],
])('a word of the command line: %j is given as %j', (word, text) => {
  expect(given(word)).toBe(text)
})

it('keeps a value of several lines in the line of its command', () => {
  expect(joinCommand(['/act.say', 'two\nlines', 'x'])).toBe(`/act.say 'two'$'\\n''lines' x`)
})

it('leaves what a shell reads to the shell', () => {
  expect(joinCommand(['/exec', 'echo $HOME'])).toBe('/exec echo $HOME')
  expect(joinCommand(['echo', '$A'])).toBe("echo '$A'")
})
