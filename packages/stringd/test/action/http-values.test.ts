import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { startService } from '../support/action.ts'
import { hostileText, RUNS, startEngine } from '../support/engine.ts'

const OPTIONS = { numRuns: 4 * RUNS }
const isDots = (value: string): boolean => value === '' || value === '.' || value === '..'
/** The header as UTF-8; Node reads bytes as characters. */
const utf8 = (header: unknown): string => Buffer.from(String(header), 'latin1').toString('utf8')
const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')

describe('a value in a request template', () => {
  it('is one segment of the path and one value of the query, or refused', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    const declaration = `GET ${origin}/a/{v}/b?q={v}&z=1\n  v: string`
    await fc.assert(
      fc.asyncProperty(hostileText, async (v) => {
        arrived.length = 0
        const result = await run(declaration, { v })
        if (isDots(v)) {
          expect(result).toMatchObject({ code: 'INVALID_PARAMS' })
          return
        }
        expect(result).toMatchObject({ ok: true })
        expect(arrived).toHaveLength(1)
        const [, a, segment = '', b, ...more] = arrived[0]?.path.split('/') ?? []
        expect([a, decodeURIComponent(segment), b, more]).toEqual(['a', v, 'b', []])
        // The server's reader of queries turns + into a blank, which an encoded + is not.
        expect(arrived[0]?.query).toEqual([
          ['q', v],
          ['z', '1'],
        ])
      }),
      OPTIONS,
    )
  })

  it('cannot join its neighbours to dots that lead elsewhere', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    const declaration = `GET ${origin}/keep/{a}{b}/x\n  a: string\n  b: string`
    expect(await run(declaration, { a: '.', b: '.' })).toMatchObject({ code: 'INVALID_PARAMS' })
    expect(await run(declaration, { a: '.', b: '.x' })).toMatchObject({ ok: true })
    expect(arrived.map(({ path }) => path)).toEqual(['/keep/..x/x'])
  })

  it('is a member of the query or of a JSON object when no template has a place for it', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (v, w) => {
        arrived.length = 0
        await run(`DELETE ${origin}/x?a=1\n  v: string\n  w: string`, { v, w })
        await run(`PATCH ${origin}/x\n  v: string\n  w: string`, { v, w })
        expect(arrived[0]?.query).toEqual([
          ['a', '1'],
          ['v', v],
          ['w', w],
        ])
        expect(JSON.parse(arrived[1]?.body ?? '')).toEqual({ v, w })
        expect(arrived[1]?.headers['content-type']).toBe('application/json')
      }),
      OPTIONS,
    )
  })

  it('is one string of a JSON body, or a part of one', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    const declaration = `POST ${origin}/x
  v: string
  n: number
  t: tuple
  none: string
  body:
    {
      "whole": "{v}", "part": "a \\" {v} \\\\", "bare": {v},
      "n": {n}, "inText": "{n}", "list": {t}, "second": "{t[1]}", "none": {none}, "empty": "{none}"
    }`
    await fc.assert(
      fc.asyncProperty(hostileText, async (v) => {
        arrived.length = 0
        expect(await run(declaration, { v, n: '1.50', t: 'x, y' })).toMatchObject({ ok: true })
        const body = JSON.parse(arrived[0]?.body ?? '') as unknown
        const rest = { n: 1.5, inText: '1.50', list: ['x', 'y'], second: 'y', none: null, empty: '' }
        expect(body).toEqual({ whole: v, part: `a " ${v} \\`, bare: v, ...rest })
      }),
      OPTIONS,
    )
  })

  it('is one value of a form, and itself in plain text', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    const form = `POST ${origin}/x -H "Content-Type: application/x-www-form-urlencoded" -d 'a={v}&b=2'\n  v: string`
    await fc.assert(
      fc.asyncProperty(hostileText, async (v) => {
        arrived.length = 0
        await run(form, { v })
        await run(`PUT ${origin}/x -d 'say {v}.'\n  v: string`, { v })
        expect([...new URLSearchParams(arrived[0]?.body)]).toEqual([
          ['a', v],
          ['b', '2'],
        ])
        expect(arrived[1]).toMatchObject({
          body: `say ${v}.`,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
        })
      }),
      OPTIONS,
    )
  })

  it('is one line of a header, or refused', async () => {
    const { origin, arrived } = await startService()
    const { run } = startEngine()
    const declaration = `GET ${origin}/x -H "X-Value: {v}" -H "X-Next: 1"\n  v: string`
    await fc.assert(
      fc.asyncProperty(hostileText, async (v) => {
        arrived.length = 0
        const result = await run(declaration, { v })
        if (/\p{Cc}/u.test(v.replaceAll('\t', ''))) {
          expect(result).toMatchObject({ code: 'INVALID_PARAMS' })
          return
        }
        const headers = arrived[0]?.headers ?? {}
        expect(utf8(headers['x-value'])).toBe(trimmed(v))
        expect(headers['x-next']).toBe('1')
        expect(headers['x-injected']).toBeUndefined()
      }),
      OPTIONS,
    )
  })

  it('is a plain name where it is a part of the host, or refused', async () => {
    const { run } = startEngine()
    const declaration = 'GET http://{v}.localhost.invalid/x\n  v: string'
    for (const v of ['a/b', 'a@b', 'a#', 'a?', 'a:1', 'a\\', '%2f', ' ', '', 'é'])
      expect(await run(declaration, { v })).toMatchObject({ code: 'INVALID_PARAMS' })
    expect(await run('GET {v}\n  v: string', { v: 'http://127.0.0.1/' })).toMatchObject({ code: 'ACTION_FAILED' })
    expect(await run('GET $BASE/x')).toMatchObject({ ok: false })
  })

  it('of a variable may have a port where it is the whole host, and nothing else beside', async () => {
    const { origin, arrived } = await startService()
    const { host, port } = new URL(origin)
    for (const [H, rest] of [
      [host, '/x'],
      [`localhost:${port}`, '?a=1'],
      [host, ''],
    ] as const)
      expect(await startEngine({ H }).run(`GET http://$H${rest}`)).toMatchObject({ ok: true })
    expect(arrived).toHaveLength(3)
    const bad = [
      'u@h',
      'u:1@h',
      'h:1/x',
      'h/x',
      'h:1?x',
      'h:1#x',
      'h:1:2',
      'h:0',
      'h:65536',
      'h:',
      ':1',
      'h:1\\',
      'h:１',
    ]
    for (const H of [...bad, 'h:123456', 'h: 1', 'h:1 ', 'h:1\n', '', 'http://h', '[::1]', '*'])
      expect(await startEngine({ H }).run('GET http://$H/x')).toMatchObject({ code: 'INVALID_PARAMS' })
    for (const address of [
      'http://$H:80/x',
      'http://$H.a/x',
      'http://u@$H/x',
      'http://$H@a/x',
      'http://$H\\\\a',
      'http://$H$H/x',
    ])
      expect(await startEngine({ H: 'h:1' }).run(`GET ${address}`)).toMatchObject({ code: 'INVALID_PARAMS' })
    expect(await startEngine().run('GET http://{h}/x\n  h: string', { h: host })).toMatchObject({
      code: 'INVALID_PARAMS',
      hints: ['Give a host name, without scheme, port and path; a port stands behind it: http://{h}:{port}/'],
    })
    expect(arrived).toHaveLength(3)
  })

  it('holds for stored variables too', async () => {
    const { origin, arrived } = await startService()
    await fc.assert(
      fc.asyncProperty(hostileText, async (value) => {
        arrived.length = 0
        const { run } = startEngine({ KEY: value })
        const result = await run(`POST ${origin}/x?key=$KEY&n=\\$KEY -d '{"key": "<$KEY>", "bare": \${KEY}}'`)
        expect(result).toMatchObject({ ok: true })
        expect(arrived[0]?.query).toEqual([
          ['key', value],
          ['n', '$KEY'],
        ])
        expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({ key: `<${value}>`, bare: value })
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    ['{"a": "\\{v}"}', 'a backslash before it'],
    ['{"a": "\\u00{v}"}', 'a part of an escape'],
    ['{{v}: 1}', 'the place of a key'],
    ['{"a": 1{v}}', 'next to a number'],
    ['{"a": {v}{v}}', 'two in one place'],
  ])('cannot make JSON of what is none: %s (%s)', async (body) => {
    const { run } = startEngine()
    const declaration = `POST http://127.0.0.1:9/ -H "Content-Type: application/json" -d '${body}'\n  v: string`
    expect(await run(declaration, { v: 'x' })).toMatchObject({ code: 'ACTION_FAILED' })
  })
})
