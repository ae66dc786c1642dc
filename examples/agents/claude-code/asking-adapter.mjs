#!/usr/bin/env node
// One turn of Claude Code that asks before it uses a tool: its questions become those of the protocol (wire 0.4).
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createReader, parse } from './events.mjs'

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const turn = parse((await input.next()).value ?? '') ?? {}
// Whatever needs no permission runs; everything else is asked on its output and answered on its input.
const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
args.push('--include-partial-messages', '--permission-prompt-tool', 'stdio')
if (turn.session_id) args.push('--resume', turn.session_id)
args.push(...process.argv.slice(2))

let session = ''
let text = ''
let hasFailed = false
const asked = new Map()

const child = spawn('claude', args, { stdio: ['pipe', 'pipe', 'inherit'] })
child.on('error', () => fail('claude cannot be started. Install it: npm install -g @anthropic-ai/claude-code'))
child.on('close', (code) => {
  process.exitCode ||= code ?? 1
  // The bridge keeps our input open for answers that nobody waits for any more.
  process.stdin.destroy()
})
child.stdin.on('error', () => {})

const read = createReader({
  session: (id) => {
    session = id
  },
  say: (more) => {
    text += more
    send({ type: 'partial', text: more })
  },
  status: (more) => send({ type: 'partial', text: `(${more})\n`, role: 'status' }),
  fail,
  giveUp: () => child.kill(),
  done: () => {
    if (!hasFailed) send({ type: 'result', text })
    child.stdin.end()
  },
})

tell({ type: 'user', message: { role: 'user', content: turn.message } })
await Promise.all([readEvents(), readAnswers()])

async function readEvents() {
  for await (const line of createInterface({ input: child.stdout })) {
    const event = parse(line)
    if (event?.type === 'control_request' && event.request?.subtype === 'can_use_tool') ask(event)
    else if (event !== null) read(event)
  }
}

function ask({ request_id, request: { tool_name, input: wanted } }) {
  asked.set(request_id, wanted)
  send({ type: 'permission_request', request_id, tool_name, input: wanted })
}

async function readAnswers() {
  for await (const line of input) {
    const { type, request_id, behavior } = parse(line) ?? {}
    if (type !== 'permission_response' || !asked.has(request_id)) continue
    const response =
      behavior === 'allow'
        ? { behavior, updatedInput: asked.get(request_id) }
        : { behavior: 'deny', message: 'The person did not allow it.' }
    asked.delete(request_id)
    tell({ type: 'control_response', response: { subtype: 'success', request_id, response } })
  }
}

function fail(message) {
  hasFailed = true
  send({ type: 'error', message })
  process.exitCode = 1
}

function send(event) {
  console.log(JSON.stringify(session === '' ? event : { ...event, session_id: session }))
}

function tell(message) {
  child.stdin.write(`${JSON.stringify(message)}\n`)
}
