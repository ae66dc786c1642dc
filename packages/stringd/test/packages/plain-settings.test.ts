import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { appPlace } from '../support/app-place.ts'

const app = (...entry: string[]): string =>
  `---
name: shop
env:
  - name: PORT
    description: of the service
${entry.map((line) => `${line}\n`).join('')}  - KEY
---
# Shop

\`\`\`act.list
GET http://127.0.0.1:$PORT/x -H "Key: $KEY"
\`\`\`

\`\`\`act.print
CLI echo "$PORT $KEY"
\`\`\`
`
const PLAIN = app('    secret: false')

describe('a plain setting of an app (secret: false)', () => {
  it('is shown where it was set for the app, beside secrets that are not', async () => {
    const { reply, put, port } = await appPlace()
    put({ 'shop/string.md': PLAIN })
    expect(await reply('/install shop')).toContain('- $PORT (of the service) · no secret: shown as it is · not set: ')
    const topic = 'app:shop'
    expect(await reply('/set\n$PORT = 40711\n$KEY = hunter2', topic)).toBe(
      'Variables\n---\n$PORT = "40711"\n$KEY = (set)',
    )
    expect(await reply('/set $PORT = 1', `${topic}:one`)).toBe('$PORT = "1"')
    expect(await reply('/set', `${topic}:one`)).toBe('Variables\n---\n$KEY = (set), for this app\n$PORT = "1"')
    expect((await exec(port, '/set', { topic })).head.data).toEqual({
      variables: [
        { name: 'KEY', kind: 'stored', level: 'app' },
        { name: 'PORT', kind: 'stored', level: 'app', value: '40711', chars: 5 },
      ],
    })
    expect(await reply('/act.list --dry-run', topic)).toContain('GET http://127.0.0.1:40711/x\nKey: ***')
    expect(await reply('/act.print', topic)).toBe('40711 ***')
    expect(await reply('/act.list', `${topic}:one`)).toContain('Nothing answers at http://127.0.0.1:1/x')
  })

  it('stays hidden where it was not set for the app, and in a topic of another', async () => {
    const { reply, put } = await appPlace()
    put({ 'shop/string.md': PLAIN, 'other.md': '---\nname: other\nenv: [PORT]\n---\n# Other\n' })
    await reply('/install shop')
    await reply('/install other.md')
    expect(await reply('/set $PORT = 40711')).toBe('$PORT = (set)')
    await reply('/set $KEY = hunter2')
    expect(await reply('/set', 'app:shop')).toBe('Variables\n---\n$KEY = (set), for all\n$PORT = (set), for all')
    expect(await reply('/act.print', 'app:shop')).toBe('*** ***')
    expect(await reply('/set $PORT = 40712', 'app:other')).toBe('$PORT = (set)')
  })

  it('is what an update may do more, and says so with true or false alone', async () => {
    const { reply, put } = await appPlace()
    put({ 'shop/string.md': app() })
    expect(await reply('/install shop')).toContain('- $PORT (of the service) · not set: ')
    expect(await reply('/set $PORT = 40711', 'app:shop')).toBe('$PORT = (set)')
    put({ 'shop/string.md': PLAIN })
    expect(await reply('/install --update shop')).toContain('+ shows $PORT')
    expect(await reply('/set', 'app:shop')).toBe('Variables\n---\n$PORT = "40711"\n$KEY: not set')
    put({ 'shop/string.md': app('    secret: true') })
    expect(await reply('/install --update shop')).toContain('- shows $PORT')
    put({ 'shop/string.md': app('    secret: nope') })
    expect(await reply('/install --update shop')).toContain(
      'The front matter does not say whether $PORT is secret\n  secret: is true or false',
    )
    put({ 'shop/string.md': app('    secrt: false') })
    expect(await reply('/install --dry-run shop')).toContain(
      'a key secrt that means nothing here. Did you mean secret?',
    )
    put({ 'shop/string.md': PLAIN.replace('name: PORT\n    description: of the service', 'PORT: of the service') })
    expect(await reply('/install --update shop')).toContain('+ shows $PORT')
  })
})
