import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, loadProfile, PROFILE_KEYS, type Profile, type ProfileKey, parseProfile } from '@string-os/bridge'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'

const parse = (text: string) => parseProfile(text, '/p/profile.yaml')

function profileOf(text: string): Profile {
  const reading = parse(text)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.profile
}

function problemsOf(text: string): readonly Finding[] {
  const reading = parse(text)
  return reading.ok ? [] : reading.problems
}

describe('keys that only turns in the daemon heed', () => {
  const yaml =
    'command: x\nwake: events\nchanflow: true\nmax_steps: 3\nturn_timeout_secs: 9\nprimer: false\nwhen_busy: collect\nplacement: any\nlimits: { turns_per_hour: 9 }\napproval_timeout_secs: 60\n'

  it('are warned about by a bridge alone, each where it stands', () => {
    const warnings = parse(yaml).warnings.map(({ line, column, message }) => [line, column, message.split(' ')[0]])
    expect(warnings).toEqual([
      [2, 7, '`wake`'],
      [3, 11, '`chanflow`'],
      [4, 12, '`max_steps`'],
      [5, 20, '`turn_timeout_secs`'],
      [6, 9, '`primer`'],
      [7, 12, '`when_busy`'],
      [8, 12, '`placement`'],
      [9, 9, '`limits`'],
      [10, 24, '`approval_timeout_secs`'],
    ])
    const names = Object.entries<ProfileKey>(PROFILE_KEYS).filter(([, row]) => row.isForDaemon)
    expect(warnings.map(([, , name]) => name)).toEqual(names.map(([name]) => `\`${name}\``))
  })

  it('let nobody wait longer than a week', () => {
    const { ok, problems } = parseProfile(
      'command: x\napproval_timeout_secs: 604801\n',
      '/p/profile.yaml',
      'daemon',
    ) as {
      ok: boolean
      problems: readonly { message: string; line: number }[]
    }
    expect({ ok, problems }).toMatchObject({
      ok: false,
      problems: [{ line: 2, message: '`approval_timeout_secs` is too large' }],
    })
  })

  it('are not, where they say what holds anyway, or where the daemon reads them', () => {
    expect(parse('command: x\nchanflow: false\nmax_steps: 25\nprimer: true').warnings).toEqual([])
    expect(parseProfile(yaml, '/p/profile.yaml', 'daemon').warnings).toEqual([])
  })
})

describe('a profile', () => {
  it('needs a command alone; all other keys have defaults', () => {
    expect(profileOf('command: ./agent.py')).toEqual({
      path: '/p/profile.yaml',
      command: ['./agent.py'],
      args: [],
      stdin: 'none',
      cwd: null,
      env: {},
      envAllowlist: null,
      envInherit: 'minimal',
      timeoutMs: 1_800_000,
      killGraceMs: 5_000,
      maxReplyChars: 8_000,
      truncationSuffix: '\n\n…(truncated)',
      includeStderrInReply: false,
      sendErrorReply: true,
      streaming: true,
      sessionLinePrefix: 'AGENT_SESSION:',
      wire: '0.1',
      permission: false,
      permissionPolicy: 'ask',
      approvalMs: 1_800_000,
      wake: null,
      chanflow: false,
      maxSteps: 25,
      turnTimeoutMs: 3_600_000,
      primer: true,
      whenBusy: 'queue',
      placement: 'home',
      limits: {},
    })
  })

  it('may set every key', () => {
    const text = `
command: python3 -u agent.py
args: [--session, "{{SESSION_ID}}", 3]
stdin: message
cwd: ~/work
env: { KEY: "\${KEY}", PORT: 8080, RATIO: 1.50, DEBUG: true }
env_allowlist: [KEY]
env_inherit: all
timeout_secs: 0.5
kill_grace_secs: 0
max_reply_chars: 10
truncation_suffix: ""
include_stderr_in_reply: true
send_error_reply: false
streaming: false
session_line_prefix: "SID="
wire: 0.1
permission: true
permission_policy: allow
executor: claude-code
wake: events
chanflow: true
max_steps: 3
turn_timeout_secs: 60
primer: false
when_busy: interrupt
placement: any
limits: { turns_per_hour: 20, cost_per_day: 1.5 }
approval_timeout_secs: 604800
`
    expect(profileOf(text)).toEqual({
      path: '/p/profile.yaml',
      command: ['python3', '-u', 'agent.py'],
      args: ['--session', '{{SESSION_ID}}', '3'],
      stdin: 'message',
      cwd: '~/work',
      env: { KEY: '${KEY}', PORT: '8080', RATIO: '1.50', DEBUG: 'true' },
      envAllowlist: ['KEY'],
      envInherit: 'all',
      timeoutMs: 500,
      killGraceMs: 0,
      maxReplyChars: 10,
      truncationSuffix: '',
      includeStderrInReply: true,
      sendErrorReply: false,
      streaming: false,
      sessionLinePrefix: 'SID=',
      wire: '0.1',
      permission: true,
      permissionPolicy: 'allow',
      approvalMs: 604_800_000,
      wake: 'events',
      chanflow: true,
      maxSteps: 3,
      turnTimeoutMs: 60_000,
      primer: false,
      whenBusy: 'interrupt',
      placement: 'any',
      limits: { turns_per_hour: 20, cost_per_day: 1.5 },
    })
    for (const key of Object.keys(PROFILE_KEYS)) expect(text).toMatch(new RegExp(`^${key}:`, 'm'))
  })

  it('has its command split on white space before anything is put in, unless it is a list or the later wire', () => {
    expect(profileOf('command: "  a\\t{{MESSAGE}}   b "').command).toEqual(['a', '{{MESSAGE}}', 'b'])
    expect(profileOf('command: ["/my agents/a", "b c"]').command).toEqual(['/my agents/a', 'b c'])
    expect(profileOf('command: /my agents/a\nwire: "0.4"').command).toEqual(['/my agents/a'])
  })

  it('may leave lists and maps empty', () => {
    expect(profileOf('command: x\nargs:\nenv:\n  # KEY: value\ncwd:')).toMatchObject({ args: [], env: {}, cwd: null })
  })

  it('may stand below `agentproc`, as public collections write it, and then speaks the later wire', () => {
    const text = 'name: echo\nnotes: none\nagentproc:\n  command: python3\n  args: ["{{PROFILE_DIR}}/agent.py"]\n'
    expect(profileOf(text)).toMatchObject({ command: ['python3'], wire: '0.4' })
    expect(profileOf(`${text}  wire: "0.1"`).wire).toBe('0.1')
    expect(parse(`${text}  executioner: x\n`).warnings).toMatchObject([{ line: 6, column: 3 }])
    expect(problemsOf('agentproc:\n  args: [x]')).toMatchObject([{ message: '`command` is missing' }])
    expect(parse(`${text}  executor: echo\n  env_allowlist: [KEY]\n`).warnings).toEqual([])
    expect(problemsOf('agentproc:\n  executor: echo')).toMatchObject([
      { message: '`command` is missing: `executor` names code inside another runner, which is not here' },
    ])
  })

  it('may use anchors', () => {
    expect(profileOf('args: &a [x]\ncommand: *a').command).toEqual(['x'])
  })
})

describe('an unknown key', () => {
  it('that is the beginning of one is taken for it', () => {
    expect(parse('command: x\ntimeout: 3\n')).toMatchObject({ warnings: [{ fix: 'Did you mean `timeout_secs`?' }] })
  })

  it('is a warning at its place, with the nearest known key', () => {
    expect(parse('command: x\ntimeout_sec: 3\n')).toMatchObject({
      ok: true,
      warnings: [
        { line: 2, column: 1, message: 'Unknown key `timeout_sec` is ignored', fix: 'Did you mean `timeout_secs`?' },
      ],
    })
  })

  it('that may be meant to limit the agent is an error: it would run without that limit', () => {
    expect(parse('command: x\nlimts: { turns_per_hour: 3 }\n')).toMatchObject({
      ok: false,
      problems: [
        {
          line: 2,
          column: 1,
          message: 'Unknown key `limts`: what it says would not hold',
          fix: 'Did you mean `limits`?',
        },
      ],
    })
  })

  it('that resembles none shows all there are', () => {
    expect(parse('command: x\ntype: claude').warnings[0]?.fix).toContain('command, args, stdin')
  })

  it('may be a placeholder too', () => {
    const { warnings } = parse('command: x\nargs: ["{{ MESSAGE }}", "{{SESION_ID}}", "{{MESSAGE}}"]')
    expect(warnings.map(({ fix }) => fix)).toEqual(['Write {{MESSAGE}}', 'Write {{SESSION_ID}}'])
  })

  it.each([
    [`sh -c 'exit 7'`, `'exit`, 'Write a list: command: ["sh", "-c", "exit 7"]'],
    [`python3 "my agent.py" -u`, '"my', 'Write a list: command: ["python3", "my agent.py", "-u"]'],
    [`say it's me`, `it's`, 'Write a list of words, or name a script file'],
  ])('warns of quotes in a command that is split: %s', (command, word, fix) => {
    const message = `Quotes are not special in \`command\`: one word is ${word}`
    expect(parse(`command: ${command}\n`).warnings).toEqual([{ line: 1, column: 10, message, fix }])
    expect(parse(`${fix.replace(/^.*?command/, 'command')}\n`).warnings).toEqual([])
  })

  it.each([
    ['ls -l | wc', '|'],
    ['./agent.sh > out.txt && echo ok', '>'],
    ['./agent.sh 2>&1', '2>&1'],
  ])('warns of what only a shell would understand: %s', (command, sign) => {
    const program = command.split(' ')[0]
    const message = `No shell reads \`command\`: ${program} gets ${sign} as a word`
    const fix = 'Put the line into a script, and name that: command: ./agent.sh'
    expect(parse(`command: ${command}\n`).warnings).toEqual([{ line: 1, column: 10, message, fix }])
    expect(parse(`command: ${JSON.stringify(command.split(' '))}\n`).warnings).toEqual([])
  })

  it('does not warn of quotes that nothing splits', () => {
    expect(parse(`command: ["sh", "-c", "echo 'a b'"]\n`).warnings).toEqual([])
    expect(parse(`command: sh\nargs: ["-c", "echo 'a b'"]\n`).warnings).toEqual([])
    expect(parse(`command: it's\n`).warnings).toEqual([])
    expect(parse(`command: "agent 'x y'"\nwire: "0.4"\n`).warnings).toEqual([])
  })
})

describe('a problem is named with its place and what to do', () => {
  it('once, also where the parser complains twice of the same place', () => {
    const reading = parse('command: x\nenv:\n  A: 1\n   B: 2\n')
    const message = expect.stringContaining('the next line is indented differently') as string
    expect(reading).toMatchObject({ ok: false, problems: [{ line: 3, column: 6, message }] })
  })

  it.each([
    ['bad YAML', 'command: "x\n', 1, 10, /^Bad YAML: a quote " is not closed/, /at the end of the value/],
    ['a tab', 'command: x\nenv:\n\tA: b', 3, 1, /^Bad YAML: a tab/, /blanks/],
    ['a key that stands twice', 'command: x\nargs: []\ncommand: y', 3, 1, /`command` stands here twice/, /Remove/],
    ['a variable that stands twice', 'command: x\nenv:\n  A: 1\n  A: 2', 4, 3, /`A` stands here twice/, /Remove/],
    ['no command', 'args: []', 1, 1, /`command` is missing/, /command: /],
    ['an empty file', '', 1, 1, /`command` is missing/, /command: /],
    ['an empty command', 'command: " "', 1, 10, /empty/, /command: /],
    ['a key without a value', 'command:', 1, 1, /no value/, /remove/],
    ['a limit without a value', 'command: x\ntimeout_secs:', 2, 1, /no value/, /remove/],
    ['no map', '- a', 1, 1, /key: value/, /command: /],
    ['two documents', 'command: x\n---\ncommand: y', 2, 1, /one YAML document/, /---/],
    ['a number for text', 'command: 12', 1, 10, /must be text/, /quotes/],
    ['text for a number', 'command: x\ntimeout_secs: "60"', 2, 15, /number of seconds/, /60/],
    ['a negative limit', 'command: x\nkill_grace_secs: -1', 2, 18, /negative/, null],
    ['no time at all', 'command: x\ntimeout_secs: 0', 2, 15, /more than 0/, /60/],
    ['an endless limit', 'command: x\ntimeout_secs: .inf', 2, 15, /number of seconds/, /60/],
    ['a broken count', 'command: x\nmax_reply_chars: 1.5', 2, 18, /whole number/, /100/],
    ['a count beyond all bounds', 'command: x\nmax_reply_chars: 99999999999', 2, 18, /too large/, /at most/],
    ['a wrong choice', 'command: x\nstdin: mesage', 2, 8, /none or message/, /stdin: message/],
    ['a wire that is not spoken', 'command: x\nwire: 0.2', 2, 7, /0\.1 or 0\.4/, /wire: 0\.[14]/],
    ['a word for a flag', 'command: x\nstreaming: yes', 2, 12, /true or false/, /true/],
    ['text for a list', 'command: x\nargs: "a b"', 2, 7, /must be a list/, /args: \[/],
    ['a list in a list', 'command: x\nargs: [a, [b]]', 2, 11, /must be text/, /quotes/],
    ['a list for variables', 'command: x\nenv: [A]', 2, 6, /must be a map/, /NAME: value/],
    ['a variable without a value', 'command: x\nenv:\n  A:', 3, 3, /`A` in `env` must be text/, /""/],
    ['a variable that cannot be', 'command: x\nenv: { "A=B": c }', 2, 8, /name of a variable/, null],
    ['a NUL', 'command: x\nargs: ["a\\0b"]', 2, 8, /NUL/, null],
    ['an empty prefix', 'command: x\nsession_line_prefix: ""', 2, 22, /one line/, /AGENT_SESSION:/],
    ['a placeholder that is a map to YAML', 'command: x\nargs: [{{MESSAGE}}]', 2, 8, /map/, /Quote.*"\{\{MESSAGE}}"/],
    ['the same in a value', 'command: {{MESSAGE}}', 1, 10, /map/, /Quote/],
    ['the same behind text', 'command: x\nargs: [--m={{MESSAGE}}]', 2, 12, /^Bad YAML/, /Quote/],
    ['the same in env', 'command: x\nenv:\n  A: {{MESSAGE}}', 3, 6, /map/, /Quote/],
    ['a program of the sender', 'command: "{{MESSAGE}}"', 1, 10, /must not choose the program/, /args/],
    ['a folder of the sender', 'command: x\ncwd: "{{MESSAGE}}"', 2, 6, /must not choose the folder/, /fixed/],
    ['an alias of nothing', 'command: *x', 1, 1, /alias/i, null],
  ])('%s', (_, text, line, column, message, fix) => {
    const [problem] = problemsOf(text)
    expect(problem).toMatchObject({ line, column })
    expect(problem?.message).toMatch(message)
    if (fix === null) expect(problem?.fix).toBeNull()
    else expect(problem?.fix).toMatch(fix)
  })

  it('all of them at once', () => {
    expect(problemsOf('stdin: x\nwire: y\nstreaming: z\ncommand: a').map(({ line }) => line)).toEqual([1, 2, 3])
  })
})

describe('a hostile profile costs little (S20)', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h']
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`)
    .join('\n')}\ncommand: x`
  it.each([
    ['aliases that multiply', bomb],
    ['brackets', '['.repeat(60_000)],
    ['braces', '{'.repeat(60_000)],
    ['indents', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['dashes', `command: x\nb:\n  ${'- '.repeat(30_000)}`],
    ['question marks', '? '.repeat(30_000)],
    ['keys alone', Array.from({ length: 12_000 }, (_, index) => `${index.toString(36)}:`).join('\n')],
    ['too many characters', `# ${'x'.repeat(70_000)}`],
  ])('%s', (_, text) => {
    const reading = parse(text)
    expect(reading.ok).toBe(false)
  })
})

describe('loading a profile', () => {
  it('knows it by its real path', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'real.yaml'), 'command: x')
    symlinkSync('real.yaml', join(dir, 'link.yaml'))
    expect(await loadProfile(join(dir, 'link.yaml'))).toMatchObject({
      ok: true,
      profile: { path: join(dir, 'real.yaml') },
    })
  })

  it('says why a file cannot be read', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'folder'))
    writeFileSync(join(dir, 'latin1.yaml'), Buffer.from('command: \xfc', 'latin1'))
    writeFileSync(join(dir, 'large.yaml'), `command: x # ${'x'.repeat(100_000)}`)
    const said = async (name: string) => {
      const reading = await loadProfile(join(dir, name))
      return reading.ok
        ? ''
        : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join()
    }
    expect(await said('none.yaml')).toMatch(/^0:0 There is no file .*none\.yaml$/)
    expect(await said('folder')).toContain('not a file')
    expect(await said('latin1.yaml')).toContain('not UTF-8')
    expect(await said('large.yaml')).toContain('larger than 65536 bytes')
  })
})
