import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompletionView } from '@string-os/protocol'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const AGENT = { 'X-Agent-Id': 'default' }

const GUIDE = `# Guide

[!nav:main](./menu.md)

<!-- #install -->
Install it.
<!-- /install -->

## Next Steps

See [@site Our site](https://example.com/a), [the menu](menu.md), [its start](./deep/x.md#y), [below](#install) and
[mail](mailto:a@example.com).

\`\`\`act.greet
CLI echo {name} {tone} {file}
  name: string (required) "whom"
  tone, -t: string (warm | cold) = "warm"
  file: path = "x"
\`\`\`
`

const SHOP = `# Shop

\`\`\`act.items
CLI echo '["apple", "${'pear'.repeat(20)}"]'
\`\`\`

\`\`\`act.items.response
for: i in Response.body
{@item} = {i}
- {@item} {i}
end:
\`\`\`

\`\`\`act.buy
CLI echo {item}
  item, -i: string (required)
\`\`\`
`

async function place() {
  const daemon = await startTestDaemon()
  const { home, port } = daemon
  mkdirSync(join(home, 'docs/deep'), { recursive: true })
  writeFileSync(join(home, 'docs/guide.md'), GUIDE)
  writeFileSync(join(home, 'docs/menu.md'), '# Menu\n\n- [@start Start](./guide.md#install)\n')
  writeFileSync(join(home, "docs/it's a note.md"), '# Note\n')
  writeFileSync(join(home, 'docs/.hidden'), '')
  const ask = async (text: string, topic = 'main'): Promise<CompletionView> =>
    (await call(port, 'POST', '/complete', { headers: AGENT, body: { text, topic, cwd: home } })).json as CompletionView
  const texts = async (text: string, topic?: string): Promise<string[]> =>
    (await ask(text, topic)).items.map((item) => item.text)
  return { ...daemon, ask, texts, run: (cmd: string) => exec(port, cmd, { cwd: home }) }
}

describe('what may stand where a line ends', () => {
  it('names commands with what they do and whether lines follow, and the flags of one', async () => {
    const { ask, texts } = await place()
    const { from, items, total } = await ask('/re')
    expect({ from, total }).toEqual({ from: 0, total: 2 })
    expect(items).toEqual([
      { text: '/refresh', kind: 'command', about: expect.stringMatching(/\w/), body: 'none' },
      { text: '/replace', kind: 'command', about: expect.stringMatching(/\w/), body: 'required' },
    ])
    expect(await texts('')).toContain('/open')
    expect(await ask('/open --p')).toMatchObject({
      from: 6,
      items: [{ text: '--page', kind: 'flag', about: 'another page of a long document' }],
      usage: expect.stringContaining('/open [TARGET]'),
    })
    expect(await texts('/open --page ')).toEqual([])
    expect(await texts('/nope ')).toEqual([])
    expect(await texts('/help refr')).toEqual(['refresh'])
  })

  it('names paths as they are typed: beside the document, in quotes where they need them, hidden ones after a dot', async () => {
    const { texts, run, ask } = await place()
    expect(await texts('/open do')).toEqual(['docs/'])
    expect(await texts('/open docs/')).toEqual([
      'docs/deep/',
      'docs/guide.md',
      "'docs/it'\"'\"'s a note.md'",
      'docs/menu.md',
    ])
    expect(await ask('/open "docs/it')).toMatchObject({ from: 6, items: [{ kind: 'file' }] })
    expect(await texts('/open ~/docs/g')).toEqual(['~/docs/guide.md'])
    expect(await texts('/write docs/.')).toEqual(['docs/.hidden'])
    expect(await texts('/open gui')).toEqual([])
    // What nothing begins with is found in another case, and else within a name.
    expect(await texts('/open docs/GUI')).toEqual(['docs/guide.md'])
    expect(await texts('/open docs/uid')).toEqual(['docs/guide.md'])
    expect(await texts('/fresh')).toEqual(['/refresh'])
    await run('/open docs/guide.md')
    expect(await texts('/open gui')).toEqual(['guide.md'])
  })

  it('names blocks, shortcuts, menus, actions, fields and values of the open document', async () => {
    const { texts, run, ask, home } = await place()
    expect(await texts('/open #')).toEqual([])
    expect(await texts('/open docs/guide.md#')).toEqual(
      ['install', 'guide', 'next-steps'].map((id) => `docs/guide.md#${id}`),
    )
    await run('/open docs/guide.md')
    expect(await texts('/open #n')).toEqual(['#next-steps'])
    expect((await ask('/open @')).items).toEqual([
      { text: '@site', kind: 'shortcut', about: 'Our site' },
      { text: '@main.start', kind: 'shortcut', about: 'Start' },
    ])
    // Where it leads comes first, and once.
    const { items } = await ask('/open ')
    expect(items.slice(0, 2)).toEqual([
      { text: 'menu.md', kind: 'value', about: 'the menu' },
      { text: './deep/x.md#y', kind: 'value', about: 'its start' },
    ])
    expect(items.filter(({ text }) => /^menu\.md$|^mailto|^https/.test(text))).toHaveLength(1)
    expect(await texts('/open ./deep/x.md#')).toEqual(['./deep/x.md#y'])
    expect(await texts('/open https:')).toEqual(['https://example.com/a'])
    // What is begun is looked for in this folder first, and a label of several lines is one here.
    writeFileSync(join(home, 'agent.md'), '# Agent\n')
    expect(await texts('/open ag')).toEqual(['agent.md', 'agent'])
    writeFileSync(
      join(home, 'docs/links.md'),
      '[a label\nof  two lines](agenda) [@two another\none](https://example.com)\n',
    )
    await run('/open docs/links.md')
    expect(await texts('/open ag')).toEqual(['agent.md', 'agenda', 'agent'])
    expect((await ask('/open agend')).items).toEqual([{ text: 'agenda', kind: 'value', about: 'a label of two lines' }])
    expect((await ask('/open @')).items).toEqual([{ text: '@two', kind: 'shortcut', about: 'another one' }])
    await run('/open docs/guide.md')
    expect(await texts('/nav m')).toEqual(['main'])
    expect((await ask('/act.g')).items).toEqual([{ text: '/act.greet', kind: 'action', about: 'name [tone] [file]' }])
    expect(await texts('/act gr')).toEqual(['greet'])
    expect(await texts('/act.greet --')).toEqual(['--name', '--tone', '--file', '--help', '--dry-run'])
    expect(await texts('/act.greet --tone ')).toEqual(['warm', 'cold'])
    expect(await texts('/act.greet --tone=')).toEqual(['--tone=warm', '--tone=cold'])
    expect(await texts('/act.greet --file=do')).toEqual(['--file=docs/'])
    expect((await ask('/act.greet --ton')).items).toEqual([
      expect.objectContaining({ text: '--tone', about: expect.stringContaining('warm|cold') }),
    ])
    expect(await texts('/act greet Ann c')).toEqual(['cold'])
    expect(await texts('/act.greet --file do')).toEqual(['docs/'])
  })

  it('names the fields of a call that nothing in it fills yet', async () => {
    const { texts, run } = await place()
    await run('/open docs/guide.md')
    expect(await texts('/act.greet Ann --')).toEqual(['--tone', '--file', '--help', '--dry-run'])
    expect(await texts('/act.greet --tone warm ')).toEqual(['--name', '--file', '--help', '--dry-run'])
    expect(await texts('/act.greet --tone warm Ann do')).toEqual(['docs/'])
    expect(await texts('/act.greet -t ')).toEqual(['warm', 'cold'])
  })

  it('names what a response has left as the value of a field', async () => {
    const { home, ask, texts, run } = await place()
    writeFileSync(join(home, 'shop.md'), SHOP)
    await run('/open shop.md')
    expect(await texts('/act.buy @')).toEqual([])
    await run('/act.items')
    expect((await ask('/act.buy @')).items).toEqual([
      { text: '@item-1', kind: 'shortcut', about: 'apple' },
      { text: '@item-2', kind: 'shortcut', about: `${'pear'.repeat(15)}…` },
    ])
    for (const line of ['/act.buy --item @', '/act buy @it', '/act.buy -i @item-'])
      expect(await texts(line)).toEqual(['@item-1', '@item-2'])
  })

  it('names topics, variables and events, and in a bash topic paths and its own commands', async () => {
    const { texts, run, port } = await place()
    expect(await texts('/open sys')).toEqual(['system'])
    await run('/set {city} = "Seoul"')
    expect(await texts('/open {')).toEqual(['{city}'])
    const shop = '---\nname: shop\ntype: app\nenv: [SHOP_KEY, SHOP_CITY]\n---\n# Shop\n'
    expect((await exec(port, `/write shop/string.md\n${shop}`)).head.ok).toBe(true)
    expect((await exec(port, '/install ./shop')).head.ok).toBe(true)
    await exec(port, '/set $SHOP_KEY = "hush"', { topic: 'app:shop' })
    expect(await texts('/set $SHOP', 'app:shop')).toEqual(['$SHOP_KEY', '$SHOP_CITY'])
    expect(await texts('/unset $', 'app:shop')).toEqual(['$SHOP_KEY'])
    expect(await texts('/install --update ')).toEqual(['shop'])
    expect(await texts('/install --link sh')).toEqual(['shop/'])
    const { json } = await call(port, 'GET', '/agents/default/webhook')
    const hook = new URL((json as { webhook_url: string }).webhook_url)
    const accepted = await call(port, 'POST', hook.pathname, { body: 'news' })
    const { event_id } = accepted.json as { event_id: string }
    expect(await texts('/events.read evt')).toEqual([event_id])
    expect(await texts('//int', 'bash:x')).toEqual(['//interrupt'])
    expect(await texts('cat docs/g', 'bash:x')).toEqual(['docs/guide.md'])
    expect(await texts('doc', 'bash:x')).toEqual([])
    await exec(port, 'cd docs', { topic: 'bash:x' })
    expect(await texts('cat gui', 'bash:x')).toEqual(['guide.md'])
    expect(await texts('cat ../docs/deep', 'bash:x')).toEqual(['../docs/deep/'])
    expect(await texts('hello there')).toEqual([])
  })

  it('says nothing of what lies outside the workspace, and nothing of a body', async () => {
    const { texts, home } = await place()
    symlinkSync('/etc', join(home, 'outside'))
    expect(await texts('/open /etc/host')).toEqual([])
    expect(await texts('/open outside/host')).toEqual([])
    expect(await texts('/write x.md\n/op')).toEqual([])
  })

  it('makes no session, waits for nothing that runs, and changes nothing', async () => {
    const { texts, port, release, held, run } = await place()
    const sessions = async () => ((await call(port, 'GET', '/sessions')).json as { sessions: unknown[] }).sessions
    await texts('/open d', 'fresh')
    expect(await sessions()).toEqual([])
    const running = run('/hold')
    while (held() === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await texts('/open do')).toEqual(['docs/'])
    release()
    await running
  })

  it('opens the folder of whoever asks to this one question, and to no command', async () => {
    const { port, dir, run } = await place()
    mkdirSync(join(dir, 'elsewhere'))
    writeFileSync(join(dir, 'elsewhere/secret.md'), '# Secret\n')
    await run('/info')
    const body = { text: '/open secret.md#', topic: 'main', cwd: join(dir, 'elsewhere') }
    const { json } = await call(port, 'POST', '/complete', { headers: AGENT, body })
    expect(json).toMatchObject({ items: [{ text: 'secret.md#secret' }] })
    const { head } = await run(`/open ${join(dir, 'elsewhere/secret.md')}`)
    expect(head).toMatchObject({ ok: false, code: 'INVALID_PATH' })
  })

  it('gives the first of very many, and says how many there are', async () => {
    const { ask, home } = await place()
    mkdirSync(join(home, 'many'))
    for (let index = 0; index < LIMITS.completions + 5; index += 1) writeFileSync(join(home, 'many', `f${index}`), '')
    // It could not be put into a line.
    writeFileSync(join(home, 'many', 'two\nlines'), '')
    const { items, total } = await ask('/open many/')
    expect(items).toHaveLength(LIMITS.completions)
    expect(total).toBe(LIMITS.completions + 5)
  })

  it('refuses a body without text', async () => {
    const { port } = await place()
    for (const [body, error] of [
      [{}, 'Invalid JSON body — expected { "text": "..." }'],
      [{ text: {} }, '"text" must be a string'],
    ] as const)
      expect(await call(port, 'POST', '/complete', { headers: AGENT, body })).toMatchObject({
        status: 400,
        json: { error },
      })
  })
})
