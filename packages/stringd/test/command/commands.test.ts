import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HUBS, LIMITS } from '@string-os/protocol'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { SYNONYM_NAMES, synonymHint } from '../../src/command/synonyms.ts'
import { COMMANDS } from '../../src/command/table.ts'
import { startTestDaemon } from '../support/daemon.ts'

describe('/help', () => {
  it('lists every command of the table, in at most 900 tokens', async () => {
    const { port } = await startTestDaemon()
    const { body } = await exec(port, '/help')
    expect(body).toMatch(/^String Commands\n---\n/)
    for (const { name } of COMMANDS) expect(body).toContain(`\`/${name}`)
    expect(countTokens(body)).toBeLessThanOrEqual(900)
  })

  it('tells which topics there are, and where every hub is', async () => {
    const { port } = await startTestDaemon()
    const { body } = await exec(port, '/help')
    for (const hub of HUBS) expect(body).toContain(`/open ${hub}\``)
    for (const kind of ['bash:NAME', 'app:NAME']) expect(body).toContain(kind)
  })

  it('explains one command with its flags and examples, by name or alias, with or without a slash', async () => {
    const { port } = await startTestDaemon()
    expect((await exec(port, '/help ls')).body).toMatchInlineSnapshot(`
      "String Commands
      ---
      \`/ls [PATH] [--all]\`

      List a folder.
      Without a path: your working directory, else the folder of the open document; in an app, its folder.

      - \`--all\`, \`-a\`: hidden entries too

      Examples:

          /ls
          /ls ~/notes
          /ls --all ./"
    `)
    expect((await exec(port, '/help /sessions')).body).toContain('`/topics [TYPE]`')
    expect((await exec(port, '/help opne')).body).toBe(
      'ERROR(COMMAND_UNKNOWN): Unknown command: /opne\n  Did you mean /help open?',
    )
  })

  it('is what --help behind a command alone asks for, in a shell too; with a body it is a flag like others', async () => {
    const { port } = await startTestDaemon()
    for (const { name, suffix } of COMMANDS) {
      // These have more to tell than their row.
      if (suffix !== undefined) continue
      const asked = await exec(port, `/${name} --help`)
      expect(asked.body, name).toBe((await exec(port, `/help ${name}`)).body)
      expect(asked.head.ok, name).toBe(true)
    }
    expect((await exec(port, '//wait --help', { topic: 'bash:x' })).body).toContain('`//wait [SECONDS]`')
    expect((await exec(port, '//help wait', { topic: 'bash:x' })).body).toContain('`//wait [SECONDS]`')
    expect((await exec(port, '//help open', { topic: 'bash:x' })).body).toContain('//open --help explains')
    expect((await exec(port, '//open --help', { topic: 'bash:x' })).body).toContain('`//open ')
    expect((await exec(port, '/write --help\ntext')).head.code).toBe('INVALID_PARAMS')
  })

  it('has an example and a summary for every command', () => {
    for (const { name, summary, examples } of COMMANDS) {
      expect(summary, name).toMatch(/^[A-Z]/)
      expect(examples.length, name).toBeGreaterThan(0)
    }
  })
})

describe('an unknown command', () => {
  it('is COMMAND_UNKNOWN and suggests the nearest', async () => {
    const { port } = await startTestDaemon()
    expect((await exec(port, '/opne x')).body).toBe(
      'ERROR(COMMAND_UNKNOWN): Unknown command: /opne\n  Did you mean /open?\n  /help lists all commands',
    )
    // What is only like the name of a program means none.
    for (const nothing of ['/zzzzzz', '/nope'])
      expect((await exec(port, nothing)).body).toBe(
        `ERROR(COMMAND_UNKNOWN): Unknown command: ${nothing}\n  /help lists all commands`,
      )
  })

  it('says what does here what other programs do by another name', async () => {
    const { port } = await startTestDaemon()
    const hints = [
      ['/cat notes.md', 'To read a file or a page: /open notes.md'],
      ['/grep -rn x .', 'To search files: /find TEXT'],
      ['/search TODO', 'To search files: /find TODO'],
      ['/vim a.md', 'To see a file with line numbers, or change it: /edit a.md'],
      ['/rm a.md', 'To run a program: /exec rm a.md'],
      ['/delete a.md', 'To run a program: /exec rm a.md'],
      ['/run', 'To run a program: /exec COMMAND'],
      ['/cd docs', 'Paths start where the caller is; what keeps a folder is a shell, in a topic bash:NAME'],
      ['/pwd', 'To see where you are: /info'],
      ['/next', 'To see another page of a long document: /open --page 2'],
      ['/quit', 'A prompt is left with Ctrl-D; to end the session of this topic: /close'],
    ] as const
    for (const [typed, hint] of hints) expect((await exec(port, typed)).body.split('\n')[1], typed).toBe(`  ${hint}`)
  })

  it('has no synonym that is a command itself, and leads to commands alone', () => {
    const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    for (const synonym of SYNONYM_NAMES) {
      expect(names).not.toContain(synonym)
      const [, command = 'help'] = /: \/([\w.]+)(?: .*)?$/.exec(synonymHint(synonym, '', '/') ?? '') ?? []
      expect(names, synonym).toContain(command)
    }
  })
})

describe('/open', () => {
  it('shows a file and names it as it was typed', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'my notes.md'), 'Hi ☃\n')
    expect((await exec(port, "/open '~/my notes.md'")).body).toBe('Opened ~/my notes.md\n---\nHi ☃\n')
  })

  it('opens string.md, index.md or README.md of a folder, else lists it', async () => {
    const { port, home } = await startTestDaemon()
    for (const folder of ['a', 'b', 'c', 'd/sub']) mkdirSync(join(home, folder), { recursive: true })
    writeFileSync(join(home, 'a/README.md'), 'readme')
    writeFileSync(join(home, 'a/index.md'), 'index')
    writeFileSync(join(home, 'a/string.md'), 'string')
    writeFileSync(join(home, 'b/README.md'), 'readme')
    writeFileSync(join(home, 'b/index.md'), 'index')
    writeFileSync(join(home, 'd/x.txt'), '12345')
    expect((await exec(port, '/open a/')).body).toBe('Opened a/\n---\nstring')
    expect((await exec(port, '/open b')).body).toBe('Opened b\n---\nindex')
    expect((await exec(port, '/open c')).body).toBe('Opened c\n---\n(empty)')
    const { body, head } = await exec(port, '/open d')
    expect(body).toBe('Opened d\n---\nsub/\nx.txt  5 B')
    expect(head.meta?.uri).toBe(`file://${home}/d/`)
    expect((await exec(port, '/open x.txt')).body).toBe('Opened x.txt\n---\n12345')
  })

  it('needs a target', async () => {
    const { port } = await startTestDaemon()
    expect((await exec(port, '/open')).head.code).toBe('USAGE')
  })

  it('starts ./ at the cwd that was sent, which stays allowed in that topic until /close', async () => {
    const { port, dir } = await startTestDaemon()
    const work = join(dir, 'work')
    mkdirSync(work)
    writeFileSync(join(work, 'x.md'), 'X')
    const path = join(work, 'x.md')
    expect((await exec(port, '/open ./x.md', { cwd: work })).body).toBe('Opened ./x.md\n---\nX')
    expect((await exec(port, `/open ${path}`)).head.ok).toBe(true)
    expect((await exec(port, `/open ${path}`, { topic: 'other' })).head.code).toBe('INVALID_PATH')
    await exec(port, '/close')
    expect((await exec(port, `/open ${path}`)).head.code).toBe('INVALID_PATH')
  })

  it('S20: reads regular files only, and none over 10 MiB', async () => {
    const { port, home } = await startTestDaemon()
    execFileSync('mkfifo', [join(home, 'pipe')])
    writeFileSync(join(home, 'large.md'), Buffer.alloc(LIMITS.documentBytes + 1, 'x'))
    writeFileSync(join(home, 'binary'), Buffer.from([1, 0, 2]))
    writeFileSync(join(home, 'secret.md'), '', { mode: 0o000 })
    symlinkSync('loop', join(home, 'loop'))
    expect((await exec(port, '/open pipe')).head.code).toBe('LOAD_ERROR')
    expect((await exec(port, '/open large.md')).head.code).toBe('TOO_LARGE')
    expect((await exec(port, '/open binary')).body).toBe('Opened binary\n---\n(Binary file, 3 B)')
    expect((await exec(port, '/open loop')).head.code).toMatch(/NOT_FOUND|INVALID_PATH/)
    expect((await exec(port, '/open a/b/c')).head.code).toBe('NOT_FOUND')
  })

  it.each(['file:///etc/passwd', 'data://x', 'FTP://x'])('refuses the address %s', async (target) => {
    const { port } = await startTestDaemon()
    expect((await exec(port, `/open ${target}`)).head.code).toBe('INVALID_TARGET')
  })
})

describe('/ls', () => {
  it('lists folders first, with sizes, hidden entries only with --all, temporary files never', async () => {
    const { port, home } = await startTestDaemon()
    mkdirSync(join(home, 'z'))
    writeFileSync(join(home, 'a.md'), 'x'.repeat(1536))
    writeFileSync(join(home, '.hidden'), '')
    writeFileSync(join(home, '.a.md.string-tmp-1'), '')
    writeFileSync(join(home, 'evil\x1b[31m\nname'), '')
    symlinkSync('nowhere', join(home, 'broken'))
    expect((await exec(port, '/ls')).body).toBe(
      'Listing ~/\n---\nz/\na.md  1.5 KB\nbroken  (link)\nevil\\x1b[31m\\nname  0 B',
    )
    expect((await exec(port, '/ls ~ --all')).body).toContain('.hidden  0 B')
    expect((await exec(port, '/ls ~ --all')).body).not.toContain('string-tmp')
    expect((await exec(port, '/ls z')).body).toBe('Listing z/\n---\n(empty)')
    expect((await exec(port, '/ls z//')).body).toBe('Listing z/\n---\n(empty)')
  })

  it('S13: tells nothing of what a link outside the workspace leads to', async () => {
    const { port, home, dir } = await startTestDaemon()
    writeFileSync(join(dir, 'secret'), '12345')
    symlinkSync(join(dir, 'secret'), join(home, 'out'))
    symlinkSync('/etc', join(home, 'folder'))
    writeFileSync(join(home, 'a.md'), 'x')
    symlinkSync('a.md', join(home, 'in'))
    expect((await exec(port, '/ls')).body).toBe('Listing ~/\n---\na.md  1 B\nfolder  (link)\nin  1 B\nout  (link)')
  })

  it('says what is no folder, not there, or outside', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '')
    expect((await exec(port, '/ls a.md')).head.code).toBe('INVALID_TARGET')
    expect((await exec(port, '/ls nope')).head.code).toBe('NOT_FOUND')
    expect((await exec(port, '/ls /')).head.code).toBe('INVALID_PATH')
  })

  it('cuts a very long listing and says how much is left', async () => {
    const { port, home } = await startTestDaemon()
    for (let index = 0; index < LIMITS.listedEntries + 5; index += 1) writeFileSync(join(home, `f${index}`), '')
    expect((await exec(port, '/ls')).body).toMatch(/\n… and 5 more$/)
  })
})

describe('/info, /topics and /close', () => {
  it('/info tells topic, agent, folders, document and since when', async () => {
    const { port, home } = await startTestDaemon()
    const { body } = await exec(port, '/info', { topic: 'web:docs' })
    expect(body.replace(/since: .*/, 'since: NOW')).toBe(
      `Session info\n---\ntopic: web:docs (tab)\nagent: default\nhome: ${home}\ncwd: ${home}\nuri: (no document)\nsince: NOW`,
    )
  })

  it('/topics lists the sessions of this agent, by type when asked', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '')
    await exec(port, '/open a.md')
    await exec(port, '/info', { topic: 'app:x' })
    expect((await exec(port, '/topics app')).body).toBe('Topics\n---\n- app:x (app)')
    expect((await exec(port, '/sessions')).body).toBe(
      `Topics\n---\n- main (tab) · file://${home}/a.md · running\n- app:x (app)`,
    )
    expect((await exec(port, '/topics nope')).head.code).toBe('INVALID_PARAMS')
  })

  it('/close names the document, or the topic when none is open, and forgets the session', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), '')
    await exec(port, '/open ./a.md')
    expect((await exec(port, '/close')).body).toBe('Closed: a.md')
    expect((await exec(port, '/close')).body).toBe('Closed: main')
    expect((await exec(port, '/topics', { topic: 'x' })).body).toBe('Topics\n---\n- x (tab) · running')
  })
})
