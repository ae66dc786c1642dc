import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { call, exec } from '../../../../test/support/http.ts'
import { parseAnswerJson, prettyJson } from '../../src/action/run/json.ts'
import { action, openWith, startService } from '../support/action.ts'
import { compiledOf, startEngine } from '../support/engine.ts'

describe('a template', () => {
  it('S20: that repeats a large value without end is TOO_LARGE', async () => {
    const { run, cwd } = startEngine()
    writeFileSync(join(cwd, 'large.txt'), 'x'.repeat(1_000_000))
    const many = '{v}'.repeat(9_000)
    const v = 'x'.repeat(60_000)
    expect(await run(`POST http://127.0.0.1:9/ -d '${many}'\n  v: string`, { v })).toMatchObject({ code: 'TOO_LARGE' })
    expect(await run(`GET http://127.0.0.1:9/?${many}\n  v: string`, { v })).toMatchObject({ code: 'TOO_LARGE' })
    expect(await run(`GET http://127.0.0.1:9/ -H "X: ${many}"\n  v: string`, { v })).toMatchObject({
      code: 'TOO_LARGE',
    })
    expect(await run(`CLI : ${'{v} '.repeat(7_000)}\n  v: string`, { v })).toMatchObject({ code: 'ACTION_FAILED' })
    expect(await run('GET http://127.0.0.1:9/{v}\n  v: string', { v })).toMatchObject({ ok: false })
  })

  it('S20: is read in bounded time, whatever it holds', () => {
    const pieces = [
      '"',
      "'",
      '`',
      '$(',
      '(',
      ')',
      '${',
      '}',
      '{v}',
      '\\',
      '<<E',
      '\n',
      ' ',
      '[[',
      'a[',
      '((',
      '$ARGS',
      '#',
      'case ',
      ';',
      'a;',
      '$x',
      'x={v};',
      '&&',
    ]
    for (const piece of pieces) compiledOf(`CLI echo ${piece.repeat(Math.floor(30_000 / piece.length))}\n  v: string`)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, 'a', '=', ';'), { maxLength: 40 }), (parts) => {
        const compiled = compiledOf(`CLI ${parts.join('')}\n  v: string`)
        expect(compiled.ok || compiled.code === 'ACTION_FAILED').toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('that is too long, or has too many fields, is refused', () => {
    expect(compiledOf(`CLI echo ${'x'.repeat(LIMITS.actionChars)}`)).toMatchObject({ code: 'ACTION_FAILED' })
    const fields = Array.from({ length: 65 }, (_, index) => `  f${index}: string`).join('\n')
    expect(compiledOf(`CLI echo\n${fields}`)).toMatchObject({ code: 'ACTION_FAILED' })
  })

  it('is any text at all', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom('GET ', 'CLI ', 'POST http://x/', ''),
        (text, head) => {
          const compiled = compiledOf(`${head}${text}`)
          expect(compiled.ok || compiled.code === 'ACTION_FAILED').toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('JSON in an answer', () => {
  it('is a list or an object; other text stays text, and long numbers stay exact', () => {
    expect(parseAnswerJson('{"id": 12345678901234567890, "s": "9007199254740993", "n": 9007199254740991}')).toEqual({
      id: '12345678901234567890',
      s: '9007199254740993',
      n: 9007199254740991,
    })
    for (const text of ['1.10', 'true', '"x"', 'null', '{', '', '[1']) expect(parseAnswerJson(text)).toBeUndefined()
    expect(prettyJson('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}')
  })

  it('S20: that is nested without end is text', () => {
    const deep = '['.repeat(5_000_000)
    expect(parseAnswerJson(deep)).toBeUndefined()
    expect(prettyJson(deep) === deep).toBe(true)
    const nested = `${'['.repeat(40)}${']'.repeat(40)}`
    expect(prettyJson(nested)).toBe(nested)
  })
})

describe('an action that runs', () => {
  it('ends with its topic, with everything it started', async () => {
    const daemon = await openWith(action('CLI sleep 300 & sleep 300'))
    const owner = `${readFileSync(join(daemon.dataDir, 'id'), 'utf8')}:`
    const running = daemon.run('/act.go')
    await expect.poll(() => familyMembers({ owner }).length).toBeGreaterThan(0)
    await call(daemon.port, 'DELETE', '/sessions/default/main')
    expect((await running).head.code).toBe('CANCELLED')
    await expect.poll(() => familyMembers({ owner }).length).toBe(0)
  })

  it('waits for a service no longer than its topic lives', async () => {
    const silent = await startService(() => undefined)
    const daemon = await openWith(action(`GET ${silent.origin}/`))
    const running = daemon.run('/act.go')
    await expect.poll(() => silent.arrived.length).toBe(1)
    await call(daemon.port, 'DELETE', '/sessions/default/main')
    expect((await running).head.code).toBe('CANCELLED')
  })

  it('keeps apart what many topics do at once', async () => {
    const service = await startService()
    const { port } = await openWith(
      action(`GET ${service.origin}/x?n={n}\n  n: number (required)`, '{n} = {Response.body.query[0][1]}\n{n}'),
    )
    const topics = Array.from({ length: 20 }, (_, index) => `t${index}`)
    const answers = await Promise.all(
      topics.map(async (topic, index) => {
        await exec(port, '/open doc.md', { topic })
        await exec(port, `/act.go ${index}`, { topic })
        return (await exec(port, '/set', { topic })).body
      }),
    )
    expect(answers).toEqual(topics.map((_, index) => `Variables\n---\n{n} = "${index}"`))
  })
})
