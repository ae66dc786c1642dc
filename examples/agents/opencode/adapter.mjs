#!/usr/bin/env node
// One turn of opencode: its JSON events become lines of the protocol.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const session = process.env.AGENT_SESSION_ID
const isStreaming = process.env.AGENT_STREAMING === '1'
let reply = ''
// What the profile gives as "args" comes along. The message is on standard input, which the program inherits.
// Its events tell nothing while it tries again, its log does.
const args = ['run', '--format', 'json', '--print-logs', '--log-level', 'ERROR', ...process.argv.slice(2)]
if (session) args.push('--session', session)

const child = spawn('opencode', args, { stdio: ['inherit', 'pipe', 'pipe'] })
child.on('error', () => fail('opencode cannot be started. Install it: npm install -g opencode-ai'))
child.on('close', (code) => {
  process.exitCode ||= code ?? 1
})

let declared = null

createInterface({ input: child.stderr }).on('line', (line) => {
  const [, failure] = /level=ERROR .*message="stream error".*error\.error="((?:[^"\\]|\\.)*)"/.exec(line) ?? []
  if (failure === undefined || !isStreaming) console.error(line)
  else say(`(${failure}; it may try again)\n`)
})

for await (const line of createInterface({ input: child.stdout })) {
  const event = parse(line)
  if (event !== null) read(event)
}
// A line of the reply must not look like one of the protocol.
if (!isStreaming) console.log(reply.replace(/^AGENT_/gm, ' AGENT_'))

function read({ type, sessionID, part, error }) {
  if (sessionID && sessionID !== declared) {
    declared = sessionID
    console.log(`AGENT_SESSION:${sessionID}`)
  }
  if (type === 'text') say(`${part.text}\n`)
  if (type === 'error') fail(error?.data?.message ?? error?.name ?? 'opencode ended with an error.')
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
