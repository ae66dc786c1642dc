import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { AGENTS, profile, turn, variable } from './support/turn.ts'

const VARIABLES = profile('print-variables.sh', [], 'max_reply_chars: 1000000')
const image = (name: string) => ({ type: 'image', url: `https://example.com/${name}`, name }) as const
const file = (name: string) => ({ type: 'file', url: `https://example.com/${name}`, name: null }) as const

describe('what an agent is told in variables', () => {
  it('AGENT_MESSAGE is the text of the message', async () => {
    expect(variable(await turn(VARIABLES, { message: 'What is the time?' }), 'AGENT_MESSAGE')).toBe('What is the time?')
  })

  it('AGENT_SESSION_ID is the id of the previous turn, and empty for a new session', async () => {
    expect(variable(await turn(VARIABLES, { sessionId: 'abc' }), 'AGENT_SESSION_ID')).toBe('abc')
    expect(variable(await turn(VARIABLES), 'AGENT_SESSION_ID')).toBe('')
  })

  it('AGENT_SESSION_NAME is the name of the session, by default "default"', async () => {
    expect(variable(await turn(VARIABLES, { sessionName: 'work' }), 'AGENT_SESSION_NAME')).toBe('work')
    expect(variable(await turn(VARIABLES, { sessionName: '' }), 'AGENT_SESSION_NAME')).toBe('default')
  })

  it('AGENT_FROM_USER is the sender, by default the user of the system', async () => {
    expect(variable(await turn(VARIABLES, { fromUser: 'ann' }), 'AGENT_FROM_USER')).toBe('ann')
    const environment = { PATH: process.env.PATH, USER: 'somebody' }
    expect(variable(await turn(VARIABLES, { fromUser: '', environment }), 'AGENT_FROM_USER')).toBe('somebody')
  })

  it('AGENT_STREAMING is 1 where partials are forwarded, else 0', async () => {
    expect(variable(await turn(VARIABLES), 'AGENT_STREAMING')).toBe('1')
    expect(variable(await turn(`${VARIABLES}\nstreaming: false`), 'AGENT_STREAMING')).toBe('0')
  })

  it('AGENT_PROTOCOL_VERSION is the version of the protocol', async () => {
    expect(variable(await turn(VARIABLES), 'AGENT_PROTOCOL_VERSION')).toBe('0.1')
  })

  it('AGENT_IMAGE_URL and AGENT_FILE_URL are set when there is exactly one of the kind', async () => {
    const one = await turn(VARIABLES, { attachments: [image('a.png'), file('b.pdf')] })
    expect(variable(one, 'AGENT_IMAGE_URL')).toBe('https://example.com/a.png')
    expect(variable(one, 'AGENT_FILE_URL')).toBe('https://example.com/b.pdf')
    const two = await turn(VARIABLES, { attachments: [image('a.png'), image('b.png')] })
    expect(variable(two, 'AGENT_IMAGE_URL')).toBeUndefined()
    expect(variable(two, 'AGENT_FILE_URL')).toBeUndefined()
  })

  it('AGENT_ATTACHMENTS lists all of them as JSON, and is absent when there is none', async () => {
    const some = await turn(VARIABLES, { message: '', attachments: [image('a.png'), file('b.pdf')] })
    expect(JSON.parse(variable(some, 'AGENT_ATTACHMENTS') ?? '')).toEqual([
      { type: 'image', url: 'https://example.com/a.png', name: 'a.png' },
      { type: 'file', url: 'https://example.com/b.pdf', name: null },
    ])
    expect(variable(await turn(VARIABLES), 'AGENT_ATTACHMENTS')).toBeUndefined()
  })
})

describe('the environment of an agent', () => {
  const environment = {
    PATH: process.env.PATH,
    HOME: '/home/x',
    LC_TIME: 'C',
    SECRET: 'shh',
    AGENT_MESSAGE: 'of another turn',
    AGENT_IMAGE_URL: 'of another turn',
  }

  it('is small by default: no secret of the bridge is in it (S16)', async () => {
    const got = await turn(VARIABLES, { environment })
    const names = got.result.reply.split('\n').map((line) => line.split('=', 1)[0])
    const shells = ['PWD', 'OLDPWD', 'SHLVL', '_']
    expect(names.filter((name) => !shells.includes(name ?? ''))).toEqual([
      'AGENT_FROM_USER',
      'AGENT_MESSAGE',
      'AGENT_PROTOCOL_VERSION',
      'AGENT_SESSION_ID',
      'AGENT_SESSION_NAME',
      'AGENT_STREAMING',
      'HOME',
      'LC_TIME',
      'PATH',
      'STRING_OWNER',
    ])
  })

  it('is everything but the AGENT_ variables of the bridge with env_inherit: all', async () => {
    const got = await turn(`${VARIABLES}\nenv_inherit: all`, { environment })
    expect(variable(got, 'SECRET')).toBe('shh')
    expect(variable(got, 'AGENT_MESSAGE')).toBe('hello')
    expect(variable(got, 'AGENT_IMAGE_URL')).toBeUndefined()
  })

  it('says where the process stands, and not where the bridge was started', async () => {
    const moved = { ...environment, PWD: '/somewhere/else' }
    const cwd = tempDir()
    // No shell, which would find it out by itself.
    const yaml = 'command: env\nenv_inherit: all'
    expect(variable(await turn(yaml, { environment: moved, cwd }), 'PWD')).toBe(cwd)
    expect(variable(await turn(`${yaml}\ncwd: /`, { environment: moved, cwd }), 'PWD')).toBe('/')
    expect(variable(await turn('command: env', { environment: moved, cwd }), 'PWD')).toBeUndefined()
  })

  it('has of the variables that the profile refers to only those of its env_allowlist, if it has one', async () => {
    const yaml = `${VARIABLES}\nenv_allowlist: [HOME]\nenv:\n  KEY: "[\${SECRET}]"\n  PLACE: "\${HOME}"\n`
    const got = await turn(yaml, { environment })
    expect([variable(got, 'KEY'), variable(got, 'PLACE')]).toEqual(['[]', environment.HOME])
    expect(got.warnings).toEqual([
      expect.stringContaining('SECRET} in the key `env` is not in `env_allowlist`, so KEY'),
    ])
    expect(got.warnings[0]).toMatch(/\. Add SECRET to `env_allowlist`$/)
  })

  it('has the variables of the profile, with variables of the bridge put in, and numbers as they are written', async () => {
    const yaml = `${VARIABLES}\nenv:\n  KEY: "\${SECRET}!"\n  PORT: 8080\n  RATIO: 1.50\n  LC_TIME: de\n  GONE: "[\${NOPE}]"\n`
    const got = await turn(yaml, { environment })
    expect(['KEY', 'PORT', 'RATIO', 'LC_TIME', 'GONE'].map((name) => variable(got, name))).toEqual([
      'shh!',
      '8080',
      '1.50',
      'de',
      '[]',
    ])
    expect(got.warnings).toEqual([expect.stringContaining('NOPE} in the key `env` is not set, so GONE')])
    expect(got.warnings[0]).toMatch(/\. Set NOPE in the environment$/)
  })

  it('keeps the AGENT_ names for the bridge, and says so', async () => {
    const got = await turn(`${VARIABLES}\nenv: { AGENT_MESSAGE: mine, AGENT_FILE_URL: mine }`)
    expect(variable(got, 'AGENT_MESSAGE')).toBe('hello')
    expect(variable(got, 'AGENT_FILE_URL')).toBeUndefined()
    expect(got.warnings).toHaveLength(1)
  })

  it('has what the caller adds, over the profile and under the AGENT_ variables', async () => {
    const extraEnv = { STRING_PORT: '1', KEY: 'caller' }
    const got = await turn(`${VARIABLES}\nenv: { KEY: profile }`, { extraEnv })
    expect([variable(got, 'STRING_PORT'), variable(got, 'KEY')]).toEqual(['1', 'caller'])
  })
})

describe('the descriptors of an agent', () => {
  it('are its input, output and error alone, whatever the bridge has open or was given (S16)', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'profile.yaml'), 'command: ls -l /proc/self/fd')
    const secret = openSync(join(dir, 'secret'), 'w')
    // Node itself sees only to the first sixteen.
    const given = [...Array<'ignore'>(17).fill('ignore'), secret]
    const args = [join(AGENTS, 'run-turn.mjs'), join(dir, 'profile.yaml')]
    const bridge = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', ...given] })
    const listed = await text(bridge.stdout ?? Readable.from([]))
    closeSync(secret)
    const targets = [...listed.matchAll(/ (\d+) -> (\S+)$/gm)].filter(([, descriptor]) => Number(descriptor) > 2)
    // Its own listing, and where something was given to the bridge, nothing.
    expect(targets.map(([, , target]) => target?.replace(/\d+/, 'N'))).toContain('/proc/N/fd')
    expect(targets.filter(([, , target]) => target !== '/dev/null' && !target?.startsWith('/proc/'))).toEqual([])
  })
})

describe('standard input', () => {
  it('is at its end from the start with stdin: none', async () => {
    expect((await turn(profile('print-input.sh'))).result).toMatchObject({ ok: true, reply: '' })
  })

  it('holds exactly the message with stdin: message, and then ends', async () => {
    const { result } = await turn(profile('print-input.sh', [], 'stdin: message'), { message: 'one\ntwo ü' })
    expect(result.reply).toBe('one\ntwo ü')
  })

  it('need not be read', async () => {
    const yaml = profile('print-lines.sh', ['done'], 'stdin: message')
    expect((await turn(yaml, { message: 'x'.repeat(2_000_000) })).result).toMatchObject({ ok: true, reply: 'done' })
  })

  it('takes a message of 200 KB whole, of which AGENT_MESSAGE holds the beginning', async () => {
    const message = 'ü'.repeat(100_000)
    const whole = await turn(profile('print-input.sh', [], 'stdin: message\nmax_reply_chars: 1000000'), { message })
    expect(whole.result.reply).toBe(message)
    const got = await turn(`${VARIABLES}\nstdin: message`, { message })
    expect(variable(got, 'AGENT_MESSAGE_TRUNCATED')).toBe('1')
    // 131,072 bytes less the name, the equals sign and the final NUL; and no half character.
    expect(variable(got, 'AGENT_MESSAGE')).toBe('ü'.repeat((131_072 - 15 - 1) / 2))
  })

  it('is what a message too large for a variable needs: otherwise nothing runs, and the key to set is named', async () => {
    const { result } = await turn(VARIABLES, { message: 'x'.repeat(200_000) })
    expect(result).toMatchObject({ ok: false, exit_code: 2, reply: '' })
    expect(result.error).toContain('`stdin: message`')
    const most = 'x'.repeat(131_072 - 'AGENT_MESSAGE='.length - 1)
    expect((await turn(VARIABLES, { message: most })).result.ok).toBe(true)
    expect((await turn(VARIABLES, { message: `${most}x` })).result.exit_code).toBe(2)
  })

  it('cannot help a message in an argument that is too large for it', async () => {
    const yaml = profile('print-arguments.mjs', ['{{MESSAGE}}'], 'stdin: message')
    const { result } = await turn(yaml, { message: 'x'.repeat(200_000) })
    expect(result).toMatchObject({ ok: false, exit_code: 2 })
    expect(result.error).toContain('{{MESSAGE}}')
  })
})

describe('program and folder', () => {
  it('the folder is the one of the caller, unless the profile names one', async () => {
    const cwd = tempDir()
    expect((await turn(profile('print-folder.sh'), { cwd })).result.reply).toBe(cwd)
    expect((await turn(profile('print-folder.sh', [], `cwd: ${cwd}`))).result.reply).toBe(cwd)
    const cwdOverride = tempDir()
    expect((await turn(profile('print-folder.sh', [], `cwd: ${cwd}`), { cwdOverride })).result.reply).toBe(cwdOverride)
    const lost = await turn(profile('print-folder.sh', [], `cwd: ${cwd}`), { cwdOverride: '/no/such' })
    expect(lost.result).toMatchObject({ exit_code: 2, error: '/no/such is no folder to run an agent in.' })
  })

  it('a relative folder starts at the profile, and ~ is the home folder', async () => {
    const home = tempDir()
    mkdirSync(join(home, 'work'))
    const environment = { PATH: process.env.PATH, HOME: home }
    expect((await turn(profile('print-folder.sh', [], 'cwd: ..'))).result.reply).toBe(join(AGENTS, '..'))
    expect((await turn(profile('print-folder.sh', [], 'cwd: ~/work'), { environment })).result.reply).toBe(
      join(home, 'work'),
    )
    expect((await turn(profile('print-folder.sh', [], 'cwd: "{{PROFILE_DIR}}"'))).result.reply).toBe(AGENTS)
  })

  it('a folder that does not exist is said before anything runs', async () => {
    const { result } = await turn(profile('print-folder.sh', [], 'cwd: /no/such/folder'))
    expect(result).toMatchObject({ ok: false, exit_code: 2 })
    expect(result.error).toContain('/no/such/folder')
  })

  it('a program is found on the PATH, below ~, and through a path with blanks in a list', async () => {
    const home = tempDir()
    mkdirSync(join(home, 'my agents'))
    symlinkSync(join(AGENTS, 'print-lines.sh'), join(home, 'my agents', 'agent'))
    symlinkSync(join(AGENTS, 'print-lines.sh'), join(home, 'agent'))
    const environment = { PATH: `${home}:${process.env.PATH}`, HOME: home }
    const run = async (command: string) => (await turn(`command: ${command}`, { environment })).result.reply
    expect(await run('agent found')).toBe('found')
    expect(await run('~/agent found')).toBe('found')
    expect(await run('["~/my agents/agent", "in a  list"]')).toBe('in a  list')
  })

  it('an empty message without attachments is refused before anything runs', async () => {
    const { result } = await turn(VARIABLES, { message: '' })
    expect(result).toMatchObject({
      ok: false,
      exit_code: 2,
      error: 'The message is empty. Write something to the agent.',
    })
  })
})
