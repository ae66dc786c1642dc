import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseProfile } from '@string-os/bridge'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { profile, turn, variable } from './support/turn.ts'

const HOSTILE = [
  '$(touch x)',
  '`touch x`',
  '; touch x',
  '&& touch x | touch x > x',
  '${HOME} $HOME ${SECRET}',
  '{{SESSION_ID}} {{SESSION_NAME}} {{MESSAGE}} {{PROFILE_DIR}}',
  `'"\\'"`,
  '-rf --version',
  '--',
  'two  blanks and\ttab',
  'line one\nline two\r\n',
  '*?[a-z]~',
  '$& $1 $$ $`',
  '\u202e ü 😀 \u0007',
]

describe('a message (S28)', () => {
  it.each(HOSTILE)('arrives as it is in arguments, command words, variables and input: %j', async (message) => {
    const cwd = tempDir()
    const environment = { PATH: process.env.PATH, SECRET: 'shh' }
    const extras = { message, cwd, environment, sessionId: 'id', sessionName: 'name' }
    const words = await turn('command: ./print-arguments.mjs {{MESSAGE}} a{{MESSAGE}}b\nargs: ["{{MESSAGE}}"]', extras)
    expect(JSON.parse(words.result.reply)).toEqual([message, `a${message}b`, message])
    const input = await turn(profile('print-input.sh', [], 'stdin: message'), extras)
    // What is printed are lines: their ends become LF, and the last is taken off.
    expect(input.result.reply).toBe(message.replaceAll('\r\n', '\n').replace(/\n$/, ''))
    expect(existsSync(join(cwd, 'x'))).toBe(false)
  })

  it('never reads a variable, also where the profile does', async () => {
    const yaml = profile('print-variables.sh', [], 'env: { COPY: "${SECRET}/{{MESSAGE}}/{{SESSION_NAME}}" }')
    const environment = { PATH: process.env.PATH, SECRET: '{{MESSAGE}}' }
    const got = await turn(yaml, { message: '${SECRET}${HOME}', sessionName: '${SECRET}', environment })
    expect(variable(got, 'COPY')).toBe('{{MESSAGE}}/${SECRET}${HOME}/${SECRET}')
  })

  it('with a NUL is refused with the reason, and nothing runs', async () => {
    const { result } = await turn(profile('print-variables.sh'), { message: 'a\0b' })
    expect(result).toMatchObject({ ok: false, exit_code: 2 })
    expect(result.error).toContain('NUL')
    const other = await turn(profile('print-variables.sh'), { sessionName: 'a\0b' })
    expect(other.result).toMatchObject({ ok: false, exit_code: 2 })
  })

  it('never chooses the program or the folder, nor do sessions', () => {
    for (const placeholder of ['{{MESSAGE}}', '{{SESSION_ID}}', '{{SESSION_NAME}}']) {
      for (const yaml of [
        `command: "${placeholder} x"`,
        `command: "./agents/${placeholder}"`,
        `command: ["${placeholder}"]`,
        `command: x\ncwd: "/tmp/${placeholder}"`,
      ]) {
        const reading = parseProfile(yaml, '/p/profile.yaml')
        expect(reading.ok, yaml).toBe(false)
      }
    }
  })

  it('chooses nothing either when a profile was made without the parser', async () => {
    const reading = parseProfile('command: ./print-folder.sh', '/p/profile.yaml')
    if (!reading.ok) throw new Error('unexpected')
    const { runTurn } = await import('@string-os/bridge')
    const request = { message: '/bin/ls', sessionId: null, sessionName: '', fromUser: '', attachments: [] }
    const options = { cwd: tempDir(), environment: { PATH: process.env.PATH } }
    const result = await runTurn({ ...reading.profile, command: ['{{MESSAGE}}'] }, request, options)
    expect(result.exit_code).toBe(127)
  })

  it('inside the script of a shell is warned about', () => {
    const reading = parseProfile('command: [bash, -lc, "echo {{MESSAGE}}"]', '/p/profile.yaml')
    expect(reading.warnings).toEqual([expect.objectContaining({ fix: 'Use "$AGENT_MESSAGE" in the script' })])
  })
})
