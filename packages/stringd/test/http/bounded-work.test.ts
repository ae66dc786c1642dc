import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const LARGE = 4 * 1024 * 1024
/** Just more than a small document, so that it gets a worker of its own. */
const WORKER = LIMITS.smallDocumentChars + 1_000
const fill = (unit: string, length = LARGE): string => unit.repeat(Math.ceil(length / unit.length))

/** Texts that have cost some program far more than their length. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'aliases of aliases': `---\n${Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i === 0 ? 'x' : fill(`*a${i - 1},`, 50)}]`).join('\n')}\n---\nText\n`,
  'merge keys': `---\na: &a {x: 1}\n${Array.from({ length: 2000 }, (_, i) => `b${i}: {<<: *a}`).join('\n')}\n---\nText\n`,
  'tags of YAML': `---\na: !!js/function 'x'\nb: !!python/object:os.system x\nc: !<tag:x> y\n---\nText\n`,
  'deep YAML': `---\na: ${fill('[', 100_000)}\n---\nText\n`,
  brackets: fill('[', WORKER),
  emphasis: fill('*a_ ', WORKER),
  quotes: fill('> ', WORKER),
  'open markers': fill('<!-- #a -->\n', WORKER),
  'crossing markers': fill('<!-- #a -->\n<!-- #b -->\n<!-- /a -->\n<!-- /b -->\n', WORKER),
  HTML: fill('<div><!--', WORKER),
  'one word': fill('x', LARGE),
  newlines: fill('\n', WORKER),
  shortcuts: fill('[@a b](c.md) ', WORKER),
}

describe('S20: untrusted text', () => {
  it.each(Object.entries(DOCUMENTS))('of %s is opened, and others are served meanwhile', async (_name, text) => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'hostile.md'), text)
    let done = false
    const opened = exec(port, '/open hostile.md').finally(() => {
      done = true
    })
    let served = 0
    while (!done || served === 0) {
      expect((await call(port, 'GET', '/health')).status).toBe(200)
      served += 1
    }
    const { head, body } = await opened
    expect(head.code).not.toBe('INTERNAL_ERROR')
    expect(Buffer.byteLength(body)).toBeLessThan(4 * LIMITS.pageBytes)
  })

  it('in variables makes no command line longer than the limit, however often it is used', async () => {
    const { port } = await startTestDaemon()
    await exec(port, `/set {a} = "${'x'.repeat(60_000)}"`)
    const bombs = [`/open ${fill('{a}', 60_000)}`, `/open ${fill('{a} ', 60_000)}`, `/set {b} = ${fill('{a}', 60_000)}`]
    for (const bomb of bombs) expect((await exec(port, bomb)).head.code, bomb.slice(0, 20)).toBe('TOO_LARGE')
    expect((await exec(port, '/open {a}')).head.code).not.toBe('TOO_LARGE')
    expect((await exec(port, `/open "${fill('{a', 60_000)}"`)).head.ok).toBe(false)
  })

  it('in command lines and bodies is answered with a code: quotes, backslashes, flags, separators, diffs', async () => {
    const { port } = await startTestDaemon()
    const commands = [
      `/open ${fill('"', 65_000)}`,
      `/open ${fill('\\', 65_000)}`,
      `/open ${fill('\'"', 65_000)}`,
      `/open ${fill('--a ', 65_000)}`,
      `/open ${fill(' ', LARGE)}x`,
      `/${fill('/', LARGE)}`,
      `/help ${fill('a', 60_000)}`,
      `/replace x.md\n${fill('---\n', 400_000)}`,
      `/set\n${fill('```{a}\n', 200_000)}`,
      `/set\n${fill('{a} = "1"\n', 200_000)}`,
    ]
    for (const command of commands)
      expect((await exec(port, command)).head.code, command.slice(0, 20)).not.toBe('INTERNAL_ERROR')
    const lines = (unit: string): string => fill(unit, 600_000)
    expect((await exec(port, `/write a.md\n${lines('a\nb\n')}`)).body).toBe(
      'Written: a.md (600000 bytes, 300000 lines)',
    )
    expect((await exec(port, `/edit a.md\n${lines('b\na\n')}`)).body).toBe('Edited a.md (300000 lines, whole file)')
    expect((await exec(port, '/replace --all a.md\na\n---\nc')).body).toContain(' more lines')
    expect((await exec(port, '/undo')).head.ok).toBe(true)
  })

  it('in JSON may be deep or wide: 400 or ignored, never a fault', async () => {
    const { port } = await startTestDaemon()
    const headers = { 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }
    const bodies = [
      `${fill('[')}`,
      `${fill('{"a":')}`,
      `{"cmd":"/info","x":${fill('[', 5000)}${fill(']', 5000)}}`,
      `{"cmd":"/info","x":[${fill('1,')}1]}`,
      `{"cmd":"/info",${fill('"a":1,')}"b":1}`,
      `{"cmd":"/info","x":"${fill('\\u0000', 1_000_000)}"}`,
    ]
    for (const body of bodies)
      expect([200, 400]).toContain((await call(port, 'POST', '/exec', { headers, body })).status)
  })

  it('is read from regular files only: pipes, devices, sockets and loops are refused at once', async () => {
    const { port, home } = await startTestDaemon()
    await exec(port, '/exec mkfifo pipe; mkfifo dir.md')
    for (const [name, target] of [
      ['zero', '/dev/zero'],
      ['tty', '/dev/tty'],
      ['loop', 'loop'],
      ['self', '.'],
    ] as const)
      symlinkSync(target, join(home, name))
    mkdirSync(join(home, 'folder'))
    for (const name of ['pipe', 'dir.md', 'zero', 'tty', 'loop'])
      for (const command of [`/open ${name}`, `/edit ${name}`, `/append ${name}\nx`, `/verify ${name}#a`]) {
        const { head } = await exec(port, command)
        expect(head.ok, command).toBe(false)
        expect(head.code, command).not.toBe('INTERNAL_ERROR')
      }
    expect((await exec(port, '/ls')).head.ok).toBe(true)
  })

  it('that a shell prints without end is cut, says so, and costs no more than its limits', async () => {
    const { port } = await startTestDaemon({ execMs: 1500 })
    const { head, body } = await exec(port, '/exec yes | tr -d "\\n"')
    expect(head.code).toBe('EXIT_124')
    expect(Buffer.byteLength(body)).toBeLessThan(2 * LIMITS.shellOutputBytes)
    expect(body).toMatch(/bytes left out; (?:the whole is|the first \d+ bytes are) in/)
  })
})
