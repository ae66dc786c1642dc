#!/usr/bin/env node
// One turn of Claude Code: its stream of JSON events becomes lines of the protocol.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createReader, parse } from './events.mjs'

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

const read = createReader({
  session: (id) => console.log(`AGENT_SESSION:${id}`),
  say: (text) => {
    if (isStreaming) console.log(`AGENT_PARTIAL:${JSON.stringify(text)}`)
    else reply += text
  },
  status: (text) => {
    if (isStreaming) console.log(`AGENT_PARTIAL:${JSON.stringify(`(${text})\n`)}`)
    else console.error(text)
  },
  fail,
  giveUp: () => child.kill(),
  done: () => {},
})

for await (const line of createInterface({ input: child.stdout })) {
  const event = parse(line)
  if (event !== null) read(event)
}
// A line of the reply must not look like one of the protocol.
if (!isStreaming) console.log(reply.replace(/^AGENT_/gm, ' AGENT_'))

function fail(text) {
  console.log(`AGENT_ERROR:${JSON.stringify(text)}`)
  process.exitCode = 1
}
