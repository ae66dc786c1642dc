import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec, readExec } from '../../../../test/support/http.ts'
import { action, openWith, startService } from '../support/action.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

const KEPT = /\n… (\d+) bytes left out; the whole is in (~\/\.string\/output\/\w+\.txt), \/open reads it …\n/

const bytes = (text: string): number => Buffer.byteLength(text)

/** The whole text of a tool call. */
async function overMcp(port: number, cmd: string, topic = 'main'): Promise<string> {
  const params = { name: 'string', arguments: { cmd, topic } }
  const headers = { 'X-Agent-Id': 'default' }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const { json } = await call(port, 'POST', '/mcp', { headers, body })
  return (json as { result: { content: { text: string }[] } }).result.content[0]?.text ?? ''
}

async function viaMcp(port: number, cmd: string): Promise<string> {
  const headers = { 'X-Agent-Id': 'default' }
  const { text } = await call(port, 'POST', '/exec', { headers, body: { cmd, via: 'mcp' } })
  return readExec(text).body
}

async function inChanFlow(port: number, cmd: string): Promise<string> {
  const headers = { 'X-Agent-Id': 'default' }
  const { json } = await call(port, 'POST', '/chanflow', { headers, body: { text: `<𝒞=string:main>${cmd}</𝒞>` } })
  return (json as { text: string }).text
}

/** Every answer of a command is within its bound; answers them by where they came from. */
async function everywhere(
  { port }: TestDaemon,
  cmd: string,
): Promise<Record<'http' | 'mcp' | 'via' | 'chanflow', string>> {
  const [http, mcp, via, chanflow] = [
    (await exec(port, cmd)).body,
    await overMcp(port, cmd),
    await viaMcp(port, cmd),
    await inChanFlow(port, cmd),
  ]
  expect(bytes(http), 'http').toBeLessThanOrEqual(LIMITS.answerBytes)
  expect(bytes(mcp), 'mcp').toBeLessThanOrEqual(LIMITS.mcpAnswerBytes)
  expect(bytes(via), 'via').toBeLessThanOrEqual(LIMITS.mcpAnswerBytes)
  expect(bytes(chanflow), 'chanflow').toBeLessThanOrEqual(LIMITS.answerBytes + 100)
  return { http, mcp, via, chanflow }
}

/** What an answer says that it has kept. */
function keptIn(home: string, answer: string): string {
  const [, , path = ''] = KEPT.exec(answer) ?? []
  return readFileSync(join(home, path.slice(2)), 'utf8')
}

const outputs = (home: string): string[] => {
  const folder = join(home, '.string/output')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('an answer that is too long', () => {
  it('of a shell command shows head and tail on every surface, and the whole can be read page by page', async () => {
    const daemon = await startTestDaemon()
    const { port, home } = daemon
    const whole = `${Array.from({ length: 100_000 }, (_, index) => index + 1).join('\n')}\n`
    const answers = await everywhere(daemon, '/exec seq 1 100000')
    for (const answer of Object.values(answers)) {
      expect(answer).toMatch(/\n1\n2\n3\n/)
      expect(answer).toMatch(/\n99999\n100000(\n<\/𝒞>)?$/)
      expect(keptIn(home, answer)).toBe(whole)
    }
    expect(bytes(answers.http)).toBeGreaterThan(50_000)
    const [, , path = ''] = KEPT.exec(answers.mcp) ?? []
    expect(await overMcp(port, `/open ${path}`)).toMatch(/\[page 1 of \d+\] \/open --page 2 for the next/)
    expect(await overMcp(port, '/open --page 2')).toMatch(/\[page 2 of \d+\]/)
    await exec(port, '/close')
    expect(outputs(home)).toEqual([])
  })

  it('of a bash topic is bound by who asks, not by who asked before', async () => {
    const { port, home } = await startTestDaemon()
    const command = 'seq 1 9000'
    const first = await exec(port, command, { topic: 'bash:x' })
    expect(first.body).not.toContain('left out')
    expect(outputs(home)).toEqual([])
    const second = await overMcp(port, command, 'bash:x')
    expect(bytes(second)).toBeLessThanOrEqual(LIMITS.mcpAnswerBytes)
    const [, path = ''] = /\n… \d+ bytes left out; the whole is in (\/\S+), \/\/open reads it …\n/.exec(second) ?? []
    expect(path).toContain(home)
    expect(readFileSync(path, 'utf8')).toMatch(/^1\n2\n[\s\S]*\n9000\n$/)
  })

  it('is not made of bytes that are no text', async () => {
    const daemon = await startTestDaemon()
    await everywhere(daemon, String.raw`/exec head -c 60000 /dev/zero | tr '\0' '\377'`)
    await everywhere(daemon, String.raw`/exec for i in $(seq 3000); do printf '\033[999Cx\n'; done`)
  })

  it('of a listing is bounded, and its data is whole', async () => {
    const daemon = await startTestDaemon()
    const folder = join(daemon.home, 'many')
    mkdirSync(folder)
    for (let index = 0; index < 1_000; index += 1) writeFileSync(join(folder, `${index}-${'x'.repeat(200)}`), '')
    const { http } = await everywhere(daemon, '/ls many')
    expect(keptIn(daemon.home, http).split('\n')).toHaveLength(1_000)
    const { head } = await exec(daemon.port, '/ls many')
    expect(head.data).toMatchObject({ total: 1_000 })
    expect(head.data?.entries).toHaveLength(1_000)
  })

  it('of an event, a block, a menu and an edit is bounded', async () => {
    const daemon = await startTestDaemon()
    const { port, home } = daemon
    const { json } = await call(port, 'GET', '/agents/default/webhook')
    const { pathname } = new URL((json as { webhook_url: string }).webhook_url)
    await call(port, 'POST', pathname, { body: 'é'.repeat(LIMITS.webhookBodyBytes / 2) })
    const id = /evt_\w+/.exec((await exec(port, '/events')).body)?.[0]
    const read = await everywhere(daemon, `/events.read ${id}`)
    expect(keptIn(home, read.mcp)).toContain('é'.repeat(LIMITS.webhookBodyBytes / 2))

    const block = '☃ of text\n'.repeat(10_000)
    writeFileSync(join(home, 'large.md'), `<!-- #b -->\n${block}<!-- /b -->\n`)
    const verified = await everywhere(daemon, '/verify large.md#b')
    expect(keptIn(home, verified.http)).toContain(block)
    await everywhere(daemon, '/edit large.md')

    const links = Array.from({ length: 3_000 }, (_, index) => `[@id-${index} ${'x'.repeat(30)}](./${index}.md)`)
    writeFileSync(join(home, 'links.md'), links.join('\n\n'))
    await exec(port, '/open links.md')
    await everywhere(daemon, '/nav page --resolve')

    const line = 'x'.repeat(200_000)
    await everywhere(daemon, `/replace large.md:L2\n${line}`)
    expect(await inChanFlow(port, `/write other.md\n${line}`)).toMatch(KEPT)
  })

  it('of an action is kept, of a server or of a command, and so is the answer of one that failed', async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `row ${index}`).join('\n')
    const service = await startService((request, response) => {
      response.writeHead(request.url === '/bad' ? 500 : 200, { 'Content-Type': 'text/plain' })
      response.end(long)
    })
    const web = await openWith(action(`GET ${service.origin}/x`))
    expect(keptIn(web.home, (await everywhere(web, '/act.go')).mcp)).toBe(long)
    const failing = await openWith(action(`GET ${service.origin}/bad`))
    const failed = await everywhere(failing, '/act.go')
    expect(bytes(failed.http)).toBeLessThan(2 * LIMITS.errorBytes)
    expect(keptIn(failing.home, failed.http.replaceAll('\n  ', '\n'))).toBe(long)
    for (const end of ['', '; exit 3']) {
      const cli = await openWith(action(`CLI seq 1 100000${end}`))
      const answer = (await everywhere(cli, '/act.go')).mcp.replaceAll('\n  ', '\n')
      expect(keptIn(cli.home, answer)).toMatch(/^1\n[\s\S]*\n100000\n$/)
    }
  })

  it('of an error is bounded, however long what it quotes is', async () => {
    const daemon = await startTestDaemon()
    const long = 'x'.repeat(60_000)
    for (const command of [`/ls ${long}`, `/ls a ${long}`, `/ls --${long}`, `/open {${long}}`, `/help ${long}`])
      await everywhere(daemon, command)
    for (let index = 0; index < 20; index += 1) await exec(daemon.port, `/set {a${index}${'y'.repeat(60_000)}} = "1"`)
    const { http } = await everywhere(daemon, '/open {nope}')
    expect(http).toMatch(/^ERROR\(UNDEFINED_VARIABLE\): This topic has no variable \{nope\}\n/)
    await everywhere(daemon, '/info')
  })
})

describe('a document', () => {
  it('comes over MCP in pages that fit with everything around them, and lose nothing', async () => {
    const { port, home } = await startTestDaemon()
    const name = `${`${'long-'.repeat(40)}/`.repeat(4)}name.md`
    mkdirSync(join(home, name, '..'), { recursive: true })
    const whole = 'A line of text with a ☃ in it.\n'.repeat(6_000)
    writeFileSync(join(home, name), whole)
    let read = ''
    for (let page = 1; ; page += 1) {
      const text = await overMcp(port, page === 1 ? `/open ${name}` : `/open --page ${page}`)
      expect(bytes(text)).toBeLessThanOrEqual(LIMITS.mcpAnswerBytes)
      expect(text).not.toMatch(KEPT)
      const [, shown = '', count] = /\n---\n([\s\S]*)\n\[page \d+ of (\d+)\].*\n<\/𝒞>$/.exec(text) ?? []
      read += `${shown}\n`
      if (page === Number(count)) break
    }
    expect(read).toBe(whole)
  })

  it('is shown whole to a person or program that asks for it, and to a model as far as an answer goes', async () => {
    const { port, home } = await startTestDaemon()
    const whole = 'A line of text.\n'.repeat(20_000)
    writeFileSync(join(home, 'large.md'), whole)
    writeFileSync(join(home, 'middle.md'), whole.slice(0, 40_000))
    for (const flags of ['--full', '--full --source']) {
      expect((await exec(port, `/open large.md ${flags}`)).body).toBe(`Opened large.md\n---\n${whole}`)
      for (const answer of [overMcp, viaMcp, inChanFlow]) {
        expect(await answer(port, `/open large.md ${flags}`)).toMatch(
          /\n\[page 1 of \d+\] \/open --page 2 for the next/,
        )
        expect(outputs(home)).toEqual([])
      }
      expect(await inChanFlow(port, `/open middle.md ${flags}`)).not.toContain('[page')
      expect(await overMcp(port, `/open middle.md ${flags}`)).toContain('[page 1 of 2]')
    }
  })
})
