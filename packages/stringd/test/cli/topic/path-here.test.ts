import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { isPathHere } from '../../../src/cli/topic/path-here.ts'

it('a line of before names a file that is here, or none', () => {
  const [here, home] = [tempDir(), tempDir()]
  mkdirSync(join(here, 'docs'))
  writeFileSync(join(here, 'docs/a.md'), '')
  writeFileSync(join(home, 'todo.md'), '')
  const is = (line: string): boolean => isPathHere(line, { starts: [here], home })
  for (const line of [
    '/open docs/a.md',
    '//open ./docs/a.md#part',
    `/edit ${join(here, 'docs/a.md')}`,
    '/open ~/todo.md',
    '/ls docs/',
    '/open app',
    '/open https://example.com/x',
    '/open app:tasks',
    '/open #part',
    '/open @home',
    '/open "a b.md"',
    '/find a.b',
    '/write new.md',
  ])
    expect(is(line), line).toBe(true)
  for (const line of [
    '/open wide.md',
    '/open ./docs/b.md#part',
    '/edit /nowhere/a.md',
    '/open ~/gone.md',
    '/ls docs/x/',
  ])
    expect(is(line), line).toBe(false)
})
