import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { call, exec } from '../../../../test/support/http.ts'
import { keyOf } from '../../src/packages/state/home-folders.ts'
import { startTestDaemon } from '../support/daemon.ts'

async function place() {
  const daemon = await startTestDaemon()
  const reply = async (cmd: string, topic?: string): Promise<string> =>
    (await exec(daemon.port, cmd, topic === undefined ? {} : { topic })).body
  const file = (path: string): string => join(daemon.stateDir, path)
  const json = (path: string): unknown => JSON.parse(readFileSync(file(path), 'utf8'))
  const env = (): unknown => (json('config.json') as { env: unknown }).env
  /** Installs an app of which the home keeps nothing; answers where its variables are. */
  const installed = async (name: string): Promise<string> => {
    const path = join(realpathSync(daemon.home), `${name}.md`)
    writeFileSync(path, '---\nenv: [A, API_KEY, city]\n---\n# App\n')
    expect(await reply(`/install ${name}.md`)).toContain(`Installed app:${name}`)
    rmSync(path)
    return `apps/${name}@${keyOf(path)}`
  }
  return { ...daemon, reply, file, json, env, installed }
}

describe('stored variables', () => {
  it('are stored where the topic says, masked in lists, and removed from there', async () => {
    const { reply, json, env, installed } = await place()
    const weather = await installed('weather')
    expect(await reply('/set $API_KEY = "for all"')).toBe('$API_KEY = (set)')
    expect(await reply('/set $API_KEY = "for weather"', 'app:weather')).toBe('$API_KEY = (set)')
    expect(await reply('/set $city = Seoul', 'app:weather:korea')).toBe('$city = (set)')
    expect(env()).toEqual({ API_KEY: 'for all' })
    expect(json(`${weather}/env.json`)).toEqual({ API_KEY: 'for weather' })
    expect(json(`${weather}/korea/env.json`)).toEqual({ city: 'Seoul' })
    expect(await reply('/set', 'app:weather:korea')).toBe(
      'Variables\n---\n$API_KEY = (set), for this app\n$city = (set)\n$A: not set',
    )
    expect(await reply('/set', 'app:other')).toBe('Variables\n---\n$API_KEY = (set), for all')
    expect(await reply('/set', 'bash')).toBe('Variables\n---\n$API_KEY = (set)')
    expect(await reply('/unset $API_KEY', 'app:weather:korea')).toBe(
      'ERROR(UNDEFINED_VARIABLE): $API_KEY is not stored in this topic\n  Use /unset $API_KEY in the topic app:weather',
    )
    expect(await reply('/unset $API_KEY', 'app:weather')).toBe('Unset: $API_KEY')
    expect(json(`${weather}/env.json`)).toEqual({})
    expect(await reply('/unset $API_KEY $API_KEY')).toBe('Unset: $API_KEY, $API_KEY')
    expect(await reply('/unset $API_KEY')).toContain('ERROR(UNDEFINED_VARIABLE): $API_KEY is not stored')
  })

  it('S15: only their owner can read them, and nothing of them is in the home', async () => {
    const { reply, file, home, installed } = await place()
    const x = await installed('x')
    await reply('/set $A = 1')
    await reply('/set $A = 1', 'app:x:y')
    for (const path of ['', 'apps', x, `${x}/y`]) expect(statSync(file(path)).mode & 0o777).toBe(0o700)
    for (const path of ['config.json', `${x}/y/env.json`]) expect(statSync(file(path)).mode & 0o777).toBe(0o600)
    expect(readdirSync(home)).toEqual([])
  })

  it('several are set by the body, fenced values too, all or none', async () => {
    const { reply, json, file } = await place()
    expect(await reply('/set\n$A = "1"\n{b} = two\n```$PEM\n-----BEGIN-----\nx\n```\n$D = {b}\n$E = "{x} {"')).toBe(
      'Variables\n---\n$A = (set)\n{b} = "two"\n$PEM = (set)\n$D = (set)\n$E = (set)',
    )
    expect(json('config.json')).toEqual({ env: { A: '1', PEM: '-----BEGIN-----\nx', D: 'two', E: '{x} {' } })
    const before = readFileSync(file('config.json'), 'utf8')
    for (const wrong of ['/set\n$F = 1\n$_G = 2', '/set\n$F = 1\n{B} = 2', '/set\n$F = 1\n```$G\n', '/set\n$F = "a" b'])
      expect(await reply(wrong)).toMatch(/^ERROR\((INVALID_VARIABLE|USAGE)\)/)
    expect(readFileSync(file('config.json'), 'utf8')).toBe(before)
    expect(await reply('/set {c} = 1\n$_G = 2')).toContain('INVALID_VARIABLE')
    expect(await reply('/set')).not.toContain('{c}')
  })

  it.each([
    ['an open quote', '/set $KEY = "hunter2', 'USAGE'],
    ['two values', '/set $KEY = "hunter2" and "hunter2"', 'USAGE'],
    ['no equals sign', '/set $KEY "hunter2"', 'INVALID_VARIABLE'],
    ['no blank', '/set$KEY=hunter2', 'COMMAND_UNKNOWN'],
    ['no dollar sign', '/set KEY = hunter2', 'INVALID_VARIABLE'],
    ['a wrong name', '/set $KEY! = hunter2', 'INVALID_VARIABLE'],
    ['a NUL', '/set $KEY = hunter2\0', 'INVALID_VARIABLE'],
    ['an open fence', '/set\n```$KEY\nhunter2', 'USAGE'],
    ['too long a value', `/set $KEY = ${'hunter2'.repeat(20_000)}`, 'TOO_LARGE'],
  ])('a mistake shows no secret: %s', async (_title, cmd, code) => {
    const { port, log, reply } = await place()
    const answer = await exec(port, cmd)
    expect(answer.head.code).toBe(code)
    const everything = [JSON.stringify(answer), log.join('\n'), await reply('/open system'), await reply('/info')]
    expect(everything.join('\n')).not.toContain('hunter2')
  })

  it('a stored secret is nowhere but in its file', async () => {
    const { port, log, reply, dir, file } = await place()
    const secret = 'correct-horse-battery'
    const answers = [JSON.stringify(await exec(port, `/set $KEY = "${secret}"`))]
    for (const cmd of [
      '/set',
      '/info',
      '/open system',
      '/open app',
      '/topics',
      '/exec env',
      '/set $KEY',
      '/unset $NOPE',
    ])
      answers.push(JSON.stringify(await exec(port, cmd)))
    answers.push(await reply('env', 'bash:x'), await reply(`/open ${file('config.json')}`), log.join('\n'))
    expect(answers.join('\n')).not.toContain(secret)
    expect(await reply(`/open ${file('config.json')}`)).toContain('ERROR(INVALID_PATH): Closed folder')
    expect(execFileSync('grep', ['-rl', secret, dir], { encoding: 'utf8' })).toBe(`${file('config.json')}\n`)
  })

  it('topics that set at once lose nothing', async () => {
    const { reply, json } = await place()
    await Promise.all(Array.from({ length: 40 }, (_, index) => reply(`/set $V${index} = ${index}`, `t${index}`)))
    expect(Object.keys((json('config.json') as { env: object }).env)).toHaveLength(40)
  })

  it('agents that share a home, by whatever path, lose nothing', async () => {
    const { port, dir, home, json } = await place()
    symlinkSync(home, join(dir, 'other-way'))
    await call(port, 'POST', '/agents', { body: { agent_id: 'second', home: join(dir, 'other-way') } })
    const set = (index: number): Promise<unknown> =>
      exec(port, `/set $V${index} = ${index}`, { topic: `t${index}`, agent: index % 2 === 0 ? 'default' : 'second' })
    await Promise.all(Array.from({ length: 40 }, (_, index) => set(index)))
    expect(Object.keys((json('config.json') as { env: object }).env)).toHaveLength(40)
  })

  it('S10: names of a prototype are names', async () => {
    const { reply, env, installed } = await place()
    await installed('constructor')
    await reply('/set $constructor = a')
    await reply('/set $toString = b', 'app:constructor')
    expect(await reply('/set', 'app:constructor')).toBe(
      'Variables\n---\n$constructor = (set), for all\n$toString = (set)\n$A: not set\n$API_KEY: not set\n$city: not set',
    )
    expect(env()).toEqual({ constructor: 'a' })
    expect(await reply('/set $__proto__ = c')).toContain('INVALID_VARIABLE')
  })

  it.each([
    ['', false],
    ['{"env": {"A": "1"', false],
    ['[]', false],
    ['null', false],
    ['{"env": {"A": "1", "B": 2, "C-D": "x"}, "packages": 7, "other": [1]}', true],
    ['{"env": "gone", "packages": {}}', false],
  ])('a damaged file is kept aside by the first change, and what is whole lives on: %s', async (text, hasA) => {
    const { reply, file, json, log } = await place()
    mkdirSync(file(''), { recursive: true })
    writeFileSync(file('config.json'), text)
    expect(await reply('/set')).toContain(`${file('config.json')} is damaged`)
    expect(await reply('/set')).toContain(hasA ? '$A = (set)' : 'damaged')
    expect(readFileSync(file('config.json'), 'utf8')).toBe(text)
    expect(await reply('/set $NEW = x')).toBe('$NEW = (set)')
    expect((json('config.json') as { env: object }).env).toEqual(hasA ? { A: '1', NEW: 'x' } : { NEW: 'x' })
    const [aside = ''] = readdirSync(file('')).filter((name) => name.startsWith('config.json.damaged-'))
    expect(readFileSync(file(aside), 'utf8')).toBe(text)
    expect(log.join('\n')).toContain('was damaged')
    expect(await reply('/set')).not.toContain('damaged')
  })

  it('are stored with a note where the app does not list them, as it never gets them', async () => {
    const { reply, json, installed } = await place()
    const app = await installed('desk')
    expect(await reply('/set $AP_KEY = x', 'app:desk')).toBe(
      '$AP_KEY = (set)\n---\napp:desk does not list $AP_KEY in its env, and never gets it: did you mean $API_KEY?',
    )
    expect(json(`${app}/env.json`)).toEqual({ AP_KEY: 'x' })
    expect(await reply('/set\n$A = 1\n$OTHER_THING = 2', 'app:desk:work')).toBe(
      'Variables\n---\n$A = (set)\n$OTHER_THING = (set)\napp:desk does not list $OTHER_THING in its env, and never gets it; it lists $A, $API_KEY, $city',
    )
    expect(await reply('/set $OTHER_THING = 2')).toBe('$OTHER_THING = (set)')
    for (const [typed, meant] of [
      ['API_KEY = x', '$API_KEY'],
      ['city = x', '{city}'],
    ])
      expect(await reply(`/set ${typed}`)).toContain(`\n  This one: /set ${meant} = "…"`)
  })

  it('what stands in the place of the file is kept aside too', async () => {
    const { reply, file, installed } = await place()
    const x = await installed('x')
    mkdirSync(file(`${x}/env.json`), { recursive: true })
    expect(await reply('/set', 'app:x')).toContain('damaged')
    expect(await reply('/set $A = 1', 'app:x')).toBe('$A = (set)')
    expect(readdirSync(file(x))).toHaveLength(2)
  })

  it('whatever a value holds, it comes back as it was', async () => {
    const { reply, json } = await place()
    const value = fc
      .string({
        unit: fc.constantFrom('a', '"', "'", '\\', '$', '{', '}', '`', '\n', '\r', ' ', 'é', '😀', '='),
        maxLength: 12,
      })
      .filter(
        (text) =>
          !text.split('\n').some((line) => line.trim() === '``````') && !text.includes('\r\n') && !text.endsWith('\r'),
      )
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        expect(await reply(`/set\n\`\`\`\`\`\`$V\n${text}\n\`\`\`\`\`\``)).toBe('$V = (set)')
        expect(json('config.json')).toEqual({ env: { V: text } })
      }),
      { numRuns: 50 },
    )
  })
})
