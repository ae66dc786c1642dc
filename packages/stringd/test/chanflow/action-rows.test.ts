import { expect, it } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { appPlace } from '../support/app-place.ts'

const DOCUMENT = `---
name: notes
---
# Notes

\`\`\`act.say
CLI echo {text}
  text: string (required) "What to say"
\`\`\`

\`\`\`act.now
CLI echo now
\`\`\`

\`\`\`act.quiet
CLI true
\`\`\`
`

const FIELDS =
  '/act.say TEXT\n\n--text  string, required: What to say\n\nExample: /act.say --text text\n\nRuns a command: it may read and write any file, and use the network'
const NOT_RUN = 'Not run: it needs text\n\n'
const LISTED = ['say TEXT', 'now', 'quiet'].map((row) => `/act.${row} (runs a command)`).join('\n')
const PLAN = `From: notes.md (1 file, ${DOCUMENT.length} bytes)
Runs:
- say: \`echo {text}\`
- now: \`echo now\`
- quiet: \`true\`
Reads:
- anything: its commands may read any file
Writes:
- anything: its commands may write any file
Reaches:
- anything: its commands may use the network
Next: /open app:notes`
const DRY_PLAN = PLAN.replace('Next: /open app:notes', 'Next: the same without --dry-run, which installs it')

/** A command, what `/exec` answers, and what ChanFlow does; each finds what the ones before it left. */
const ROWS: readonly (readonly [topic: string, command: string, exec: string, chanflow: string])[] = [
  ['main', '/set', 'Variables\n---\n(none)', '(none)'],
  ['main', '/set {v} = "x y"', '{v} = "x y"', '✓ {v} = "x y"'],
  ['main', '/set $V = "s3cret"', '$V = (set)', '✓ $V = (set)'],
  ['main', '/set\n{a} = "1"\n$B = "2"', 'Variables\n---\n{a} = "1"\n$B = (set)', '{a} = "1"\n$B = (set)'],
  ['main', '/set\n```{a}\none\ntwo\n```', '{a} = "one\\ntwo"', '✓ {a} = "one\\ntwo"'],
  ['main', '/unset {a} $B', 'Unset: {a}, $B', '✓ Unset: {a}, $B'],
  ['main', '/set', 'Variables\n---\n{v} = "x y"\n$V = (set)', '{v} = "x y"\n$V = (set)'],
  [
    'main',
    '/install --dry-run notes.md',
    `Would install app:notes\n---\n${DRY_PLAN}`,
    `✓ Would install app:notes\n\n${DRY_PLAN}`,
  ],
  ['main', '/install notes.md', `Installed app:notes\n---\n${PLAN}`, `✓ Installed app:notes\n\n${PLAN}`],
  ['app:notes', '/act', `Actions\n---\n${LISTED}`, LISTED],
  ['app:notes', '/act.say --help', `Action: say\n---\n${FIELDS}`, FIELDS],
  ['app:notes', '/act.say', `Action: say\n---\n${NOT_RUN}${FIELDS}`, `${NOT_RUN}${FIELDS}`],
  ['app:notes', '/act.say --text "a  b"', 'a  b', 'a  b'],
  ['app:notes', '/act now', 'now', 'now'],
  ['app:notes', '/action.quiet', 'Done: quiet', '✓ Done: quiet'],
  ['app:notes', '/act.now --dry-run', 'Dry run: now\n---\necho now', 'echo now'],
  [
    'app:notes',
    '/act.say $V',
    'ERROR(INVALID_VARIABLE): $V cannot be an argument of an action: stored variables stay out of commands\n  An action names the variables it uses in its own template\n  For the text itself write \\$V, not in single quotes',
    '✗ INVALID_VARIABLE: $V cannot be an argument of an action: stored variables stay out of commands\n  An action names the variables it uses in its own template\n  For the text itself write \\$V, not in single quotes',
  ],
  ['main', '/uninstall notes', 'Uninstalled notes', '✓ Uninstalled notes'],
]

it('says exactly this for /set, /install and /act, over /exec and in ChanFlow', async () => {
  const [overExec, overChanFlow] = [await appPlace(), await appPlace()]
  for (const { put } of [overExec, overChanFlow]) put({ 'notes.md': DOCUMENT })
  for (const [topic, command, exec, chanflow] of ROWS) {
    expect(await overExec.reply(command, topic)).toBe(exec)
    const { json } = await call(overChanFlow.port, 'POST', '/chanflow', {
      headers: { 'X-Agent-Id': 'default' },
      body: { text: `<𝒞=string:${topic}>${command}</𝒞>` },
    })
    const { text } = json as { text: string }
    expect(text.replace(/^<𝒞=string:\S+ time="[^"]*">\n/, '').replace(/\n<\/𝒞>\n?$/, '')).toBe(chanflow)
  }
})
