import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { compiledOf } from '../support/engine.ts'

/** A command that is nearly as long as one may be. */
function full(unit: string, head = 'echo {v} ', tail = ''): string {
  const room = LIMITS.commandTemplateBytes - head.length - tail.length - 16
  return `${head}${unit.repeat(Math.floor(room / unit.length))}${tail}`
}

function problemOf(template: string): string | null {
  const compiled = compiledOf(`CLI ${template}\n:\n  v: string`)
  return compiled.ok ? null : compiled.system
}

describe('the longest command', () => {
  const UNITS = [
    '{',
    '<<',
    "<<'E'\n",
    '$(',
    '((',
    '`',
    '\\`',
    'case x in x) ',
    "'",
    '"$(',
    '${x:-',
    '{a,',
    '{v}',
    '[[ ',
    '@(',
    '! ',
    'a|',
  ]
  const PLACES = [
    ['echo {v} ', ''],
    ['echo {v}; ', ''],
    ['echo {v} "', '"'],
    ['echo {v} $((', '))'],
    ['echo {v} `', '`'],
    ['cat <<EOF\n{v}\n', '\nEOF'],
  ] as const

  it.each(UNITS)('is compiled or refused, with a reason: %j', (unit) => {
    for (const [head, tail] of PLACES) {
      const problem = problemOf(full(unit, head, tail))
      expect(problem === null || problem.startsWith('Action go is not written as an action')).toBe(true)
    }
  })

  it.each(['env ', 'nice ', 'timeout 1 ', 'xargs '])('has few programs that run each other: %s', (prefix) => {
    expect(problemOf(`${prefix.repeat(4)}echo {v}`)).toBeNull()
    expect(problemOf(`${prefix.repeat(20)}echo {v}`)).toContain('it runs what it is given')
  })

  it.each(['x=$x;', 'a|', 'a;', 'f(){ f;};', 'x=$(a);'])('has so many parts: %s', (unit) => {
    expect(problemOf(`echo {v}; ${unit.repeat(200)}:`)).toBeNull()
    expect(problemOf(full(unit, 'echo {v}; ', ':'))).toContain(`at most ${LIMITS.commandTemplateNodes} parts`)
  })
})
