import { describe, expect, it } from 'vitest'
import { profile, turn } from './support/turn.ts'

const suffix = '\n\n…(truncated)'

describe('an agent that prints much (S28)', () => {
  it('of 100,000 partials each reaches the caller, in order', async () => {
    let [count, inOrder] = [0, true]
    const { result } = await turn(profile('count-partials.mjs', ['100000'], 'max_reply_chars: 10000000'), {
      onPartial: (text) => {
        inOrder &&= text === `${count} `
        count += 1
      },
    })
    expect([result.ok, result.truncated, count, inOrder]).toEqual([true, false, 100_000, true])
  })

  it('of 100,000 partials no more than max_reply_chars is forwarded, and the process is read to its end', async () => {
    const { result, partials } = await turn(profile('count-partials.mjs', ['100000']))
    expect(result).toMatchObject({ ok: true, truncated: true })
    expect(partials.join('')).toHaveLength(8_000 + suffix.length)
  })

  it('a body of 10 MB is cut, or whole where the profile allows it', async () => {
    const cut = await turn(profile('print-much.mjs', ['10000000', '100']))
    expect(cut.result).toMatchObject({ ok: true, truncated: true })
    expect(cut.result.reply).toHaveLength(8_000 + suffix.length)
    const whole = await turn(profile('print-much.mjs', ['10000000', '100'], 'max_reply_chars: 20000000'))
    expect(whole.result).toMatchObject({ ok: true, truncated: false })
    expect(whole.result.reply).toHaveLength(10_000_000 - 1)
  })

  it('a line of 5 MB is a reply like any other', async () => {
    const cut = await turn(profile('print-much.mjs', ['5000000', '5000000']))
    expect(cut.result.reply).toBe('x'.repeat(8_000) + suffix)
    const whole = await turn(profile('print-much.mjs', ['5000000', '5000000'], 'max_reply_chars: 6000000'))
    expect(whole.result.reply).toHaveLength(4_999_999)
  })

  it('a partial of 5 MB is forwarded up to the limit', async () => {
    const script = 'printf "AGENT_PARTIAL:\\""; head -c 5000000 /dev/zero | tr "\\0" x; printf "\\"\\nend\\n"'
    const { result, partials } = await turn(`command: ${JSON.stringify(['sh', '-c', script])}`)
    expect(partials).toEqual(['x'.repeat(8_000) + suffix])
    expect(result.reply).toBe('end')
  })

  it('much that is no JSON costs a reader of JSON no more than a reply', async () => {
    const script = 'head -c 5000000 /dev/zero | tr "\\0" x | fold -w 100; exit 1'
    const { result } = await turn(`command: ${JSON.stringify(['sh', '-c', script])}\nwire: "0.4"`)
    expect(result.body).toHaveLength(8_000 + suffix.length)
  })

  it('standard error of any size does not hold it up', async () => {
    const { result } = await turn('command: [sh, -c, "head -c 5000000 /dev/zero >&2; echo done"]')
    expect(result.reply).toBe('done')
  })
})
