#!/usr/bin/env node
// An agent that speaks JSON lines (wire 0.4): it gets one turn on standard input and prints events.
// Told to "list", it first asks whether it may look at the folder.
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const turn = await read()
const session = turn.session_id || randomUUID()
const send = (event) => console.log(JSON.stringify({ ...event, session_id: session }))

if (/^list\b/.test(turn.message)) await list()
else await stream(`You said: ${turn.message}`)
process.exit(0)

async function list() {
  const requestId = randomUUID()
  send({
    type: 'permission_request',
    request_id: requestId,
    tool_name: 'list_folder',
    input: { path: process.cwd() },
  })
  const answer = await read()
  if (answer.request_id !== requestId || answer.behavior !== 'allow') await stream('I may not look.')
  else await stream(`I see: ${readdirSync('.').sort().join(', ')}`)
}

async function stream(text) {
  for (const word of text.match(/\s*\S+/g) ?? []) {
    send({ type: 'partial', text: word })
    await sleep(30)
  }
  send({ type: 'result', text })
}

async function read() {
  const { value, done } = await input.next()
  return done ? {} : JSON.parse(value)
}
