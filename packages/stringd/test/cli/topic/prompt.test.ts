import { parseTopic } from '@string-os/protocol'
import { expect, it } from 'vitest'
import { promptOf } from '../../../src/cli/topic/prompt.ts'

it('a place takes no more than half of a narrow window, and its end is what is shown', () => {
  const topic = parseTopic('main')
  if (topic === null) throw new Error('main is a topic')
  const where = { cwd: '/srv/projects/string/packages/stringd/src', shellStart: '/', line: null, home: null }
  const shown = (columns: number): string =>
    promptOf({ topic, document: null, shell: null }, where, columns)
      .map(({ text }) => text)
      .join('')
  expect(shown(100)).toBe('main …/projects/string/packages/stringd/src> ')
  expect(shown(40)).toBe('main …/stringd/src> ')
  expect(shown(10)).toBe('main …/src> ')
})
