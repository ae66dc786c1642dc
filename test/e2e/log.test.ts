import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { call, exec, raw } from '../support/http.ts'

type LogRecord = Readonly<Record<string, unknown>>

async function background(place: Place): Promise<number> {
  const { stdout } = await place.string(['--daemon', 'start'])
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(stdout)?.[1])
  await call(port, 'POST', '/agents', { body: { agent_id: 'default', home: place.dir } })
  return port
}

const logText = ({ dataDir }: Place): string => readFileSync(join(dataDir, 'daemon.log'), 'utf8')

function records(text: string): LogRecord[] {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogRecord)
}

describe('daemon.log', { timeout: 60_000 }, () => {
  it('S25: is one JSON object per line, and says of every failure which agent, topic, command, code and how long', async () => {
    const place = stringPlace()
    const port = await background(place)
    await exec(port, '/open nope.md', { topic: 'docs' })
    await exec(port, '/nope')
    await exec(port, 'plain text')
    await exec(port, '/exec exit 3')
    await exec(port, '(exit 4)', { topic: 'bash:dev' })
    await exec(port, '/open "a\nb\x1b[31m')
    const lines = records(logText(place))
    for (const line of lines)
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        level: expect.stringMatching(/^(?:info|warn|error)$/) as string,
        message: expect.any(String) as string,
      })
    const failures = lines.filter(({ message }) => message === 'A command failed')
    expect(failures.map(({ agent, topic, command, code }) => [agent, topic, command, code])).toEqual([
      ['default', 'docs', '/open', 'NOT_FOUND'],
      ['default', 'main', '(unknown)', 'COMMAND_UNKNOWN'],
      ['default', 'main', '(text)', 'COMMAND_UNSUPPORTED'],
      ['default', 'main', '/exec', 'EXIT_3'],
      ['default', 'bash:dev', '(text)', 'EXIT_4'],
      ['default', 'main', '/open', 'INVALID_PARAMS'],
    ])
    for (const { ms } of failures) expect(ms).toBeGreaterThanOrEqual(0)
    expect(lines[0]).toMatchObject({ message: 'stringd is ready', port })
    await place.string(['--daemon', 'stop'])
    expect(records(logText(place)).at(-1)).toMatchObject({ message: 'stringd has stopped' })
  })

  it('S25: holds no body, argument, script, variable value, request id, output or header', async () => {
    const secret = 'hunter2'
    const place = stringPlace({ SOME_TOKEN: secret })
    const port = await background(place)
    writeFileSync(join(place.dir, 'a.md'), `${secret}\n`)
    writeFileSync(join(place.dataDir, 'env'), `API_KEY=${secret}\n`, { mode: 0o600 })
    await exec(port, `/set {v} = "${secret}"`)
    const commands = [
      `/open ${secret}.md`,
      `/open http://user:${secret}@127.0.0.1:1/?token=${secret}`,
      `/open http://127.0.0.1:1/?token=${secret}`,
      '/open {v}',
      `/write /outside\n${secret}`,
      `/replace a.md\n${secret}x\n---\n${secret}`,
      `/exec echo ${secret}; exit 1`,
      '/exec echo "$API_KEY $SOME_TOKEN $v"; exit 1',
      `/help ${secret}`,
      secret,
      `/ls --${secret}`,
      `/act.${secret}`,
      `/tool:${secret}.${secret}`,
      `/${secret}`,
      `/set$${secret}`,
    ]
    for (const command of commands)
      expect((await exec(port, command, { requestId: secret })).head.ok, command).toBe(false)
    await exec(port, `echo ${secret}; exit 1`, { topic: 'bash:dev' })
    const headers = {
      'X-Agent-Id': 'default',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${secret}`,
      Cookie: secret,
    }
    await call(port, 'POST', '/exec', { headers, body: `{"cmd":"${secret}` })
    await call(port, 'GET', `/nothing?token=${secret}`, { headers: { Origin: `http://${secret}` } })
    await raw(port, `GET /${secret} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${secret}\r\n\r\n`)
    const text = logText(place)
    expect(records(text).filter(({ message }) => message === 'A command failed')).toHaveLength(commands.length + 1)
    expect(text).not.toContain(secret)
  })

  it('S25: starts a new file at the size limit, keeps the limited number, and stays whole', async () => {
    const place = stringPlace()
    await background(place)
    await place.string(['--daemon', 'stop'])
    const path = join(place.dataDir, 'daemon.log')
    const line = `${JSON.stringify({ level: 'info', message: 'x'.repeat(1000) })}\n`
    const full = line.repeat(Math.ceil(LIMITS.logFileBytes / line.length) + 1)
    for (let round = 0; round < 4; round += 1) {
      writeFileSync(path, full)
      const port = await background(place)
      await exec(port, '/nope')
      expect(statSync(path).size).toBeLessThan(10_000)
      expect(records(logText(place)).at(-1)).toMatchObject({ code: 'COMMAND_UNKNOWN' })
      expect(readFileSync(`${path}.1`, 'utf8').startsWith(full)).toBe(true)
      await place.string(['--daemon', 'stop'])
    }
    const names = readdirSync(place.dataDir).filter((name) => name.startsWith('daemon.log'))
    expect(names.sort()).toEqual(['daemon.log', 'daemon.log.1', 'daemon.log.2'])
    for (const name of names) expect(statSync(join(place.dataDir, name)).mode & 0o777, name).toBe(0o600)
    expect(existsSync(`${path}.${LIMITS.logFiles}`)).toBe(false)
  })
})
