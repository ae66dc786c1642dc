import { describe, expect, it } from 'vitest'
import { parseInvocation } from '../../src/cli/arguments.ts'
import { VERBS } from '../../src/cli/verbs.ts'
import { readConfig } from '../../src/config.ts'

/** Every flag of every row, behind its verb and subverb, with a value where it takes one. */
const CALLS = VERBS.flatMap((row) =>
  [row, ...(row.subverbs ?? [])].flatMap((shown) => {
    const sub = shown === row ? row.subverbs?.[0] : shown
    const words = sub === undefined ? [row.name] : [row.name, sub.name]
    return (shown.flags ?? []).map(({ name, value }) => [...words, `--${name}`, ...(value === undefined ? [] : ['1'])])
  }),
)

describe('flags of the table of verbs', () => {
  it.each(CALLS.map((words) => [words.join(' '), words] as const))('%s is taken by the verb', async (_, words) => {
    const invocation = parseInvocation([...words, '--no-such-flag'], VERBS)
    const verb = await VERBS.find(({ name }) => name === words[0])?.load()
    const config = readConfig({ STRING_HOME: '/nowhere' })
    // It reads all flags before it does anything, so what it complains of is the one that is none.
    await expect(async () => verb?.(invocation, config, { name: 'string', verbs: VERBS })).rejects.toThrow(
      "Unknown option '--no-such-flag'",
    )
  })
})
