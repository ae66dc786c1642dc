import { LIMITS, parseTopic } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import type { Place } from '../../src/files/workspace.ts'
import type { Address } from '../../src/library/address.ts'
import { type DocumentFacts, type OpenDocument, Session } from '../../src/session/session.ts'

function newSession(): Session {
  const topic = parseTopic('main')
  if (topic === null) throw new Error('main is a topic')
  return new Session(topic, new Date('2026-01-01T00:00:00Z'))
}

const place = (path: string, real = path): Place => ({ ok: true, path, real, exists: true, stat: null })
const page = (url: string, block: string | null = null): Address => ({ ok: true, kind: 'web', url, from: null, block })
const file = (path: string): Address => ({ ok: true, kind: 'file', place: place(path), block: null })

const FACTS: DocumentFacts = { actions: [], menus: [], blocks: [], warnings: [], page: 1, pages: 1 }

const opened = (address: Address, facts: Partial<DocumentFacts> = {}): OpenDocument => ({
  address,
  uri: 'uri:x',
  title: 'X',
  folder: null,
  source: false,
  facts: { ...FACTS, ...facts },
})

describe('a session', () => {
  it('begins with nothing open, and says since when it is', () => {
    const session = newSession()
    expect(session.document).toBeNull()
    expect(session.since).toBe('2026-01-01T00:00:00.000Z')
    expect(session).toMatchObject({ history: [], mode: null, closed: false, isKnown: false })
  })
})

describe('showing a document', () => {
  it('keeps the one before, so that one can go back', () => {
    const session = newSession()
    for (const name of ['a', 'b', 'c']) session.show(opened(page(`https://e.test/${name}`)))
    expect(session.history).toEqual([page('https://e.test/a'), page('https://e.test/b')])
  })

  it('keeps nothing where it is the same document and block again', () => {
    const session = newSession()
    session.show(opened(page('https://e.test/a')))
    session.show(opened(page('https://e.test/a')))
    expect(session.history).toEqual([])
    session.show(opened(page('https://e.test/a', 'part')))
    expect(session.history).toEqual([page('https://e.test/a')])
  })

  it('forgets the oldest of very many', () => {
    const session = newSession()
    for (let index = 0; index < LIMITS.historyEntries + 3; index += 1)
      session.show(opened(page(`https://e.test/${index}`)))
    expect(session.history).toHaveLength(LIMITS.historyEntries)
    expect(session.history[0]).toEqual(page('https://e.test/2'))
  })

  it('ends editing', () => {
    const session = newSession()
    session.mode = 'edit'
    session.show(opened(page('https://e.test/a')))
    expect(session.mode).toBeNull()
  })
})

describe('what a session has seen of files', () => {
  it('is nothing at first, then what it last read or wrote there, by where the file really is', () => {
    const session = newSession()
    const link = place('/w/link.md', '/w/a.md')
    expect(session.printOf(place('/w/a.md'))).toBeUndefined()
    session.hasRead(link, 'one')
    expect(session.printOf(place('/w/a.md'))).toBe('one')
    session.hasWritten(place('/w/a.md'), 'two')
    expect(session.printOf(link)).toBe('two')
    session.hasWritten(link, null)
    expect(session.printOf(link)).toBeNull()
  })

  it('keeps the print of the whole when only a part is shown later, and has none before', () => {
    const session = newSession()
    session.hasRead(place('/w/a.md'))
    expect(session.printOf(place('/w/a.md'))).toBeUndefined()
    session.hasRead(place('/w/a.md'), 'one')
    session.hasRead(place('/w/a.md'))
    expect(session.printOf(place('/w/a.md'))).toBe('one')
  })

  it('of very many is forgotten for the one longest not touched', () => {
    const session = newSession()
    for (let index = 0; index < LIMITS.seenFiles; index += 1) session.hasRead(place(`/w/${index}`), 'print')
    session.hasRead(place('/w/0'), 'again')
    session.hasRead(place('/w/new'), 'print')
    expect(session.printOf(place('/w/0'))).toBe('again')
    expect(session.printOf(place('/w/1'))).toBeUndefined()
    expect(session.printOf(place('/w/2'))).toBe('print')
  })
})

describe('a file that is meant by its name', () => {
  it('is the open one, then the one read last, with as many folders as were named', () => {
    const session = newSession()
    session.hasRead(place('/w/x/a.md'), 'p')
    session.hasRead(place('/w/y/a.md'), 'p')
    expect(session.fileNamed('a.md')).toBe('/w/y/a.md')
    expect(session.fileNamed('x/a.md')).toBe('/w/x/a.md')
    expect(session.fileNamed('./x/../y/a.md')).toBe('/w/y/a.md')
    session.show(opened(file('/w/x/a.md')))
    expect(session.fileNamed('a.md')).toBe('/w/x/a.md')
  })

  it('is none that was only written, and none whose name merely ends like it', () => {
    const session = newSession()
    session.hasWritten(place('/w/new.md'), 'p')
    session.hasRead(place('/w/data.md'), 'p')
    expect(session.fileNamed('new.md')).toBeNull()
    expect(session.fileNamed('a.md')).toBeNull()
  })

  it('is still one that was read and then written', () => {
    const session = newSession()
    session.hasRead(place('/w/a.md'), 'p')
    session.hasWritten(place('/w/a.md'), 'q')
    expect(session.fileNamed('a.md')).toBe('/w/a.md')
  })

  it('may be named as it is linked or as it is', () => {
    const session = newSession()
    session.hasRead(place('/w/link.md', '/real/b.md'), 'p')
    expect(session.fileNamed('link.md')).toBe('/w/link.md')
    expect(session.fileNamed('b.md')).toBe('/real/b.md')
  })
})

describe('the folders of a session', () => {
  it('are the working directories that callers sent, of very many the latest', () => {
    const session = newSession()
    for (let index = 0; index < LIMITS.workingDirs; index += 1) session.allow(`/w/${index}`)
    session.allow('/w/0')
    session.allow('/w/new')
    expect(session.workingDirs.size).toBe(LIMITS.workingDirs)
    expect([session.workingDirs.has('/w/0'), session.workingDirs.has('/w/1')]).toEqual([true, false])
  })

  it('forget what passed the guard when the agent is another', () => {
    const session = newSession()
    const [before, after] = [{}, {}]
    session.located(before).set('/w/a', place('/w/a'))
    expect(session.located(before).size).toBe(1)
    expect(session.located(after).size).toBe(0)
    expect(session.located(before).size).toBe(0)
  })
})

describe('values under @names', () => {
  const stem = (name: string) => name.split('.')[0] ?? ''

  it('take the place of all that their stem had before', () => {
    const session = newSession()
    session.keepValues(
      [
        ['list.1', 'a'],
        ['list.2', 'b'],
        ['other', 'c'],
      ],
      stem,
    )
    session.keepValues([['list.1', 'd']], stem)
    expect([...session.values]).toEqual([
      ['other', 'c'],
      ['list.1', 'd'],
    ])
  })

  it('of very many are the latest', () => {
    const session = newSession()
    session.keepValues([['first', 'a']], stem)
    session.keepValues(
      Array.from({ length: LIMITS.valueShortcuts }, (_, index) => [`n${index}`, 'b'] as const),
      stem,
    )
    expect(session.values.size).toBe(LIMITS.valueShortcuts)
    expect(session.values.has('first')).toBe(false)
  })
})
