import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { testRuntime } from '../support/runtime.ts'

/** A home, and a project outside of it in which the caller works. */
function place(files: Record<string, string> = {}) {
  const runtime = testRuntime()
  const project = join(tempDir(), 'project')
  mkdirSync(project)
  const at = (path: string): string => (path.startsWith('~/') ? join(runtime.home, path.slice(2)) : join(project, path))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  return {
    ...runtime,
    project,
    at,
    read: (path: string) => readFileSync(at(path), 'utf8'),
    reply: (command: string, topic = 'main') => runtime.reply(command, topic, project),
    replyWithoutFolder: runtime.reply,
  }
}

describe('a bare name that nobody has read', () => {
  it('is written in the working directory, and the file of that name in home stays as it is', async () => {
    const { reply, read } = place({ '~/todo.md': 'one\ntwo\n' })
    expect(await reply('/write todo.md\n- rest')).toBe('Written: todo.md (7 bytes, 1 line)')
    expect(read('~/todo.md')).toBe('one\ntwo\n')
    expect(read('todo.md')).toBe('- rest\n')
  })

  it('is written in home without a working directory', async () => {
    const { replyWithoutFolder, read } = place({ '~/todo.md': 'one\ntwo\n' })
    expect(await replyWithoutFolder('/write todo.md\nx')).toBe('Written: todo.md (2 bytes, 1 line), replaced 2 lines')
    expect(read('~/todo.md')).toBe('x\n')
  })

  it('does not mean the file beside the open document, and the error says how to type that one', async () => {
    const { reply, read, replyWithoutFolder } = place({ '~/docs/index.md': '# Docs\n', '~/docs/page.md': 'page\n' })
    await reply('/open ~/docs/index.md')
    const hint = 'ERROR(NOT_FOUND): File not found: page.md\n  Did you mean ~/docs/page.md?\n'
    expect(await reply('/append page.md\nx')).toBe(`${hint}  /write page.md makes it`)
    expect(await reply('/edit page.md\nx')).toBe(`${hint}  /write page.md makes it`)
    expect(await reply('/edit page.md')).toBe(`${hint}  /ls shows what exists`)
    expect(await reply('/replace page.md:L1\nx')).toBe(`${hint}  /ls shows what exists`)
    expect(await replyWithoutFolder('/append page.md\nx')).toBe(`${hint}  /write page.md makes it`)
    expect(await reply('/append ~/docs/page.md\nx')).toBe('Appended to: ~/docs/page.md (now 7 bytes)')
    expect(read('~/docs/page.md')).toBe('page\nx\n')
  })

  it('says so where the file is in home and the caller is not', async () => {
    const { reply } = place({ '~/todo.md': 'one\n' })
    expect(await reply('/append todo.md\nx')).toBe(
      'ERROR(NOT_FOUND): File not found: todo.md\n  Did you mean ~/todo.md?\n  /write todo.md makes it',
    )
  })
})

describe('a bare name that the topic has read', () => {
  it.each([
    ['/write README.md\nx', 'Written: docs/README.md (2 bytes, 1 line), replaced 1 line'],
    ['/append README.md\nx', 'Appended to: docs/README.md (now 7 bytes)'],
    ['/edit README.md\nx', 'Edited docs/README.md (1 line, whole file)'],
    ['/edit README.md:L1\nx', 'Edited docs/README.md:L1 (1 line)'],
    ['/replace README.md:L1\nx', 'Replaced docs/README.md:L1 (added 1 line, removed 1 line)'],
    ['/replace README.md\ndocs\n---\nx', 'Replaced docs/README.md (added 1 line, removed 1 line)'],
  ])('%j is an edit of the open document, and the answer says so', async (command, answer) => {
    const { reply, read } = place({ 'docs/README.md': 'docs\n', 'README.md': 'top\n', '~/README.md': 'home\n' })
    await reply('/open docs/README.md')
    expect((await reply(command)).split('\n---\n')[0]).toBe(answer)
    expect(read('docs/README.md')).toContain('x\n')
    expect([read('README.md'), read('~/README.md')]).toEqual(['top\n', 'home\n'])
    expect(await reply('/undo')).toBe('Undo: reverted docs/README.md (1 line)')
  })

  it('is shown by /edit, and by /open --edit, as the file that a body would change', async () => {
    const { reply } = place({ 'docs/README.md': 'docs\n', 'README.md': 'top\n' })
    await reply('/open docs/README.md')
    expect(await reply('/edit README.md')).toBe('[editing: docs/README.md]\n---\n 1 │ docs')
    expect(await reply('/open README.md --edit')).toBe('[editing: docs/README.md]\n---\n 1 │ docs')
    await reply('/close')
    expect(await reply('/edit README.md')).toBe('[editing: README.md]\n---\n 1 │ top')
  })

  it.each(['/open docs/a.md', '/open docs/a.md --source', '/edit docs/a.md', '/verify docs/a.md:L1'])(
    'by %s means it also when another document is open',
    async (see) => {
      const { reply, read, at } = place({ 'docs/a.md': 'docs\n', 'other.md': 'other\n' })
      await reply(see)
      await reply('/open other.md')
      expect(await reply('/append a.md\nx')).toBe('Appended to: docs/a.md (now 7 bytes)')
      expect(read('docs/a.md')).toBe('docs\nx\n')
      expect(existsSync(at('a.md'))).toBe(false)
      expect(await reply('/write a.md\nx', 'elsewhere')).toBe('Written: a.md (2 bytes, 1 line)')
    },
  )

  it('is the open one of several, else the one that was read last', async () => {
    const { reply } = place({ 'one/a.md': '1\n', 'two/a.md': '2\n', 'three/a.md': '3\n', 'b.md': 'b\n' })
    for (const command of ['/open one/a.md', '/open two/a.md', '/verify three/a.md:L1']) await reply(command)
    expect(await reply('/append a.md\nx')).toContain('Appended to: two/a.md')
    await reply('/open b.md')
    await reply('/verify three/a.md:L1')
    expect(await reply('/append a.md\nx')).toContain('Appended to: three/a.md')
    expect(await reply('/append one/a.md\nx')).toContain('Appended to: one/a.md')
  })

  it('may begin with folders, and matches whole names only', async () => {
    const { reply } = place({ '~/x/docs/a.md': 'a\n', 'docs/a.md': 'mine\n' })
    await reply('/open ~/x/docs/a.md')
    expect(await reply('/append docs/a.md\nx')).toBe('Appended to: ~/x/docs/a.md (now 4 bytes)')
    expect(await reply('/append ./docs/a.md\nx')).toBe('Appended to: ./docs/a.md (now 7 bytes)')
    expect(await reply('/write cs/a.md\nx')).toBe('Written: cs/a.md (2 bytes, 1 line)')
    expect(await reply('/write y/../a.md\nx')).toBe('Written: ~/x/docs/a.md (2 bytes, 1 line), replaced 2 lines')
    expect(await reply('/write y/../../a.md\nx')).toContain('INVALID_PATH')
  })

  it('is found by the name that it was read under, and by that of the file behind a link', async () => {
    const { reply, at, read } = place({ 'docs/real.md': 'r\n', 'b.md': 'b\n' })
    symlinkSync('real.md', at('docs/link.md'))
    await reply('/open docs/link.md')
    await reply('/open b.md')
    expect(await reply('/append link.md\nx')).toContain('Appended to: docs/link.md')
    expect(await reply('/append real.md\ny')).toContain('Appended to: docs/real.md')
    expect(read('docs/real.md')).toBe('r\nx\ny\n')
  })

  it('is not one that the topic only wrote: that a file was made elsewhere says nothing about the next', async () => {
    const { reply, read } = place()
    await reply('/write a/README.md\na')
    expect(await reply('/write README.md\ntop')).toBe('Written: README.md (4 bytes, 1 line)')
    expect(read('a/README.md')).toBe('a\n')
  })

  it('that is gone is CONFLICT, and nothing is written elsewhere', async () => {
    const { reply, at, read } = place({ 'docs/a.md': 'docs\n' })
    await reply('/open docs/a.md')
    await reply('/exec rm docs/a.md')
    expect(await reply('/write a.md\nx')).toContain('ERROR(CONFLICT): Someone else changed docs/a.md')
    expect(existsSync(at('a.md'))).toBe(false)
    expect(await reply('/write a.md --force\nx')).toBe('Written: docs/a.md (2 bytes, 1 line)')
    expect(read('docs/a.md')).toBe('x\n')
  })

  it('is what /verify shows, else what a reader finds', async () => {
    const { reply } = place({ '~/one/a.md': '# A\n\none\n', '~/two/b.md': '# B\n\ntwo\n', 'a.md': '# A\n\nmine\n' })
    await reply('/open ~/one/a.md')
    await reply('/open ~/two/b.md')
    expect(await reply('/verify a.md#a')).toBe('Verified a.md#a\n---\n# A\n\none\n')
    expect(await reply('/verify b.md#b')).toBe('Verified b.md#b\n---\n# B\n\ntwo\n')
  })
})

describe('every other spelling', () => {
  it('means what it says, whatever was read, and is shown as it was typed', async () => {
    const { reply, read, at } = place({ 'docs/a.md': 'docs\n', '~/a.md': 'home\n', 'a.md': 'mine\n' })
    await reply('/open docs/a.md')
    expect(await reply('/append ./a.md\nx')).toBe('Appended to: ./a.md (now 7 bytes)')
    expect(await reply('/append ~/a.md\nx')).toBe('Appended to: ~/a.md (now 7 bytes)')
    expect(await reply(`/append ${at('a.md')}\ny`)).toBe(`Appended to: ${at('a.md')} (now 9 bytes)`)
    expect([read('docs/a.md'), read('~/a.md'), read('a.md')]).toEqual(['docs\n', 'home\nx\n', 'mine\nx\ny\n'])
  })

  it('that is one folder above the document is NOT_FOUND, with the spelling that works', async () => {
    const { reply } = place({ '~/docs/guide.md': '# Guide\n', '~/docs/sub/index.md': '# Sub\n' })
    await reply('/open ~/docs/sub/index.md')
    expect(await reply('/open guide.md')).toBe(
      'ERROR(NOT_FOUND): File not found: guide.md\n  Did you mean ~/docs/guide.md?\n  /ls shows what exists',
    )
    expect(await reply('/open ../other.md')).not.toContain('mean')
    expect(await reply('/open ~/docs/guide.md')).toContain('# Guide')
  })

  it('that is not in the working directory but beside the document is NOT_FOUND, with the spelling that works', async () => {
    const { reply } = place({ '~/docs/index.md': '# Docs\n', '~/docs/sub/page.md': 'page\n', '~/up.md': 'up\n' })
    await reply('/open ~/docs/index.md')
    expect(await reply('/open ./sub/page.md')).toBe(
      'ERROR(NOT_FOUND): File not found: ./sub/page.md\n  Did you mean sub/page.md? It is there, seen from the open document\n  /ls shows what exists',
    )
    expect(await reply('/open ./sub/page.md#x')).toContain('Did you mean sub/page.md?')
    expect(await reply('/ls ./sub')).toContain('Did you mean sub?')
    expect(await reply('/open ../up.md')).toContain('Did you mean ~/up.md?')
    expect(await reply('/append ./sub/page.md\nx')).toContain('Did you mean ~/docs/sub/page.md?')
    expect(await reply('/open ./sub/none.md')).toBe(
      'ERROR(NOT_FOUND): File not found: ./sub/none.md\n  /ls shows what exists',
    )
    expect(await reply('/ls sub')).toContain('Listing sub/')
    expect(await reply('/open sub/page.md')).toBe('Opened sub/page.md\n---\npage\n')
  })
})

describe('save: of an action', () => {
  it('writes a bare name in the working directory, never over a file that was read or stands elsewhere', async () => {
    const action = '```act.keep\nCLI echo new\n```\n\n```act.keep.response\nsave: out.md\n```\n'
    const { reply, read } = place({
      '~/docs/index.md': action,
      '~/docs/out.md': 'docs\n',
      '~/out.md': 'home\n',
      '~/x/out.md': 'x\n',
    })
    await reply('/open ~/x/out.md')
    await reply('/open ~/docs/index.md')
    expect(await reply('/act.keep')).toContain('Saved: out.md')
    expect(['~/docs/out.md', '~/out.md', '~/x/out.md'].map(read)).toEqual(['docs\n', 'home\n', 'x\n'])
    expect(read('out.md')).toContain('new')
  })
})

describe('/write over a file', () => {
  it('says how many lines it replaced', async () => {
    const { reply } = place({ 'a.md': '1\n2\n3\n', 'b.md': '<!-- #x -->\n1\n2\n<!-- /x -->\n', 'c.md': '' })
    expect(await reply('/write a.md\nx')).toBe('Written: a.md (2 bytes, 1 line), replaced 3 lines')
    expect(await reply('/write ./b.md#x\nx')).toBe('Written: ./b.md#x (26 bytes, 3 lines), replaced 2 lines')
    expect(await reply('/write c.md\nx')).toBe('Written: c.md (2 bytes, 1 line), replaced 0 lines')
    expect(await reply('/write d.md\nx')).toBe('Written: d.md (2 bytes, 1 line)')
  })
})
