import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { type AppPlace, appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const SECRET = 'open-sesame-42'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`

/** Turns letters by 13, so that what a program was given can be seen although secrets are masked. */
const ROT = 'tr a-zA-Z n-za-mN-ZA-M'

const rot = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
  )

/** An app that comes with a script, which says what it was given. */
async function install(actions: string, env = '[KEY]', more: Readonly<Record<string, string>> = {}): Promise<AppPlace> {
  const place = await appPlace()
  const files = Object.entries(more).map(([path, text]) => [`app/${path}`, text] as const)
  place.put({ 'app/string.md': `---\nname: app\nenv: ${env}\n---\n# App\n\n${actions}`, ...Object.fromEntries(files) })
  await place.reply('/exec chmod +x app/*.sh; true')
  await place.reply('/install app')
  await place.reply(`/set $KEY = "${SECRET}"`, 'app:app')
  return place
}

const SHOW = '#!/bin/sh\nprintf "%s|" "$KEY" "$@" | tr a-zA-Z n-za-mN-ZA-M\n'

describe('a command of a package', () => {
  it('runs in the folder of the package, and knows where the caller, the home and its document are', async () => {
    const where = `CLI pwd; ./where.sh; echo "$CWD $CURRENT_FILE"; sed -n 1p "$(dirname "$CURRENT_FILE")/note.txt"`
    const { reply, port, home, stateDir } = await install(`[@sub Sub](sub/page.md)\n\n${act('where', where)}`, '[]', {
      'where.sh': '#!/bin/sh\necho "$STRING_PACKAGE $STRING_HOME $STRING_CWD $CWD"\n',
      'note.txt': 'beside the first page\n',
      'sub/note.txt': 'beside the second page\n',
      'sub/page.md': `# Sub\n\n${act('where', where)}`,
    })
    const folder = join(stateDir, 'packages/app')
    const lines = (cwd: string, page: string, note: string): string =>
      [folder, `${folder} ${home} ${cwd} ${cwd}`, `${cwd} ${folder}/${page}`, note].join('\n')
    expect(await reply('/act.where', 'app:app')).toBe(lines(home, 'string.md', 'beside the first page'))
    const cwd = tempDir()
    expect((await exec(port, '/act.where', { topic: 'app:app', cwd })).body).toBe(
      lines(cwd, 'string.md', 'beside the first page'),
    )
    await reply('/open @sub', 'app:app')
    expect(await reply('/act.where', 'app:app')).toBe(lines(home, 'sub/page.md', 'beside the second page'))
    expect(await reply('/exec pwd', 'app:app')).toContain(`\n${home}`)
  })

  it.each([
    ['named by nothing', './show.sh'],
    ['named', './show.sh; printf %s "$KEY" >/dev/null'],
    ['put before a program', 'KEY="$KEY" ./show.sh'],
    ['exported', 'export KEY="$KEY"; ./show.sh'],
    ['exported without a value', 'export KEY; ./show.sh'],
    ['handed on under another name', `X="$KEY"; KEY="$X" ./show.sh`],
    ['declared', 'f() { local KEY="$KEY"; ./show.sh; }; f'],
  ])('finds a variable that its package lists in its environment, %s', async (_how, script) => {
    const { reply } = await install(act('go', `CLI ${script}`), '[KEY]', { 'show.sh': SHOW })
    expect(await reply('/act.go', 'app:app')).toBe(`${rot(SECRET)}|`)
  })

  it('has defaults and what the daemon has, and goes without what has no value unless it names it', async () => {
    const env = '[A, FROM_DAEMON, {name: D, default: fallback}, {M: "the missing one"}]'
    const { reply } = await install(
      [
        act('all', `CLI env | grep -E '^(A|B|FROM_DAEMON|D|M)=' | sort | ${ROT}`),
        act('named', 'CLI echo "$M"'),
        act('passed', 'CLI M="$M" env'),
        act('own', 'CLI M=mine; echo "$M"'),
        act('without', `CLI echo "\${M:-none}"`),
      ].join('\n'),
      env,
    )
    await reply('/set\n$A = "of-the-agent"\n$B = "not-listed"')
    expect(rot(await reply('/act.all', 'app:app'))).toBe('A=of-the-agent\nD=fallback\nFROM_DAEMON=daemon')
    for (const id of ['named', 'passed'])
      expect(await reply(`/act.${id}`, 'app:app')).toContain('ERROR(ENV_REQUIRED): $M is not set: the missing one')
    expect(await reply('/act.own', 'app:app')).toBe('mine')
    expect(await reply('/act.without', 'app:app')).toBe('none')
  })

  it('is told that a default cannot name what only commands have, and not to list it', async () => {
    const { reply } = await install(act('go', 'CLI echo {a}\n  a: path = "$HOME/x"'), '[A]')
    expect(await reply('/act.go', 'app:app')).toBe(
      "ERROR(ENV_REQUIRED): $HOME is known to commands alone, and this action needs it in a default or a request\n  Its author mends it. Write $STRING_HOME, which is the agent's home",
    )
    expect(await reply('/act.go ./y', 'app:app')).toBe('./y')
  })

  it('never shows a secret that only its environment holds, and keeps no output that may hold it', async () => {
    const { reply, home } = await install(
      [
        act('env', 'CLI env; printf %s "$(env | sed -n s/^KEY=//p)" | base64'),
        act('fail', 'CLI env | grep -a sesame; exit 3'),
        act('much', 'CLI yes "$(env | sed -n s/^KEY=//p)" | head -30000'),
        act('keep', 'CLI env | sed -n s/^KEY=//p'),
        act('keep.response', '{kept} = {Response.body}\nsave: kept.txt'),
      ].join('\n'),
    )
    const answers = []
    for (const id of ['env', 'fail', 'much', 'keep']) answers.push(await reply(`/act.${id}`, 'app:app'))
    answers.push(await reply('/set', 'app:app'), await reply('/open kept.txt'))
    expect(answers.join('\n')).not.toContain('sesame')
    expect(answers.join('\n')).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 12))
    expect(answers[0]).toContain('KEY=***')
    expect(existsSync(join(home, '.string/output'))).toBe(false)
  })

  it('is not led astray by what a package lists: what acts before its script stays what it is', async () => {
    const env =
      '[{name: BASH_ENV, default: ./first.sh}, {name: PATH, default: /nowhere}, {name: LD_PRELOAD, default: ./x}, {name: CWD, default: lie}]'
    const { reply, home } = await install(act('go', 'CLI echo "ran in $CWD"; env | grep -c ^LD_PRELOAD'), env, {
      'first.sh': 'echo first\n',
    })
    expect(await reply('/act.go', 'app:app')).toBe(
      `ERROR(ACTION_FAILED): The command ended with status 1\n  ran in ${home}\n  0\n  /act.go --dry-run shows the command as it is run`,
    )
  })

  it('reads and saves files of the workspace, not of its folder', async () => {
    const { origin } = await startServer((request, response) => {
      request.pipe(response.writeHead(200, { 'Content-Type': 'text/plain' }))
    })
    const { reply, put } = await install(
      act('send', `POST ${origin}/ -d '{f|file}'\n  f: path`) + act('send.response', 'save: out.txt'),
      '[]',
      { 'other.txt': 'of the package' },
    )
    put({ 'note.txt': 'of the workspace' })
    expect(await reply('/act.send other.txt', 'app:app')).toContain('ERROR(NOT_FOUND): File not found: other.txt')
    expect(await reply('/act.send note.txt', 'app:app')).toBe('Saved: out.txt (16 bytes)')
    expect(await reply('/open ~/out.txt')).toBe('Opened ~/out.txt\n---\nof the workspace')
  })

  it('is the same in an installed tool, and not in one that lies in a home', async () => {
    const { reply, put, home, stateDir } = await appPlace()
    const tool = `---\nenv: [KEY]\n---\n${act('go', 'CLI pwd; ./show.sh; echo; echo "$CURRENT_FILE"')}`
    put({ 'src/string.md': tool, 'src/show.sh': SHOW, '.string/tools/own.md': tool, '.string/tools/show.sh': SHOW })
    await reply('/exec chmod +x src/show.sh .string/tools/show.sh')
    await reply('/install --tool --as t src')
    await reply(`/set $KEY = "${SECRET}"`)
    const [installed, own] = [join(stateDir, 'packages/t'), join(home, '.string/tools')]
    expect(await reply('/tool:t')).toBe(`${installed}\n${rot(SECRET)}|\n${installed}/string.md`)
    expect(await reply('/tool:own')).toBe(
      `${home}\n/bin/bash: line 1: ./show.sh: No such file or directory\n\n${own}/own.md`,
    )
  })

  it('runs a script that came with a manifest, which knows no modes', async () => {
    const { reply } = await appPlace()
    const files = [
      { path: 'string.md', content: `---\nname: m\n---\n${act('go', 'CLI ./bin/go.sh; test ! -x data.txt')}` },
      { path: 'bin/go.sh', content: '#!/bin/sh\necho went\n' },
      { path: 'data.txt', content: 'no program\n' },
    ]
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ files }))
    })
    await reply(`/install ${origin}/m.json`)
    expect(await reply('/act.go', 'app:m')).toBe('went')
  })
})

describe('$CWD and $CURRENT_FILE', () => {
  it('are known to a file of the workspace, whose commands run where the caller is', async () => {
    const { reply, put, port, home } = await appPlace()
    put({ 'sub/doc.md': act('where', 'CLI echo "$PWD $CWD $CURRENT_FILE"') })
    await reply('/open sub/doc.md')
    expect(await reply('/act.where')).toBe(`${home}/sub ${home}/sub ${home}/sub/doc.md`)
    const cwd = tempDir()
    expect((await exec(port, '/act.where', { cwd })).body).toBe(`${cwd} ${cwd} ${home}/sub/doc.md`)
  })

  it('come with the home of the agent, also to a tool in ./tools/ and in an address', async () => {
    const { reply, put, home } = await appPlace()
    const { origin, requests } = await startServer((_request, response) => response.end('ok'))
    const where = act('where', 'CLI echo "$STRING_HOME $STRING_CWD ${STRING_PACKAGE:-none}"; printenv STRING_HOME')
    put({ 'doc.md': where + act('tell', `GET ${origin}/?home=$STRING_HOME`), 'tools/w.md': where })
    await reply('/open doc.md')
    expect(await reply('/act.where')).toBe(`${home} ${home} none\n${home}`)
    expect(await reply('/tool:w')).toBe(`${home} ${home} none\n${home}`)
    await reply('/act.tell')
    expect(requests.map(({ url }) => url)).toEqual([`/?home=${encodeURIComponent(home)}`])
  })

  it('are nothing that a page from the web is told', async () => {
    const { reply } = await appPlace()
    const { origin, requests } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end(act('tell', `GET ${origin}/tell?cwd=$CWD&file=$CURRENT_FILE`))
    })
    await reply(`/open ${origin}/page.md`)
    expect(await reply('/act.tell')).toContain('ERROR(ENV_REQUIRED)')
    expect(requests.map(({ url }) => url)).toEqual(['/page.md'])
  })
})
