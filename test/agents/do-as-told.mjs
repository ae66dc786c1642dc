#!/usr/bin/env node
// The later wire, told what to do by its message: `say TEXT`, `stream N` words, `hold` until it is ended, `fail TEXT`,
// `ask COMMAND` for permission, `tool NAME` for one of its own, `files`, `run COMMAND | COMMAND` as blocks, `drip TEXT` and hold, `everywhere TEXT`
// in all that an agent can say. Anything else is answered as a page.
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const say = (object) => process.stdout.write(`${JSON.stringify(object)}\n`)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => JSON.parse((await lines.next()).value)

const turn = await read()
const [verb, rest] = [turn.message.split(' ', 1)[0], turn.message.slice(turn.message.indexOf(' ') + 1)]
const usage = { input_tokens: 1200, output_tokens: 80, cost_usd: 0.0042 }
const result = (text) => say({ type: 'result', text, usage, session_id: 's 1' })

if (verb === 'say') result(rest)
else if (verb === 'fail') say({ type: 'error', message: rest })
else if (verb === 'files') result(turn.attachments.map(({ name, url }) => `${name} ${url}`).join('\n'))
else if (verb === 'run') {
  const blocks = rest.split(' | ').map((command) => `<𝒞=string:main>\n${command}\n</𝒞>`)
  result(`I look.\n${blocks.join('\n')}`)
} else if (verb === 'stream' || verb === 'hold') {
  const words = verb === 'hold' ? 1e9 : Number(rest)
  for (let word = 1; word <= words; word += 1) {
    say({ type: 'partial', text: `word${word} ` })
    await pause(verb === 'hold' ? 200 : 15)
  }
  result('')
} else if (verb === 'ask') {
  say({ type: 'permission_request', request_id: 'r1', tool_name: 'shell', input: { command: rest } })
  const { behavior } = await read()
  result(`The answer was ${behavior}.`)
} else if (verb === 'tool') {
  say({ type: 'permission_request', request_id: 'r1', tool_name: rest, input: { [rest]: rest } })
  await read()
  result(rest)
} else if (verb === 'drip') {
  say({ type: 'partial', text: rest })
  await pause(1e9)
} else if (verb === 'everywhere') {
  process.stderr.write(`${rest}\n`)
  say({ type: 'partial', text: `On the way: ${rest}` })
  say({
    type: 'result',
    text: rest,
    session_id: rest.slice(0, 1_000),
    usage: { input_tokens: 2 ** 53 - 1, cost_usd: 1e20 },
  })
} else result(`# Answer\n\nYou wrote **${turn.message}** in \`${turn.session_name}\`.\n\n- one\n- two\n`)
process.stdin.destroy()
