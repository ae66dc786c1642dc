import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { diffLines, maxEdits } from '../../src/document/text/diff.ts'
import { splitLines } from '../../src/document/text/text-lines.ts'
import { UndoSteps } from '../../src/editing/undo-steps.ts'
import { testRuntime } from '../support/runtime.ts'

const MIB = 1024 * 1024

describe('S30: an edit counts its lines before it works on them', () => {
  it.each(['/edit a.txt', '/edit a.txt:L1\nx', '/append a.txt\nx', '/replace a.txt:L1\nx', '/verify a.txt#b'])(
    '%j refuses a file of line ends, in any number of topics',
    async (command) => {
      const { home, result } = testRuntime()
      writeFileSync(join(home, 'a.txt'), '\n'.repeat(5 * MIB))
      const results = await Promise.all(Array.from({ length: 6 }, (_, topic) => result(command, `t${topic}`)))
      for (const each of results) expect(each).toMatchObject({ ok: false, code: 'TOO_LARGE' })
      expect(statSync(join(home, 'a.txt')).size).toBe(5 * MIB)
    },
  )

  it('refuses a body of line ends, and a file that would have too many', async () => {
    const { home, result } = testRuntime()
    writeFileSync(join(home, 'a.txt'), '\n'.repeat(LIMITS.editedLines))
    expect(await result(`/write b.txt\n${'\n'.repeat(5 * MIB)}`)).toMatchObject({ code: 'TOO_LARGE' })
    expect(await result('/append a.txt\nx')).toMatchObject({ code: 'TOO_LARGE' })
    expect(await result('/replace a.txt:L1\nx')).toMatchObject({ ok: true })
  })

  it('compares no more pairs of lines than there is a limit for, and still shows what changed', () => {
    expect(maxEdits(1_000)).toBe(500)
    expect(maxEdits(2 * LIMITS.editedLines) * 2 * LIMITS.editedLines).toBeLessThanOrEqual(LIMITS.diffSteps)
    const same = 'a\n'.repeat(100_000)
    const diff = diffLines(splitLines(`X\n${same}U\n`), splitLines(`Y\n${same}V\n`), { from: 0, to: 200_000 })
    expect(diff).toMatchObject({ added: 2, removed: 2 })
  })

  it('/replace counts the places and the new size first', async () => {
    const { home, result } = testRuntime()
    const text = 'a'.repeat(MIB)
    writeFileSync(join(home, 'a.txt'), text)
    expect(await result('/replace a.txt --all\na\n---\nb')).toMatchObject({ code: 'TOO_LARGE' })
    expect(await result('/replace a.txt\na\n---\nb')).toMatchObject({ code: 'TOO_LARGE' })
    writeFileSync(join(home, 'a.txt'), 'a'.repeat(LIMITS.replacedPlaces))
    const grown = `/replace a.txt --all --force\na\n---\n${'b'.repeat(100_000)}`
    expect(await result(grown)).toMatchObject({ code: 'TOO_LARGE' })
    expect(readFileSync(join(home, 'a.txt'), 'utf8')).toBe('a'.repeat(LIMITS.replacedPlaces))
  })
})

describe('S31: what edits replaced', () => {
  it('has a total over all topics, of which the oldest are let go', () => {
    const undos = new UndoSteps()
    const sessions = Array.from({ length: 60 }, (_, number) => ({ number }))
    for (const session of sessions) undos.set(session, { path: '/a', before: Buffer.alloc(5 * MIB), after: '' })
    const kept = sessions.filter((session) => undos.of(session) !== 'dropped')
    expect(kept).toEqual(sessions.slice(-12))
    for (const session of sessions) undos.forget(session)
    expect(sessions.map((session) => undos.of(session))).toEqual(sessions.map(() => 'none'))
  })

  it('is told by /undo when it is no longer there', async () => {
    const { home, result } = testRuntime()
    for (let topic = 0; topic < 8; topic += 1) {
      writeFileSync(join(home, `${topic}.txt`), `a\n${'x'.repeat(9 * MIB)}`)
      expect(await result(`/replace ${topic}.txt:L1\nb`, `t${topic}`)).toMatchObject({ ok: true })
    }
    expect(await result('/undo', 't0')).toMatchObject({
      code: 'NOTHING_TO_UNDO',
      system: 'The last edit of this topic is no longer kept: later edits of other topics needed the room',
    })
    expect(await result('/undo', 't7')).toMatchObject({ ok: true })
    expect(await result('/undo', 't7')).toMatchObject({
      system: expect.stringContaining('taken back already') as string,
    })
  })
})
