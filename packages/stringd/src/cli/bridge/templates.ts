/** The profile that `string bridge init` writes. */
export const PROFILE = `# A profile says how an agent is run for one turn. Only "command" is needed; the rest are the defaults.
# string bridge check agent.yaml explains what would run.

# The program and its arguments. No shell reads them; a relative program starts at this file's folder.
# {{MESSAGE}}, {{SESSION_ID}}, {{SESSION_NAME}} and {{PROFILE_DIR}} may stand in the arguments, in quotes.
command: ./agent.mjs
args: []

# The message is in AGENT_MESSAGE. With "message" it is written to standard input as well: long ones need that.
stdin: message

# Where the agent runs; without it, where you are.
# cwd: ~/projects

# Variables for the agent. \${NAME} is taken from the environment and from ~/.string/daemon/env.
# env:
#   MY_API_KEY: "\${MY_API_KEY}"

# Only PATH, HOME and the like are handed on; "all" hands on everything.
env_inherit: minimal

# A turn that takes longer gets TERM, and after the grace KILL.
timeout_secs: 1800
kill_grace_secs: 5

# Longer replies are cut, and end with the suffix.
max_reply_chars: 8000
truncation_suffix: "\\n\\n…(truncated)"

# AGENT_PARTIAL: lines are shown as they are printed.
streaming: true

# Tell the user when the agent fails without a word, and whether the end of its stderr belongs to that.
send_error_reply: true
include_stderr_in_reply: false

# What only the daemon heeds, once it is an agent there (string agent add):
# Every event makes a turn: of a webhook, or of another agent.
# wake: events
# Blocks in its replies are run as commands of its own, and answered.
# chanflow: true
# Beyond this its turns are refused.
# limits: { turns_per_hour: 20, cost_per_day: 5 }

# With the wire 0.4 it may ask a person before it does something: string approvals lists the questions.
# wire: "0.4"
# permission: true
# permission_policy: ask
`

/** The agent beside it: it answers, streams and keeps a session. */
export const AGENT = `#!/usr/bin/env node
// A small agent. It reads the message, prints protocol lines and text, and ends: that is one turn.
//   AGENT_PARTIAL:"text"   shown at once          AGENT_SESSION:id   handed back in the next turn
//   AGENT_ERROR:"text"     the turn failed        any other line     the reply

let message = ''
for await (const chunk of process.stdin.setEncoding('utf8')) message += chunk

// The session id is ours to choose. This one counts the turns, so that nothing has to be stored.
const turn = Number(/^turn-(\\d+)$/.exec(process.env.AGENT_SESSION_ID ?? '')?.[1] ?? 0) + 1
console.log(\`AGENT_SESSION:turn-\${turn}\`)

const answer = \`You said: \${message} (turn \${turn} of session \${process.env.AGENT_SESSION_NAME})\`
if (process.env.AGENT_STREAMING === '1') {
  for (const word of answer.match(/\\s*\\S+/g) ?? []) {
    console.log(\`AGENT_PARTIAL:\${JSON.stringify(word)}\`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
} else {
  // A line of the reply must not look like one of the protocol's.
  console.log(answer.replace(/^AGENT_/gm, ' AGENT_'))
}
`
