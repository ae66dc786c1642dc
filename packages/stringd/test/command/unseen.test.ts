import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'

/** Zero-width, soft hyphen, direction, tag, filler, selector and control characters: none of them is seen. */
const HIDDEN = ['\u200b', '\u200d', '\u2060', '\u00ad', '\u202e', '\u{e0041}', '\u3164', '\ufe01', '\x1b', '\x9b']
const EVIL = HIDDEN.join('x')
const UNSEEN = new RegExp(`[${HIDDEN.join('')}]`, 'u')
const SHOWN = '\\u200bx\\u200dx\\u2060x\\xadx\\u202ex\\u{e0041}x\\u3164x\\ufe01x\\x1bx\\x9b'

const DOCUMENT = `---
title: "T${EVIL.replace('\x1b', '\\e').replace('\x9b', '\\x9b')}"
description: "D${EVIL.replace('\x1b', '\\e').replace('\x9b', '\\x9b')}"
name: app
env:
  - KEY: "K\u200b\u{e0041}"
---
# T

[la\u200b\u{e0041}bel](a.md)

\`\`\`act.go
CLI echo {f} \u200b\u{e0041}
  f: string (a\u200b|b\u{e0041}) "about \u200b\u{e0041}" = "a\u200b"
\`\`\`

\`\`\`act.bad
GET http://x/ -X\u200b\u{e0041}
\`\`\`
`

describe('S35: text that nobody can see', () => {
  it('is shown in every list, help, title, plan and error', async () => {
    const { reply, put, home } = await appPlace()
    writeFileSync(join(home, `n${EVIL}.md`), '# N')
    put({ 'app.md': DOCUMENT, 'tools/t.md': DOCUMENT })
    expect(await reply('/ls')).toContain(`n${SHOWN}.md`)
    await reply('/install app.md')
    const commands = ['/install app.md', '/open app', '/open tool', '/tool:t --help', '/tool:t', '/topics', '/ls']
    for (const command of commands) expect(await reply(command), command).not.toMatch(UNSEEN)
    await reply(`/open "n${EVIL}.md"`)
    for (const command of ['/info', '/topics', '/open agent', '/open system', '/nope\u200b\u{e0041}'])
      expect(await reply(command), command).not.toMatch(UNSEEN)
    const inApp = [
      '/info',
      '/act',
      '/act --help',
      '/act.go --help',
      '/act.go z',
      '/act.bad',
      '/nav page',
      `/open @${EVIL}`,
    ]
    for (const command of inApp) expect(await reply(command, 'app:app'), command).not.toMatch(UNSEEN)
    expect(await reply('/act', 'app:app')).toContain('[[--f] a\\u200b|b\\u{e0041}]')
    expect(await reply('/install app.md')).toContain('`echo {f} \\u200b\\u{e0041}`')
  })

  it('stays in the content of a document, which says how much of it there is and where', async () => {
    const { run, put } = await appPlace()
    const text = '# Title\n\nzero\u200bwidth and \u{e0041}tag\nsoft\u00adhyphen\n'
    put({ 'a.md': text, 'a.txt': text, 'b.md': '\ufeff# Plain 👩‍💻 ❤️\r\n\ttab\n' })
    for (const file of ['a.md', 'a.txt']) {
      const { body } = await run(`/open ${file}`)
      expect(body).toContain('zero\u200bwidth and \u{e0041}tag\nsoft\u00adhyphen')
      expect((await run('/info')).body).toContain('warning: line 3: 3 characters that cannot be seen')
    }
    await run('/open b.md')
    expect((await run('/info')).body).not.toContain('cannot be seen')
  })
})
