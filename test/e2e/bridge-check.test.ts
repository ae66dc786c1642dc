import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { stringPlace } from '../support/cli.ts'

describe('string bridge check', () => {
  it('explains a sound profile: program, folder, names of the environment, limits', async () => {
    const place = stringPlace({ SECRET: 'hunter2' })
    writeAgent(place.dir, 'true', 'args: ["-v", "{{MESSAGE}}"]\nenv: { KEY: "${SECRET}" }\ntimeout_secs: 600\n')
    const { status, stdout, stderr } = await place.string(['bridge', 'check', 'agent.yaml'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^agent\.yaml is sound\n/)
    expect(stdout).toContain(`program      ${place.dir}/agent.sh\n`)
    expect(stdout).toContain('arguments    "-v" "{{MESSAGE}}"\n')
    expect(stdout).toContain(`folder       ${place.dir} (`)
    expect(stdout).toMatch(/environment .*\bAGENT_MESSAGE\b.*\bKEY\b.*\bPATH\b/)
    expect(stdout).toContain('limits       600 s, then TERM and after 5 s KILL; replies up to 8000 characters\n')
    expect(stdout).toContain('daemon       a turn ends after 3600 s\n')
    expect(stdout).not.toContain('hunter2')
  })

  it.each([
    ['bad YAML', 'command: ./agent.sh\nargs: [a\n', /^string: agent\.yaml:[23]:\d+: ./],
    ['a wrong type', 'command: ./agent.sh\nstreaming: often\n', /^string: agent\.yaml:2:12: .*streaming/],
    ['no command', 'args: []\n', /^string: agent\.yaml:1:1: .*command/],
    ['a program that is missing', '# a comment\ncommand: ./missing.sh\n', /^string: agent\.yaml:2:10: .*missing\.sh/],
    [
      'a folder that is missing',
      'command: ./agent.sh\ncwd: /no/such/folder\n',
      /^string: agent\.yaml:2:6: .*\/no\/such\/folder/,
    ],
    ['a message that chooses the program', 'command: "{{MESSAGE}}"\n', /^string: agent\.yaml:1:10: .*MESSAGE/],
    [
      'a message that chooses the folder',
      'command: ./agent.sh\ncwd: "{{MESSAGE}}"\n',
      /^string: agent\.yaml:2:6: .*MESSAGE/,
    ],
  ])('names file, line, column and the fix for %s', async (_what, yaml, expected) => {
    const place = stringPlace()
    writeFileSync(writeAgent(place.dir, 'true'), yaml)
    const { status, stdout, stderr } = await place.string(['bridge', 'check', 'agent.yaml'])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(expected)
  })

  it('says once what to do about a program that is not there', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'none.yaml'), 'command: no-such-program\n')
    const { stderr } = await place.string(['bridge', 'check', 'none.yaml'])
    expect(stderr).toContain(
      'none.yaml:1:10: The program no-such-program was not found on the PATH. Install it, or mend `command` in the profile. ./NAME is a program beside the profile.\n',
    )
  })

  it('names the folder that --cwd says, whatever the profile says', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'work'))
    writeAgent(place.dir, 'true', 'cwd: .\n')
    writeFileSync(join(place.dir, 'none.yaml'), 'command: sh\n')
    expect((await place.string(['bridge', 'check', 'none.yaml'])).stdout).toContain(
      `folder       ${place.dir} (where you are; in the daemon, the home of the agent)\n`,
    )
    const { stdout } = await place.string(['bridge', 'check', 'agent.yaml', '--cwd', 'work'])
    expect(stdout).toContain(`folder       ${place.dir}/work (as --cwd says; the profile says .)\n`)
    const lost = await place.string(['bridge', 'check', 'agent.yaml', '--cwd', 'nowhere'])
    expect(lost).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`no folder ${place.dir}/nowhere`) as string,
    })
  })

  it('tells what holds in the daemon, where the keys for it are right and need no warning', async () => {
    const place = stringPlace()
    const keys = [
      'wake: events',
      'wire: "0.4"',
      'turn_timeout_secs: 4',
      'limits: { turns_per_hour: 3, cost_per_day: 2 }',
      'chanflow: true',
    ]
    writeAgent(place.dir, 'true', `${keys.join('\n')}\nwhen_busy: refuse\n`)
    const { status, stdout, stderr } = await place.string(['bridge', 'check', 'agent.yaml'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const said = [
      'wake: events; 3 turns per hour; 2 dollars per day; a turn ends after 4 s',
      'blocks are run, up to 25 times in a turn; when busy: refuse',
    ]
    expect(stdout).toContain(`daemon       ${said.join('; ')}\n`)
    const json = await place.string(['bridge', 'check', 'agent.yaml', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      daemon: { wake: 'events', turn_timeout_ms: 4000, limits: { turns_per_hour: 3, cost_per_day: 2 } },
      warnings: [],
    })
  })

  it.each([
    ['bridge', 'run', '--profile', 'agent.yaml', '-m', 'x'],
    ['chat', '--profile', 'agent.yaml'],
  ])('string %s %s … warns about keys that only the daemon heeds', async (...args) => {
    const place = stringPlace()
    writeAgent(place.dir, 'echo hi', 'chanflow: true\nprimer: true\n')
    const { status, stderr } = await place.string(args)
    expect(status).toBe(0)
    expect(stderr).toMatch(/^warning: agent\.yaml:2:11: `chanflow` has no effect here: [^\n]*\n$/)
  })

  it('warns about an unknown key and names the nearest known one', async () => {
    const place = stringPlace()
    writeAgent(place.dir, 'true', 'timeout_sec: 3\n')
    const { status, stderr } = await place.string(['bridge', 'check', 'agent.yaml'])
    expect(status).toBe(0)
    expect(stderr).toMatch(/^warning: agent\.yaml:2:1: .*timeout_secs/)
    writeAgent(place.dir, 'true', 'timeout_sec: 3\nwire: "9"\n')
    const refused = await place.string(['bridge', 'check', 'agent.yaml'])
    // What keeps it from running comes first.
    expect(refused.stderr.split('\n').slice(0, 2)).toEqual([
      'string: agent.yaml:3:7: `wire` must be 0.1 or 0.4, not 9. Write wire: 0.1 or wire: 0.4',
      expect.stringMatching(/^warning: agent\.yaml:2:1: .*timeout_secs/),
    ])
  })
})

describe('string bridge init', () => {
  it('writes a profile that is sound and an agent that works at once, with a session', async () => {
    const place = stringPlace()
    const { status, stdout } = await place.string(['bridge', 'init', 'my agent'])
    expect(status).toBe(0)
    expect(stdout).toContain('Wrote my agent/agent.yaml and my agent/agent.mjs\n')
    const profile = join(place.dir, 'my agent/agent.yaml')
    expect(await place.string(['bridge', 'check', profile])).toMatchObject({ status: 0, stderr: '' })
    expect(statSync(join(place.dir, 'my agent/agent.mjs')).mode & 0o111).not.toBe(0)
    const run = async () => place.string(['bridge', 'run', '--profile', profile, '-m', 'hello'])
    expect(await run()).toMatchObject({
      status: 0,
      stdout: 'You said: hello (turn 1 of session default)\n',
      stderr: '',
    })
    expect((await run()).stdout).toContain('turn 2')
    writeFileSync(profile, readFileSync(profile, 'utf8').replace('streaming: true', 'streaming: false'))
    expect((await run()).stdout).toBe('You said: hello (turn 3 of session default)\n')
  })

  it.each(['agent.yaml', 'agent.mjs'])('overwrites nothing: with %s there it writes no file', async (name) => {
    const place = stringPlace()
    writeFileSync(join(place.dir, name), 'mine')
    const { status, stderr } = await place.string(['bridge', 'init'])
    expect(status).toBe(1)
    expect(stderr).toBe(`string: ${name} exists already and is not overwritten; name another folder\n`)
    expect(readFileSync(join(place.dir, name), 'utf8')).toBe('mine')
    const other = name === 'agent.yaml' ? 'agent.mjs' : 'agent.yaml'
    expect(statSync(join(place.dir, other), { throwIfNoEntry: false })).toBeUndefined()
  })

  it('says why a folder cannot be used', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'file'), '')
    const { status, stderr } = await place.string(['bridge', 'init', 'file/sub'])
    expect(status).toBe(1)
    expect(stderr).toContain('file/sub/agent.yaml cannot be written: a part of the path is no folder (ENOTDIR)')
  })
})
