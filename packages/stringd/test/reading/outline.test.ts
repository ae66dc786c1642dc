import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { type TestRuntime, testRuntime } from '../support/runtime.ts'

function place(files: Readonly<Record<string, string>>): TestRuntime {
  const runtime = testRuntime()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(runtime.home, path)), { recursive: true })
    writeFileSync(join(runtime.home, path), text)
  }
  return runtime
}

const GUIDE = `---
title: Guide
---
# Guide

Words.

## Set up

<!-- #steps -->
1. One
<!-- /steps -->

### On *Linux*

More.

## Use

[!include:more](./more.md)
`

describe('/open --outline', () => {
  it('lists headings, blocks and includes by their addresses, with lines and sizes', async () => {
    const { reply, result } = place({ 'guide.md': GUIDE, 'more.md': '## Far\n' })
    expect(await reply('/open guide.md --outline')).toBe(
      [
        'Outline of guide.md',
        '---',
        '- #guide (L4-L20, 126 B): Guide',
        '  - #set-up (L8-L17, 74 B): Set up',
        '    - #steps (L11, 7 B): (block)',
        '    - #on-linux (L14-L17, 23 B): On Linux',
        '  - #use (L18-L20, 35 B): Use',
        '    - #more (L20, 27 B): (includes ./more.md)',
      ].join('\n'),
    )
    expect(await result('/open #on-linux')).toMatchObject({ content: '### On *Linux*\n\nMore.\n' })
    expect(await result('/edit :L11')).toMatchObject({ content: ' 11 │ 1. One' })
    expect(await reply('/open guide.md#set-up --outline')).toContain('---\n- #set-up (L8-L17')
    expect(await reply('/open guide.md#use --outline')).not.toContain('#set-up')
    await reply('/open guide.md')
    expect(await reply('/open --outline')).toContain('Outline of guide.md\n---\n- #guide')
    expect(await result('/open guide.md --outline')).toMatchObject({
      data: { left: 0, parts: expect.arrayContaining([{ address: '#use', title: 'Use', depth: 1, from: 18, to: 20 }]) },
    })
    expect(await reply('/open guide.md#nothing --outline')).toMatch(/^ERROR\(BLOCK_NOT_FOUND\)/)
  })

  it('lists what other files declare, by lines that can be opened', async () => {
    const { reply, result } = place({
      'a.ts': "import x from 'x'\n\nexport async function one(): void {\n  x()\n}\n\nclass Two {\n  three() {}\n}\n",
      'b.py': 'import os\n\ndef one():\n    pass\n\nclass Two:\n    def three(self): pass\n',
      'c.toml': 'a = 1\n[one]\nb = 2\n[two]\n',
    })
    expect(await reply('/open a.ts --outline')).toBe(
      'Outline of a.ts\n---\n- :L3-L6 (45 B): export async function one(): void {\n- :L7-L9 (27 B): class Two {',
    )
    expect(await result('/open :L7-L9')).toMatchObject({ content: ' 7 │ class Two {\n 8 │   three() {}\n 9 │ }' })
    expect(await reply('/open b.py --outline')).toContain('- :L3-L5 (21 B): def one():\n- :L6-L7')
    expect(await reply('/open c.toml --outline')).toContain('- :L2-L3 (12 B): [one]\n- :L4 (6 B): [two]')
  })

  it('lists pieces of a text in which nothing is declared', async () => {
    const { reply } = place({
      'log.txt': Array.from({ length: 250 }, (_, at) => `line ${at + 1}\n`).join(''),
      'e.txt': '',
    })
    expect(await reply('/open log.txt --outline')).toBe(
      'Outline of log.txt\n---\n- :L1-L100 (792 B): line 1\n- :L101-L200 (900 B): line 101\n- :L201-L250 (450 B): line 201',
    )
    expect(await reply('/open e.txt --outline')).toBe('Outline of e.txt\n---\n(empty)')
  })

  it('refuses what is no text', async () => {
    const { home, reply } = place({ 'a.md': '# A\n' })
    writeFileSync(join(home, 'bin.md'), Buffer.from([0xff, 0xfe, 0, 1]))
    await reply('/open a.md')
    expect(await reply('/open ./bin.md --outline')).toBe(
      'ERROR(NOT_TEXT): ./bin.md is not text, so it has no parts\n  /open ./bin.md says what it is',
    )
    // What is open stays open.
    expect(await reply('/open --outline')).toContain('#a')
  })

  it('is as deep as an answer has room for, and says what is left out', async () => {
    const chapter = (at: number): string =>
      `# Chapter ${at}\n\n${`## A part with a name of some length\n\n`.repeat(40)}`
    const { reply } = place({ 'book.md': Array.from({ length: 50 }, (_, at) => chapter(at)).join('') })
    const body = await reply('/open book.md --outline')
    expect(Buffer.byteLength(body)).toBeLessThan(LIMITS.pageBytes)
    expect(body.match(/^- #chapter/gm)).toHaveLength(50)
    expect(body).toContain('[2000 parts left out: /open #PART --outline shows those of one]')
    expect((await reply('/open #chapter-7 --outline')).match(/^ {2}- #a-part/gm)).toHaveLength(40)
  })
})
