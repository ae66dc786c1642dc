#!/usr/bin/env node
// One turn of Codex: its JSON lines become lines of the protocol.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const session = process.env.AGENT_SESSION_ID
const isStreaming = process.env.AGENT_STREAMING === '1'
let reply = ''
// What the profile gives as "args" comes along. The message is on standard input, which the program inherits.
const args = ['exec', '--json', '--skip-git-repo-check', ...process.argv.slice(2)]
if (session) args.push('resume', session)
args.push('-')

const child = spawn('codex', args, { stdio: ['inherit', 'pipe', 'inherit'] })
child.on('error', () => fail('codex cannot be started. Install it: npm install -g @openai/codex'))
child.on('close', (code) => {
  process.exitCode ||= code ?? 1
})

for await (const line of createInterface({ input: child.stdout })) {
  const event = parse(line)
  if (event !== null) read(event)
}
// A line of the reply must not look like one of the protocol.
if (!isStreaming) console.log(reply.replace(/^AGENT_/gm, ' AGENT_'))

function read({ type, thread_id, item, error, message }) {
  if (type === 'thread.started') console.log(`AGENT_SESSION:${thread_id}`)
  if (type === 'item.completed' && item?.type === 'agent_message') {
    say(`${item.text}\n`)
  }
  if (type === 'turn.failed') fail(error?.message ?? 'The turn failed.')
  // Codex reports here that it tries again, so this alone is no failure.
  if (type === 'error' && isStreaming && message.startsWith('Reconnecting')) say(`(${message})\n`)
  else if (type === 'error') console.error(message)
}

function say(text) {
  if (isStreaming) console.log(`AGENT_PARTIAL:${JSON.stringify(text)}`)
  else reply += text
}

function fail(text) {
  console.log(`AGENT_ERROR:${JSON.stringify(text)}`)
  process.exitCode = 1
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    // A line for people among the events.
    return null
  }
}
