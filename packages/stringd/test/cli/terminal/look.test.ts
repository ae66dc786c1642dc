import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/terminal/look.ts'
import { readConfig } from '../../../src/config.ts'

/** A stream as Node gives it: of a pipe nothing is said about a terminal. */
function stream(fields: { isTTY?: boolean; columns?: number }): NodeJS.WriteStream {
  return Object.assign(new PassThrough(), fields) as unknown as NodeJS.WriteStream
}

it.each([
  ['a terminal', { isTTY: true, columns: 100 }, {}, { color: true, width: 100 }],
  ['a terminal that does not tell its width', { isTTY: true, columns: 0 }, {}, { color: true, width: 80 }],
  ['a pipe', {}, {}, { color: false, width: null }],
  ['a terminal without colours', { isTTY: true, columns: 80 }, { NO_COLOR: '1' }, { color: false, width: 80 }],
  ['a dumb terminal', { isTTY: true, columns: 80 }, { TERM: 'dumb' }, { color: false, width: 80 }],
] as const)('%s gets the colours and the width that are for it', (_, fields, env, look) => {
  expect(lookOf(stream(fields), readConfig(env))).toEqual(look)
})
