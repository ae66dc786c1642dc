import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`

interface App {
  readonly call: (line: string) => Promise<string>
  readonly set: (name: string, value: string) => Promise<void>
  readonly cwd: string
}

/** Installs a folder as an app and calls its actions from another folder. */
async function app(files: Readonly<Record<string, string>>): Promise<App> {
  const { put, reply, port } = await appPlace()
  put(Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])))
  await reply('/exec find src -name "*.sh" | xargs -r chmod +x')
  expect(await reply('/install --as it src')).toContain('Installed app:it')
  const cwd = tempDir()
  const call = async (line: string): Promise<string> =>
    (await exec(port, `/act.${line}`, { topic: 'app:it', cwd })).body
  const set = async (name: string, value: string): Promise<void> => {
    await reply(`/set $${name} = '${value}'`, 'app:it')
  }
  return { call, set, cwd }
}

describe('apps as they are written', () => {
  it('a script beside the document that works in the folder of the caller', async () => {
    const { call, cwd } = await app({
      'string.md': `---\nname: notes\n---\n# Notes\n\n[!requirements](./requirements.md)\n\n${[
        act('add', 'CLI ./bin/notes.sh add "$CWD/notes.txt" {text}\n  text: string (required)'),
        act('list', 'CLI cd "$CWD" && "$STRING_PACKAGE/bin/notes.sh" list {file}\n  file: path = "notes.txt"'),
        act('both', 'CLI sh "$(dirname "$CURRENT_FILE")/bin/notes.sh" list "$CWD/{file}"\n  file: path = "notes.txt"'),
        act('plain', 'CLI bash $(dirname $CURRENT_FILE)/bin/notes.sh list $CWD/notes.txt'),
        act('rest', 'CLI ./bin/notes.sh echo $ARGS'),
        act('has', `CLI if [ -f "$CWD/{file}" ]; then echo yes; else echo no; fi\n  file: path (required)`),
      ].join('\n')}`,
      'bin/notes.sh':
        '#!/bin/sh\nverb=$1; file=$2\ncase $verb in\n  add) printf "%s\\n" "$3" >> "$file"; echo added ;;\n  list) cat "$file" ;;\n  echo) shift; printf "<%s>" "$@" ;;\nesac\n',
      'requirements.md': '# What this needs\n',
    })
    expect(await call('add "buy milk; $(rm -rf x)"')).toBe('added')
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('buy milk; $(rm -rf x)\n')
    for (const id of ['list', 'both', 'plain']) expect(await call(id)).toBe('buy milk; $(rm -rf x)')
    expect(await call('rest a "b c" --flag')).toBe('<a><b c><--flag>')
    expect([await call('has notes.txt'), await call('has other')]).toEqual(['yes', 'no'])
  })

  it('a program that reads its settings from the environment, some of them with defaults', async () => {
    const { call, set } = await app({
      'string.md': `---\nname: settings\nenv:\n  - API_KEY: "Key of the service"\n  - REGION: "Where"\n    default: eu\n  - OPTIONAL: "May be missing"\nrequires: [DB_PATH]\n---\n${[
        act('show', 'CLI node ./main.mjs {q}\n  q: string (required)'),
        act('handed', 'CLI SETTINGS="$DB_PATH" API_KEY="$API_KEY" node main.mjs {q}\n  q: string (required)'),
        act('exported', 'CLI export API_KEY="$API_KEY"\nnode main.mjs {q}\n  q: string (required)'),
        act('inline', `CLI node -p 'process.env.API_KEY.length'`),
      ].join('\n')}`,
      'main.mjs':
        'const { API_KEY = "", REGION, OPTIONAL = "-" } = process.env\nconsole.log(API_KEY.length, REGION, OPTIONAL, process.argv[2])\n',
    })
    await set('API_KEY', 'k-1234567')
    await set('DB_PATH', '/tmp/db')
    for (const id of ['show', 'handed', 'exported']) expect(await call(`${id} "a b"`)).toBe('9 eu - a b')
    expect(await call('inline')).toBe('9')
    await set('REGION', 'us')
    await set('OPTIONAL', 'x')
    // Short values and what is set by hand: only what is long enough to be told apart is masked.
    expect(await call('show q')).toBe('9 us x q')
  })

  it('a front end to a service: headers with fields, a body, parts of the answer in files', async () => {
    const { origin, requests } = await startServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ url: request.url, items: [{ file: { data: 'aGk=', name: 'a.txt' } }] }))
    })
    const { call, set, cwd } = await app({
      'string.md': `---\nname: web\nenv:\n  - TOKEN: "Token"\n  - name: BASE\n    default: ${origin}\n---\n${[
        act(
          'find',
          `GET ${origin}/find -H "Authorization: Bearer $TOKEN" -H "Accept-Language: {lang}"\n  q: string (required)\n  lang: string = "en"`,
        ),
        act('get', `GET ${origin}/get/{id}\n  id: string (required)\n  file: path (required)`),
        act('get.response', 'save: items[0].file.data\ndecode: base64\nto: {file}'),
        act('script', 'CLI node ./get.mjs "$BASE/script?q={q}"\n  q: string (required)'),
      ].join('\n')}`,
      'get.mjs':
        'const headers = { authorization: `Bearer ${process.env.TOKEN}` }\nconsole.log(await (await fetch(process.argv[2], { headers })).text())\n',
    })
    await set('TOKEN', 'secret-token')
    expect(await call('find x')).toContain('"url": "/find?q=x"')
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret-token', 'accept-language': 'en' })
    expect(await call('get 7 out.txt')).toBe('Saved: out.txt (2 bytes)')
    expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('hi')
    expect(await call('script y')).toContain('/script?q=y')
    expect(requests.at(-1)?.headers.authorization).toBe('Bearer secret-token')
  })

  it('a front end to git in the folder of the caller', async () => {
    const { call, cwd } = await app({
      'string.md': `# Git\n\n${act('log', 'CLI git -C "$CWD" log --oneline -n {n}\n  n: number = "3"')}${act('status', 'CLI cd "$STRING_CWD" && git status --short')}`,
    })
    execFileSync('git', ['init', '-q', cwd])
    execFileSync('git', [
      '-C',
      cwd,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'First',
    ])
    expect(await call('log')).toContain('First')
    expect(await call('status')).toBe('Done: status')
  })
})
