import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** A terminal obeys these, and a reader does not see them; a line end or tab is what it seems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

const EVIL = 'a\x1b]0;title\x07\x1b[2J\r\u202e\x9b31mb'

describe('S24: control characters and escape sequences', () => {
  it('are made visible in lists of files and topics', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, `${EVIL}.md`), '')
    writeFileSync(join(home, 'line\nend.md'), '')
    mkdirSync(join(home, `dir${EVIL}`))
    for (const command of ['/ls', '/ls --all', '/open .']) {
      const { body } = await exec(port, command)
      expect(body).not.toMatch(UNSEEN)
      expect(body).toContain('\\x1b]0;title\\x07')
      expect(body).toContain('line\\nend.md')
    }
    expect((await exec(port, '/topics')).body).not.toMatch(UNSEEN)
  })

  it('are made visible in error lines and in the re: line', async () => {
    const { port, log } = await startTestDaemon()
    const commands = [`/open ${EVIL}`, `/${EVIL}`, `/help ${EVIL}`, `/ls ${EVIL}`, `/open @${EVIL}`, `/open #${EVIL}`]
    const more = [`/nav ${EVIL}`, `/edit ${EVIL}`, `/open x --${EVIL}`, `/set {${EVIL}} = "x"`, `/topics ${EVIL}`, EVIL]
    for (const command of [...commands, ...more]) {
      const { head, content } = await exec(port, command)
      expect(head.ok, JSON.stringify(command)).toBe(false)
      expect(content, JSON.stringify(command)).not.toMatch(UNSEEN)
    }
    for (const line of log) expect(line.trimEnd()).not.toMatch(UNSEEN)
  })

  it('are made visible in errors over HTTP', async () => {
    const { port } = await startTestDaemon()
    const replies = [
      await call(port, 'GET', `/${encodeURIComponent(EVIL)}`),
      await call(port, 'POST', '/agents', { body: { agent_id: EVIL } }),
      await call(port, 'POST', '/sessions', { body: { agent_id: 'default', topic: EVIL } }),
      await call(port, 'DELETE', `/sessions/default/${encodeURIComponent(EVIL)}`),
      await call(port, 'GET', `/sessions?agent_id=${encodeURIComponent(EVIL)}`),
    ]
    for (const { status, json } of replies) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect((json as { error: string }).error).not.toMatch(UNSEEN)
    }
  })

  it('are gone from what a shell prints, of every kind', async () => {
    const { port } = await startTestDaemon()
    const print = "printf 'one\\033[31mred\\033[0m\\033]0;t\\007 two\\007\\033[2K\\302\\233x\\033Pq\\033\\\\ end\\n'"
    for (const [command, topic] of [
      [`/exec ${print}`, 'main'],
      [print, 'bash:dev'],
    ] as const) {
      const { body } = await exec(port, command, { topic })
      expect(body).not.toMatch(UNSEEN)
      expect(body).toContain(' end')
    }
  })

  it('are made visible in the pages of hubs and in what /info tells', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(
      join(home, 'x\x1b[31m.md'),
      '---\ntitle: "a\\u001b[31mb"\n---\n<!-- #b -->\n[!nav:m](x\x1b.md) [la\x1b[31mbel](a.md)\n',
    )
    const done = [
      '/open "x\x1b[31m.md"',
      '/edit "x\x1b[31m.md"',
      '/write "y\x1b.md"\ntext',
      '/append "y\x1b.md"\ntext',
      '/undo',
    ]
    for (const command of done) {
      const [re, system] = (await exec(port, command)).content.split('\n')
      expect(`${re}${system}`, JSON.stringify(command)).not.toMatch(UNSEEN)
    }
    await exec(port, '/open "x\x1b[31m.md"')
    await exec(port, `/nope\x1b[31m`)
    for (const command of [
      '/info',
      '/nav',
      '/nav page',
      '/nav --resolve',
      '/topics',
      '/open system',
      '/open agent',
      '/open bash',
    ])
      expect((await exec(port, command)).body, command).not.toMatch(UNSEEN)
  })
})
