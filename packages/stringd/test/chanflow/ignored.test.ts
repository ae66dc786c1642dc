import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChanFlowReply, decodeChanFlow, withIgnored } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

async function chanflow({ port }: Pick<TestDaemon, 'port'>, text: string): Promise<ChanFlowReply> {
  const { json } = await call(port, 'POST', '/chanflow', { headers: { 'X-Agent-Id': 'default' }, body: { text } })
  return json as ChanFlowReply
}

/** What a text has that gets a reply: `block`, `unclosed`, or why it was ignored. */
function found(text: string): string[] {
  return withIgnored(decodeChanFlow(text)).flatMap((item) => {
    if (item.type === 'text') return []
    return item.type === 'ignored' ? `${item.why} ${item.tag} ${item.count}` : item.type
  })
}

describe('what is written like a block and is none', () => {
  it.each([
    ['a blank in its topic', '<𝒞=string:a b>/help</𝒞>', ['malformed <𝒞=string:a b> 1']],
    ['a channel in capitals', 'Now:\n\n  <𝒞=String:a>\n/help\n</𝒞>', ['malformed <𝒞=String:a> 1']],
    ['a tag without its end', '<𝒞=string:main', ['malformed <𝒞=string:main 1']],
    ['no channel', '<𝒞>/help</𝒞>', ['malformed <𝒞> 1']],
    ['behind a block', '<𝒞=string:a>/x</𝒞><𝒞=string:a b>/y</𝒞>', ['block', 'malformed <𝒞=string:a b> 1']],
    ['between blocks', '<𝒞=a>x</𝒞>\n<𝒞=a b>y</𝒞>\n<𝒞=a>z</𝒞>', ['block', 'malformed <𝒞=a b> 1', 'block']],
    ['a fence without an end', 'See\n```\n<𝒞=string:a>\n/x\n</𝒞>\n<𝒞=string:b>\n/y\n</𝒞>\n', ['fenced <𝒞=string:a> 2']],
    ['the letter C', '<C=string:x>\n/help\n</C>', ['letter <C=string:x> 1']],
    ['the letter C, closed as it should be', '<C=string:x>/help</𝒞>', ['letter <C=string:x> 1']],
    ['another C', '<ℂ=string>/help</ℂ>', ['letter <ℂ=string> 1']],
  ])('is found: %s', (_name, text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it.each([
    ['prose', 'A tag <𝒞=string:a b> or <C=string:x>/help</C> within a line'],
    ['a word on the tag', '<𝒞> is how it begins'],
    ['a closed fence', '```\n<𝒞=string:a>/x</𝒞>\n<𝒞=string:a b>/x</𝒞>\n<C=string:x>/help</C>\n```\nDone'],
    ['an open fence without a block', 'Look:\n```\ncode\n'],
    ['indented code', '    <𝒞=string:a b>/x</𝒞>\n    <C=string:x>/x</C>'],
    ['a quoted reply', '<𝒞=string:main time="2026-03-19T14:30+09:00">\n<C=string:x>/help</C>\n<\\𝒞=string:a b>\n</𝒞>'],
    ['an opening tag alone', '<C=string:x>\nand nothing else'],
    ['other markup', '<T=string:x>/help</T>\n<a=b>c</a>\n<C=3>'],
    ['a payload', '<𝒞=string:main>\n/write a.md\n<C=string:x>/help</C>\n<𝒞=string:a b>\n```\n</𝒞>'],
  ])('is told from %s', (_name, text) => {
    expect(found(text).filter((each) => each !== 'block')).toEqual([])
  })

  it('is found in time that grows with the text', () => {
    for (const unit of ['<𝒞=\n', '<𝒞 \n', '<C=a>\n', '<ℂ=a>\n', '```\n<𝒞=a>\n', '<𝒞=a b>x</𝒞>\n'])
      expect(withIgnored(decodeChanFlow(unit.repeat(100_000))).length, unit).toBeGreaterThan(0)
  })

  it('gets a reply that says why nothing was run, beside those that were', async () => {
    const daemon = await startTestDaemon()
    const reply = await chanflow(
      daemon,
      '<𝒞=string:a b>\n/close\n</𝒞>\n<𝒞=string:docs>/close</𝒞>\n<C=string:x>/close</C>\n',
    )
    const shown = reply.text.replaceAll(/ time="[^"]*"/g, '')
    expect(shown).toBe(
      [
        '<𝒞=string:main>\n✗ INVALID_TARGET: Not a tag, so nothing was run: <\\𝒞=string:a b>',
        '  A tag holds a channel and a topic, no blanks and nothing else: string:NAME, string:app:NAME, string:bash:NAME\n</𝒞>\n',
        '<𝒞=string:docs>\n✓ Closed: docs\n</𝒞>\n',
        '<𝒞=string:main>\n✗ BLOCK_IGNORED: The tag <C=string:x> is written with another letter, so nothing was run',
        '  Write the opening and the closing tag with 𝒞, U+1D49E\n</𝒞>',
      ].join('\n'),
    )
    expect(reply.blocks).toEqual([
      { channel: 'string', topic: 'main', ok: false, code: 'INVALID_TARGET' },
      { channel: 'string', topic: 'docs', ok: true, code: null },
      { channel: 'string', topic: 'main', ok: false, code: 'BLOCK_IGNORED' },
    ])
    expect(reply.rest).toBe('<𝒞=string:a b>\n/close\n</𝒞>\n\n<C=string:x>/close</C>\n')
    const fenced = await chanflow(daemon, 'So:\n```\n<𝒞=string:docs>\n/close\n</𝒞>\n')
    expect(fenced.text).toContain('✗ BLOCK_IGNORED: 1 block behind a code fence that is not closed was not run\n')
    expect(fenced.blocks).toHaveLength(1)
  })
})

describe('an empty document', () => {
  it('says that it is empty', async () => {
    const daemon = await startTestDaemon()
    for (const [name, text] of [
      ['empty.md', ''],
      ['blank.md', '\n \n'],
    ] as const) {
      writeFileSync(join(daemon.home, name), text)
      const { text: reply } = await chanflow(daemon, `<𝒞=string:main>/open ${name}</𝒞>`)
      expect(reply).toMatch(/^<𝒞=string:main time="[^"]+">\n\(empty\)\n<\/𝒞>$/u)
    }
  })
})
