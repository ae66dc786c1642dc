import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolTemplate } from '../../src/cli/app/templates.ts'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`

const RUNS = 'Runs a command: it may read and write any file, and use the network'

describe('/tool', () => {
  it('runs an action of an installed tool here, without leaving the document', async () => {
    const { reply, put } = await appPlace()
    put({
      'note.md': '# Note\n',
      'text.md': `---\ntitle: Text\ntype: tool\n---\n${act('upper', 'CLI printf %s {text} | tr a-z A-Z\n  text: string (required) "The text"')}${act('len', 'CLI printf %s {text} | wc -c\n  text: string (required)')}`,
    })
    expect(await reply('/install text.md')).toContain('Installed tool:text\n---\n')
    expect(await reply('/open note.md')).toContain('# Note')
    expect(await reply('/tool:text.upper "a b $(id)"')).toBe('A B $(ID)')
    expect(await reply('/tool text.len abc')).toBe('3')
    expect(await reply('/tool --help')).toBe(await reply('/tool'))
    expect(await reply('/tool:text')).toBe(
      `Tool: text\n---\n/tool:text.upper TEXT\n\n--text  string, required: The text\n\nExample: /tool:text.upper --text text\n\n${RUNS}\n\n/tool:text.len TEXT\n\n--text  string, required\n\nExample: /tool:text.len --text text\n\n${RUNS}`,
    )
    expect(await reply('/tool:text.upper --help')).toBe(
      `Action: upper\n---\n/tool:text.upper TEXT\n\n--text  string, required: The text\n\nExample: /tool:text.upper --text text\n\n${RUNS}`,
    )
    expect(await reply('/tool:text.nope')).toBe(
      'ERROR(ACTION_NOT_FOUND): tool:text has no action nope\n  Actions: upper, len',
    )
    expect(await reply('/tool:text.uper x')).toContain('no action uper\n  Did you mean /tool:text.upper?\n  Actions: ')
    expect(await reply('/open tool:text')).toBe(
      'ERROR(NOT_FOUND): File not found: tool:text\n  /tool:text runs the tool, /tool:text --help shows how',
    )
    expect(await reply('/info')).toContain('note.md')
    expect(await reply('/back')).toContain('ERROR(NO_HISTORY)')
  })

  it('stays where it is when a tool answers with a document, and keeps what a response sets', async () => {
    const { reply, put } = await appPlace()
    const { origin } = await startServer(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': url === '/doc' ? 'text/markdown' : 'application/json' })
      response.end(url === '/doc' ? '# Answer' : '{"id": 7}')
    })
    put({
      'note.md': '# Note\n',
      'web.md': `---\ndefault: doc\n---\n${act('doc', `GET ${origin}/doc`)}${act('id', `GET ${origin}/id`)}${act('id.response', '{id} = {Response.body.id}\nGot it')}`,
    })
    await reply('/install --tool web.md')
    await reply('/open note.md')
    expect(await reply('/tool:web')).toBe(`Opened ${origin}/doc\n---\n# Answer`)
    expect(await reply('/refresh')).toContain('Refreshed note.md')
    expect(await reply('/tool:web.id')).toBe('Got it')
    expect(await reply('/set')).toContain('{id} = "7"')
  })

  it('an installed tool wins over a file of its name, and an own one over one beside the work', async () => {
    const { reply, put } = await appPlace()
    const says = (text: string): string => act('say', `CLI echo ${text}`)
    put({
      'tools/a.md': says('beside'),
      'tools/b.md': says('beside'),
      'tools/c.md': says('beside'),
      'tools/no.txt': '',
    })
    put({ '.string/tools/a.md': says('own'), '.string/tools/b.md': says('own'), 'src/a.md': says('installed') })
    await reply('/install --tool src/a.md')
    expect(await reply('/tool:a')).toBe('installed')
    expect(await reply('/tool:b')).toBe('own')
    expect(await reply('/tool:c')).toBe('beside')
    expect(await reply('/tool')).toBe('Tools\n---\na, b, c')
    const page = await reply('/open tool')
    expect(page).toContain(`- /tool:a · from ~/src/a.md\n`)
    expect(page).toContain('/.string/tools/b.md\n')
    expect(page).toContain('`/install --tool SOURCE`')
  })

  it('runs the default that a file in ./tools names, and says when it could not know which action is meant', async () => {
    const { run, reply, put } = await appPlace()
    const both = `${act('a', 'CLI echo A {t}\n  t: string')}${act('b', 'CLI echo B {t}\n  t: string')}`
    put({ 'tools/t.md': `---\ntype: tool\ndefault: b\n---\n${both}`, 'tools/u.md': both, 'tools/w.md': '# W' })
    put({ 'tools/x.md': `---\ndefault: nope\n---\n${both}`, 'src/u2.md': both })
    expect(await reply('/tool:t hi')).toBe('B hi')
    expect(await reply('/tool:t.a hi')).toBe('A hi')
    await reply('/install --tool src/u2.md')
    for (const name of ['u', 'u2']) {
      expect((await run(`/tool:${name} hi`)).head.code).toBe('USAGE')
      expect(await reply(`/tool:${name} hi`)).toBe(
        `ERROR(USAGE): tool:${name} has several actions and no default: nothing was run\n  Actions: a, b\n  Usage: /tool:${name}.ACTION hi`,
      )
      expect(await reply(`/tool:${name} a hi`)).toContain(`\n  Did you mean /tool:${name}.a hi?`)
      expect(await reply(`/tool:${name} --help`)).toContain(`Tool: ${name}\n---\n/tool:${name}.a [[--t] STRING]`)
    }
    expect(await reply('/tool:w hi')).toContain('ERROR(USAGE): tool:w has no actions: nothing was run')
    expect(await reply('/tool:x hi')).toContain('ERROR(ACTION_NOT_FOUND): tool:x has no action nope\n  Actions: a, b')
  })

  it('says what exists when there is none of that name', async () => {
    const { reply, put, home } = await appPlace()
    expect(await reply('/tool')).toBe('Tools\n---\n(none)')
    expect(await reply('/tool:nope')).toBe(
      'ERROR(NOT_FOUND): No tool is called nope\n  /install --tool SOURCE installs one, /open tool lists them',
    )
    put({ 'app.md': '# App', 'tools/shelf.md': '# Shelf' })
    expect(await reply('/tool:shlf')).toBe(
      'ERROR(NOT_FOUND): No tool is called shlf\n  Did you mean /tool:shelf?\n  Tools: shelf',
    )
    rmSync(join(home, 'tools'), { recursive: true })
    await reply('/install app.md')
    expect(await reply('/tool:app')).toBe('ERROR(NOT_FOUND): app is an app, not a tool\n  /open app:app enters it')
    for (const name of ['../x', '..', 'a/b', '', '.x'])
      expect(await reply(`/tool:${name}`)).toMatch(/^(ERROR\(NOT_FOUND\)|Tools)/)
    expect(await reply('/open tool')).toContain('No tools are installed.')
  })

  it('takes ~ of a path for the home, and leaves any other path as it was typed', async () => {
    const { reply, put, home } = await appPlace()
    const words = toolTemplate('words')['string.md'] ?? ''
    put({ 'words/string.md': words, 'to do.md': 'a b c\n', 'work/to do.md': 'a b\n' })
    put({ 't.md': act('is', 'CLI printf "%s|" {p} "$CWD/{p}" {t}\n  p: path = "~/x"\n  t: string = "~/x"') })
    await reply('/install --link ./words')
    for (const path of ['~/to do.md', './to do.md', 'to do.md']) expect(await reply(`/tool:words "${path}"`)).toBe('3')
    expect(await reply('/tool:words.top "~/work/../to do.md"')).toBe('a b c')
    expect(await reply('/tool:words.top --dry-run "~/to do.md"')).toContain(`-- '${home}/to do.md'`)
    await reply('/open t.md')
    expect(await reply('/act.is')).toBe(`${home}/x|${home}/${home}/x|~/x|`)
    expect(await reply('/act.is ~ --t ~')).toBe(`${home}|${home}/${home}|~|`)
    for (const path of ['~x/y', 'x/~/y', './~', '/~/', '-~'])
      expect(await reply(`/act.is --p=${path}`)).toBe(`${path}|${home}/${path}|~/x|`)
    expect(await reply("/act.is '~/$(id)`id`*'")).toContain('|~/x|')
  })

  it('is named where it was taken for an app, and its missing variable where it can be set', async () => {
    const { reply, put } = await appPlace()
    put({ 't.md': `---\nenv: [KEY]\n---\n${act('len', 'CLI printf %s "$KEY" {f|file} | wc -c\n  f: path')}` })
    await reply('/install --tool t.md')
    const told = 'ERROR(NOT_FOUND): t is a tool, not an app\n  /tool:t --help tells how it is called'
    expect(await reply('/open', 'app:t')).toBe(told)
    expect(await reply('/open app:t')).toBe(told)
    expect(await reply('/tool:t --help')).toContain('/tool:t.len')
    expect(await reply('/tool:t')).toBe('ERROR(ENV_REQUIRED): $KEY is not set\n  /set $KEY = "value" in main, for all')
    await reply('/set $KEY = "123"')
    expect(await reply('/tool:t .')).toBe(
      'ERROR(LOAD_ERROR): Not a regular file: .\n  It is a folder; /ls . lists the files in it',
    )
  })

  it('gets its own variables, not those of the app in whose topic it is called', async () => {
    const { reply, put } = await appPlace()
    put({ 't.md': `---\nenv: [KEY]\n---\n${act('len', 'CLI printf %s "$KEY" | wc -c')}`, 'app.md': '# App' })
    await reply('/install --tool t.md')
    await reply('/install app.md')
    await reply('/set $KEY = "12345"', 'app:app')
    expect(await reply('/tool:t', 'app:app')).toContain('ERROR(ENV_REQUIRED): $KEY is not set')
    await reply('/set $KEY = "123"')
    expect(await reply('/tool:t', 'app:app')).toBe('3')
    await reply('/set $KEY = "1"', 'app:t')
    expect(await reply('/tool:t', 'app:app')).toBe('1')
  })
})
