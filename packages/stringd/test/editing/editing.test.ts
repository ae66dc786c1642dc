import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { type TestRuntime, testRuntime } from '../support/runtime.ts'

const MEETING = [
  '# Meeting',
  '',
  'When: Monday',
  'Who: all',
  '',
  'Notes',
  '',
  '- a',
  '- b',
  '',
  '<!-- #decisions -->',
  '## Decisions',
  '(none yet)',
  '<!-- /decisions -->',
  '',
  'End',
  '',
].join('\n')

function place(
  files: Record<string, string> = {},
): TestRuntime & { read: (name: string) => string; path: (name: string) => string } {
  const runtime = testRuntime()
  const path = (name: string) => join(runtime.home, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path(name), '..'), { recursive: true })
    writeFileSync(path(name), text)
  }
  return { ...runtime, path, read: (name) => readFileSync(path(name), 'utf8') }
}

describe('every row has its exact message, in /exec and in ChanFlow, from one result', () => {
  it('the example of the transport comes out character for character', async () => {
    const { chanflow } = place({ 'notes/meeting.md': MEETING })
    expect(
      await chanflow(
        '/edit ~/notes/meeting.md#decisions\n## Decisions\n1. Move deadline to April 1\n2. Switch to weekly syncs',
      ),
    ).toBe(
      [
        '✓ ~/notes/meeting.md#decisions — Added 2 lines, removed 1 line',
        '',
        ' 11  │ <!-- #decisions -->',
        ' 12  │ ## Decisions',
        ' 13 -│ (none yet)',
        ' 13 +│ 1. Move deadline to April 1',
        ' 14 +│ 2. Switch to weekly syncs',
        ' 15  │ <!-- /decisions -->',
      ].join('\n'),
    )
  })

  it('/edit views whole files, blocks and lines with their numbers, and sets the mode', async () => {
    const { reply } = place({ 'a.md': MEETING })
    expect(await reply('/edit a.md#decisions')).toBe(
      '[editing: a.md#decisions]\n---\n 12 │ ## Decisions\n 13 │ (none yet)',
    )
    expect(await reply('/edit a.md:L3-L4')).toBe('[editing: a.md:L3-L4]\n---\n 3 │ When: Monday\n 4 │ Who: all')
    expect(await reply('/edit a.md')).toMatch(
      /^\[editing: a\.md\]\n---\n {2}1 │ # Meeting\n {2}2 │ \n[\s\S]*\n 16 │ End$/,
    )
    expect(await reply('/info')).toContain('mode: edit')
    expect(await reply('/open a.md --edit')).toMatch(/^\[editing: a\.md\]\n---\n/)
    await reply('/open a.md')
    expect(await reply('/info')).not.toContain('mode:')
  })

  it('/edit with a body changes the whole file, a block, a section or lines', async () => {
    const { reply, read } = place({ 'a.md': MEETING, 'b.md': '# A\n\none\n\n# B\n\ntwo\n' })
    expect(await reply('/edit a.md#decisions\n1. Yes')).toBe('Edited a.md#decisions (1 line)')
    expect(read('a.md')).toContain('<!-- #decisions -->\n1. Yes\n<!-- /decisions -->\n')
    expect(await reply('/edit b.md#a\n# A\n\nnew\n\n')).toBe('Edited b.md#a (4 lines)')
    expect(read('b.md')).toBe('# A\n\nnew\n\n# B\n\ntwo\n')
    expect(await reply('/edit b.md:L3\nnewer\nstill')).toBe('Edited b.md:L3 (2 lines)')
    expect(await reply('/edit b.md\nx\ny\n')).toBe('Edited b.md (2 lines, whole file)')
    expect(read('b.md')).toBe('x\ny\n')
    expect(await reply('/edit none.md\nx')).toBe('ERROR(NOT_FOUND): File not found: none.md\n  /write none.md makes it')
  })

  it('/write makes folders and files, and says what is on disk', async () => {
    const { reply, chanflow, read } = place()
    expect(await reply('/write notes/deep/a.md\nHéllo\nWorld')).toBe('Written: notes/deep/a.md (13 bytes, 2 lines)')
    expect(read('notes/deep/a.md')).toBe('Héllo\nWorld\n')
    expect(await chanflow('/write notes/deep/a.md\nHéllo\nthere')).toBe(
      '✓ notes/deep/a.md — Added 1 line, removed 1 line\n\n 1  │ Héllo\n 2 -│ World\n 2 +│ there',
    )
    expect(await chanflow('/write notes/deep/a.md\nHéllo\nthere')).toBe('✓ notes/deep/a.md — No change')
  })

  it('/append starts on a new line', async () => {
    const { reply, chanflow, read } = place({ 'a.md': 'one\n', 'b.md': 'one' })
    expect(await reply('/append a.md\ntwo')).toBe('Appended to: a.md (now 8 bytes)')
    expect(read('a.md')).toBe('one\ntwo\n')
    expect(await chanflow('/append b.md\ntwo')).toContain('✓ b.md — Added 2 lines, removed 1 line')
    expect(read('b.md')).toBe('one\ntwo')
    expect(await reply('/append none.md\nx')).toBe(
      'ERROR(NOT_FOUND): File not found: none.md\n  /write none.md makes it',
    )
  })

  it('/replace changes lines, blocks and exact text, and shows the diff', async () => {
    const { reply, chanflow, read } = place({ 'a.md': 'one\ntwo\nthree\nfour\nfive\n' })
    expect(await reply('/replace a.md:L2-L3\nTWO')).toBe(
      'Replaced a.md:L2-L3 (added 1 line, removed 2 lines)\n---\n 1  │ one\n 2 -│ two\n 3 -│ three\n 2 +│ TWO\n 3  │ four\n 4  │ five',
    )
    expect(await chanflow('/replace a.md\nfour\nfive\n---\n4')).toBe(
      '✓ a.md — Added 1 line, removed 2 lines\n\n 1  │ one\n 2  │ TWO\n 3 -│ four\n 4 -│ five\n 3 +│ 4',
    )
    expect(await reply('/replace a.md --all\no\n---\n0')).toMatch(/^Replaced a\.md \(added 1 line, removed 1 line\)/)
    expect(read('a.md')).toBe('0ne\nTWO\n4\n')
    await reply('/open a.md')
    expect(await reply('/replace :L1\nstart')).toMatch(/^Replaced a\.md:L1 \(added 1 line, removed 1 line\)/)
    expect(read('a.md')).toBe('start\nTWO\n4\n')
  })

  it('/undo reverts one step, also of a file that was made', async () => {
    const { reply, chanflow, read, path } = place({ 'a.md': 'one\n' })
    await reply('/write a.md\nchanged\nmore')
    expect(await reply('/undo')).toBe('Undo: reverted a.md (1 line)')
    expect(read('a.md')).toBe('one\n')
    expect(await reply('/undo')).toBe(
      'ERROR(NOTHING_TO_UNDO): The last edit of this topic was taken back already, and edits before it are not kept\n  One edit can be taken back, once; /edit PATH shows a file as it is now',
    )
    expect(await reply('/undo', 'unused')).toContain('This topic has made no edit that could be undone')
    await reply('/write new.md\nx')
    expect(await chanflow('/undo')).toBe('✓ new.md — Removed 1 line\n\n 1 -│ x')
    expect(existsSync(path('new.md'))).toBe(false)
    await reply('/write new.md\nx')
    expect(await reply('/undo')).toBe('Undo: removed new.md, which was new')
    expect(await reply('/undo', 'other')).toContain('NOTHING_TO_UNDO')
  })

  it('/verify shows the block as it is on disk now', async () => {
    const { reply, path } = place({ 'a.md': MEETING })
    await reply('/open a.md')
    writeFileSync(path('a.md'), MEETING.replace('(none yet)', 'changed outside'))
    expect(await reply('/verify a.md#decisions')).toBe('Verified a.md#decisions\n---\n## Decisions\nchanged outside\n')
    expect(await reply('/verify #decisions')).toMatch(/^Verified a\.md#decisions\n---\n/)
    expect(await reply('/verify a.md')).toBe('ERROR(USAGE): Which block of a.md?\n  Usage: /verify a.md#block')
  })
})

describe('what a file has is kept', () => {
  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', '/replace f:L2\nB\nBB', 'a\r\nB\r\nBB\r\nc\r\n'],
    ['CRLF, whole file', 'a\r\nb\r\n', '/write f\nx\ny\nz', 'x\r\ny\r\nz\r\n'],
    ['mixed ends', 'a\nb\r\nc\nd\n', '/replace f:L1\nA', 'A\nb\r\nc\nd\n'],
    ['mixed ends, whole file', 'a\nb\r\nc\n', '/write f\na\nb\nc\nd', 'a\nb\r\nc\nd\n'],
    ['no final newline', 'a\nb', '/replace f:L2\nB', 'a\nB'],
    ['no final newline, whole file', 'a\nb', '/write f\nx\ny\n', 'x\ny'],
    ['no final newline, changed before', 'a\nb', '/replace f:L1\nA', 'A\nb'],
    ['a final newline', 'a\nb\n', '/replace f:L2\nB', 'a\nB\n'],
    ['a byte-order mark', '\ufeffa\nb\n', '/replace f:L1\nA', '\ufeffA\nb\n'],
    ['a byte-order mark, whole file', '\ufeffa\n', '/write f\nx', '\ufeffx\n'],
    ['exact text over CRLF lines', 'a\r\nb\r\nc\r\n', '/replace f\na\nb\n---\nx', 'x\r\nc\r\n'],
    ['a body with CRLF in an LF file', 'a\nb\n', '/replace f:L1\r\nx\r\ny\r\n', 'x\ny\nb\n'],
    ['blank lines of the body', 'a\n', '/write f\n\nx\n\n', '\nx\n\n'],
    ['the body, byte for byte', 'a\r\nb\r\n', '/write f --raw\nx\ny', 'x\ny'],
    ['the body, byte for byte, with CRLF', '\ufeffa\n', '/write f --raw\nx\r\ny\n\n', 'x\r\ny\n\n'],
  ])('%s', async (_name, before, command, after) => {
    const { reply, read } = place({ f: before })
    expect(await reply(command)).not.toContain('ERROR')
    expect(read('f')).toBe(after)
  })

  it('the mode, and a link to the file', async () => {
    const { reply, path, read } = place({ 'run.sh': '#!/bin/sh\n' })
    chmodSync(path('run.sh'), 0o750)
    symlinkSync('run.sh', path('link'))
    await reply('/append link\necho hi')
    expect(read('run.sh')).toBe('#!/bin/sh\necho hi\n')
    expect(statSync(path('run.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(path('.')).sort()).toEqual(['link', 'run.sh'])
  })
})

describe('nothing is lost silently', () => {
  it('a file that someone else changed since the topic read it is CONFLICT; /refresh is the way out, --force insists', async () => {
    const { reply, path, read } = place({ 'a.md': 'one\ntwo\n' })
    for (const see of ['/open a.md', '/edit a.md', '/verify a.md:L1']) {
      await reply('/close')
      writeFileSync(path('a.md'), 'one\ntwo\n')
      await reply(see)
      writeFileSync(path('a.md'), 'ONE\ntwo\n')
      for (const command of [
        '/write a.md\nmine',
        '/append a.md\nmine',
        '/edit a.md\nmine',
        '/replace a.md:L1\nmine',
        '/replace a.md\ntwo\n---\nmine',
      ]) {
        expect(await reply(command), `${see} ${command}`).toBe(
          'ERROR(CONFLICT): Someone else changed ' +
            'a.md' +
            (command.includes(':L1') ? ':L1' : '') +
            ' since this topic read it\n  /refresh or /open reads it again, --force insists',
        )
      }
      expect(read('a.md')).toBe('ONE\ntwo\n')
    }
    await reply('/open a.md')
    expect(await reply('/replace a.md:L1\nmine')).toContain('Replaced')
    writeFileSync(path('a.md'), 'again\n')
    expect(await reply('/write a.md --force\nforced')).toContain('Written')
    rmSync(path('a.md'))
    expect(await reply('/write a.md\nback')).toContain('ERROR(CONFLICT)')
  })

  it('two topics that edit one file never lose an edit', async () => {
    const { reply, read } = place({ 'a.md': 'start\n' })
    await reply('/open a.md', 'a')
    await reply('/open a.md', 'b')
    expect(await reply('/append a.md\nfrom a', 'a')).toContain('Appended')
    expect(await reply('/append a.md\nfrom b', 'b')).toContain('CONFLICT')
    await reply('/refresh', 'b')
    expect(await reply('/append a.md\nfrom b', 'b')).toContain('Appended')
    expect(read('a.md')).toBe('start\nfrom a\nfrom b\n')
  })

  it('many topics that append at once lose nothing', async () => {
    const { reply, read } = place({ 'a.md': 'start\n' })
    await Promise.all(Array.from({ length: 40 }, (_, index) => reply(`/append a.md\nline ${index}`, `t${index}`)))
    const lines = read('a.md').trimEnd().split('\n')
    expect(lines).toHaveLength(41)
    expect(new Set(lines).size).toBe(41)
  })

  it('/undo after an outside change refuses, --force insists', async () => {
    const { reply, path, read } = place({ 'a.md': 'one\n' })
    await reply('/write a.md\ntwo')
    writeFileSync(path('a.md'), 'outside\n')
    expect(await reply('/undo')).toBe(
      'ERROR(CONFLICT): Someone else changed a.md since this topic read it\n  /refresh or /open reads it again, /undo --force insists',
    )
    expect(read('a.md')).toBe('outside\n')
    expect(await reply('/undo --force')).toBe('Undo: reverted a.md (1 line)')
    expect(read('a.md')).toBe('one\n')
  })
})

describe('bodies of every kind', () => {
  it.each([
    ['commands', '/open x\n/close\n//info'],
    ['separators', '---\ntext\n---'],
    ['markers', '<!-- #a -->\n<!-- /a -->'],
    ['ChanFlow tags', '<𝒞=string:main>\n/open x\n</𝒞>'],
    ['front matter', '---\ntitle: x\n---\n# Y'],
    ['odd characters', 'a\u2028b\u0007\u001b[31m\ttab ☃ 😀'],
    ['variables', '{city} $HOME $(date) `id`'],
  ])('%s are written as they are', async (_name, body) => {
    const { reply, read } = place()
    expect(await reply(`/write a.md\n${body}`)).toContain('Written')
    expect(read('a.md')).toBe(`${body}\n`)
  })

  it('5 MB of text are written, NUL and half a character are refused, and a file may not grow over the limit', async () => {
    const { reply, read, path } = place({ 'big.md': 'x'.repeat(LIMITS.documentBytes - 10) })
    const body = 'word '.repeat(1_000_000)
    expect(await reply(`/write a.md\n${body}`)).toBe('Written: a.md (5000001 bytes, 1 line)')
    expect(read('a.md')).toBe(`${body}\n`)
    expect(await reply('/write b.md\na\u0000b')).toContain('ERROR(NOT_TEXT)')
    expect(await reply('/write b.md\na\ud800b')).toContain('ERROR(NOT_TEXT)')
    expect(existsSync(path('b.md'))).toBe(false)
    expect(await reply('/append big.md\nmore than fits')).toContain('ERROR(TOO_LARGE)')
  })

  it('an exact replacement needs one separator; --sep chooses another', async () => {
    const { reply, read } = place({ 'a.md': 'one\n---\ntwo\n' })
    expect(await reply('/replace a.md\none\n---\ntwo\n---\nthree')).toBe(
      'ERROR(USAGE): The line --- stands more than once in the body\n  --sep LINE chooses another line to separate old from new, for example --sep ====\n  --next LINE names a line between one replacement and the next, for several in one body',
    )
    expect(await reply('/replace a.md\nno separator')).toContain('ERROR(USAGE): The body needs a line ---')
    expect(await reply('/replace a.md\n---\nx')).toContain('ERROR(USAGE)')
    expect(await reply('/replace L2\nx')).toMatch(
      /needs a line --- between .*\n {2}Did you mean :L2, of the open document\?\n/,
    )
    expect(await reply('/replace a.md --sep ====\none\n---\ntwo\n====\nnew')).toContain('Replaced')
    expect(read('a.md')).toBe('new\n')
  })
})

describe('several replacements in one body', () => {
  const TEXT = 'one\ntwo\nthree\nfour\nfive\n'

  it('are made at once, in whatever order they stand, and undone at once', async () => {
    const { reply, read } = place({ 'a.md': TEXT })
    expect(await reply('/replace a.md --next ====\nfour\n---\n4\nand\n====\none\ntwo\n---\n1\n====\nthree\n---')).toBe(
      [
        'Replaced a.md (added 3 lines, removed 4 lines)',
        '---',
        ' 1 -│ one',
        ' 2 -│ two',
        ' 3 -│ three',
        ' 4 -│ four',
        ' 1 +│ 1',
        ' 2 +│ 4',
        ' 3 +│ and',
        ' 4  │ five',
      ].join('\n'),
    )
    expect(read('a.md')).toBe('1\n4\nand\nfive\n')
    await reply('/undo')
    expect(read('a.md')).toBe(TEXT)
  })

  it('look for each text in the file as it was: none finds what another has put', async () => {
    const { reply, read } = place({ 'a.md': 'a b\n', 'b.md': 'x = y\n' })
    expect(await reply('/replace a.md --next ==\na\n---\nb\n==\nb\n---\na')).toContain('Replaced')
    expect(read('a.md')).toBe('b a\n')
    expect(await reply('/replace b.md --sep -> --next ==\nx\n->\n---\n==\ny\n->\nz')).toContain('Replaced')
    expect(read('b.md')).toBe('--- = z\n')
  })

  it.each([
    ['one\n---\n1\n====\nabsent\n---\nx', 'NOT_FOUND): Replacement 2 of 2: The text does not stand in a.md'],
    [
      'one\n---\n1\n====\no\n---\nx',
      'AMBIGUOUS): Replacement 2 of 2: The text stands 3 times in a.md\n  At L1, L2, L4',
    ],
    ['one\n---\n1\n====\ntwo', 'USAGE): Replacement 2 of 2: The body needs a line ---'],
    ['one\n---\n1\n====\n', 'USAGE): Replacement 2 of 2: The body needs a line ---'],
    ['one\ntwo\n---\n1\n====\ntwo\n---\n2', 'USAGE): Two of the replacements change the same text, at L2 of a.md'],
    [
      Array(LIMITS.replacements + 1)
        .fill('one\n---\n1')
        .join('\n====\n'),
      'TOO_LARGE): One body makes at most 100 replacements',
    ],
  ])('are all made or none: %j', async (body, said) => {
    const { reply, read } = place({ 'a.md': TEXT })
    expect(await reply(`/replace a.md --next ====\n${body}`)).toContain(`ERROR(${said}`)
    expect(read('a.md')).toBe(TEXT)
  })

  it('are of texts, not of lines, and need two lines that differ', async () => {
    const { reply } = place({ 'a.md': TEXT })
    expect(await reply('/replace a.md:L1 --next ====\none')).toContain('ERROR(USAGE): --next is for texts')
    expect(await reply('/replace a.md --next ---\none\n---\ntwo')).toContain(
      'ERROR(USAGE): The line --- cannot separate both',
    )
  })
})

describe('what is taken away', () => {
  it('/replace --delete removes lines, what a block holds, and a section', async () => {
    const { reply, chanflow, read } = place({ 'a.md': 'one\ntwo\nthree\nfour\n', 'b.md': MEETING })
    expect(await reply('/replace a.md:L2-L3 --delete')).toBe(
      'Replaced a.md:L2-L3 (added 0 lines, removed 2 lines)\n---\n 1  │ one\n 2 -│ two\n 3 -│ three\n 2  │ four',
    )
    expect(read('a.md')).toBe('one\nfour\n')
    expect(await chanflow('/replace b.md#decisions --delete')).toContain('✓ b.md#decisions — Removed 2 lines')
    expect(read('b.md')).toContain('<!-- #decisions -->\n<!-- /decisions -->\n')
    await reply('/open a.md')
    expect(await reply('/replace :L1 --delete')).toContain('Replaced a.md:L1 (added 0 lines, removed 1 line)')
    expect(await reply('/replace :L1 --delete')).toContain('Replaced a.md:L1')
    expect(read('a.md')).toBe('')
    expect(await reply('/undo')).toBe('Undo: reverted a.md (1 line)')
    await reply('/write c.md\n# A\n\none\n\n# B')
    expect(await reply('/replace c.md#a --delete')).toContain('removed 4 lines')
    expect(read('c.md')).toBe('# B\n')
  })

  it('the last line of a file without a final newline goes with its own end only', async () => {
    const { reply, read } = place({ 'a.md': 'one\ntwo' })
    await reply('/replace a.md:L2 --delete')
    expect(read('a.md')).toBe('one')
  })

  it('/write --empty writes an empty file, or empties one or a block', async () => {
    const { reply, read, path } = place({ 'a.md': 'one\ntwo\n', 'b.md': MEETING })
    expect(await reply('/write new/empty.md --empty')).toBe('Written: new/empty.md (0 bytes, 0 lines)')
    expect(read('new/empty.md')).toBe('')
    expect(await reply('/write a.md --empty')).toBe('Written: a.md (0 bytes, 0 lines), replaced 2 lines')
    expect(read('a.md')).toBe('')
    expect(await reply('/undo')).toBe('Undo: reverted a.md (2 lines)')
    expect(await reply('/write b.md#decisions --empty')).toMatch(/^Written: b\.md#decisions .*, replaced 2 lines$/)
    expect(read('b.md')).toContain('<!-- #decisions -->\n<!-- /decisions -->\n')
    writeFileSync(path('bom.md'), '\ufeffa\n')
    expect(await reply('/write bom.md --empty')).toBe('Written: bom.md (0 bytes, 0 lines), replaced 1 line')
  })

  it.each([
    ['a part of a line', 'a b c\n', ' b', 'a c\n'],
    ['a line', 'a\nb\nc\n', 'b', 'a\nc\n'],
    ['several lines', 'a\nb\nc\nd\n', 'b\nc', 'a\nd\n'],
    ['the last line', 'a\nb', 'b', 'a'],
    ['all there is', 'a\n', 'a', ''],
    ['the end of one line and the start of the next', 'a1\n2b\n', '1\n2', 'ab\n'],
    ['every place, with blank lines between kept', 'x\n\nx\nax\nxx\n', 'x', '\na\n', '--all'],
  ])('an exact text with nothing behind the --- is deleted: %s', async (_name, before, old, after, flag = '') => {
    for (const end of ['', '\n']) {
      const { reply, read } = place({ f: before })
      expect(await reply(`/replace f ${flag}\n${old}\n---${end}`)).toContain('Replaced f')
      expect(read('f')).toBe(after)
    }
  })

  it('an empty line behind the --- is an empty line', async () => {
    const { reply, read } = place({ f: 'a\nb\nc\n' })
    await reply('/replace f\nb\n---\n\n')
    expect(read('f')).toBe('a\n\nc\n')
  })

  it('is said with a flag that takes no body, and a body that is missing names the flag', async () => {
    const { reply, read } = place({ 'a.md': 'one\n' })
    expect(await reply('/replace a.md:L1 --delete\nx')).toContain('ERROR(USAGE): --delete takes no body')
    expect(await reply('/write a.md --empty\nx')).toContain('ERROR(USAGE): --empty takes no body')
    expect(await reply('/replace a.md:L1')).toBe(
      'ERROR(USAGE): /replace needs a body on the next lines\n  --delete, without a body: remove the lines, or what the block holds\n  Usage: /replace TARGET [--all] [--delete] [--sep TEXT] [--next TEXT] [--force] + body on the next lines',
    )
    expect(await reply('/replace a.md --delete')).toBe(
      'ERROR(USAGE): Delete what of a.md?\n  /replace a.md:L5-L10 --delete removes lines, /replace a.md#block --delete what a block holds\n  /write a.md --empty empties the file',
    )
    expect(read('a.md')).toBe('one\n')
  })
})

describe('errors say what exists and what to type', () => {
  it.each([
    ['/replace a.md:L99\nx', 'ERROR(LINE_OUT_OF_RANGE): No such lines: a.md:L99\n  The file has 3 lines, L1 to L3'],
    [
      '/replace a.md:L3-L2\nx',
      'ERROR(LINE_OUT_OF_RANGE): No such lines: a.md:L3-L2\n  They are written from the first to the last: a.md:L2-L3',
    ],
    ['/edit a.md:L0', 'ERROR(LINE_OUT_OF_RANGE): No such lines: a.md:L0\n  The file has 3 lines, L1 to L3'],
    [
      '/edit a.md#nope\nx',
      'ERROR(BLOCK_NOT_FOUND): Block not found: a.md#nope\n  /open a.md --outline lists them\n  Sections: #same',
    ],
    [
      '/replace a.md\nsame\n---\nx',
      'ERROR(AMBIGUOUS): The text stands 2 times in a.md\n  At L1, L3\n  Give more of the text around it, or --all for every place',
    ],
    [
      '/replace a.md\nabsent\n---\nx',
      'ERROR(NOT_FOUND): The text does not stand in a.md\n  /edit a.md shows it with line numbers',
    ],
    [
      '/write a.md',
      'ERROR(USAGE): /write needs a body on the next lines\n  --empty, without a body: an empty file, or an empty block\n  Usage: /write TARGET [--raw] [--empty] [--force] + body on the next lines',
    ],
    ['/write ./\nx', 'ERROR(INVALID_TARGET): ./ is a folder\n  /ls ./ lists it'],
    [
      '/write https://example.com/x\nx',
      'ERROR(INVALID_TARGET): Only files can be edited: https://example.com/x\n  /write PATH makes a file of your own',
    ],
    ['/replace :L1\nx', 'ERROR(NO_DOCUMENT): No document is open in this topic\n  Name the file: PATH:L1'],
    ['/append bin\nx', 'ERROR(NOT_TEXT): bin is not text\n  /open bin describes it'],
    [
      '/append a.md#same\nx',
      'ERROR(INVALID_TARGET): /append adds to a whole file: a.md#same\n  /replace changes a block or lines',
    ],
    ['/write a.md/x\nx', 'ERROR(INVALID_PATH): A part of the path is not a folder: a.md/x\n  /ls shows what exists'],
  ])('%j', async (command, answer) => {
    const { reply, path } = place({ 'a.md': '# same\n\nsame\n' })
    writeFileSync(path('bin'), Buffer.from([0, 1, 2]))
    expect(await reply(command)).toBe(answer)
  })

  it('S13: nothing is written outside the workspace or into closed folders, whatever the spelling', async () => {
    const { reply, home } = place({ '.string/config.json': '{}' })
    const outside = join(home, '../outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'x'), 'safe')
    symlinkSync(outside, join(home, 'link'))
    symlinkSync(join(outside, 'new'), join(home, 'dangling'))
    for (const target of [
      join(outside, 'x'),
      '../outside/x',
      'link/x',
      'link/new/deep',
      'dangling',
      '~/.string/config.json',
      '.string/new',
      '/etc/string-test',
      '~/../outside/y',
    ]) {
      for (const command of [
        `/write '${target}'\nbad`,
        `/append '${target}'\nbad`,
        `/edit '${target}'\nbad`,
        `/replace '${target}:L1'\nbad`,
        `/edit '${target}'`,
      ]) {
        expect(await reply(command), command).toContain('ERROR(')
      }
    }
    expect(readdirSync(outside)).toEqual(['x'])
    expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('safe')
  })

  it('a file whose name holds # or :L5 wins over the parsed form', async () => {
    const { reply, read } = place({ 'a#b.md': 'x\n', 'a:L5': 'y\n', a: '1\n2\n3\n4\n5\n' })
    await reply("/write 'a#b.md'\nX")
    await reply('/write a:L5\nY')
    expect([read('a#b.md'), read('a:L5'), read('a')]).toEqual(['X\n', 'Y\n', '1\n2\n3\n4\n5\n'])
  })
})

describe('orphaned temporary files', () => {
  it('are never listed, and removed by the next command that touches the folder', async () => {
    const { reply, path } = place({ 'a.md': 'x\n' })
    writeFileSync(path('.a.md.string-tmp-999999'), 'half')
    writeFileSync(path(`.b.md.string-tmp-${process.ppid}`), 'of a live process')
    expect(await reply('/ls --all')).not.toContain('string-tmp')
    expect(existsSync(path('.a.md.string-tmp-999999'))).toBe(false)
    expect(existsSync(path(`.b.md.string-tmp-${process.ppid}`))).toBe(true)
    writeFileSync(path('.a.md.string-tmp-999999'), 'half')
    await reply('/append a.md\ny')
    expect(existsSync(path('.a.md.string-tmp-999999'))).toBe(false)
  })
})

describe('session variables', () => {
  it('are set, listed, used in arguments and removed', async () => {
    const { reply, read } = place()
    expect(await reply('/set')).toBe('Variables\n---\n(none)')
    expect(await reply('/set {city} = "New York"')).toBe('{city} = "New York"')
    expect(await reply("/set {path} = 'notes/{city}.md'")).toBe('{path} = "notes/New York.md"')
    expect(await reply('/write {path}\nabout {city}')).toBe('Written: notes/New York.md (13 bytes, 1 line)')
    expect(read('notes/New York.md')).toBe('about {city}\n')
    expect(await reply('/set')).toBe('Variables\n---\n{city} = "New York"\n{path} = "notes/New York.md"')
    expect(await reply('/info')).toContain('vars: {city}, {path}')
    expect(await reply('/unset {city}')).toBe('Unset: {city}')
    expect(await reply('/open {city}')).toBe(
      'ERROR(UNDEFINED_VARIABLE): This topic has no variable {city}\n  Variables: {path}\n  For the text itself write \\{city}, not in single quotes',
    )
    expect(await reply('/set', 'other')).toBe('Variables\n---\n(none)')
  })

  it('several are set by the body, with fenced values, or none when one is wrong', async () => {
    const { reply } = place()
    expect(await reply('/set\n{a} = "1"\n{b} = two words\n```{c}\nline 1\nline 2\n```\n{d} = "{a}"')).toBe(
      'Variables\n---\n{a} = "1"\n{b} = "two words"\n{c} = "line 1\\nline 2"\n{d} = "1"',
    )
    expect(await reply('/set\n{x} = "1"\n{Bad} = "2"')).toContain('ERROR(INVALID_VARIABLE): Not a variable name: {Bad}')
    expect(await reply('/set')).not.toContain('{x}')
    expect(await reply('/set {a} = "open')).toContain('ERROR(USAGE)')
    expect(await reply('/set x = 1')).toContain('ERROR(INVALID_VARIABLE)')
    expect(await reply('/set {a} = {nope}')).toContain('ERROR(UNDEFINED_VARIABLE)')
    expect(await reply('/unset {nope}')).toContain('ERROR(UNDEFINED_VARIABLE)')
    expect(await reply('/unset nope')).toContain('ERROR(INVALID_VARIABLE)')
    expect(await reply('/set\n```{a}\nno end')).toContain('ERROR(USAGE)')
  })
})

describe('edits through commands and edits of a string are the same', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '/', '-', '<', '{'), maxLength: 6 })
  const lines = fc.array(line, { minLength: 1, maxLength: 5 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), lines }),
    fc.record({ kind: fc.constant('write' as const), lines }),
    fc.record({ kind: fc.constant('replace' as const), at: fc.nat(), count: fc.nat(), lines }),
    fc.record({ kind: fc.constant('edit' as const), lines }),
    fc.record({ kind: fc.constant('undo' as const) }),
  )

  it('whatever the sequence, and every diff applied to the old text gives the new text', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.array(step, { maxLength: 12 }), async (start, steps) => {
        const { result, read, path } = place()
        // A first line keeps bodies from being empty, which no edit takes.
        let model = ['#', ...start]
        let before: string[] | null = null
        writeFileSync(path('f'), `${model.join('\n')}\n`)
        for (const current of steps) {
          const old = model
          let command = ''
          if (current.kind === 'undo') {
            if (before === null) continue
            ;[model, before] = [before, null]
            command = '/undo'
          } else {
            const body = ['#', ...current.lines]
            before = old
            if (current.kind === 'append') {
              model = [...old, ...body]
              command = `/append f\n${body.join('\n')}`
            } else if (current.kind === 'replace') {
              const from = current.at % old.length
              const size = 1 + (current.count % (old.length - from))
              model = [...old.slice(0, from), ...body, ...old.slice(from + size)]
              command = `/replace f:L${from + 1}-L${from + size}\n${body.join('\n')}`
            } else {
              model = body
              command = `/${current.kind} f\n${body.join('\n')}`
            }
          }
          const outcome = await result(`${command}${current.kind === 'undo' ? '' : '\n'}`)
          expect(outcome.ok, JSON.stringify(outcome)).toBe(true)
          expect(read('f')).toBe(`${model.join('\n')}\n`)
          if (outcome.ok && outcome.change !== undefined) expect(applyDiff(old, outcome.change.diff)).toEqual(model)
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** Reads a shown diff as a person would: take out the lines with a minus, put in those with a plus, at their numbers. */
function applyDiff(old: readonly string[], diff: string): string[] {
  const rows = diff.split('\n').filter((row) => row !== '' && !row.endsWith('⋮'))
  const parsed = rows.map((row) => /^ +(\d+) ([ +-])│ (.*)$/.exec(row) ?? [])
  const removed = new Set(parsed.filter(([, , sign]) => sign === '-').map(([, number]) => Number(number)))
  const added = new Map(
    parsed.filter(([, , sign]) => sign === '+').map(([, number, , text]) => [Number(number), text ?? '']),
  )
  const kept = old.filter((_, index) => !removed.has(index + 1))
  const result: string[] = []
  while (kept.length > 0 || added.has(result.length + 1)) {
    const text = added.get(result.length + 1)
    result.push(text ?? kept.shift() ?? '')
  }
  return result
}

describe('through the daemon', () => {
  it('prints the message, --- and the diff for /replace, and says so when a name is too long', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), 'one\n')
    const { body } = await exec(port, '/replace a.md:L1\ntwo')
    expect(body).toBe('Replaced a.md:L1 (added 1 line, removed 1 line)\n---\n 1 -│ one\n 1 +│ two')
    expect((await exec(port, `/write ${'n'.repeat(300)}\nx`)).body).toContain(
      'ERROR(INVALID_PATH): The name is too long',
    )
    expect((await exec(port, `/write ${'é'.repeat(120)}.md\nx`)).head.ok).toBe(true)
  })

  it.skipIf(process.getuid?.() !== 0)('keeps the owner of a file where the system allows it', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), 'one\n')
    chownSync(join(home, 'a.md'), 1234, 4321)
    await exec(port, '/append a.md\ntwo')
    expect(statSync(join(home, 'a.md'))).toMatchObject({ uid: 1234, gid: 4321 })
  })
})
