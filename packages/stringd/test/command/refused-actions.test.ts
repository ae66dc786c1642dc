import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { appPlace } from '../support/app-place.ts'
import { startTestDaemon } from '../support/daemon.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`

async function opened(text: string): Promise<{
  run: (cmd: string) => ReturnType<typeof exec>
  warnings: readonly string[]
}> {
  const { port, home } = await startTestDaemon()
  writeFileSync(join(home, 'doc.md'), text)
  const { head } = await exec(port, '/open doc.md')
  const { warnings = [] } = { ...head.meta } as { warnings?: readonly string[] }
  return { run: (cmd) => exec(port, cmd), warnings }
}

describe('an action that would be refused', () => {
  it.each([
    [
      'a test that evaluates',
      'CLI [[ {n} -gt 3 ]] && echo yes\n  n: number',
      5,
      'cannot stand in [[ … ]]',
      'Accepted: [ {n} = yes ]',
    ],
    [
      'a later line',
      'CLI set -e\necho begin\neval {n}\n  n: string',
      7,
      'argument of eval',
      'Accepted: ./my-script.sh {n}  or  ',
    ],
    ['a value that flows', 'CLI x={n}\necho $((x))\n  n: string', 6, 'x may hold a field', 'Accepted: expr {n} + 1'],
    ['a long command', `CLI echo ${'x'.repeat(9_000)}`, 5, 'a command is at most 8192 bytes', ''],
    ['unsafe by HTTP', 'GET http://127.0.0.1:9/\n  unsafe: true', 5, 'only a CLI action can be unsafe', ''],
    ['an open quote', 'CLI echo "x', 5, 'a quote or parenthesis is not closed', ''],
    ['no method', 'FETCH http://127.0.0.1:9/', 5, 'it begins with GET', ''],
    ['a field', 'GET http://127.0.0.1:9/\n  a: string\n  b: text', 7, 'text is no type; types: string', ''],
    ['a yes', 'CLI echo\n  unsafe: yes', 6, 'yes is no type', 'Write unsafe: true'],
    ['a header', 'GET http://127.0.0.1:9/ -H "Host: x"', 5, 'belongs to the connection', ''],
    ['a pipe', 'GET http://127.0.0.1:9/{a|zip}\n  a: string', 5, 'zip is no pipe; pipes: base64', ''],
  ])('is said when its document opens: %s', async (_what, declaration, line, reason, instead) => {
    const { run, warnings } = await opened(`# Doc\n\n\n${act('go', declaration)}`)
    expect(warnings).toEqual([expect.stringContaining(`line ${line}: Action go is refused: `)])
    expect(warnings[0]).toContain(reason)
    expect(warnings[0]).toContain(instead)
    expect((await run('/info')).body).toContain(`warning: ${warnings[0]}`)
    expect((await run('/act')).body).toContain(`/act.go (refused, line ${line}: `)
    const called = await run('/act.go 1')
    expect(called.head.code).toBe('ACTION_FAILED')
    expect(called.body).toContain(`line ${line}: `)
    expect(called.body).toContain(reason)
    expect(called.body).toContain(instead)
  })

  it('is said for the template of an answer, for includes, and beside other warnings by line', async () => {
    const { port, home } = await startTestDaemon()
    const bad = act('bad', 'CLI eval {x}\n  x: string')
    writeFileSync(join(home, 'part.md'), bad)
    writeFileSync(
      join(home, 'doc.md'),
      `${act('go', 'CLI echo')}${act('go.response', 'x\nend:')}<!-- #open -->\n\n[!include:p](part.md)\n`,
    )
    const { head } = await exec(port, '/open doc.md')
    const { warnings = [] } = { ...head.meta } as { warnings?: readonly string[] }
    expect(warnings.map((warning) => warning.slice(0, 50))).toEqual([
      expect.stringContaining('line 6: The response of action go is refused: end:'),
      expect.stringContaining('line 8: '),
      expect.stringContaining('part.md, line 2: Action bad is refused: '),
    ])
  })

  it('is told with the file in which it stands, where that is only included', async () => {
    const { reply, put, run } = await appPlace()
    put({
      'app/string.md': '# App\n[!include:a](parts/more.md)\n',
      'app/parts/more.md': '[!include:b](../actions.md)\n',
      'app/actions.md': `# A\n${act('add', 'CLI echo {qty}\n  qty: numbr')}${act('say', 'CLI echo')}${act('say.response', 'x\nend:')}<!-- #open -->\n`,
    })
    const where = 'actions.md, line 4: '
    const { head } = await run('/open ./app')
    expect(head.meta).toMatchObject({
      warnings: [
        expect.stringContaining(`${where}Action add is refused: numbr is no type`),
        expect.stringContaining('actions.md, line 11: The response of action say is refused: '),
        expect.stringContaining('actions.md, line 13: Block #open is not closed'),
      ],
    })
    expect(await reply('/info')).toContain(`warning: ${where}Action add is refused`)
    expect(await reply('/act')).toContain(`/act.add (refused, ${where}`)
    expect(await reply('/act.add x')).toContain(`Action add is not written as an action: ${where}numbr is no type`)
    expect(await reply('/act.say')).toContain('Action say is not written as an action: actions.md, line 11: ')
    await reply('/install --link --tool app')
    expect(await reply('/tool:app.add x')).toContain(`is not written as an action: ${where}`)
    expect(await reply('/open parts/more.md')).toContain('# A')
    expect(await reply('/act.add x')).toContain('../actions.md, line 4: ')
  })

  it('is not said of one that works', async () => {
    const { warnings } = await opened(
      `# Doc\n\n${act('a', 'CLI echo "hi {who}" | tr a-z A-Z\n  who: string')}${act('b', 'GET http://127.0.0.1:9/{x}\n  x: string')}${act('b.response', '{v} = {Response.body.x}\nok')}`,
    )
    expect(warnings).toEqual([])
    const longer = `# Doc\n\n\`\`\`\`act.a\nCLI cat <<'END'\n\`\`\`act.b\nEND\n\`\`\`\`\n\n~~~act.c\nCLI echo\n~~~\n`
    expect((await opened(longer)).warnings).toEqual([])
  })

  it('is said of a block that is not closed where the next begins, or nowhere, and of nothing in it', async () => {
    const open = `# Doc\n\n\`\`\`act.a\nCLI echo {q}\n  q: strin\n\n${act('b', 'CLI echo')}\n\`\`\`act.c\nCLI echo\n`
    const { run, warnings } = await opened(open)
    expect(warnings).toEqual([
      'line 3: Action a is refused: its block is not closed, and another begins in line 7. Write ``` alone on a line, where it ends',
      'line 11: The block act.c is not closed: all that follows belongs to it. Write ``` alone on a line where it ends',
    ])
    expect((await run('/act')).body).toContain('/act.a (refused, line 3: its block is not closed')
    expect((await run('/act.a x')).head.code).toBe('ACTION_FAILED')
    expect((await run('/act.c')).head.ok).toBe(true)
  })

  it('is said of a document that is read by a worker too, and by a tool that lists what it can do', async () => {
    const many = Array.from({ length: 200 }, (_, index) => act(`ok_${index}`, `CLI echo ${'x'.repeat(200)}`))
    const text = `${many.join('\n')}\n${act('bad', 'CLI eval {x}\n  x: string')}`
    expect(text.length).toBeGreaterThan(LIMITS.parseHereChars)
    const { warnings } = await opened(text)
    expect(warnings).toEqual([expect.stringContaining('Action bad is refused')])
    const { reply, put } = await appPlace()
    put({ 'tools/t.md': act('fine', 'CLI echo') + act('bad', 'CLI eval {x}\n  x: string') })
    expect(await reply('/tool:t')).toContain('/tool:t.bad (refused, line 5: a field cannot be an argument of eval')
  })
})
