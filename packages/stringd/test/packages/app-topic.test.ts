import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { type AppPlace, appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const BOOK = {
  'book/string.md':
    '---\ntitle: Book\nenv:\n  - KEY: "the key"\n---\n# Book\n\n[!nav:main](nav.md)\n\n[@one One](pages/one.md), [Plain](./pages/plain.md)\n',
  'book/pages/plain.md': '# Plain\n\n[Start](../string.md)\n',
  'book/nav.md': '[@two Two](pages/two.md)\n[@start Start](string.md)',
  'book/pages/one.md': '# One\n\n[!include:part](../part.md)\n\n<!-- #tip -->\nA tip.\n<!-- /tip -->\n',
  'book/pages/two.md': '# Two\n\n[@back Back](../string.md)\n',
  'book/part.md': 'Included.\n',
  'other/string.md': '# Other\n',
  'notes.md': '# Notes\n',
}

const PAGE = '[menus] main\n\n# Book\n\n[One][@one], [Plain](./pages/plain.md)\n'

async function library(): Promise<AppPlace> {
  const place = await appPlace()
  place.put(BOOK)
  await place.reply('/install book')
  await place.reply('/install other')
  await place.reply('/set $KEY = x', 'app:book')
  return place
}

describe('an app topic', () => {
  it('names the action where one is typed as a command, from its first line on', async () => {
    const { reply, put } = await appPlace()
    put({ 'shop/string.md': '# Shop\n```act.add\nCLI echo\n```\n```act.list\nCLI echo\n```\n' })
    await reply('/install shop')
    expect(await reply('/add 3 food', 'app:shop')).toBe(
      'ERROR(COMMAND_UNKNOWN): Unknown command: /add\n  Did you mean /act.add?\n  /help lists all commands',
    )
    expect(await reply('list', 'app:shop:new')).toContain('ERROR(COMMAND_UNSUPPORTED): ')
    expect(await reply('list', 'app:shop:new')).toContain('\n  Did you mean /act.list?')
    expect(await reply('/add 3 food')).not.toContain('/act.add')
    await reply('/open shop/string.md', 'file')
    expect(await reply('add 3 food', 'file')).toContain('\n  Did you mean /act.add?')
  })

  it('is entered from any topic, by its name or by its first command', async () => {
    const { run, reply } = await library()
    const opened = await run('/open app:book', 'main')
    expect(opened.head).toMatchObject({ ok: true, topic: 'app:book', topic_type: 'app', meta: { title: 'Book' } })
    expect(opened.body).toBe(`Opened app:book\n---\n${PAGE}`)
    expect(await reply('/nav main', 'app:book:first')).toContain('- [Two][@main.two]')
    expect(await reply('/open @one', 'app:book:second')).toContain('Opened @one\n---\n# One\n\nIncluded.')
    expect(await reply('/back', 'app:book:second')).toBe(`Back to app:book:second\n---\n${PAGE}`)
    expect(await reply('/open', 'app:book:third')).toBe(`Opened app:book:third\n---\n${PAGE}`)
    expect(await reply('/refresh', 'app:book:fourth')).toBe(`Refreshed app:book:fourth\n---\n${PAGE}`)
    expect(await reply('/info', 'app:book:fifth')).toContain('title: Book')
    expect(await reply('/close', 'app:book')).toBe('Closed: app:book')
  })

  it('calls on every page what that has, and else the actions of the first page, from there and with its powers', async () => {
    const { port, home, reply, put } = await appPlace()
    const action = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
    put({
      'kit/string.md': `---\nname: kit\nenv: [KEY]\n---\n# Kit\n\n[!include:actions](parts/actions.md)\n${action('who', 'CLI echo "first $KEY"')}`,
      'kit/parts/actions.md': action('list', 'CLI echo "listed from $CURRENT_FILE"'),
      'kit/pages/help.md': `# Help\n\n${action('who', 'CLI echo help')}`,
      'notes.md': `# Notes\n\n${action('mine', 'CLI echo "$KEY"')}`,
    })
    await reply('/install kit')
    await reply('/set $KEY = secret-key', 'app:kit')
    await reply('/open pages/help.md', 'app:kit')
    expect(await reply('/act.who', 'app:kit')).toBe('help')
    expect(await reply('/act.list', 'app:kit')).toMatch(/^listed from .*\/parts\/actions\.md$/)
    expect(await reply('/act.list --help', 'app:kit')).toContain('Action: list\n')
    expect(await reply('/act', 'app:kit')).toBe(
      'Actions\n---\n/act.who (runs a command)\nOf the first page of app:kit:\n/act.list (runs a command)',
    )
    expect(await reply('/list', 'app:kit')).toContain('Did you mean /act.list?')
    const asked = { headers: { 'X-Agent-ID': 'default' }, body: { text: '/act.l', topic: 'app:kit' } }
    const { json } = await call(port, 'POST', '/complete', asked)
    expect(JSON.stringify(json)).toContain('list')

    await reply('/open ~/notes.md', 'app:kit')
    expect(await reply('/act.who', 'app:kit')).toBe('first ***')
    expect(await reply('/act.mine', 'app:kit')).toContain('ERROR(ENV_REQUIRED)')
    expect(await reply('/info', 'app:kit')).toContain(`${home}/notes.md`)
    expect(await reply('/act.lst', 'app:kit')).toBe(
      'ERROR(ACTION_NOT_FOUND): Action not found: lst\n  Did you mean /act.list?\n  Actions: mine, who, list',
    )
    await reply('/open ~/notes.md')
    expect(await reply('/act.who')).toContain('ERROR(ACTION_NOT_FOUND)')
  })

  it('goes on after an answer that has taken the place of the page', async () => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end('# Rates\n\n```act.list\nGET /list\n```\n')
    })
    const { reply, put } = await appPlace()
    const page = `# Kit\n\n\`\`\`act.rates\nGET ${origin}/rates\n\`\`\`\n\`\`\`act.run\nCLI echo ran\n\`\`\`\n`
    put({ 'kit/string.md': page })
    await reply('/install kit')
    await reply('/open', 'app:kit')
    for (let call = 0; call < 2; call += 1)
      expect(await reply('/act.rates', 'app:kit')).toBe(`Opened ${origin}/rates\n---\n[actions] list\n\n# Rates\n`)
    expect(await reply('/act.run', 'app:kit')).toBe('ran')
    expect(await reply('/info', 'app:kit')).toContain(`${origin}/rates`)
  })

  it('says on which other page of the app an action stands', async () => {
    const { reply, put } = await appPlace()
    put({
      'kit/string.md': '# Kit\n\n```act.list\nCLI echo listed\n```\n',
      'kit/pages/help.md': '# Help\n',
      'kit/pages/a price.md': '# Price\n\n```act.order\nCLI echo ordered\n```\n',
    })
    await reply('/install kit')
    for (const page of ['app:kit', 'pages/help.md']) {
      await reply(`/open ${page}`, 'app:kit')
      const told = await reply('/act.order x', 'app:kit')
      expect(told).toContain(
        "(ACTION_NOT_FOUND): Action not found: order\n  order is an action of pages/a price.md: /open 'pages/a price.md'\n",
      )
      await reply('/open "pages/a price.md"', 'app:kit')
      expect(await reply('/act.order', 'app:kit')).toBe('ordered')
    }
    await reply('/open app:kit')
    expect(await reply('/act.none', 'app:kit')).toBe('ERROR(ACTION_NOT_FOUND): Action not found: none\n  Actions: list')
  })

  it('reads the documents of its package, by menu, path and block', async () => {
    const { reply } = await library()
    const topic = 'app:book'
    expect(await reply('/open @main.two', topic)).toBe('Opened @main.two\n---\n# Two\n\n[Back][@back]\n')
    expect(await reply('/open @back', topic)).toBe(`Opened @back\n---\n${PAGE}`)
    expect(await reply('/open pages/one.md#tip', topic)).toBe('Opened pages/one.md#tip\n---\nA tip.\n')
    expect(await reply('/refresh', topic)).toBe('Refreshed pages/one.md#tip\n---\nA tip.\n')
    expect(await reply('/open ./two.md --source', topic)).toContain('[@back Back](../string.md)')
    expect(await reply('/open notes.md', topic)).toBe('Opened notes.md\n---\n# Notes\n')
  })

  it('S13: never edits them, and reads nothing else that is closed', async () => {
    const { reply, home, state, stateDir } = await library()
    const topic = 'app:book'
    const folder = join(stateDir, 'packages/book')
    await reply('/open app:book')
    const before = state()
    for (const path of [`${folder}/string.md`, './string.md', './new.md', 'string.md'])
      for (const cmd of [`/write ${path}\nx`, `/append ${path}\nx`, `/edit ${path}\nx`, `/replace ${path}:L1\nx`])
        expect(await reply(cmd, topic)).toMatch(/^ERROR\(INVALID_PATH\)/)
    expect(await reply('/edit #tip\nx', topic)).toMatch(/^ERROR\(INVALID_PATH\)/)
    expect(await reply('/write #tip\nx', topic)).toMatch(/^ERROR\(INVALID_PATH\)/)
    expect(state()).toEqual(before)
    for (const path of ['other/string.md', '../config.json', '../apps/book/env.json', '../packages/.gitignore'])
      expect(await reply(`/open ${folder}/../${path}`, topic)).toContain('ERROR(INVALID_PATH): Closed folder')
    expect(await reply('/open ../other/string.md', topic)).toContain('ERROR(INVALID_PATH)')
    expect(await reply(`/open ${folder}/string.md`, 'main')).toContain('ERROR(INVALID_PATH)')
    expect(await reply(`/open ${folder}/string.md`, 'app:other')).toContain('ERROR(INVALID_PATH)')
    for (const path of ['..', '../other', '../..', '../../../..'])
      expect(await reply(`/ls ${folder}/${path}`, topic)).toContain('ERROR(INVALID_PATH)')
    expect(await reply(`/ls ${folder}`, 'main')).toContain('ERROR(INVALID_PATH)')
    expect(await reply(`/ls ${folder}`, 'app:other')).toContain('ERROR(INVALID_PATH)')
    symlinkSync(`${stateDir}/config.json`, join(home, 'link.md'))
    expect(await reply('/open link.md', topic)).toContain('ERROR(INVALID_PATH)')
  })

  it('finds its document open at its first command, so that paths start there', async () => {
    const { reply, port, dir } = await library()
    expect(await reply('/open ./pages/one.md', 'app:book:first')).toContain('Opened ./pages/one.md\n---\n# One')
    expect(await reply('/open pages/two.md', 'app:book:second')).toContain('# Two')
    expect(await reply('/close', 'app:book:first')).toBe('Closed: pages/one.md')
    expect(await reply('/open ./pages/one.md', 'app:book:first')).toContain('# One')
    const inFolder = (cmd: string, topic: string) => exec(port, cmd, { topic, cwd: dir })
    expect((await inFolder('/open ./pages/two.md', 'app:book:third')).body).toBe(
      'ERROR(NOT_FOUND): File not found: ./pages/two.md\n  Did you mean pages/two.md? It is there, seen from the open document\n  /ls shows what exists',
    )
    expect((await inFolder('/open ./pages/plain.md', 'app:book:fourth')).body).toContain('# Plain')
    expect((await inFolder('/open ../string.md', 'app:book:fourth')).body).toContain(
      'Opened ../string.md\n---\n[menus]',
    )
  })

  it('looks at a block of its package, and edits none, however it is spelled', async () => {
    const { reply, port, dir, state } = await library()
    const topic = 'app:book'
    expect(await reply('/verify #book', topic)).toContain('Verified app:book#book\n---\n# Book')
    expect(await reply('/verify pages/one.md#tip', topic)).toBe('Verified pages/one.md#tip\n---\nA tip.\n')
    await reply('/open pages/one.md', topic)
    expect(await reply('/verify #tip', topic)).toBe('Verified pages/one.md#tip\n---\nA tip.\n')
    const before = state()
    expect(await reply('/replace #tip\nx', topic)).toContain('ERROR(INVALID_PATH)')
    expect(await reply('/write one.md\nx', topic)).toContain('ERROR(INVALID_PATH): Closed folder: one.md')
    await reply('/open app:book')
    const { body } = await exec(port, '/append ./pages/plain.md\nx', { topic, cwd: dir })
    expect(body).toContain('ERROR(INVALID_PATH): Closed folder: ./pages/plain.md')
    expect(state()).toEqual(before)
  })

  it('lists all of its app from every page of it, wherever the caller is', async () => {
    const { reply, port, dir } = await library()
    const listed = 'Listing app:book:x/\n---\npages/\nnav.md  50 B\npart.md  10 B\nstring.md'
    expect(await reply('/ls', 'app:book:x')).toContain(listed)
    expect((await exec(port, '/ls', { topic: 'app:book:x', cwd: dir })).body).toContain(listed)
    expect(await reply('/ls pages', 'app:book:x')).toMatch(/^Listing pages\/\n---\none\.md /)
    await reply('/open pages/one.md', 'app:book:x')
    expect(await reply('/ls', 'app:book:x')).toContain(listed)
    await reply('/open notes.md', 'app:book:x')
    expect(await reply('/ls', 'app:book:x')).toContain('Listing ~/\n---\nbook/')
  })

  it('looks through all of its app from every page of it, by names that lead there, and by its own name', async () => {
    const { reply, port, dir, home } = await library()
    const topic = 'app:book:x'
    await reply('/open pages/one.md', topic)
    const lines = '\n---\npart.md:L1: Included.'
    expect(await reply('/find Included', topic)).toContain(lines)
    expect(await reply('/find Included app:book:x', topic)).toContain(lines)
    expect(await reply('/find Included app:book', topic)).toContain(lines)
    expect(await reply('/open part.md:L1', topic)).toContain('Included.')
    expect(await reply('/ls app:book', topic)).toContain('\npages/\nnav.md')
    expect(await reply('/ls pages', topic)).toContain('\none.md ')
    expect(await reply('/ls app:book', 'main')).toBe(
      'ERROR(NOT_FOUND): File not found: app:book\n  The files of an app are seen in its own topic: /open app:book',
    )
    const inFolder = async (cmd: string, cwd: string) => (await exec(port, cmd, { topic, cwd })).body
    await reply('/open pages/one.md', topic)
    expect(await inFolder('/find Included ..', home)).toContain(lines)
    expect(await inFolder('/find Included ../..', home)).toContain('ERROR(INVALID_PATH): Outside the workspace')
    await reply('/open app:book:x')
    expect(await inFolder('/ls ..', home)).toContain('ERROR(INVALID_PATH): Outside the workspace')
    expect(await inFolder('/write pages/new.md\nx', dir)).toBe(`Written: ${dir}/pages/new.md (2 bytes, 1 line)`)
  })

  it('says of what its files are copies, where one is to be edited', async () => {
    const { reply, home } = await library()
    const copy = `ERROR(INVALID_PATH): Closed folder: string.md\n  app:book is an installed copy of ${home}/book: change it there and /install --update book; /install --link ${home}/book works in the folder itself`
    await reply('/open app:book')
    for (const cmd of ['/edit string.md', '/append string.md\nx', '/replace string.md:L1\nx'])
      expect(await reply(cmd, 'app:book')).toBe(copy)
    expect(await reply(`/install --link ${home}/book`)).toContain('Was a copy; now linked')
    expect(await reply('/find One app:book', 'app:book')).toContain('~/book/pages/one.md:L1: # One')
    expect(await reply('/replace ~/book/pages/one.md:L1\n# First', 'app:book')).toContain(
      'Replaced ~/book/pages/one.md:L1',
    )
  })

  it('a menu without entries says how they are written', async () => {
    const { reply, put } = await appPlace()
    put({
      'mm/string.md': '# MM\n\n[!nav:main](menu.md)\n',
      'mm/menu.md': '- [Setup](setup.md)\n',
      'mm/setup.md': '# S\n',
    })
    expect(await reply('/install mm')).toContain('menu.md declares no shortcuts')
    const said = '(no entries: menu.md declares no shortcuts; write [@setup Setup](setup.md))'
    expect(await reply('/nav main', 'app:mm')).toBe(`Menu: main\n---\n${said}`)
    expect(await reply('/nav', 'app:mm')).toContain(`- main\n  ${said}\n`)
  })

  it('what is new is made at home, and commands run there', async () => {
    const { reply, home } = await library()
    await reply('/open app:book')
    expect(await reply('/write new.md\nx', 'app:book')).toBe('Written: ~/new.md (2 bytes, 1 line)')
    expect(await reply('/exec pwd', 'app:book')).toBe(`exit: 0 | cwd: ${home}\n---\n${home}`)
    expect(await reply('/open new.md', 'main')).toBe('Opened new.md\n---\nx\n')
  })

  it('without its app says what to do', async () => {
    const { reply, put } = await library()
    const missing = 'ERROR(NOT_FOUND): No app is installed as nope'
    for (const cmd of ['/open', '/open app:nope', '/nav', '/open @x'])
      expect(await reply(cmd, 'app:nope:x')).toContain(missing)
    for (const cmd of ['/set $A = 1', '/set\n{a} = 1\n$A = 1', '/unset $A'])
      expect(await reply(cmd, 'app:nope')).toContain(missing)
    expect(await reply('/set', 'app:nope')).toBe('Variables\n---\n(none)')
    expect(await reply('/set $A = 1', 'app:boook')).toContain('as boook\n  Did you mean app:book?\n')
    put({ 'lint.md': '# Lint' })
    await reply('/install --tool lint.md')
    expect(await reply('/open app:lint')).toContain('ERROR(NOT_FOUND)')
  })

  it('belongs to the agent that installed it', async () => {
    const { port, dir } = await library()
    await call(port, 'POST', '/agents', { body: { agent_id: 'second', home: join(dir, 'second') } })
    const answer = await exec(port, '/open app:book', { agent: 'second' })
    expect(answer.body).toContain('ERROR(NOT_FOUND): No app is installed as book')
  })

  it('is listed with what it needs, and its open sessions, on the page of the hub', async () => {
    const { reply } = await library()
    await reply('/unset $KEY', 'app:book')
    await reply('/open app:book:x')
    const page = await reply('/open app')
    expect(page).toContain('- app:book · Book · from ~/book · needs $KEY\n- app:other · from ~/other\n')
    expect(page).toContain('## Open app sessions\n\n- app:book (app)')
    expect(page).toContain('- app:book:x (app) · file://')
    expect(page).toContain('`/install SOURCE`')
  })
})

it('a command that finds no file of its caller says where it looked', async () => {
  const { reply, put } = await appPlace()
  put({
    'note.md': 'one\n',
    'kit/string.md': '# Kit\n\n```act.count\nCLI wc -l -- {file}\n  file: path\n```\n',
  })
  await reply('/install kit')
  const said = await reply('/act.count note.md', 'app:kit')
  expect(said).toMatch(
    /\n {2}The command ran in \S+\/kit, where there is no note\.md: give the whole path, (\S+\/note\.md)\n/,
  )
  const [, whole = ''] = /whole path, (\S+)/.exec(said) ?? []
  expect(await reply(`/act.count ${whole}`, 'app:kit')).toBe(`1 ${whole}`)
  expect(await reply('/act.count other.md', 'app:kit')).not.toContain('The command ran in')
})
