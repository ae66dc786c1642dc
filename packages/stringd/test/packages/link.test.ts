import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'

const act = (id: string, text: string): string => `\n\`\`\`act.${id}\n${text}\n\`\`\`\n`
const app = (text: string, env = '[KEY]'): string => `---\nname: dev\nversion: 1\nenv: ${env}\n---\n# Dev\n${text}`

describe('/install --link of a folder', () => {
  it('shows every change at once, with the powers of a package, and copies nothing', async () => {
    const { reply, put, home, state } = await appPlace()
    put({ 'dev/string.md': app(act('go', 'CLI ./run.sh "$KEY"')), 'dev/run.sh': 'echo one $1' })
    put({ 'dev/run.sh': '#!/bin/sh\necho one $1\n' })
    expect(await reply('/exec chmod 755 dev/run.sh')).not.toContain('ERROR')
    const linked = await reply('/install --link ./dev')
    expect(linked).toContain('Installed app:dev\n---\nFrom: ./dev (linked)\nRuns:\n- go: `./run.sh "$KEY"`\n')
    expect(linked).toContain('It is used where it is: what changes there counts at once, but for the front matter.')
    expect(Object.keys(state())).not.toContain('packages/dev')
    await reply('/set $KEY = first-secret', 'app:dev')
    expect(await reply('/act.go', 'app:dev')).toBe('one ***')
    put({ 'dev/string.md': app(`Text${act('other', 'CLI echo two')}`, '[KEY, MORE]') })
    expect(await reply('/refresh', 'app:dev')).toContain('[actions] other\n\n# Dev\nText')
    expect(await reply('/act.other', 'app:dev')).toBe('two')
    expect(await reply('/open app')).toContain('- app:dev · linked to ~/dev\n')

    // What it lists newly it does not get before somebody has installed it again.
    put({ 'dev/string.md': app(act('more', 'CLI echo "$MORE"'), '[KEY, MORE]') })
    await reply('/set $MORE = other-secret', 'app:dev')
    await reply('/refresh', 'app:dev')
    expect(await reply('/act.more', 'app:dev')).toContain('ERROR(ENV_REQUIRED): app:dev does not list $MORE')
    expect(await reply('/install --update dev')).toContain(`From: ${home}/dev (linked)\n`)
    expect(await reply('/act.more', 'app:dev')).toBe('***')

    // A link in it leads nowhere that the workspace does not reach.
    symlinkSync('/etc/passwd', join(home, 'dev/out.md'))
    expect(await reply('/open ./out.md', 'app:dev')).toContain('ERROR(INVALID_PATH)')
    expect(await reply('/install --link ./dev')).toContain('ERROR(INVALID_PATH): A package holds no links')

    expect(await reply('/uninstall dev')).toBe(
      'Uninstalled dev\n---\nIts stored variables stay, for when it is installed again from the same source: $KEY, $MORE\nRemove them: /uninstall --purge dev',
    )
    expect(existsSync(join(home, 'dev/string.md'))).toBe(true)
  })

  it('says at an update which version it has now, and the list says it, too', async () => {
    const { reply, put, home } = await appPlace()
    put({ 'dev/string.md': app('one') })
    await reply('/install --link ./dev')
    put({ 'dev/string.md': app('one').replace('version: 1', 'version: 1.0.1') })
    const [said, from] = ['Installed app:dev\n---\n', `From: ${home}/dev (linked)\n`]
    expect(await reply('/install --update dev')).toContain(`${said}Version: 1 → 1.0.1\n${from}`)
    expect(await reply('/info dev')).toContain('app:dev, version 1.0.1\n')
    expect(await reply('/install --update dev')).toContain(`app:dev is up to date\n---\n${from}`)
  })

  it('says at an update what its front matter makes it do more, a changed default and where requests go by it', async () => {
    const { reply, put } = await appPlace()
    const ask = act('ask', 'GET http://$HOST/x')
    const env = (host: string, more = ''): string => `[{ name: HOST, default: "${host}" }${more}]`
    put({ 'dev/string.md': app(ask, env('127.0.0.1:23190')) })
    await reply('/install --link ./dev')
    put({ 'dev/string.md': app(ask, env('127.0.0.1:1', ', KEY')).replace('version: 1', 'version: 2') })
    expect(await reply('/install --update dev')).toContain(
      [
        'Installed app:dev',
        '---',
        'It may do more than the installed version:',
        '+ default of $HOST: 127.0.0.1:23190 → 127.0.0.1:1',
        '+ reads $KEY',
        '+ reaches 127.0.0.1:1',
        '+ sends ask: GET http://127.0.0.1:1/x',
        'It may no longer do:',
        '- reaches 127.0.0.1:23190',
        '- sends ask: GET http://127.0.0.1:23190/x',
        'Version: 1 → 2',
        'From: ',
      ].join('\n'),
    )
  })

  it('tells who opens it which of its actions are refused, where and what to write instead', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app(act('good', 'CLI echo one')) })
    await reply('/install --link ./dev')
    expect(await reply('/open app:dev')).not.toContain('refused')
    put({ 'dev/string.md': app(`${act('good', 'CLI echo one')}${act('bad', 'SEND it')}`) })
    expect(await reply('/open app:dev')).toMatch(
      /\n---\n.*\/act\.bad \(refused, line 13: it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI.*\)$/s,
    )
  })

  it('tells who opens another page of it which actions of that are refused, and nothing of a page elsewhere', async () => {
    const { reply, put } = await appPlace()
    const bad = `# More\n\n${act('bad', 'SEND it')}`
    put({ 'dev/string.md': app('one'), 'dev/pages/more.md': bad, 'notes.md': bad })
    await reply('/install --link ./dev')
    expect(await reply('/open app:dev')).not.toContain('refused')
    expect(await reply('/open pages/more.md', 'app:dev')).toMatch(
      /\n---\n.*\/act\.bad \(refused, line 5: it begins with/s,
    )
    expect(await reply('/refresh', 'app:dev')).toContain('/act.bad (refused, line 5: ')
    expect(await reply('/open ~/notes.md', 'app:dev')).not.toContain('refused')
  })

  it('tells who opens it that its front matter has changed, or cannot be read', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app('one', '[{ name: KEY, description: "the key", default: "x" }]') })
    await reply('/install --link ./dev')
    expect(await reply('/open app:dev')).not.toContain('front matter')
    put({ 'dev/string.md': app('one', '[KEY, MORE]') })
    const told = 'Its front matter has changed since it was installed: /install --update dev takes it over'
    expect(await reply('/open app:dev')).toContain(told)
    await reply('/install --update dev')
    expect(await reply('/open app:dev')).not.toContain(told)
    put({ 'dev/string.md': app('one', '[KEY') })
    expect(await reply('/open app:dev')).toContain(
      '\n    string.md:4: Front matter, column 6: [ is not closed. Write ]',
    )
  })

  it('says how it gets the new name, when its author has changed it', async () => {
    const { reply, put, home } = await appPlace()
    const named = (name: string): string => app('one').replace(/^name: .*$/m, `name: ${name}`)
    for (const [folder, as] of [
      ['dev', ''],
      ['other', '--as mine '],
    ] as const) {
      const local = as === '' ? 'pantry' : 'mine'
      put({ [`${folder}/string.md`]: named('pantry') })
      await reply(`/install --link ${as}./${folder}`)
      put({ [`${folder}/string.md`]: named('larder') })
      const steps = `  /uninstall ${local} removes what is installed under the old name\n  /install --link ${as}${home}/${folder} installs it then;`
      expect(await reply(`/open app:${local}`)).toContain(
        `\n    Its name has changed from pantry to larder since it was installed:\n${steps.replace(/^ {2}/gm, '    ')}`,
      )
      for (const again of [`--update ${local}`, `--link --as ${local} ./${folder}`])
        expect(await reply(`/install ${again}`)).toContain(
          `ERROR(CONFLICT): The name of app:${local} has changed from pantry to larder: that is another package\n${steps}`,
        )
      await reply(`/uninstall ${local}`)
      expect(await reply(`/install --link ${as}${home}/${folder}`)).toContain(
        `Installed app:${as === '' ? 'larder' : 'mine'}`,
      )
    }
  })

  it('says at a conflict what was asked for: a link, and under which name', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app('one'), 'other/string.md': app('two').replace(/^name: .*$/m, 'name: other') })
    await reply('/install --link ./dev')
    const refused = await reply('/install --link --as dev ./other')
    expect(refused).toContain('/install --replace --as dev --link ./other in its place')
    expect(await reply('/install --replace --as dev --link ./other')).toContain('Installed app:dev')
  })

  it('says what another in its place may do more than what it leads to now, whether that is linked or not', async () => {
    const { reply, put } = await appPlace()
    put({ 'dev/string.md': app('one'), 'other/string.md': `${app('two')}\n${act('ask', 'GET https://example.com/x')}` })
    await reply('/install --link ./dev')
    const more = 'It may do more than the installed version:\n+ reaches example.com\n'
    expect(await reply('/install --replace --as dev --dry-run ./other')).toContain(`; now a copy\n${more}`)
    expect(await reply('/install --replace --as dev --dry-run --link ./other')).toContain(`; now linked\n${more}`)
    put({ 'dev/string.md': `${app('one')}\n${act('ask', 'GET https://example.com/x')}` })
    expect(await reply('/install --replace --as dev --dry-run ./other')).not.toContain('+ reaches example.com')
  })

  it('becomes a copy when it is installed without, and the other way round', async () => {
    const { reply, put, state, home } = await appPlace()
    put({ 'dev/string.md': app('one') })
    await reply('/install --link ./dev')
    await reply('/install ./dev')
    put({ 'dev/string.md': app('two') })
    expect(await reply('/open app:dev')).toContain('one')
    expect(await reply('/install --update dev')).toContain('1 file changed:\n- changed string.md\n')
    expect(await reply('/open app:dev')).toContain('two')
    await reply('/install --link ./dev')
    expect(Object.keys(state())).not.toContain('packages/dev')
    expect(readFileSync(join(home, 'dev/string.md'), 'utf8')).toContain('two')
    expect(await reply('/install --update nothing')).toBe(
      'ERROR(NOT_FOUND): Nothing is installed as nothing\n  Installed: dev',
    )
  })
})

describe('what changed since the installed version', () => {
  it('is said first: what it may do more, and no longer, then version and files', async () => {
    const { reply, put } = await appPlace()
    const before = `---\nname: w\nversion: 1.0.0\nenv: [A]\n---\n${act('one', 'CLI echo {x}\n  x: string')}${act('two', 'GET https://a.example.com/')}`
    const after = `---\nname: w\nversion: 1.1.0\nenv: [A, B]\ndefault: one\n---\n${act('one', 'CLI echo {x} | sh\n  x: string\n  unsafe: true')}${act('two', 'GET https://b.example.com/')}`
    put({ 'w/string.md': before, 'w/gone.txt': 'x', 'w/same.txt': 'x' })
    await reply('/install w')
    expect(await reply('/install --dry-run w')).toContain(
      'Would install app:w\n---\nIt may do what the installed version may\nVersion: 1.0.0, as before\nFiles: none changed\nFrom: ',
    )
    put({ 'w/string.md': after, 'w/new.txt': 'x' })
    await reply('/exec rm w/gone.txt; chmod 755 w/same.txt')
    const changes = `It may do more than the installed version:
+ runs one: \`echo {x} | sh\` (values may run as code)
+ runs one by itself, when opened
+ reads $B
+ reaches b.example.com
+ sends two: GET https://b.example.com/
It may no longer do:
- runs one: \`echo {x}\`
- reaches a.example.com
- sends two: GET https://a.example.com/
Version: 1.0.0 → 1.1.0
4 files changed:
- added new.txt
- changed same.txt
- changed string.md
- removed gone.txt
From: w (3 files, `
    expect(await reply('/install --dry-run w')).toContain(`Would install app:w\n---\n${changes}`)
    expect(await reply('/install w')).toContain(`Installed app:w\n---\n${changes}`)
  })
})
