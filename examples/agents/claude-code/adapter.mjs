#!/usr/bin/env node
// One turn of Claude Code: its stream of JSON events becomes lines of the protocol.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const session = process.env.AGENT_SESSION_ID
const isStreaming = process.env.AGENT_STREAMING === '1'
let reply = ''
// What the profile gives as "args" comes along. The message is on standard input, which the program inherits.
const args = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages']
if (session) args.push('--resume', session)
args.push(...process.argv.slice(2))

const child = spawn('claude', args, { stdio: ['inherit', 'pipe', 'inherit'] })
child.on('error', () => fail('claude cannot be started. Install it: npm install -g @anthropic-ai/claude-code'))
child.on('close', (code) => {
  process.exitCode ||= code ?? 1
})

let hasSpoken = false
let isMidText = false

for await (const line of createInterface({ input: child.stdout })) {
  const event = parse(line)
  if (event !== null) read(event)
}
// A line of the reply must not look like one of the protocol.
if (!isStreaming) console.log(reply.replace(/^AGENT_/gm, ' AGENT_'))

function read({ type, event, session_id, is_error, result }) {
  if (type === 'stream_event' && event?.delta?.type === 'text_delta') {
    hasSpoken = true
    isMidText = true
    say(event.delta.text)
  }
  // Several answers, with tools in between, shall not run into each other.
  if (type === 'stream_event' && event?.type === 'content_block_stop' && isMidText) {
    isMidText = false
    say('\n')
  }
  if (type !== 'result') return
  if (session_id) console.log(`AGENT_SESSION:${session_id}`)
  if (is_error) fail(result || 'Claude Code ended with an error.')
  else if (!hasSpoken) say(result ?? '')
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
