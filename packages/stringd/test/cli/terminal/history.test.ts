import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { openHistory } from '../../../src/cli/terminal/editor/history.ts'

const unexpected = (text: string): never => {
  throw new Error(text)
}

describe('the history of chats', () => {
  it('keeps lines over restarts, newest first, for their owner alone', async () => {
    const dir = join(tempDir(), 'data')
    const first = await openHistory(dir, 'chat-history', unexpected)
    expect(first.entries).toEqual([])
    first.add('one')
    first.add('two')
    expect((await openHistory(dir, 'chat-history', unexpected)).entries).toEqual(['two', 'one'])
    expect(statSync(join(dir, 'chat-history')).mode & 0o777).toBe(0o600)
  })

  it('leaves out blank and very long lines', async () => {
    const dir = tempDir()
    const history = await openHistory(dir, 'chat-history', unexpected)
    for (const line of ['', '  ', 'x'.repeat(LIMITS.inputHistoryChars + 1), 'kept']) history.add(line)
    expect((await openHistory(dir, 'chat-history', unexpected)).entries).toEqual(['kept'])
  })

  it('keeps several lines as one entry, and a line that looks like such an entry as it was typed', async () => {
    const dir = tempDir()
    const history = await openHistory(dir, 'topic-history', unexpected)
    const entries = ['/write a\nb\n\nc', '"a\\nb"', '"', 'plain']
    for (const entry of entries) history.add(entry)
    expect((await openHistory(dir, 'topic-history', unexpected)).entries).toEqual(entries.toReversed())
  })

  it('remembers what was a mistake until it is typed to some use, and nothing more of what it does not keep', async () => {
    const dir = tempDir()
    const history = await openHistory(dir, 'topic-history', unexpected)
    for (const entry of ['/open --bogus', '/opne\nx', '{"refused":"/open"}', '/open']) history.add(entry)
    for (const entry of ['/open --bogus', '/opne\nx', '/set $KEY = x']) history.refuse(entry)
    const later = await openHistory(dir, 'topic-history', unexpected)
    expect(later.entries).toEqual(['/open', '{"refused":"/open"}', '/opne\nx', '/open --bogus'])
    expect([...later.refused]).toEqual(['/open --bogus', '/opne\nx'])
    later.add('/open --bogus')
    expect([...(await openHistory(dir, 'topic-history', unexpected)).refused]).toEqual(['/opne\nx'])
  })

  it('keeps no line that sets a stored variable', async () => {
    const dir = tempDir()
    const history = await openHistory(dir, 'topic-history', unexpected)
    for (const entry of ['/set $KEY = "x"', '//set $KEY = x', '/set\n$KEY = x', '/set {city} = "Seoul"'])
      history.add(entry)
    expect((await openHistory(dir, 'topic-history', unexpected)).entries).toEqual(['/set {city} = "Seoul"'])
  })

  it('lines of two chats at once are all kept', async () => {
    const dir = tempDir()
    const [a, b] = [
      await openHistory(dir, 'chat-history', unexpected),
      await openHistory(dir, 'chat-history', unexpected),
    ]
    a.add('from a')
    b.add('from b')
    a.add('again a')
    expect((await openHistory(dir, 'chat-history', unexpected)).entries).toEqual(['again a', 'from b', 'from a'])
  })

  it('offers the last lines only, and shortens a file that has grown to more than twice as many', async () => {
    const dir = tempDir()
    const path = join(dir, 'chat-history')
    const lines = Array.from({ length: 2 * LIMITS.inputHistoryEntries + 1 }, (_, index) => `line ${index}`)
    writeFileSync(path, `${lines.join('\n')}\n`)
    const history = await openHistory(dir, 'chat-history', unexpected)
    expect(history.entries).toHaveLength(LIMITS.inputHistoryEntries)
    expect(history.entries[0]).toBe(lines.at(-1))
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(LIMITS.inputHistoryEntries + 1)
  })

  it('a history that cannot be read is a warning, and the chat goes on', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'chat-history'))
    const warnings: string[] = []
    const history = await openHistory(dir, 'chat-history', (text) => warnings.push(text))
    history.add('x')
    expect(history.entries).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('is no file')])
  })
})
