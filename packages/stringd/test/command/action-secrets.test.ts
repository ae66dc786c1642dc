import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { action, startService } from '../support/action.ts'
import { openPackaged } from '../support/packaged.ts'

const SECRET = 's3cr3t "Väl&ue" 42'
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  encodeURIComponent(SECRET).replaceAll('%20', '+'),
  JSON.stringify(SECRET).slice(1, -1),
  Buffer.from(SECRET).toString('base64'),
]

const openPackage = (document: string) => openPackaged(document, { TOKEN: SECRET })

function expectNoSecret(...texts: unknown[]): void {
  for (const text of texts)
    for (const form of FORMS) expect(JSON.stringify(text)).not.toContain(JSON.stringify(form).slice(1, -1))
}

describe('the value of a stored variable', () => {
  it('reaches the service, and is masked in what the service sends back', async () => {
    const service = await startService()
    const { run, log } = await openPackage(
      action(
        `POST ${service.origin}/x?key=$TOKEN -H "Authorization: Basic {k|base64}" -d '{"k": "$TOKEN"}'\n  k: string = "$TOKEN"`,
      ),
    )
    const reply = await run('/packaged')
    expect(service.arrived[0]?.query).toEqual([['key', SECRET]])
    expect(JSON.parse(service.arrived[0]?.body ?? '')).toEqual({ k: SECRET })
    expect(service.arrived[0]?.headers.authorization).toBe(`Basic ${Buffer.from(SECRET).toString('base64')}`)
    expect(reply.body).toContain('***')
    expectNoSecret(reply, log, (await run('/info')).body)
  })

  it('is masked in the data of an answer, however the service writes it', async () => {
    const unicode = SECRET.split('')
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    const said = JSON.stringify(SECRET)
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      // A number of so many digits keeps the text as it came.
      response.end(`{"plain":${said},"key":{${said}:1},"odd":"${unicode}","id":12345678901234567890}`)
    })
    const { run } = await openPackage(action(`GET ${service.origin}/x?key=$TOKEN`))
    const reply = await run('/packaged')
    const response = { plain: '***', key: { '***': 1 }, odd: '***', id: '12345678901234567890' }
    expect(reply.head.data).toEqual({ status: 200, content_type: 'application/json', response })
    expectNoSecret(reply.head.data)
  })

  it('is masked in errors, of the service and of the network', async () => {
    const service = await startService((request, response) => {
      response.writeHead(403, { 'Content-Type': 'text/plain' })
      response.end(`bad key ${SECRET} for ${request.url}`)
    })
    const { run, log, home } = await openPackage(action(`GET ${service.origin}/bot$TOKEN/x`))
    const refused = await run('/packaged')
    expect(refused.head.code).toBe('ACTION_FAILED')
    expect(refused.body).toContain('/bot***/x answered 403 Forbidden\n  bad key *** for /bot***/x')
    writeFileSync(join(home, 'doc.md'), action('GET http://127.0.0.1:1/bot$TOKEN/x'))
    const unreachable = await run('/packaged')
    expect(unreachable.body).toContain('Nothing answers at http://127.0.0.1:1/bot***/x')
    writeFileSync(join(home, 'doc.md'), action('CLI echo "$TOKEN"; exit 1'))
    const failed = await run('/packaged')
    expect(failed.body).toContain('status 1\n  ***')
    expectNoSecret(refused, unreachable, failed, log, (await run('/open system')).body)
  })

  it('is masked where a long answer is cut, too', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' })
      response.end(`${'x'.repeat(4_090)}${SECRET}${'y'.repeat(10_000)}`)
    })
    const web = await openPackage(action(`GET ${service.origin}/?k=$TOKEN`))
    expect((await web.run('/packaged')).body).not.toContain(SECRET.slice(0, 4))
    const half = (LIMITS.answerBytes - 5 * 1024 - 256) / 2
    for (const length of [half - 6, half - SECRET.length + 3]) {
      const cli = await openPackage(
        action(`CLI head -c ${length} /dev/zero | tr '\\0' x; echo "$TOKEN"; head -c 300000 /dev/zero | tr '\\0' y`),
      )
      const { body } = await cli.run('/packaged')
      expect(body.replace(/x{100,}/, 'x…').replace(/y{100,}/, 'y…')).toMatch(
        /^x…\*\*\*\n… \d+ bytes left out; not kept, because it may hold secrets …\ny…$/,
      )
    }
  })

  it('does not appear in a dry run, however short it is', async () => {
    const { run } = await openPackage(
      `${action(`POST http://127.0.0.1:9/x?key=$TOKEN -H "X-Key: $TOKEN" -d '{"k": "$TOKEN", "d": {k}}'\n  k: string = "$TOKEN"`)}`,
    )
    const reply = await run('/packaged --dry-run')
    expect(reply.body).toBe(
      'Dry run: go\n---\nPOST http://127.0.0.1:9/x?key=***\nX-Key: ***\nContent-Type: application/json\n\n{"k": "***", "d": "***"}',
    )
    const cli = await openPackage(action(`CLI curl -H "Key: $TOKEN" {v} "{v}" '{v}'\n  v: string = "it's $5"`))
    expect((await cli.run('/packaged --dry-run')).body).toBe(
      `Dry run: go\n---\ncurl -H "Key: $TOKEN" 'it'\\''s $5' "it's \\$5" 'it'\\''s $5'`,
    )
  })

  it('is masked in variables, values and files that a response leaves', async () => {
    const service = await startService()
    const { run, home } = await openPackage(
      action(
        `GET ${service.origin}/x?key=$TOKEN`,
        '{v} = {Response.body.query[0][1]}\n{@w} = {v}\nsave: all.json\nsave: Response.body.query[0][1]\nto: one.txt\nGot {v}',
      ),
    )
    const reply = await run('/packaged')
    expect(reply.body).toBe('Got ***')
    expectNoSecret(reply, (await run('/set')).body, readFileSync(join(home, 'all.json'), 'utf8'))
    expect(readFileSync(join(home, 'one.txt'), 'utf8')).toBe('***')
  })

  it('is masked however the service spells it', async () => {
    const spelled = Array.from(SECRET)
      .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    const html = SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const answers: Record<string, [type: string, text: string]> = {
      '/json': ['application/json', `{"k": "${spelled}"}`],
      '/ascii': ['text/plain', JSON.stringify(SECRET).replace('ä', '\\u00e4')],
      '/html': ['text/html', `<p>before ${html} after</p>`],
      '/source': ['text/plain', html],
    }
    const service = await startService(({ url = '' }, response) => {
      const [type = '', text = ''] = answers[url.replace(/\?.*$/, '')] ?? []
      response.writeHead(200, { 'Content-Type': type }).end(text)
    })
    const { run, home } = await openPackage('')
    for (const path of Object.keys(answers)) {
      writeFileSync(join(home, 'doc.md'), action(`GET ${service.origin}${path}?k=$TOKEN`))
      const reply = await run('/packaged')
      expect(reply.head.ok).toBe(true)
      expect(reply.body.replaceAll('\\*', '*')).toContain('***')
      expectNoSecret(reply)
    }
  })

  it('is in no name of a file that a response leaves', async () => {
    const { run, home } = await openPackage(
      action('CLI echo "$TOKEN"', 'save: Response.body\nto: out/{Response.body}.txt\n'),
    )
    const reply = await run('/packaged')
    expect(reply.body).toMatch(/^Saved: out\/\*\*\*/)
    expectNoSecret(reply, readdirSync(join(home, 'out')))
  })

  it('is in no address or text of a document response', async () => {
    const service = await startService((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end(`# Page of ${SECRET}\n\n[@more More](./more)\n\n${request.url}\n`)
    })
    const { run } = await openPackage(action(`GET ${service.origin}/x?key=$TOKEN`))
    const opened = await run('/packaged')
    expect(opened.body).toContain(`Opened ${service.origin}/x?key=***\n---\n# Page of ***`)
    expectNoSecret(opened, (await run('/info')).body, (await run('/nav --resolve')).body, (await run('/topics')).body)
  })

  it('is in the environment of a command, in no command line, and in no file of its output', async () => {
    const { run, home } = await openPackage(
      action(
        `CLI cat /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' > lines; echo "$TOKEN {v}"; head -c 300000 /dev/zero | tr '\\0' x; echo "$TOKEN"\n  v: string = "field-value-77"`,
      ),
    )
    const reply = await run('/packaged')
    const shown = reply.body.replace(/x{100,}/g, 'x…')
    expect(shown).toMatch(
      /^\*\*\* field-value-77\nx…\n… \d+ bytes left out; not kept, because it may hold secrets …\nx…\*\*\*$/,
    )
    const lines = readFileSync(join(home, 'lines'), 'utf8')
    expect(lines).toContain('STRING_VALUE_')
    expect(lines).not.toContain('field-value-77')
    expectNoSecret(reply, lines)
    expect(existsSync(join(home, '.string/output')) ? readdirSync(join(home, '.string/output')) : []).toEqual([])
  })
})
