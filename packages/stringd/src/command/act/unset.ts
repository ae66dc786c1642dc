import { fail, ok, quoted } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'
import { undefinedVariable } from '../core/substitute.ts'
import { withoutOwner } from './variable-owner.ts'

export const unset = defineCommand({
  name: 'unset',
  summary: 'Remove variables of this topic, or stored ones',
  params: {},
  flags: {},
  body: 'none',
  raw: true,
  usage: '{name}… $NAME…',
  details: ['A stored variable is removed from where `/set` in this topic would put it.'],
  examples: ['/unset {city}', '/unset {a} {b}', '/unset $API_KEY'],
  async run({ rest }, context) {
    const { variables } = context.session
    const words = rest.trim().split(/\s+/)
    const wrong = words.find((word) => !/^(?:\{[a-z][a-z0-9_]*\}|\$[A-Za-z][A-Za-z0-9_]*)$/.test(word))
    if (wrong !== undefined)
      return fail(
        'INVALID_VARIABLE',
        `Not a variable: ${quoted(wrong) || '(nothing)'}`,
        'Usage: /unset {name}, or /unset $NAME',
      )
    const names = words.filter((word) => word.startsWith('{')).map((word) => word.slice(1, -1))
    const secrets = words.filter((word) => word.startsWith('$')).map((word) => word.slice(1))
    const missing = names.find((name) => !variables.all.has(name))
    if (missing !== undefined) return undefinedVariable(missing, variables.all)
    const failure = secrets.length === 0 ? null : (withoutOwner(context) ?? (await context.stored.unset(secrets)))
    if (failure !== null) return failure
    for (const name of names) variables.delete(name)
    return ok(`Unset: ${words.join(', ')}`)
  },
})
