import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { killDaemon, type Place, stringPlace } from '../support/cli.ts'

const APP = `---
name: notes
title: Notes
default: list
---
# My notes

[Help](pages/help.md)

\`\`\`act.add
CLI echo {text}
  text: string (required)
\`\`\`

\`\`\`act.list
CLI echo nothing yet
\`\`\`
`

async function withApp(...flags: string[]): Promise<Place> {
  const place = stringPlace()
  mkdirSync(join(place.dir, 'apps/notes/pages'), { recursive: true })
  writeFileSync(join(place.dir, 'apps/notes/string.md'), APP)
  writeFileSync(join(place.dir, 'apps/notes/pages/help.md'), '# Help\n')
  expect((await place.string(['app', 'install', ...flags, './apps/notes'])).status).toBe(0)
  return place
}

describe('the prompt of an app', () => {
  it.each([
    ['a copy', []],
    ['a link', ['--link']],
  ])('of %s begins with its first page, and names its documents as the app does', async (_how, flags) => {
    const place = await withApp(...flags)
    const terminal = openTerminal(place, ['app:notes'])
    await terminal.shows(
      /My notes\n[\s\S]*nothing yet\n\(\/act\.add, \/act\.list: \/act --help tells what each takes\)\napp:notes string\.md>$/,
    )
    terminal.type('/open pages/help.md\r')
    await terminal.shows(/Help\napp:notes pages\/help\.md>$/)
    terminal.type('/open\r')
    await terminal.shows(/nothing yet\napp:notes string\.md>$/)
    terminal.type('/topic main\r')
    await terminal.shows(/main \S+>$/)
    // Nothing runs where a document is open.
    terminal.type('/topic app:notes\r')
    await terminal.shows(
      /\/topic app:notes\nNotes\n\(\/act\.add, \/act\.list: .*; \/open\s+shows the first page\)\napp:notes string\.md>$/,
    )
    terminal.type('/quit\r')
    expect(await terminal.exited).toBe(0)
  })

  it('names the actions that its document has now', async () => {
    const place = await withApp('--link')
    await place.string(['app:notes', '/open'])
    writeFileSync(join(place.dir, 'apps/notes/string.md'), APP.replace('act.add', 'act.keep'))
    const terminal = openTerminal(place, ['app:notes'])
    await terminal.shows(/Notes\n\(\/act\.keep, \/act\.list: .*\napp:notes string\.md>$/)
    terminal.type('/quit\r')
    expect(await terminal.exited).toBe(0)
  })

  it('opens the same document again where another daemon answers', async () => {
    const place = await withApp()
    const terminal = openTerminal(place, ['app:notes'])
    await terminal.shows(/app:notes string\.md>$/)
    terminal.type('/open pages/help.md\r')
    await terminal.shows(/app:notes pages\/help\.md>$/)
    await killDaemon(place)
    terminal.type('/info\r')
    await terminal.shows(/pages\/help\.md was opened again[\s\S]*app:notes pages\/help\.md>$/)
  })

  it('says how an app is installed that is not', async () => {
    const terminal = openTerminal(stringPlace(), ['app:nothing'])
    await terminal.shows(/ERROR\(NOT_FOUND\)[\s\S]*app:nothing \S+>$/)
  })
})
