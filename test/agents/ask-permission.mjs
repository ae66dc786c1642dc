#!/usr/bin/env node
// The later wire: asks for permission as often as its argument says, tells the answers, and waits for the end of input.
import { createInterface } from 'node:readline'

const count = Number(process.argv[2])
const say = (object) => process.stdout.write(`${JSON.stringify(object)}\n`)
const answers = []
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === 'turn') {
    for (let index = 0; index < count; index += 1) {
      say({ type: 'permission_request', request_id: `r${index}`, tool_name: 'shell', input: { command: 'ls' } })
    }
  } else answers.push(`${message.request_id} ${message.behavior}`)
  if (answers.length === count) say({ type: 'result', text: answers.sort().join(', '), session_id: 's 1' })
}
