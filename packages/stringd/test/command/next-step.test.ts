import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { exec } from '../../../../test/support/http.ts'
import { action, openWith, startService } from '../support/action.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** The lines under an error. */
async function hints(port: number, command: string): Promise<{ code: string | null; lines: string[] }> {
  const { head, body } = await exec(port, command)
  return { code: head.code, lines: body.split('\n').slice(1) }
}

describe('an error', () => {
  it('without a next step does not compile', () => {
    const none: readonly string[] = []
    // @ts-expect-error: it says what is wrong, and not what to do
    expect(fail('NOT_FOUND', 'It is not there').hints).toEqual([])
    // @ts-expect-error: there may be none
    expect(fail('NOT_FOUND', 'It is not there', ...none).hints).toEqual([])
    expect(fail('NOT_FOUND', 'It is not there', ...none, '/ls shows what exists').hints).toHaveLength(1)
    expect(fail('NOT_FOUND', 'It is not there', '/ls shows what exists', ...none).hints).toHaveLength(1)
  })

  it('of an editing command says what to do', async () => {
    const { port } = await startTestDaemon()
    expect(await hints(port, '/undo')).toEqual({
      code: 'NOTHING_TO_UNDO',
      lines: ['  One edit can be taken back, once; /edit PATH shows a file as it is now'],
    })
    expect(await hints(port, '/write a.md\na\0b')).toEqual({
      code: 'NOT_TEXT',
      lines: ["  /exec can write any bytes: /exec printf 'a\\0b' > FILE"],
    })
    expect((await hints(port, '/refresh now')).lines).toEqual(['  Usage: /refresh'])
    expect((await exec(port, '/refresh now')).body).toContain('/refresh takes no argument: now\n')
  })

  it('of a page says what to do, whatever the server answers', async () => {
    const service = await startService((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { 'Content-Type': 'text/plain' })
      response.end('')
    })
    const { port } = await startTestDaemon()
    for (const status of [400, 401, 403, 404, 410, 418, 429, 500]) {
      const { code, lines } = await hints(port, `/open ${service.origin}/${status}`)
      expect(lines.length, `${status} ${code}`).toBeGreaterThan(0)
    }
    expect(await hints(port, `/open ${service.origin}/404`)).toEqual({
      code: 'NOT_FOUND',
      lines: [`  Check the spelling, or open a page that links to it: /open ${service.origin}`],
    })
    expect(await hints(port, `/open http://127.0.0.1:${port}/health`)).toEqual({
      code: 'INVALID_TARGET',
      lines: ['  /open system shows the daemon; programs use its HTTP interface'],
    })
  })

  it('of a default that its own field refuses says that it is of the author, and how to call without', async () => {
    const { port } = await openWith(action('CLI echo {n}\n  n: number (max:5) = "9"'))
    const { body } = await exec(port, '/act.go')
    expect(body).toMatch(
      /^ERROR\(INVALID_PARAMS\): Its author wrote a default that n does not take: .*\n {2}Give --n yourself\. /,
    )
    expect((await exec(port, '/act.go --n 3')).body).toBe('3')
  })

  it('of an action says what to do, below what the service answered', async () => {
    const service = await startService((request, response) => {
      const status = Number(request.url?.slice(1))
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end('{"message":"no"}')
    })
    const answers = new Map([
      [
        401,
        '  Check the credentials that it uses: /set lists the stored variables, /set $NAME = "…" sets one; /act.go --dry-run shows the request as it is sent',
      ],
      [404, '  Check the values; /act.go --dry-run shows the request as it is sent'],
      [503, '  Try again later'],
    ])
    const { port, home, run } = await openWith('# Empty\n')
    for (const [status, next] of answers) {
      writeFileSync(join(home, 'doc.md'), action(`GET ${service.origin}/${status}`))
      await run('/open doc.md')
      expect(await hints(port, '/act.go')).toEqual({ code: 'ACTION_FAILED', lines: ['  {"message":"no"}', next] })
    }
    writeFileSync(join(home, 'doc.md'), action(`GET ${service.origin}/200`, 'save: Response.body.none\nto: x.txt'))
    await run('/open doc.md')
    expect((await hints(port, '/act.go')).lines).toEqual([
      '  Its template has to name a part of what the service answered; without the template /act shows all of that',
      '  The request was made: another call makes it again',
    ])
    writeFileSync(join(home, 'doc.md'), action('FETCH it'))
    await run('/open doc.md')
    expect(await hints(port, '/act.go')).toEqual({
      code: 'ACTION_FAILED',
      lines: ['  Did you mean GET it?'],
    })
  })
})
