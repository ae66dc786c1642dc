import { describe, expect, it } from 'vitest'
import { parseInvocation } from '../../src/cli/arguments.ts'
import { CALLED_OTHERWISE, meantInstead, nearlyMeant, SLASHED } from '../../src/cli/verb-synonyms.ts'
import { VERBS } from '../../src/cli/verbs.ts'
import { COMMANDS } from '../../src/command/table.ts'
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
      'Unknown flag --no-such-flag',
    )
  })
})

describe('words that are no verbs', () => {
  const verbs = VERBS.map(({ name }) => name)
  const commands = COMMANDS.map(({ name }) => name)

  it('are the commands of topics that no verb is called like, and names of other programs', () => {
    const bare = commands.filter((name) => !(name.includes('.') || verbs.includes(name) || ['tool'].includes(name)))
    expect([...SLASHED].sort()).toEqual(bare.sort())
    for (const [name, meant] of CALLED_OTHERWISE) {
      expect([...verbs, ...SLASHED]).not.toContain(name)
      expect(meant.startsWith('/') ? commands : verbs, name).toContain(meant.replace('/', '').split(' ')[0])
    }
  })

  it('lead to what can be typed, with the words behind them', () => {
    expect(meantInstead(['ls'])).toBe('string /ls')
    expect(meantInstead(['cat', 'my notes.md'])).toBe(`string '/open '"'"'my notes.md'"'"''`)
    expect(meantInstead(['open', 'a.md'])).toBe("string '/open a.md'")
    expect(meantInstead(['history', 'bob'])).toBe('string turns')
    expect(meantInstead(['notes'])).toBeNull()
    expect(nearlyMeant(['opne', 'a b.md'])).toBe(`string '/open '"'"'a b.md'"'"''`)
    expect(nearlyMeant(['fnid', 'x'])).toBe("string '/find x'")
    for (const words of [['opne'], ['notes', 'x'], ['open', 'x']]) expect(nearlyMeant(words)).toBeNull()
  })
})
