import { describe, expect, it } from 'vitest'
import { parseInvocation } from '../../src/cli/arguments.ts'
import { parseRunFlags } from '../../src/cli/bridge/run-flags.ts'
import { parseFlags } from '../../src/cli/flags.ts'
import { VERBS } from '../../src/cli/verbs.ts'

const run = (...args: string[]) => parseRunFlags(['--profile', '/p.yaml', ...args])

describe('flags of a verb', () => {
  it.each(['-x', '--json', '--', '-', '-h', '--message', '', '-m', 'a=b', '--x=y'])(
    'a message may be %j, whatever it looks like',
    (message) => {
      expect(run('-m', message).message).toBe(message)
      expect(run('--message', message).message).toBe(message)
      expect(run(`--message=${message}`).message).toBe(message)
    },
  )

  it('flags of string itself behind bridge or chat belong to the verb', () => {
    const { words, format, help } = parseInvocation(['bridge', 'run', '-m', '--json', '--profile', '-h'], VERBS)
    expect({ words, format, help }).toEqual({
      words: ['bridge', 'run', '-m', '--json', '--profile', '-h'],
      format: null,
      help: false,
    })
    expect(parseInvocation(['--json', 'chat', '--help'], VERBS)).toMatchObject({
      words: ['chat', '--help'],
      format: 'json',
    })
  })

  it('a flag that stands too late to be ours is handed on with the word behind it', () => {
    expect(parseInvocation(['bash:x', 'sleep 6', '--wait', '1'], VERBS)).toMatchObject({
      words: ['bash:x', 'sleep 6'],
      wait: '1',
    })
    expect(parseInvocation(['main', '/act.x', '--topic', 'a', '--wait', '3', '--plain'], VERBS)).toMatchObject({
      words: ['main', '/act.x', '--topic', 'a', '--wait', '3'],
      topic: null,
      wait: null,
      format: 'plain',
    })
  })

  it.each(['-v', '-V', '--version'])('%s asks for the version', (flag) => {
    expect(parseInvocation([flag], VERBS).version).toBe(true)
  })

  const OURS = { agent: null, format: null, port: null, topic: null, hasEnd: false }

  it.each([
    [
      ['bash:q', '--plain', 'echo', '--agent', 'ash', 'hi'],
      ['bash:q', 'echo', '--agent', 'ash', 'hi'],
    ],
    [
      ['bash:q', '--plain', 'git', 'status', '--json'],
      ['bash:q', 'git', 'status', '--json'],
    ],
    [
      ['bash:q', '--plain', 'git', 'checkout', '--', 'x'],
      ['bash:q', 'git', 'checkout', '--', 'x'],
    ],
    [
      ['main', '--plain', '/exec', 'docker', 'run', '--port', '80'],
      ['main', '/exec', 'docker', 'run', '--port', '80'],
    ],
    [
      ['--plain', '/exec', 'x', '--help'],
      ['/exec', 'x', '--help'],
    ],
    [
      ['--plain', 'bash:q', './my prog', 'a', '--json'],
      ['bash:q', './my prog', 'a', '--json'],
    ],
  ])('%j: every flag behind the first word of a line for a shell is its own', (args, words) => {
    expect(parseInvocation(args, VERBS)).toMatchObject({ ...OURS, words, format: 'plain' })
  })

  it.each([
    [['main', '/info', '--json'], { words: ['main', '/info'], format: 'json' }],
    [
      ['main', '/open ./a.md', '--json', '--agent', 'x'],
      { words: ['main', '/open ./a.md'], format: 'json', agent: 'x' },
    ],
    [['bash:q', 'echo a', '--json'], { words: ['bash:q', 'echo a'], format: 'json' }],
    [['bash:q', '-', '--json'], { words: ['bash:q', '-'], format: 'json' }],
    [['bash:q', '//wait', '30', '--json'], { words: ['bash:q', '//wait', '30'], format: 'json' }],
    [['main', '/exec ls', '--json'], { words: ['main', '/exec ls'], format: 'json' }],
  ])('%j: behind a whole command it is ours', (args, read) => {
    expect(parseInvocation(args, VERBS)).toMatchObject({ ...OURS, ...read })
  })

  it.each([
    [
      ['bash:q', '--', 'node', '--version'],
      ['bash:q', 'node', '--version'],
    ],
    [
      ['bash:q', '--', '--version'],
      ['bash:q', '--version'],
    ],
    [
      ['main', '--', '/act.x', '--port', '80', '--json'],
      ['main', '/act.x', '--port', '80', '--json'],
    ],
    [
      ['--', 'main', '/info', '--json'],
      ['main', '/info', '--json'],
    ],
    [
      ['main', '/find', '--', '--json', './a'],
      ['main', '/find', '--', '--json', './a'],
    ],
    [
      ['agent', 'show', '--', '--json'],
      ['agent', 'show', '--', '--json'],
    ],
  ])('%j: behind -- no flag is ours; a command and a verb that began before it get it, too', (args, words) => {
    expect(parseInvocation(args, VERBS)).toMatchObject({ ...OURS, words, hasEnd: true })
  })

  it.each([
    [['main', '/find', '--json', './small.txt'], '--json stands in the middle of /find'],
    [['main', '/find', '--agent', 'x', './small.txt', 'y'], '--agent stands in the middle of /find'],
    [['/find', 'a', '--plain', '--', 'b'], '--plain stands in the middle of /find'],
    [['bash:q', 'echo a', '--json', 'b'], '--json stands in the middle of echo a'],
  ])('%j is refused: it may be ours or of the command', (args, reason) => {
    expect(() => parseInvocation(args, VERBS)).toThrow(reason)
  })

  it('a topic that is called like the verb still takes a command with the flags of string', () => {
    expect(parseInvocation(['chat', '/info', '--json'], VERBS)).toMatchObject({
      words: ['chat', '/info'],
      format: 'json',
    })
  })

  it.each([
    [['--nope'], 'Unknown flag --nope'],
    [['--text'], '--text needs a value'],
    [['--yes=1'], '--yes takes no value'],
    [['--txet', 'x'], 'Unknown flag --txet; did you mean --text?'],
    [['--limit', 'many'], '--limit needs a whole number from 1 on, not: many'],
    [['--text', 'a', '--text=b'], '--text is given twice, and takes one value'],
    [['--limit=-1'], '--limit needs a whole number from 1 on, not: -1'],
  ])('%j is refused with the reason', (args, reason) => {
    const options = { text: { type: 'string' }, yes: { type: 'boolean' }, limit: { type: 'number' } } as const
    expect(() => parseFlags(args, options)).toThrow(reason)
  })
})

describe('flags of string bridge run', () => {
  it('reads attachments in the order of their kinds', () => {
    const attachment = '{"type":"audio","url":"https://x/a.ogg","name":"a"}'
    expect(
      run('-m', 'x', '--image', 'i1', '--file', 'f', '--image', 'i2', '--attachment', attachment).attachments,
    ).toEqual([
      { type: 'image', url: 'i1', name: null },
      { type: 'image', url: 'i2', name: null },
      { type: 'file', url: 'f', name: null },
      { type: 'audio', url: 'https://x/a.ogg', name: 'a' },
    ])
  })

  it.each(['', 'null', '[]', '{"type":"text","url":"x"}', '{"type":"image"}', '{"type":"image","url":"x","name":3}'])(
    'refuses the attachment %j and says what it takes',
    (text) => {
      expect(() => run('-m', 'x', '--attachment', text)).toThrow('--attachment takes {"type":')
    },
  )

  it.each([
    [['-m', 'x', 'y'], 'Too many arguments: y'],
    [[], 'Give --message TEXT'],
    [['-m', 'x', '--session', ''], 'A session name has 1 to 256 characters'],
    [['-m', 'x', '--session', 'x'.repeat(257)], 'A session name has 1 to 256 characters'],
    [['-m', 'x', '--session', 'a\nb'], 'control characters'],
    [['-m', 'x', '--session-id', 'a\x1bb'], 'control characters'],
    [['-m', 'x', '--from', 'a\0b'], 'control characters'],
  ])('refuses %j', (args, reason) => {
    expect(() => run(...args)).toThrow(reason)
  })
})
