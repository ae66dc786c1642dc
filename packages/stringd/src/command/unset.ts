import { fail, ok } from '@string-os/protocol'
import { defineCommand } from './define.ts'
import { undefinedVariable } from './variables.ts'

export const unset = defineCommand({
  name: 'unset',
  summary: 'Remove session variables',
  params: {},
  flags: {},
  body: 'none',
  raw: true,
  usage: '{name}…',
  details: [],
  examples: ['/unset {city}', '/unset {a} {b}'],
  run({ rest }, { session: { variables } }) {
    const words = rest.trim().split(/\s+/)
    const names = words.map((word) => /^\{([a-z][a-z0-9_]*)\}$/.exec(word)?.[1])
    if (names.some((name) => name === undefined))
      return fail('INVALID_VARIABLE', `Not a variable: ${rest.trim() || '(nothing)'}`, 'Usage: /unset {name}')
    for (const name of names) if (name !== undefined && !variables.has(name)) return undefinedVariable(name, variables)
    for (const name of names) variables.delete(name ?? '')
    return ok(`Unset: ${words.join(', ')}`)
  },
})
