import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** A site on loopback; `seen` lists the requests that reached it. */
async function site(pages: Record<string, RequestListener | string>): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const page = pages[request.url ?? '']
    if (page === undefined) return void response.writeHead(404).end('gone')
    if (typeof page === 'function') return page(request, response)
    response.writeHead(200, { 'Content-Type': request.url?.endsWith('.md') ? 'text/markdown' : 'text/html' }).end(page)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const redirect =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { Location: location }).end()

describe('/open of a web page', () => {
  it('asks for Markdown first and shows HTML as Markdown, with shortcuts, sections and relative links', async () => {
    const { port } = await startTestDaemon()
    const { url, seen } = await site({
      '/docs':
        '<html><head><title>The docs</title></head><body><nav><a href="/x">Chrome</a></nav><main><h1>Docs</h1><p>See <a href="./api.md">the API</a>.</p><h2>Install</h2><pre><code class="language-sh">npm i</code></pre></main></body></html>',
      '/api.md': '---\ntitle: API\n---\n# API\n\n<!-- #auth -->\nTokens.\n<!-- /auth -->\n',
    })
    const { head, body } = await exec(port, `/open ${url}/docs`)
    expect(body).toBe(
      `Opened ${url}/docs\n---\n# Docs\n\nSee [the API][@the-api].\n\n## Install\n\n\`\`\`sh\nnpm i\n\`\`\`\n`,
    )
    expect(head.meta).toMatchObject({ uri: `${url}/docs`, title: 'The docs' })
    expect((await exec(port, '/open @the-api#auth')).body).toBe('Opened @the-api#auth\n---\nTokens.\n')
    expect((await exec(port, '/back')).body).toMatch(new RegExp(`^Back to ${url}/docs\\n---\\n# Docs`))
    expect((await exec(port, `/open ${url}/docs#install`)).body).toContain('## Install\n')
    expect(seen.every((line) => line.startsWith('GET '))).toBe(true)
  })

  it('does not ask again for another page or view, and does for /refresh', async () => {
    const { port } = await startTestDaemon()
    const { url, seen } = await site({ '/long.md': `# Long\n\n${'Words and words.\n\n'.repeat(4000)}` })
    await exec(port, `/open ${url}/long.md`)
    expect((await exec(port, '/open --page 2')).body).toContain('[page 2 of 3]')
    await exec(port, '/open #long')
    await exec(port, '/nav page')
    expect(seen).toHaveLength(1)
    expect((await exec(port, '/refresh')).body).toMatch(new RegExp(`^Refreshed ${url}/long.md`))
    expect(seen).toHaveLength(2)
  })

  it('shows text and JSON as they are, images and other bytes by their description', async () => {
    const { port } = await startTestDaemon()
    const typed =
      (type: string, body: string | Buffer): RequestListener =>
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': type }).end(body)
    const { url } = await site({
      '/a.txt': typed('text/plain', '[not](https://a.link) <!-- #b -->'),
      '/a.json': typed('application/json', '{"a": [1]}'),
      '/a.png': typed(
        'image/png',
        Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0080200000000000000', 'hex'),
      ),
      '/lie': typed('text/html', Buffer.from([0x3c, 0, 1, 2, 3])),
    })
    expect((await exec(port, `/open ${url}/a.txt`)).body).toContain('---\n[not](https://a.link) <!-- #b -->')
    expect((await exec(port, `/open ${url}/a.json`)).body).toContain('---\n{"a": [1]}')
    expect((await exec(port, `/open ${url}/a.png`)).body).toContain('---\n(PNG image, 640 × 480, 33 B)')
    expect((await exec(port, `/open ${url}/lie`)).body).toContain('---\n(text/html, 5 B)')
  })

  it('S26: answers a clear error for what is missing, loops, is too large, or leads back to the daemon, and nothing else happens', async () => {
    const { port } = await startTestDaemon()
    const { url } = await site({
      '/loop': (request, response) => redirect(request.url ?? '')(request, response),
      '/file': redirect('file:///etc/passwd'),
      '/own': redirect(`http://127.0.0.1:${port}/agents`),
      '/large': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' })
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1 << 20)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      '/secret': (_request, response) => void response.writeHead(401).end(),
      '/reset': (request) => void request.socket.destroy(),
    })
    const codeOf = async (target: string) => (await exec(port, `/open ${target}`)).head.code
    expect(await codeOf(`${url}/missing`)).toBe('NOT_FOUND')
    expect(await codeOf(`${url}/loop`)).toBe('LOAD_ERROR')
    expect(await codeOf(`${url}/file`)).toBe('INVALID_TARGET')
    expect(await codeOf(`${url}/large`)).toBe('TOO_LARGE')
    expect(await codeOf(`${url}/secret`)).toBe('AUTH_REQUIRED')
    expect(await codeOf(`${url}/reset`)).toBe('LOAD_ERROR')
    for (const own of [
      `${url}/own`,
      `http://127.0.0.1:${port}/health`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
    ]) {
      expect(await codeOf(own), own).toBe('INVALID_TARGET')
    }
    for (const target of [
      'file:///etc/passwd',
      'data:text/html,x',
      'javascript:alert(1)',
      'ftp://x/y',
      'http://user:secret@127.0.0.1/',
    ]) {
      const reply = await exec(port, `/open ${target}`)
      expect(reply.head.code, target).toBe('INVALID_TARGET')
      expect(reply.body).not.toContain('secret@')
    }
    expect((await exec(port, '/info')).body).toContain('uri: (no document)')
  })

  it('takes includes and menus of a page from http(s) only, never from files', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'secret.md'), 'SECRET')
    const { url } = await site({
      '/page.md': `[!include:a](./part.md)\n[!include:b](file://${home}/secret.md)\n[!include:c](${home}/secret.md)\n[!nav:m](./menu.md)\n\n[@f File](file://${home}/secret.md)\n`,
      '/part.md': 'A part with [Home](https://example.com).\n',
      '/menu.md': '- [@x X](./part.md)\n',
    })
    const { body } = await exec(port, `/open ${url}/page.md`)
    expect(body).toContain('A part with [Home][@home].')
    expect(body).not.toContain('SECRET')
    expect((await exec(port, '/open @f')).head.code).toBe('INVALID_TARGET')
    await exec(port, `/open ${url}/page.md`)
    expect((await exec(port, '/open @m.x')).body).toContain('A part with')
  })
})

describe('reading never executes', () => {
  it('starts no process and sends no request but for the page itself and its web includes', async () => {
    const { port, home } = await startTestDaemon()
    const { url, seen } = await site({
      '/page.md':
        '---\nname: evil\ntype: app\ndefault: go\n---\n[!include:part](./part.md)\n\n```act.go\nGET /called\n```\n\n```act.sh\nCLI touch ran\n```\n\n![image](/image.png) [Link](https://example.com)\n',
      '/part.md': '```act.more\nPOST /called\n```\nPart\n',
    })
    writeFileSync(
      join(home, 'app.md'),
      `---\nname: evil\ntype: app\ndefault: go\nenv: [HOME]\n---\n[!include:x](./x.md)\n\n\`\`\`act.go\nCLI touch ${home}/ran\n\`\`\`\n\n\`\`\`act.get\nGET ${url}/called\n\`\`\`\n\n![i](${url}/image.png) [@l L](${url}/linked)\n`,
    )
    writeFileSync(join(home, 'x.md'), '```act.x\nCLI touch ran\n```\nIncluded $HOME {var} $(touch ran) `touch ran`\n')
    const before = children()
    const page = await exec(port, `/open ${url}/page.md`)
    expect(page.body).toContain('[actions] go, sh, more')
    for (const cmd of [
      '/open app.md',
      '/refresh',
      '/nav',
      '/nav --resolve',
      '/info',
      '/open #x',
      '/back',
      '/open app.md --source',
    ])
      await exec(port, cmd)
    expect(seen.filter((line) => !['GET /page.md', 'GET /part.md'].includes(line))).toEqual([])
    expect(children()).toEqual(before)
    expect(readdirSync(home).sort()).toEqual(['app.md', 'x.md'])
  })
})

function children(): string {
  return readdirSync('/proc/self/task')
    .map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'))
    .join('')
}
