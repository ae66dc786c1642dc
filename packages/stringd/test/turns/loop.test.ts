import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { startMailServer } from '../channels/mail-server.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { askTurn, giveCommand, giveProfile, turnOf } from '../support/turns.ts'

const agents = join(import.meta.dirname, '../../../../test/agents')
const LOOP = 'chanflow: true\nstdin: message\n'

/** What an agent was given, run by run: it appends its message to a file. */
const HEAR = `message=$(cat; echo .); printf '%s\\0' "\${message%.}" >> heard`

function heard(home: string): string[] {
  return readFileSync(join(home, 'heard'), 'utf8').split('\0').slice(0, -1)
}

/** Answers with a text in each run, the last of them for ever. */
function answering(home: string, texts: readonly string[], keys = LOOP): void {
  for (const [index, text] of texts.entries()) writeFileSync(join(home, `say-${index + 1}`), text)
  const script = `${HEAR}\nn=$(tr -cd '\\0' < heard | wc -c)\n[ "$n" -lt ${texts.length} ] || n=${texts.length}\ncat say-$n`
  giveProfile(home, script, keys)
}

describe('the loop', () => {
  it('an agent that only writes text opens a document, edits a block, runs a test, sends a mail, and answers', async () => {
    const { port, home } = await startTestDaemon()
    const mail = await startMailServer()
    giveCommand(home, join(agents, 'do-task.py'), LOOP)
    const channel = `email: { type: smtp, url: "smtp://127.0.0.1:${mail.port}", from: a@company.com, allow: ["*"] }`
    writeFileSync(join(home, '.string/channels.yaml'), channel)
    writeFileSync(join(home, 'report.md'), '# Report\n\n<!-- #status -->\nStatus: open\n<!-- /status -->\n')
    writeFileSync(join(home, 'check.sh'), 'grep -q "Status: closed" report.md && echo "check: the report is closed"\n')

    const { result, steps, events, text, turnId } = await askTurn(port, { message: 'Please close the report' })

    expect(result).toMatchObject({ ok: true, reply: 'The report is closed, and the boss knows.', code: null })
    expect(text).toBe('')
    expect(steps.map(({ index, blocks }) => [index, blocks])).toEqual([
      [1, [{ channel: 'string', topic: 'main', cmd: '/open report.md', ok: true, code: null }]],
      [2, [{ channel: 'string', topic: 'main', cmd: '/replace #status', ok: true, code: null }]],
      [
        3,
        [
          { channel: 'string', topic: 'bash:dev', cmd: 'sh ./check.sh', ok: true, code: null },
          { channel: 'string', topic: 'main', cmd: '/open nowhere.md', ok: false, code: 'NOT_FOUND' },
        ],
      ],
      [4, [{ channel: 'email', topic: 'boss@company.com', cmd: 'Subject: Report', ok: true, code: null }]],
    ])
    expect(steps[0]?.text).toContain('I look at it first.')
    expect(events.map(({ type }) => type)).toEqual(['start', 'step', 'step', 'step', 'step', 'result'])
    expect(readFileSync(join(home, 'report.md'), 'utf8')).toContain('Status: closed')
    expect(mail.mails).toEqual([
      { from: 'a@company.com', to: ['boss@company.com'], source: expect.stringContaining('The report is closed.') },
    ])
    // A failing block is a result like any other.
    expect(readFileSync(join(home, 'heard.txt'), 'utf8')).toContain('✗ NOT_FOUND: File not found: nowhere.md')
    const stored = await turnOf(port, turnId)
    expect(stored).toMatchObject({ state: 'done', code: null, partial: '', stderr: '' })
    expect(stored.steps.map(({ replies: _, ...step }) => step)).toEqual(steps.map(({ type: _, ...step }) => step))
    // What came of the blocks is kept beside them.
    expect(stored.steps[0]?.replies).toContain('# Report')
    expect(stored.steps[2]?.replies).toContain('✗ NOT_FOUND: File not found: nowhere.md')
  })

  it('all replies of one text are the next message, in the order of the blocks', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'a.md'), 'Text of a\n')
    answering(
      home,
      ['<𝒞=string:x>\n/open a.md\n</𝒞>\n<𝒞=string:bash:y>\necho from bash\n</𝒞>', 'Done'],
      `${LOOP}primer: false\n`,
    )
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result.reply).toBe('Done')
    const [first, second = ''] = heard(home)
    expect(first).toBe('Go')
    const [one = '', other = ''] = second.split('\n\n<𝒞=')
    expect(one).toMatch(/^<𝒞=string:x time="[^"]+">\nText of a\n+<\/𝒞>$/)
    expect(other).toMatch(/^string:bash:y time="[^"]+">\n.*from bash\n.*<\/𝒞>$/s)
  })

  it('a text runs once: the answer that follows is read for blocks of its own only', async () => {
    const { port, home } = await startTestDaemon()
    answering(home, ['<𝒞=string:bash:x>\necho ran >> ran\n</𝒞>', 'It ran.'])
    expect((await askTurn(port, { message: 'Go' })).result).toMatchObject({ ok: true, reply: 'It ran.' })
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('ran\n')
  })

  it('max_steps ends one that never answers, runs nothing more, and says so', async () => {
    const { port, home } = await startTestDaemon()
    answering(home, ['<𝒞=string:bash:x>\necho ran >> ran\n</𝒞>'], `${LOOP}max_steps: 3\n`)
    const { result, steps, turnId } = await askTurn(port, { message: 'Go' })
    expect(steps).toHaveLength(3)
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('ran\n'.repeat(3))
    expect(result).toMatchObject({ ok: false, reply: '', code: 'MAX_STEPS', exit_code: 1 })
    expect(result.error).toContain('3 steps')
    expect(await turnOf(port, turnId)).toMatchObject({ state: 'failed', code: 'MAX_STEPS' })
  })

  it('says that blocks are not run where the profile does not want that', async () => {
    const { port, home } = await startTestDaemon()
    answering(home, ['<𝒞=string:bash:x>\necho ran >> ran\n</𝒞>'], 'stdin: message\n')
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: true, reply: expect.stringContaining('echo ran') })
    expect(result.warnings).toEqual([
      'It wrote blocks, and they were not run: that takes `chanflow: true` in its profile',
    ])
    expect(existsSync(join(home, 'ran'))).toBe(false)
  })

  it('tells of an agent that said nothing in all of its steps, and of no other', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, 'printf "loading\\nError: no api key\\n" >&2')
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: true, reply: '', silent: true })
    expect(result.warnings).toEqual(['The agent said nothing; its standard error ends: Error: no api key'])
    giveProfile(home, 'exit 0')
    expect((await askTurn(port, { message: 'Go' })).result.warnings).toEqual([
      'The agent said nothing, on its standard error neither',
    ])
    giveProfile(home, `echo 'AGENT_PARTIAL:"Hm."'`)
    expect((await askTurn(port, { message: 'Go' })).result).not.toHaveProperty('silent')
    answering(home, ['<𝒞=string:bash:x>\ntrue\n</𝒞>', ''])
    expect((await askTurn(port, { message: 'Go' })).result).not.toHaveProperty('warnings')
  })

  it('says so where every block failed alike, because more steps would not help', async () => {
    const { port, home } = await startTestDaemon()
    answering(home, ['<𝒞=string:bash:x>\necho ran'], `${LOOP}max_steps: 3\n`)
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: false, code: 'MAX_STEPS' })
    expect(result.error).toMatch(/In its last 3 every block failed with BLOCK_UNCLOSED/)
  })

  it('blocks beside a failed exit or an AGENT_ERROR do not run', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(home, `printf '<𝒞=string:bash:x>\\ntouch ran\\n</𝒞>\\n'; echo because >&2; exit 3`, LOOP)
    const failed = await askTurn(port, { message: 'Go' })
    expect(failed.result).toMatchObject({ ok: false, code: 'EXIT_3', exit_code: 3, reply: '' })
    expect(await turnOf(port, failed.turnId)).toMatchObject({ state: 'failed', code: 'EXIT_3', stderr: 'because\n' })
    giveProfile(home, `printf '<𝒞=string:bash:x>\\ntouch ran\\n</𝒞>\\n'; echo 'AGENT_ERROR:"no model"'`, LOOP)
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: false, code: 'AGENT_ERROR', error: 'no model', exit_code: 1, reply: '' })
    expect(existsSync(join(home, 'ran'))).toBe(false)
  })

  it('of partials only what stands outside of blocks is passed on, however they are cut', async () => {
    const { port, home } = await startTestDaemon()
    const pieces = ['I look', ' first.\n<𝒞=str', 'ing:bash:x>\necho hi >> ran\n</', '𝒞>\nThat was it.']
    const lines = pieces.map((text) => `AGENT_PARTIAL:${JSON.stringify(text)}`).join('\n')
    answering(home, [lines, 'AGENT_PARTIAL:"All "\nAGENT_PARTIAL:"done"'])
    const { text, result, turnId, steps } = await askTurn(port, { message: 'Go' })
    expect(text).toBe('I look first.\n\nThat was it.All done')
    expect(result).toMatchObject({ ok: true, reply: '' })
    expect(steps).toHaveLength(1)
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('hi\n')
    expect((await turnOf(port, turnId)).partial).toBe(text)
  })

  it('blocks in partials run also where partials are not forwarded, and the answer is the reply', async () => {
    const { port, home } = await startTestDaemon()
    const lines = ['<𝒞=string:bash:x>\n', 'echo hi >> ran\n</𝒞>'].map((text) => `AGENT_PARTIAL:${JSON.stringify(text)}`)
    answering(home, [lines.join('\n'), 'AGENT_PARTIAL:"All done"'], `${LOOP}streaming: false\n`)
    const { text, result } = await askTurn(port, { message: 'Go' })
    expect([text, result.reply]).toEqual(['', 'All done'])
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('hi\n')
  })

  it('on wire 0.4 result.text is read, and the reply is empty only when the last run was forwarded', async () => {
    const { port, home } = await startTestDaemon()
    const block = '<𝒞=string:bash:x>\necho hi >> ran\n</𝒞>'
    const first = [
      { type: 'partial', text: 'Thinking' },
      { type: 'result', text: block, usage: { input_tokens: 3 } },
    ]
    const last = [{ type: 'result', text: 'Answer', usage: { input_tokens: 4, output_tokens: 5 }, session_id: 's 1' }]
    const lines = [first, last].map((each) => each.map((line) => JSON.stringify(line)).join('\n'))
    answering(home, lines, 'chanflow: true\nwire: "0.4"\n')
    const { text, result, turnId } = await askTurn(port, { message: 'Go' })
    expect([text, result.reply, result.session_id]).toEqual(['Thinking', 'Answer', 's 1'])
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('hi\n')
    expect((await turnOf(port, turnId)).usage).toMatchObject({ input_tokens: 7, output_tokens: 5 })
    answering(
      home,
      [
        [
          { type: 'partial', text: 'Answer' },
          { type: 'result', text: 'Answer' },
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      ],
      'chanflow: true\nwire: "0.4"\n',
    )
    const streamed = await askTurn(port, { message: 'Go' })
    expect([streamed.text, streamed.result.reply]).toEqual(['Answer', ''])
  })

  it('max_reply_chars cuts the answer and no step', async () => {
    const { port, home } = await startTestDaemon()
    const long = 'x'.repeat(500)
    answering(
      home,
      [`${long}\n<𝒞=string:bash:x>\necho hi >> ran\n</𝒞>`, long],
      `${LOOP}max_reply_chars: 10\ntruncation_suffix: "…"\n`,
    )
    const { result } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: true, reply: `${'x'.repeat(10)}…`, truncated: true })
    expect(existsSync(join(home, 'ran'))).toBe(true)
  })

  it('a step may be long: what stands behind nine million characters is run', async () => {
    const { port, home } = await startTestDaemon()
    const script = `[ -n "$AGENT_SESSION_ID" ] && { echo Done; exit; }
echo AGENT_SESSION:s; head -c 9000000 /dev/zero | tr '\\0' x; printf '\\n<𝒞=string:bash:x>\\necho hi >> ran\\n</𝒞>\\n'`
    giveProfile(home, script, LOOP)
    const { result, turnId } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: true, reply: 'Done' })
    expect(readFileSync(join(home, 'ran'), 'utf8')).toBe('hi\n')
    // Of such a text only the beginning is kept.
    const [step] = (await turnOf(port, turnId)).steps
    expect(step?.text.length).toBeLessThanOrEqual(LIMITS.turnStepChars + 1)
    expect(step?.replies?.length).toBeLessThanOrEqual(LIMITS.turnStepChars + 1)
  })

  it('without chanflow a text with blocks is an answer like any other', async () => {
    const { port, home } = await startTestDaemon()
    answering(home, ['<𝒞=string:bash:x>\ntouch ran\n</𝒞>'], 'stdin: message\n')
    const { result, steps } = await askTurn(port, { message: 'a <𝒞=string:x>/info</𝒞>' })
    expect(result).toMatchObject({ ok: true, reply: '<𝒞=string:bash:x>\ntouch ran\n</𝒞>' })
    expect(steps).toEqual([])
    expect(heard(home)).toEqual(['a <𝒞=string:x>/info</𝒞>'])
    expect(existsSync(join(home, 'ran'))).toBe(false)
  })
})

describe('answers that a variable has to hold', () => {
  /** Without standard input; each run says how many bytes it was given. */
  const KEYS = 'chanflow: true\nprimer: false\n'

  function counting(home: string, text: string): void {
    writeFileSync(join(home, 'say'), text)
    const script = `printf '%s' "$AGENT_MESSAGE" > message-\${AGENT_SESSION_ID:-0}\n[ -z "$AGENT_SESSION_ID" ] || { echo Done; exit; }\necho AGENT_SESSION:1\ncat say`
    giveProfile(home, script, KEYS)
  }

  const second = (home: string): string => readFileSync(join(home, 'message-1'), 'utf8')

  it('are cut, each, and say where the rest is', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'many.sh'), 'for i in $(seq 30000); do echo "line $i"; done\n')
    const block = (name: string): string => `<𝒞=string:${name}>\n/exec sh many.sh\n</𝒞>\n`
    counting(home, block('a') + block('b'))
    expect((await askTurn(port, { message: 'Go' })).result).toMatchObject({ ok: true, reply: 'Done' })
    const file = /(\/\S+)/.exec(second(home).split('line 1\n')[1] ?? '')
    expect(second(home).match(/<𝒞=string:[ab] /g)).toHaveLength(2)
    expect(file).not.toBeNull()
  })

  it.each(['<𝒞=string:x>\n', '</𝒞>\n', '<C=string:x>\n'])('fit when the answers are full of %j', async (tag) => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'tags.txt'), tag.repeat(20_000))
    counting(home, '<𝒞=string:a>\n/exec cat tags.txt\n</𝒞>\n')
    expect((await askTurn(port, { message: 'Go' })).result).toMatchObject({ ok: true, reply: 'Done' })
  })

  it('leave some out, and say so, when there are too many of them', async () => {
    const { port, home } = await startTestDaemon()
    const blocks = Array.from(
      { length: 900 },
      (_, index) => `<𝒞=string:t${index}>\n/open ${'nowhere-'.repeat(20)}${index}.md\n</𝒞>\n`,
    )
    counting(home, blocks.join(''))
    const { result, steps } = await askTurn(port, { message: 'Go' })
    expect(result).toMatchObject({ ok: true, reply: 'Done' })
    expect(steps[0]?.blocks).toHaveLength(900)
    expect(second(home).slice(0, 1000)).toContain('nowhere-0.md')
    expect(second(home).slice(-200)).toMatch(/\d+ further replies are left out/)
  })
})
