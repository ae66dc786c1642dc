#!/usr/bin/env node
// One turn of Gemini CLI: its stream of JSON events becomes lines of the protocol.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const session = process.env.AGENT_SESSION_ID
const isStreaming = process.env.AGENT_STREAMING === '1'
let reply = ''
// What the profile gives as "args" comes along. The message is on standard input, which the program inherits.
// Whoever starts it here has chosen the folder.
const args = ['--output-format', 'stream-json', '--skip-trust', ...process.argv.slice(2)]
if (session) args.push('--resume', session)

const child = spawn('gemini', args, { stdio: ['inherit', 'pipe', 'pipe'] })
child.on('error', () => fail('gemini cannot be started. Install it: npm install -g @google/gemini-cli'))
child.on('close', (code) => {
  process.exitCode ||= code ?? 1
})

// Its events tell nothing while it tries again.
createInterface({ input: child.stderr }).on('line', (line) => {
  const [retry] = /^Attempt \d+ failed.*?(?=\.\.\.|$)/.exec(line) ?? []
  if (retry === undefined || !isStreaming) console.error(line)
  else say(`(${retry})\n`)
})

for await (const line of createInterface({ input: child.stdout })) {
  const event = parse(line)
  if (event !== null) read(event)
}
// A line of the reply must not look like one of the protocol.
if (!isStreaming) console.log(reply.replace(/^AGENT_/gm, ' AGENT_'))

function read({ type, session_id, role, content, severity, status, error, message }) {
  if (type === 'init') console.log(`AGENT_SESSION:${session_id}`)
  if (type === 'message' && role === 'assistant') say(content)
  if (type === 'error') console.error(`${severity}: ${message}`)
  if (type === 'result' && status === 'error') fail(error?.message ?? 'Gemini CLI ended with an error.')
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
